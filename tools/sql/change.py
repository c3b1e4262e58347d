"""A change as a row: its table, and the way back from it.

Must not know when something is changed, or what may be.
"""

from __future__ import annotations

import json
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
from tools.record import CallKey, Change
from tools.sql.record import Values, of_owner, record_of

_CONFIRMED = text("confirmed_turn IS NOT NULL")
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


def changes_of(
    connection: Connection, which: Select[Any], values: Values, now: datetime, *, repeated: bool = False
) -> list[Change]:
    """The changes that one of the statements above finds with these parameters."""
    return [change_of(row._asdict(), now, repeated=repeated) for row in connection.execute(which, values)]


def columns_before(change: Values) -> dict[str, Any]:
    """What an update changed, as it was before: an amount always together with its currency."""
    before, after = json.loads(change["before"]), json.loads(change["after"])
    return {name: before[name] for name in _changed(before, after)}


def columns_after(change: Values) -> dict[str, Any]:
    """What an update changes, as it is to become."""
    before, after = json.loads(change["before"]), json.loads(change["after"])
    return {name: after[name] for name in _changed(before, after)}


def _changed(before: Values, after: Values) -> set[str]:
    names = {name for name in before if before[name] != after[name]} - _BOOKKEEPING
    return names | {"amount", "currency"} if names & {"amount", "currency"} else names
