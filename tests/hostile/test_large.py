"""Bodies of 210 MB: refused at the first look, never taken in."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.bot_process import BotProcess
from tests.hostile.barrage import FILLER, Outcome, Sender
from tests.hostile.framing import BIG
from tests.hostile.malformed import CLOSED, Malformed, head

MB = 2**20
ROUNDS = 8
"""A bot that has just been started grows for a while by itself: it loads what it speaks to LINE with."""

CHUNKED, WITH_LENGTH = b"Transfer-Encoding: chunked", b"Content-Length: %d" % BIG


def memory(bot: BotProcess, of: str) -> int:
    """Bytes that the process holds now (VmRSS), or has held at most (VmHWM)."""
    assert bot.process
    said = Path(f"/proc/{bot.process.pid}/status").read_text()
    return int(re.findall(rf"{of}:\s+(\d+) kB", said)[0]) * 1024


def forget_peak(bot: BotProcess) -> None:
    assert bot.process
    Path(f"/proc/{bot.process.pid}/clear_refs").write_text("5")


def body_of_210_mb(*lines: bytes, status: int) -> Malformed:
    chunk = b"%x\r\n" % BIG if CHUNKED in lines else b""
    return Malformed(
        pieces=(head(*lines) + chunk,), allowed=frozenset({status, CLOSED}), signed=False, alone=True, filler=BIG
    )


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux tells of a process's memory")
@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ((b"X-Line-Signature: x", WITH_LENGTH), 413),
        ((b"X-Line-Signature: x", CHUNKED), 413),
        ((WITH_LENGTH,), 413),
        ((CHUNKED,), 400),
    ],
    ids=["with a length", "chunked", "unsigned with a length", "unsigned chunked"],
)
async def test_a_body_of_210_mb_is_refused_and_takes_no_memory(bot, lines, status):
    sent = body_of_210_mb(*lines, status=status)
    first = memory(bot, "VmRSS")
    for _ in range(ROUNDS):
        outcomes, grown = await grown_by(bot, sent)
        if grown <= 10 * MB:
            break
    pushed = max(each.pushed for each in outcomes)
    print(f"\n{[each.statuses for each in outcomes]}, {pushed / MB:.0f} MB pushed, {grown / MB:.1f} MB grown")

    assert all(each.as_allowed for each in outcomes)
    assert any(each.statuses == (status,) for each in outcomes)
    assert grown <= 10 * MB
    assert memory(bot, "VmHWM") - first < 100 * MB


async def grown_by(bot: BotProcess, sent: Malformed) -> tuple[list[Outcome], int]:
    """Three of them at once, and by how many bytes the process was larger meanwhile."""
    forget_peak(bot)
    before = memory(bot, "VmRSS")
    outcomes = await asyncio.gather(*(Sender(bot.port).ask(sent) for _ in range(3)))
    return outcomes, memory(bot, "VmHWM") - before


@pytest.mark.parametrize("lines", [(b"X-Line-Signature: x", WITH_LENGTH), (CHUNKED,)])
async def test_a_caller_who_pushes_on_after_the_refusal_is_cut_off(bot, lines):
    reader, writer = await asyncio.open_connection("127.0.0.1", bot.port)
    writer.write(head(*lines) + (b"%x\r\n" % BIG if CHUNKED in lines else b""))
    begun, pushed = time.monotonic(), 0
    with suppress(OSError):
        while pushed < BIG:
            writer.write(FILLER)
            await writer.drain()
            pushed += len(FILLER)
    writer.close()

    assert pushed < 32 * MB  # what fits into the buffers of two sockets
    assert time.monotonic() - begun < 5
    assert reader.at_eof() or reader.exception()
