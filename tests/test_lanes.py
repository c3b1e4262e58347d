"""Lanes: one turn at a time per chat, many chats at once, nothing forgotten, nothing rung twice."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from bot.lanes import MANY, TRIES, Lanes, warn_of_disk, watch_quota
from bot.ports import Bubble, ChatId, ClaimLost, LaneId, Turn
from bot.ringing import Ringing
from bot.sql.inbox import SqlInbox
from tests.fakes import ANNA, BEN, NOON, Calendar, ScriptedChannel, said
from tools.database import Database
from tools.patience import MAY_WAIT
from tools.record import CallKey, Draft, PersonId, Ring, StoreUnavailable
from tools.sql.memory import SqlMemory
from tools.sql.reminders import SqlReminders


class Worker:
    """What is done with a turn: it begins, waits for ``go_on`` (which is set unless a test clears it), and is
    answered."""

    def __init__(self, inbox: SqlInbox, *failures: Exception) -> None:
        self.inbox = inbox
        self.failures = list(failures)
        self.begun: asyncio.Queue[Turn] = asyncio.Queue()
        self.finished: list[Turn] = []
        self.at_once, self.most_at_once = 0, 0
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def __call__(self, turn: Turn) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            self.begun.put_nowait(turn)
            await self.go_on.wait()
            if self.failures:
                raise self.failures.pop(0)
            await self.inbox.answered(turn, [Bubble("好")])
            await self.inbox.delivered(turn)
            self.finished.append(turn)
        finally:
            self.at_once -= 1

    async def begins(self) -> Turn:
        return await asyncio.wait_for(self.begun.get(), 5)


@pytest.fixture
def inbox(database: Database) -> SqlInbox:
    return SqlInbox(database, lambda: NOON)


@asynccontextmanager
async def working(worker: Worker, **rhythm: float):
    lanes = Lanes(worker.inbox, worker, pause_seconds=0, **rhythm)
    try:
        yield lanes
    finally:
        worker.go_on.set()
        await lanes.close(5)


async def hears(lanes: Lanes, worker: Worker, *messages) -> None:
    for lane in await worker.inbox.put(messages):
        lanes.wake(lane)


async def is_idle(lanes: Lanes) -> None:
    async with asyncio.timeout(5):
        while lanes._lanes:
            await asyncio.wait(lanes._lanes.values())


async def test_of_one_chat_one_turn_is_worked_at_a_time(inbox):
    worker = Worker(inbox)
    async with working(worker) as lanes:
        worker.go_on.clear()
        await hears(lanes, worker, said(1))
        await worker.begins()
        await hears(lanes, worker, said(2), said(3, kind="postback", data="undo:1"), said(4))
        worker.go_on.set()
        await is_idle(lanes)

    assert [[each.id for each in turn.messages] for turn in worker.finished] == [
        ["01E001"],
        ["01E002"],
        ["01E003"],
        ["01E004"],
    ]
    assert worker.most_at_once == 1


async def test_many_chats_are_worked_at_once(inbox):
    worker = Worker(inbox)
    async with working(worker) as lanes:
        worker.go_on.clear()
        chats = [ChatId(f"U{n:032}") for n in range(10)]
        await hears(lanes, worker, *(said(n, chat=chat) for n, chat in enumerate(chats)))
        assert {(await worker.begins()).chat for _ in chats} == set(chats)
        assert worker.at_once == 10


async def test_what_a_lane_does_may_wait_and_who_woke_it_may_not(inbox):
    patient: list[bool] = []

    class Looks(Worker):
        async def __call__(self, turn: Turn) -> None:
            patient.append(MAY_WAIT.get())
            await super().__call__(turn)

    worker = Looks(inbox)
    async with working(worker) as lanes:
        await hears(lanes, worker, said(1))
        await is_idle(lanes)

    assert (patient, MAY_WAIT.get()) == ([True], False)


async def test_there_is_an_end_to_how_many_are_worked_at_once(inbox):
    worker = Worker(inbox)
    async with working(worker) as lanes:
        worker.go_on.clear()
        await hears(lanes, worker, *(said(n, chat=ChatId(f"U{n:032}")) for n in range(MANY + 3)))
        for _ in range(MANY):
            await worker.begins()
        worker.go_on.set()
        await is_idle(lanes)

    assert worker.most_at_once == MANY
    assert len(worker.finished) == MANY + 3


async def test_a_tap_for_a_slow_answer_overtakes_it(inbox):
    worker = Worker(inbox)
    async with working(worker) as lanes:
        worker.go_on.clear()
        await hears(lanes, worker, said(1))
        await worker.begins()
        await hears(lanes, worker, said(2, kind="postback", data="show:01E001"))

        assert (await worker.begins()).id == "01E002"


async def test_waking_a_lane_without_work_does_nothing(inbox):
    worker = Worker(inbox)
    async with working(worker) as lanes:
        lanes.wake(LaneId(ANNA))
        lanes.wake(LaneId(ANNA))
        await is_idle(lanes)

    assert worker.finished == []


async def test_starting_goes_on_with_what_was_interrupted_and_begins_what_waited(inbox):
    await inbox.put([said(1), said(2, chat=BEN)])
    await inbox.take(LaneId(ANNA))
    await inbox.end_claims()
    worker = Worker(inbox)
    async with working(worker) as lanes:
        await lanes.start()
        await is_idle(lanes)

    assert {turn.id for turn in worker.finished} == {"01E001", "01E002"}


async def test_something_unforeseen_stops_the_lane_only_for_a_moment(inbox, caplog):
    worker = Worker(inbox, RuntimeError("disk full"))
    async with working(worker) as lanes:
        await hears(lanes, worker, said(1))
        await is_idle(lanes)

    assert [turn.id for turn in worker.finished] == ["01E001"]
    assert "disk full" in caplog.text


async def test_a_turn_that_fails_every_time_is_set_aside_and_what_waits_behind_it_is_answered(inbox):
    worker = Worker(inbox, *(RuntimeError("poison") for _ in range(TRIES)))
    async with working(worker) as lanes:
        await hears(lanes, worker, said(1))
        await is_idle(lanes)
        assert worker.begun.qsize() == TRIES
        await hears(lanes, worker, said(2))
        await is_idle(lanes)

    assert [turn.id for turn in worker.finished] == ["01E002"]
    assert await inbox.lanes_with_work() == []


async def test_a_store_that_is_out_of_reach_is_waited_for_however_long_it_takes(inbox, caplog):
    worker = Worker(inbox, *(StoreUnavailable("the disk is full") for _ in range(3 * TRIES)))
    async with working(worker) as lanes:
        await hears(lanes, worker, said(1))
        await is_idle(lanes)

    assert [turn.id for turn in worker.finished] == ["01E001"]
    assert "the disk is full" in caplog.text


async def test_a_turn_that_another_process_took_over_is_left_alone(inbox, caplog):
    worker = Worker(inbox, ClaimLost("01E001"))
    async with working(worker) as lanes:
        await hears(lanes, worker, said(1))
        await is_idle(lanes)

    assert [turn.id for turn in worker.finished] == ["01E001"], "nobody else had it after all"
    assert "another process" in caplog.text


async def test_a_lane_that_another_process_works_is_not_fought_for(inbox, database):
    other = SqlInbox(database, lambda: NOON)
    await inbox.put([said(1)])
    await other.take(LaneId(ANNA))
    worker = Worker(inbox)
    async with working(worker) as lanes:
        await asyncio.wait_for(lanes.work(LaneId(ANNA)), 5)

    assert worker.begun.empty()


async def test_what_another_process_left_behind_is_taken_up_without_being_woken(inbox, database):
    other = SqlInbox(database, lambda: NOON)
    await inbox.put([said(1)])
    await other.take(LaneId(ANNA))
    worker = Worker(inbox)
    async with working(worker, sweep_seconds=0.01) as lanes:
        watching = asyncio.create_task(lanes.watch())
        await asyncio.sleep(0.05)
        assert worker.begun.empty()
        await other.end_claims()
        assert (await worker.begins()).deaths == 1
        watching.cancel()
        await asyncio.wait({watching})


async def test_what_is_being_worked_on_stays_claimed(database):
    clock = Calendar()
    inbox, other = SqlInbox(database, clock, lease_seconds=1), SqlInbox(database, clock, lease_seconds=1)
    worker = Worker(inbox)
    async with working(worker, renew_seconds=0.01) as lanes:
        watching = asyncio.create_task(lanes.watch())
        worker.go_on.clear()
        await hears(lanes, worker, said(1))
        await worker.begins()
        for _ in range(4):
            clock.move(seconds=0.5)
            await asyncio.sleep(0.05)
            assert await other.take(LaneId(ANNA)) is None
        watching.cancel()
        await asyncio.wait({watching})


async def test_a_turn_beside_which_two_processes_died_is_tried_alone_and_what_waits_meanwhile_is_not_blamed(database):
    clock = Calendar()
    one = SqlInbox(database, clock, worker="one")
    await one.put([said(1), said(2, chat=BEN)])
    for lane in (LaneId(ANNA), LaneId(BEN)):
        await one.take(lane)
    await one.end_claims()
    two = SqlInbox(database, clock, worker="two")
    assert [(await two.take(LaneId(each))).deaths for each in (ANNA, BEN)] == [1, 1]
    await two.end_claims()

    worker = Worker(SqlInbox(database, clock, worker="three"))
    async with working(worker) as lanes:
        worker.go_on.clear()
        await hears(lanes, worker)
        for lane in (ANNA, BEN):
            lanes.wake(LaneId(lane))
        first = await worker.begins()
        await hears(lanes, worker, said(3, chat=ChatId("Uc")))
        await asyncio.sleep(0.05)
        assert (first.deaths, worker.begun.empty()) == (2, True)
        await worker.inbox.end_claims()
        four = SqlInbox(database, clock, worker="four")
        deaths = {each: (await four.take(LaneId(each))).deaths for each in (ANNA, BEN)}
        assert sorted(deaths.values()) == [2, 3]
        assert deaths[first.chat] == 3
        await four.let_go()


async def test_an_orderly_end_gives_back_what_was_begun(inbox, database):
    worker = Worker(inbox)
    lanes = Lanes(inbox, worker)
    worker.go_on.clear()
    await hears(lanes, worker, said(1))
    await worker.begins()
    await lanes.close(0)

    turn = await SqlInbox(database, lambda: NOON).take(LaneId(ANNA))
    assert turn is not None
    assert (turn.id, turn.deaths) == ("01E001", 0)


async def test_closing_lets_the_running_turn_finish_and_begins_no_other(inbox):
    worker = Worker(inbox)
    lanes = Lanes(inbox, worker)
    worker.go_on.clear()
    await hears(lanes, worker, said(1))
    await worker.begins()
    await hears(lanes, worker, said(2))
    closing = asyncio.create_task(lanes.close(5))
    await asyncio.sleep(0)
    worker.go_on.set()
    await closing
    lanes.wake(LaneId(BEN))

    assert [turn.id for turn in worker.finished] == ["01E001"]
    assert await inbox.lanes_with_work() == [ANNA]
    assert lanes._lanes == {}


async def test_closing_leaves_what_takes_too_long_to_be_resumed(inbox):
    worker = Worker(inbox)
    lanes = Lanes(inbox, worker)
    worker.go_on.clear()
    await hears(lanes, worker, said(1))
    await worker.begins()
    await lanes.close(0)

    assert worker.finished == []
    turn = await inbox.take(LaneId(ANNA))
    assert turn is not None
    assert (turn.id, turn.answer) == ("01E001", None)


async def test_closing_without_any_lane_is_over_at_once(inbox):
    await Lanes(inbox, Worker(inbox)).close(5)


# ── reminders ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Wakes:
    """Whom the ringing woke."""

    def __init__(self) -> None:
        self.lanes: asyncio.Queue[LaneId] = asyncio.Queue()

    def __call__(self, lane: LaneId) -> None:
        self.lanes.put_nowait(lane)


async def never_quiet(_person, _now) -> None:
    """Nobody minds being disturbed."""


@asynccontextmanager
async def ringing(reminders, inbox, clock):
    """Reminders are looked at all the time; gives whom they wake."""
    wakes = Wakes()
    task = asyncio.create_task(Ringing(reminders, inbox, wakes, clock, never_quiet, tick_seconds=0.001).keep())
    try:
        yield wakes
    finally:
        task.cancel()
        await asyncio.wait({task})


class Unreliable:
    """Reminders that fail once in each way before they work."""

    def __init__(self, reminders: SqlReminders) -> None:
        self._reminders = reminders
        self.failures = ["due", "rung"]
        self.looked = asyncio.Queue()

    async def due(self, now, limit: int = 500) -> list[Ring]:
        self._fail("due")
        found = await self._reminders.due(now, limit)
        self.looked.put_nowait(found)
        return found

    async def realign(self) -> int:
        return await self._reminders.realign()

    async def rung(self, record_id: str, due) -> bool:
        self._fail("rung")
        return await self._reminders.rung(record_id, due)

    def _fail(self, how: str) -> None:
        if how in self.failures:
            self.failures.remove(how)
            raise RuntimeError(how)


async def test_a_turn_that_fails_every_time_is_given_up_in_words_if_they_can_be_said(inbox):
    given_up: list[str] = []

    async def fails(_: Turn) -> None:
        raise RuntimeError("poison")

    async def gives_up(turn: Turn) -> None:
        given_up.append(turn.id)
        if len(given_up) > 1:
            raise RuntimeError("not even that")
        await inbox.fail(turn)

    lanes = Lanes(inbox, fails, give_up=gives_up, pause_seconds=0)
    for number in (1, 2):
        await inbox.put([said(number)])
        await lanes.work(LaneId(ANNA))

    assert given_up == ["01E001", "01E002"]
    assert await inbox.take(LaneId(ANNA)) is None


async def test_what_is_due_rings_once_even_if_it_is_found_twice(database, inbox):
    clock = Calendar()
    memory = SqlMemory(database, PersonId(ANNA), clock)
    hour = timedelta(hours=1)
    await memory.record(Draft(content="關火", type="task", remind_at=NOON + hour), CallKey("t", 1), lambda _: {})
    await memory.record(Draft(content="睡覺", type="task", remind_at=NOON + 9 * hour), CallKey("t", 2), lambda _: {})
    clock.move(hours=1, minutes=2)
    reminders = Unreliable(SqlReminders(database))
    async with ringing(reminders, inbox, clock) as wakes:
        assert await asyncio.wait_for(wakes.lanes.get(), 5) == ANNA
        while await asyncio.wait_for(reminders.looked.get(), 5):
            pass

        assert wakes.lanes.empty()
    turn = await inbox.take(LaneId(ANNA))
    assert turn is not None
    assert [(each.kind, each.data, each.person, each.occurred_at) for each in turn.messages] == [
        ("reminder", "1", ANNA, NOON + hour)
    ]
    assert turn.last.received_at == clock()
    assert turn.last.reply_token is None


async def test_a_reminder_that_was_moved_rings_again_at_its_new_hour(database, inbox):
    clock = Calendar()
    memory = SqlMemory(database, PersonId(ANNA), clock)
    await memory.record(Draft(content="關火", type="task", remind_at=NOON), CallKey("t", 1), lambda _: {})
    async with ringing(SqlReminders(database), inbox, clock) as wakes:
        await asyncio.wait_for(wakes.lanes.get(), 5)
        later = NOON + timedelta(minutes=10)
        await memory.revise(1, {"remind_at": later}, CallKey("t", 2), lambda _: {})
        clock.move(minutes=10)
        await asyncio.wait_for(wakes.lanes.get(), 5)

    turn = await inbox.take(LaneId(ANNA))
    assert turn is not None
    assert [each.occurred_at for each in turn.messages] == [NOON, later]


# ── the quota ─────────────────────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def watching(channel, inbox, clock, *owners: PersonId | None):
    """The quota is looked at all the time; gives whom that wakes. Each look asks for the next owner, at last the last
    one."""
    wakes, coming = Wakes(), list(owners)

    async def owner() -> PersonId | None:
        return coming.pop(0) if len(coming) > 1 else coming[0]

    task = asyncio.create_task(watch_quota(channel, owner, inbox, wakes, clock, look_seconds=0.001))
    try:
        yield wakes
    finally:
        task.cancel()
        await asyncio.wait({task})


class Counted(ScriptedChannel):
    """A network with so many pushes left at each look, at last the last number; tells when it has been asked."""

    def __init__(self, *left: int | None) -> None:
        super().__init__()
        self.coming = list(left)
        self.looks = 0

    async def pushes_left(self) -> int | None:
        self.looks += 1
        return self.coming.pop(0) if len(self.coming) > 1 else self.coming[0]

    async def looked(self, times: int) -> None:
        async with asyncio.timeout(5):
            while self.looks < times:  # noqa: ASYNC110 - a look has no event
                await asyncio.sleep(0.001)


async def test_when_pushes_run_out_the_owner_has_one_turn_about_it_a_month(database, inbox, caplog):
    clock, channel = Calendar(), Counted(None, 200, 41, 40)
    async with watching(channel, inbox, clock, PersonId(ANNA)) as wakes:
        assert await asyncio.wait_for(wakes.lanes.get(), 5) == ANNA
        await channel.looked(8)
        assert wakes.lanes.empty()
        clock.move(days=2)  # it is December in Japan
        assert await asyncio.wait_for(wakes.lanes.get(), 5) == ANNA

    turn = await inbox.take(LaneId(ANNA))
    assert turn is not None
    assert (turn.id, turn.last.kind, turn.last.data, len(turn.messages)) == ("quota:2026-11", "quota", "40", 1)
    assert caplog.text.count("40 pushes are left this month") == 2


async def test_another_process_that_sees_it_too_tells_nobody_twice(database, inbox):
    channel = Counted(7)
    for _ in range(2):
        async with watching(channel, inbox, Calendar(), PersonId(ANNA)):
            seen = channel.looks
            await channel.looked(seen + 3)

    turn = await inbox.take(LaneId(ANNA))
    assert turn is not None
    await inbox.answered(turn, [])
    await inbox.delivered(turn)
    assert await inbox.take(LaneId(ANNA)) is None


async def test_without_an_owner_only_the_log_says_that_pushes_run_out(database, inbox, caplog):
    channel = Counted(7)
    async with watching(channel, inbox, Calendar(), None) as wakes:
        await channel.looked(3)
        assert wakes.lanes.empty()

    assert caplog.text.count("7 pushes are left this month") == 1


# ── a disk that is wiped ──────────────────────────────────────────────────────────────────────────────────────────


async def test_who_comes_to_own_the_bot_hears_once_of_a_disk_that_is_wiped(database, inbox):
    wakes, coming = Wakes(), [None, None, PersonId(ANNA)]

    async def owner() -> PersonId | None:
        return coming.pop(0) if len(coming) > 1 else coming[0]

    for start in ("first", "second"):
        task = asyncio.create_task(warn_of_disk("Render", owner, inbox, wakes, Calendar(), look_seconds=0.001))
        if start == "first":
            assert await asyncio.wait_for(wakes.lanes.get(), 5) == ANNA
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait({task})

    turn = await inbox.take(LaneId(ANNA))
    assert turn is not None
    assert (turn.id, turn.last.kind, turn.last.data, len(turn.messages)) == ("disk:Render", "disk", "Render", 1)
    assert wakes.lanes.empty()
