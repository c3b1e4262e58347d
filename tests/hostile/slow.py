"""Callers who take their time: they hold a connection open, and never finish what they began to say.

Must not know who waits for them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from tests.hostile.malformed import head, signed

PATIENCE = 60.0
"""A caller who is not cut off by then never is."""


@dataclass(frozen=True, slots=True)
class Slow:
    """What is said at once, and whether single bytes follow: for as long as the connection stands, or none at all."""

    first: bytes
    drips: bool = True


ASKED = head(b"Content-Length: 0")
HEADS = (
    Slow(b"", drips=False),
    Slow(b"POST /callback HTTP/1.1\r\nHost: bot.example\r\n", drips=False),
    Slow(b"POST /callback HTTP/1.1\r\nX-Slow: "),
    Slow(b"P"),
    Slow(ASKED + b"POST /callback HTTP/1.1\r\nX-Slow: "),
    Slow(head(ask=b"GET /healthz HTTP/1.1") + b"G"),
)
BODIES = (
    Slow(head(signed(b"x"), b"Content-Length: 1000") + b"{"),
    Slow(head(signed(b"x"), b"Content-Length: 1000") + b"{", drips=False),
    Slow(head(b"Content-Length: 1000") + b"{"),  # unsigned: refused at once, and not believed that it will end
    Slow(head(signed(b"x"), b"Transfer-Encoding: chunked") + b"fff\r\n{"),
    Slow(head(b"Content-Length: 1000", ask=b"POST /nowhere HTTP/1.1") + b"{"),
)


async def seconds_until_closed(port: int, caller: Slow, pause: float) -> float:
    """How long this caller holds a connection open, with a byte every so many seconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    begun = time.monotonic()
    dripping = asyncio.create_task(_drip(writer, caller, pause))
    try:
        async with asyncio.timeout(PATIENCE):
            with suppress(OSError):
                await reader.read()
        return time.monotonic() - begun
    finally:
        dripping.cancel()
        await asyncio.wait({dripping})
        writer.close()


async def _drip(writer: asyncio.StreamWriter, caller: Slow, pause: float) -> None:
    with suppress(OSError):
        writer.write(caller.first)
        await writer.drain()
        while caller.drips:
            await asyncio.sleep(pause)
            writer.write(b"x")
            await writer.drain()


async def all_closed(port: int, callers: Sequence[Slow], pause: float) -> list[float]:
    """The seconds until each of them, all at once but not in step, was cut off."""
    paces = [pause * (0.5 + each / len(callers)) for each in range(len(callers))]
    return await asyncio.gather(*(seconds_until_closed(port, *each) for each in zip(callers, paces, strict=True)))
