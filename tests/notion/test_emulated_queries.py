"""The emulator's query engine against recorded answers of the real Notion."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.emulators.notion_filter import BadFilter, Filter, sort

Json = dict[str, Any]

NEVER = datetime.fromisoformat("0001-01-02T00:00Z")
AGREEING = 175
"""The recorded queries whose answer the engine must find: all of them."""


def recorded(folder: Path) -> list[tuple[str, list[Json]]]:
    files = sorted((folder / "fixtures" / "notion" / "ultimate-notion" / "query").glob("*.jsonl"))
    return [(path.stem, [json.loads(line) for line in path.read_text("utf-8").splitlines()]) for path in files]


class Replay:
    """One recording: what it created or returned is the state, what it asked is the question."""

    def __init__(self, calls: list[Json]) -> None:
        self.calls = calls
        self.pages: dict[str, list[Json]] = {}
        self.columns: dict[str, dict[str, Json]] = {}
        self.agreed = 0
        self.asked = 0
        self.disagreed: list[str] = []

    def run(self) -> None:
        self.seed_from_answers()
        for call in self.calls:
            path, answer = call["path"].split("/")[2:], call["response"]
            if answer.get("object") == "data_source":
                self.columns[answer["id"]] = answer["properties"]
            elif answer.get("object") == "page":
                self.keep(answer)
            elif path[-1] == "query":
                self.judge(path[1], call["request"], answer)

    def seed_from_answers(self) -> None:
        """Pages that stood there before the recording began are known from the answers they appear in."""
        created = {call["response"].get("id") for call in self.calls}
        for call in self.calls:
            for page in call["response"].get("results", []):
                if page["object"] == "page" and page["id"] not in created:
                    self.keep(page)

    def keep(self, page: Json) -> None:
        pages = self.pages.setdefault(page["parent"].get("data_source_id", ""), [])
        if page["id"] not in {each["id"] for each in pages}:
            pages.append({**page, "_order": len(pages)})

    def judge(self, source: str, body: Json, answer: Json) -> None:
        self.asked += 1
        pages = self.pages.get(source, [])
        edited = max((datetime.fromisoformat(page["created_time"]) for page in pages), default=NEVER)
        columns = self.columns.get(source) or (pages[0]["properties"] if pages else {})
        engine = Filter(columns, edited)
        try:
            found = [page for page in pages if "filter" not in body or engine.matches(page, body["filter"])]
            found = sort(found, body.get("sorts", []), columns)
        except (BadFilter, KeyError) as problem:
            self.disagreed.append(f"{body}: {problem!r}")
            return
        ours = [page["id"] for page in found][: body["page_size"]]
        theirs = [page["id"] for page in answer["results"]]
        same = ours == theirs if "sorts" in body else set(ours) == set(theirs)
        if body["page_size"] == 1 and "filter" not in body:
            same = len(ours) == len(theirs)
        self.agreed += same
        if not same:
            self.disagreed.append(f"{body}: {ours} instead of {theirs}")


def test_the_engine_finds_what_notion_found(shared: Path):
    agreed = asked = 0
    for name, calls in recorded(shared):
        replay = Replay(calls)
        replay.run()
        agreed, asked = agreed + replay.agreed, asked + replay.asked
        print(f"{name}: {replay.agreed} of {replay.asked}", *replay.disagreed, sep="\n  ")
    print(f"recorded queries that agree: {agreed} of {asked}")
    assert agreed >= AGREEING


@pytest.mark.parametrize(
    "condition",
    [
        {"property": "N", "number": {"grater_than": 1}},
        {"property": "N", "number": {"equals": "1"}},
        {"property": "N", "rich_text": {"equals": "1"}},
        {"property": "D", "date": {"equals": "2026-7-1"}},
        {"property": "D", "date": {"equals": "2026/07/01"}},
        {"property": "D", "date": {"does_not_equal": "2026-07-01"}},
        {"property": "gone", "number": {"equals": 1}},
        {"or": [{"and": [{"or": [{"property": "N", "number": {"equals": 1}}]}]}]},
    ],
)
def test_what_notion_refuses_is_refused(condition: Json):
    columns = {"N": {"id": "a", "type": "number"}, "D": {"id": "b", "type": "date"}}
    page = {"properties": {"N": {"type": "number", "number": 1}, "D": {"type": "date", "date": None}}}
    with pytest.raises(BadFilter):
        Filter(columns, datetime.fromisoformat("2026-11-30T00:00Z")).matches(page, condition)
