"""What is asked for by a word is answered by code: at once, without a model, once."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.engines.offline.engine import OfflineEngine
from bot.model_ports import ModelUnavailable
from bot.ports import TurnId
from bot.voice.attachment_words import attachment_words
from bot.voice.card_words import card_words
from bot.voice.command_words import command_words
from bot.voice.commands import command_of
from bot.voice.farewell_words import farewell_words
from bot.voice.language import LANGUAGES, Fixed
from bot.voice.phrases import phrases_of
from bot.voice.stickers import word_of_sticker
from tests.eager import Eager
from tests.fakes import ANNA, BEN, MemoryAllowance, ScriptedModel, asks, says
from tests.talk import FAMILY, ZH, Talk, call, create, remember
from tools.record import CallKey, Draft, PersonId

WORDS = command_words("zh-TW")
TAIPEI = ZoneInfo("Asia/Taipei")
DOWN = ModelUnavailable("no route")


def at(hour: int, minute: int = 0, day: int = 30) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=TAIPEI)


async def a_day(talk: Talk) -> None:
    """What somebody has before them on Monday, November 30."""
    drafts = [
        Draft(content="早會", type="event", when=at(9, 30)),
        Draft(content="接小孩", type="event", when=at(18)),
        Draft(content="繳房租", type="task", when=date(2026, 11, 30)),
        Draft(content="買牛奶", type="task"),
        Draft(content="昨天的會", type="event", when=at(9, day=29)),
        Draft(content="午餐", type="expense", when=at(12), amount=None),
    ]
    for number, draft in enumerate(drafts, start=1):
        await talk.memory().record(draft, CallKey("before", number), lambda _: {})


# ── what is on ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_today_tells_times_first_then_the_day_then_what_has_no_time(database):
    talk = Talk(database)
    await a_day(talk)
    (text,) = await talk.says("今天")
    assert text == "今天 3 件：09:30 早會 #1、18:00 接小孩 #2、繳房租 #3。沒定時間：買牛奶 #4。"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("今天", "今天沒有安排。"),
        ("今日の予定", "今日の予定はありません。"),
        ("วันนี้", "วันนี้ไม่มีนัด"),
        ("today", "Nothing planned today."),
        ("清單", "沒有還沒做的事。"),
        ("リスト", "残っているやることはありません。"),
        ("รายการ", "ไม่มีงานค้าง"),
        ("list", "Nothing left to do."),
    ],
)
async def test_an_empty_day_is_told_in_ones_own_language(database, said, text):
    assert await Talk(database).says(said) == [text]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("今天", "今天沒有安排。沒定時間：牛奶 #1。"),
        ("今日の予定", "今日の予定はありません。時間なし：牛奶 #1。"),
        ("วันนี้", "วันนี้ไม่มีนัด\nไม่ระบุเวลา: 牛奶 #1"),
        ("today", "Nothing planned today. No time set: 牛奶 #1."),
    ],
)
async def test_an_empty_day_and_what_has_no_time_are_two_sentences(database, said, text):
    talk = Talk(database)
    await talk.memory().record(Draft(content="牛奶", type="task"), CallKey("before", 1), lambda _: {})
    assert await talk.says(said) == [text]


async def test_the_list_holds_what_is_still_to_be_done_and_no_event_of_yesterday(database):
    talk = Talk(database)
    await a_day(talk)
    await talk.says("完成 3")
    (text,) = await talk.says("清單")
    assert text == "還沒做的 3 件：11/30（一）09:30 早會 #1、11/30（一）18:00 接小孩 #2、買牛奶 #4。"


async def test_a_long_list_tells_how_many_more_there_are(database):
    talk = Talk(database)
    await remember(talk, *(f"事情{number}" for number in range(25)))
    (text,) = await talk.says("list")
    assert text.startswith("25 left to do: ")
    assert text.endswith("事情9 #10, 15 more.")
    card = talk.last[0].card
    assert card
    assert (card.title, len(card.rows), card.notes) == ("25 left to do", 20, ("5 more",))


@pytest.mark.parametrize(
    ("said", "title", "aside", "rows", "steps"),
    [
        (
            "今天",
            "今天 11/30（一）",
            "4 筆",
            [("09:30", "早會"), ("18:00", "接小孩"), ("沒定時間", "繳房租"), ("沒定時間", "買牛奶")],
            ["完成 #1", "明天呢？"],
        ),
        (
            "清單",
            "還沒做的 4 件",
            "",
            [("11/30（一）", "繳房租"), ("11/30（一）09:30", "早會"), ("11/30（一）18:00", "接小孩"), ("", "買牛奶")],
            ["完成 #3"],
        ),
    ],
)
async def test_three_or_more_are_a_card_with_the_next_steps_under_it(database, said, title, aside, rows, steps):
    talk = Talk(database)
    await a_day(talk)
    await talk.says(said)

    card = talk.last[0].card
    assert card
    assert (card.title, card.aside, card.beside) == (title, aside, "")
    assert [(row.when, row.what) for row in card.rows] == rows
    assert [button.label for button in talk.last[0].buttons] == steps


async def test_fewer_than_three_are_said_in_words(database):
    talk = Talk(database)
    await remember(talk, "買牛奶", "買蛋")
    for said in ("今天", "清單"):
        await talk.says(said)
        assert talk.last[0].card is None


async def test_what_the_card_of_a_day_does_not_show_stands_beside_it(database):
    talk = Talk(database)
    await remember(talk, "買牛奶", "買蛋", "買米")
    await talk.says("早安")

    card = talk.last[0].card
    assert card
    assert (card.title, card.beside) == ("待辦", "早安。\n今天沒有安排。")


async def test_no_address_that_others_wrote_is_live_in_a_list_or_on_its_card(database):
    talk = Talk(database)
    await remember(talk, "看 evil.example/x", "買蛋", "買米", origin="others")
    (text,) = await talk.says("清單")

    card = talk.last[0].card
    assert card
    assert "evil[.]example/x" in text
    assert card.rows[0].what == "看 evil[.]example/x"


async def test_what_is_begun_is_to_be_done_and_what_is_cancelled_is_not(database):
    talk = Talk(database)
    await remember(talk, "寫報告", status="doing")
    await talk.memory().record(Draft(content="取消的", type="task", status="cancelled"), CallKey("c", 1), lambda _: {})
    assert await talk.says("清單") == ["還沒做的 1 件：寫報告 #1。"]


async def test_everyone_sees_their_own(database):
    talk = Talk(database)
    await a_day(talk)
    assert await talk.says("今天", by=BEN) == ["今天沒有安排。"]


# ── done, undo ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_number_is_done_with_a_receipt_and_a_button_that_takes_it_back(database):
    talk = Talk(database)
    await remember(talk, "買牛奶", "倒垃圾")
    (text,) = await talk.says("完成 1")
    assert text.startswith("完成：買牛奶")
    assert (await talk.memory().get(1)).status == "done"

    (undone,) = await talk.taps_on(ZH.undo)
    assert "買牛奶" in undone
    assert (await talk.memory().get(1)).status == "open"


async def test_several_numbers_are_done_and_each_that_cannot_be_is_named(database):
    talk = Talk(database)
    await remember(talk, "買牛奶", "倒垃圾")
    await talk.says("完成 2")
    (text,) = await talk.says("完成 1、2、7")
    assert "買牛奶" in text
    assert WORDS.done_before("#2") in text
    assert WORDS.no_such("#7") in text


async def test_of_several_numbers_those_of_money_and_notes_are_left_as_they_are(database):
    talk = Talk(database)
    await a_day(talk)
    (text,) = await talk.says("完成 4、6")
    assert text.splitlines() == ["完成：買牛奶。今天還剩 3 件。", card_words("zh-TW").never_done("#6")]
    assert (await talk.memory().get(6)).status == "open"


async def test_another_persons_number_is_answered_like_one_that_is_not_there(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    assert await talk.says("完成 1", by=BEN) == [WORDS.no_such("#1")]
    assert (await talk.memory().get(1)).status == "open"


async def test_a_slash_without_a_number_asks_for_one(database):
    assert await Talk(database).says("/完成") == [WORDS.done_which]


async def test_a_turn_that_died_behind_its_change_tells_the_same_again_and_changes_nothing_twice(database):
    talk = Talk(database)
    await remember(talk, "買牛奶", "倒垃圾", "洗碗")
    lane = await talk.hears("完成 1\n復原\n完成 2")
    turn = await talk.takes(lane)
    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
    first = await talk.answering.answer(turn, caller, turn.last.text)
    again = await talk.answering.answer(turn, caller, turn.last.text)
    assert again == first
    assert [each.status for each in await talk.records()] == ["open", "done", "open"]
    assert [each.kind for each in await talk.memory().changes(turn.id)] == ["undo", "update", "update"]


async def test_undo_takes_back_words_that_wait_for_the_model_first(database):
    model = Eager()
    talk = Talk(database, model, fallback=OfflineEngine())
    model.is_away = True
    await talk.says("幫我跟老闆約個時間")
    (text,) = await talk.says("/復原")
    assert "幫我跟老闆約個時間" in text


# ── without a model ───────────────────────────────────────────────────────────────────────────────────────────────

AT_ONCE = ["說明", "今天", "清單", "完成 1", "復原", "語言", "時區", "幣別", "額度", "我的資料", "匯出", "忘記我"]
AT_ONCE += ["謝謝", "你好", "早安", "晚安", "好"]


@pytest.mark.parametrize("words", AT_ONCE)
async def test_every_word_is_answered_while_the_model_is_away_and_nothing_is_kept(database, words):
    talk = Talk(database, Eager(), fallback=OfflineEngine())
    talk.secretary.llm._model.is_away = True
    (text,) = await talk.says(words)
    assert text not in {"", ZH.model_down, ZH.failed, ZH.no_answer}
    assert await talk.postponed.of_chat(ANNA, PersonId(ANNA), "nobody's") == []


async def test_commands_are_answered_when_the_days_allowance_is_spent_and_while_words_wait(database):
    model = Eager()
    talk = Talk(database, model, fallback=OfflineEngine(), allowance=MemoryAllowance(calls=1))
    model.is_away = True
    await talk.says("幫我跟老闆約個時間")
    assert await talk.says("謝謝") == [WORDS.thanks]
    assert await talk.says("額度") == [WORDS.ai_left(0)]


@pytest.mark.parametrize(
    ("said", "language", "name"),
    [
        ("謝謝", "zh-TW", "thanks"),
        ("ありがとうございます", "ja", "thanks"),
        ("ขอบคุณค่ะ", "th", "thanks"),
        ("thanks!", "en", "thanks"),
        ("你好", "zh-TW", "hello"),
        ("こんにちは", "ja", "hello"),
        ("สวัสดี", "th", "hello"),
        ("hi", "en", "hello"),
        ("晚安", "zh-TW", "night"),
        ("おやすみ", "ja", "night"),
    ],
)
async def test_a_pleasantry_is_returned_in_ones_own_language(database, said, language, name):
    assert await Talk(database).says(said) == [getattr(command_words(language), name)]


async def test_good_morning_comes_with_the_day(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    assert await talk.says("早安") == ["早安。\n今天沒有安排。沒定時間：買牛奶 #1。"]


async def test_help_has_buttons_that_work(database):
    talk = Talk(database)
    assert await talk.says("/help") == [ZH.help]
    assert await talk.taps_on(WORDS.today) == ["今天沒有安排。"]


# ── words that may be an answer ───────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def no_model_and_one_that_is_down(database):
    """Two conversations of somebody who has something to do; so has the group."""
    model = Eager()
    model.is_away = True
    one = Talk(database, OfflineEngine())
    two = Talk(database, model, fallback=OfflineEngine(), certain=OfflineEngine().certain)
    two._heard = 1000
    await one.enables()
    draft = Draft(content="買牛奶", type="task", when=date(2026, 11, 30))
    await one.memory(FAMILY).record(draft, CallKey("before", 9), lambda _: {})
    await one.memory().record(draft, CallKey("before", 8), lambda _: {})
    yield one, two


@pytest.mark.parametrize(("question", "answer"), [("哪一天？", "今天"), ("要記下來嗎", "好"), ("要提醒嗎？", "不用")])
async def test_behind_a_question_of_the_models_a_word_is_its_answer(database, question, answer):
    with ScriptedModel(says(question), says("知道了。")) as model:
        talk = Talk(database, model)
        await talk.says("跟老王約吃飯")
        assert await talk.says(answer) == ["知道了。"]


@pytest.mark.parametrize("greeting", ["嗨", "hi", "こんにちは", "สวัสดี"])
async def test_behind_a_greeting_of_the_bots_own_a_word_is_a_command(database, greeting):
    async with no_model_and_one_that_is_down(database) as talks:
        for talk in talks:
            for say in (talk.says, talk.says_in_the_group):
                await say(greeting)
                for words in ("清單", "今天"):
                    assert "買牛奶" in "".join(await say(words)), (words, say)


@pytest.mark.parametrize(
    "lost", ["咕嚕咕嚕呱呱啦啦", "ぐるぐるぐるぐるぐるぐる", "กุรุกุรุกุรุกุรุกุรุ", "blorp the frobnicator please dear"]
)
async def test_behind_a_sentence_that_was_not_understood_a_word_is_a_command(database, lost):
    async with no_model_and_one_that_is_down(database) as talks:
        for talk in talks:
            for say in (talk.says, talk.says_in_the_group):
                await say(lost)
                for words in ("今天", "清單"):
                    assert "買牛奶" in "".join(await say(words)), (words, say)


async def test_where_the_model_that_asked_is_away_or_spent_the_word_is_answered_at_once(database):
    allowance = MemoryAllowance()
    with ScriptedModel(says("哪一天？"), DOWN) as model:
        talk = Talk(database, model, fallback=OfflineEngine(), certain=OfflineEngine().certain, allowance=allowance)
        await talk.says("跟老王約吃飯")
        assert await talk.says("今天") == ["今天沒有安排。"]
        assert await talk.postponed.of_chat(ANNA, PersonId(ANNA), TurnId("none")) == []


async def test_an_offer_to_take_something_back_is_no_question_that_a_word_answers(database):
    with ScriptedModel(asks(create("買牛奶", "task")), says("好"), says("天氣不錯。")) as model:
        talk = Talk(database, model)
        await talk.says("買牛奶", message_id="milk")
        await talk.hears(kind="unsend", message_id="milk", reply_token=None, answerable=False)
        assert len(await talk.says("天氣好嗎")) == 2
        assert "買牛奶" in "".join(await talk.says("清單"))


async def test_behind_a_statement_it_is_a_command_and_with_a_slash_always(database):
    with ScriptedModel(says("記得了。"), says("哪一天？")) as model:
        talk = Talk(database, model)
        await talk.says("跟老王約吃飯")
        assert await talk.says("好") == [WORDS.fine]
        await talk.says("跟老王約吃飯")
        assert await talk.says("/今天") == ["今天沒有安排。"]


async def test_a_word_that_the_model_had_begun_with_is_the_models_whatever_was_said_since(database):
    with ScriptedModel(says("知道了。")) as model:
        talk = Talk(database, model)
        turn = await talk.takes(await talk.hears("今天"))
        caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
        begun = {"role": "user", "content": "[2026-11-30T12:00+0800 Mon Asia/Taipei zh-TW TWD]\n今天"}
        await talk.transcript.append(turn.id, turn.chat, 0, [begun])
        (bubble,) = await talk.answering.answer(replace(turn, resumed=True), caller, "今天")
    assert bubble.text == "知道了。"


def deleting() -> ScriptedModel:
    return ScriptedModel(asks(call("delete_record", refs=[1, 2])), says("好"))


@pytest.mark.parametrize("yes", ["好", "yes", "はい", "ได้", "OK👌"])
async def test_a_yes_right_behind_a_question_is_the_tap(database, yes):
    with deleting() as model:
        talk = Talk(database, model)
        await remember(talk, "買牛奶", "倒垃圾")
        await talk.says("刪掉 1、2")
        await talk.says(yes)
    assert await talk.records() == []


async def test_a_no_leaves_it_as_it_is(database):
    with deleting() as model:
        talk = Talk(database, model)
        await remember(talk, "買牛奶", "倒垃圾")
        await talk.says("刪掉 1、2")
        assert await talk.says("不要") == [ZH.kept]
    assert len(await talk.records()) == 2


async def test_a_yes_that_was_said_before_the_question_came_or_after_something_else_deletes_nothing(database):
    with deleting() as model:
        talk = Talk(database, model)
        await remember(talk, "買牛奶", "倒垃圾")
        await talk.says("刪掉 1、2")
        early = talk.clock() - timedelta(seconds=30)
        await talk.says("好", received_at=early)
        await talk.says("額度")
        assert await talk.says("好") == [WORDS.fine]
    assert len(await talk.records()) == 2


async def test_a_yes_after_ten_minutes_is_too_late(database):
    with deleting() as model:
        talk = Talk(database, model)
        await remember(talk, "買牛奶", "倒垃圾")
        await talk.says("刪掉 1、2")
        talk.clock.move(minutes=11)
        assert await talk.says("好") == [ZH.confirm_expired]


# ── stickers ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("keywords", "word"),
    [
        ("OK, okay, yes, thumbs up", "ok"),
        ("OK, Approve, happy", "ok"),
        ("Thank you, thanks, bow", "thanks"),
        ("Thanks, OK", "thanks"),
        ("Good night, sleep, zzz", "good night"),
        ("hi, whatsup, howdy, HEY, Hello!", "hello"),
        ("おはよう", "good morning"),
        ("OK, no, hmm", ""),
        ("yes, never", ""),
        ("OK, bye", "good night"),
        ("cony, staring, peeking", ""),
        ("notok", ""),
        ("", ""),
    ],
)
def test_a_sticker_says_a_word_only_plainly(keywords, word):
    assert word_of_sticker(keywords) == word


async def test_a_sticker_that_says_thanks_is_thanked_for_without_a_model(database):
    assert await Talk(database).says("Thank you, bow", kind="sticker") == [WORDS.thanks]


async def test_a_sticker_that_says_nothing_plain_gets_the_friendly_sentence(database):
    assert await Talk(database).says("cony, peek", kind="sticker") == [ZH.not_supported["sticker"]]


async def test_a_sticker_that_says_ok_right_behind_a_question_is_the_tap(database):
    with deleting() as model:
        talk = Talk(database, model)
        await remember(talk, "買牛奶", "倒垃圾")
        await talk.says("刪掉 1、2")
        await talk.says("ok, yes, happy", kind="sticker")
    assert await talk.records() == []


async def test_a_sticker_that_may_mean_no_deletes_nothing_and_neither_does_what_comes_behind_it(database):
    with deleting() as model:
        talk = Talk(database, model)
        await remember(talk, "買牛奶", "倒垃圾")
        await talk.says("刪掉 1、2")
        assert await talk.says("OK, no", kind="sticker") == [ZH.not_supported["sticker"]]
        assert await talk.says("ok, yes", kind="sticker") == [WORDS.fine]
    assert len(await talk.records()) == 2


async def test_what_is_written_on_a_sticker_is_words(database):
    with ScriptedModel(asks(create("開會", "event")), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("明天開會, meeting", kind="sticker", params={"typed": "明天開會"})
    assert model.requests[0].messages[-1]["content"].endswith("\n明天開會")


async def test_a_sticker_beside_words_needs_no_remark(database):
    talk = Talk(database)
    await talk.hears("cony", kind="sticker")
    assert await talk.says("謝謝") == [WORDS.thanks]


async def test_a_picture_beside_a_sticker_is_still_told_of(database):
    talk = Talk(database)
    await talk.hears("Thanks", kind="sticker")
    assert await talk.says(kind="image") == [ZH.not_supported["sticker"], attachment_words("zh-TW").failures["unknown"]]


# ── how one is spoken to ──────────────────────────────────────────────────────────────────────────────────────────


async def test_a_language_that_was_said_stays_whatever_is_written_until_it_is_automatic_again(database):
    talk = Talk(database)
    assert await talk.says("語言 日本語") == [command_words("ja").language_set("日本語")]
    assert await talk.says("謝謝") == [command_words("ja").thanks]
    assert await talk.says("thanks") == [command_words("ja").thanks]
    assert await talk.says("language") == [command_words("ja").language_is("日本語")]
    assert await talk.says("言語 自動") == [command_words("ja").language_auto]
    assert await talk.says("thanks") == [command_words("en").thanks]
    assert await talk.says("language") == [command_words("en").language_follows("English")]


async def test_a_language_we_do_not_speak_is_no_language(database):
    assert await Talk(database).says("/語言 klingon") == [WORDS.language_unknown]


async def test_a_zone_that_was_said_stays_and_what_was_noted_keeps_its_moment(database):
    talk = Talk(database)
    await talk.memory().record(Draft(content="早會", type="event", when=at(14, 30)), CallKey("b", 1), lambda _: {})
    (text,) = await talk.says("時區 東京")
    assert text == WORDS.zone_set("Asia/Tokyo", "11/30（一）13:00")
    assert (await talk.memory().get(1)).when == at(14, 30).astimezone(UTC)
    assert "15:30 早會" in (await talk.says("今天"))[0]
    assert await talk.says("時區") == [WORDS.zone_is("Asia/Tokyo", "11/30（一）13:00")]


async def test_places_nobody_knows_and_countries_with_many_times_are_asked_back(database):
    talk = Talk(database)
    assert await talk.says("/時區 月球") == [WORDS.zone_unknown]
    assert await talk.says("時區 月球") == [WORDS.zone_unknown]
    assert await talk.says("zone Atlantis") == [command_words("en").zone_unknown]
    assert await talk.says("時區 美國") == [WORDS.zone_several]
    assert (await talk.people.find(PersonId(ANNA))).zone.key == "Asia/Taipei"


async def test_a_currency_that_was_said_stays(database):
    talk = Talk(database)
    assert await talk.says("幣別") == [WORDS.currency_is("TWD")]
    assert await talk.says("幣別 日幣") == [WORDS.currency_set("JPY")]
    assert await talk.says("/幣別 貝殼") == [WORDS.currency_unknown]
    assert (await talk.people.find(PersonId(ANNA))).currency == "JPY"


async def test_what_the_operator_fixed_wins_and_is_told(database):
    fixed = Fixed(language="zh-TW", zone=ZoneInfo("Asia/Tokyo"), currency="EUR")
    talk = Talk(database, fixed=fixed)
    assert await talk.says("語言 日本語") == [WORDS.fixed("中文")]
    assert await talk.says("時區 台北") == [WORDS.fixed("Asia/Tokyo")]
    assert await talk.says("幣別 日幣") == [WORDS.fixed("EUR")]


async def test_several_commands_in_one_turn_each_know_what_the_one_before_has_set(database):
    talk = Talk(database)
    assert await talk.says("語言 English\n/thanks") == [
        command_words("en").language_set("English"),
        command_words("en").thanks,
    ]


async def test_me_tells_who_i_am_and_what_is_kept(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    (text,) = await talk.says("我的資料")
    assert text == f"{WORDS.me('主人', '中文', 'Asia/Taipei', 'TWD')}\n{WORDS.kept(1, 30)}"


async def test_without_a_model_there_is_no_quota_and_with_pushes_they_are_told(database):
    talk = Talk(database)
    assert await talk.says("額度") == [WORDS.no_ai]

    async def left() -> int:
        return 180

    object.__setattr__(talk.commands, "pushes_left", left)
    assert await talk.says("額度") == [f"{WORDS.no_ai}\n{WORDS.pushes_left(180)}"]


# ── where others read along ───────────────────────────────────────────────────────────────────────────────────────


async def a_group(database) -> Talk:
    """Anna has something to do, and so has her group."""
    talk = Talk(database)
    await remember(talk, "看醫生")
    await talk.enables()
    await talk.memory(FAMILY).record(Draft(content="買牛奶", type="task"), CallKey("before", 9), lambda _: {})
    return talk


async def test_in_a_group_no_word_shows_or_changes_anybodys_own_records(database):
    talk = await a_group(database)
    for words in ("今天", "清單"):
        (text,) = await talk.says_in_the_group(words)
        assert "買牛奶" in text
        assert "看醫生" not in text
    await talk.says_in_the_group("完成 1")
    assert [each.status for each in await talk.records(FAMILY)] == ["done"]
    await talk.says_in_the_group("復原")
    assert [each.status for each in await talk.records(FAMILY)] == ["open"]
    assert [each.status for each in await talk.records()] == ["open"]
    assert await talk.says_in_the_group("早安") == [WORDS.morning]


@pytest.mark.parametrize(
    "words", ["忘記我", "匯出", "語言 English", "時區 東京", "幣別 日幣", "我的資料", "額度", "/forget"]
)
async def test_what_is_ones_own_is_left_to_ones_own_chat(database, words):
    talk = await a_group(database)
    before = await talk.people.find(PersonId(ANNA))
    assert await talk.says_in_the_group(words) == [WORDS.elsewhere]
    assert not talk.last[0].buttons
    assert await talk.people.find(PersonId(ANNA)) == before
    assert await talk.people.find(PersonId(FAMILY)) is None


async def test_a_guest_changes_nothing_in_a_group_either_and_is_told_so_without_a_model(database):
    talk = await a_group(database)
    await talk.members.invite(TurnId("invite"), "guest", "ABCD-EFGH-JKMN", talk.clock.now + timedelta(days=1))
    assert await talk.members.join(PersonId(BEN), "ABCD-EFGH-JKMN", "小本") == "guest"
    for words in ("完成 1", "復原", "/undo"):
        assert await talk.says_in_the_group(words, by=BEN) == [ZH.only_looks]
        assert await talk.says(words, by=BEN) == [ZH.only_looks]
    assert [each.status for each in await talk.records(FAMILY)] == ["open"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_there_in_every_language_and_labels_fit_a_button(language):
    for catalogue in (command_words(language), farewell_words(language)):
        said = [getattr(catalogue, name) for name in catalogue.__dataclass_fields__]
        assert all(each.strip() for each in said if isinstance(each, str))
    parting = farewell_words(language)
    labels = [parting.forget, parting.stay, command_words(language).today, command_words(language).list]
    assert all(len(label) <= 20 for label in labels)
    assert command_of(command_words(language).today).name == "today"
    assert command_of(command_words(language).list).name == "list"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_that_help_names_works(language):
    line = phrases_of(language).help.splitlines()[-1].partition("：" if language in {"zh-TW", "ja"} else ":")[2]
    words = [each.strip() for each in line.replace("、", ",").split(",")]
    assert len(words) == 10
    assert [each for each in words if command_of(each) is None] == []
