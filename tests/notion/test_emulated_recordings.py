"""The emulator against every recorded call of the real Notion: the same request, in the same order, the same answer.

Ids, addresses, times and colours are the service's own, and formulas and rollups are in a language of its own; all else
is compared. Calls about things that stood there before a recording began cannot be asked again.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.emulators.notion import Notion

Json = dict[str, Any]
ID = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
OWN = {
    "request_id", "archived", "next_cursor", "expires_at", "avatar_url", "color", "bot", "message", "formula", "rollup",
    "email", "email_verified", "integration_id",
}  # fmt: skip
"""Keys whose values are the service's own, or of an older version of the API, or in Notion's own formula language."""
THEIR_NAMES = {"Ultimate Notion Tests", "notion-sdk-py"}
SIGN = re.compile(r"s:[0-9a-f-]{36}:[0-9a-f-]{36}|(?<=[/\"])[^/\"\\]{4,24}(?=[\"?])")
CREATED = re.compile(r'"created_time": "([^"]+)"')
PEOPLE = re.compile(r'"object": "user", "id": "([^"]+)", "name": "([^"]+)", "avatar_url": [^,]+, "type": "person"')
STAMPS = {"created_time", "last_edited_time", "expiry_time", "url", "public_url", "icon", "cover", "description"}
AGREEING = 683
SHORT = {
    "POST /v1/data_sources/ID/query": "filters on formulas and rollups; what they find is judged beside this file",
    "PATCH /v1/pages/ID/markdown": "one is answered later, when asked to be",
    "PATCH /v1/data_sources/ID": "one names the other side of a relation",
    "DELETE /v1/blocks/ID": "what is in a page that stood there before; a title that comes from the table in it",
    "GET /v1/users": "other people are members there",
    "GET /v1/pages/ID": "one id is none by the rules for ids, and is answered as one that is not found",
}
"""Where not every recorded call is answered alike, and why."""


class Replay:
    """One recording, asked again of a workspace of our own. ``ids`` goes from theirs to ours."""

    def __init__(self) -> None:
        self.notion = Notion()
        self.ids: dict[str, str] = {}
        self.signs: dict[str, str] = {}
        """Cursors, and the short ids of columns."""
        self.stood: set[str] = set()
        self.time = datetime.min.replace(tzinfo=UTC)
        self.notion.now = lambda: self.time
        self.agreed: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.wrong: list[str] = []

    def ask(self, call: Json) -> None:
        address = urlsplit(call["path"])
        kind = f"{call['method']} {re.sub('properties/.*', 'properties/ID', ID.sub('ID', address.path))}"
        if address.path == "/v1/search":
            return  # it tells of a whole workspace, late and fuzzily, and is nothing we ask
        self.seed(call)
        if self.stood_before(call):
            return
        body = self.ours(call["request"]) if call["request"] is not None else None
        status, answer = self.notion.offhand(
            call["method"], self.ours(address.path), _newer(body), **dict(parse_qsl(self.ours(address.query)))
        )
        self.asked[kind] += 1
        found = [f"status {status} instead of {call['status']}: {answer.get('message')}"]
        if status == call["status"]:
            found = list(self.differences(call["response"], answer, ""))
        self.agreed[kind] += not found
        if found:
            self.wrong.append(f"{kind}: {found[:3]}")

    def stood_before(self, call: Json) -> bool:
        """Whether the call is about things that were there before the recording began, or about another token."""
        named = [_bare(each) for each in ID.findall(call["path"])]
        unknown = any(each not in self.ids or each in self.stood for each in named)
        return call["status"] == 401 or (call["status"] < 300 and unknown)

    def seed(self, call: Json) -> None:
        """A page that stood there before the recording began is made when it is first named as a parent."""
        parent = (call["request"] or {}).get("parent", {}) if call["method"] == "POST" else {}
        theirs = parent.get("page_id")
        if theirs and _bare(theirs) not in self.ids:
            self.ids[_bare(theirs)] = self.notion.page("Tests")
            self.stood.add(_bare(theirs))
        told = json.dumps(call["response"])
        times = [datetime.fromisoformat(each) for each in CREATED.findall(told) if call["method"] != "GET"]
        self.time = max([self.time, *times])
        for id_, name in PEOPLE.findall(told):
            self.notion.people[id_] = name
            self.ids.setdefault(_bare(id_), id_)

    def ours(self, thing: Any) -> Any:
        text = json.dumps(thing)
        text = SIGN.sub(lambda found: self.signs.get(found[0], found[0]), text)
        return json.loads(ID.sub(lambda found: self.ids.get(_bare(found[0]), found[0]), text))

    def differences(self, theirs: Any, ours: Any, at: str) -> Iterator[str]:
        if isinstance(theirs, dict) and isinstance(ours, dict):
            if str(theirs.get("next_cursor")).startswith("s:") and ours.get("next_cursor"):
                self.signs[theirs["next_cursor"]] = ours["next_cursor"]
            for key in theirs.keys() - OWN:
                yield from self.of_key(key, theirs[key], ours, at)
        elif isinstance(theirs, list) and isinstance(ours, list):
            if len(theirs) != len(ours):
                yield f"{at} has {len(ours)} instead of {len(theirs)}"
            for index, (one, other) in enumerate(zip(theirs, ours, strict=False)):
                yield from self.differences(one, other, f"{at}[{index}]")
        elif not self.same(theirs, ours, at):
            yield f"{at} is {ours!r} instead of {theirs!r}"

    def of_key(self, key: str, theirs: Any, ours: Json, at: str) -> Iterator[str]:
        if key in STAMPS and (theirs is None or isinstance(ours.get(key), type(theirs))):
            return
        if key in ours:
            yield from self.differences(theirs, ours[key], f"{at}.{key}")
        else:
            yield f"{at}.{key} is missing"

    def same(self, theirs: Any, ours: Any, at: str) -> bool:
        if not isinstance(theirs, str) or not isinstance(ours, str):
            return bool(theirs == ours)
        if ID.fullmatch(theirs) and ID.fullmatch(ours):
            return self.ids.setdefault(_bare(theirs), ours).replace("-", "") == _bare(ours)
        if theirs in THEIR_NAMES:
            return True
        if at.endswith((".id", "_property_id")):  # of a column or an option
            self.signs.setdefault(theirs, ours)
            return True
        return theirs == ours or bool(TIME.match(theirs) and TIME.match(ours) and ".start" not in at)


def _bare(id_: str) -> str:
    return id_.replace("-", "")


def _newer(body: Any) -> Any:
    """A request of an older version of the API as the newest wants it."""
    if isinstance(body, dict) and "archived" in body:
        return {"in_trash": body["archived"], **{key: body[key] for key in body if key != "archived"}}
    return body


def test_every_recorded_call_is_answered_as_notion_did(shared: Path):
    agreed: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for path in sorted((shared / "fixtures" / "notion").rglob("*.jsonl")):
        replay = Replay()
        for line in path.read_text("utf-8").splitlines():
            replay.ask(json.loads(line))
        agreed += replay.agreed
        asked += replay.asked
        if replay.wrong:
            print(f"{path.stem}:", *replay.wrong, sep="\n  ")
    for kind in sorted(asked):
        print(f"{kind}: {agreed[kind]} of {asked[kind]}")
    print(f"recorded calls that agree: {agreed.total()} of {asked.total()}")
    assert agreed.total() >= AGREEING
    assert {kind for kind in asked if agreed[kind] < asked[kind]} <= SHORT.keys()
