"""A change as a row: its table, and the way back from it.

Must not know when something is changed, or what may be.
"""

from __future__ import annotations

import json
from dataclasses import fields as fields_of
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Select,
    String,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    case,
    or_,
    select,
    text,
)

from tools.database import instant, metadata, micros
from tools.record import CallKey, Change, Draft
from tools.sql.record import RECORD, Values, of_owner, record_of

_CONFIRMED = text("confirmed_turn IS NOT NULL")
FIELDS = tuple(field.name for field in fields_of(Draft))
"""What a record says, by name."""
_BOOKKEEPING = frozenset({"rev", "updated_at", "deleted_at"})

CHANGE = Table(
    "change",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("owner", String(64), ForeignKey("owner.person"), nullable=False),
    Column("turn", String(80), nullable=False),
    Column("call", Integer, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("state", String(10), nullable=False),
    Column("record_id", String(32), ForeignKey("record.id"), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("expires_at", BigInteger),
    Column("undoes", String(32)),
    Column("confirmed_turn", String(80)),
    Column("confirmed_call", Integer),
    Column("before", Text),
    Column("after", Text),
    Column("result", Text, nullable=False),
    UniqueConstraint("turn", "call", "kind", "record_id"),
    Index("ix_change_at", "owner", "at", "seq"),
    Index("ix_change_record", "record_id"),
    Index("ix_change_confirmed", "confirmed_turn", sqlite_where=_CONFIRMED, postgresql_where=_CONFIRMED),
)
"""``before`` and ``after`` are rows of the record as JSON. ``confirmed_…`` is the call that carried a proposal out."""


def change_of(row: Values, now: datetime, *, repeated: bool = False) -> Change:
    """The change in a row. A proposal nobody confirmed in time reads as expired."""
    expired = row["state"] == "proposed" and row["expires_at"] <= micros(now)
    before, after = (record_of(json.loads(row[side])) if row[side] else None for side in ("before", "after"))
    return Change(
        id=row["id"],
        key=CallKey(row["turn"], row["call"]),
        kind=row["kind"],
        state="expired" if expired else row["state"],
        before=before,
        after=after,
        result=json.loads(row["result"]),
        at=instant(row["at"]),
        undoes=row["undoes"],
        repeated=repeated,
    )


_MINE = select(CHANGE).where(of_owner(CHANGE))

OF_TURN = _MINE.where(or_(CHANGE.c.turn == bindparam("turn"), CHANGE.c.confirmed_turn == bindparam("turn"))).order_by(
    case((CHANGE.c.turn == bindparam("turn"), CHANGE.c.call), else_=CHANGE.c.confirmed_call), CHANGE.c.seq
)
"""What a turn did or confirmed, in the order of its calls."""

OF_CALL = _MINE.where(
    CHANGE.c.turn == bindparam("turn"), CHANGE.c.call == bindparam("call"), CHANGE.c.kind == bindparam("kind")
).order_by(CHANGE.c.seq)
"""What one call did, of one kind."""

CONFIRMED_BY = _MINE.where(
    CHANGE.c.confirmed_turn == bindparam("turn"), CHANGE.c.confirmed_call == bindparam("call")
).order_by(CHANGE.c.seq)
"""The proposals that one call carried out."""


_GONE = RECORD.c.deleted_at.is_not(None)
UNDOABLE = (
    select(CHANGE)
    .join(RECORD, RECORD.c.id == CHANGE.c.record_id)
    .where(of_owner(CHANGE), CHANGE.c.state == "done", CHANGE.c.at >= bindparam("since"))
    .where(((CHANGE.c.kind == "delete") & _GONE) | (CHANGE.c.kind.in_(("create", "update")) & ~_GONE))
    .order_by(CHANGE.c.at.desc(), CHANGE.c.seq.desc())
    .limit(1)
)
"""The newest change whose record is still as alive as the change left it."""

_RECENT = select(CHANGE).where(of_owner(CHANGE), CHANGE.c.state == "done", CHANGE.c.at >= bindparam("since"))
RECENT_NAMED = _RECENT.where(CHANGE.c.id == bindparam("this"))
_UNDONE = CHANGE.alias("undone")
LAST_UNDO = (
    _RECENT.join(_UNDONE, _UNDONE.c.id == CHANGE.c.undoes)
    .where(CHANGE.c.kind == "undo", _UNDONE.c.kind != "undo")
    .order_by(CHANGE.c.at.desc(), CHANGE.c.seq.desc())
    .limit(1)
)
"""What took a change back, not what took an undo back."""
CHANGE_BY_ID = select(CHANGE).where(of_owner(CHANGE), CHANGE.c.id == bindparam("id"))


def changes_of(
    connection: Connection, which: Select[Any], values: Values, now: datetime, *, repeated: bool = False
) -> list[Change]:
    """The changes that one of the statements above finds with these parameters."""
    return [change_of(row._asdict(), now, repeated=repeated) for row in connection.execute(which, values)]


OF_RECORD = (
    select(CHANGE)
    .join(RECORD, RECORD.c.id == CHANGE.c.record_id)
    .where(of_owner(CHANGE), RECORD.c.ref == bindparam("ref"))
    .order_by(CHANGE.c.at, CHANGE.c.seq)
)
"""Everything that was done to one record, deleted or not, or proposed; oldest first."""


def brought(change: Values) -> bool:
    """Whether the record is there because of this change: it was made, or its deletion was taken back."""
    if change["kind"] != "undo":
        return bool(change["kind"] == "create")
    return change["after"] is not None and json.loads(change["before"])["deleted_at"] is not None


def took(change: Values) -> bool:
    """Whether the record is gone because of this change: it was deleted, or its making was taken back."""
    return change["kind"] == "delete" or change["after"] is None


def still_stands(change: Values, row: Values) -> bool:
    """Whether the record is as this change left it, in what it changed: else taking it back would lose what was said
    since. Of notes others may have come."""
    if took(change) or row["deleted_at"] is not None:
        return took(change) and row["deleted_at"] is not None
    if brought(change):
        return True
    before, after, now = (record_of(each) for each in (json.loads(change["before"]), json.loads(change["after"]), row))
    changed = (name for name in FIELDS if getattr(before, name) != getattr(after, name))
    return set(after.notes) - set(before.notes) <= set(now.notes) and all(
        getattr(now, name) == getattr(after, name) for name in changed if name != "notes"
    )


def columns_before(change: Values, row: Values) -> dict[str, Any]:
    """What an update changed, as it was before: an amount always together with its currency, and of the notes that the
    record has by now those that the update did not add."""
    before, after = json.loads(change["before"]), json.loads(change["after"])
    columns = {name: before[name] for name in _changed(before, after)}
    if "notes" in columns:
        old, new, now = (json.loads(each["notes"]) for each in (before, after, row))
        kept = [note for note in now if note not in new or note in old] + [note for note in old if note not in new]
        columns["notes"] = json.dumps(sorted(kept), ensure_ascii=False, separators=(",", ":"))
    return columns


def columns_after(change: Values) -> dict[str, Any]:
    """What an update changes, as it is to become."""
    before, after = json.loads(change["before"]), json.loads(change["after"])
    return {name: after[name] for name in _changed(before, after)}


def _changed(before: Values, after: Values) -> set[str]:
    names = {name for name in before if before[name] != after[name]} - _BOOKKEEPING
    return names | {"amount", "currency"} if names & {"amount", "currency"} else names
