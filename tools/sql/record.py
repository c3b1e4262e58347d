"""A record as a row: its table, and the way there and back without loss.

Instants are whole microseconds since 1970 UTC, days are ISO text, amounts are whole minor units: all sort and add the
same on both stores. Must not know when a row is written, or how it is searched.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    ForeignKey,
    FromClause,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    text,
)

from tools.currency import major, minor
from tools.database import instant, metadata, micros
from tools.moments import Repeat, in_its_zone, on_the_wall
from tools.record import Draft, Moment, Note, PersonId, Record
from tools.words import searchable

Values = Mapping[str, Any]
"""A row by column name; every value is text, a whole number or None, so that it is its own JSON."""

_LIVING = text("deleted_at IS NULL")
_RINGING = text("next_ring IS NOT NULL")
_LASTING = text("deleted_at IS NULL AND until_day IS NOT NULL")

OWNER = Table(
    "owner",
    metadata,
    Column("no", Integer, primary_key=True),
    Column("person", String(64), nullable=False, unique=True),
    Column("last_ref", Integer, nullable=False),
)
"""Everyone who has records. ``no`` stands for the person in the search index, where a byte counts a million times."""

RECORD = Table(
    "record",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner", String(64), ForeignKey("owner.person"), nullable=False),
    Column("ref", Integer, nullable=False),
    Column("key", String(32), nullable=False, unique=True),
    Column("rev", Integer, nullable=False),
    Column("type", String(10), nullable=False),
    Column("status", String(10), nullable=False),
    Column("when_day", String(10)),
    Column("when_at", BigInteger),
    Column("until_day", String(10)),
    Column("until_at", BigInteger),
    Column("remind_at", BigInteger),
    Column("next_ring", BigInteger),
    Column("amount", BigInteger),
    Column("currency", String(3)),
    Column("category", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("deleted_at", BigInteger),
    Column("tags", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("notes", Text, nullable=False),
    Column("origin", String(10), nullable=False, server_default="own"),
    Column("author", String(64)),
    Column("payer", String(64)),
    Column("remind_local", String(100)),
    Column("repeat", Text),
    UniqueConstraint("owner", "ref"),
    # What is asked for, counted and added up stands in the indexes themselves, so that a total reads no record
    # (``deleted_at`` too: SQLite would look it up although they hold living records only).
    Index(
        "ix_record_when", "owner", "when_day", "when_at", "until_day", "until_at", "type", "status", "category",
        "currency", "amount", "ref", "deleted_at", sqlite_where=_LIVING, postgresql_where=_LIVING,
    ),
    Index(
        "ix_record_ref", "owner", "ref", "deleted_at", "type", "status", "category", "currency", "amount", "when_day",
        "when_at", sqlite_where=_LIVING, postgresql_where=_LIVING,
    ),
    Index(
        "ix_record_kind", "owner", "status", "type", "when_day", "when_at", "ref", "deleted_at",
        sqlite_where=_LIVING, postgresql_where=_LIVING,
    ),
    Index("ix_record_until", "owner", "until_day", "when_day", sqlite_where=_LASTING, postgresql_where=_LASTING),
    Index("ix_record_ring", "next_ring", sqlite_where=_RINGING, postgresql_where=_RINGING),
)  # fmt: skip
"""``when_day`` and ``until_day`` are local days of the zone a clock time was given in; whole days have no ``_at``.
``remind_local`` is the reminder on the wall it was set on. ``next_ring``: when to look at it next.
What is long stands last: SQLite then need not read it."""

COLUMNS_OF: dict[str, tuple[str, ...]] = {
    "when": ("when_day", "when_at"),
    "until": ("until_day", "until_at"),
    "remind_at": ("remind_at", "remind_local"),
    "amount": ("amount", "currency"),
    "currency": ("amount", "currency"),
}
"""The columns that hold a field of Draft, where it is not just the one of its name. An amount is only known together
with its currency."""


def of_owner(table: FromClause) -> ColumnElement[bool]:
    """The condition every question about records and changes begins with; ``owner`` is its parameter."""
    return table.c.owner == bindparam("owner")


def stored(text: str) -> str:
    """Text as both stores can keep it: as said, without NUL and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


