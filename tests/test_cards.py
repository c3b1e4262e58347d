"""Which answers come as a card, what stands on it, and which buttons stand under an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from bot.card import Card
from bot.cards import named_in
from bot.engines.offline.engine import OfflineEngine
from bot.ports import Button, Tap
from bot.voice.card_words import card_words
from bot.voice.cards import Scene, month_text, period_text
from bot.voice.language import LANGUAGES
from bot.voice.phrases import phrases_of
from tests.fakes import ANNA, CountingMirror, ScriptedModel, asks, says
from tests.talk import ZH, Talk, call, create, remember
from tools.record import CallKey, Draft, MirrorState, Span

ZH_CARD = card_words("zh-TW")
LUNCHES = (("早餐", 60), ("捷運", 30), ("午餐", 120))


def shown(talk: Talk, place: int = 0) -> Card:
    card = talk.last[place].card
    assert card is not None, talk.last[place].text
    return card


def told_of(card: Card) -> list[tuple[str, str, str]]:
    return [(row.when, row.what, row.about) for row in card.rows]


async def agenda(talk: Talk) -> None:
    """Three things of today, one of tomorrow."""
    taipei = ZoneInfo("Asia/Taipei")
    for number, (content, when, type_) in enumerate(
        [
            ("早會", datetime(2026, 11, 30, 14, 30, tzinfo=taipei), "event"),
            ("接小孩", datetime(2026, 11, 30, 18, 0, tzinfo=taipei), "event"),
            ("買牛奶", date(2026, 11, 30), "task"),
            ("回診", datetime(2026, 12, 1, 15, 0, tzinfo=taipei), "event"),
        ],
        start=1,
    ):
        draft = Draft(content=content, type=type_, when=when)
        await talk.memory().record(draft, CallKey("before", number), lambda _: {})


async def money(talk: Talk, *spent: tuple[str, str | None, int], type_: str = "expense") -> None:
    for number, (content, category, amount) in enumerate(spent, start=1):
        draft = Draft(
            content=content,
            type=type_,
            amount=Decimal(amount),
            currency="TWD",
            category=category,
            when=date(2026, 11, 30),
        )
        await talk.memory().record(draft, CallKey("spent", number), lambda _: {})


def query(**arguments: object) -> tuple[str, str]:
    return call("query_records", **arguments)


# ── what was made ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_three_new_records_are_a_card_with_their_sum_and_the_way_back(database):
    calls = [create(what, "expense", amount=amount) for what, amount in LUNCHES]
    with ScriptedModel(asks(*calls), says("好")) as model:
        talk = Talk(database, model)
        (text,) = await talk.says("早餐60 捷運30 午餐120")

    card = shown(talk)
    assert text == "3 筆都記好了，共 210 元：早餐 60、捷運 30、午餐 120 #1–3　今天 210・本月 210"
    assert (card.title, card.aside, card.beside) == ("3 筆都記好了", "共 210 元", "")
    assert [(row.what, row.amount, row.when, row.about) for row in card.rows] == [
        ("早餐", "60 元", "", "#1"),
        ("捷運", "30 元", "", "#2"),
        ("午餐", "120 元", "", "#3"),
    ]
    assert card.notes == ("今天 210・本月 210",)
    assert card.buttons == (Button(ZH.undo, "undo:01E001"),)
    assert not any(row.buttons for row in card.rows), "money is never done"


async def test_what_the_model_adds_to_new_records_stands_beside_their_card(database):
    calls = [create(what, "task") for what in ("買牛奶", "買蛋", "倒垃圾")]
    with ScriptedModel(asks(*calls), says("垃圾車七點來。")) as model:
        talk = Talk(database, model)
        (text,) = await talk.says("買牛奶、買蛋、倒垃圾")

    assert text.endswith("#1–3\n垃圾車七點來。")
    assert shown(talk).beside == "垃圾車七點來。"
    assert [row.buttons for row in shown(talk).rows] == [
        (Button(ZH.done, f"done:{ref}", said=f"完成 #{ref}"),) for ref in (1, 2, 3)
    ]


async def test_two_new_records_or_other_changes_beside_three_are_told_in_words(database):
    three = [create(what, "task") for what in ("甲事", "乙事", "丙事")]
    with ScriptedModel(
        asks(*three[:2]), says("好"), asks(*three, call("update_record", ref=1, status="done")), says("好")
    ) as model:
        talk = Talk(database, model)
        await talk.says("兩件")
        assert talk.last[0].card is None
        await talk.says("三件，第一件做完了")
        assert talk.last[0].card is None


@pytest.mark.parametrize(
    ("state", "notes", "buttons"),
    [
        (MirrorState(2), (ZH.notion_late,), 1),
        (MirrorState(0), (), 1),
        (MirrorState(0, "https://www.notion.so/x"), (), 2),
    ],
)
async def test_how_notion_stands_is_on_the_card_too(database, state, notes, buttons):
    calls = [create(what, "task") for what in ("甲事", "乙事", "丙事")]
    with ScriptedModel(asks(*calls), says("好")) as model:
        talk = Talk(database, model, mirror=CountingMirror(state))
        (text,) = await talk.says("三件")

    card = shown(talk)
    assert card.notes == notes
    assert len(card.buttons) == buttons
    if state.link:
        assert card.buttons[1] == Button(ZH_CARD.all_pages, state.link, "link")
        assert state.link in text


async def test_a_receipt_of_thirty_records_says_how_many_are_not_on_its_card(database):
    many = [create(f"第{n}件事", "task") for n in range(15)]
    with ScriptedModel(asks(*many), asks(*[create(f"再{n}件事", "task") for n in range(15)]), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("三十件")

    card = shown(talk)
    assert (card.title, len(card.rows), card.notes) == ("30 筆都記好了", 24, ("還有 6 筆",))


# ── what was found ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_list_that_the_model_tells_is_a_card_and_is_not_told_twice(database):
    said = "今天有 3 件：\n- 14:30 早會 #1\n- 18:00 接小孩 #2\n- 買牛奶 #3"
    with ScriptedModel(asks(query(when="今天", limit=10)), says(said)) as model:
        talk = Talk(database, model)
        await agenda(talk)
        (text,) = await talk.says("今天要做什麼才好？")

    card = shown(talk)
    assert "早會 #1" in text, "the words say everything by themselves"
    assert (card.title, card.aside, card.beside) == ("今天 11/30（一）", "3 筆", "")
    assert told_of(card) == [("14:30", "早會", "#1"), ("18:00", "接小孩", "#2"), ("沒定時間", "買牛奶", "#3")]
    assert [button.label for button in talk.last[0].buttons] == ["完成 #1", "明天呢？"]


async def test_what_the_card_does_not_show_is_said_in_front_of_it(database):
    said = "今天 3 件：14:30 早會、18:00 接小孩、買牛奶。接小孩前順路去買最方便！"
    with ScriptedModel(asks(query(when="今天", limit=10)), says(said)) as model:
        talk = Talk(database, model)
        await agenda(talk)
        await talk.says("今天要做什麼才好？")

    assert shown(talk).beside == "接小孩前順路去買最方便！"


async def test_the_card_shows_the_records_the_model_speaks_of_in_its_order(database):
    said = "先買牛奶 #3，再去接小孩 #2，早會 #1 已經過了。"
    with ScriptedModel(asks(query(limit=10)), says(said)) as model:
        talk = Talk(database, model)
        await agenda(talk)
        await talk.says("今天該怎麼排？")

    assert talk.last[0].card is None, "its words say more than a list, and are not said twice"


@pytest.mark.parametrize("said", ["下一件是早會 #1。", "你今天很滿。", "早會 #1，接小孩 #2。"])
async def test_an_answer_about_fewer_than_three_records_stays_words(database, said):
    with ScriptedModel(asks(query(when="今天", limit=10)), says(said)) as model:
        talk = Talk(database, model)
        await agenda(talk)
        assert await talk.says("下一件是什麼？") == [said]

    assert talk.last[0].card is None


async def test_a_list_of_several_days_tells_the_day_of_each(database):
    said = "・早會 #1\n・接小孩 #2\n・回診 #4"
    with ScriptedModel(asks(query(type="event", limit=10)), says(said)) as model:
        talk = Talk(database, model)
        await agenda(talk)
        await talk.says("有哪些行程？")

    card = shown(talk)
    assert (card.title, card.aside) == ("行程", "3 筆")
    assert [row.when for row in card.rows] == ["11/30（一）14:30", "11/30（一）18:00", "12/1（二）15:00"]


async def test_more_records_than_were_listed_are_counted(database):
    with ScriptedModel(asks(query(limit=3, sort="created")), says("早會 #1、接小孩 #2、買牛奶 #3")) as model:
        talk = Talk(database, model)
        await agenda(talk)
        await talk.says("最舊的")

    assert (shown(talk).title, shown(talk).aside, shown(talk).notes) == ("今天 11/30（一）", "3 筆", ("還有 1 筆",))


async def test_a_list_without_its_questions_has_no_card(database):
    with ScriptedModel(says("早會 #1、接小孩 #2、買牛奶 #3")) as model:
        talk = Talk(database, model)
        await agenda(talk)
        await talk.says("剛剛那些再說一次")

    assert talk.last[0].card is None


async def test_words_of_others_on_a_card_have_no_living_address(database):
    with ScriptedModel(asks(query(limit=5)), says("evil.example #1、乙事 #2、丙事 #3")) as model:
        talk = Talk(database, model)
        await remember(talk, "看 evil.example/x", "乙事", "丙事", origin="others")
        await talk.says("有什麼？")

    assert shown(talk).rows[0].what == "看 evil[.]example/x"


class Pages(CountingMirror):
    """A mirror in which every record has a page."""

    async def pages(self, records: Sequence[str]) -> dict[str, str]:
        return {record: f"https://www.notion.so/{record}" for record in records}


async def test_a_record_with_a_page_in_notion_can_be_opened_there(database):
    said = "早會 #1、接小孩 #2、買牛奶 #3"
    with ScriptedModel(asks(query(when="今天", limit=10)), says(said)) as model:
        talk = Talk(database, model, mirror=Pages(MirrorState(0)))
        await agenda(talk)
        await talk.says("今天會很忙嗎？")

    first = (await talk.records())[0]
    assert shown(talk).rows[0].buttons == (
        Button(ZH.done, "done:1", said="完成 #1"),
        Button("Notion", f"https://www.notion.so/{first.id}", "link"),
    )


# ── totals ────────────────────────────────────────────────────────────────────────────────────────────────────────

SPENT = (("火鍋", "飲食", 890), ("午餐", "飲食", 120), ("捷運", "交通", 30), ("電影", None, 320))


async def test_a_total_is_a_card_with_a_bar_for_each_category(database):
    said = "這個月花了 1,360 元，共 4 筆。"
    with ScriptedModel(asks(query(type="expense", when="這個月", total="amount")), says(said)) as model:
        talk = Talk(database, model)
        await money(talk, *SPENT)
        assert await talk.says("這個月花了多少？") == [said]

    card = shown(talk)
    assert (card.title, card.figure, card.aside, card.beside) == ("11 月 · 支出", "1,360 元", "4 筆", "")
    assert [(bar.what, bar.amount) for bar in card.bars] == [
        ("飲食", "1,010 元"),
        ("交通", "30 元"),
        ("未分類", "320 元"),
    ]
    assert card.bars[0].share == 1
    assert talk.last[0].buttons == (Button("上個月呢？", "say:上個月花了多少？"),)


async def test_the_largest_that_a_card_shows_is_not_said_beside_it(database):
    talk = Talk(database, OfflineEngine())
    for said in ("午餐 120", "晚餐 80", "早餐 60"):
        await talk.says(said)

    (text,) = await talk.says("這個月吃飯花多少")

    assert "最多：" in text
    assert talk.last[0].card.bars
    assert talk.last[0].card.beside == ""


async def test_a_total_of_one_category_shows_its_largest_records(database):
    with ScriptedModel(
        asks(query(type="expense", when="這個月", category="飲食", total="amount")), says("飲食 1,040 元。")
    ) as model:
        talk = Talk(database, model)
        await money(talk, ("火鍋", "飲食", 890), ("午餐", "飲食", 120), ("茶", "飲食", 30))
        await talk.says("吃飯花了多少？")

    card = shown(talk)
    assert (card.title, card.figure) == ("11 月 · 飲食", "1,040 元")
    assert [(bar.what, bar.amount) for bar in card.bars] == [
        ("11/30（一） 火鍋", "890 元"),
        ("11/30（一） 午餐", "120 元"),
        ("11/30（一） 茶", "30 元"),
    ]
    assert talk.last[0].buttons == (Button("上個月呢？", "say:上個月飲食花了多少？"),)


@pytest.mark.parametrize(
    ("arguments", "said", "figure", "bars"),
    [
        ({"group_by": "type", "total": "amount"}, "支出 1,360 元", "", ["支出"]),
        ({"group_by": "day", "type": "expense", "total": "amount"}, "一天就 1,360 元", "1,360 元", []),
        ({"group_by": "category"}, "飲食 2 筆、交通 1 筆", "", ["飲食", "交通", "未分類"]),
        ({"group_by": "status"}, "4 筆都還沒做", "", []),
    ],
)
async def test_other_groups_have_bars_of_their_own_if_there_are_two(database, arguments, said, figure, bars):
    with ScriptedModel(asks(query(**arguments)), says(said)) as model:
        talk = Talk(database, model)
        await money(talk, *SPENT)
        await talk.says("怎麼分？")

    card = talk.last[0].card
    if len(bars) < 2:
        assert card is None
    else:
        assert [bar.what for bar in shown(talk).bars] == bars
        assert shown(talk).figure == figure


async def test_a_balance_shows_what_came_and_went(database):
    with ScriptedModel(asks(query(when="這個月", total="net")), says("結餘 28,640 元。")) as model:
        talk = Talk(database, model)
        await money(talk, *SPENT)
        draft = Draft(content="薪水", type="income", amount=Decimal(30_000), currency="TWD", when=date(2026, 11, 5))
        await talk.memory().record(draft, CallKey("came", 1), lambda _: {})
        await talk.says("這個月剩多少？")

    card = shown(talk)
    assert (card.title, card.figure) == ("11 月 · 收支", "28,640 元")
    assert [(bar.what, bar.amount) for bar in card.bars] == [("支出", "1,360 元"), ("收入", "30,000 元")]


async def test_two_currencies_are_never_one_bar_chart(database):
    with ScriptedModel(asks(query(type="expense", total="amount")), says("1,360 元和 $5")) as model:
        talk = Talk(database, model)
        await money(talk, *SPENT)
        draft = Draft(content="coffee", type="expense", amount=Decimal(5), currency="USD", when=date(2026, 11, 5))
        await talk.memory().record(draft, CallKey("abroad", 1), lambda _: {})
        await talk.says("總共？")

    assert talk.last[0].card is None


async def test_a_total_that_the_answer_does_not_speak_of_is_not_shown(database):
    with ScriptedModel(asks(query(type="expense", total="amount")), says("我看了一下，還好。")) as model:
        talk = Talk(database, model)
        await money(talk, *SPENT)
        await talk.says("花太多了嗎？")

    assert talk.last[0].card is None


async def test_many_small_parts_stand_together(database):
    with ScriptedModel(asks(query(type="expense", total="amount", group_by="tag")), says("最多 100 元。")) as model:
        talk = Talk(database, model)
        for n in range(12):
            draft = Draft(
                content="x",
                type="expense",
                amount=Decimal(100 - n),
                currency="TWD",
                when=date(2026, 11, 1),
                tags=(f"t{n}",),
            )
            await talk.memory().record(draft, CallKey("tags", n + 1), lambda _: {})
        await talk.says("依標籤？")

    card = shown(talk)
    assert len(card.bars) == 8
    assert (card.bars[7].what, card.bars[7].amount) == ("其他 5 項", f"{sum(100 - n for n in range(7, 12))} 元")
    assert card.figure == "", "what has two tags stands in both"


@pytest.mark.parametrize(
    ("group", "said", "bars"),
    [
        ("month", "11 月 120 元", [("10 月", "90 元"), ("11 月", "120 元")]),
        ("day", "10/5 花了 90 元", [("10/5（一）", "90 元"), ("11/30（一）", "120 元")]),
        ("status", "取消 90 元", [("取消", "90 元"), ("還沒做", "120 元")]),
    ],
)
async def test_days_months_and_states_are_named_as_people_do(database, group, said, bars):
    with ScriptedModel(asks(query(type="expense", total="amount", group_by=group)), says(said)) as model:
        talk = Talk(database, model)
        await money(talk, ("午餐", "飲食", 120))
        draft = Draft(
            content="票", type="expense", amount=Decimal(90), currency="TWD", when=date(2026, 10, 5), status="cancelled"
        )
        await talk.memory().record(draft, CallKey("earlier", 1), lambda _: {})
        await talk.says("怎麼分？")

    assert [(bar.what, bar.amount) for bar in shown(talk).bars] == bars
    assert shown(talk).figure == "210 元"


# ── without a model ───────────────────────────────────────────────────────────────────────────────────────────────

ASKED = {
    "zh-TW": ("今天有什麼事？", "這個月花了多少？", "上個月花了多少？"),
    "ja": ("今日の予定は？", "今月の支出は？", "先月の支出は？"),
    "th": ("วันนี้มีอะไรบ้าง", "เดือนนี้ใช้ไปเท่าไหร่", "เดือนที่แล้วใช้ไปเท่าไหร่"),
    "en": ("What's on today?", "How much did I spend this month?", "How much did I spend last month?"),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_without_a_model_lists_and_totals_are_cards_too_and_nothing_is_said_twice(database, language):
    talk = Talk(database, OfflineEngine())
    await agenda(talk)
    await money(talk, *SPENT)
    today, month, _ = ASKED[language]
    await talk.says(today)
    assert shown(talk).beside == ""
    assert [row.what for row in shown(talk).rows] == ["早會", "接小孩", "買牛奶"]
    await talk.says(month)
    card = shown(talk)
    assert "1,360" in card.figure
    assert "1,360" not in card.beside
    assert "890" in card.beside, "the largest one is not on the card"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_a_button_says_is_understood_without_a_model(database, language):
    talk = Talk(database, OfflineEngine())
    await agenda(talk)
    words = card_words(language)
    asked = [words.tomorrow[1], words.today[1], words.last_month[1]]
    assert asked[2] == ASKED[language][2]
    for each in asked:
        await talk.says("你好" if language == "zh-TW" else ASKED[language][0])
        (text,) = await talk.taps(Tap.SAY.on(each))
        assert text not in {phrases_of(language).no_answer, phrases_of(language).nothing_saved}
        assert "AI" not in text, text


# ── what comes next ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("record", "label", "initial"),
    [
        (create("買燈泡", "task"), "定時間", "2026-11-30T13:00"),
        (create("繳費", "task", when="2026-12-05"), "改時間", "2026-12-05T09:00"),
        (create("旅行", "event", when="今天"), "改時間", "2026-11-30T13:00"),
    ],
)
async def test_a_new_task_or_event_without_an_hour_offers_a_calendar(database, record, label, initial):
    with ScriptedModel(asks(record), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("記一下")

    assert talk.last[0].buttons == (
        Button(ZH.undo, "undo:01E001"),
        Button(label, "when:1", "picker", initial),
    )


@pytest.mark.parametrize(
    "record",
    [create("回診", "event", when="明天下午三點"), create("午餐", "expense", amount=120), create("密碼", "note")],
)
async def test_what_has_its_hour_or_needs_none_offers_only_the_way_back(database, record):
    with ScriptedModel(asks(record), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("記一下")

    assert [button.label for button in talk.last[0].buttons] == [ZH.undo]


def test_every_label_fits_under_an_answer():
    for language in LANGUAGES:
        words = card_words(language)
        labels = [words.done("#999999999"), words.set_time, words.move_time, words.tomorrow[0], words.today[0]]
        assert all(0 < len(label) <= 20 for label in [*labels, words.last_month[0], words.last_month_of[0]])


# ── days and months ───────────────────────────────────────────────────────────────────────────────────────────────


def scene(language: str) -> Scene:
    now = datetime(2026, 11, 30, 4, tzinfo=UTC).astimezone(ZoneInfo("Asia/Taipei"))
    return Scene(language=language, now=now, pages={})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        ((2026, 11, 1), (2026, 12, 1), "11 月"),
        ((2025, 2, 1), (2025, 3, 1), "2025 年 2 月"),
        ((2026, 11, 30), (2026, 12, 1), "今天 11/30（一）"),
        ((2026, 11, 29), (2026, 11, 30), "昨天 11/29（日）"),
        ((2026, 12, 24), (2026, 12, 25), "12/24（四）"),
        ((2026, 11, 23), (2026, 11, 30), "11/23（一）–11/29（日）"),
    ],
)
def test_the_span_of_a_total_is_named(start, end, said):
    taipei = ZoneInfo("Asia/Taipei")
    span = Span(datetime(*start, tzinfo=taipei), datetime(*end, tzinfo=taipei))
    assert period_text(span, scene("zh-TW")) == said


def test_thai_years_are_of_the_buddhist_era():
    assert month_text(date(2025, 1, 1), scene("th")) == "มกราคม 2568"


async def test_records_are_found_in_a_text_by_number_or_by_their_words(database):
    talk = Talk(database)
    await remember(talk, "買牛奶", "蛋", "報告")
    records = await talk.records()
    found = [Found_of(records)]
    assert [each.ref for each in named_in("報告 #3 與 #1", found)] == [3, 1]
    assert [each.ref for each in named_in("去買牛奶、寫報告", found)] == [1, 3]
    assert named_in("#11 #33 蛋", found) == []


def Found_of(records):  # noqa: N802 - reads as what it makes
    from bot.cards import Found
    from tools.record import Answer, RecordQuery

    return Found(RecordQuery(), Answer(tuple(records), len(records)))


# ── a crash in between ────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_card_that_was_ready_is_sent_by_whoever_goes_on(database):
    calls = [create(what, "task") for what in ("甲事", "乙事", "丙事")]
    with ScriptedModel(asks(*calls), says("好")) as model:
        talk = Talk(database, model)
        lane = await talk.hears("三件")
        turn = await talk.takes(lane)
        answered = await talk.use_case._answered(turn, await talk.use_case._person(turn), ZH)
        await talk.inbox.answered(answered, answered.answer or ())
        again = await Talk(database).inbox.take(lane) or replace(turn, answer=None)

    assert again.answer == answered.answer
    assert again.answer
    assert again.answer[0].card is not None
    assert again.chat == ANNA
