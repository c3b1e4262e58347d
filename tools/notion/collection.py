"""A collection in Notion, searched: its columns are found once, and again when they are not what they were.

It only reads. Whatever is the matter, who asked is told no more than that it cannot be reached; the operator reads the
rest in the log. Must not know which tool asks, or what is made of what was found.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import islice

from tools.collection import Collection, CollectionAway, Item
from tools.notion.address import find_data_source
from tools.notion.client import Json, NotionClient
from tools.notion.collection_rows import Columns, Unfit, columns_of, items, question
from tools.notion.pieces import plain_text
from tools.notion.trouble import NotionDown, NotionRefused, NotionUnfit

SECONDS = 8.0
"""So long a search may take, with every repetition: somebody waits, and the model still has to answer."""

FRESH = timedelta(minutes=1)
"""So long columns are believed that find nothing."""

IMPATIENT = timedelta(seconds=20)
"""So long after one that was waited for in vain, no search is waited for again: a turn may hold several."""

SETTING = "SECRETARY_COLLECTIONS"

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Patience:
    """Of all searches in one Notion: when the last was waited for in vain."""

    lost_at: datetime | None = None


class NotionCollection:
    """A CollectionPort over one data source. ``patience`` is shared by those of one Notion."""

    def __init__(
        self,
        client: NotionClient,
        collection: Collection,
        now: Callable[[], datetime],
        seconds: float = SECONDS,
        patience: Patience | None = None,
    ) -> None:
        self._patience = patience or Patience()
        self._client = client
        self._collection = collection
        self._now = now
        self._seconds = seconds
        self._source = ""
        self._columns: Columns | None = None
        self._resolved_at = now()
        self._told = ""

    async def search(self, keyword: str, limit: int, zone: tzinfo) -> tuple[Item, ...]:
        lost_at = self._patience.lost_at
        if lost_at is not None and self._now() - lost_at < IMPATIENT:
            raise CollectionAway(self._collection.name)
        try:
            async with asyncio.timeout(self._seconds):
                found = await self._found(keyword, limit, zone)
        except TimeoutError:
            self._patience.lost_at = self._now()
            self._tell(f"it took longer than {self._seconds:g} s")
        except NotionRefused as refused:
            self._tell(f"{refused.reason}. {refused.next_step}")
        except NotionDown as down:
            self._tell(down.reason)
        except (LookupError, TypeError, ValueError, AttributeError) as odd:
            self._tell(f"an answer of another form ({type(odd).__name__})")
        else:
            self._told = ""
            return found
        raise CollectionAway(self._collection.name)

    async def look(self) -> str:
        """The table's title, if all is as it was described. Raises NotionRefused, NotionDown."""
        source = await self._resolve()
        return plain_text(source["title"])

    def _tell(self, reason: str) -> None:
        """Once, until it is something else."""
        level = logging.DEBUG if reason == self._told else logging.WARNING
        self._told = reason
        _log.log(level, "the collection %s cannot be searched: %s", self._collection.name, reason)

    async def _found(self, keyword: str, limit: int, zone: tzinfo) -> tuple[Item, ...]:
        """Raises NotionRefused, NotionDown."""
        rows, whole = await self._rows(keyword)
        shown = items(rows, self._bound, self._collection.name, self._now(), zone)
        if not (found := tuple(islice(shown, limit))) and not whole:
            raise NotionDown("Notion left out part of the answer")
        return found

    async def _rows(self, keyword: str) -> tuple[list[Json], bool]:
        """What Notion answers to columns that are as they were taken for. Nothing may come of an option that bears
        another name now."""
        if self._columns is not None:
            try:
                rows, whole = await self._asked(keyword)
            except NotionRefused as refused:
                if refused.everything:
                    raise
            else:
                fit = all(map(self._bound.still_fit, rows))
                if fit and (rows or self._now() - self._resolved_at < FRESH):
                    return rows, whole
        await self._resolve()
        return await self._asked(keyword)

    @property
    def _bound(self) -> Columns:
        assert self._columns is not None, "they are found before a question is asked"
        return self._columns

    async def _asked(self, keyword: str) -> tuple[list[Json], bool]:
        return await self._client.query_some(self._source, question(self._bound, keyword, self._now()))

    async def _resolve(self) -> Json:
        """Find the table and its columns. Raises NotionRefused, NotionDown."""
        source = await find_data_source(self._client, self._source or self._collection.source, SETTING)
        try:
            self._columns = columns_of(source["properties"], self._collection, self._columns)
        except Unfit as unfit:
            self._columns = None
            step = f'Change the entry "{self._collection.name}" of {SETTING}, or the table.'
            raise NotionUnfit("unfit", str(unfit), step) from None
        self._source, self._resolved_at = source["id"], self._now()
        return source
