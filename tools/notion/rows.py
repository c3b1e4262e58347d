"""The rows of a table in the order of a timestamp, a hundred at a time, however many there are.

Notion tells at most 10,000 rows of one question: behind those the next question begins at the last row's minute. An
answer that is not whole is never taken for one that is. Must not know what rows say.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tools.notion.client import Json, NotionClient
from tools.notion.trouble import NotionDown

Timestamp = Literal["created_time", "last_edited_time"]


@dataclass(frozen=True, slots=True)
class Bookmark:
    """How far a look has come: the minute of the last row, and Notion's own mark of where it goes on. ``since`` is ""
    at the beginning."""

    since: str = ""
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Slice:
    """Some rows, and where it goes on; None behind the last."""

    rows: list[Json]
    behind: Bookmark | None


async def slice_of(
    client: NotionClient, data_source_id: str, by: Timestamp, place: Bookmark, *, trashed: bool = False
) -> Slice:
    """The next rows by this timestamp, oldest first, those of the minute it begins in again; either those in the trash
    or the others. Raises NotionDown, also where more rows bear one minute than Notion tells."""
    body: Json = {"sorts": [{"timestamp": by, "direction": "ascending"}]}
    if place.since:
        body["filter"] = {"timestamp": by, by: {"on_or_after": place.since}}
    if trashed:
        body["in_trash"] = True
    answer = await client.query_slice(data_source_id, body, place.cursor)
    rows: list[Json] = [each for each in answer["results"] if each.get("object") == "page"]
    if answer.get("has_more") and answer.get("next_cursor"):
        return Slice(rows, Bookmark(place.since, answer["next_cursor"]))
    if answer.get("request_status", {}).get("type") != "incomplete":
        return Slice(rows, None)
    last = max((str(each[by]) for each in rows), default=place.since)
    if last <= place.since:
        raise NotionDown("more rows bear one minute than Notion tells")
    return Slice(rows, Bookmark(last))


async def all_since(
    client: NotionClient, data_source_id: str, by: Timestamp, since: datetime, *, trashed: bool
) -> AsyncIterator[list[Json]]:
    """Every row from that moment on, slice by slice."""
    place: Bookmark | None = Bookmark(since.isoformat())
    while place is not None:
        found = await slice_of(client, data_source_id, by, place, trashed=trashed)
        yield found.rows
        place = found.behind
