"""Everything around one bot that dies: LINE, Notion and a model on loopback ports, its store, and the bot's process.

What is asserted later is read here from outside: LINE's ledger, Notion's pages, the rows of the store. Must not know
what ought to be there.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
import sys
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import NullPool, create_engine, text

from bot.demo import two_free_ports
from bot.local_line.events import text_content
from bot.local_line.phones import _actions
from bot.local_line.platform import LocalLine
from bot.main import utc_now
from tests.bot_process import clean_environment
from tests.crash.model import Model
from tests.crash.model import serving as model_serving
from tests.emulators import openai
from tests.emulators.notion import TOKEN, Notion
from tests.emulators.notion import serving as notion_serving
from tests.nursery import Nursery, Process
from tests.serving import served
from tools.database import address_of
from tools.notion.client import NotionClient
from tools.notion.setup import set_up

CHILD = Path(__file__).with_name("child.py")
SECRET = "crash-channel-secret-0123456789"
ACCESS = "crash-access-token-0123456789"
REDO = "取消復原"
"""The button under an undo (the secretary's word in Chinese)."""

REDELIVER_AFTER = (0.1,) * 600
"""LINE comes back soon, and for a minute: a bot here is never away for longer."""


class Accepted(NamedTuple):
    """A reply or push that LINE took: what it said, all of its bubbles as one text, and when (milliseconds)."""

    person: str
    text: str
    at: int
    pushed: bool


@dataclass
class Line:
    """The platform, and the phones of its people."""

    platform: LocalLine
    people: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.platform._api.exchange.log = deque()  # everything is looked at in the end

    def add_people(self, count: int) -> None:
        phones = self.platform._phones
        self.people = [phones.add_person(f"P{number}", "zh-TW").id for number in range(count)]

    def say(self, person: str, words: str) -> str:
        """Returns the event's id."""
        return self.platform._phones.say(person, text_content(words)).event_id

    def unsend(self, person: str, event_id: str) -> None:
        """Take back what was said with that event."""
        said = [each for each in self.platform._ledger.bubbles(person) if each.event == event_id]
        self.platform._phones.unsend(person, said[0].id)

    def tap(self, person: str, data: str) -> str:
        return self.platform._phones.tap(person, data).event_id

    async def deliver_again(self, event_id: str) -> None:
        await self.platform._courier.redeliver(event_id)

    def use_up(self, event_id: str) -> None:
        """From now on LINE knows the event's reply token no more."""
        webhook = self.platform._ledger.webhook(event_id)
        assert webhook is not None
        self.platform._ledger.use_token(webhook.event["replyToken"])

    def on_the_way(self) -> int:
        """Events that the bot has not taken yet."""
        return len(self.platform._ledger.webhooks(state="waiting"))

    def was_tried_twice(self, event_id: str) -> bool:
        webhook = self.platform._ledger.webhook(event_id)
        return webhook is not None and webhook.tries > 1

    def accepted(self) -> list[Accepted]:
        """In the order in which they arrived."""
        taken = [each for each in self.platform._api.exchange.log if each["status"] == 200]
        return [self._accepted(each) for each in taken if each["path"].endswith(("/message/reply", "/message/push"))]

    def _accepted(self, entry: dict[str, Any]) -> Accepted:
        body = entry["body"]
        token = self.platform._ledger.token(body["replyToken"]) if "replyToken" in body else None
        words = "\n".join(_shown(each) for each in body["messages"])
        return Accepted(token.person if token else body["to"], words, entry["at"], pushed=token is None)

    def undo_buttons(self, person: str) -> list[tuple[str, str]]:
        """Data and whole text of each bubble that can be taken back; not of an undo, which can be, too."""
        return [
            (data, _shown(bubble.message))
            for bubble in self.platform._ledger.bubbles(person)
            for action in _actions(bubble.message)
            if (data := action["data"]).startswith("undo:") and action["label"] != REDO
        ]


def _shown(message: dict[str, Any]) -> str:
    """What can be read of it; of a card the words that say all of it. Ids stand under its buttons, and in an id any
    wish's number may stand by chance."""
    if message["type"] == "flex":
        return str(message["altText"])
    read = {name: value for name, value in message.items() if name not in {"quickReply", "template"}}
    return json.dumps(read, ensure_ascii=False)


@dataclass
class Store:
    """The bot's database, seen through SQL. Every look opens it anew: a file that somebody holds open is not recovered
    as after a crash."""

    url: str

    def __post_init__(self) -> None:
        self._engine = create_engine(address_of(self.url), poolclass=NullPool)

    @property
    def on_sqlite(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    def rows(self, query: str, **values: Any) -> list[Any]:
        with self._engine.connect() as connection:
            return list(connection.execute(text(query), values).all())

    def change(self, statement: str, **values: Any) -> None:
        with self._engine.begin() as connection:
            connection.execute(text(statement), values)


@dataclass
class World:
    """One bot and what is around it."""

    folder: Path
    store: Store
    line: Line
    notion: Notion
    source: str
    model: Model
    port: int
    environment: dict[str, str]
    nursery: Nursery | None
    process: Process | None = None

    async def start(self, *arguments: str) -> None:
        """Start the bot; it dies by itself where ``arguments`` say so."""
        log = self.folder / "bot.log"
        if self.nursery:
            command = ["tests.crash.child", *arguments]
            self.process = await self.nursery.start(command, self.folder, self.environment, writes=log, complains=log)
            return
        with log.open("ab") as out:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, str(CHILD), *arguments),
                cwd=self.folder,
                env=self.environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )

    @property
    def lives(self) -> bool:
        return self.process is not None and self.process.returncode is None

    async def kill(self) -> None:
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()

    async def stop(self) -> int:
        assert self.process is not None
        if self.lives:
            self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), 30)

    def log(self) -> str:
        return (self.folder / "bot.log").read_text()

    def titles(self) -> list[str]:
        """The titles of the pages that stand in Notion."""
        rows = self.notion.rows(self.source)
        return ["".join(piece["plain_text"] for piece in row["properties"]["Title"]["title"]) for row in rows]


