"""What comes again: it rings each time, goes on when one is finished, and falls silent when it is over."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.fakes import ANNA, NOON, ScriptedModel, asks, says
from tests.talk import ZH, Talk, call, create
from tests.test_ringing import rings
from tools.arguments import Reader
from tools.definition import Caller, ToolError
from tools.moments import Hours
from tools.record import PersonId
from tools.repeating import advanced

TAIPEI = ZoneInfo("Asia/Taipei")
DAY = timedelta(days=1)


def taipei(day: int, hour: int, minute: int = 0, month: int = 12) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=TAIPEI)


def reader(now: datetime = NOON, **fields) -> Reader:
    who = {"person": PersonId(ANNA), "role": "owner", "language": "zh-TW", "home": "zh-TW", "currency": "TWD"}
    return Reader(Caller(**({"zone": TAIPEI, "now": now} | who | fields)), ())


def scripted(*calls) -> ScriptedModel:
    return ScriptedModel(*(step for each in calls for step in (asks(each), says("好"))))


PILLS = create("吃藥", "task", repeat="每天早上八點", remind_at="準時")


async def test_it_rings_each_day_and_each_time_is_finished_for_itself(database):
    with scripted(PILLS) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
    (record,) = await talk.records()
    assert (record.when, record.remind_at) == (taipei(1, 8), taipei(1, 8))
    for day in (1, 2, 3):
        talk.clock.now = taipei(day, 8).astimezone(UTC) + timedelta(seconds=1)
        assert await rings(talk) == ["⏰ 08:00 吃藥 #1"]
        assert await rings(talk) == []
        await talk.taps_on(ZH.done)
        (record,) = await talk.records()
        assert (record.status, record.when, record.remind_at) == ("open", taipei(day + 1, 8), taipei(day + 1, 8))


async def test_what_nobody_finished_is_there_until_the_next_time_rings(database):
    with scripted(PILLS) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
    talk.clock.now = taipei(1, 8).astimezone(UTC)
    await rings(talk)
    talk.clock.now = taipei(1, 20).astimezone(UTC)
    assert await rings(talk) == []
    assert (await talk.records())[0].when == taipei(1, 8)
    talk.clock.now = taipei(2, 8).astimezone(UTC) + timedelta(seconds=1)
    assert await rings(talk) == ["⏰ 08:00 吃藥 #1"]
    assert (await talk.records())[0].when == taipei(2, 8)


async def test_the_button_of_an_earlier_time_does_not_finish_a_later_one(database):
    with scripted(PILLS) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
    talk.clock.now = taipei(1, 8).astimezone(UTC)
    await rings(talk)
    button = talk.button(ZH.done)
    await talk.taps(button.data)
    assert await talk.taps(button.data) == [ZH.already_handled]
    assert (await talk.records())[0].when == taipei(2, 8)


async def test_what_was_let_rest_is_finished_by_the_button_under_its_first_ring(database):
    with scripted(PILLS) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
    talk.clock.now = taipei(1, 8).astimezone(UTC)
    await rings(talk)
    done = talk.button(ZH.done)
    await talk.taps_on("10 分鐘後")
    talk.clock.now = taipei(1, 8, 5).astimezone(UTC)
    assert await talk.taps(done.data) == ["完成：吃藥 #1。下次 12/2（三）08:00。"]
    talk.clock.now = taipei(1, 8, 11).astimezone(UTC)
    assert await rings(talk) == []
    assert await talk.taps(done.data) == [ZH.already_handled]


@pytest.mark.parametrize("said", ["這次不用", "今天先跳過吧", "今回はスキップ", "ครั้งนี้ไม่ต้อง", "skip this one"])
async def test_words_right_after_a_ring_leave_this_time_out(database, said):
    with scripted(PILLS) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
    talk.clock.now = taipei(1, 8).astimezone(UTC)
    await rings(talk)
    talk.clock.move(seconds=1)
    (text,) = await talk.says(said)
    assert "吃藥 #1" in text
    (record,) = await talk.records()
    assert (record.status, record.when, record.repeat.done) == ("open", taipei(2, 8), None)
    await talk.taps(talk.last[0].buttons[0].data)
    assert (await talk.records())[0].when == taipei(1, 8)


async def test_undo_brings_back_the_time_that_was_finished(database):
    with scripted(PILLS) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
    talk.clock.now = taipei(1, 8).astimezone(UTC)
    await rings(talk)
    await talk.says("完成 1")
    await talk.says("復原")
    (record,) = await talk.records()
    assert (record.when, record.repeat.at, record.repeat.done) == (taipei(1, 8), taipei(1, 8), None)


async def test_the_last_time_is_done_for_good(database):
    with scripted(create("吃藥", "task", repeat="FREQ=DAILY;COUNT=2", when="08:00", remind_at="準時")) as model:
        talk = Talk(database, model)
        await talk.says("吃兩天藥")
    await talk.says("完成 1")
    await talk.says("完成 1")
    (record,) = await talk.records()
    assert (record.status, record.when) == ("done", taipei(2, 8))


async def test_snoozing_one_time_leaves_the_next_at_its_hour(database):
    with scripted(PILLS) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
    talk.clock.now = taipei(1, 8).astimezone(UTC)
    await rings(talk)
    await talk.says("再半小時")
    talk.clock.now = taipei(1, 8, 31).astimezone(UTC)
    assert await rings(talk) == ["⏰ 08:00 吃藥 #1"]
    talk.clock.now = taipei(2, 8, 0).astimezone(UTC) + timedelta(seconds=1)
    assert await rings(talk) == ["⏰ 08:00 吃藥 #1"]


async def test_stop_repeating_leaves_the_task_and_silences_it(database):
    with scripted(PILLS) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
    talk.clock.now = taipei(1, 8).astimezone(UTC)
    await rings(talk)
    assert await talk.taps_on("不再重複") == ["好，#1 不再提醒。"]
    talk.clock.now = taipei(5, 9).astimezone(UTC)
    assert await rings(talk) == []
    assert [(each.status, each.repeat) for each in await talk.records()] == [("open", None)]


async def test_of_many_times_that_were_missed_the_last_is_told_and_of_few_each_is_in_one_line(database):
    with scripted(PILLS) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
    talk.clock.now = taipei(4, 12).astimezone(UTC)
    assert await rings(talk) == ["⏰ （原定 12/1（二）08:00–12/4（五）08:00）08:00 吃藥 #1"]
    talk.clock.now = taipei(25, 12).astimezone(UTC)
    assert await rings(talk) == ["⏰ （原定 08:00）08:00 吃藥 #1"]
    assert (await talk.records())[0].when == taipei(25, 8)


async def test_an_event_moves_on_when_its_day_is_over(database):
    with scripted(create("瑜伽", "event", repeat="每週一晚上七點")) as model:
        talk = Talk(database, model)
        await talk.says("每週一晚上七點瑜伽")
    (record,) = await talk.records()
    assert record.when == taipei(30, 19, month=11)
    talk.clock.now = taipei(30, 23, month=11).astimezone(UTC)
    await rings(talk)
    assert (await talk.records())[0].when == taipei(30, 19, month=11)
    talk.clock.now = taipei(1, 0, 1).astimezone(UTC)
    assert await rings(talk) == []
    assert (await talk.records())[0].when == taipei(7, 19)


async def test_deleting_leaves_out_this_time_unless_all_that_follow_are_meant(database):
    calls = (PILLS, call("delete_record", ref=1), call("delete_record", ref=1, scope="following"))
    with scripted(*calls) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
        await talk.says("刪 1")
        assert (await talk.records())[0].when == taipei(2, 8)
        await talk.says("以後都不要了")
    assert await talk.records() == []


async def test_a_move_is_of_this_time_alone_unless_all_that_follow_are_meant(database):
    move = {"ref": 1, "when": "2026-12-01T09:30"}
    calls = (PILLS, call("update_record", **move), call("update_record", **move, scope="following"))
    with scripted(*calls) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
        await talk.says("改到九點半")
        (record,) = await talk.records()
        assert (record.when, record.remind_at, record.repeat.at) == (taipei(1, 9, 30), taipei(1, 9, 30), taipei(1, 8))
        assert advanced(record, done=False)["when"] == taipei(2, 8)
        await talk.says("以後都改到九點半")
    (record,) = await talk.records()
    assert advanced(record, done=False)["when"] == taipei(2, 9, 30)
    assert advanced(record, done=False)["remind_at"] == taipei(2, 9, 30)


@pytest.mark.parametrize(
    ("repeat", "when", "remind", "first", "ring"),
    [
        ("每週一三早上八點", None, "提前半小時", taipei(2, 8), taipei(2, 7, 30)),
        ("每天", "晚上九點", "晚上九點", taipei(30, 21, month=11), taipei(30, 21, month=11)),
        ("每天", "早上八點", None, taipei(1, 8), None),
        ("毎月25日", None, "前日の夜", date(2026, 12, 25), taipei(24, 20)),
        ("ทุกวันศุกร์", "18:00", "ก่อน 1 ชั่วโมง", taipei(4, 18), taipei(4, 17)),
        ("every Friday", "2026-12-11T15:00", "15:00", taipei(11, 15), taipei(11, 15)),
        ("FREQ=WEEKLY;BYDAY=TU", "07:00", "每週二早上七點", taipei(1, 7), taipei(1, 7)),
        ("每天", "每天早上八點", "每天早上八點", taipei(1, 8), taipei(1, 8)),
    ],
)
def test_a_rule_takes_its_hour_and_its_reminder_from_what_stands_beside_it(repeat, when, remind, first, ring):
    found = reader().times("task", when, None, remind, repeat)
    assert (found.when, found.remind_at) == (first, ring)


def test_money_that_comes_again_is_refused_with_what_would_do():
    with pytest.raises(ToolError) as refused:
        reader().times("expense", None, None, None, "每月25日")
    assert "task" in json.dumps(refused.value.as_result())


@pytest.mark.parametrize(
    ("said", "ring"),
    [
        ("提前半小時", taipei(3, 14, 30)),
        ("30 minutes before", taipei(3, 14, 30)),
        ("前日の夜", taipei(2, 20)),
        ("ก่อน 1 ชั่วโมง", taipei(3, 14)),
        ("前一天", taipei(2, 15)),
        ("當天早上", taipei(3, 9)),
        ("二十分鐘後", taipei(30, 12, 20, month=11)),
        ("睡前", taipei(30, 23, month=11)),
        ("明天睡前", taipei(1, 23)),
        ("before bed", taipei(30, 23, month=11)),
        ("準時", taipei(3, 15)),
    ],
)
def test_a_reminder_hangs_on_what_it_is_about_on_now_or_on_the_persons_own_day(said, ring):
    read = reader(hours=Hours(bedtime=time(23)))
    assert read.remind_at(said, taipei(3, 15)) == ring


def test_bedtime_after_midnight_is_that_of_the_evening_before():
    read = reader(hours=Hours(bedtime=time(1)))
    assert read.remind_at("睡前") == taipei(1, 1)
    assert read.remind_at("明天睡前") == taipei(2, 1)


def test_daily_rings_keep_their_hour_on_the_wall_through_a_change_of_the_clock():
    york = ZoneInfo("America/New_York")
    read = reader(now=datetime(2026, 10, 30, 13, tzinfo=UTC), zone=york)
    draft = read.times("task", None, None, "08:00", "every day at 8am")
    rings = []
    for _ in range(4):
        rings.append(draft.remind_at)
        assert draft.when == draft.remind_at
        draft = replace(draft, **advanced(draft, done=False))
    expected = [datetime(2026, 10, 31, 8, tzinfo=york), *(datetime(2026, 11, day, 8, tzinfo=york) for day in (1, 2, 3))]
    assert [each.astimezone(UTC) for each in rings] == [each.astimezone(UTC) for each in expected]
    assert rings[1] - rings[0] == DAY
    assert rings[1].astimezone(UTC) - rings[0].astimezone(UTC) == DAY + timedelta(hours=1)
