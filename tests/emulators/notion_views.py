"""The views of a workspace of Notion: how a table is shown. Judged by two recorded calls and the SDK's own types.

https://developers.notion.com/guides/data-apis/working-with-views
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, timedelta
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

from tests.emulators.notion_bodies import Bodies
from tests.emulators.notion_filter import Filter, find_property, sort
from tests.emulators.notion_shelves import Json, only, page_size, public, uuid_of
from tests.emulators.notion_values import Invalid

TYPES = {"table", "board", "list", "calendar", "timeline", "gallery", "form", "chart", "map", "dashboard"}
SHOWN = {"properties"}
CONFIGURED: dict[str, set[str]] = {
    "table": {*SHOWN, "group_by", "subtasks", "wrap_cells", "frozen_column_index", "show_vertical_lines"},
    "board": {*SHOWN, "group_by", "sub_group_by", "cover", "cover_size", "cover_aspect", "card_layout"},
    "calendar": {*SHOWN, "date_property_id", "view_range", "show_weekends"},
    "timeline": {*SHOWN, "date_property_id", "end_date_property_id", "show_table", "table_properties", "preference"},
    "gallery": {*SHOWN, "cover", "cover_size", "cover_aspect", "card_layout"},
    "list": SHOWN,
}
COLUMN = {"property_id", "visible", "width", "wrap", "status_show_as", "card_property_width_mode", "date_format",
          "time_format"}  # fmt: skip


@dataclass
class Views(Bodies):
    _asked_views: dict[str, list[Json]] = field(default_factory=dict)

    def create_view(self, body: Json) -> Json:
        only(body, {"data_source_id", "name", "type", "database_id", "view_id", "filter", "sorts", "quick_filters",
                    "create_database", "configuration", "position", "placement"})  # fmt: skip
        for name in ("data_source_id", "name", "type"):
            if not isinstance(body.get(name), str):
                raise Invalid(f"body failed validation: body.{name} should be a string.")
        if body["type"] not in TYPES:
            raise Invalid(f"body failed validation: body.type should be one of {sorted(TYPES)}.")
        if "database_id" not in body:
            raise Invalid("body failed validation: one of database_id, view_id, create_database should be defined.")
        source = self.found("data source", self.sources, uuid_of("data_source_id", body["data_source_id"], "body"))
        database = self.found("database", self.databases, uuid_of("database_id", body["database_id"], "body"))
        if all(each["id"] != source["id"] for each in database["data_sources"]):
            raise Invalid("body failed validation: body.data_source_id should belong to body.database_id.")
        view = self._new_view(database["id"], source, body["name"], body["type"])
        try:
            self._set(view, source, {key: body[key] for key in body.keys() & _SETTABLE})
            self._check_placed(view)
        except Exception:
            del self.views[view["id"]]
            raise
        return view

    @staticmethod
    def _check_placed(view: Json) -> None:
        if view["type"] in {"calendar", "timeline"} and "date_property_id" not in view["configuration"]:
            raise Invalid("body failed validation: body.configuration.date_property_id should be defined.")

    def first_view(self, database: str, source: Json) -> None:
        self._new_view(database, source, "Default view", "table")

    def _new_view(self, database: str, source: Json, name: str, kind: str) -> Json:
        id_, made = str(uuid4()), self.now().astimezone(UTC).isoformat(timespec="milliseconds")
        bare = id_.replace("-", "")
        self.views[id_] = {
            "object": "view", "id": id_, "parent": {"type": "database_id", "database_id": database},
            "data_source_id": source["id"], "name": name, "type": kind, "created_time": made,
            "created_by": self.user(), "last_edited_time": made, "last_edited_by": self.user(),
            "url": f"{self.databases[database]['url']}?v={bare}", "filter": None, "sorts": None,
            "quick_filters": None, "configuration": {"type": kind},
        }  # fmt: skip
        return self.views[id_]

    def _set(self, view: Json, source: Json, given: Json) -> None:
        columns = source["properties"]
        if given.get("filter") is not None:
            Filter(columns, self.now()).matches(self.blank(columns), given["filter"])
        if given.get("sorts") is not None:
            sort([], given["sorts"], columns)
        if given.get("configuration") is not None:
            given = {**given, "configuration": self._configuration(view["type"], given["configuration"], columns)}
        view.update(given)
        view["last_edited_by"] = self.user()

    @staticmethod
    def _configuration(kind: str, given: Any, columns: Json) -> Json:
        if not isinstance(given, dict) or given.get("type") != kind:
            raise Invalid(f"body failed validation: body.configuration.type should be `{kind}`.")
        for key in given.keys() - {"type"} - CONFIGURED.get(kind, given.keys()):
            raise Invalid(f"body failed validation: body.configuration.{key} should be not present.")
        named = [each["property_id"] for each in given.get("properties", [])]
        named += [given[key] for key in ("date_property_id", "end_date_property_id") if key in given]
        known = {unquote(column["id"]): name for name, column in columns.items()}
        for each in named:
            if unquote(each) not in known and find_property(columns, each) is None:
                raise Invalid(f"Could not find property with name or id: {each}")
        for each in given.get("properties", []):
            only(each, COLUMN)
        if (date := given.get("date_property_id")) is not None:
            column = columns[find_property(columns, date) or ""]
            if column["type"] not in {"date", "created_time", "last_edited_time"}:
                raise Invalid("body failed validation: body.configuration.date_property_id should be a date property.")
        return given

    def view(self, id_: str) -> Json:
        return self.found("view", self.views, id_)

    def update_view(self, id_: str, body: Json) -> Json:
        only(body, _SETTABLE)
        view = self.view(id_)
        self._set(view, self.sources[view["data_source_id"]], body)
        return view

    def delete_view(self, id_: str) -> Json:
        view = self.view(id_)
        beside = [each for each in self.views.values() if each["parent"] == view["parent"]]
        if len(beside) == 1:
            raise Invalid("A database keeps at least one view.")
        del self.views[id_]
        return {key: view[key] for key in ("object", "id", "parent", "type")}

    def list_views(self, query: dict[str, str]) -> Json:
        if not query.keys() & {"database_id", "data_source_id"}:
            raise Invalid("query failed validation: database_id or data_source_id should be defined.")
        found = list(self.views.values())
        if text := query.get("database_id"):
            id_ = self.found("database", self.databases, uuid_of("database_id", text, "query"))["id"]
            found = [each for each in found if each["parent"]["database_id"] == id_]
        if text := query.get("data_source_id"):
            id_ = self.found("data source", self.sources, uuid_of("data_source_id", text, "query"))["id"]
            found = [each for each in found if each["data_source_id"] == id_]
        references = [{"object": "view", "id": each["id"]} for each in found]
        return self.listed(references, query, "view", page_size(query.get("page_size", "100"), "query"))

    def query_view(self, id_: str, body: Json) -> Json:
        """What a person sees there."""
        only(body, {"page_size"})
        view = self.view(id_)
        source = self.sources[view["data_source_id"]]
        engine = Filter(source["properties"], self.now())
        found = [row for row in self.rows(source["id"]) if not view["filter"] or engine.matches(row, view["filter"])]
        ordered = sort(found, view["sorts"] or [], source["properties"])
        listed = self.listed([{"object": "page", "id": each["id"]} for each in ordered], {}, "page",
                             page_size(body.get("page_size", 100)))  # fmt: skip
        ends = (self.now().astimezone(UTC) + timedelta(minutes=15)).isoformat(timespec="milliseconds")
        query = str(uuid4())
        self._asked_views[query] = ordered
        return {"object": "view_query", "id": query, "view_id": id_, "expires_at": ends,
                "total_count": len(ordered), "results": [public(each) for each in listed["results"]],
                "next_cursor": listed["next_cursor"], "has_more": listed["has_more"]}  # fmt: skip

    def view_results(self, id_: str, query_id: str, query: dict[str, str]) -> Json:
        self.view(id_)
        found = self.found("view query", {key: {"rows": rows} for key, rows in self._asked_views.items()}, query_id)
        listed = [{"object": "page", "id": each["id"]} for each in found["rows"]]
        return self.listed(listed, query, "page", page_size(query.get("page_size", "100"), "query"))


_SETTABLE = {"name", "filter", "sorts", "quick_filters", "configuration"}
