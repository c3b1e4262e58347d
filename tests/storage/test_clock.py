"""A clock that is set back or forward by days: what is stored stays what it is, and the next step finds it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.ports import Bubble
from bot.sql.inbox import SqlInbox
from tests.fakes import NOON
from tests.storage.lived_in import MEI, draft, message, told
from tools.database import Database, instant, micros
from tools.record import CallKey, RecordQuery
from tools.sql.memory import SqlMemory
from tools.sql.reminders import SqlReminders

STEPS = [
    timedelta(days=-40),
    timedelta(days=-2),
    timedelta(seconds=-1),
    timedelta(days=2),
    timedelta(days=40),
    datetime(1970, 1, 1, tzinfo=UTC) - NOON,
    datetime(2106, 2, 7, 7, tzinfo=UTC) - NOON,
]


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.mark.parametrize("step", STEPS, ids=str)
async def test_a_message_is_heard_worked_and_answered_across_a_step_of_the_clock(database: Database, step: timedelta):
    clock = Clock()
    inbox = SqlInbox(database, clock)
    await inbox.put([message(1)])
    clock.now += step
    late = replace(message(2), received_at=clock.now)
    assert await inbox.put([late]) == [late.lane]
    turn = await inbox.take(late.lane)
    assert turn is not None
    assert [each.id for each in turn.messages] == [message(1).id, message(2).id]
    clock.now -= step
    await inbox.answered(turn, [Bubble("好")])
    clock.now += step
    await inbox.delivered(turn)
    assert await inbox.take(late.lane) is None
    assert await inbox.lanes_with_work() == []
    assert await inbox.put([message(1)]) == []


@pytest.mark.parametrize("step", STEPS, ids=str)
async def test_what_was_done_last_is_what_is_undone_across_a_step_of_the_clock(database: Database, step: timedelta):
    clock = Clock()
    memory = SqlMemory(database, MEI, clock)
    await memory.record(draft(1), CallKey("before", 0), told)
    clock.now += step
    last = await memory.record(draft(2), CallKey("after", 0), told)
    assert (await memory.undo(CallKey("undo", 0))).record.id == last.record.id
    assert [each.ref for each in (await memory.query(RecordQuery())).records] == [1]


async def test_a_reminder_rings_once_however_the_clock_is_set(database: Database):
    clock = Clock()
    memory, reminders = SqlMemory(database, MEI, clock), SqlReminders(database)
    due = NOON + timedelta(hours=1)
    await memory.record(replace(draft(1), remind_at=due), CallKey("turn", 0), told)
    rung = 0
    for step in (0, 2, -3, 1, 40, -80, 50):
        clock.now += timedelta(days=step)
        for ring in await reminders.due(clock.now):
            assert ring.due == due
            rung += await reminders.rung(ring.record.id, ring.due)
    assert rung == 1


@pytest.mark.parametrize("at", [0, micros(NOON), micros(datetime(2106, 2, 7, 7, tzinfo=UTC))])
def test_every_instant_comes_back_as_it_was_stored(at: int):
    assert micros(instant(at)) == at
