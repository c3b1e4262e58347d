"""A workspace of Notion as state: what is kept, changed and answered, without HTTP.

It answers in the shapes of API version 2026-03-11 and refuses what Notion refuses.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from tests.emulators import notion_values as values
from tests.emulators.notion_filter import Filter, find_property, sort
from tests.emulators.notion_values import Invalid

Json = dict[str, Any]
INTEGRATION = "Secretary Bot"
ARCHIVED = "Can't edit block that is archived. You must unarchive the block before editing."


class Refusal(Exception):
    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status, self.code, self.more = status, code, more


@dataclass
class Workspace:
    """``page`` makes the page that a person shares with the connection."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    host: str = "https://www.notion.so"
    databases: dict[str, Json] = field(default_factory=dict)
    sources: dict[str, Json] = field(default_factory=dict)
    pages: dict[str, Json] = field(default_factory=dict)
    blocks: dict[str, list[Json]] = field(default_factory=dict)
    forgetful: str = ""
    """The name of a column whose values are taken and not kept, with 200."""

    # ── what a person does there ──────────────────────────────────────────────────────────────────────────────────

    def page(self, title: str = "Home", parent: Json | None = None) -> str:
        """A page outside any table, shared with the connection."""
        column = {"id": "title", "name": "title", "type": "title", "title": {}}
        made = self._new_page(parent or {"type": "workspace", "workspace": True}, {"title": column})
        made["properties"]["title"]["title"] = values.rich_text([{"text": {"content": title}}], "title")
        return str(made["id"])

    def trash(self, page_id: str) -> None:
        self.pages[page_id]["in_trash"] = True

    def rename_column(self, source: str, old: str, new: str) -> None:
        columns = self.sources[source]["properties"]
        columns[new] = {**columns.pop(old), "name": new}
        for page in self.rows(source, trashed=None):
            page["properties"][new] = page["properties"].pop(old)

    def rows(self, source: str, *, trashed: bool | None = False) -> list[Json]:
        """The pages of a data source; ``trashed=None`` for all."""
        found = [page for page in self.pages.values() if page["parent"].get("data_source_id") == source]
        return [page for page in found if trashed is None or page["in_trash"] == trashed]

    def texts(self, page_id: str) -> list[str]:
        """The paragraphs that a person sees in a page."""
        living = [block for block in self.blocks.get(page_id, []) if not block["in_trash"]]
        return ["".join(piece["plain_text"] for piece in block[block["type"]]["rich_text"]) for block in living]

    # ── databases and data sources ────────────────────────────────────────────────────────────────────────────────

    def me(self) -> Json:
        bot = {"owner": {"type": "workspace", "workspace": True}, "workspace_name": "Emulated"}
        return {"object": "user", "id": str(uuid4()), "name": INTEGRATION, "type": "bot", "bot": bot}

    def create_database(self, body: Json) -> Json:
        # Columns beside initial_data_source are ignored, as Notion does.
        shown = {"title", "description", "is_inline", "icon", "cover"}
        _only(body, {"parent", "initial_data_source", "properties", *shown})
        parent = body.get("parent", {})
        if "page_id" not in parent:
            raise Invalid("body failed validation: body.parent.page_id should be defined, instead was `undefined`.")
        self._found("page", self.pages, uuid_of("page_id", parent["page_id"]))
        id_, made = str(uuid4()), self.now()
        title = values.rich_text(body.get("title", []), "body.title")
        properties = body.get("initial_data_source", {}).get("properties") or {"Name": {"title": {}}}
        source = self._new_source(id_, properties, title)
        self.databases[id_] = {
            "object": "database", "id": id_, "title": title, "parent": {"type": "page_id", **parent},
            "description": values.rich_text(body.get("description", []), "body.description"),
            "is_inline": False, "in_trash": False, "is_locked": False, "icon": None, "cover": None,
            "created_time": made.isoformat(), "last_edited_time": made.isoformat(),
            "url": f"{self.host}/{id_.replace('-', '')}", "public_url": None,
            "data_sources": [{"id": source["id"], "name": _plain(source["title"])}],
        }  # fmt: skip
        return self.databases[id_]

    def _new_source(self, database: str, properties: Json, title: list[Json]) -> Json:
        configs = {name: values.config(name, given) for name, given in properties.items()}
        if sum(each["type"] == "title" for each in configs.values()) != 1:
            raise Invalid("Title is not provided")
        id_, made = str(uuid4()), values.minute(self.now())
        self.sources[id_] = {
            "object": "data_source", "id": id_, "title": title, "description": [], "properties": configs,
            "parent": {"type": "database_id", "database_id": database}, "in_trash": False,
            "created_time": made, "last_edited_time": made, "url": f"{self.host}/{database.replace('-', '')}",
        }  # fmt: skip
        return self.sources[id_]

    def create_source(self, body: Json) -> Json:
        _only(body, {"parent", "properties", "title", "icon"})
        database = self._found("database", self.databases, uuid_of("database_id", body["parent"]["database_id"]))
        made = self._new_source(database["id"], body["properties"], values.rich_text(body.get("title", []), "title"))
        database["data_sources"].append({"id": made["id"], "name": _plain(made["title"])})
        return made

    def database(self, id_: str) -> Json:
        return self._found("database", self.databases, id_)

    def update_database(self, id_: str, body: Json) -> Json:
        _only(body, {"parent", "title", "description", "is_inline", "icon", "cover", "in_trash", "is_locked"})
        database = self._found("database", self.databases, id_)
        for name in ("title", "description"):
            if name in body:
                database[name] = values.rich_text(body[name], f"body.{name}")
        database["in_trash"] = body.get("in_trash", database["in_trash"])
        for each in database["data_sources"]:
            self.sources[each["id"]]["in_trash"] = database["in_trash"]
        return database

    def source(self, id_: str) -> Json:
        return self._found("database", self.sources, id_)

    def update_source(self, id_: str, body: Json) -> Json:
        _only(body, {"title", "icon", "properties", "in_trash", "parent"})
        source = self._found("database", self.sources, id_)
        if "title" in body:
            source["title"] = values.rich_text(body["title"], "body.title")
            for each in self.database(source["parent"]["database_id"])["data_sources"]:
                if each["id"] == id_:
                    each["name"] = _plain(source["title"])
        for key, given in body.get("properties", {}).items():
            self._update_column(source, key, given)
        return source

    def _update_column(self, source: Json, key: str, given: Json | None) -> None:
        columns, name = source["properties"], find_property(source["properties"], key)
        rows = self.rows(source["id"], trashed=None)
        if given is None:
            del columns[name or key]
            for row in rows:
                row["properties"].pop(name)
        elif name is not None and given.keys() <= {"name", "description"}:
            columns[name]["description"] = given.get("description", columns[name]["description"])
            if given.get("name", name) != name:
                self.rename_column(source["id"], name, given["name"])
        else:
            made = values.config(name or key, given)
            made["id"] = columns[name]["id"] if name else made["id"]
            columns[name or key] = made
            for row in rows:
                row["properties"][name or key] = _empty(made)

    def query(self, id_: str, body: Json) -> Json:
        _only(body, {"filter", "sorts", "start_cursor", "page_size", "in_trash", "result_type"})
        source = self._found("database", self.sources, id_)
        size = body.get("page_size", 100)
        if not isinstance(size, int) or not 1 <= size <= 100:
            raise Invalid(f"body failed validation: body.page_size should be ≤ `100`, instead was `{size}`.")
        engine = Filter(source["properties"], self.now())
        rows = self.rows(id_, trashed=body.get("in_trash", False))
        found = [row for row in rows if "filter" not in body or engine.matches(row, body["filter"])]
        return _listed(sort(found, body.get("sorts", []), source["properties"]), body, "page_or_data_source", size)

    # ── pages and blocks ──────────────────────────────────────────────────────────────────────────────────────────

    def create_page(self, body: Json) -> Json:
        _only(body, {"parent", "properties", "icon", "cover", "children", "markdown", "template", "position"})
        parent = body.get("parent", {})
        if "data_source_id" not in parent:
            raise Invalid("body failed validation: body.parent.data_source_id should be defined.")
        source = self._found("database", self.sources, uuid_of("data_source_id", parent["data_source_id"]))
        self._refuse_trashed(source)
        blocks = self._blocks(body.get("children", []))
        given = self._values(source, body.get("properties", {}))
        place = {"type": "data_source_id", "data_source_id": source["id"],
                 "database_id": source["parent"]["database_id"]}  # fmt: skip
        page = self._new_page(place, source["properties"])
        page["properties"].update(given)
        self.blocks[page["id"]] = blocks
        return page

    def _new_page(self, parent: Json, columns: Json) -> Json:
        id_, made = str(uuid4()), values.minute(self.now())
        self.pages[id_] = {
            "object": "page", "id": id_, "parent": parent, "created_time": made, "last_edited_time": made,
            "in_trash": False, "is_archived": False, "is_locked": False, "icon": None, "cover": None,
            "properties": {name: _empty(column) for name, column in columns.items()},
            "url": f"{self.host}/{id_.replace('-', '')}", "public_url": None, "_order": len(self.pages),
        }  # fmt: skip
        return self.pages[id_]

    def _values(self, source: Json, properties: Json) -> Json:
        made: Json = {}
        for key, given in properties.items():
            name = find_property(source["properties"], key)
            if name is None:
                raise Invalid(f"{key} is not a property that exists.")
            made[name] = values.value(source["properties"][name], given)
            if name == self.forgetful:
                made[name] = _empty(source["properties"][name])
        return made

    def retrieve_page(self, id_: str) -> Json:
        return self._found("page", self.pages, id_)

    def update_page(self, id_: str, body: Json) -> Json:
        shown = {"icon", "cover", "is_locked", "template", "erase_content"}
        _only(body, {"properties", "in_trash", "is_archived", *shown})
        page = self._found("page", self.pages, id_)
        if (home := page["parent"].get("data_source_id")) is not None:
            self._refuse_trashed(self.sources[home])
        if page["in_trash"] and body.get("in_trash") is not False:
            if body == {"in_trash": True}:
                return page
            raise Invalid(ARCHIVED)
        if "properties" in body:
            source = self._found("database", self.sources, page["parent"]["data_source_id"])
            page["properties"].update(self._values(source, body["properties"]))
        page["in_trash"] = body.get("in_trash", page["in_trash"])
        page["last_edited_time"] = values.minute(self.now())
        return page

    def _refuse_trashed(self, source: Json) -> None:
        if source["in_trash"]:
            raise Invalid(ARCHIVED)

    def _blocks(self, given: Any) -> list[Json]:
        if not isinstance(given, list) or len(given) > 100:
            raise Invalid("body failed validation: body.children.length should be ≤ `100`.")
        return [self._block(each, f"body.children[{index}]") for index, each in enumerate(given)]

    def _block(self, given: Json, at: str) -> Json:
        kinds = given.keys() - {"object", "type"}
        if len(kinds) != 1 or given.get("type", *kinds) not in kinds:
            raise Invalid(f"body failed validation: {at} should have exactly one type.")
        (kind,) = kinds
        text = values.rich_text(given[kind].get("rich_text", []), f"{at}.{kind}.rich_text")
        made = values.minute(self.now())
        return {"object": "block", "id": str(uuid4()), "type": kind, kind: {"rich_text": text, "color": "default"},
                "created_time": made, "last_edited_time": made, "has_children": False, "in_trash": False}  # fmt: skip

    def children(self, id_: str, query: dict[str, str]) -> Json:
        self._found("block", self.pages, id_)
        listed = [block for block in self.blocks.get(id_, []) if not block["in_trash"]]
        for kind, shelf in (("child_page", self.pages), ("child_database", self.databases)):
            for each in shelf.values():
                parent = each["parent"].get("page_id")
                if parent and str(UUID(parent)) == id_ and not each["in_trash"]:
                    title = each["title"] if kind == "child_database" else each["properties"]["title"]["title"]
                    listed.append({"object": "block", "id": each["id"], "type": kind, kind: {"title": _plain(title)},
                                   "has_children": False, "in_trash": False})  # fmt: skip
        return _listed(listed, query, "block", int(query.get("page_size", "100")))

    def append(self, id_: str, body: Json) -> Json:
        _only(body, {"children", "position"})
        page = self._found("block", self.pages, id_)
        if page["in_trash"]:
            raise Invalid(ARCHIVED)
        made = self._blocks(body["children"])
        self.blocks.setdefault(id_, []).extend(made)
        return _listed(made, {}, "block", 100)

    def delete_block(self, id_: str) -> Json:
        for shelf in (self.pages, self.databases):
            if id_ in shelf:
                shelf[id_]["in_trash"] = True
                return {"object": "block", "id": id_, "in_trash": True}
        everywhere = {block["id"]: block for blocks in self.blocks.values() for block in blocks}
        block = self._found("block", everywhere, id_)
        block["in_trash"] = True
        return block

    @staticmethod
    def _found(kind: str, shelf: dict[str, Json], id_: str) -> Json:
        if id_ not in shelf:
            message = (
                f"Could not find {kind} with ID: {id_}. Make sure the relevant pages and databases are shared with "
                f'your integration "{INTEGRATION}".'
            )
            raise Refusal(404, "object_not_found", message, additional_data={"integration_id": str(UUID(int=1))})
        return shelf[id_]


