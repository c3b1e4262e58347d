"""Taking back, and what became of a record: by words and by button, in four languages, in the real core."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.voice.command_words import command_words
from bot.voice.commands import Command, command_of
from bot.voice.history_words import history_words
from bot.voice.household_words import household_words
from bot.voice.phrases import phrases_of
from tests.fakes import ANNA, BEN, ScriptedCompany, ScriptedModel, asks, says
from tests.talk import FAMILY, ZH, Talk, call, create, remember
from tools.record import CallKey, Draft, PersonId

WORDS = history_words("zh-TW")


UNDO = (
    "復原 #12|復原12|/復原 12|#12 復原|撤銷 12|复原 12|undo #12|undo 12|UNDO １２|元に戻す 12"
    "|12を元に戻す|เลิกทำ #12|#12 เลิกทำ"
)
HISTORY = (
    "#12 的紀錄|12的變更紀錄|紀錄 12|#12 的记录|历史 12|history 12|history of #12"
    "|#12's history|change history 12|#12の履歴|12の変更履歴|履歴 12|ประวัติ 12"
    "|ประวัติของ #12|/history 12"
)
NOT_ONE = (
    "復原 #12 的時間|undo the dishes|2026 history|history of Rome|12 月的紀錄|歷史 報告"
    "|買 12 元的歷史|履歴書 12|重做 12 題|ประวัติศาสตร์ 12|changes at 12"
    "|history exam 12pm"
)


def none(text: str) -> bool:
    """Whether it is no command about a record by number."""
    command = command_of(text)
    return command is None or not command.refs


# ── the words ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", UNDO.split("|"))
def test_an_undo_names_a_record_in_four_languages(text):
    assert command_of(text) == Command("undo", refs=(12,), slashed=text.startswith("/"))


@pytest.mark.parametrize("text", HISTORY.split("|"))
def test_the_history_of_a_record_is_asked_for_in_four_languages(text):
    assert command_of(text) == Command("history", refs=(12,), slashed=text.startswith("/"))


@pytest.mark.parametrize("text", ["redo", "取消復原", "取消复原", "やり直す", "ยกเลิกการย้อน", "/redo"])
def test_an_undo_is_taken_back_by_a_word(text):
    assert command_of(text) == Command("redo", slashed=text.startswith("/"))


@pytest.mark.parametrize("text", NOT_ONE.split("|"))
def test_what_only_looks_like_one_is_none(text):
    assert none(text)


# ── one that is named ─────────────────────────────────────────────────────────────────────────────────────────────


async def moved(talk: Talk, ref: int, turn: str, **fields: object) -> None:
    await talk.memory().revise(ref, fields, CallKey(turn, 1), lambda _: {})


async def test_what_was_last_done_to_a_named_record_is_taken_back_whatever_was_done_since_to_others(database):
    talk = Talk(database)
    await remember(talk, "買牛奶", "倒垃圾")
    await talk.says("完成 1")
    await talk.says("完成 2")

    (text,) = await talk.says("復原 #1")

    assert text == "改回來了：還沒做 買牛奶 #1。"
    assert [each.status for each in await talk.records()] == ["open", "done"]
    assert await talk.says("復原 1") == ["收回了：買牛奶 #1。"], "next its making"


async def test_a_deleted_record_is_named_too_and_comes_back(database):
    talk = Talk(database)
    await remember(talk, "買牛奶", "倒垃圾")
    await talk.memory().remove([1], CallKey("gone", 1), lambda _: {})
    await talk.says("完成 2")
    assert await talk.says("復原 #1") == ["救回來了：買牛奶 #1。"]


@pytest.mark.parametrize(
    ("language", "words"), [("zh-TW", "復原"), ("ja", "元に戻す"), ("th", "เลิกทำ"), ("en", "undo")]
)
async def test_what_cannot_be_taken_back_any_more_is_said(database, language, words):
    talk = Talk(database)
    await remember(talk, "牛奶")
    assert await talk.says(f"{words} 7") == [command_words(language).no_such("#7")]
    talk.clock.move(days=31)
    assert await talk.says(f"{words} 1") == [history_words(language).nothing_of("#1")]
    assert len(await talk.records()) == 1


async def test_another_persons_record_is_neither_taken_back_nor_told_of(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    assert await talk.says("復原 #1", by=BEN) == [command_words("zh-TW").no_such("#1")]
    assert await talk.says("#1 的紀錄", by=BEN) == [command_words("zh-TW").no_such("#1")]
    assert len(await talk.records()) == 1


async def test_several_are_named_at_once_and_each_that_cannot_be_is_told(database):
    talk = Talk(database)
    await remember(talk, "買牛奶", "倒垃圾")
    (text,) = await talk.says("復原 1、2、9")
    assert text.splitlines() == ["收回了：買牛奶 #1、倒垃圾 #2。", command_words("zh-TW").no_such("#9")]
    assert await talk.records() == []


async def test_a_turn_that_died_behind_a_named_undo_tells_the_same_and_undoes_nothing_more(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    await talk.says("完成 1")
    turn = await talk.takes(await talk.hears("復原 #1"))
    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
    first = await talk.answering.answer(turn, caller, turn.last.text)
    assert await talk.answering.answer(turn, caller, turn.last.text) == first
    assert [each.status for each in await talk.records()] == ["open"]


async def test_two_who_take_back_the_same_at_once_take_it_back_once(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    await moved(talk, 1, "t", status="done")
    done = (await talk.memory().history(1))[-1].id
    undone = await asyncio.gather(
        *(talk.memory().undo(CallKey(f"u{n}", 1), done) for n in range(2)), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in undone) == ["Change", "NothingToUndo"]


# ── a button that is pressed late ─────────────────────────────────────────────────────────────────────────────────


def moving() -> ScriptedModel:
    first, second = (asks(call("update_record", ref=1, when=f"2026-12-01T{hour}:00")) for hour in (16, 17))
    return ScriptedModel(first, says("好"), second, says("好"))


async def test_a_button_does_not_throw_away_what_was_said_since_of_the_same_thing(database):
    with moving() as model:
        talk = Talk(database, model)
        await remember(talk, "回診", type="event")
        await talk.says("改到四點")
        old = talk.button(ZH.undo).data
        await talk.says("改到五點")

        assert await talk.taps(old) == [WORDS.changed_since("#1")]
        (record,) = await talk.records()
        assert record.when.astimezone(talk.clock().astimezone().tzinfo) == record.when
        assert f"{record.when:%H:%M}" == "09:00", "five in the afternoon in Taipei"

        await talk.taps_on(ZH.undo)
        assert await talk.taps(old) != [WORDS.changed_since("#1")], "as it was then, it can be taken back"
        assert (await talk.records())[0].when is None


async def test_what_was_said_since_of_something_else_stays(database):
    steps = asks(call("update_record", ref=1, when="2026-12-01T16:00")), says("好")
    with ScriptedModel(*steps) as model:
        talk = Talk(database, model)
        await remember(talk, "回診", type="event")
        await talk.says("改到四點")
        await moved(talk, 1, "later", content="跟陳醫師回診")
        await talk.taps_on(ZH.undo)
    (record,) = await talk.records()
    assert (record.when, record.content) == (None, "跟陳醫師回診")


async def test_a_remark_is_taken_back_and_a_later_one_stays(database):
    steps = [asks(call("update_record", ref=1, add_note=note)) for note in ("問過店家", "星期三到貨")]
    with ScriptedModel(steps[0], says("好"), steps[1], says("好")) as model:
        talk = Talk(database, model)
        await remember(talk, "買相機")
        await talk.says("加註：問過店家")
        first = talk.button(ZH.undo).data
        await talk.says("加註：星期三到貨")
        await talk.taps(first)
    assert [note.text for note in (await talk.records())[0].notes] == ["星期三到貨"]


# ── an undo is taken back ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("by_word", [False, True])
async def test_an_undo_is_taken_back_and_that_too(database, by_word):
    with ScriptedModel(asks(create("牛奶", "task"), create("蛋", "task")), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("買牛奶跟蛋")
        await talk.taps_on(ZH.undo)
        assert await talk.records() == []

        if by_word:
            assert await talk.says("取消復原") == ["救回來了：牛奶 #1。"], "the last undo"
            assert await talk.says("/取消復原") == ["救回來了：蛋 #2。"]
        else:
            assert await talk.taps_on(WORDS.redo) == ["救回來了：牛奶 #1、蛋 #2。"]
            await talk.taps_on(WORDS.redo)
            assert await talk.records() == [], "and the taking back of that"
            await talk.taps_on(WORDS.redo)
    assert [each.content for each in await talk.records()] == ["牛奶", "蛋"]
    await talk.says("復原")
    assert [each.content for each in await talk.records()] == ["牛奶"], "what was done again is what was done last"


async def test_the_undo_of_a_deletion_is_taken_back_and_the_record_is_gone_again(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    await talk.memory().remove([1], CallKey("gone", 1), lambda _: {})
    await talk.says("復原")
    assert await talk.taps_on(WORDS.redo) == ["收回了：買牛奶 #1。"]
    assert await talk.records() == []
    assert await talk.says("復原") == ["救回來了：買牛奶 #1。"]


async def test_an_undo_is_not_taken_back_over_what_was_said_since_nor_twice_nor_after_thirty_days(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    await talk.says("完成 1")
    await talk.says("復原")
    await moved(talk, 1, "since", status="doing")
    assert await talk.taps_on(WORDS.redo) == [WORDS.changed_since("#1")]
    await talk.says("復原")
    await talk.taps(talk.button(WORDS.redo).data)
    talk.clock.move(days=31)
    assert await talk.says("取消復原") == [WORDS.nothing_to_redo]


async def test_with_nothing_undone_there_is_nothing_to_redo(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    for language, words in (("zh-TW", "取消復原"), ("ja", "やり直す"), ("th", "ยกเลิกการย้อน"), ("en", "redo")):
        assert await talk.says(words) == [history_words(language).nothing_to_redo]


async def test_a_guest_takes_nothing_back_but_may_look(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    person = await talk.use_case._person(await talk.takes(await talk.hears("嗨")))
    turn = await talk.takes(await talk.hears("復原 #1"))
    caller = replace(await talk.use_case._caller(person, turn), role="guest")
    for words in ("復原 #1", "redo"):
        (said,) = await talk.answering.answer(turn, caller, words)
        assert said.text == ZH.only_looks
    (told,) = await talk.answering.answer(turn, caller, "#1 的紀錄")
    assert "買牛奶" in told.text


# ── what became of it ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_history_tells_what_was_done_when_and_from_what_to_what(database):
    talk = Talk(database)
    draft = Draft(content="回診", type="event", remind_at=talk.clock.now.replace(hour=9))
    await talk.memory().record(draft, CallKey("made", 1), lambda _: {})
    talk.clock.move(hours=1)
    await moved(talk, 1, "t1", when=talk.clock.now.replace(hour=7, minute=0), content="跟陳醫師回診")
    talk.clock.move(days=1)
    await talk.says("完成 1")
    await talk.says("復原")
    await talk.says("取消復原")
    await talk.memory().remove([1], CallKey("t2", 1), lambda _: {}, proposed=True)
    await talk.memory().remove([1], CallKey("notion:t3", 1), lambda _: {})

    (told,) = await talk.says("#1 的紀錄")

    assert told.splitlines() == [
        "跟陳醫師回診 #1 的紀錄：",
        "・11/30（一）12:00 記下 回診 #1",
        "・11/30（一）13:00 11/30（一）15:00、回診 → 跟陳醫師回診",
        "・12/1（二）13:00 完成",
        "・12/1（二）13:00 復原：還沒做",
        "・12/1（二）13:00 取消復原：完成",
        "・12/1（二）13:00 刪除（Notion）",
    ]


async def test_the_history_does_not_call_an_old_hand_by_name_once_nobody_knows_who_it_was(database):
    talk = Talk(database)
    await talk.enables()
    await remember(talk, "x")
    await talk.memory(FAMILY).record(Draft(content="衛生紙", type="task"), CallKey("t", 1), lambda _: {})
    (told,) = await talk.says_in_the_group("#1 的紀錄")
    assert household_words("zh-TW").nameless in told


async def test_a_long_history_tells_the_newest_and_how_many_there_were_before(database):
    talk = Talk(database)
    await remember(talk, "0")
    for number in range(1, 21):
        await moved(talk, 1, f"t{number}", content=str(number))
    (told,) = await talk.says("history 1")
    lines = told.splitlines()
    assert lines[1] == history_words("en").earlier(6)
    assert lines[-1].endswith("19 → 20")
    assert len(lines) == 17


async def test_the_history_of_a_groups_record_says_who(database):
    talk = Talk(database, company=ScriptedCompany({ANNA: "小安"}))
    await talk.enables()
    draft = Draft(content="衛生紙", type="task", author=PersonId(BEN))
    await talk.memory(FAMILY).record(draft, CallKey("made", 1), lambda _: {})
    await talk.says_in_the_group("完成 1")
    (told,) = await talk.says_in_the_group("#1 的紀錄")
    assert told.splitlines()[-1].endswith("完成（小安）")


async def test_an_address_that_others_wrote_is_no_link_in_the_history(database):
    talk = Talk(database)
    await remember(talk, "看 evil.example.com/x", origin="others")
    (told,) = await talk.says("#1 的紀錄")
    assert "evil.example.com" not in told
    assert "evil" in told


@pytest.mark.parametrize(
    ("language", "words"), [("zh-TW", "/紀錄"), ("ja", "変更履歴"), ("th", "/ประวัติ"), ("en", "/history")]
)
async def test_without_a_number_it_is_asked_whose(database, language, words):
    talk = Talk(database)
    await talk.says(f"語言 {language}")
    assert await talk.says(words) == [history_words(language).which]


@pytest.mark.parametrize("language", ["zh-TW", "ja", "th", "en"])
def test_the_label_fits(language):
    assert len(history_words(language).redo) <= 20
    assert history_words(language).redo != phrases_of(language).undo
