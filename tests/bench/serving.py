"""How fast the whole bot is: start, accepting, turns, memory. Everything on loopback, the bot as its own process.

``python tests/bench/serving.py`` prints one table. LINE and the model are instant stand-ins inside this process; the
bot's own work, and the disk's, is what is measured. Machines are noisy: quote medians of several runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bot.demo import two_free_ports
from bot.local_line.events import event as line_event
from bot.local_line.events import signature, text_content, webhook_body

ROOT = Path(__file__).resolve().parents[2]
SECRET = "bench-secret-0123456789"
OWNERS = [f"U{number:032x}" for number in range(200)]


class StandIns:
    """LINE's reply endpoint and a model that makes one record per turn, both instant."""

    def __init__(self) -> None:
        self.replied: dict[str, float] = {}
        self.waiters: dict[str, asyncio.Event] = {}
        self.first_request = b""

    async def reply(self, request: web.Request) -> web.Response:
        token = (await request.json())["replyToken"]
        self.replied[token] = time.perf_counter()
        if waiter := self.waiters.pop(token, None):
            waiter.set()
        return web.json_response({"sentMessages": [{"id": "1"}]})

    async def loading(self, _request: web.Request) -> web.Response:
        return web.json_response({}, status=202)

    async def profile(self, _request: web.Request) -> web.Response:
        return web.json_response({"userId": OWNERS[0], "displayName": "x", "language": "zh-Hant"})

    async def model(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.first_request = self.first_request or body
        last = json.loads(body)["messages"][-1]
        message: dict[str, Any] = {"role": "assistant", "content": "好"}
        if last["role"] == "user":
            arguments = '{"content":"午餐","type":"expense","amount":120}'
            call = {"id": "c1", "type": "function", "function": {"name": "create_record", "arguments": arguments}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        choice = {"index": 0, "message": message, "finish_reason": finish}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return web.json_response(
            {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        )

    @asynccontextmanager
    async def serving(self):
        app = web.Application()
        app.router.add_post("/v2/bot/message/reply", self.reply)
        app.router.add_post("/v2/bot/chat/loading/start", self.loading)
        app.router.add_get("/v2/bot/profile/{id}", self.profile)
        app.router.add_post("/v1/chat/completions", self.model)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()


def in_front_of(address: str, store: str) -> dict[str, str]:
    """The settings of a bot that takes the stand-ins at this address for LINE and a model."""
    return {
        "DATABASE_URL": store,
        "LINE_CHANNEL_SECRET": SECRET,
        "LINE_CHANNEL_ACCESS_TOKEN": "token-of-the-stand-ins",
        "LINE_API_BASE": address,
        "OPENAI_BASE_URL": f"{address}/v1",
        "OPENAI_API_KEY": "key-of-the-stand-ins",
    }


class Bot:
    """The measured process."""

    def __init__(self, folder: Path, address: str) -> None:
        port = two_free_ports()
        self.base = f"http://127.0.0.1:{port}"
        self.folder = folder
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
            "PYTHONPATH": str(ROOT),
            "PORT": str(port),
            "HOST": "127.0.0.1",
            **in_front_of(address, f"sqlite:///{folder / 'bench.db'}"),
            "SECRETARY_OWNERS": ",".join(OWNERS),
            "LOG_LEVEL": "WARNING",
        }

    async def start(self, http: aiohttp.ClientSession) -> float:
        """Seconds until the first 200 of a signed webhook."""
        began = time.perf_counter()
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot"), cwd=self.folder, env=self.environment
        )
        body, headers = delivery([])
        while True:
            try:
                async with http.post(f"{self.base}/callback", data=body, headers=headers) as answer:
                    if answer.status == 200:
                        return time.perf_counter() - began
            except aiohttp.ClientError:
                if self.process.returncode is not None:
                    raise SystemExit("the bot ended") from None
                await asyncio.sleep(0.005)

    async def stop(self) -> None:
        self.process.terminate()
        await self.process.wait()

    @property
    def rss(self) -> float:
        """MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


def event(number: int, *, mode: str = "active", owner: str | None = None) -> dict[str, Any]:
    person = owner or OWNERS[number % len(OWNERS)]
    return spoken(number, person, "午餐 120", int(time.time() * 1000)) | {"mode": mode}


def spoken(number: int, person: str, words: str, at: int) -> dict[str, Any]:
    """The event of something said in words; ``at`` in milliseconds."""
    said = {"id": str(number), "quoteToken": "q", **text_content(words)}
    return line_event("message", person, at, message=said)


def delivery(events: Sequence[dict[str, Any]]) -> tuple[bytes, dict[str, str]]:
    body = webhook_body("U0", events)
    return body, {"x-line-signature": signature(SECRET, body), "content-type": "application/json"}


async def load(http: aiohttp.ClientSession, bot: Bot, rate: float, seconds: float, mode: str) -> list[float]:
    """Milliseconds from the due time of each webhook to its 200 (open loop)."""
    took: list[float] = []

    async def post(number: int, due: float) -> None:
        body, headers = delivery([event(number, mode=mode)])
        async with http.post(f"{bot.base}/callback", data=body, headers=headers) as answer:
            assert answer.status == 200, answer.status
        took.append((time.perf_counter() - due) * 1000)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(int(rate * seconds)):
            due = began + number / rate
            await asyncio.sleep(max(0, due - time.perf_counter()))
            group.create_task(post(number, due))
    return took


async def one_turn(http: aiohttp.ClientSession, bot: Bot, line: StandIns, number: int) -> float:
    """Milliseconds from a webhook to the reply it brings."""
    said = event(number)
    waiter = line.waiters[said["replyToken"]] = asyncio.Event()
    body, headers = delivery([said])
    began = time.perf_counter()
    async with http.post(f"{bot.base}/callback", data=body, headers=headers):
        pass
    await asyncio.wait_for(waiter.wait(), 10)
    return (line.replied[said["replyToken"]] - began) * 1000


def shares(values: Sequence[float]) -> str:
    cuts = statistics.quantiles(values, n=100)
    return f"p50 {cuts[49]:7.1f}   p95 {cuts[94]:7.1f}   p99 {cuts[98]:7.1f}   max {max(values):7.1f}"


async def measure(turns: int, seconds: float) -> None:
    line = StandIns()
    async with line.serving() as address, aiohttp.ClientSession(trust_env=False) as http:
        with tempfile.TemporaryDirectory() as folder:
            bot = Bot(Path(folder), address)
            print(f"start to first 200, new database (s)      {await bot.start(http):7.2f}")
            await bot.stop()
            print(f"start to first 200, known database (s)    {await bot.start(http):7.2f}")
            await asyncio.sleep(3)
            print(f"RSS at rest (MB)                          {bot.rss:7.1f}")
            print(f"accept only, 100/s (ms)         {shares(await load(http, bot, 100, seconds, 'standby'))}")
            for number in range(len(OWNERS)):
                await one_turn(http, bot, line, number)  # a first contact asks for the profile: measured apart
            alone = [await one_turn(http, bot, line, number) for number in range(100)]
            print(f"one turn, webhook to reply (ms) {shares(alone)}")
            for rate in (25, 40, 50):
                took = await load(http, bot, rate, seconds, "active")
                print(f"accept, each a turn, {rate}/s (ms)  {shares(took)}")
                await asyncio.sleep(3)  # a backlog is worked off
            done = len(line.replied)
            for number in range(max(0, turns - done)):
                await one_turn(http, bot, line, number)
            print(f"RSS after {len(line.replied):5} turns (MB)               {bot.rss:7.1f}")
            for number in range(turns):
                await one_turn(http, bot, line, number)
            print(f"RSS after {len(line.replied):5} turns (MB)               {bot.rss:7.1f}")
            print(f"first model request (bytes)               {len(line.first_request):7}")
            await bot.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=10)
    chosen = parser.parse_args()
    asyncio.run(measure(chosen.turns, chosen.seconds))
