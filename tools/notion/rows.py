"""The rows of a table in the order of a timestamp, a hundred at a time, however many there are.

Notion tells at most 10,000 rows of one question: behind those the next question begins at the last row's minute. If
more bear one minute, which no question tells apart, the operator is told which, and it goes on behind it: those are
met when somebody edits them. An answer that is not whole is never taken for one that is. Must not know what rows say.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from tools.notion.client import Json, NotionClient
from tools.notion.trouble import NotionDown

_log = logging.getLogger(__name__)

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
    or the others. Raises NotionDown."""
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
    if not rows:
        raise NotionDown("Notion left out all of the answer")
    last = max(str(each[by]) for each in rows)
    return Slice(rows, Bookmark(_behind(last, by) if last <= place.since else last))


def _behind(minute: str, by: Timestamp) -> str:
    _log.error(
        "more than 10,000 rows have the %s %s, and Notion tells no more of one minute: some of them are not taken in. "
        "Edit those in Notion, some thousands at a time, and they are.",
        by.replace("_", " "),
        minute,
    )
    return (datetime.fromisoformat(minute) + timedelta(minutes=1)).isoformat()


async def all_since(
    client: NotionClient, data_source_id: str, by: Timestamp, since: datetime, *, trashed: bool
) -> AsyncIterator[list[Json]]:
    """Every row from that moment on, slice by slice."""
    place: Bookmark | None = Bookmark(since.isoformat())
    while place is not None:
        found = await slice_of(client, data_source_id, by, place, trashed=trashed)
        yield found.rows
        place = found.behind
