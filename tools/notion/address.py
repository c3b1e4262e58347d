"""What people paste to say which page or table they mean, and what stands at that address.

Must not know what the table is for.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from uuid import UUID

from tools.notion.client import Json, NotionClient
from tools.notion.trouble import NotionRefused, NotionUnfit

_HEX = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
_DASHED = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})(?![0-9a-f])")


def notion_id(text: str) -> str | None:
    """The id in an id (dashed or not) or in a Notion link of any form and host, as a dashed UUID; None if there is
    none. In a link the path counts (its last id), and not ``?v=``, which names a view."""
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


async def find_data_source(client: NotionClient, given: str) -> Json:
    """The data source that a data source id, a database id, a link to either, or a page with one database in it leads
    to. Raises NotionRefused: Notion's 404 blames sharing where only the kind of id was wrong, so each kind is tried."""
    id_ = required_id(given, "NOTION_DATA_SOURCE_ID")
    try:
        return await client.data_source(id_)
    except NotionRefused as refusal:
        if refusal.status != HTTPStatus.NOT_FOUND:
            raise
        sources = await _sources_of_database(client, id_)
        if sources is None:
            sources = [each for inner in await _databases_in_page(client, id_) for each in inner]
        if not sources:
            raise
    if len(sources) > 1:
        listed = ", ".join(f"{each['name']} ({each['id']})" for each in sources)
        raise NotionUnfit(
            "several", f"there are several data sources: {listed}", "Set NOTION_DATA_SOURCE_ID to one of these ids."
        )
    return await client.data_source(sources[0]["id"])


async def _sources_of_database(client: NotionClient, id_: str) -> list[Json] | None:
    try:
        database = await client.database(id_)
    except NotionRefused as refusal:
        if refusal.status != HTTPStatus.NOT_FOUND:
            raise
        return None
    return list(database["data_sources"])


async def _databases_in_page(client: NotionClient, id_: str) -> list[list[Json]]:
    try:
        blocks = await client.children(id_)
    except NotionRefused as refusal:
        if refusal.status != HTTPStatus.NOT_FOUND:
            raise
        return []
    databases = [each["id"] for each in blocks if each["type"] == "child_database"]
    return [await _sources_of_database(client, each) or [] for each in databases]
