"""Sends malformed requests over raw sockets, several at a time, and keeps what came back.

Must not know what the requests are about, or who answers them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from tests.hostile.malformed import CLOSED, Malformed

PATIENCE = 10.0
"""Seconds after which a request that has brought nothing counts as hung."""

SENDERS = 4
FILLER = b"x" * 65_536


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one request brought: the status of every answer, and how long all of them took."""

    request: Malformed
    statuses: tuple[int, ...]
    seconds: float
    hung: bool = False
    pushed: int = 0

    @property
    def as_allowed(self) -> bool:
        return not self.hung and set(self.statuses) <= self.request.allowed


@dataclass(slots=True)
class Sent:
    """How much filler has gone out."""

    filler: int = 0


class Sender:
    """One sender, with one connection at a time."""

    def __init__(self, port: int, patience: float = PATIENCE) -> None:
        self._port = port
        self._patience = patience
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: Malformed) -> Outcome:
        """Send it; once more on a new connection, if an older one turns out to be closed."""
        used = self._streams is not None
        if request.alone:
            await self.hang_up()
        outcome = await self._asked(request)
        if used and outcome.statuses == (CLOSED,) and not request.alone:
            outcome = await self._asked(request)
        return outcome

    async def hang_up(self) -> None:
        if self._streams:
            streams, self._streams = self._streams, None
            streams[1].close()
            with suppress(OSError):
                await streams[1].wait_closed()

    async def _asked(self, request: Malformed) -> Outcome:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        begun, sent = time.perf_counter(), Sent()
        statuses: list[int] = []
        writing = asyncio.create_task(self._write(self._streams[1], request, sent))
        try:
            async with asyncio.timeout(self._patience):
                keep = await self._read(self._streams[0], request, statuses)
            hung = False
        except TimeoutError:
            keep, hung = False, True
        seconds = time.perf_counter() - begun
        writing.cancel()
        await asyncio.wait({writing})
        if request.alone or not keep:
            await self.hang_up()
        return Outcome(request, tuple(statuses), seconds, hung, sent.filler)

    async def _write(self, writer: asyncio.StreamWriter, request: Malformed, sent: Sent) -> None:
        with suppress(OSError):
            for piece in request.pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
            while sent.filler < request.filler:
                writer.write(FILLER)
                await writer.drain()
                sent.filler += len(FILLER)
            if request.half_close:
                writer.write_eof()

    async def _read(self, reader: asyncio.StreamReader, request: Malformed, statuses: list[int]) -> bool:
        """Whether the connection can be used again."""
        keep = True
        for _ in range(request.answers):
            try:
                status, keep = await _answer(reader, bodiless=request.bodiless)
            except (OSError, EOFError):
                statuses.append(CLOSED)
                return False
            statuses.append(status)
        return keep


async def _answer(reader: asyncio.StreamReader, *, bodiless: bool) -> tuple[int, bool]:
    """The status of the next answer, and whether the connection stays. Raises OSError, EOFError."""
    while True:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
        status = int(lines[0].split(" ")[1])
        if status >= 200:
            break
    headers = dict(line.split(": ", 1) for line in lines[1:] if line)
    closes = headers.get("connection") == "close" or "content-length" not in headers
    if not bodiless and "content-length" in headers:
        await reader.readexactly(int(headers["content-length"]))
    return status, not closes


async def barrage(port: int, requests: Iterable[Malformed], patience: float = PATIENCE) -> list[Outcome]:
    """All outcomes, in the order in which they came."""
    waiting = iter(requests)
    outcomes: list[Outcome] = []

    async def work() -> None:
        sender = Sender(port, patience)
        for request in waiting:
            outcome = await sender.ask(request)
            outcomes.append(outcome)
        await sender.hang_up()

    async with asyncio.TaskGroup() as group:
        for _ in range(SENDERS):
            group.create_task(work())
    return outcomes
