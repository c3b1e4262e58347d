"""A local LINE and a tiny bot, both served on ephemeral loopback ports, and a clock that tests move."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from linebot.v3.messaging import AsyncApiClient, AsyncMessagingApi, Configuration
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.local_line import FIRST_PERSON
from bot.local_line.platform import LocalLine
from tests.fakes import Calendar
from tests.serving import served


@dataclass
class TinyBot:
    """Takes webhooks: answers each with the next of ``statuses`` (then 200) and keeps what came."""

    statuses: list[int] = field(default_factory=list)
    came: asyncio.Queue[tuple[dict[str, str], bytes]] = field(default_factory=asyncio.Queue)
    on_event: Callable[[dict[str, Any]], Awaitable[None]] | None = None

    async def callback(self, request: Request) -> Response:
        body = await request.body()
        await self.came.put((dict(request.headers), body))
        status = self.statuses.pop(0) if self.statuses else 200
        if status == 200 and self.on_event:
            for event in json.loads(body)["events"]:
                await self.on_event(event)
        return Response(status_code=status)

    async def webhook(self) -> tuple[dict[str, str], bytes]:
        async with asyncio.timeout(5):
            return await self.came.get()

    async def event(self) -> dict[str, Any]:
        _, body = await self.webhook()
        (event,) = json.loads(body)["events"]
        return event


@dataclass
class Running:
    """A local LINE that answers on ``base``, and the means to talk to both of its sides."""

    line: LocalLine
    base: str
    http: httpx.AsyncClient
    bot: TinyBot
    clock: Calendar
    client: AsyncApiClient

    def sdk(self) -> AsyncMessagingApi:
        return AsyncMessagingApi(self.client)

    async def say(self, person: str = FIRST_PERSON, **said: Any) -> dict[str, Any]:
        answer = await self.http.post("/local/say", json={"person": person, **said})
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def reply_token(self, person: str = FIRST_PERSON) -> str:
        """Say something and take the token of the message that reaches the bot."""
        await self.say(person, text="hello")
        while (event := await self.bot.event())["type"] != "message":
            pass
        return event["replyToken"]

    async def reply(self, token: str, *messages: dict[str, Any]) -> httpx.Response:
        return await self.api("POST", "message/reply", {"replyToken": token, "messages": list(messages)})

    async def api(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        given = {"Authorization": f"Bearer {self.line.access_token}", **headers}
        return await self.http.request(method, f"/v2/bot/{path}", json=body, headers=given)

    async def history(self, person: str = FIRST_PERSON) -> list[dict[str, Any]]:
        return (await self.http.get("/local/history", params={"person": person})).json()["bubbles"]

    async def fault(self, **fault: Any) -> None:
        assert (await self.http.post("/local/faults", json=fault)).status_code == 200


Start = Callable[..., AbstractAsyncContextManager[Running]]


@pytest.fixture
def start_line() -> Start:
    """Start a local LINE with a store, a quota, pauses of redelivery; by default in memory and with short pauses."""

    @asynccontextmanager
    async def start(store: Path | None = None, bot: TinyBot | None = None, **options: Any) -> AsyncIterator[Running]:
        tiny, clock = bot or TinyBot(), options.pop("clock", None) or Calendar()
        app = Starlette(routes=[Route("/callback", tiny.callback, methods=["POST"])])
        options = {"redeliver_after": (0.01, 0.02, 0.03), "now": clock, **options}
        async with AsyncExitStack() as stack:
            bot = await stack.enter_async_context(served(app))
            line = LocalLine(store, webhook_url=f"{bot}/callback", **options)
            await line.start()
            stack.push_async_callback(line.close)
            base = await stack.enter_async_context(served(line.app))
            client = AsyncApiClient(Configuration(host=base, access_token=line.access_token))
            stack.push_async_callback(client.close)
            http = await stack.enter_async_context(httpx.AsyncClient(base_url=base, trust_env=False, verify=False))
            yield Running(line, base, http, tiny, clock, client)

    return start


@pytest.fixture
async def running(start_line: Start) -> AsyncIterator[Running]:
    async with start_line() as started:
        yield started
