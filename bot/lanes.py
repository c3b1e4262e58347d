"""Lanes: one turn at a time per chat, many chats at once.

A lane exists while its chat has work; a message that arrives meanwhile is found by the lane itself or wakes a new one.
Must not know what a turn does: it is handed a function. What is due by the clock comes in here too, as inbox rows.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime

from bot.ports import ChatId, InboxPort, IncomingMessage, LaneId, Turn, TurnId
from tools.record import RemindersPort, Ring

log = logging.getLogger(__name__)

MANY = 32
"""Chats worked at once: more would only wait for the same model and the same two cores."""

TICK_SECONDS = 1.0
"""How often the clock is looked at for reminders; a person sees no difference below a second."""

PAUSE_SECONDS = 5.0
"""Before a lane tries again after something unforeseen, such as a store that cannot be written."""

TRIES = 5
"""For one turn that can be taken but fails, until it is set aside."""


class Lanes:
    """Who works when."""

    def __init__(
        self, inbox: InboxPort, work: Callable[[Turn], Awaitable[None]], *, pause_seconds: float = PAUSE_SECONDS
    ) -> None:
        self._inbox = inbox
        self._work = work
        self._pause_seconds = pause_seconds
        self._failures: Counter[TurnId] = Counter()
        self._room = asyncio.Semaphore(MANY)
        self._lanes: dict[LaneId, asyncio.Task[None]] = {}
        self._woken: set[LaneId] = set()
        self._closing = False

    async def start(self) -> None:
        """Go on with what was interrupted, and begin what waited."""
        for lane in await self._inbox.lanes_with_work():
            self.wake(lane)

    def wake(self, lane: LaneId) -> None:
        """The lane has work: start it, or tell the running one to look again."""
        if self._closing:
            return
        self._woken.add(lane)
        if lane not in self._lanes:
            self._lanes[lane] = asyncio.create_task(self._run(lane), name=f"lane {lane}")

    async def close(self, seconds: float) -> None:
        """No new turns; running ones may finish for so long, the rest is left to be resumed."""
        self._closing = True
        if self._lanes:
            _, late = await asyncio.wait(self._lanes.values(), timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _run(self, lane: LaneId) -> None:
        try:
            while lane in self._woken and not self._closing:
                self._woken.discard(lane)
                async with self._room:
                    await self._work_off(lane)
        finally:
            del self._lanes[lane]

    async def _work_off(self, lane: LaneId) -> None:
        try:
            more = True
            while more and not self._closing and (turn := await self._inbox.take(lane)):
                await self._once(turn)
                more = turn.more
        except Exception:
            log.exception("the lane stops for a moment")
            self._woken.add(lane)
            await asyncio.sleep(self._pause_seconds)

    async def _once(self, turn: Turn) -> None:
        """Work a turn. One that fails every time is set aside at last, or nothing behind it would be answered."""
        try:
            await self._work(turn)
        except Exception:
            self._failures[turn.id] += 1
            if self._failures[turn.id] < TRIES:
                raise
            log.exception("turn %s failed %d times and is set aside", turn.id, TRIES)
            await self._inbox.fail(turn.id)
        del self._failures[turn.id]


async def ring(
    reminders: RemindersPort,
    inbox: InboxPort,
    wake: Callable[[LaneId], None],
    now: Callable[[], datetime],
    *,
    tick_seconds: float = TICK_SECONDS,
) -> None:
    """Put what is due into the inbox, for ever. A ring is keyed by record and hour: found twice, it rings once."""
    while True:
        try:
            due = await reminders.due(now())
            lanes = await inbox.put([_as_message(each, now()) for each in due]) if due else []
            for lane in lanes:
                wake(lane)
            for each in due:
                await reminders.rung(each.record.id, each.due)
        except Exception:
            log.exception("reminders could not be looked at; trying again")
        await asyncio.sleep(tick_seconds)


def _as_message(due: Ring, now: datetime) -> IncomingMessage:
    owner = due.record.owner
    return IncomingMessage(
        id=f"ring:{due.record.id}:{due.due:%Y%m%dT%H%M%SZ}",
        kind="reminder",
        chat=ChatId(owner),
        chat_kind="user",
        person=owner,
        occurred_at=due.due,
        received_at=now,
        data=str(due.record.ref),
    )
