"""What a workspace of Notion keeps, who acts in it, and how it refuses: the ground under every endpoint."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from tests.emulators.notion_values import Invalid

Json = dict[str, Any]
INTEGRATION = "Secretary Bot"
ARCHIVED = "Can't edit block that is archived. You must unarchive the block before editing."
BOT = "0b07b07b-0000-4000-8000-000000000001"
PERSON = "0e450000-0000-4000-8000-000000000002"
FREE_UPLOAD = 5 * 1024 * 1024
"""Bytes of one file in a free workspace (recorded: users/me tells it)."""


class Refusal(Exception):
    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status, self.code, self.more = status, code, more


@dataclass
class Shelves:
    """The state. Everything a request can make, change or find stands in one of the dictionaries."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    host: str = "https://www.notion.so"
    databases: dict[str, Json] = field(default_factory=dict)
    sources: dict[str, Json] = field(default_factory=dict)
    pages: dict[str, Json] = field(default_factory=dict)
    blocks: dict[str, list[Json]] = field(default_factory=dict)
    views: dict[str, Json] = field(default_factory=dict)
    uploads: dict[str, Json] = field(default_factory=dict)
    forgetful: str = ""
    """The name of a column whose values are taken and not kept, with 200."""
    actor: str = BOT
    """Who edits now: the connection's bot, or a person in ``by_a_person``."""
    unshared: set[str] = field(default_factory=set)
    """Ids that the connection may not see."""
    upload_limit: int = FREE_UPLOAD
    result_limit: int = 10_000
    """Results of one query over all its pages; what is beyond is left out and said to be."""
    blocks_left: int | None = None
    """How many blocks may still be made in a free workspace of several members; None without a limit."""
    lag: timedelta = timedelta(0)
    """How long a query still sees a row as it was before a write."""
    events: list[Json] = field(default_factory=list)
    """What happened and was not yet told to a webhook."""
    people: dict[str, str] = field(default_factory=lambda: {PERSON: "Anna"})
    """Who is a member, by name."""
    _cursors: dict[str, list[Json]] = field(default_factory=dict)

    @contextmanager
    def by_a_person(self, person: str = PERSON) -> Iterator[None]:
        """What is done in here is done by a person in Notion's own window."""
        before, self.actor = self.actor, person
        try:
            yield
        finally:
            self.actor = before

    def user(self) -> Json:
        return {"object": "user", "id": self.actor}

    def member(self, id_: str) -> Json:
        """Somebody as a value of a column shows them."""
        if id_ == BOT:
            return {"object": "user", "id": BOT, "name": INTEGRATION, "avatar_url": None, "type": "bot", "bot": {}}
        if id_ not in self.people:
            return {"object": "user", "id": id_}
        person = {"email": "person@example.com"}
        return {"object": "user", "id": id_, "name": self.people[id_], "avatar_url": None, "type": "person",
                "person": person}  # fmt: skip

    def author(self) -> Json:
        return {"id": self.actor, "type": "bot" if self.actor == BOT else "person"}

    def found(self, kind: str, shelf: Mapping[str, Json], id_: str) -> Json:
        if id_ not in shelf or (id_ in self.unshared and self.actor == BOT):
            message = (
                f"Could not find {kind} with ID: {id_}. Make sure the relevant pages and databases are shared with "
                f'your integration "{INTEGRATION}".'
            )
            raise Refusal(404, "object_not_found", message, additional_data={"integration_id": str(UUID(int=1))})
        return shelf[id_]

    def make_room(self, blocks: int) -> None:
        """Every page and every block is one; what was deleted gives no room back."""
        if self.blocks_left is None or self.actor != BOT:
            return
        if self.blocks_left < blocks:
            raise Refusal(403, "restricted_resource", "This workspace has reached its block limit.")
        self.blocks_left -= blocks

    def remember(self, page: Json) -> None:
        """Keep what a query still sees of a row that is about to change."""
        if self.lag:
            page["_seen"] = (self.now() + self.lag, copy.deepcopy({key: page[key] for key in page if key != "_seen"}))

    def happened(self, kind: str, entity: Json, parent: Json, **data: Any) -> None:
        """Note an event for the webhooks, in the shape that they are told of it in."""
        self.events.append({
            "id": str(uuid4()), "timestamp": self.now().astimezone(UTC).isoformat(timespec="milliseconds"),
            "type": kind, "entity": entity, "authors": [self.author()], "data": {"parent": parent, **data},
        })  # fmt: skip

    def listed(
        self, found: list[Json], body: Mapping[str, Any], kind: str, size: int, *, limit: int | None = None
    ) -> Json:
        """One page of a list. A cursor remembers what was still to come."""
        if cursor := body.get("start_cursor"):
            if cursor not in self._cursors:
                raise Invalid("The start_cursor provided is invalid: " + str(cursor))
            found = self._cursors[cursor]
        elif limit is not None and len(found) > limit:
            found = [*found[:limit], {"_incomplete": True}]
        shown, rest = [each for each in found[:size] if "_incomplete" not in each], found[size:]
        incomplete = any("_incomplete" in each for each in (*found[:size], *rest[:1]))
        more = bool(rest) and not incomplete
        after = None
        if more:
            after = rest[0]["id"] if kind == "block" else f"s:{uuid4()}:{rest[0]['id']}"
        if after is not None:
            self._cursors[after] = rest
        status = {"type": "incomplete", "incomplete_reason": "query_result_limit_reached"}
        return {"object": "list", "results": [public(each) for each in shown], "has_more": more, "type": kind,
                kind: {}, "next_cursor": after, **({"request_status": status} if incomplete else {})}  # fmt: skip


def public(thing: Json) -> Json:
    """Without what only the emulator knows of it."""
    return {key: value for key, value in thing.items() if not key.startswith("_")}


def plain(pieces: list[Json]) -> str:
    return "".join(piece["plain_text"] for piece in pieces)


def only(body: Mapping[str, Any], known: set[str]) -> None:
    for key in body.keys() - known:
        raise Invalid(f"body failed validation: body.{key} should be not present, instead was `{body[key]!r}`.")


def page_size(given: Any, where: str = "body") -> int:
    """1 to 100, as number or, in a query string, as digits."""
    size = int(given) if where == "query" and str(given).isdigit() else given
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= 100:
        raise Invalid(f"{where} failed validation: {where}.page_size should be ≤ `100`, instead was `{given}`.")
    return size


def uuid_of(name: str, text: str, where: str = "path") -> str:
    try:
        found = UUID(text)
    except (ValueError, AttributeError, TypeError):
        found = None
    if found is None or found.variant != "specified in RFC 4122":
        message = f'{where} failed validation: {where}.{name} should be a valid uuid, instead was `"{text}"`.'
        raise Refusal(400, "validation_error", message)
    return str(found)