@asynccontextmanager
async def around_a_bot(
    folder: Path, url: str, chance: random.Random, nursery: Nursery | None = None, **settings: str
) -> AsyncIterator[World]:
    """LINE with three people, Notion with a table, a model; the bot is not started."""
    port = two_free_ports()
    async with AsyncExitStack() as stack:
        line = Line(
            LocalLine(
                None,
                webhook_url=f"http://127.0.0.1:{port}/callback",
                now=utc_now,
                secret=SECRET,
                access_token=ACCESS,
                redeliver_after=REDELIVER_AFTER,
            )
        )
        line.add_people(3)
        line_at = await stack.enter_async_context(served(line.platform.app))
        await line.platform.start()
        stack.push_async_callback(line.platform.close)
        notion, model = Notion(), Model(chance)
        notion_at = await stack.enter_async_context(notion_serving(notion))
        model_at = await stack.enter_async_context(model_serving(model))
        source = await _table(notion, notion_at)
        environment = clean_environment() | {
            "DATABASE_URL": url,
            "PORT": str(port),
            "HOST": "127.0.0.1",
            "LINE_API_BASE": line_at,
            "LINE_CHANNEL_SECRET": SECRET,
            "LINE_CHANNEL_ACCESS_TOKEN": ACCESS,
            "OPENAI_BASE_URL": f"{model_at}/v1",
            "OPENAI_API_KEY": openai.KEY,
            "OPENAI_MODEL": openai.MODEL,
            "NOTION_BASE_URL": notion_at,
            "NOTION_TOKEN": TOKEN,
            "NOTION_DATA_SOURCE_ID": source,
            "SECRETARY_OWNERS": ",".join(line.people),
            "SECRETARY_LANGUAGE": "zh-TW",
            "LOG_LEVEL": "WARNING",
            **settings,
        }
        world = World(folder, Store(url), line, notion, source, model, port, environment, nursery)
        try:
            yield world
        finally:
            if world.lives:
                await world.kill()


async def _table(notion: Notion, address: str) -> str:
    client = NotionClient(TOKEN, address)
    try:
        return (await set_up(client, notion.page(), None))[-1].removeprefix("NOTION_DATA_SOURCE_ID=")
    finally:
        await client.close()


async def eventually(holds: Any, seconds: float, every: float = 0.05) -> bool:
    """Whether something comes to hold within this time."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        await asyncio.sleep(every)
    return True
