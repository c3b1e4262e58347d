"""Making the table of records in Notion, or bringing an existing one up to date. Never deletes; twice is once.

What a person made stays as it is: columns are only ever added. Must not know what the lines it returns are printed on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from tools.database import Database
from tools.notion import table as tables
from tools.notion.account import account_of
from tools.notion.address import find_data_source, how_found, required_id
from tools.notion.client import LOOKS, Json, NotionClient
from tools.notion.names import TITLES, column_name, title
from tools.notion.pieces import plain_text
from tools.notion.schema import (
    COLUMNS,
    DATABASE_DESCRIPTION,
    INDISPENSABLE,
    Binding,
    Column,
    Difference,
    bind,
    data_source_title,
    database_body,
    free_name,
    property_config,
)
from tools.notion.table import Table
from tools.notion.trouble import NotionRefused, NotionUnfit, NotionUnsure
from tools.notion.views import make_views
from tools.notion.wishes import NO_WISHES, Wishes

MEND = "`python -m bot setup --mend`"


async def set_up(
    client: NotionClient,
    parent_page_id: str | None,
    data_source_id: str | None,
    *,
    language: str = "auto",
    database: Database | None = None,
    wishes: Wishes = NO_WISHES,
) -> list[str]:
    """Make the database under the page, or adopt the data source that is named or stands there already; add the
    columns it lacks, and views. Ids may be Notion links. What was found is stored in ``database``.

    The returned lines say what was done and what a person must do, and last the setting for the environment. Raises
    NotionRefused and NotionDown.
    """
    account = account_of(await client.me())
    known = await database.read(tables.known) if database else None
    source, table, lines = await _place(client, parent_page_id, data_source_id, language, known)
    if source.get("in_trash"):
        raise NotionUnfit("trashed", "the table is in Notion's trash", "Restore it there, or set another.")
    table = _wished(table, wishes, source["properties"])
    binding = bind(source["properties"], table.columns, table.options)
    source, binding, added = await _columns(client, source, binding, table, language, wishes)
    table = table.seen(source["properties"], binding)
    again = any(each.startswith("added") for each in added)
    await _store(database, known, table, again=again)
    views, told = await make_views(client, table, binding, language)
    await _store(database, table, replace(table, views=views))
    return [
        f'connected to Notion as "{account.name}"',
        *lines,
        *added,
        *_mapped(binding, wishes),
        *told,
        *account.limits,
        f"database {table.database}: {source['url']}",
        f"NOTION_DATA_SOURCE_ID={source['id']}",
    ]


async def _store(database: Database | None, before: Table | None, table: Table, *, again: bool = False) -> None:
    if database is not None and (again or table != before):
        await database.write(lambda connection: tables.remember(connection, table, again=again))


# ── where the records are ─────────────────────────────────────────────────────────────────────────────────────────────


async def _place(
    client: NotionClient, parent: str | None, given: str | None, language: str, known: Table | None
) -> tuple[Json, Table, list[str]]:
    """The data source, what is known of it, and how it was come by."""
    lines: list[str] = []
    page = None
    if given:
        source = await find_data_source(client, given, known=known.source if known else None)
        how = how_found(given, source)
        lines = [f'found the data source "{plain_text(source["title"])}"', *([how] if how else [])]
    elif parent:
        page = required_id(parent, "NOTION_PARENT_PAGE_ID")
        try:
            source, line = await _under(client, page, language, known)
        except NotionRefused as refusal:
            if not await _is_database(client, page):
                raise
            reason = "NOTION_PARENT_PAGE_ID is a database, and no page"
            raise NotionUnfit("no_page", reason, "Set it as NOTION_DATA_SOURCE_ID to use that table.") from refusal
        lines = [line]
    elif known and (found := await _still_there(client, known)):
        source, lines = found, [f'found the data source "{plain_text(found["title"])}", which was set up before']
    else:
        raise NotionUnfit(
            "no_place",
            "neither NOTION_PARENT_PAGE_ID nor NOTION_DATA_SOURCE_ID is set",
            "Make a page in Notion, add the connection to it (••• → Connections), and set its link as "
            "NOTION_PARENT_PAGE_ID.",
        )
    if known is None or known.source != source["id"]:
        known = Table(source["id"], source["parent"]["database_id"], page)
    return source, known, lines


async def _still_there(client: NotionClient, known: Table) -> Json | None:
    try:
        source = await client.data_source(known.source)
    except NotionRefused as refusal:
        if refusal.status != HTTPStatus.NOT_FOUND:
            raise
        return None
    return None if source.get("in_trash") else source


async def _under(client: NotionClient, page_id: str, language: str, known: Table | None) -> tuple[Json, str]:
    """The data source of the database under the page, and what was done for it."""
    if known and known.parent == page_id and (source := await _still_there(client, known)):
        return source, f'found the data source "{plain_text(source["title"])}" under the page'
    if (source := await _standing_under(client, page_id)) is not None:
        return source, "found the database under the page"
    source_id = await _create(client, page_id, language)
    await client.update_data_source(source_id, data_source_title(language))
    return await client.data_source(source_id), f'made the database "{title(TITLES, language)}"'


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
    """The data source of a database of ours directly under the page: by the mark in its description, or by a title of
    ours, for its id is not known yet."""
    for block in await client.children(page_id):
        if block["type"] != "child_database":
            continue
        database = await client.database(block["id"])
        titled = block["child_database"]["title"] in TITLES.values()
        if not titled and plain_text(database.get("description") or ()) != DATABASE_DESCRIPTION:
            continue
        for each in database["data_sources"]:
            source = await client.data_source(each["id"])
            if bind(source["properties"]).ids.keys() >= INDISPENSABLE:
                return source
    return None


async def _is_database(client: NotionClient, id_: str) -> bool:
    try:
        await client.database(id_)
    except NotionRefused:
        return False
    return True


# ── columns ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _wished(table: Table, wishes: Wishes, properties: Mapping[str, Any]) -> Table:
    """What is known, with the columns that are wished for. Raises NotionUnfit before anything is changed."""
    columns, mapped = dict(table.columns), set(table.mapped)
    for word in wishes.unmapped:
        if _column(word).field in mapped:
            mapped.discard(word)
            del columns[word]
    for word, name in wishes.mapped.items():
        column = _column(word)
        config = properties.get(name)
        if config is None:
            listed = ", ".join(f'"{each}" ({config["type"]})' for each, config in properties.items())
            raise NotionUnfit("no_column", f'there is no column "{name}"', f"There are: {listed}.")
        if config["type"] != column.kind:
            reason = f'column "{name}" is {config["type"]}, and {word} needs {column.kind}'
            raise NotionUnfit("wrong_type", reason, "Choose another column, or change its type in Notion first.")
        for other, id_ in columns.items():
            if id_ == config["id"] and other != word and (other in mapped or other in wishes.mapped):
                raise NotionUnfit("taken", f'column "{name}" is {other} already', f"Say `setup --unmap {other}` first.")
        columns = {other: id_ for other, id_ in columns.items() if id_ != config["id"]}
        columns[word] = config["id"]
        mapped.add(word)
    return replace(table, columns=columns, mapped=tuple(sorted(mapped)))


def _column(word: str) -> Column:
    found = next((each for each in COLUMNS if each.field == word), None)
    if found is None:
        listed = ", ".join(each.field for each in COLUMNS)
        raise NotionUnfit("no_word", f'"{word}" is none of our columns', f"They are: {listed}.")
    return found


def _mapped(binding: Binding, wishes: Wishes) -> list[str]:
    lines = [f'{word} is kept in your column "{binding.names[word]}"' for word in wishes.mapped if word in binding.ids]
    lines += [f'{word} is kept in "{binding.names[word]}"' for word in wishes.unmapped if word in binding.ids]
    return [*lines, "a bot that runs does so within a minute, and need not be restarted"] if lines else []


async def _columns(
    client: NotionClient, source: Json, binding: Binding, table: Table, language: str, wishes: Wishes
) -> tuple[Json, Binding, list[str]]:
    """Add what is missing, one column per request so that one failure is one column, and read it back: a change of
    columns can be answered with 200 and not be made."""
    lines: list[str] = []
    known = dict(table.columns)
    for difference in binding.differences:
        if (difference.removed or difference.found) and not wishes.mend:
            lines.append(_to_mend(difference))
            continue
        name = free_name(column_name(difference.column.field, language), source["properties"])
        config = property_config(difference.column, language)
        await client.update_data_source(source["id"], {"properties": {name: config}})
        source = await client.data_source(source["id"])
        binding = bind(source["properties"], known, table.options)
        done = difference.column.field in binding.ids
        failed = f'Notion did not add the column "{name}", though it said so: run setup again later'
        lines.append(f'added the column "{name}"' if done else failed)
    return source, binding, lines or ["all columns are as they should be"]


def _to_mend(difference: Difference) -> str:
    if difference.removed:
        return f"{difference}: {MEND} adds a new one; without it the records are whole here, and lack it there"
    return f"{difference}: change its type back in Notion, or let {MEND} add another column; yours stays as it is"
