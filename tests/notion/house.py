"""A store with one owner and Notion beside it, on a clock that only moves when somebody waits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tests.emulators.notion import Notion
from tools.database import Database
from tools.notion.client import NotionClient
from tools.notion.schema import bind
from tools.notion.setup import set_up
from tools.notion.sync import NotionSync
from tools.record import CallKey, Draft, Mirrored, PersonId
from tools.sql.memory import SqlMemory

OWNER = PersonId("Uowner")
MEMBER = PersonId("Umember")
START = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)
SOON = 10.0
TAIPEI = ZoneInfo("Asia/Taipei")


@dataclass
class House:
    """A store with one owner, and Notion beside it."""

    database: Database
    client: NotionClient
    notion: Notion
    source: str
    clock: Any
    calls: int = 0
    made: list[NotionSync] = field(default_factory=list)
    owners: list[Mirrored] = field(default_factory=lambda: [Mirrored(OWNER, TAIPEI)])

    def now(self) -> datetime:
        return START + timedelta(seconds=self.clock.seconds)

    def sync(self, **more: Any) -> NotionSync:
        settings: dict[str, Any] = {"now": self.now} | more
        given = settings.pop("given", self.source)

        async def owners() -> list[Mirrored]:
            return self.owners

        self.made.append(NotionSync(self.database, self.client, given, owners, **settings))
        return self.made[-1]

    def memory(self, owner: PersonId = OWNER) -> SqlMemory:
        return SqlMemory(self.database, owner, self.now)

    def key(self) -> CallKey:
        self.calls += 1
        self.clock.seconds += 1
        return CallKey(f"turn{self.calls}", 0)

    async def add(self, content: str = "買牛奶", owner: PersonId = OWNER, **fields: Any) -> int:
        draft = Draft(**({"content": content, "type": "task"} | fields))
        return (await self.memory(owner).record(draft, self.key(), lambda _: {})).record.ref

    async def revise(self, ref: int, **fields: Any) -> None:
        await self.memory().revise(ref, fields, self.key(), lambda _: {})

    async def remove(self, ref: int) -> None:
        await self.memory().remove([ref], self.key(), lambda _: {})

    async def undo(self) -> None:
        await self.memory().undo(self.key())

    @property
    def ids(self) -> Mapping[str, str]:
        """The property ids of our columns."""
        return bind(self.notion.sources[self.source]["properties"]).ids

    def rows(self, *, trashed: bool | None = False) -> list[dict[str, Any]]:
        return self.notion.rows(self.source, trashed=trashed)

    def titles(self) -> list[str]:
        rows = sorted(self.rows(), key=lambda row: row["_order"])
        return ["".join(piece["plain_text"] for piece in row["properties"]["Title"]["title"]) for row in rows]


@asynccontextmanager
async def living(url: str, notion: Notion, client: NotionClient, clock: Any) -> AsyncIterator[House]:
    database = Database(url)
    await database.start()
    source = (await set_up(client, notion.page(), None))[-1].removeprefix("NOTION_DATA_SOURCE_ID=")
    notion.requests.clear()
    house = House(database, client, notion, source, clock)
    yield house
    for each in house.made:
        await each.close()
    await database.close()
