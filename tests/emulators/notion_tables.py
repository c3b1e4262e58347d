"""Databases and data sources of a workspace of Notion: their columns, and what a query finds in them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

from tests.emulators import notion_values as values
from tests.emulators.notion_filter import Filter, find_property, sort
from tests.emulators.notion_relations import Relations
from tests.emulators.notion_shelves import ARCHIVED, Json, only, page_size, plain, uuid_of
from tests.emulators.notion_values import Invalid


@dataclass
class Tables(Relations):
    # ── databases ─────────────────────────────────────────────────────────────────────────────────────────────────

    def create_database(self, body: Json) -> Json:
        # Columns beside initial_data_source are ignored, as Notion does.
        shown = {"title", "description", "is_inline", "icon", "cover"}
        only(body, {"parent", "initial_data_source", "properties", *shown})
        parent = body.get("parent", {})
        if "page_id" not in parent:
            raise Invalid("body failed validation: body.parent.page_id should be defined, instead was `undefined`.")
        home = uuid_of("page_id", parent["page_id"])
        self.found("page", self.pages, home)
        self.make_room(1)
        title = values.rich_text(body.get("title", []), "body.title")
        properties = body.get("initial_data_source", {}).get("properties") or {"Name": {"title": {}}}
        made = self._new_database(
            home, title or _untitled(), values.rich_text(body.get("description", []), "body.description")
        )
        try:
            source = self._new_source(made["id"], properties, title)
        except Exception:
            del self.databases[made["id"]]
            raise
        made["data_sources"] = [{"id": source["id"], "name": plain(made["title"])}]
        self.first_view(made["id"], source)
        return made

    def _new_database(self, home: str, title: list[Json], description: list[Json]) -> Json:
        id_, made = str(uuid4()), self.now()
        self.databases[id_] = {
            "object": "database", "id": id_, "title": title, "parent": {"type": "page_id", "page_id": home},
            "description": description, "is_inline": False, "in_trash": False, "is_locked": False, "icon": None,
            "cover": None, "created_time": made.isoformat(timespec="milliseconds"),
            "last_edited_time": made.isoformat(timespec="milliseconds"), "data_sources": [],
            "url": f"{self.host}/{id_.replace('-', '')}", "public_url": None,
        }  # fmt: skip
        return self.databases[id_]

    def first_view(self, database: str, source: Json) -> None:
        """Every database has one."""

    def database(self, id_: str) -> Json:
        return self.found("database", self.databases, id_)

    def update_database(self, id_: str, body: Json) -> Json:
        only(body, {"parent", "title", "description", "is_inline", "icon", "cover", "in_trash", "is_locked"})
        database = self.database(id_)
        for name in ("title", "description"):
            if name in body:
                database[name] = values.rich_text(body[name], f"body.{name}")
        database |= {name: body[name] for name in body.keys() & {"is_inline", "is_locked", "icon", "cover"}}
        if "parent" in body:
            database["parent"] = {"type": "page_id", "page_id": uuid_of("page_id", body["parent"]["page_id"])}
        database["in_trash"] = body.get("in_trash", database["in_trash"])
        for each in database["data_sources"]:
            self.sources[each["id"]]["in_trash"] = database["in_trash"]
        return database

    # ── data sources ──────────────────────────────────────────────────────────────────────────────────────────────

    def create_source(self, body: Json) -> Json:
        only(body, {"parent", "properties", "title", "icon"})
        database = self.database(uuid_of("database_id", body["parent"]["database_id"]))
        title = values.rich_text(body.get("title", []), "title")
        made = self._new_source(database["id"], body["properties"], title)
        made["icon"] = body.get("icon")
        database["data_sources"].append({"id": made["id"], "name": plain(made["title"])})
        return made

    def _new_source(self, database: str, properties: Json, title: list[Json]) -> Json:
        configs = {name: values.config(name, given) for name, given in properties.items()}
        if sum(each["type"] == "title" for each in configs.values()) != 1:
            raise Invalid("Title is not provided")
        id_, made, home = str(uuid4()), values.minute(self.now()), self.databases[database]
        self.sources[id_] = {
            "object": "data_source", "id": id_, "title": title, "description": [], "properties": configs,
            "parent": {"type": "database_id", "database_id": database}, "in_trash": False, "icon": None,
            "cover": None, "is_inline": False, "public_url": None, "database_parent": home["parent"],
            "created_by": self.user(), "last_edited_by": self.user(),
            "created_time": made, "last_edited_time": made, "url": home["url"],
        }  # fmt: skip
        for name in list(configs):
            self.pair(self.sources[id_], name)
        return self.sources[id_]

    def source(self, id_: str) -> Json:
        return self.found("database", self.sources, id_)

    def update_source(self, id_: str, body: Json) -> Json:
        only(body, {"title", "icon", "properties", "in_trash", "parent"})
        source = self.source(id_)
        if "title" in body:
            source["title"] = values.rich_text(body["title"], "body.title")
        if "parent" in body:
            self._move_source(source, uuid_of("database_id", body["parent"]["database_id"]))
        for each in self.database(source["parent"]["database_id"])["data_sources"]:
            if each["id"] == id_:
                each["name"] = plain(source["title"]) or each["name"]
        source["icon"] = body.get("icon", source["icon"])
        source["in_trash"] = body.get("in_trash", source["in_trash"])
        for key, given in body.get("properties", {}).items():
            self._update_column(source, key, given)
        source |= {"last_edited_by": self.user(), "last_edited_time": values.minute(self.now())}
        return source

    def _move_source(self, source: Json, database: str) -> None:
        entry = {"id": source["id"], "name": plain(source["title"])}
        self.database(source["parent"]["database_id"])["data_sources"].remove(entry)
        self.database(database)["data_sources"].append(entry)
        source |= {"parent": {"type": "database_id", "database_id": database}, "url": self.databases[database]["url"]}

    def _update_column(self, source: Json, key: str, given: Json | None) -> None:
        columns, name = source["properties"], find_property(source["properties"], key)
        if given is None:
            if name is None:
                raise Invalid(f"{key} is not a property that exists.")
            if columns[name]["type"] == "title":
                raise Invalid("Cannot delete the title property.")
            self._schema_changed(source, columns[name]["id"], None, "deleted")
            self.unpair(source, name)
            del columns[name]
            for row in self.rows(source["id"], trashed=None):
                row["properties"].pop(name)
        elif name is not None and given.keys() <= {"name", "description"}:
            columns[name]["description"] = given.get("description", columns[name]["description"])
            if given.get("name", name) != name:
                self._rename(source["id"], name, given["name"])
        else:
            self._set_column(source, name or key, given, known=name is not None)

    def _set_column(self, source: Json, name: str, given: Json, *, known: bool) -> None:
        made, columns = values.config(name, given), source["properties"]
        if not known and made["type"] == "title":
            raise Invalid("Cannot create a second title property.")
        before = columns[name] if known else made
        if known and (before["type"] == "title") != (made["type"] == "title"):
            raise Invalid("Cannot change the type of the title property.")
        made |= {"id": before["id"], "description": given.get("description", before["description"])}
        _keep_options(before, made)
        columns[name] = made
        self._schema_changed(source, made["id"], name, "updated" if known else "created")
        self.pair(source, name)
        for row in self.rows(source["id"], trashed=None):
            if not known or before["type"] != made["type"]:
                row["properties"][name] = values.empty(made)
        if known and (new := given.get("name", name)) != name:
            self._rename(source["id"], name, new)

    def rename_column(self, source: str, old: str, new: str) -> None:
        """A person calls a column something else."""
        with self.by_a_person():
            self._rename(source, old, new)

    def _rename(self, source: str, old: str, new: str) -> None:
        columns = self.sources[source]["properties"]
        columns[new] = {**columns.pop(old), "name": new}
        self._schema_changed(self.sources[source], columns[new]["id"], new, "updated")
        self.pair_renamed(self.sources[source], new)
        for page in self.rows(source, trashed=None):
            page["properties"][new] = page["properties"].pop(old)

    def _schema_changed(self, source: Json, id_: str, name: str | None, action: str) -> None:
        self.happened("data_source.schema_updated", {"id": source["id"], "type": "data_source"},
                      {"id": source["parent"]["database_id"], "type": "database"},
                      updated_properties=[{"id": id_, "name": name, "action": action}])  # fmt: skip

    def templates(self, id_: str, query: dict[str, str]) -> Json:
        """None: nobody made one."""
        self.source(id_)
        page_size(query.get("page_size", "100"), "query")
        return {"templates": [], "has_more": False, "next_cursor": None}

    # ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def rows(self, source: str, *, trashed: bool | None = False) -> list[Json]:
        """The pages of a data source; ``trashed=None`` for all."""
        found = [page for page in self.pages.values() if page["parent"].get("data_source_id") == source]
        return [page for page in found if trashed is None or page["in_trash"] == trashed]

    def query(self, id_: str, body: Json) -> Json:
        only(body, {"filter", "sorts", "start_cursor", "page_size", "in_trash", "result_type"})
        source = self.source(id_)
        size = page_size(body.get("page_size", 100))
        engine, wanted = Filter(source["properties"], self.now()), body.get("in_trash", False)
        if "filter" in body:
            engine.matches(self.blank(source["properties"]), body["filter"])
        found: list[Json] = []
        if "start_cursor" not in body:
            found = [row for row in self._as_seen(id_) if row["in_trash"] == wanted]
            found = [row for row in found if "filter" not in body or engine.matches(row, body["filter"])]
            found = sort(found, body.get("sorts", []), source["properties"])
        answer = self.listed(found, body, "page_or_data_source", size, limit=self.result_limit)
        answer["results"] = [self.shown(each) for each in answer["results"]]
        return answer

    def _as_seen(self, source: str) -> list[Json]:
        """The rows as a query sees them: where it lags behind, as they were before."""
        now, seen = self.now(), []
        for row in self.rows(source, trashed=None):
            until, before = row.get("_seen", (now, None))
            if until <= now:
                seen.append(row)
            elif before is not None:
                seen.append(before)
        return seen

    def blank(self, columns: Json) -> Json:
        """A row in which nothing stands: what a filter is checked against."""
        at = values.minute(self.now())
        return {"created_time": at, "last_edited_time": at,
                "properties": {name: values.empty(column) for name, column in columns.items()}}  # fmt: skip

    def refuse_trashed(self, source: Json) -> None:
        if source["in_trash"]:
            raise Invalid(ARCHIVED)


def _untitled() -> list[Json]:
    return values.rich_text([{"text": {"content": "New database"}}], "title")


def _keep_options(before: Json, made: Json) -> None:
    """Options that are named again stay what they are; those left out are gone, as the list replaces the old one."""
    kind = made["type"]
    if kind == before["type"] == "unique_id" and not made[kind]["prefix"]:
        made[kind] = before[kind]
    if kind != before["type"] or kind not in {"select", "multi_select", "status"}:
        return
    known = {each["name"]: each for each in before[kind]["options"]}
    made[kind]["options"] = [{**each, "id": known.get(each["name"], each)["id"]} for each in made[kind]["options"]]
