"""How the work grows with processes on PostgreSQL, and how fast events are accepted while work goes on.

``SECRETARY_TEST_POSTGRES=postgresql://… python tests/bench/workers.py`` prints one table. LINE, the model and the
clients live in this process, and share the machine with the bots and the server: quote medians, and name the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bot.main import utc_now
from bot.ports import ChatId, IncomingMessage
from bot.procrastinate_bell import ProcrastinateBell
from bot.sql.inbox import SqlInbox
from tests.bench.serving import OWNERS, StandIns, delivery, event, in_front_of, load, one_turn, shares
from tests.postgres.house import Process
from tests.postgres.schema import schema_of_its_own
from tools.database import Database
from tools.record import PersonId

TALKERS = {0.0: 64, 0.5: 160}
"""People who each say the next thing soon after they were answered, by the seconds a model thinks."""

READ_SECONDS = 0.1
"""Before the next thing is said: every turn is claimed, rung for and given back."""

RATES = (100, 150, 200, 250, 300, 400, 500, 650, 800, 1000)
MOST_MS = 50.0
NUMBER = re.compile(rb"No\. (\d+)")


class Timed(StandIns):
    """Also knows when LINE was first told that a chat's answer is being made, and when the model was first asked."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: dict[str, float] = {}
        self.asked: dict[int, float] = {}
        self.think = 0.0

    async def loading(self, request: web.Request) -> web.Response:
        self.shown[(await request.json())["chatId"]] = time.perf_counter()
        return await super().loading(request)

    async def model(self, request: web.Request) -> web.Response:
        if found := NUMBER.findall(await request.read()):
            self.asked.setdefault(int(found[-1]), time.perf_counter())
        await asyncio.sleep(self.think)
        return await super().model(request)


def settings(address: str, store: str) -> dict[str, str]:
    return in_front_of(address, store) | {"SECRETARY_OWNERS": ",".join(OWNERS)}


@asynccontextmanager
async def started(folder: Path, commands: Sequence[str], **known: str) -> AsyncIterator[list[Process]]:
    async with AsyncExitStack() as stack:
        processes = []
        for number, command in enumerate(commands):
            process = Process(folder / f"{command}-{number}", command, **known)
            await process.start()
            stack.push_async_callback(process.stop)
            processes.append(process)
        yield processes


# ── how it grows ──────────────────────────────────────────────────────────────────────────────────────────────────


class Crowd:
    """People who talk through the inbox, as a web process puts them there: commit, then ring."""

    def __init__(self, line: StandIns, inbox: SqlInbox, bell: ProcrastinateBell) -> None:
        self._line = line
        self._inbox = inbox
        self._bell = bell
        self._numbers = count()
        self.answered = 0

    async def talk(self, person: str) -> None:
        while True:
            number = next(self._numbers)
            token = f"crowd-{number}"
            waiter = self._line.waiters[token] = asyncio.Event()
            message = IncomingMessage(
                id=f"01CROWD{number:019}",
                kind="text",
                chat=ChatId(person),
                chat_kind="user",
                person=PersonId(person),
                occurred_at=utc_now(),
                received_at=utc_now(),
                reply_token=token,
                text="午餐 120",
            )
            for lane in await self._inbox.put([message]):
                self._bell.ring(lane)
            await waiter.wait()
            self.answered += 1
            await asyncio.sleep(READ_SECONDS)


async def turns_a_second(folder: Path, address: str, line: Timed, workers: int, seconds: float) -> tuple[float, float]:
    """Turns a second of all workers together, and the milliseconds of processor time that one takes them."""
    with schema_of_its_own() as url:
        async with started(folder, ["worker"] * workers, **settings(address, url)) as processes:
            database = Database(url)
            await database.start()
            bell = ProcrastinateBell(url, _nobody, many=1)
            bell.rest()
            crowd = Crowd(line, SqlInbox(database, utc_now), bell)
            tasks = [asyncio.create_task(bell.keep())]
            tasks += [asyncio.create_task(crowd.talk(person)) for person in OWNERS[: TALKERS[line.think]]]
            await asyncio.sleep(6)  # first contacts, first connections
            before, began = crowd.answered, time.perf_counter()
            used = await busy(processes, seconds)
            answered = crowd.answered - before
            rate = answered / (time.perf_counter() - began)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await database.close()
    return rate, 10 * sum(used) * seconds / max(answered, 1)


async def _nobody(_: object) -> None:
    """The crowd only rings."""


# ── accepting while work goes on ──────────────────────────────────────────────────────────────────────────────────


async def with_work(http: aiohttp.ClientSession, bot: Any, rate: float, turns: float, seconds: float) -> list[float]:
    """Milliseconds to each 200: so many requests a second, of which ``turns`` are to be answered."""
    asked, listened = await asyncio.gather(
        load(http, bot, turns, seconds, "active"), load(http, bot, rate - turns, seconds, "standby")
    )
    return [*asked, *listened]


