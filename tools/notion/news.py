"""A row as it was seen, and what people have to hear of what was done there.

Plain functions of a Connection. The same thing is told once, however often it is seen. Must not know in which words, or
in which language.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Protocol

from sqlalchemy import Connection, delete, select

from tools.database import insert_new, instant, micros
from tools.notion.ledger import NOTION_NEWS
from tools.notion.pieces import plain_text
from tools.notion.reading import Row
from tools.notion.schema import Binding, Json
from tools.record import Mirrored, News, PersonId, Record

COLUMN_OF = {"content": "title", "until": "when", "remind_at": "remind"}
"""The column of a field, where it is not of its name."""

NEW = timedelta(days=1)
"""What was put there longer ago is not told any more."""


class Looking(Protocol):
    """Who looks, through which columns, and when."""

    @property
    def owner(self) -> Mirrored: ...
    @property
    def binding(self) -> Binding: ...
    @property
    def now(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class Sight:
    """One row as it was read: what it says, and its values by property id."""

    row: Row
    values: Mapping[str, Json]

    @property
    def mark(self) -> str:
        """What was seen, in 32 signs."""
        return _digest([self.row.in_trash, sorted((id_, inner(value)) for id_, value in self.values.items())])


def _digest(seen: object) -> str:
    return sha256(json.dumps(seen, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:32]


def inner(value: Mapping[str, Any]) -> Any:
    """What a value holds: texts by what they say, everything else as it is."""
    kind = value.get("type") or next((key for key in value if key != "id"), "")
    held = value.get(kind)
    return plain_text(held) if kind in {"title", "rich_text"} and isinstance(held, list) else held


def unfit(connection: Connection, sight: Sight, record: Record, eyes: Looking, left: Mapping[str, object]) -> None:
    """What stands there and cannot be taken over, which ``left`` and what could not be read name, is told if it was
    just put there: who has a table of old wants no word about each of its rows."""
    if eyes.now - sight.row.edited > NEW:
        return
    names = {*left, *("currency" if "currency" in why else name for name, why in sight.row.unread.items())}
    there = {
        name: _shown(inner(sight.values.get(eyes.binding.ids.get(COLUMN_OF.get(name, name), ""), {})))
        for name in sorted(names)
    }
    if there:
        id_ = _digest([record.id, there])
        turn = f"notion:{sight.row.page_id}:{id_}"
        tell(connection, id_, record, eyes.owner, eyes.now, turn=turn, unfit=there)


def _shown(held: object) -> str:
    """What a person sees of a value."""
    if isinstance(held, dict):
        ends = [str(held[each]) for each in ("start", "end") if held.get(each)]
        return str(held["name"]) if "name" in held else " → ".join(ends)
    return plain(held)


def plain(value: object) -> str:
    """A value in plain signs, for whoever tells it."""
    if isinstance(value, tuple | list):
        return "、".join(_shown(each) for each in value)
    return value.isoformat(timespec="minutes") if isinstance(value, datetime) else "" if value is None else str(value)


def tell(connection: Connection, id_: str, record: Record, owner: Mirrored, at: datetime, **what: Any) -> None:
    """Note it for who is concerned."""
    about = {"ref": record.ref, "content": record.content, "where": owner.where}
    told = json.dumps(about | what, ensure_ascii=False)
    insert_new(connection, NOTION_NEWS, {"id": id_, "owner": owner.id, "at": micros(at), "told": told})


def full(connection: Connection, source: str, owner: PersonId, at: datetime) -> None:
    """That the table takes no new pages is told to whose it is, once."""
    told = json.dumps({"turn": f"notion:{source}:full", "ref": 0, "content": "", "full": True})
    insert_new(
        connection, NOTION_NEWS, {"id": _digest([source, "full"]), "owner": owner, "at": micros(at), "told": told}
    )


def waiting(connection: Connection) -> list[News]:
    """What is still to be told, oldest first."""
    found = connection.execute(select(NOTION_NEWS).order_by(NOTION_NEWS.c.at, NOTION_NEWS.c.id).limit(100))
    return [News(id=row.id, owner=PersonId(row.owner), at=instant(row.at), **json.loads(row.told)) for row in found]


def told(connection: Connection, ids: Sequence[str]) -> None:
    """These are on their way to whom they concern."""
    connection.execute(delete(NOTION_NEWS).where(NOTION_NEWS.c.id.in_(ids)))