def columns_of(draft: Draft) -> dict[str, Any]:
    """The columns of what a person said. Raises ValueError for an amount its currency cannot express."""
    return {
        "type": draft.type,
        "status": draft.status,
        **_moment_columns("when", draft.when),
        **_moment_columns("until", draft.until),
        "remind_at": None if draft.remind_at is None else micros(draft.remind_at),
        "remind_local": None if draft.remind_at is None else on_the_wall(draft.remind_at),
        "amount": None if draft.amount is None else minor(draft.amount, draft.currency),
        "currency": draft.currency,
        "category": None if draft.category is None else stored(draft.category),
        "tags": _json([stored(tag) for tag in draft.tags]),
        "content": stored(draft.content),
        "notes": _json([[micros(note.at), stored(note.text)] for note in draft.notes]),
        "origin": draft.origin,
        "author": draft.author,
        "payer": draft.payer,
        "repeat": None if draft.repeat is None else _repeat_to_json(draft.repeat),
    }


def columns_named(field_names: Iterable[str]) -> set[str]:
    """The columns that hold these fields of Draft. Raises ValueError for a name that is no field."""
    names = set(field_names)
    if unknown := names - {field.name for field in fields(Draft)}:
        raise ValueError(f"a record has no {', '.join(sorted(unknown))}")
    return {column for name in names for column in COLUMNS_OF.get(name, (name,))}


def columns_for(record: Record, changes: Mapping[str, object]) -> dict[str, Any]:
    """The columns that hold these fields, of a record that has them. Raises ValueError for an amount its currency
    cannot express, and for a name that is no field."""
    whole: dict[str, Any] = {each.name: getattr(record, each.name) for each in fields(Draft)}
    columns = columns_of(Draft(**(whole | dict(changes))))
    return {name: columns[name] for name in columns_named(changes)}


def record_of(row: Values) -> Record:
    """The record in a row; its times in UTC. Rows that changes kept early say nothing of their origin."""
    return Record(
        id=row["id"],
        owner=PersonId(row["owner"]),
        ref=row["ref"],
        key=row["key"],
        rev=row["rev"],
        content=row["content"],
        type=row["type"],
        status=row["status"],
        when=_moment(row["when_day"], row["when_at"]),
        until=_moment(row["until_day"], row["until_at"]),
        remind_at=_instant(row["remind_at"]),
        amount=_amount(row["amount"], row["currency"]),
        currency=row["currency"],
        category=row["category"],
        tags=tuple(json.loads(row["tags"])),
        notes=tuple(Note(instant(at), text) for at, text in json.loads(row["notes"])),
        origin=row.get("origin", "own"),
        author=row.get("author"),
        payer=row.get("payer"),
        repeat=_repeat(row.get("repeat")),
        created_at=instant(row["created_at"]),
        updated_at=instant(row["updated_at"]),
        deleted_at=_instant(row["deleted_at"]),
    )


def words_of(row: Values) -> str:
    """What the record can be found by: its content, category, tags and notes."""
    notes = (text for _, text in json.loads(row["notes"]))
    return searchable((row["content"], row["category"] or "", *json.loads(row["tags"]), *notes))


def to_json(row: Values) -> str:
    """The row as a change keeps it: everything but whether it still rings."""
    return _json({name: value for name, value in row.items() if name != "next_ring"})


def _moment_columns(name: str, moment: Moment | None) -> dict[str, Any]:
    clock = moment if isinstance(moment, datetime) else None
    day: date | None = clock.date() if clock else moment
    return {f"{name}_day": day and day.isoformat(), f"{name}_at": clock and micros(clock)}


def _moment(day: str | None, at: int | None) -> Moment | None:
    if at is not None:
        return instant(at)
    return date.fromisoformat(day) if day else None


def _instant(count: int | None) -> datetime | None:
    return None if count is None else instant(count)


def _repeat_to_json(repeat: Repeat) -> str:
    """Clock times as they stand on the wall: what zone that is stands beside them."""
    times = {name: getattr(repeat, name) for name in ("first", "at", "done")}
    told = {name: _wall(each) for name, each in times.items() if each is not None}
    return _json({"rule": repeat.rule, "zone": repeat.zone, "ring": repeat.ring, **told})


def _wall(moment: Moment) -> str:
    return moment.replace(tzinfo=None).isoformat() if isinstance(moment, datetime) else moment.isoformat()


def _repeat(text: str | None) -> Repeat | None:
    if text is None:
        return None
    told = json.loads(text)
    zone = ZoneInfo(told["zone"])
    times = {name: _on_its_wall(told[name], zone) for name in ("first", "at", "done") if name in told}
    return Repeat(rule=told["rule"], zone=told["zone"], ring=told["ring"], **times)


def _on_its_wall(text: str, zone: ZoneInfo) -> Moment:
    return in_its_zone(datetime.fromisoformat(text).replace(tzinfo=zone)) if "T" in text else date.fromisoformat(text)


def _amount(units: int | None, currency: str | None) -> Decimal | None:
    return None if units is None else major(units, currency)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
