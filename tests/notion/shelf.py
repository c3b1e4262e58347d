"""A table of somebody's articles in the emulated Notion, some of them published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.emulators.notion import Notion
from tools.collection import Collection

Json = dict[str, Any]

COLUMNS: Json = {
    "Name": {"title": {}},
    "Abstract": {"rich_text": {}},
    "Public": {"checkbox": {}},
    "State": {"select": {"options": [{"name": "Draft"}, {"name": "Live"}]}},
    "Step": {"status": {"options": [{"name": "Waiting"}, {"name": "Out"}]}},
    "Where": {"multi_select": {"options": [{"name": "site"}, {"name": "letter"}]}},
    "Out on": {"date": {}},
    "URL": {"url": {}},
    "Topic": {"select": {"options": [{"name": "Money"}]}},
    "Secret": {"rich_text": {}},
    "Score": {"number": {}},
    "Computed": {"formula": {"expression": "true"}},
}


def words(text: str) -> list[Json]:
    return [{"type": "text", "text": {"content": text}}]


@dataclass
class Shelf:
    """The table, and rows in it."""

    notion: Notion
    database: str
    source: str

    def add(self, title: str, **columns: Any) -> str:
        """A row that is published by its checkbox, unless said otherwise. The id of its page."""
        values: Json = {"Name": {"title": words(title)}, "Public": {"checkbox": True}, **columns}
        if isinstance(values.get("Abstract"), str):
            values["Abstract"] = {"rich_text": words(values["Abstract"])}
        body = {"parent": {"type": "data_source_id", "data_source_id": self.source}, "properties": values}
        return str(self.notion.create_page(body)["id"])

    def row(self, page: str) -> Json:
        return self.notion.pages[page]

    def described(self, **more: Any) -> Collection:
        given = {"name": "faq", "about": "what customers ask", "source": self.source, "published": "Public"}
        shown = {"summary": "Abstract", "link": "URL", "date": "Out on", "kind": "Topic"}
        return Collection(**(given | {"value": True} | shown | more))


def shelf_in(notion: Notion) -> Shelf:
    body = {
        "parent": {"type": "page_id", "page_id": notion.page()},
        "title": words("Articles"),
        "initial_data_source": {"properties": COLUMNS},
    }
    database = notion.create_database(body)
    return Shelf(notion, database["id"], database["data_sources"][0]["id"])
