"""The emulator's writes against recorded answers of the real Notion: the same request, the same values back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.emulators.notion_values import EMPTY, Invalid
from tests.emulators.notion_workspace import Refusal, Workspace

Json = dict[str, Any]
FOLDERS = ("query", "page", "obj_api", "database", "examples")
COMPARED = EMPTY.keys() - {"people", "relation", "files", "status"}
"""Types whose values follow from the request alone, without members, other pages or uploads."""
AGREEING = 165
"""The others write into columns that appear on the other side of a relation, which we have no use for."""


class Replay:
    """One recording, asked again of a workspace of our own whose ids differ."""

    def __init__(self) -> None:
        self.workspace = Workspace()
        self.ids = {"00000000-0000-4000-8000-000000000001": self.workspace.page("Tests")}
        self.agreed = 0
        self.asked = 0
        self.disagreed: list[str] = []

    def ask(self, call: Json) -> None:
        request, answer = call["request"], call["response"]
        verb = (call["method"], call["path"].split("/")[2], len(call["path"].split("/")))
        try:
            if verb == ("POST", "databases", 3):
                made = self.workspace.create_database(self.ours(request))
                self.ids[answer["id"]] = made["id"]
                self.ids |= {theirs["id"]: made["data_sources"][0]["id"] for theirs in answer["data_sources"][:1]}
            elif verb == ("PATCH", "data_sources", 4) and (source := self.known(call["path"].split("/")[3])):
                self.workspace.update_source(source, self.ours(request))
            elif verb == ("POST", "pages", 3) and "data_source_id" in self.ours(request)["parent"]:
                made = self.workspace.create_page(self.ours(request))
                self.ids[answer["id"]] = made["id"]
                self.compare(call, made)
            elif verb == ("PATCH", "pages", 4) and (page := self.known(call["path"].split("/")[3])):
                self.compare(call, self.workspace.update_page(page, self.ours(request)))
        except (Invalid, Refusal, KeyError) as problem:
            if verb[1] == "pages":
                self.asked += 1
                self.disagreed.append(f"{call['path']} {problem!r}")

    def known(self, text: str) -> str | None:
        return next(
            (ours for theirs, ours in self.ids.items() if theirs.replace("-", "") == text.replace("-", "")), None
        )

    def ours(self, request: Json) -> Json:
        text = json.dumps(request)
        for theirs, ours in self.ids.items():
            text = text.replace(theirs, ours).replace(theirs.replace("-", ""), ours)
        return dict(json.loads(text))

    def compare(self, call: Json, made: Json) -> None:
        self.asked += 1
        theirs, ours = shown(call["response"]), shown(made)
        same = {name for name in theirs if name in ours and theirs[name] == ours[name]}
        if same == theirs.keys() and made["in_trash"] == call["response"]["in_trash"]:
            self.agreed += 1
        else:
            wrong = {name: (theirs[name], ours.get(name)) for name in theirs.keys() - same}
            self.disagreed.append(f"{call['path']} {wrong}")


def shown(page: Json) -> Json:
    """The values that can be compared, without the ids of options."""
    return {
        name: without_ids(value[value["type"]])
        for name, value in page["properties"].items()
        if value["type"] in COMPARED
    }


def without_ids(value: Any) -> Any:
    if isinstance(value, list):
        return [without_ids(each) for each in value]
    if isinstance(value, dict) and {"name", "color"} <= value.keys():
        return value["name"]
    return value


def test_what_is_written_comes_back_as_from_notion(shared: Path):
    agreed = asked = 0
    for folder in FOLDERS:
        for path in sorted((shared / "fixtures" / "notion" / "ultimate-notion" / folder).glob("*.jsonl")):
            replay = Replay()
            for line in path.read_text("utf-8").splitlines():
                replay.ask(json.loads(line))
            agreed, asked = agreed + replay.agreed, asked + replay.asked
            if replay.asked:
                print(f"{path.stem}: {replay.agreed} of {replay.asked}", *replay.disagreed, sep="\n  ")
    print(f"recorded writes that agree: {agreed} of {asked}")
    assert agreed >= AGREEING
