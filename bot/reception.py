"""What comes in is admitted, stored, and its lane woken: all that happens before a delivery is acknowledged.

Must not know how it came in, what it means, or who will work on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.gate import Gate
from bot.inbox_ports import InboxPort
from bot.outage import Outage
from bot.ports import IncomingMessage, LaneId
from bot.voice.second_thoughts import asks_to_stop
from tools.record import StoreUnavailable

MOST_TOGETHER = 64
"""Deliveries that share one commit."""

AGAIN_SECONDS = 0.2
"""Before the one repeat of a commit that failed."""


@dataclass(frozen=True, slots=True)
class _Delivery:
    messages: Sequence[IncomingMessage]
    stored: asyncio.Future[None]


class Reception:
    """Receives messages. What comes in while a commit is being made shares the next one: a disk takes a few hundred
    commits a second, and any number of rows."""

    def __init__(
        self,
        inbox: InboxPort,
        gate: Gate,
        wake: Callable[[LaneId], None],
        outage: Outage,
        fetch: Callable[[Sequence[IncomingMessage]], None] = lambda _: None,
    ) -> None:
        self._inbox = inbox
        self._fetch = fetch
        self._gate = gate
        self._wake = wake
        self._outage = outage
        self._waiting: list[_Delivery] = []
        self._storing: asyncio.Task[None] | None = None
        self._telling: set[asyncio.Task[None]] = set()

    async def receive(self, messages: Sequence[IncomingMessage]) -> None:
        """Returns when everything is stored. Whoever stops waiting does not stop the storing: what is stored too late
        to be acknowledged wakes its lane all the same."""
        delivery = _Delivery(messages, asyncio.get_running_loop().create_future())
        self._waiting.append(delivery)
        if self._storing is None or self._storing.done():
            self._storing = asyncio.create_task(self._store_all())
        await asyncio.shield(delivery.stored)

    async def _store_all(self) -> None:
        while self._waiting:
            together, self._waiting = self._waiting[:MOST_TOGETHER], self._waiting[MOST_TOGETHER:]
            await self._store(together)

    async def _store(self, together: Sequence[_Delivery]) -> None:
        messages = [message for each in together for message in each.messages]
        try:
            admitted = [_with_its_wish(await self._gate.admit(each)) for each in messages]
            lanes = await self._put(admitted)
        except Exception as trouble:  # noqa: BLE001 - whoever waits is told
            if len(together) > 1 and not isinstance(trouble, StoreUnavailable):
                for each in together:  # what cannot be stored takes nothing else with it
                    await self._store([each])
                return
            self._refuse(together, messages, trouble)
        else:
            self._outage.over()
            for delivery in together:
                delivery.stored.set_result(None)
            self._fetch(admitted)
            for lane in lanes:
                self._wake(lane)

    async def _put(self, messages: Sequence[IncomingMessage]) -> list[LaneId]:
        """Once more before anyone is told: one broken connection is no outage, and a message is stored once."""
        try:
            return await self._inbox.put(messages)
        except StoreUnavailable:
            await asyncio.sleep(AGAIN_SECONDS)
            return await self._inbox.put(messages)

    def _refuse(self, together: Sequence[_Delivery], messages: Sequence[IncomingMessage], trouble: Exception) -> None:
        for delivery in together:
            delivery.stored.set_exception(trouble)
            delivery.stored.exception()  # seen, even if nobody waits any more
        telling = asyncio.create_task(self._outage.tell(messages))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)


def _with_its_wish(message: IncomingMessage) -> IncomingMessage:
    """Marked if it says to stop: what is being done hears that at once, not behind itself."""
    says_so = message.kind == "text" and message.answerable and asks_to_stop(message.text)
    return replace(message, stops=True) if says_so else message
