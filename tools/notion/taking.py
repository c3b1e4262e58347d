"""What is taken over from one row of the table: one transaction, in which the record, the change to it, and what is
known of its page become one.

Plain functions of a Connection. Doing it again does nothing: what was seen last is marked, and what stands there is
compared with what was agreed. Must not know how a row was found, or when it is looked for.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, select

from tools.notion import ledger, news
from tools.notion.ledger import NOTION_PAGE
from tools.notion.merge import Fields, Here, Merged, as_it_became, merged
from tools.notion.newcomer import draft_of
from tools.notion.news import COLUMN_OF, Sight
from tools.notion.reading import Row, read_row, read_values
from tools.notion.schema import Binding, Json
from tools.notion.show import Show
from tools.record import CallKey, Draft, Mirrored, Origin, Record
from tools.sql.books import Books
from tools.sql.change import CHANGE, FIELDS
from tools.sql.record import Values, columns_named, columns_of, record_of

OURS = frozenset({"key", "ref", "owner", "source", "data"})
"""Columns that only the secretary fills."""

STILL_RINGS = timedelta(hours=1)
"""A reminder that was set there for a moment that has just passed rings yet; an older one is silent."""

STANDING = ("there", "gone")
"""States of a page that a person may have put into the trash; the others are of our own doing."""

_log = logging.getLogger(__name__)

_EMPTY: Mapping[str, Any] = {"multi_select": [], "title": [], "rich_text": []}


def mark_of(page: Json, row: Row, binding: Binding) -> str:
    """The mark of a page that says this, if it is looked at through these columns."""
    return Sight(row, _values_of(page, binding)).mark


@dataclass(frozen=True, slots=True)
class Eyes:
    """How rows of one owner are read and shown. ``origin``: whose words they hold."""

    owner: Mirrored
    show: Show
    binding: Binding
    now: datetime
    origin: Origin = "own"

    @property
    def names(self) -> Mapping[str, str]:
        """What types and statuses are called there."""
        return self.binding.option_names(self.show.language)

    def here(self, day: date | None = None) -> Here:
        """What goes without saying."""
        return Here(self.owner.zone, self.owner.currency, day or self.now.astimezone(self.owner.zone).date())

    def read(self, values: Mapping[str, Json]) -> Fields:
        """The fields that the columns show."""
        return read_values(self.shown(values), self.binding, self.names, self.owner.zone)

    def rendered(self, record: Record) -> dict[str, Json]:
        """What the columns of this record would show."""
        return self.show.properties(record, self.binding)

    def shown(self, values: Mapping[str, Json]) -> dict[str, Json]:
        """Without what is written for the program alone: an exact value there may be older than what is shown."""
        return {id_: value for id_, value in values.items() if id_ != self.binding.ids.get("data")}


def sight_of(page: Json, eyes: Eyes) -> Sight:
    """A page, looked at."""
    values = _values_of(page, eyes.binding)
    shown = {**page, "properties": eyes.shown(values)}
    row = read_row(shown, eyes.binding, eyes.names, eyes.owner.zone)
    return Sight(row, values)


def _values_of(page: Json, binding: Binding) -> dict[str, Json]:
    ours = set(binding.ids.values())
    return {each["id"]: each for each in page.get("properties", {}).values() if each.get("id") in ours}


def take(connection: Connection, sight: Sight, record_id: str, eyes: Eyes) -> None:
    """Take over what was done to this record's page."""
    books = Books(connection, eyes.owner.id, eyes.now)
    page = _page(connection, record_id)
    if page is None or page["seen"] == sight.mark or page["page_id"] != sight.row.page_id:
        return
    _Take(connection, books, sight, page, eyes).carry_out(books.by_id(record_id))


def add(connection: Connection, sight: Sight, eyes: Eyes) -> None:
    """Make a record of a row that somebody added, unless there is nothing in it yet, or it has one by now."""
    here = eyes.here(sight.row.created.astimezone(eyes.owner.zone).date())
    draft = draft_of(sight.row.fields, here, eyes.names, eyes.origin)
    books = Books(connection, eyes.owner.id, eyes.now)
    known = select(NOTION_PAGE.c.record_id).where(NOTION_PAGE.c.page_id == sight.row.page_id)
    if draft is None or connection.execute(known).first() is not None:
        return
    key = CallKey(f"notion:{sight.row.page_id}:new", 1)
    row = books.add(draft, key)
    books.note(key, "create", None, row, {"created": {"ref": row["ref"], "in": "notion"}}, at=sight.row.edited)
    record = record_of(row)
    technical = {eyes.binding.ids[name] for name in OURS & eyes.binding.ids.keys()}
    sent = {id_: _as_sent(sight.values.get(id_), value) if id_ in technical else value
            for id_, value in eyes.rendered(record).items()}  # fmt: skip
    there: dict[str, Any] = {"page_id": sight.row.page_id, "url": sight.row.url, "seen": sight.mark}
    ledger.note(connection, record.id, state="there", sent=sent, body=eyes.show.body(record), **there)
    news.unfit(connection, sight, record, eyes, {})


