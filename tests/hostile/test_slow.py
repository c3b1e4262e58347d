"""Hundreds of callers who never finish what they began: cut off in time, and nobody else notices them.

All of it: they also meet a bot in a process of its own, whose deadlines are real, and that takes a quarter of a minute.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Sequence
from contextlib import asynccontextmanager

import httpx
import pytest

from bot.ports import IncomingMessage
from bot.uvicorn_server import HEAD_SECONDS
from bot.web import READ_SECONDS, create_web
from tests.bot_process import LINE_ON, SECRET, running
from tests.fakes import NOON
from tests.hostile.malformed import head
from tests.hostile.slow import BODIES, HEADS, Slow, all_closed, seconds_until_closed
from tests.serving import served
from tests.thorough import THOROUGH

SHORT = 0.4
LENGTHS = ["short", "real"] if THOROUGH else ["short"]


async def nothing_is_received(messages: Sequence[IncomingMessage]) -> None:
    raise AssertionError(messages)


async def fine() -> dict[str, str]:
    return {"status": "ok"}


@asynccontextmanager
async def receiver(**deadlines: float):
    """The receiver's port; everything that is slow has a short deadline."""
    web = create_web(
        secrets=[SECRET], receive=nothing_is_received, health=fine, home="", now=lambda: NOON, read_seconds=SHORT
    )
    async with served(web, **{"head_seconds": SHORT, **deadlines}) as address:
        yield int(address.rsplit(":", 1)[1])


async def health_while(port: int, busy: asyncio.Task[list[float]]) -> list[float]:
    """Seconds that /healthz took, asked again and again for as long as something else goes on."""
    taken = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, verify=False) as http:
        while not busy.done():
            begun = time.perf_counter()
            assert (await http.get("/healthz")).status_code == 200
            taken.append(time.perf_counter() - begun)
            await asyncio.wait({busy}, timeout=0.02)
    return sorted(taken)


@pytest.mark.parametrize("length", LENGTHS)
async def test_slow_heads_and_slow_bodies_are_cut_off_while_others_are_served(tmp_path, length):
    heads, bodies = itertools.cycle(HEADS), itertools.cycle(BODIES)
    callers = [*itertools.islice(heads, 400), *itertools.islice(bodies, 50)]
    limit, others = (15.0, running(tmp_path, **LINE_ON)) if length == "real" else (5.0, receiver(head_seconds=1.5))
    async with others as bot:
        port = bot if isinstance(bot, int) else bot.port
        attack = asyncio.create_task(all_closed(port, callers, limit / 10))
        health = await health_while(port, attack)
        closed = attack.result()
    p99 = health[len(health) * 99 // 100]
    print(f"\n{length}: {len(closed)} slow callers closed within {max(closed):.1f} s; /healthz p99 {p99 * 1000:.1f} ms")

    assert max(closed) < limit
    assert length == "short" or p99 < 0.1


def test_the_real_deadlines_are_ten_seconds():
    assert (HEAD_SECONDS, READ_SECONDS) == (10, 10)


@pytest.mark.parametrize("caller", [*HEADS, *BODIES], ids=range(len(HEADS) + len(BODIES)))
async def test_no_way_of_being_slow_outlives_the_deadline(caller):
    async with receiver() as port:
        assert SHORT * 0.5 < await seconds_until_closed(port, caller, SHORT / 10) < SHORT + 2


async def test_a_connection_on_which_nothing_more_is_asked_is_closed():
    async with receiver(head_seconds=30, idle_seconds=1) as port:
        asked = Slow(head(ask=b"GET /healthz HTTP/1.1"), drips=False)
        assert 0.9 < await seconds_until_closed(port, asked, 1) < 5


async def test_a_request_in_time_after_a_pause_is_answered():
    async with (
        receiver() as port,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, verify=False) as http,
    ):
        for _ in range(4):
            assert (await http.get("/healthz")).status_code == 200
            await asyncio.sleep(SHORT * 0.4)  # together more than the deadline: each request has its own
