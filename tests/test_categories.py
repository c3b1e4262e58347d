"""Somebody's categories: named otherwise, put together, and learnt from what is said and corrected."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engines.offline.engine import OfflineEngine
from bot.voice.category_commands import CategoryWish, category_wish_of
from bot.voice.category_words import category_words
from tests.fakes import ANNA, BEN, ScriptedModel, asks, says
from tests.talk import FAMILY, ZH, Talk, call, create
from tools.categories import CATEGORIES, MOST, Taste, fits, usual
from tools.record import CallKey, Draft, Record

CHINESE = usual("zh-TW")
LANGUAGES = sorted(CATEGORIES)


async def spent(talk: Talk, *things: tuple[str, str | None], person: str = ANNA) -> list[Record]:
    """Expenses that were there before."""
    made = []
    for number, (content, category) in enumerate(things, start=1):
        draft = Draft(content=content, type="expense", amount=Decimal(100), currency="TWD", category=category)
        made.append((await talk.memory(person).record(draft, CallKey("before", number), lambda _: {})).record)
    return made


async def categories_of(talk: Talk, person: str = ANNA) -> list[str | None]:
    return [each.category for each in await talk.records(person)]


async def filed(talk: Talk, content: str, category: str | None = None, said: str = "", **fields: object) -> str | None:
    """The category of an expense that a model has made of what was said."""
    given = {"category": category} if category else {}
    model = ScriptedModel(asks(create(content, "expense", amount=100, **given, **fields)), says("好"))
    other = Talk(talk.database, model)
    other.clock, other._heard = talk.clock, 100 + len(await talk.records())
    await other.says(said or content)
    return (await talk.records())[-1].category


# ── a list, and how it becomes another ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_begins_as_the_usual_one_of_its_language(language):
    assert usual(language).names == CATEGORIES[language]


def test_a_renamed_category_keeps_its_place_and_is_known_by_every_name_it_had():
    renamed = CHINESE.renamed("飲食", "吃飯")

    assert renamed.names == ("吃飯", *CHINESE.names[1:])
    assert {renamed.find(each) for each in ("吃飯", "飲食", "Food", "食費", "อาหาร", "ｆｏｏｄ")} == {"吃飯"}
    assert renamed.renamed("吃飯", "三餐").find("吃飯") == "三餐"


def test_what_was_merged_is_found_where_it_went():
    merged = CHINESE.merged("教育", "娛樂").renamed("娛樂", "玩樂")

    assert "教育" not in merged.names
    assert merged.find("教育") == merged.find("Education") == merged.find("Fun") == "玩樂"


def test_what_was_dropped_is_found_no_more():
    assert CHINESE.dropped("教育").find("Education") is None
    assert CHINESE.added("寵物").dropped("寵物").find("寵物") is None


def test_a_learnt_word_follows_its_category():
    taught = CHINESE.taught("捷運", "交通").renamed("交通", "通勤")

    assert [each.category for each in taught.learnt("捷運到板橋")] == ["通勤"]
    assert [each.category for each in taught.merged("通勤", "其他").learnt("捷運")] == ["其他"]


def test_the_longest_word_that_stands_in_the_content_is_meant():
    taught = CHINESE.taught("咖啡", "娛樂").taught("咖啡機", "居家").taught("tea", "娛樂")

    assert [each.category for each in taught.learnt("買咖啡機")] == ["居家", "娛樂"]
    assert not [*taught.learnt("team lunch")]
    assert [*taught.learnt("Tea, two cups")]


def test_of_many_learnt_words_the_oldest_make_room():
    taught = CHINESE
    for number in range(250):
        taught = taught.taught(f"甲{number}", "飲食")

    assert len(taught.taste.words) == 200
    assert not [*taught.learnt("甲0號")]


@pytest.mark.parametrize("name", ["", "12", "飲食,交通", "a" * 21, "「飲食」", "飲\n食", "!!"])
def test_what_cannot_be_a_name_is_none(name):
    assert not fits(name)


_EDIT = st.tuples(st.sampled_from(["rename", "merge", "add", "drop", "teach"]), st.integers(0, 30), st.integers(0, 30))


@given(st.lists(_EDIT, max_size=12))
@settings(max_examples=200)
def test_after_any_edits_each_name_is_found_once_and_every_old_one_leads_to_the_list(edits):
    now = CHINESE
    for kind, one, other in edits:
        old, into, new = (now.names[each % len(now.names)] for each in (one, other)), now.names, f"新{one}"
        first, second = old
        if kind == "rename" and new not in into:
            now = now.renamed(first, new)
        elif kind == "merge" and first != second:
            now = now.merged(first, second)
        elif kind == "add" and new not in into:
            now = now.added(new)
        elif kind == "drop" and len(into) > 1:
            now = now.dropped(first)
        elif kind == "teach":
            now = now.taught(f"詞{one}", first)
        assert len(set(now.names)) == len(now.names) > 0
        assert all(now.find(name) == name for name in now.names)
        known = [now.find(name) for names in CATEGORIES.values() for name in names]
        assert all(found is None or found in now.names for found in known)


# ── what is a wish about them ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "command", "old", "new"),
    [
        ("捷運以後算通勤", "learn", "捷運", "通勤"),
        ("以後捷運都算通勤。", "learn", "捷運", "通勤"),
        ("coffee goes under Fun from now on", "learn", "coffee", "Fun"),
        ("From now on, put coffee under Fun", "learn", "coffee", "Fun"),
        ("電車は今後交通に入れて", "learn", "電車", "交通"),
        ("これからコーヒーは娯楽にして", "learn", "コーヒー", "娯楽"),
        ("ต่อไปรถไฟฟ้าให้อยู่ในหมวดเดินทาง", "learn", "รถไฟฟ้า", "เดินทาง"),
        ("กาแฟนับเป็นบันเทิงต่อไป", "learn", "กาแฟ", "บันเทิง"),
        ("飲食改叫吃飯", "rename", "飲食", "吃飯"),
        ("把類別「飲食」改名為「吃飯」", "rename", "飲食", "吃飯"),
        ("rename Food to Eating", "rename", "Food", "Eating"),
        ("食費を食事に改名して", "rename", "食費", "食事"),
        ("เปลี่ยนชื่ออาหารเป็นของกิน", "rename", "อาหาร", "ของกิน"),
        ("把點心併到飲食", "merge", "點心", "飲食"),
        ("merge Education into Other", "merge", "Education", "Other"),
        ("教育をその他に統合して", "merge", "教育", "その他"),
        ("รวมการศึกษากับอื่นๆ", "merge", "การศึกษา", "อื่นๆ"),
        ("新增類別 寵物", "add", "", "寵物"),
        ("add category Pets", "add", "", "Pets"),
        ("カテゴリにペットを追加", "add", "", "ペット"),
        ("เพิ่มหมวดสัตว์เลี้ยง", "add", "", "สัตว์เลี้ยง"),
        ("刪除類別 教育", "drop", "教育", ""),
        ("remove category Education", "drop", "Education", ""),
    ],
)
def test_what_belongs_where_is_said_in_four_languages(said, command, old, new):
    wish = category_wish_of(said)
    assert wish is not None
    assert (wish.command, wish.old, wish.new) == (command, old, new)


@pytest.mark.parametrize(
    "said", ["類別", "我的分類？", "/categories", "What categories do I have?", "カテゴリ", "หมวด"]
)
def test_the_list_is_asked_for_by_a_word(said):
    wish = category_wish_of(said)
    assert wish is not None
    assert wish.command == "show"


@pytest.mark.parametrize(
    "said",
    [
        "小明以後算我朋友",
        "call home to say hi",
        "午餐 120",
        "捷運以後算通勤嗎？",
        "我以後算了",
        "飲食改叫\n吃飯",
        "把它併到飲食",
    ],
)
def test_what_only_sounds_alike_is_no_wish(said):
    assert category_wish_of(said) is None


# ── said in a chat ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "language"), [("類別", "zh-TW"), ("categories", "en"), ("カテゴリ", "ja"), ("หมวด", "th")]
)
async def test_the_list_is_shown_without_a_model(database, said, language):
    (text,) = await Talk(database).says(said)
    first, how = text.splitlines()

    assert all(name in first for name in CATEGORIES[language])
    assert how == category_words(language).how


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_that_are_given_are_understood(language):
    """What stands in quotes where the list is told can be said."""
    how = category_words(language).how
    marks = "“”" if "“" in how else "「」"
    examples = [part.split(marks[1])[0] for part in how.split(marks[0])[1:]]

    assert len(examples) == 4
    assert [wish and wish.command for wish in map(category_wish_of, examples)] == ["rename", "merge", "learn", "add"]


async def test_a_category_is_renamed_with_its_records_and_taken_back(database):
    talk = Talk(database)
    await spent(talk, ("午餐", "飲食"), ("捷運", "交通"), ("晚餐", "飲食"))

    assert await talk.says("飲食改叫吃飯") == ["改好了：類別「飲食」改叫「吃飯」，2 筆一起改了。"]
    assert await categories_of(talk) == ["吃飯", "交通", "吃飯"]
    assert await talk.says("復原") == ["復原了：改好了：類別「飲食」改叫「吃飯」，2 筆一起改了。"]
    assert await categories_of(talk) == ["飲食", "交通", "飲食"]
    assert (await talk.list_of().of(CHINESE.standard)).names == CHINESE.names


@pytest.mark.parametrize(
    "said", ["飲食改名叫吃喝", "飲食改名為吃喝", "飲食改叫吃喝", "飲食改名吃喝", "飲食改名叫做吃喝"]
)
def test_what_a_category_is_to_be_called_is_the_name_alone(said):
    assert category_wish_of(said) == CategoryWish("rename", "飲食", "吃喝")


async def test_the_button_under_the_receipt_takes_it_back_once(database):
    talk = Talk(database)
    await spent(talk, ("書", "教育"))
    assert await talk.says("把教育併到其他") == ["併好了：「教育」併到「其他」，1 筆一起改了。"]

    assert await talk.taps_on(ZH.undo) == ["復原了：併好了：「教育」併到「其他」，1 筆一起改了。"]
    assert await categories_of(talk) == ["教育"]
    assert await talk.taps_on(ZH.undo) == [ZH.button_too_old]


async def test_an_older_button_takes_nothing_back_that_was_done_since(database):
    talk = Talk(database)
    await talk.says("飲食改叫吃飯")
    older = talk.last[0].buttons[0].data
    await talk.says("交通改叫通勤")
    (text,) = await talk.taps(older)
    assert "「復原」" in text
    assert (await talk.list_of().of(CHINESE.standard)).names[:2] == ("吃飯", "通勤")
    await talk.says("復原")
    assert await talk.taps(older) == ["復原了：改好了：類別「飲食」改叫「吃飯」。"]


async def test_records_that_went_elsewhere_since_stay_there(database):
    talk = Talk(database)
    _, dinner = await spent(talk, ("午餐", "飲食"), ("晚餐", "飲食"))
    await talk.says("飲食改叫吃飯")
    await talk.memory().revise(dinner.ref, {"category": "娛樂"}, CallKey("since", 1), lambda _: {})

    await talk.taps_on(ZH.undo)

    assert await categories_of(talk) == ["飲食", "娛樂"]


async def test_an_undo_takes_back_what_was_done_last_wherever_that_was(database):
    talk = Talk(database, OfflineEngine())
    await talk.says("飲食改叫吃飯")
    await talk.says("午餐 120")

    await talk.says("復原")
    assert await talk.records() == []
    assert (await talk.list_of().of(CHINESE.standard)).names[0] == "吃飯"
    await talk.says("復原")
    assert (await talk.list_of().of(CHINESE.standard)).names[0] == "飲食"


async def test_a_renamed_category_is_the_one_that_new_records_get_without_a_model(database):
    talk = Talk(database, OfflineEngine())
    await talk.says("飲食改叫吃飯")

    await talk.says("午餐 120")
    (answer,) = await talk.says("這個月吃飯花多少")

    assert await categories_of(talk) == ["吃飯"]
    assert "120" in answer


async def test_what_is_no_category_counts_as_one_when_it_is_merged(database):
    talk = Talk(database)

    assert await talk.says("把點心併到飲食") == ["記住了：「點心」以後算「飲食」。"]
    assert await filed(talk, "下午茶點心") == "飲食"


async def test_a_word_that_was_taught_decides_where_the_model_says_nothing_or_otherwise(database):
    talk = Talk(database)
    assert await talk.says("捷運以後算通勤") == ["記住了：「捷運」以後算「通勤」（新類別）。"]

    assert await filed(talk, "捷運到板橋") == "通勤"
    assert await filed(talk, "捷運", "交通") == "通勤"
    assert await filed(talk, "計程車", "交通") == "交通"


async def test_a_category_that_the_words_of_the_turn_name_is_the_persons_own_choice(database):
    talk = Talk(database)
    await talk.says("捷運以後算交通")

    assert await filed(talk, "捷運", "娛樂", said="捷運 30 這筆算娛樂") == "娛樂"


async def test_what_stands_in_brackets_holds_and_is_learnt(database):
    talk = Talk(database)

    assert await filed(talk, "機車", "購物", said="機車（交通）100") == "交通"
    assert await filed(talk, "機車保養", "購物") == "交通"


async def test_a_correction_teaches_until_it_is_taken_back(database):
    model = ScriptedModel(asks(call("update_record", ref=1, category="娛樂")), says("好"))
    talk = Talk(database, model)
    await spent(talk, ("咖啡", "飲食"))
    await talk.says("#1 算娛樂")

    assert await filed(talk, "咖啡", "飲食") == "娛樂"
    await talk.memory().revise(1, {"category": "飲食"}, CallKey("back", 1), lambda _: {})
    assert await filed(talk, "咖啡", "飲食") == "飲食"


async def test_a_long_story_teaches_nothing(database):
    model = ScriptedModel(asks(call("update_record", ref=1, category="娛樂")), says("好"))
    talk = Talk(database, model)
    await spent(talk, ("跟阿明他們在西門町吃火鍋聊到半夜才坐計程車回家", "飲食"))
    await talk.says("#1 算娛樂")

    assert (await talk.list_of().of(CHINESE.standard)).taste == Taste()


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (
            "把類別 寵物 改名為 毛小孩",
            "沒有「寵物」這個類別。現在有：飲食、交通、購物、居家、娛樂、醫療、教育、收入、其他",
        ),
        ("新增類別 飲食", "已經有「飲食」了。"),
        ("刪除類別 交通", "「交通」還有 1 筆，先說要併到哪裡，像「把交通併到其他」。"),
        ("刪除類別 教育", "拿掉了：類別「教育」。"),
        ("飲食改叫交通", "併好了：「飲食」併到「交通」。"),
    ],
)
async def test_each_wish_gets_a_clear_answer(database, said, answer):
    talk = Talk(database)
    await spent(talk, ("捷運", "交通"))

    assert await talk.says(said) == [answer]


async def test_a_list_that_is_full_takes_no_more(database):
    talk = Talk(database)
    for number in range(MOST - len(CHINESE.names)):
        await talk.says(f"新增類別 第{number}類")

    assert await talk.says("新增類別 寵物") == [category_words("zh-TW").full]


@pytest.mark.parametrize("said", ["會議改叫週會", "會議以後放週五", "rename the meeting to standup"])
async def test_where_no_category_is_meant_the_model_answers(database, said):
    with ScriptedModel(says("哪一個？")) as model:
        assert await Talk(database, model).says(said) == ["哪一個？"]


async def test_a_list_belongs_to_one_person_and_a_group_has_its_own(database):
    talk = Talk(database)
    await talk.enables()
    await talk.says_in_the_group("飲食改叫伙食")
    await talk.says("飲食改叫吃飯")

    mine, theirs = [await talk.list_of(each).of(CHINESE.standard) for each in (ANNA, FAMILY)]
    assert (mine.names[0], theirs.names[0]) == ("吃飯", "伙食")
    assert (await talk.list_of(BEN).of(CHINESE.standard)).names == CHINESE.names


async def test_the_model_is_given_the_list_as_it_is_now(database):
    shown = []

    class Curious(ScriptedModel):
        async def complete(self, messages, tools, *, may_call=True):
            shown.extend(each.parameters["properties"] for each in tools if each.name == "create_record")
            return await super().complete(messages, tools, may_call=may_call)

    with Curious(says("好")) as model:
        talk = Talk(database, model)
        await talk.says("飲食改叫吃飯")
        await talk.says("哈囉，最近如何啊")

    assert shown[0]["category"]["enum"] == ["吃飯", *CHINESE.names[1:]]