def _page(connection: Connection, record_id: str) -> dict[str, Any] | None:
    found = connection.execute(select(NOTION_PAGE).where(NOTION_PAGE.c.record_id == record_id)).one_or_none()
    return found._asdict() if found else None


def vanish(connection: Connection, sight: Sight, record_id: str, eyes: Eyes) -> None:
    """The page of this record is not there any more, not even in the trash; ``sight`` is what is left to say of it."""
    books = Books(connection, eyes.owner.id, eyes.now)
    page = _page(connection, record_id)
    if page is not None and page["page_id"] == sight.row.page_id:
        _Take(connection, books, sight, page, eyes).vanished(books.by_id(record_id))


class _Take:
    """One row, taken over within one transaction."""

    def __init__(self, connection: Connection, books: Books, sight: Sight, page: Mapping[str, Any], eyes: Eyes) -> None:
        self._connection = connection
        self._books = books
        self._sight = sight
        self._page = page
        self._eyes = eyes
        self._turn = ""

    def carry_out(self, row: Values) -> None:
        """What this row says now becomes true of its record."""
        self._turn = self._named(row)
        pending = row["rev"] > self._page["pushed_rev"]
        if self._sight.row.in_trash:
            self._trashed(row, pending=pending)
            return
        if row["deleted_at"] is not None and not pending:
            row = self._returned(row)
        self._edited(row, pending=pending)

    def _named(self, row: Values) -> str:
        """The turn of these changes: the same row over the same record is the same turn."""
        mark = f"{self._sight.mark}{row['rev']}".encode()
        return f"notion:{self._sight.row.page_id}:{sha256(mark).hexdigest()[:32]}"

    # ── thrown away there, and taken out again

    def _trashed(self, row: Values, *, pending: bool) -> None:
        """A deletion stands. What was changed here meanwhile stays in the record, and comes back with it."""
        if self._page["state"] not in STANDING:
            ledger.note(self._connection, row["id"], seen=self._sight.mark)  # in our own trash, perhaps not for long
            return
        if row["deleted_at"] is None:
            row = self._deleted(row, pending=pending)
        ledger.note(self._connection, row["id"], state="trashed", pushed_rev=row["rev"], seen=self._sight.mark)

    def _deleted(self, row: Values, *, pending: bool) -> Values:
        after = self._books.delete(row)
        told = {"deleted": {"ref": row["ref"], "in": "notion"}}
        change = self._books.note(self._key(3), "delete", row, after, told, at=self._at)
        if pending:
            self._tell(change.id, row, trashed=True)
        return after

    def vanished(self, row: Values) -> None:
        """Removed there for good: should the record come back, it gets another page."""
        self._turn = self._named(row)
        if row["deleted_at"] is None:
            row = self._deleted(row, pending=row["rev"] > self._page["pushed_rev"])
        fresh: dict[str, Any] = {"state": "none", "page_id": None, "url": None, "sent": {}, "body": [], "seen": None}
        ledger.note(self._connection, row["id"], pushed_rev=row["rev"], **fresh)

    def _returned(self, row: Values) -> Values:
        """Out of the trash: the record comes back with its ref."""
        last = (
            select(CHANGE)
            .where(CHANGE.c.record_id == row["id"], CHANGE.c.kind == "delete", CHANGE.c.state == "done")
            .order_by(CHANGE.c.seq.desc())
            .limit(1)
        )
        found = self._connection.execute(last).one_or_none()
        if found is not None:
            self._books.take_back(found._asdict(), self._key(4))
        else:
            after = self._books.alter(row, {"deleted_at": None}, ring_if_past=False)
            self._books.note(self._key(4), "undo", row, after, {"undone": "delete", "ref": row["ref"]}, at=self._at)
        back = self._books.by_id(row["id"])
        ledger.note(self._connection, row["id"], state="there", pushed_rev=back["rev"])
        return back

    # ── edited there

    def _edited(self, row: Values, *, pending: bool) -> None:
        record, sent = record_of(row), json.loads(self._page["sent"])
        shown = self._eyes.rendered(record)
        if not sent and pending:
            return  # nothing was ever agreed about this page: it is to become what the record is
        found = self._merged(record, sent, shown)
        news.unfit(self._connection, self._sight, record, self._eyes, found.unfit)
        after = self._taken(row, found)
        if found.kept:
            self._kept(after, found)
        rendered = self._eyes.rendered(record_of(after))
        became = as_it_became(found, record_of(after))
        agreed = self._agreed(sent, rendered, became)
        body = self._eyes.show.body(record_of(after))
        note: dict[str, Any] = {"seen": self._sight.mark, "sent": agreed}
        if not pending and became is found and body == json.loads(self._page["body"]):
            note["pushed_rev"] = after["rev"]
        ledger.note(self._connection, row["id"], **note)

    def _merged(self, record: Record, sent: Mapping[str, Json], shown: Mapping[str, Json]) -> Merged:
        read, theirs = self._eyes.read, self._sight.row.fields
        return merged(record, read(sent), read(shown), theirs, self._eyes.here())

    def _taken(self, row: Values, found: Merged) -> Values:
        if not found.taken:
            return row
        columns = self._columns(row, found.taken)
        if self._eyes.origin == "others" and found.taken.keys() & {"content", "tags", "category"}:
            columns["origin"] = "others"
        rings = found.taken.get("remind_at")
        soon = isinstance(rings, datetime) and rings > self._eyes.now - STILL_RINGS
        after = self._books.alter(row, columns, ring_if_past=soon)
        told = {"updated": {"ref": row["ref"], "in": "notion"}}
        self._books.note(self._key(1), "update", row, after, told, at=self._at)
        return after

    def _columns(self, row: Values, fields: Fields) -> dict[str, Any]:
        """The columns that hold these fields."""
        record = record_of(row)
        whole: dict[str, Any] = {name: getattr(record, name) for name in FIELDS}
        columns = columns_of(Draft(**(whole | dict(fields))))
        return {name: columns[name] for name in columns_named(fields)}

    def _kept(self, row: Values, found: Merged) -> None:
        """What was changed on both sides: the chat's value stands. What stood there is in the record's history, as an
        update that did not come about."""
        try:
            wanted = {**row, **self._columns(row, found.kept)}
        except ValueError:  # half of what belongs together
            wanted = dict(row)
        told = {"kept": {"ref": row["ref"], "in": "notion", "fields": sorted(found.kept)}}
        change = self._books.note(self._key(2), "update", row, wanted, told, state="expired", at=self._at)
        self._tell(change.id, row, kept={name: news.plain(value) for name, value in found.kept.items()})

    def _agreed(self, sent: Mapping[str, Json], rendered: Mapping[str, Json], found: Merged) -> dict[str, Json]:
        """The new base: where both sides say the same, what is shown; where they differ and it is known here, what
        stands there; where it is left there, as it was."""
        columns, values = self._eyes.binding.ids, dict(sent)
        for name in found.agreed:
            if (id_ := columns.get(COLUMN_OF.get(name, name), "")) in rendered:
                values[id_] = rendered[id_]
        # Tags become what both sides made of them, which neither shows yet.
        for name in {*found.kept, *({"tags"} & found.taken.keys())}:
            id_ = columns[COLUMN_OF.get(name, name)]
            values[id_] = _as_sent(self._sight.values[id_], rendered[id_])
        return values

    # ── what is put down

    @property
    def _at(self) -> datetime:
        """When it was done there: the end of that minute, Notion tells no more."""
        return self._sight.row.edited + timedelta(seconds=59)

    def _key(self, call: int) -> CallKey:
        return CallKey(self._turn, call)

    def _tell(self, id_: str, row: Values, **what: Any) -> None:
        news.tell(self._connection, id_, record_of(row), self._eyes.owner, self._eyes.now, turn=self._turn, **what)


def _as_sent(there: Mapping[str, Any] | None, like: Json) -> Json:
    """A value that was read, in the shape in which it is sent; ``like`` is of the same column."""
    (kind,) = like
    if there is None:
        return {kind: _EMPTY.get(kind)}
    return {kind: there.get(kind, _EMPTY.get(kind))}
