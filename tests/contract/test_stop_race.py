"""A stop, an edit and an unsending that come in while the answer is being committed, by two processes on one store: one
is first, and nothing is stopped halfway or answered twice."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from bot.ports import Bubble, IncomingMessage, LaneId, Stopped, Turn
from bot.sql.inbox import SqlInbox
from bot.sql.inbox_rows import INBOX
from bot.sql.second_thoughts import SqlSecondThoughts
from tests.fakes import ANNA, NOON, said
from tools.database import Database

LANE = LaneId(ANNA)
ANSWER = [Bubble("記好了")]
ROUNDS = 12


class Holding(Database):
    """Another process's way to the store. Once ``holds`` is set a transaction is open, with all its work done, until
    ``go_on`` is."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.holds = False
        self.has_worked, self.go_on = threading.Event(), threading.Event()

    async def write(self, work: Any, *, durable: bool = True) -> Any:
        def held(connection: Any) -> Any:
            result = work(connection)
            if self.holds:
                self.has_worked.set()
                assert self.go_on.wait(5)
            return result

        return await super().write(held, durable=durable)


@pytest.fixture
async def other(database: Database, url: str) -> AsyncIterator[Holding]:
    opened = Holding(url)
    await opened.start()
    yield opened
    opened.go_on.set()
    await opened.close()


@asynccontextmanager
async def held_open(other: Holding, doing: Any) -> AsyncIterator[asyncio.Task[Any]]:
    """While the other's transaction is open with its work done."""
    other.holds = True
    task = asyncio.create_task(doing)
    assert await asyncio.to_thread(other.has_worked.wait, 5)
    yield task
    await asyncio.sleep(0.2)  # so that whoever waits for it does by now
    other.go_on.set()


def inbox(database: Database, worker: str) -> SqlInbox:
    return SqlInbox(database, lambda: NOON, worker=worker)


def stop(number: int = 9) -> IncomingMessage:
    return said(number, "取消", stops=True)


def edit() -> IncomingMessage:
    return said(9, "買蛋", kind="edited", message_id="m1")


def unsend() -> IncomingMessage:
    return said(9, kind="unsend", message_id="m1", answerable=False, reply_token=None)


async def begun(inbox: SqlInbox, first: int = 1) -> Turn:
    """A turn of two messages, of which the one that was said first has the later id."""
    early, late = said(first, "買牛奶", message_id="m1"), said(first + 1, "倒垃圾", message_id="m2")
    moments = {"occurred_at": late.occurred_at, "received_at": late.received_at}
    await inbox.put([replace(early, **moments), replace(late, occurred_at=early.occurred_at)])
    turn = await inbox.take(LANE)
    assert turn
    assert [each.message_id for each in turn.messages] == ["m2", "m1"]
    return turn


async def states(database: Database) -> dict[str, tuple[str, str | None]]:
    rows = await database.read(lambda c: c.execute(select(INBOX.c.id, INBOX.c.state, INBOX.c.turn)).all())
    return {row.id: (row.state, row.turn) for row in rows}


@pytest.mark.parametrize("thought", [stop, edit, unsend])
async def test_what_came_in_before_the_answer_was_committed_stops_it(database: Database, other: Holding, thought: Any):
    worker, receiver = inbox(database, "one"), inbox(other, "two")
    turn = await begun(worker)
    async with held_open(other, receiver.put([thought()])) as putting:
        answering = asyncio.create_task(worker.answered(turn, ANSWER))
    assert await putting == [], "it is a part of the turn, which hears of it"
    with pytest.raises(Stopped):
        await answering
    turn = await SqlSecondThoughts(database).stopped(turn)
    assert turn.stopped == {stop: "said", edit: "edited", unsend: "unsent"}[thought]
    await worker.answered(turn, ANSWER)
    await worker.delivered(turn)
    assert await worker.take(LANE) is None
    assert {state for state, _ in (await states(database)).values()} <= {"delivered", "ignored"}


@pytest.mark.parametrize("thought", [stop, edit, unsend])
async def test_what_came_in_behind_the_answer_waits_for_its_own_turn(database: Database, other: Holding, thought: Any):
    receiver, worker = inbox(database, "one"), inbox(other, "two")
    turn = await begun(worker)
    async with held_open(other, worker.answered(turn, ANSWER)) as answering:
        putting = asyncio.create_task(receiver.put([thought()]))
    await answering
    assert await putting == ([] if thought is unsend else [LANE])
    other.holds = False
    await worker.delivered(turn)
    behind = await worker.take(LANE)
    if thought is unsend:
        assert behind is None
        offered = await SqlSecondThoughts(database).offers(ANNA, said(20).id)
        assert offered == [turn.id], "what was made of it is offered to be taken back"
    else:
        assert behind
        assert [each.id for each in behind.messages] == [thought().id]
        assert behind.last.data == (turn.id if thought is edit else "")


def edit_of_the_other() -> IncomingMessage:
    return replace(edit(), message_id="m2")


def unsend_of_the_other() -> IncomingMessage:
    return replace(unsend(), message_id="m2")


@pytest.mark.parametrize("first", ["put", "answer"])
@pytest.mark.parametrize("thought", [stop, edit, unsend, edit_of_the_other, unsend_of_the_other])
async def test_who_waits_for_the_same_rows_takes_them_in_the_same_order(
    database: Database, other: Holding, thought: Any, first: str
):
    """A row of the turn is somebody else's for a moment, and both wait for it: neither holds another meanwhile."""
    worker, receiver = inbox(database, "one"), inbox(database, "two")
    turn = await begun(worker)
    taken = select(INBOX.c.id).where(INBOX.c.id == turn.messages[0].id).with_for_update()
    async with held_open(other, other.write(lambda c: c.execute(taken).all())):
        doing = [receiver.put([thought()]), worker.answered(turn, ANSWER)]
        tasks = []
        for each in doing if first == "put" else doing[::-1]:
            tasks.append(asyncio.create_task(each))
            await asyncio.sleep(0.1)
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [each for each in outcomes if isinstance(each, Exception) and not isinstance(each, Stopped)] == []
    await finish(database, worker, turn, outcomes)
    assert {state for state, _ in (await states(database)).values()} <= {"delivered", "ignored"}


async def finish(database: Database, worker: SqlInbox, turn: Turn, outcomes: Any) -> None:
    if any(isinstance(each, Stopped) for each in outcomes):
        turn = await SqlSecondThoughts(database).stopped(turn)
        await worker.answered(turn, ANSWER)
    await worker.delivered(turn)
    while behind := await worker.take(LANE):
        await worker.answered(behind, ANSWER)
        await worker.delivered(behind)


async def test_however_both_fall_together_one_of_them_is_first(database: Database, other: Holding):
    worker, receiver = inbox(database, "one"), inbox(other, "two")
    for number in range(ROUNDS):
        turn = await begun(worker, 10 * number + 100)
        barrier = asyncio.Barrier(2)

        async def together(doing: Any, barrier: asyncio.Barrier = barrier) -> Any:
            await barrier.wait()
            return await doing

        said_at = 10 * number + 105
        outcomes = await asyncio.gather(
            together(worker.answered(turn, ANSWER)), together(receiver.put([stop(said_at)])), return_exceptions=True
        )
        stopped = isinstance(outcomes[0], Stopped)
        assert stopped or outcomes[0] is None
        assert outcomes[1] == ([] if stopped else [LANE])
        await finish(database, worker, turn, outcomes)
        own = stop(said_at).id
        assert (await states(database))[own] == ("delivered", turn.id if stopped else own)
