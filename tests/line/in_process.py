"""A running bot in this process, and a local LINE in front of it that delivers whatever bytes a test has.

The bot is wired by its own composition root and speaks over HTTP. Must not know what is tested.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx

from bot.application import Application
from bot.demo import two_free_ports
from bot.local_line.ledger import Bubble, Chatter
from bot.local_line.platform import LocalLine
from bot.main import utc_now
from bot.serve import running
from bot.settings import Settings
from tests.bot_process import OWNER, SECRET, problems
from tests.e2e.test_webhook import signed
from tests.serving import served

TOKEN = "long-lived-token-of-the-test"
CONTENTS = {
    "image": ("image/png", b"\x89PNG\r\n\x1a\n" + bytes(40)),
    "audio": ("audio/mp4", b"\x00\x00\x00\x18ftypM4A " + bytes(40)),
    "video": ("video/mp4", b"\x00\x00\x00\x18ftypmp42" + bytes(40)),
    "file": ("application/octet-stream", b"what the file holds"),
}
AT_WORK = {"received", "working", "answered", "sending"}
Event = dict[str, Any]


@dataclass
class World:
    """A local LINE that knows of everything it tells, and a bot that speaks to it."""

    line: LocalLine
    address: str
    bot: Application
    store: Path
    spent: set[str] = field(default_factory=set)

    async def happens(self, body: bytes) -> None:
        """LINE delivers this, and whatever is to be done about it is done."""
        await self.delivers(body)
        await self.settled()

    async def delivers(self, body: bytes) -> None:
        """LINE delivers this, and gets its 200; once more, as LINE does, if it is asked to."""
        for event in json.loads(body)["events"]:
            self._is_known(event)
        statuses: list[int] = []
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self.bot.settings.port}", trust_env=False, verify=False
        ) as http:
            while not statuses or statuses[-1] == HTTPStatus.SERVICE_UNAVAILABLE:
                taken = await http.post("/callback", content=body, headers=signed(body))
                statuses.append(taken.status_code)
        assert statuses[-1] == HTTPStatus.OK

    def _is_known(self, event: Event) -> None:
        ledger, source, message = self.line._ledger, event.get("source", {}), event.get("message", {})
        chat = source.get("groupId") or source.get("roomId") or source.get("userId") or "nobody"
        token = event.get("replyToken")
        if token and token not in self.spent:
            at = int(utc_now().timestamp() * 1000)
            told = {"webhookEventId": f"of {token}", "timestamp": at, "replyToken": token}
            ledger.put_webhook(told, chat)
            ledger.token_went_out(told["webhookEventId"], at)
            self.spent.add(token)
        if message.get("type") in CONTENTS and message.get("contentProvider", {}).get("type") != "external":
            ledger.put_content(message["id"], *CONTENTS[message["type"]])
        if quote := message.get("quoteToken"):
            ledger.put_bubble(Bubble(message["id"], chat, "person", message, 0, None, quote))

    async def settled(self) -> None:
        """Wait until nothing is at work any more."""
        for _ in range(1_500):
            rows = self.rows("inbox", "state, owed_at")
            if not any(state in AT_WORK and owed_at is None for state, owed_at in rows):
                return
            await asyncio.sleep(0.02)
        raise AssertionError(self.rows("inbox", "id, kind, state, answer"))

    def rows(self, table: str, columns: str) -> list[Any]:
        """What the bot's store holds there."""
        with closing(sqlite3.connect(self.store)) as db:
            return db.execute(f"SELECT {columns} FROM {table}").fetchall()

    async def asked(self) -> list[Event]:
        """Every call by which the bot said something; LINE's own description has nothing against any."""
        async with httpx.AsyncClient(base_url=self.address, trust_env=False, verify=False) as http:
            calls = (await http.get("/local/log")).json()["requests"]
        sent = [each for each in calls if each["path"].startswith("/v2/bot/message/") and each["method"] == "POST"]
        assert [problems(each) for each in sent] == [[]] * len(sent)
        return sent

    async def said(self) -> list[Event]:
        """Every message that the platform took."""
        taken = [each["body"] for each in await self.asked() if each["status"] == HTTPStatus.OK]
        return [message for each in taken for message in each["messages"]]


@asynccontextmanager
async def world(
    store: Path, people: Iterable[str] = (OWNER,), groups: Iterable[str] = (), **more: Any
) -> AsyncIterator[World]:
    """A world with these people and groups; ``store`` is an empty one. ``more`` are settings of the bot."""
    line = LocalLine(None, webhook_url="", now=utc_now, secret=SECRET, access_token=TOKEN)
    for each in people:
        line._ledger.put_person(Chatter(each, "Anna", "zh-TW", "friend"))
    for each in groups:
        line._ledger.connection.execute("INSERT INTO circle VALUES (?, '我們家', 1)", (each,))
    async with served(line.app) as address:
        settings = Settings(
            _env_file=None,
            host="127.0.0.1",
            port=two_free_ports(),
            database_url=f"sqlite:///{store}",
            line_channel_secret=SECRET,
            line_channel_access_token=TOKEN,
            line_api_base=address,
            **more,
        )
        async with running(settings) as (bot, _):
            yield World(line, address, bot, store)
        await line.close()


def words(text: str, source: Event, event: str = "01JWORDS", **more: Any) -> Event:
    """The event of something said in words, with a token of its own."""
    return {
        "type": "message",
        "mode": "active",
        "timestamp": int(utc_now().timestamp() * 1000),
        "source": source,
        "webhookEventId": event,
        "deliveryContext": {"isRedelivery": False},
        "replyToken": f"token-of-{event}",
        "message": {"type": "text", "id": f"1{sum(event.encode())}", "text": text, **more},
    }


def delivery(*events: Event) -> bytes:
    """A body as LINE sends it."""
    return json.dumps({"destination": "U0", "events": events}).encode()


def text_of(message: Event) -> str:
    """What a message says."""
    return str(message.get("text") or message.get("altText") or "")
