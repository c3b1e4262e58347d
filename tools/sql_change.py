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
    ColumnElement,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    select,
    text,
)

from tools.database import metadata
from tools.record import CallKey, Change, PersonId
from tools.sql_record import Values, instant, micros, record_of

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


def changes_of(
    connection: Connection,
    owner: PersonId,
    now: datetime,
    *which: ColumnElement[bool],
    order: ColumnElement[Any] = CHANGE.c.seq,
    repeated: bool = False,
) -> list[Change]:
    """The owner's changes under these conditions, in the order they were put down unless another is given."""
    mine = select(CHANGE).where(CHANGE.c.owner == owner, *which).order_by(order, CHANGE.c.seq)
    return [change_of(row._asdict(), now, repeated=repeated) for row in connection.execute(mine)]


def columns_before(change: Values) -> dict[str, Any]:
    """What an update changed, as it was before: an amount always together with its currency."""
    before, after = json.loads(change["before"]), json.loads(change["after"])
    names = {name for name in before if before[name] != after[name]} - _BOOKKEEPING
    if names & {"amount", "currency"}:
        names |= {"amount", "currency"}
    return {name: before[name] for name in names}
