"""Where the pages are, found once and stored: the data source, and which of its columns is which.

Must not know what is brought there.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from sqlalchemy import Connection

from tools.database import Database
from tools.notion import ledger
from tools.notion import table as tables
from tools.notion.address import find_data_source
from tools.notion.client import NotionClient
from tools.notion.schema import Binding, bind
from tools.notion.table import Table
from tools.notion.trouble import NotionUnfit

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """The data source that the pages are in, and its columns as they are called now."""

    id: str
    url: str
    binding: Binding

    @property
    def key(self) -> str:
        return self.binding.ids["key"]


async def find_place(database: Database, client: NotionClient, given: str) -> tuple[Place, Table]:
    """The place that ``given`` leads to, and what is stored of it now. Raises NotionRefused, also where no page could
    be written there, and NotionDown."""
    known = await database.read(tables.known)
    source = await find_data_source(client, given, known=known.source if known else None)
    if source.get("in_trash"):
        raise NotionUnfit("trashed", "the table is in Notion's trash", "Restore it there, or set another.")
    if known is None or known.source != source["id"]:
        known = Table(source["id"], source["parent"]["database_id"])
    binding = bind(source["properties"], known.columns, known.options)
    if not binding.usable:
        problems = "; ".join(map(str, binding.differences))
        raise NotionUnfit("columns", problems, "Run `python -m bot setup --mend`.")
    for difference in binding.differences:
        _log.warning("Notion: %s; records are sent without it. Run `python -m bot setup`.", difference)
    seen = known.seen(source["properties"], binding)

    def write(connection: Connection) -> None:
        ledger.begin(connection, seen.source)
        if seen != tables.known(connection, seen.source):
            tables.remember(connection, seen)

    await database.write(write)
    return Place(source["id"], source["url"], binding), seen
