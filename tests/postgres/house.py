"""A house of several processes on one PostgreSQL, with LINE and a model in front of it that remember everything.

Must not know what is tested.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web
from sqlalchemy import NullPool, create_engine, text

from tests.bench.serving import StandIns, delivery, in_front_of, spoken
from tests.bot_process import BotProcess
from tools.database import address_of

WISH = re.compile(r"第\d+件")
"""What people say here; each is one record."""

MOST_CALLS = 16
"""A model that asks for more in one answer does not get it."""


class Outside(StandIns):
    """LINE, whose reply tokens work once, and a model that records every wish of a message, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.said: dict[str, str] = {}
        self.tried: dict[str, int] = defaultdict(int)
        self.thinking = 0
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def reply(self, request: web.Request) -> web.Response:
        body = await request.json()
        token = body["replyToken"]
        self.tried[token] += 1
        if token in self.said:
            return web.json_response({"message": "Invalid reply token"}, status=400)
        self.said[token] = "\n".join(each.get("text") or each["altText"] for each in body["messages"])
        self.replied[token] = time.perf_counter()
        return web.json_response({"sentMessages": [{"id": "1"}]})

    async def model(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.thinking += 1
        await self.go_on.wait()
        calls = [create(wish) for wish in _not_yet_asked_for(body["messages"])[:MOST_CALLS]]
        message = {"role": "assistant", "content": None if calls else "好", "tool_calls": calls or None}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return web.json_response(
            {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        )

    def times_told(self, wish: str) -> int:
        """How many replies spoke of this wish."""
        return sum(bool(re.search(rf"{wish}(?!\d)", words)) for words in self.said.values())


def create(wish: str) -> dict[str, Any]:
    arguments = json.dumps({"content": wish, "type": "task"}, ensure_ascii=False)
    return {"id": f"c{wish}", "type": "function", "function": {"name": "create_record", "arguments": arguments}}


def _not_yet_asked_for(messages: Sequence[dict[str, Any]]) -> list[str]:
    """The wishes of the newest message of a person, without those for which a tool was called since."""
    newest = max(at for at, message in enumerate(messages) if message["role"] == "user")
    called = WISH.findall(json.dumps([each.get("tool_calls") for each in messages[newest:]], ensure_ascii=False))
    return [wish for wish in WISH.findall(messages[newest]["content"]) if wish not in called]


class Process(BotProcess):
    """One of the processes, by the command it runs."""

    def __init__(self, folder: Path, command: str, **settings: str) -> None:
        folder.mkdir()
        super().__init__(folder, **settings)
        self.command_name = command

    async def start(self) -> None:
        await self._launch(self.command_name)
        await until(lambda: "The secretary is here" in self.log.read_text() or self.over, 60)
        assert not self.over, self.log.read_text()

    @property
    def over(self) -> bool:
        return self.process is not None and self.process.returncode is not None

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)


class House:
    """Web processes and workers on one store."""

    def __init__(self, url: str, outside: Outside, http: aiohttp.ClientSession) -> None:
        self.url = url
        self.outside = outside
        self.http = http
        self.webs: list[Process] = []
        self.workers: list[Process] = []

    @property
    def processes(self) -> list[Process]:
        return [*self.webs, *self.workers]

    async def post(self, events: Sequence[dict[str, Any]], *, to: int = 0) -> None:
        """Deliver until it is acknowledged, as LINE does."""
        body, headers = delivery(events)
        for _ in range(10):
            async with self.http.post(f"{self.webs[to].base}/callback", data=body, headers=headers) as answer:
                if answer.status == 200:
                    return
                assert answer.status == 503, answer.status
            await asyncio.sleep(0.2)
        raise AssertionError("never acknowledged")

    def sql(self, words: str) -> list[tuple[Any, ...]]:
        engine = create_engine(address_of(self.url), poolclass=NullPool)
        with engine.begin() as connection:
            return [tuple(row) for row in connection.execute(text(words))]

    def lanes_of(self, process: Process) -> set[str]:
        """What this process has claimed."""
        return {lane for lane, worker in self.sql("SELECT lane, worker FROM claim") if f":{process.pid}:" in worker}

    async def settled(self, seconds: float) -> None:
        """Wait until nothing is left to be done."""
        left = "SELECT count(*) FROM inbox WHERE state NOT IN ('delivered', 'ignored')"
        await until(lambda: self.sql(left) == [(0,)], seconds, every=0.1)

    def log_of(self, process: Process) -> str:
        return process.log.read_text()


@asynccontextmanager
async def house(folder: Path, url: str, *, webs: int, workers: int, **settings: str) -> AsyncIterator[House]:
    """Processes that are all started at once on an empty store. At the end each must stop in order, with no traceback
    in its log, unless it was killed."""
    outside = Outside()
    async with outside.serving() as address, aiohttp.ClientSession(trust_env=False) as http:
        known = in_front_of(address, url) | settings
        built = House(url, outside, http)
        built.webs = [Process(folder / f"web-{number}", "serve", **known) for number in range(webs)]
        built.workers = [Process(folder / f"worker-{number}", "worker", **known) for number in range(workers)]
        async with AsyncExitStack() as stack:
            for process in built.processes:
                stack.push_async_callback(_ended, process)
            await asyncio.gather(*(process.start() for process in built.processes))
            yield built
            codes = await asyncio.gather(*(process.stop() for process in built.processes))
        assert set(codes) <= {0, -signal.SIGKILL}, codes
        logs = [built.log_of(process) for process in built.processes]
        assert not [log for log in logs if "Traceback" in log], logs


async def _ended(process: Process) -> None:
    """Whatever happened, nothing is left running."""
    if process.process is not None and not process.over:
        with suppress(ProcessLookupError):
            process.signal(signal.SIGKILL)
        await process.process.wait()


def event(number: int, person: str, words: str) -> dict[str, Any]:
    """The ``number`` orders what is said: a millisecond each."""
    at = int(time.time() * 1000) // 10_000 * 10_000 + number
    return spoken(number, person, words, at) | {"replyToken": f"token-{number}"}


async def until(true: Callable[[], object], seconds: float = 20, *, every: float = 0.03) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 - what is waited for happens in other processes
            await asyncio.sleep(every)


def person(number: int) -> str:
    return f"U{number:032x}"


def persons(count: int) -> Iterable[str]:
    return (person(number) for number in range(count))
