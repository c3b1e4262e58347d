"""Making the table of records in Notion, or bringing an existing one up to date. Never deletes; twice is once.

Must not know the store, or what the lines it returns are printed on.
"""

from __future__ import annotations

from tools.notion.address import find_data_source, required_id
from tools.notion.client import LOOKS, Json, NotionClient
from tools.notion.page import plain_text
from tools.notion.schema import (
    DATABASE_TITLE,
    INDISPENSABLE,
    Column,
    bind,
    data_source_title,
    database_body,
    property_config,
)
from tools.notion.trouble import NotionUnfit, NotionUnsure


async def set_up(
    client: NotionClient, parent_page_id: str | None, data_source_id: str | None, *, language: str = "auto"
) -> list[str]:
    """Make the database under the page, or adopt the data source that is named or stands there already; add the
    columns it lacks. Ids may be Notion links.

    The returned lines say what was done and what a person must do, and last the setting for the environment. Raises
    NotionRefused and NotionDown.
    """
    me = await client.me()
    lines = [f'connected to Notion as "{me.get("name") or me["id"]}"']
    if data_source_id:
        source = await find_data_source(client, data_source_id)
        lines.append(f'found the data source "{plain_text(source["title"])}"')
    elif parent_page_id:
        source, line = await _under(client, required_id(parent_page_id, "NOTION_PARENT_PAGE_ID"), language)
        lines.append(line)
    else:
        raise NotionUnfit(
            "no_place",
            "neither NOTION_PARENT_PAGE_ID nor NOTION_DATA_SOURCE_ID is set",
            "Make a page in Notion, add the connection to it (••• → Connections), and set its link as "
            "NOTION_PARENT_PAGE_ID.",
        )
    return [*lines, *await _upgrade(client, source, language), *_settings(source)]


def _settings(source: Json) -> list[str]:
    return [
        f"database {source['parent']['database_id']}: {source['url']}",
        f"NOTION_DATA_SOURCE_ID={source['id']}",
    ]


async def _under(client: NotionClient, page_id: str, language: str) -> tuple[Json, str]:
    """The data source of the database under the page, and what was done for it."""
    if (source := await _standing_under(client, page_id)) is not None:
        return source, f'found the database "{DATABASE_TITLE}" under the page'
    source_id = await _create(client, page_id, language)
    await client.update_data_source(source_id, data_source_title())
    return await client.data_source(source_id), f'made the database "{DATABASE_TITLE}"'


async def _create(client: NotionClient, page_id: str, language: str) -> str:
    """Make the database. After an unclear outcome look under the page, for a creation cannot be repeated blindly."""
    try:
        database = await client.create_database(database_body(page_id, language))
    except NotionUnsure:
        for seconds in LOOKS:
            await client.wait(seconds)
            if (source := await _standing_under(client, page_id)) is not None:
                return str(source["id"])
        database = await client.create_database(database_body(page_id, language))
    return str(database["data_sources"][0]["id"])


async def _standing_under(client: NotionClient, page_id: str) -> Json | None:
    """The data source of a database of ours directly under the page: by its title, for its id is not known yet."""
    for block in await client.children(page_id):
        if block["type"] == "child_database" and block["child_database"]["title"] == DATABASE_TITLE:
            for each in (await client.database(block["id"]))["data_sources"]:
                source = await client.data_source(each["id"])
                if bind(source["properties"]).ids.keys() >= INDISPENSABLE:
                    return source
    return None


async def _upgrade(client: NotionClient, source: Json, language: str) -> list[str]:
    """Add what is missing, one column per request so that one failure is one column, and read it back: a change of
    columns can be answered with 200 and not be made."""
    binding = bind(source["properties"])
    lines = [await _add(client, source["id"], column, language) for column in binding.missing]
    retyped = [difference for difference in binding.differences if difference.found is not None]
    lines.extend(f"{each}: change its type or rename it in Notion, then run setup again" for each in retyped)
    return lines or ["all columns are as they should be"]


async def _add(client: NotionClient, source_id: str, column: Column, language: str) -> str:
    await client.update_data_source(source_id, {"properties": {column.name: property_config(column, language)}})
    now = bind((await client.data_source(source_id))["properties"])
    if column.field in now.ids:
        return f'added the column "{column.name}"'
    return f'Notion did not add the column "{column.name}": run setup again later'
