"""Rows of the table become the records that they were: one transaction for some rows, after which nothing of them is
new to Notion.

Plain functions of a Connection. Doing it again does nothing: a row whose record is here is only led to it. Must not
know how rows are found, or how far one has come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal

from sqlalchemy import Connection, select

from tools.database import micros
from tools.notion import ledger
from tools.notion.ledger import NOTION_PAGE
from tools.notion.reading import Row
from tools.notion.schema import Binding
from tools.notion.show import Show
from tools.record import Draft, PersonId, Record, RecordType
from tools.sql.books import Books
from tools.sql.record import RECORD, record_of

Outcome = Literal["back", "here", "copies", "renumbered", "in part"]
"""A record is back; it was here already; another page bears its key; its ref was taken; something was unreadable."""


@dataclass(frozen=True, slots=True)
class Found:
    """A row with a key of ours, and whose it is. ``zone`` is that of its clock times; ``ours``: the bot made the page;
    ``body``: the fields that were read from there; ``mark`` of what the page said."""

    row: Row
    owner: PersonId
    zone: tzinfo
    ours: bool = True
    body: tuple[tuple[str, object], ...] = ()
    mark: str | None = None

    @property
    def key(self) -> str:
        assert self.row.key is not None, "a row without a key was never ours"
        return self.row.key


@dataclass(frozen=True, slots=True)
class Home:
    """Where the rows stand, and how records are shown there."""

    binding: Binding
    show: Show
    now: datetime


def bring_back(connection: Connection, found: Sequence[Found], home: Home) -> Counter[Outcome]:
    """Make records of these rows, each under its owner, unless they are here."""
    outcomes: Counter[Outcome] = Counter()
    # Whoever opens several people's books opens them in one order: two that do so never wait for each other.
    for owner, rows in groupby(sorted(found, key=_order), key=attrgetter("owner")):
        books = Books(connection, owner, home.now)
        for each in rows:
            outcomes.update(_one(connection, books, each, home))
    return outcomes


def _order(found: Found) -> tuple[str, datetime, str]:
    return found.owner, found.row.created, found.row.page_id


def _one(connection: Connection, books: Books, found: Found, home: Home) -> Iterable[Outcome]:
    known = connection.execute(select(RECORD).where(RECORD.c.key == found.key)).one_or_none()
    if known is not None:
        yield _met_again(connection, found, record_of(known._asdict()), home)
        return
    row = found.row
    when = {"created_at": row.created, "updated_at": max(row.created, row.updated or row.edited)}
    record = record_of(books.bring_back(draft_of(found), key=found.key, ref=row.ref, rev=row.rev or 1, **when))
    yield "back"
    if record.ref != row.ref and row.ref is not None:
        yield "renumbered"
    if row.unread:
        yield "in part"
    _stands(connection, found, record, home, pushed=record.ref == row.ref and record.owner == row.owner)


def draft_of(found: Found) -> Draft:
    """The record that a row says, as far as it can be read."""
    fields: dict[str, Any] = {**found.row.fields, **dict(found.body)}
    kind: RecordType = fields.get("type") or _kind_of(fields)
    said: dict[str, Any] = {"content": fields.get("category") or kind} | fields | {"type": kind}
    return Draft(**said)


def _kind_of(fields: dict[str, Any]) -> RecordType:
    if fields.get("amount") is not None:
        return "expense"
    return "task" if fields.get("when") or fields.get("remind_at") else "note"


def _stands(connection: Connection, found: Found, record: Record, home: Home, *, pushed: bool) -> None:
    """Say that this page is the record's. What it shows counts as sent, but for what makes it the record's."""
    show = replace(home.show, zone=found.zone)
    values = show.properties(record, home.binding)
    if not pushed:
        told = {home.binding.ids[name] for name in ("ref", "owner", "data") if name in home.binding.ids}
        values = {id_: value for id_, value in values.items() if id_ not in told}
    _note(connection, found, record, home, sent=values, body=show.body(record), pushed=pushed)


def _note(connection: Connection, found: Found, record: Record, home: Home, *, pushed: bool, **what: Any) -> None:
    there: dict[str, Any] = {"page_id": found.row.page_id, "url": found.row.url, "state": "there"}
    agreed: dict[str, Any] = {"pushed_rev": 0}
    if pushed:
        agreed = {"pushed_rev": record.rev, "pushed_at": micros(home.now), "seen": found.mark}
    ledger.note(connection, record.id, **agreed, **there, **what)


def _met_again(connection: Connection, found: Found, record: Record, home: Home) -> Outcome:
    """What a row is whose record is here: its page, or one that only bears its key."""
    this = select(NOTION_PAGE.c.page_id).where(NOTION_PAGE.c.record_id == record.id)
    page_id = connection.execute(this).scalar()
    if page_id == found.row.page_id:
        return "here"
    if page_id is not None:
        if found.ours:  # left by an attempt that ended unclear: of copies the oldest is kept
            ledger.note(connection, record.id, check_at=micros(home.now))
        return "copies"
    if record.deleted_at is None and (found.row.rev or 0) >= record.rev:
        _stands(connection, found, record, home, pushed=True)
    else:  # the store is newer than the table: all of it goes there
        _note(connection, found, record, home, sent={}, body=[], pushed=False)
    return "here"


def highest(connection: Connection, refs: Iterable[tuple[PersonId, int]], now: datetime) -> None:
    """Go on counting behind these refs."""
    for owner, ref in sorted(refs):
        Books(connection, owner, now).count_on_to(ref)


def is_empty(connection: Connection) -> bool:
    """Whether no record is, or ever was, here."""
    return connection.execute(select(RECORD.c.id).limit(1)).first() is None
