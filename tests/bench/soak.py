"""A long day in short: turns for half an hour while every twentieth call to LINE and to the model goes wrong.

``python tests/bench/soak.py --minutes 30`` prints a line a minute: memory, descriptors and the age of the oldest
waiting message must stay flat, and at the end nothing may wait. Faults: 500, 429, HTML, a broken connection, silence.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import aiohttp
from aiohttp import web

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.serving import OWNERS, Bot, StandIns, delivery, event  # noqa: E402 - the path comes first

PEOPLE = OWNERS[:5]
SILENCE_SECONDS = 8.0


class Faulty(StandIns):
    """The stand-ins, of whose answers a share goes wrong."""

    def __init__(self, share: float, dice: random.Random) -> None:
        super().__init__()
        self.share = share
        self.dice = dice
        self.faults: Counter[str] = Counter()

    async def reply(self, request: web.Request) -> web.StreamResponse:
        return await self._fault(request) or await super().reply(request)

    async def loading(self, request: web.Request) -> web.StreamResponse:
        return await self._fault(request) or await super().loading(request)

    async def model(self, request: web.Request) -> web.StreamResponse:
        return await self._fault(request) or await super().model(request)

    async def _fault(self, request: web.Request) -> web.Response | None:
        if self.dice.random() >= self.share:
            return None
        kind = self.dice.choice(["500", "429", "html", "broken", "silence"])
        self.faults[kind] += 1
        match kind:
            case "500" | "429":
                return web.json_response({"message": "made up", "error": {"message": "made up"}}, status=int(kind))
            case "html":
                return web.Response(text="<html>gateway</html>", content_type="text/html", status=502)
            case "broken":
                assert request.transport is not None
                request.transport.abort()
            case _:
                await asyncio.sleep(SILENCE_SECONDS)
        return web.Response(status=504)


async def soak(minutes: float, rate: float, share: float, seed: int) -> int:
    line = Faulty(share, random.Random(seed))
    said = 0
    async with line.serving() as address, aiohttp.ClientSession(trust_env=False) as http:
        with tempfile.TemporaryDirectory() as folder:
            bot = Bot(Path(folder), address)
            await bot.start(http)
            print("minute   said   RSS MB   descriptors   oldest waiting s   replies   faults")
            began = time.monotonic()
            for minute in range(1, int(minutes) + 1):
                while time.monotonic() < began + minute * 60:
                    await delivered(http, bot, delivery([event(said, owner=PEOPLE[said % len(PEOPLE)])]), line)
                    said += 1
                    await asyncio.sleep(max(0.0, began + said / rate - time.monotonic()))
                print(f"{minute:6}{said:7}{bot.rss:9.1f}{descriptors(bot):14}{await waiting(http, bot)!s:>19}", end="")
                print(f"{len(line.replied):10}{line.faults.total():9}", flush=True)
            line.share = 0
            left = await settled(http, bot)
            print(f"a minute later nothing waits: {left is None}   faults: {dict(line.faults)}")
            await bot.stop()
    return int(left is not None)


async def delivered(http: aiohttp.ClientSession, bot: Bot, signed: tuple[bytes, dict[str, str]], line: Faulty) -> None:
    """As often as it takes: LINE comes again after a 503, which a disk that others use as well may cause."""
    body, headers = signed
    while True:
        async with http.post(f"{bot.base}/callback", data=body, headers=headers) as answer:
            if answer.status == 200:
                return
            assert answer.status == 503, answer.status
        line.faults["not stored in time"] += 1
        await asyncio.sleep(1)


def descriptors(bot: Bot) -> int:
    return len(list(Path(f"/proc/{bot.process.pid}/fd").iterdir()))


async def waiting(http: aiohttp.ClientSession, bot: Bot) -> float | None:
    async with http.get(f"{bot.base}/healthz") as answer:
        age: float | None = (await answer.json())["oldest_waiting_seconds"]
        return age


async def settled(http: aiohttp.ClientSession, bot: Bot) -> float | None:
    for _ in range(60):
        if (age := await waiting(http, bot)) is None:
            return None
        await asyncio.sleep(1)
    return age


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=3, help="messages a second")
    parser.add_argument("--share", type=float, default=0.05, help="of calls that go wrong")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    sys.exit(asyncio.run(soak(chosen.minutes, chosen.rate, chosen.share, chosen.seed)))
