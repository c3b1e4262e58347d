"""What is said twice within minutes is asked about, what lies across is told, and money is always stored."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.engines.offline.engine import OfflineEngine
from bot.voice.neighbours import neighbour_words
from bot.voice.phrases import phrases_of
from tests.eager import Eager
from tests.fakes import ANNA, BEN, ScriptedModel, asks, says
from tests.talk import FAMILY, ZH, Talk, call, create
from tools.likeness import bare, stretch_of
from tools.record import CallKey, Draft, Moment, PersonId, Record
from tools.sql.reminders import SqlReminders

WORDS = neighbour_words("zh-TW")
TAIPEI = ZoneInfo("Asia/Taipei")


def offline(database) -> Talk:
    return Talk(database, OfflineEngine())


# ── the same words ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("買牛奶", "買 牛奶。"),
        ("Buy milk", "buy  ＭＩＬＫ!"),
        ("买牛奶", "買牛奶"),
        ("ｷﾞｭｳﾆｭｳを買う", "ギュウニュウを買う"),
        ("ซื้อนม", "ซื้อ นม"),
        ("call mum", "call, mum…"),
    ],
)
def test_width_case_spaces_and_signs_are_not_heard(one, other):
    assert bare(one) == bare(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("買牛奶", "買豆奶"), ("1.5 公升", "15 公升"), ("3 4 號", "34 號"), ("มี", "มา"), ("看 C", "看 C+")],
)
def test_what_is_another_thing_stays_one(one, other):
    assert bare(one) != bare(other)


# ── said again ────────────────────────────────────────────────────────────────────────────────────────────────────

TWICE = [
    ("zh-TW", "明天買牛奶", "明天 買牛奶。"),
    ("ja", "明日 牛乳を買う", "明日　牛乳を買う。"),
    ("th", "พรุ่งนี้ซื้อนม", "พรุ่งนี้ ซื้อนม"),
    ("en", "buy milk tomorrow", "Buy MILK tomorrow!"),
]


@pytest.mark.parametrize(("language", "first", "again"), TWICE)
async def test_a_task_that_is_said_again_is_not_stored_twice_but_asked_about(database, language, first, again):
    words, talk = neighbour_words(language), offline(database)
    await talk.says(first)
    (record,) = await talk.records()

    (asked,) = await talk.says(again)

    assert "#1" in asked
    assert [button.label for button in talk.last[-1].buttons] == [words.one, words.both]
    assert await talk.records() == [record]

    (told,) = await talk.taps_on(words.both)
    assert "#2" in told
    assert [each.ref for each in await talk.records()] == [1, 2]
    assert await talk.taps_on(words.both) == [phrases_of(language).already_handled], "a second tap"
    assert len(await talk.records()) == 2
    await talk.taps_on(phrases_of(language).undo)
    assert await talk.records() == [record]


@pytest.mark.parametrize("words", [WORDS.one, "不用", "留一個。"])
async def test_one_is_kept_by_words_as_by_a_tap_and_both_can_still_be_wanted_later(database, words):
    talk = offline(database)
    await talk.says("明天買牛奶")
    await talk.says("明天買牛奶")
    both = talk.button(WORDS.both).data
    assert await talk.says(words) == [ZH.kept]
    assert len(await talk.records()) == 1
    talk.clock.move(days=29)
    await talk.taps(both)
    assert len(await talk.records()) == 2


async def test_both_are_wanted_by_word(database):
    talk = offline(database)
    await talk.says("明天買牛奶")
    await talk.says("明天買牛奶")
    await talk.says("兩個都要")
    assert [each.content for each in await talk.records()] == ["買牛奶", "買牛奶"]


async def test_after_thirty_days_the_button_says_that_it_is_too_late(database):
    talk = offline(database)
    await talk.says("買牛奶 12/30")
    await talk.says("買牛奶 12/30")
    talk.clock.move(days=31)
    assert await talk.taps_on(WORDS.both) == [ZH.confirm_expired]
    assert len(await talk.records()) == 1


async def test_nobody_else_can_tap_for_one(database):
    talk = offline(database)
    await talk.says("明天買牛奶")
    await talk.says("明天買牛奶")
    assert await talk.taps_on(WORDS.both, by=BEN) == [ZH.button_too_old]
    assert len(await talk.records()) == 1


async def test_two_taps_at_once_store_one(database):
    talk = offline(database)
    await talk.says("明天買牛奶")
    await talk.says("明天買牛奶")
    (proposal,) = await talk.memory().history(2)
    done = await asyncio.gather(*(talk.memory().confirm([proposal.id], CallKey(f"tap{n}", 1)) for n in range(2)))
    assert sorted(map(len, done)) == [0, 1]
    assert len(await talk.records()) == 2


async def test_what_waits_is_in_no_list_no_history_and_rings_not(database):
    talk = offline(database)
    await talk.says("提醒我十分鐘後喝水")
    await talk.says("提醒我十分鐘後喝水")
    assert WORDS.one in [button.label for button in talk.last[-1].buttons], "ten minutes from now, a second later"
    assert await talk.memory().get(2) is None
    assert "#2" not in "".join(await talk.says("清單"))
    assert "#2" in "".join(await talk.says("#2 的紀錄")), "there is none"
    due = await SqlReminders(database).due(talk.clock.now + timedelta(hours=1))
    assert [each.record.ref for each in due] == [1]
    await talk.taps_on(WORDS.both)
    due = await SqlReminders(database).due(talk.clock.now + timedelta(hours=1))
    assert sorted(each.record.ref for each in due) == [1, 2]


@pytest.mark.parametrize(
    ("first", "again", "minutes"),
    [
        ("明天買牛奶", "後天買牛奶", 1),
        ("明天買牛奶", "明天買牛奶", 11),
        ("買牛奶 明天下午三點", "買牛奶 明天下午四點", 1),
        ("明天買牛奶", "明天買羊奶", 1),
    ],
)
async def test_another_day_another_hour_another_thing_or_later_is_no_repetition(database, first, again, minutes):
    talk = offline(database)
    await talk.says(first)
    talk.clock.move(minutes=minutes)
    await talk.says(again)
    assert len(await talk.records()) == 2


async def test_what_is_finished_may_be_to_do_again(database):
    talk = offline(database)
    await talk.says("明天買牛奶")
    await talk.says("完成 1")
    await talk.says("明天買牛奶")
    assert len(await talk.records()) == 2


async def test_three_equal_wishes_in_one_message_are_three_records(database):
    talk = offline(database)
    await talk.says("明天買牛奶\n明天買牛奶\n明天買牛奶")
    assert len(await talk.records()) == 3


async def test_a_whole_message_that_is_resent_is_one_question_and_what_is_new_in_it_is_stored(database):
    talk = offline(database)
    await talk.says("明天買牛奶\n明天倒垃圾")
    texts = await talk.says("明天買牛奶\n明天倒垃圾\n明天繳電費")
    assert [each.content for each in await talk.records()] == ["買牛奶", "倒垃圾", "繳電費"]
    assert "繳電費" in texts[0]
    assert "#1" in texts[1]
    assert "#2" in texts[1]
    await talk.taps_on(WORDS.both)
    assert len(await talk.records()) == 5


async def test_a_second_saying_that_adds_a_reminder_is_stored(database):
    second = create("買牛奶", "task", remind_at="2026-11-30T18:00")
    with ScriptedModel(asks(create("買牛奶", "task")), says("好"), asks(second), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("買牛奶")
        await talk.says("買牛奶，六點提醒我")
    assert len(await talk.records()) == 2


async def test_the_model_is_told_that_the_program_asks_and_no_number_that_is_nobodys(database):
    with ScriptedModel(
        asks(create("買牛奶", "task")), says("好"), asks(create("買牛奶", "task")), says("記好了！")
    ) as model:
        talk = Talk(database, model)
        await talk.says("買牛奶")
        texts = await talk.says("買牛奶")
    told = model.requests[-1].messages[-1]["content"]
    assert '"same_as":1' in told.replace(" ", "")
    assert '"ref":2' not in told.replace(" ", "")
    assert texts == ["剛剛才記過一樣的：買牛奶 #1。留一個就好，還是兩個都要？"]


async def test_a_redelivered_event_is_no_repetition(database):
    talk = offline(database)
    await talk.says("明天買牛奶")
    await talk.hears("明天買牛奶", id="01E001", redelivered=True)
    assert await talk.inbox.lanes_with_work() == []
    assert len(await talk.records()) == 1


async def test_a_turn_that_died_behind_its_question_asks_the_same_again(database):
    talk = offline(database)
    await talk.says("明天買牛奶")
    turn = await talk.takes(await talk.hears("明天買牛奶"))
    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
    first = await talk.answering.answer(turn, caller, turn.last.text)
    again = await talk.answering.answer(replace(turn, resumed=True), caller, turn.last.text)
    assert again == first
    assert WORDS.one in [button.label for button in first[-1].buttons]
    assert len(await talk.records()) == 1


async def test_where_the_model_is_away_it_is_asked_too(database):
    model = Eager()
    talk = Talk(database, model, fallback=OfflineEngine())
    model.is_away = True
    await talk.says("明天買牛奶")
    await talk.says("明天買牛奶")
    assert WORDS.one in [button.label for button in talk.last[-1].buttons]
    assert len(await talk.records()) == 1


async def test_in_a_group_what_another_just_noted_is_asked_about(database):
    talk = offline(database)
    await talk.enables()
    await talk.says_in_the_group("明天買牛奶")
    await talk.says_in_the_group("明天買牛奶", by=BEN)
    assert len(await talk.records(FAMILY)) == 1
    await talk.taps_in_the_group(WORDS.both)
    assert len(await talk.records(FAMILY)) == 2


# ── money ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("language", "words"), [("zh-TW", "午餐 120"), ("ja", "昼ごはん 850"), ("en", "lunch 12.50")])
async def test_money_is_stored_each_time_and_said_to_be_the_same(database, language, words):
    talk = offline(database)
    (first,) = await talk.says(words)
    (second,) = await talk.says(words)
    assert neighbour_words(language).same_as("#1") not in first
    assert neighbour_words(language).same_as("#1") in second
    assert len(await talk.records()) == 2
    talk.clock.move(minutes=11)
    (later,) = await talk.says(words)
    assert "#1" not in later.replace("#3", "")


@pytest.mark.parametrize("again", ["午餐 130", "早餐 120", "昨天午餐 120"])
async def test_another_amount_thing_or_day_is_not_the_same(database, again):
    talk = offline(database)
    await talk.says("午餐 120")
    (told,) = await talk.says(again)
    assert "一樣" not in told


# ── what lies across ──────────────────────────────────────────────────────────────────────────────────────────────


def event(when: Moment | None, until: Moment | None = None, **fields: object) -> Record:
    draft = {"content": "x", "type": "event", "when": when, "until": until} | fields
    at = datetime(2026, 11, 30, tzinfo=UTC)
    return Record(**draft, id="i", owner=PersonId(ANNA), ref=1, key="k", rev=1, created_at=at, updated_at=at)


NINE = datetime(2026, 12, 1, 9, 0, tzinfo=TAIPEI)
DAY = date(2026, 12, 1)


@pytest.mark.parametrize(
    ("record", "hours"),
    [
        (event(NINE), (0, 0.5)),
        (event(NINE, NINE + timedelta(hours=2)), (0, 2)),
        (event(NINE, NINE), (0, 0.5)),
        (event(NINE, DAY + timedelta(days=1)), (0, 39)),
        (event(DAY), None),
        (event(DAY, DAY), None),
        (event(DAY, DAY + timedelta(days=2)), (-9, 63)),
        (event(None), None),
        (event(NINE, type="task"), None),
        (event(NINE, status="cancelled"), None),
    ],
)
def test_an_event_takes_its_time_a_journey_days_and_a_birthday_none(record, hours):
    expected = hours and tuple(NINE + timedelta(hours=each) for each in hours)
    assert stretch_of(record, TAIPEI) == expected


async def scene(talk: Talk, *drafts: Draft) -> None:
    for number, draft in enumerate(drafts, start=1):
        await talk.memory().record(draft, CallKey("before", number), lambda _: {})


def at(hour: int, minute: int = 0, day: int = 1) -> datetime:
    return datetime(2026, 12, day, hour, minute, tzinfo=TAIPEI)


DENTIST = Draft(content="回診", type="event", when=at(15))


@pytest.mark.parametrize(
    ("when", "until", "lies"),
    [
        ("2026-12-01T15:00", None, True),
        ("2026-12-01T15:20", None, True),
        ("2026-12-01T15:30", None, False),
        ("2026-12-01T14:00", "2026-12-01T15:00", False),
        ("2026-12-01T14:00", "2026-12-01T16:00", True),
        ("2026-12-01", None, False),
        ("2026-11-30", "2026-12-03", True),
        ("2026-12-02T15:00", None, False),
    ],
)
async def test_an_event_that_lies_across_another_is_told(database, when, until, lies):
    arguments = {"when": when} | ({"until": until} if until else {})
    with ScriptedModel(asks(create("開會", "event", **arguments)), says("好")) as model:
        talk = Talk(database, model)
        await scene(talk, DENTIST)
        (told,) = await talk.says("開會")
    assert ("重疊" in told) == lies
    if when == "2026-12-01T15:00":
        assert told.splitlines()[-1] == "和 15:00 回診 #1 重疊。"


@pytest.mark.parametrize("language", ["zh-TW", "ja", "th", "en"])
async def test_it_is_told_in_the_persons_language_and_of_a_moved_event_too(database, language):
    talk = Talk(database, ScriptedModel(asks(call("update_record", ref=2, when="2026-12-01T15:00")), says("好")))
    await scene(talk, DENTIST, Draft(content="開會", type="event", when=at(10)))
    await talk.says(f"語言 {language}")
    (told,) = await talk.says("改到三點")
    assert "#1" in told.splitlines()[-1]
    assert neighbour_words(language).across("|").partition("|")[0].strip() in told


async def test_an_event_that_is_over_cancelled_or_somebody_elses_lies_across_nothing(database):
    with ScriptedModel(*[asks(create("開會", "event", when="2026-12-01T15:00")), says("好")] * 2) as model:
        talk = Talk(database, model)
        await scene(talk, Draft(content="回診", type="event", when=at(15), status="cancelled"))
        await talk.memory(BEN).record(DENTIST, CallKey("his", 1), lambda _: {})
        assert "重疊" not in "".join(await talk.says("開會"))
        await talk.memory().remove([2], CallKey("gone", 1), lambda _: {})
        await scene(talk)
        talk.clock.move(days=2)
        await talk.memory().record(DENTIST, CallKey("old", 1), lambda _: {})
        assert "重疊" not in "".join(await talk.says("前天開了會"))


async def test_two_new_ones_that_lie_across_each_other_are_told_once_with_their_numbers(database):
    both = asks(create("開會", "event", when="2026-12-01T15:00"), create("回診", "event", when="2026-12-01T15:10"))
    with ScriptedModel(both, says("好")) as model:
        talk = Talk(database, model)
        (told,) = await talk.says("明天三點開會，三點十分回診")
    assert told.splitlines()[-1] == "#1：和 15:10 回診 #2 重疊。"
    assert told.count("重疊") == 1


async def test_a_journey_is_told_with_its_day(database):
    journey = Draft(content="大阪", type="event", when=date(2026, 11, 30), until=date(2026, 12, 4))
    with ScriptedModel(asks(create("開會", "event", when="2026-12-01T15:00")), says("好")) as model:
        talk = Talk(database, model)
        await scene(talk, journey)
        (told,) = await talk.says("開會")
    assert told.splitlines()[-1] == "和 11/30（一）大阪 #1 重疊。"


@pytest.mark.parametrize("language", ["zh-TW", "ja", "th", "en"])
def test_the_labels_fit(language):
    words = neighbour_words(language)
    assert max(len(words.one), len(words.both)) <= 20
