"""What every open chat page is shown as it happens: a stream of server-sent events per person.

Must not know what the events mean.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

HEARTBEAT_SECONDS = 15.0
_BACKLOG = 1000


class Screens:
    """The open pages. A page that stops reading is dropped: it comes back and reads the history."""

    def __init__(self) -> None:
        self._open: dict[asyncio.Queue[bytes | None], str] = {}
        self._closed = False

    def show(self, person_id: str | None, kind: str, body: dict[str, Any]) -> None:
        """Show one thing to the pages of a person, or to all for None."""
        written = f"event: {kind}\ndata: {json.dumps(body, ensure_ascii=False)}\n\n".encode()
        for queue, person in list(self._open.items()):
            if person_id in {None, person}:
                self._put(queue, written)

    def _put(self, queue: asyncio.Queue[bytes | None], written: bytes) -> None:
        try:
            queue.put_nowait(written)
        except asyncio.QueueFull:
            del self._open[queue]
            queue.get_nowait()
            queue.put_nowait(None)

    async def watch(self, person_id: str) -> AsyncIterator[bytes]:
        """What a page of this person gets, until either side closes."""
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(_BACKLOG)
        self._open[queue] = person_id
        try:
            yield b"retry: 1000\nevent: open\ndata: {}\n\n"
            while not self._closed:
                written = await self._next(queue)
                if written is None:
                    return
                yield written
        finally:
            self._open.pop(queue, None)

    @staticmethod
    async def _next(queue: asyncio.Queue[bytes | None]) -> bytes | None:
        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                return await queue.get()
        except TimeoutError:
            return b": still here\n\n"

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        for queue in list(self._open):
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(None)