def _empty(column: Json) -> Json:
    kind = column["type"]
    return {"id": column["id"], "type": kind, kind: copy.copy(values.EMPTY.get(kind))}


def _plain(pieces: list[Json]) -> str:
    return "".join(piece["plain_text"] for piece in pieces)


def _only(body: Json, known: set[str]) -> None:
    for key in body.keys() - known:
        raise Invalid(f"body failed validation: body.{key} should be not present, instead was `{body[key]!r}`.")


def _listed(found: list[Json], body: Json | dict[str, str], kind: str, size: int) -> Json:
    start = 0
    if cursor := body.get("start_cursor"):
        start = next((index for index, each in enumerate(found) if each["id"] == str(cursor).split(":")[-1]), -1)
        if start < 0:
            raise Invalid("The start_cursor provided is invalid: " + str(cursor))
    after = found[start + size] if len(found) > start + size else None
    shown = [{key: value for key, value in each.items() if key != "_order"} for each in found[start : start + size]]
    return {"object": "list", "results": shown, "has_more": after is not None, "type": kind, kind: {},
            "next_cursor": f"s:{uuid4()}:{after['id']}" if after else None}  # fmt: skip


def uuid_of(name: str, text: str) -> str:
    try:
        found = UUID(text)
    except ValueError:
        found = None
    if found is None or found.variant != "specified in RFC 4122":
        message = f'path failed validation: path.{name} should be a valid uuid, instead was `"{text}"`.'
        raise Refusal(400, "validation_error", message)
    return str(found)