async def highest_rate(http: aiohttp.ClientSession, bot: Any, turns: float, seconds: float) -> float:
    best = 0.0
    for rate in RATES:
        took = await with_work(http, bot, rate, turns, seconds)
        await asyncio.sleep(2)
        if statistics.quantiles(took, n=100)[98] >= MOST_MS:
            break
        best = rate
    return best


async def first_step(http: aiohttp.ClientSession, bot: Any, line: Timed, turns: int) -> tuple[list[float], list[float]]:
    """Milliseconds from a 200 until LINE is shown that work goes on, and until the model is asked."""
    shown, asked = [], []
    line.asked.clear()
    for number in range(turns):
        said = event(number)
        said["message"]["text"] = f"午餐 120 No. {number}"
        waiter = line.waiters[said["replyToken"]] = asyncio.Event()
        body, headers = delivery([said])
        async with http.post(f"{bot.base}/callback", data=body, headers=headers) as answer:
            await answer.read()
        accepted = time.perf_counter()
        await asyncio.wait_for(waiter.wait(), 10)
        shown.append((line.shown[said["source"]["userId"]] - accepted) * 1000)
        asked.append((line.asked[number] - accepted) * 1000)
    return shown, asked


# ── processor time ────────────────────────────────────────────────────────────────────────────────────────────────


def ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


async def busy(processes: Sequence[Process], seconds: float) -> list[float]:
    """Percent of one core that each takes meanwhile."""
    before = [ticks(process.pid) for process in processes]
    await asyncio.sleep(seconds)
    hertz = os.sysconf("SC_CLK_TCK")
    return [(ticks(p.pid) - earlier) / hertz / seconds * 100 for p, earlier in zip(processes, before, strict=True)]


async def one_store(
    name: str, store: str, folder: Path, commands: Sequence[str], address: str, line: Timed, chosen: argparse.Namespace
) -> None:
    async with (
        started(folder, commands, **settings(address, store)) as processes,
        aiohttp.ClientSession(trust_env=False) as http,
    ):
        bot: Any = processes[0]
        await asyncio.sleep(8)  # the SDKs are imported
        percents = await busy(processes, chosen.seconds)
        told = ", ".join(f"{p.command_name} {each:.2f}" for p, each in zip(processes, percents, strict=True))
        print(f"{name}: idle CPU (% of a core)              {told}")
        for number in range(len(OWNERS)):
            await one_turn(http, bot, line, number)  # a first contact asks for the profile: measured apart
        shown, asked = await first_step(http, bot, line, 200)
        print(f"{name}: accept to first step, LINE (ms)     {shares(shown)}")
        print(f"{name}: accept to first step, model (ms)    {shares(asked)}")
        took = await with_work(http, bot, 200, chosen.turns, chosen.long)
        print(f"{name}: accept at 200/s, {chosen.turns:.0f} turns/s (ms)   {shares(took)}")
        await asyncio.sleep(5)  # a backlog is worked off
        best = await highest_rate(http, bot, chosen.turns, chosen.seconds)
        print(f"{name}: highest rate with p99 < {MOST_MS:.0f} ms      {best:7.0f}/s, {chosen.turns:.0f} of it turns")


async def measure(chosen: argparse.Namespace) -> None:
    line = Timed()
    async with line.serving() as address:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            for line.think in TALKERS:
                for workers in chosen.workers:
                    runs = []
                    for run in range(chosen.runs):
                        (here := folder / f"grow-{line.think}-{workers}-{run}").mkdir()
                        runs.append(await turns_a_second(here, address, line, workers, chosen.seconds))
                    rate, used = (statistics.median(column) for column in zip(*runs, strict=True))
                    asked = f"a model of {line.think} s, {workers} workers"
                    print(f"turns/s, {asked}          {rate:7.1f}   {used:.1f} ms of CPU each", flush=True)
            line.think = 0.0
            (sqlite := folder / "sqlite").mkdir()
            await one_store("SQLite", f"sqlite:///{sqlite / 'bench.db'}", sqlite, ["serve"], address, line, chosen)
            for name, commands in (("PostgreSQL", ["serve"]), ("PostgreSQL + worker", ["serve", "worker"])):
                (here := folder / name).mkdir()
                with schema_of_its_own() as url:
                    await one_store(name, url, here, commands, address, line, chosen)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement but the long one")
    parser.add_argument("--long", type=float, default=60, help="seconds of accepting at 200 requests a second")
    parser.add_argument("--turns", type=float, default=10, help="messages a second to be answered meanwhile")
    parser.add_argument("--runs", type=int, default=3, help="of each number of workers")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    asyncio.run(measure(parser.parse_args()))
