"""What comes in is admitted, stored, and its lane woken: all that happens before a delivery is acknowledged.

Must not know how it came in, what it means, or who will work on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from bot.gate import Gate
from bot.ports import InboxPort, IncomingMessage, LaneId


class Reception:
    """Receives messages."""

    def __init__(self, inbox: InboxPort, gate: Gate, wake: Callable[[LaneId], None]) -> None:
        self._inbox = inbox
        self._gate = gate
        self._wake = wake
        self._storing: set[asyncio.Task[list[LaneId]]] = set()

    async def receive(self, messages: Sequence[IncomingMessage]) -> None:
        """Returns when everything is stored. Whoever stops waiting does not stop the storing: what is stored too late
        to be acknowledged wakes its lane all the same."""
        storing = asyncio.create_task(self._inbox.put([self._gate.admit(each) for each in messages]))
        self._storing.add(storing)
        storing.add_done_callback(self._stored)
        await asyncio.shield(storing)

    def _stored(self, storing: asyncio.Task[list[LaneId]]) -> None:
        self._storing.discard(storing)
        if not storing.cancelled() and not storing.exception():
            for lane in storing.result():
                self._wake(lane)
