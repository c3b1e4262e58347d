"""Pages of a workspace of Notion: rows and those outside any table, their values, and what people do to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

from tests.emulators import notion_values as values
from tests.emulators.notion_filter import find_property
from tests.emulators.notion_shelves import ARCHIVED, PERSON, Json, only, page_size, uuid_of
from tests.emulators.notion_tables import Tables
from tests.emulators.notion_values import Invalid


@dataclass
class Pages(Tables):
    # ── what a person does there ──────────────────────────────────────────────────────────────────────────────────

    def page(self, title: str = "Home", parent: Json | None = None) -> str:
        """A page outside any table, shared with the connection."""
        column = {"id": "title", "name": "title", "type": "title", "title": {}}
        with self.by_a_person():
            made = self._new_page(parent or {"type": "workspace", "workspace": True}, {"title": column})
        made["properties"]["title"]["title"] = values.rich_text([{"text": {"content": title}}], "title")
        return str(made["id"])

    def add_row(self, source: str, *, person: str = PERSON, **columns: Any) -> str:
        """A person adds a row: plain values by column name; its id."""
        with self.by_a_person(person):
            parent = {"type": "data_source_id", "data_source_id": source}
            return str(self.create_page({"parent": parent, "properties": self._typed(source, columns)})["id"])

    def edit(self, page_id: str, *, person: str = PERSON, **columns: Any) -> None:
        """A person edits a row: plain values by column name."""
        with self.by_a_person(person):
            source = self.pages[page_id]["parent"]["data_source_id"]
            self.update_page(page_id, {"properties": self._typed(source, columns)})

    def trash(self, page_id: str) -> None:
        with self.by_a_person():
            self.update_page(page_id, {"in_trash": True})

    def restore(self, page_id: str) -> None:
        with self.by_a_person():
            self.update_page(page_id, {"in_trash": False})

    def _typed(self, source: str, columns: Json) -> Json:
        return {name: values.typed(self.sources[source]["properties"][name], plain) for name, plain in columns.items()}

    # ── endpoints ─────────────────────────────────────────────────────────────────────────────────────────────────

    def create_page(self, body: Json) -> Json:
        only(body, {"parent", "properties", "icon", "cover", "children", "markdown", "template", "position"})
        parent = body.get("parent", {})
        if "children" in body and "markdown" in body:
            raise Invalid("body failed validation: body.markdown and body.children are mutually exclusive.")
        if "page_id" in parent:
            place, columns = self._under_page(parent)
        elif "data_source_id" in parent:
            place, columns = self._in_source(parent)
        else:
            raise Invalid("body failed validation: body.parent.data_source_id should be defined.")
        content = self.content(body)
        given = self._values(columns, body.get("properties", {}))
        self.make_room(1 + len(content))
        page = self._new_page(place, columns)
        page["properties"].update(given)
        page |= {name: body[name] for name in body.keys() & {"icon", "cover"}}
        self.blocks[page["id"]] = [{**each, "parent": {"type": "page_id", "page_id": page["id"]}} for each in content]
        self.relate(page, given)
        self.stamp(page)
        self._told("page.created", page)
        return self.shown(page)

    def _under_page(self, parent: Json) -> tuple[Json, Json]:
        home = self.found("page", self.pages, uuid_of("page_id", parent["page_id"]))
        if home["in_trash"]:
            raise Invalid(ARCHIVED)
        column = {"id": "title", "name": "title", "type": "title", "title": {}}
        return {"type": "page_id", "page_id": home["id"]}, {"title": column}

    def _in_source(self, parent: Json) -> tuple[Json, Json]:
        source = self.source(uuid_of("data_source_id", parent["data_source_id"]))
        self.refuse_trashed(source)
        place = {"type": "data_source_id", "data_source_id": source["id"],
                 "database_id": source["parent"]["database_id"]}  # fmt: skip
        return place, source["properties"]

    def content(self, body: Json) -> list[Json]:
        """The blocks that ``children`` or ``markdown`` of a request stand for."""
        raise NotImplementedError

    def _new_page(self, parent: Json, columns: Json) -> Json:
        id_, made = str(uuid4()), values.minute(self.now())
        page = {
            "object": "page", "id": id_, "parent": parent, "created_time": made, "last_edited_time": made,
            "created_by": self.user(), "last_edited_by": self.user(),
            "in_trash": False, "is_archived": False, "is_locked": False, "icon": None, "cover": None,
            "properties": {name: values.empty(column) for name, column in columns.items()},
            "url": f"{self.host}/{id_.replace('-', '')}", "public_url": None, "_order": len(self.pages),
        }  # fmt: skip
        if self.lag:
            page["_seen"] = (self.now() + self.lag, None)
        self.pages[id_] = page
        return page

    def _values(self, columns: Json, properties: Json) -> Json:
        made: Json = {}
        for key, given in properties.items():
            name = find_property(columns, key)
            if name is None:
                raise Invalid(f"{key} is not a property that exists.")
            if isinstance(given, list) and columns[name]["type"] == "title":
                given = {"title": given}  # noqa: PLW2901 - Notion takes both forms (recorded)
            made[name] = values.value(columns[name], given, self.attach)
            if name == self.forgetful:
                made[name] = values.empty(columns[name])
        return made

    def retrieve_page(self, id_: str) -> Json:
        return self.shown(self.found("page", self.pages, id_))

    def property_item(self, id_: str, property_id: str, query: dict[str, str]) -> Json:
        """All of one value, page by page: where a page shows the first 25 only."""
        page = self.found("page", self.pages, id_)
        held = {unquote(value["id"]): value for value in page["properties"].values()}.get(unquote(property_id))
        if held is None:
            raise Invalid(f"Could not find property with name or id: {property_id}")
        kind, bare = held["type"], held["id"]
        if kind not in {"title", "rich_text", "relation", "people"}:
            return {"object": "property_item", "type": kind, "id": bare, kind: held[kind]}
        items = [{"object": "property_item", "type": kind, "id": bare, kind: each} for each in held[kind]]
        listed = self.listed(items, query, "property_item", page_size(query.get("page_size", "100"), "query"))
        listed["property_item"] = {"id": bare, "next_url": None, "type": kind, kind: {}}
        return listed

    def update_page(self, id_: str, body: Json) -> Json:
        shown = {"icon", "cover", "is_locked", "template", "erase_content"}
        only(body, {"properties", "in_trash", "is_archived", *shown})
        page = self.found("page", self.pages, id_)
        if (home := page["parent"].get("data_source_id")) is not None:
            self.refuse_trashed(self.sources[home])
        if page["in_trash"] and body.get("in_trash") is not False:
            if body == {"in_trash": True}:
                return self.shown(page)
            raise Invalid(ARCHIVED)
        given = self._values(self._columns(page), body.get("properties", {}))
        self.remember(page)
        self._change(page, body, given)
        page |= {"last_edited_time": values.minute(self.now()), "last_edited_by": self.user()}
        self.stamp(page)
        return self.shown(page)

    def _change(self, page: Json, body: Json, given: Json) -> None:
        changed = [value["id"] for name, value in given.items() if page["properties"][name] != value]
        self.relate(page, given)
        page["properties"].update(given)
        page |= {name: body[name] for name in body.keys() & {"icon", "cover", "is_locked"}}
        if body.get("in_trash", page["in_trash"]) != page["in_trash"]:
            page["in_trash"] = body["in_trash"]
            self._told("page.deleted" if page["in_trash"] else "page.undeleted", page)
        if changed:
            self._told("page.properties_updated", page, updated_properties=changed)

    def move_page(self, id_: str, body: Json) -> Json:
        only(body, {"parent"})
        page = self.found("page", self.pages, id_)
        place, columns = (
            self._under_page(body["parent"]) if "page_id" in body["parent"] else self._in_source(body["parent"])
        )
        title = next(value for value in page["properties"].values() if value["type"] == "title")
        held = {name: values.empty(column) for name, column in columns.items()}
        named = next(name for name, column in columns.items() if column["type"] == "title")
        page |= {"parent": place, "properties": {**held, named: title}}
        self._told("page.moved", page)
        return self.shown(page)

    def _columns(self, page: Json) -> Json:
        home = page["parent"].get("data_source_id")
        if home is not None:
            return dict(self.source(home)["properties"])
        return {name: {**value, "name": name} for name, value in page["properties"].items()}

    def _told(self, kind: str, page: Json, **data: Any) -> None:
        parent = page["parent"]
        above = {"id": parent.get("database_id") or parent.get("page_id") or str(uuid4()),
                 "type": {"data_source_id": "database", "page_id": "page"}.get(parent["type"], "space")}  # fmt: skip
        if "data_source_id" in parent:
            above["data_source_id"] = parent["data_source_id"]
        self.happened(kind, {"id": page["id"], "type": "page"}, above, **data)
