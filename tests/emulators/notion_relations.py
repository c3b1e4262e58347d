"""What a workspace of Notion fills in by itself: the other side of a relation, and who made or edited a row, when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.emulators import notion_values as values
from tests.emulators.notion_files import Files
from tests.emulators.notion_shelves import Json, plain


@dataclass
class Relations(Files):
    # ── columns in pairs ──────────────────────────────────────────────────────────────────────────────────────────

    def pair(self, source: Json, name: str) -> None:
        """Complete a relation column: a two-way one appears in the other table too."""
        column = source["properties"][name]
        if column["type"] != "relation":
            return
        relation = column["relation"]
        other = self.found("database", self.sources, relation["data_source_id"])
        relation["database_id"] = other["parent"]["database_id"]
        relation.setdefault("type", "dual_property" if "dual_property" in relation else "single_property")
        if relation["type"] != "dual_property" or "synced_property_id" in relation["dual_property"]:
            return
        theirs = (
            relation["dual_property"].get("synced_property_name") or f"Related to {plain(source['title'])} ({name})"
        )
        made = values.config(theirs, {"relation": {
            "data_source_id": source["id"], "database_id": source["parent"]["database_id"], "type": "dual_property",
            "dual_property": {"synced_property_name": name, "synced_property_id": column["id"]},
        }})  # fmt: skip
        other["properties"][theirs] = made
        relation["dual_property"] = {"synced_property_name": theirs, "synced_property_id": made["id"]}
        for row in self.pages.values():
            if row["parent"].get("data_source_id") == other["id"]:
                row["properties"][theirs] = values.empty(made)

    def unpair(self, source: Json, name: str) -> None:
        """The other side of a column that is taken away goes too."""
        if (found := self._other_side(source, name)) is not None:
            other, theirs = found
            del other["properties"][theirs]
            for row in self.pages.values():
                if row["parent"].get("data_source_id") == other["id"]:
                    row["properties"].pop(theirs, None)

    def pair_renamed(self, source: Json, name: str) -> None:
        if (found := self._other_side(source, name)) is not None:
            other, theirs = found
            other["properties"][theirs]["relation"]["dual_property"]["synced_property_name"] = name

    def _other_side(self, source: Json, name: str) -> tuple[Json, str] | None:
        column = source["properties"].get(name, {"type": ""})
        if column["type"] != "relation" or column["relation"]["type"] != "dual_property":
            return None
        other = self.sources[column["relation"]["data_source_id"]]
        wanted = column["relation"]["dual_property"].get("synced_property_id")
        theirs = next((key for key, each in other["properties"].items() if each["id"] == wanted), None)
        return None if theirs is None else (other, theirs)

    # ── values ────────────────────────────────────────────────────────────────────────────────────────────────────

    def relate(self, page: Json, given: Json) -> None:
        """Enter a page on the other side of its relations, before they are set."""
        source = self.sources.get(page["parent"].get("data_source_id", ""))
        for name, value in given.items():
            if source is None or value["type"] != "relation" or (found := self._other_side(source, name)) is None:
                continue
            theirs, wanted = found[1], {each["id"] for each in value["relation"]}
            for id_, other in self.pages.items():
                held = other["properties"].get(theirs, {}).get("relation")
                if held is None or other["parent"].get("data_source_id") != found[0]["id"]:
                    continue
                there = any(each["id"] == page["id"] for each in held)
                if id_ in wanted and not there:
                    held.append({"id": page["id"]})
                elif id_ not in wanted and there:
                    held.remove({"id": page["id"]})

    def stamp(self, page: Json) -> None:
        """Fill in the columns that nobody writes."""
        for name, value in page["properties"].items():
            kind = value["type"]
            if kind in {"created_time", "last_edited_time", "created_by", "last_edited_by"}:
                value[kind] = page[kind]
            elif kind == "unique_id" and value[kind] is None:
                column = self.sources[page["parent"]["data_source_id"]]["properties"][name]
                column["_last"] = column.get("_last", 0) + 1
                value[kind] = {"prefix": column["unique_id"]["prefix"], "number": column["_last"]}

    def shown(self, page: Json) -> Json:
        """A page as it is answered, with everybody named."""
        made = values.shown(page)
        for name, value in made["properties"].items():
            made["properties"][name] = self._named(value)
        return made

    def _named(self, value: Json) -> Json:
        kind: str = value["type"]
        inner: Any = value[kind]
        if kind == "people":
            return {**value, kind: [self.member(each["id"]) for each in inner]}
        if kind in {"created_by", "last_edited_by"} and inner:
            return {**value, kind: self.member(inner["id"])}
        return value
