"""What people paste to say which page or table they mean, and what stands at that address.

Must not know what stands in the table.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from uuid import UUID

from tools.notion.client import Json, NotionClient
from tools.notion.schema import MARKER
from tools.notion.trouble import NotionRefused, NotionUnfit

MOST_SOURCES = 10
"""Data sources of one database that are looked at."""

_HEX = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
_DASHED = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})(?![0-9a-f])")


def notion_id(text: str) -> str | None:
    """The id in an id (dashed or not) or in a Notion link of any form and host (notion.so, app.notion.com/p/…,
    notion.site, collection://…), as a dashed UUID; None if there is none. In a link the path counts (its last id), and
    not ``?v=``, which names a view."""
    path = re.split(r"[?#]", text.strip().lower(), maxsplit=1)[0]
    found = _HEX.findall(_DASHED.sub(r"\1\2\3\4\5", path))
    return str(UUID(found[-1])) if found else None


def required_id(text: str, setting: str) -> str:
    """As ``notion_id``, or a refusal that names the setting."""
    found = notion_id(text)
    if found is None:
        reason = f"{setting} holds no Notion id and no Notion link"
        raise NotionUnfit("no_id", reason, "Open it in Notion, copy its link and set that.")
    return found


OURS = "NOTION_DATA_SOURCE_ID"
"""The setting that leads to the table of records."""


async def find_data_source(client: NotionClient, given: str, setting: str = OURS, *, known: str | None = None) -> Json:
    """The data source that a data source id, a database id, a link to either, or a page with one database in it leads
    to; ``setting`` is where it was given. Of several the ``known`` one is meant, else, of ours, the one whose columns
    bear our marks. Raises NotionRefused: Notion's 404 blames sharing where only the kind of id was wrong, so each kind
    is tried."""
    id_ = required_id(given, setting)
    try:
        return await client.data_source(id_)
    except NotionRefused as refusal:
        if refusal.status != HTTPStatus.NOT_FOUND:
            raise
        sources = await _sources_of_database(client, id_)
        inner = [sources] if sources is not None else await _databases_in_page(client, id_)
        if inner is None:
            raise
    found = [each for database in inner for each in database]
    if not found:
        raise _nothing_there(setting, linked=bool(inner))
    meant = found if len(found) == 1 else await _meant(client, found, known, ours=setting == OURS)
    if len(meant) != 1:
        listed = ", ".join(f"{each['name']} ({each['id']})" for each in found)
        raise NotionUnfit("several", f"there are several data sources: {listed}", f"Set {setting} to one of these ids.")
    return await client.data_source(meant[0]["id"])


def how_found(given: str, source: Json) -> str:
    """A sentence if what was given is not the id of the data source itself; else nothing."""
    id_ = notion_id(given)
    if id_ == source["id"]:
        return ""
    what = "a database" if id_ == source["parent"].get("database_id") else "a page with a database in it"
    return f"NOTION_DATA_SOURCE_ID leads to {what}: its data source is taken"


def _nothing_there(setting: str, *, linked: bool) -> NotionUnfit:
    """A database without data sources is a linked view: https://developers.notion.com/docs/working-with-databases."""
    if linked:
        reason = "that is a linked view of a database that stands elsewhere, and Notion shows none of its records"
        step = "Open the original (↗ beside its title), add the connection there (••• → Connections), and set its link."
        return NotionUnfit("linked", reason, step)
    reason = "that page holds no database"
    step = "Set it as NOTION_PARENT_PAGE_ID, and setup makes one there." if setting == OURS else f"Change {setting}."
    return NotionUnfit("no_database", reason, step)


async def _meant(client: NotionClient, found: list[Json], known: str | None, *, ours: bool) -> list[Json]:
    before = [each for each in found if each["id"] == known]
    if before or not ours:
        return before
    read = [(each, await client.data_source(each["id"])) for each in found[:MOST_SOURCES]]
    return [each for each, source in read if _is_marked(source)]


def _is_marked(source: Json) -> bool:
    return any(MARKER in (each.get("description") or "") for each in source["properties"].values())


async def _sources_of_database(client: NotionClient, id_: str) -> list[Json] | None:
    try:
        database = await client.database(id_)
    except NotionRefused as refusal:
        if refusal.status != HTTPStatus.NOT_FOUND:
            raise
        return None
    return list(database["data_sources"])


async def _databases_in_page(client: NotionClient, id_: str) -> list[list[Json]] | None:
    try:
        blocks = await client.children(id_)
    except NotionRefused as refusal:
        if refusal.status != HTTPStatus.NOT_FOUND:
            raise
        return None
    databases = [each["id"] for each in blocks if each["type"] == "child_database"]
    return [await _sources_of_database(client, each) or [] for each in databases]
