"""What is known of the table in Notion, as it was stored: its ids and those of its columns, options and views.

With it columns may be renamed and described at will. Every process reads it from the store. Must not know Notion's
protocol.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select, update

from tools.database import insert_new, instant
from tools.notion.ledger import NOTION_PAGE, NOTION_STATE, TABLE
from tools.notion.schema import Binding, own_words
from tools.record import PersonId
from tools.sql.record import RECORD

DESCRIBED = frozenset({"title", "type", "when", "amount", "category", "currency", "tags"})
"""Columns whose description says something to whoever fills them."""
LONGEST_MEANING = 300
"""Characters of a description that are kept: Notion takes no more than 280."""


@dataclass(frozen=True, slots=True)
class Table:
    """``source`` and ``database`` are ids, ``parent`` is the page it was made under (None if it was there before).
    ``columns`` goes from our words to property ids, ``mapped`` names those that a person chose; ``options`` goes from
    the codes of types and statuses to option ids, ``views`` from our words to view ids, ``meanings`` from columns to
    what people wrote into their descriptions."""

    source: str
    database: str = ""
    parent: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    mapped: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    views: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)

    def seen(self, properties: Mapping[str, Any], binding: Binding) -> Table:
        """The same after a look at the columns: a retyped or removed column keeps its id, to be known as that."""
        told = {
            name: own_words(properties[binding.names[name]].get("description"))[:LONGEST_MEANING]
            for name in sorted(DESCRIBED & binding.names.keys())
        }
        return replace(
            self,
            columns={**self.columns, **binding.ids},
            options={**self.options, **binding.chosen},
            meanings={name: words for name, words in told.items() if words},
        )


def known(connection: Connection, source: str | None = None) -> Table | None:
    """What is known of this data source, or of the one that was looked at last."""
    found = connection.execute(select(NOTION_STATE.c.value).where(NOTION_STATE.c.key == TABLE)).scalar()
    if found is None:
        return None
    told = json.loads(found)
    table = Table(**{**told, "mapped": tuple(told.get("mapped", ()))})
    return table if source in {None, table.source} else None


def standing(connection: Connection) -> tuple[int, int, int | None]:
    """How many pages there are, how many records Notion refuses, and when something was last sent, in microseconds
    since 1970 UTC."""
    counted = select(
        func.count(NOTION_PAGE.c.page_id), func.count(NOTION_PAGE.c.last_error), func.max(NOTION_PAGE.c.pushed_at)
    )
    pages, refused, pushed_at = connection.execute(counted).one()
    return pages, refused, pushed_at


@dataclass(frozen=True, slots=True)
class HeldUp:
    """A record that Notion does not take: why, how often it was tried, and when it is tried again."""

    owner: PersonId
    ref: int
    attempts: int
    next_at: datetime | None
    why: str


def held_up(connection: Connection, most: int) -> list[HeldUp]:
    """Records that Notion refused last time, the ones tried oftenest first."""
    columns = (NOTION_PAGE.c.attempts, NOTION_PAGE.c.next_at, NOTION_PAGE.c.last_error)
    found = (
        select(RECORD.c.owner, RECORD.c.ref, *columns)
        .join(NOTION_PAGE, NOTION_PAGE.c.record_id == RECORD.c.id)
        .where(NOTION_PAGE.c.last_error.is_not(None))
        .order_by(NOTION_PAGE.c.attempts.desc(), RECORD.c.id)
        .limit(most)
    )
    return [
        HeldUp(row.owner, row.ref, row.attempts, instant(row.next_at) if row.next_at else None, row.last_error)
        for row in connection.execute(found)
    ]


def remember(connection: Connection, table: Table, *, again: bool = False) -> None:
    """Store it. ``again``: a column is new, so that what stands in Notion has to be sent there once more."""
    value = json.dumps(asdict(table), ensure_ascii=False, sort_keys=True)
    if not insert_new(connection, NOTION_STATE, {"key": TABLE, "value": value}):
        connection.execute(update(NOTION_STATE).where(NOTION_STATE.c.key == TABLE).values(value=value))
    if again:
        connection.execute(update(NOTION_PAGE).where(NOTION_PAGE.c.state == "there").values(pushed_rev=0))
