"""Secrets in a whole running bot: in no request to a model, no answer on LINE, no page in Notion, no log; and in a
conversation in which nobody says them, nowhere at all. The audit beside it survives a kill."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.local_line.phone import Phone
from bot.redaction import MARK
from tests.bot_process import OWNER, BotProcess, heard, running
from tests.emulators import notion as notion_emulator
from tests.emulators import openai as openai_emulator
from tests.emulators.notion import Notion
from tests.emulators.openai import KEY, MODEL, Slow, asks, error, says
from tests.redaction_forms import FORMS
from tests.serving import served
from tests.test_redaction import BEYOND
from tools.notion.client import NotionClient
from tools.notion.setup import set_up

CANARIES = {
    "LINE_CHANNEL_SECRET": "8c570fa6dd201bb328f1c1eac23a96d8",
    "LINE_CHANNEL_ACCESS_TOKEN": "Kx9/abCD3fGh1pQ+" * 6 + "=",
    "NOTION_TOKEN": "ntn_12345678901abcdefGhijklmnopQrstuv",
    "OPENAI_API_KEY": KEY,
}
SEEN = FORMS.keys() - BEYOND


@dataclass
class LineSink:
    """What LINE was sent. The first reply is answered with a 500 that tells what it was sent with."""

    bodies: list[str] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, request: Request) -> Response:
        if not request.url.path.endswith("/message/reply"):
            return JSONResponse({})
        first = not self.bodies
        self.bodies.append((await request.body()).decode())
        if first:
            return JSONResponse({"message": f"no: {dict(request.headers)}"}, 500)
        self.arrived.set()
        return JSONResponse({"sentMessages": [{"id": "1", "quoteToken": "q"}]})

    async def reply(self) -> str:
        async with asyncio.timeout(20):
            await self.arrived.wait()
        self.arrived.clear()
        return "\n".join(each.get("text") or each["altText"] for each in json.loads(self.bodies[-1])["messages"])


@dataclass
class House:
    """A bot with everything connected, and what is around it."""

    bot: BotProcess
    sink: LineSink
    model: Any
    notion: Notion
    said: int = 0

    async def says(self, text: str) -> str:
        """Somebody says this in LINE: what is answered."""
        self.said += 1
        event = {
            "type": "message",
            "mode": "active",
            "timestamp": int(time.time() * 1000),
            "source": {"type": "user", "userId": OWNER},
            "webhookEventId": f"01HXXXXXXXXXXXXXXXXXXXX{self.said:03}",
            "deliveryContext": {"isRedelivery": False},
            "replyToken": f"{self.said:032}",
            "message": {"id": str(self.said), "type": "text", "text": text, "quoteToken": "q"},
        }
        body = json.dumps({"destination": "U0", "events": [event]}).encode()
        digest = hmac.new(CANARIES["LINE_CHANNEL_SECRET"].encode(), body, hashlib.sha256).digest()
        headers = {"x-line-signature": base64.b64encode(digest).decode()}
        async with httpx.AsyncClient(trust_env=False, verify=False) as http:
            assert (await http.post(f"{self.bot.base}/callback", content=body, headers=headers)).status_code == 200
        return await self.sink.reply()

    def left_the_house(self) -> dict[str, str]:
        """What went out, each as text without the escapes of JSON, and as it was sent."""
        asked = [request.__dict__ if hasattr(request, "__dict__") else request for request in self.notion.requests]
        return {
            "model": json.dumps(self.model.requests, ensure_ascii=False),
            "LINE": json.dumps([json.loads(each) for each in self.sink.bodies], ensure_ascii=False),
            "LINE as sent": "\n".join(self.sink.bodies),
            "Notion": repr(asked) + repr(self.notion.pages),
            "log": self.bot.log.read_text(),
            "AI log": (self.bot.folder / "ai.jsonl").read_text(),
        }


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with AsyncExitStack() as opened:
        sink, notion = LineSink(), Notion(token=CANARIES["NOTION_TOKEN"])
        line = Starlette(routes=[Route("/{path:path}", sink.take, methods=["GET", "POST"])])
        model = await opened.enter_async_context(openai_emulator.serving())
        pages = await opened.enter_async_context(notion_emulator.serving(notion))
        client = NotionClient(CANARIES["NOTION_TOKEN"], pages)
        source = (await set_up(client, notion.page(), None))[-1].removeprefix("NOTION_DATA_SOURCE_ID=")
        await client.close()
        notion.requests.clear()
        settings = {
            **CANARIES,
            "LINE_API_BASE": await opened.enter_async_context(served(line)),
            "OPENAI_BASE_URL": model.url,
            "OPENAI_MODEL": MODEL,
            "NOTION_BASE_URL": pages,
            "NOTION_DATA_SOURCE_ID": source,
            "SECRETARY_OWNERS": OWNER,
            "AI_LOG_FILE": str(tmp_path / "ai.jsonl"),
            "LOG_LEVEL": "DEBUG",
        }
        bot = await opened.enter_async_context(running(tmp_path, **settings))
        yield House(bot, sink, model, notion)


def found_in(text: str) -> list[tuple[str, str]]:
    """The canaries that can be read in a text, and how."""
    return [(name, form) for name, secret in CANARIES.items() for form in SEEN if FORMS[form](secret) in text]


async def test_where_nobody_says_a_secret_it_is_nowhere_whatever_goes_wrong(house: House):
    lunch = json.dumps({"content": "午餐", "type": "expense", "amount": 120}, ensure_ascii=False)
    told = f"Incorrect API key provided: {KEY}. Find yours at https://keys.example."
    house.model.script(asks(("create_record", lunch)), says("好"), error(401, "invalid_api_key", told))
    assert "午餐 120 元" in await house.says("午餐 120")
    assert await house.says("寫一首很長的詩給我")

    folder = {file.name: file.read_bytes() for file in house.bot.folder.iterdir() if file.is_file()}
    assert {"bot.db", "bot.log", "ai.jsonl"} <= folder.keys()
    for name, content in folder.items():
        assert found_in(content.decode("utf-8", "replace")) == [], name
    for name, text in house.left_the_house().items():
        assert found_in(text) == [], name
    assert "no: {" in house.bot.log.read_text(), "the 500 was told in the log"
    assert "Incorrect API key provided" in (house.bot.folder / "ai.jsonl").read_text()


@pytest.mark.parametrize("name", CANARIES)
async def test_a_secret_that_is_said_does_not_leave_in_any_disguise(house: House, name: str):
    disguised = [FORMS[form](CANARIES[name]) for form in sorted(SEEN)]
    for start in range(0, len(disguised), 8):
        words = "\n".join(f"第 {start + n} 個：{each}" for n, each in enumerate(disguised[start : start + 8]))
        tags = [each for each in disguised[start : start + 8] if len(each) <= 100]
        note = json.dumps({"content": words[:5000], "type": "note", "tags": tags})
        house.model.script(asks(("create_record", note), (CANARIES[name], note)), says(f"好的：{words[:3000]}"))
        answer = await house.says(words[:5000])
        assert MARK in answer, house.bot.log.read_text()
        assert f"第 {start} 個" in answer

    async with asyncio.timeout(20):
        while len(house.notion.pages) < start // 8 + 2:  # noqa: ASYNC110 - another process does it
            await asyncio.sleep(0.1)
    for place, text in house.left_the_house().items():
        assert found_in(text) == [], place
    tools = {tool for (tool,) in house.bot.rows("SELECT tool FROM tool_call")}
    assert tools == {"create_record", "?"}


async def test_after_a_kill_every_call_is_in_the_audit_once(tmp_path: Path):
    reached = asyncio.Event()
    lunch = json.dumps({"content": "午餐", "type": "expense", "amount": 120}, ensure_ascii=False)

    async def hang(_request: object) -> Response:
        reached.set()
        return Slow()

    async with openai_emulator.serving() as model:
        model.script(asks(("create_record", lunch), ("fly", "{}")), hang, asks(("query_records", "{}")), says("好"))
        settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": KEY, "OPENAI_MODEL": MODEL}
        async with running(tmp_path, **settings) as bot:
            phone = Phone(bot.line)
            await phone.say("午餐 120")
            await asyncio.wait_for(reached.wait(), 15)
            before = bot.rows("SELECT call, tool, outcome, arguments FROM tool_call ORDER BY call")
            await bot.kill()
            await bot.start()
            await heard(phone, "午餐 120 元", "#1")
            after = bot.rows("SELECT call, tool, outcome, arguments FROM tool_call ORDER BY call")

    assert [row[:3] for row in before] == [(1, "create_record", "ok")], "the result of the last call is not stored yet"
    assert after[:1] == before
    assert [row[:3] for row in after] == [
        *(row[:3] for row in before),
        (2, "fly", "unknown_tool"),
        (3, "query_records", "ok"),
    ]
    assert "午餐" not in str(after)
