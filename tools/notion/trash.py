"""Pages in Notion of records that are gone for good: what still has to go into the trash there.

A queue in the store, by key and page id alone: it needs nothing of the records any more, and outlives a crash and a
Notion that is down. Must not know why a record went.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BigInteger, Column, Connection, Integer, Row, String, Table, delete, func, select, update

from tools.database import Database, insert_new, metadata, micros
from tools.notion.client import NotionClient
from tools.notion.ledger import NOTION_PAGE
from tools.notion.pace import LATE, after_refusals
from tools.notion.trouble import NotionRefused
from tools.record import PersonId
from tools.sql.record import RECORD

NOTION_TRASH = Table(
    "notion_trash",
    metadata,
    Column("key", String(32), primary_key=True),
    Column("page_id", String(36)),
    Column("next_at", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
)
"""``key`` as it stands in the page's Key column; ``page_id`` is None where a page may have been made. Times are
microseconds since 1970 UTC."""

BATCH = 20

_log = logging.getLogger(__name__)


def give_up(connection: Connection, owner: PersonId, now: datetime) -> int:
    """Put every page of this owner's records on the list, and forget what stands in them; how many there may be. In the
    transaction that takes the records away, which has locked them."""
    mine = select(RECORD.c.id).where(RECORD.c.owner == owner)
    pages = connection.execute(
        select(RECORD.c.key, NOTION_PAGE.c.page_id, NOTION_PAGE.c.check_at)
        .join(NOTION_PAGE, NOTION_PAGE.c.record_id == RECORD.c.id)
        .where(RECORD.c.owner == owner, NOTION_PAGE.c.state.in_(("trying", "there")))
    ).all()
    for page in pages:
        unsure = page.page_id is None or page.check_at is not None  # a page may turn up yet, or a second one
        late = micros(now + LATE)
        row = {"key": page.key, "page_id": page.page_id, "next_at": micros(now), "attempts": 0}
        insert_new(connection, NOTION_TRASH, row | ({"page_id": None, "next_at": late} if unsure else {}))
    connection.execute(delete(NOTION_PAGE).where(NOTION_PAGE.c.record_id.in_(mine)))
    return len(pages)


def waiting(connection: Connection) -> int:
    """How many pages still have to go."""
    return int(connection.execute(select(func.count()).select_from(NOTION_TRASH)).scalar_one())


def next_due(connection: Connection) -> int | None:
    """When the next one may be tried, in microseconds since 1970 UTC."""
    return connection.execute(select(func.min(NOTION_TRASH.c.next_at))).scalar()


def sweep(connection: Connection) -> None:
    """Forget what was noted of a page while its record was taken away: the page itself is on the list by its key."""
    orphans = select(NOTION_PAGE.c.record_id).where(NOTION_PAGE.c.record_id.not_in(select(RECORD.c.id)))
    connection.execute(delete(NOTION_PAGE).where(NOTION_PAGE.c.record_id.in_(orphans)))


@dataclass(frozen=True, slots=True)
class Trash:
    """Works the list off, one page after the other. Raises NotionDown, and NotionRefused where no other page would fare
    better."""

    database: Database
    client: NotionClient
    now: Callable[[], datetime]

    async def empty(self, place: str, key_column: str) -> None:
        """Put into Notion's trash what may be tried now. ``place`` is the data source, ``key_column`` the id of its
        column Key."""
        await self.database.write(sweep, durable=False)
        while batch := await self._due():
            for row in batch:
                await self._one(row, place, key_column)

    async def _due(self) -> list[Row[tuple[str, str | None, int, int]]]:
        due = NOTION_TRASH.c.next_at <= micros(self.now())
        found = select(NOTION_TRASH).where(due).order_by(NOTION_TRASH.c.next_at, NOTION_TRASH.c.key).limit(BATCH)
        return await self.database.read(lambda connection: list(connection.execute(found).all()))

    async def _one(self, row: Row[tuple[str, str | None, int, int]], place: str, key_column: str) -> None:
        try:
            await self._put_away(row.page_id, row.key, place, key_column)
        except NotionRefused as refusal:
            if refusal.everything:
                raise
            if not _is_gone(refusal):
                await self._later(row, refusal)
                return
        await self.database.write(lambda c: c.execute(delete(NOTION_TRASH).where(NOTION_TRASH.c.key == row.key)))

    async def _put_away(self, page_id: str | None, key: str, place: str, key_column: str) -> None:
        if page_id is None:
            found = await self.client.settle(place, key_column, key)
            page_id = None if found is None else str(found["id"])
        if page_id is not None:
            await self.client.update_page(page_id, {"in_trash": True})

    async def _later(self, row: Row[tuple[str, str | None, int, int]], refusal: NotionRefused) -> None:
        _log.warning("a page of a record that is forgotten is refused by Notion: %s", refusal.reason)
        put_off = {"attempts": row.attempts + 1, "next_at": micros(self.now() + after_refusals(row.attempts))}
        this = update(NOTION_TRASH).where(NOTION_TRASH.c.key == row.key).values(put_off)
        await self.database.write(lambda connection: connection.execute(this))


def _is_gone(refusal: NotionRefused) -> bool:
    """The page is in the trash, or not there, already."""
    archived = refusal.code == "validation_error" and "archived" in refusal.reason
    return archived or refusal.code == "object_not_found"
