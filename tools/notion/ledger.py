"""What stands in Notion of each record, and what still has to go there: two tables beside the records.

Plain functions of a Connection. Must not know Notion's protocol, or when anything is sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    String,
    Table,
    Text,
    delete,
    func,
    or_,
    select,
    update,
)

from tools.database import insert_new, metadata, micros
from tools.record import PersonId, Record
from tools.sql.record import RECORD, record_of

State = Literal["none", "trying", "there", "trashed", "gone"]
"""No page yet; one may have been made; it stands there; we put it in the trash; somebody removed it in Notion."""

NOTION_PAGE = Table(
    "notion_page",
    metadata,
    Column("record_id", String(32), primary_key=True),
    Column("page_id", String(36)),
    Column("state", String(8), nullable=False),
    Column("pushed_rev", Integer, nullable=False),
    Column("url", Text),
    Column("sent", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_at", BigInteger),
    Column("check_at", BigInteger),
    Column("pushed_at", BigInteger),
    Column("last_error", Text),
    Column("seen", String(32)),
    Column("looked_at", BigInteger),
    Index("ix_notion_page_page_id", "page_id"),
)
"""``sent``: the property values that Notion took last, by property id; ``body``: the paragraphs; both are JSON, and
only what differs from them is sent again, so that people's own edits stay. ``next_at``: not tried again before then.
``check_at``: when to look for a copy that an unclear attempt may have left. ``seen``: a mark of what the page said when
it was last read, ``looked_at``: when it was last met in a look at all of them. Times are microseconds since 1970
UTC."""

NOTION_STATE = Table(
    "notion_state",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""``data_source``: where the pages are. ``link``: set at the first success. ``link_told``: the owner has seen it.
``process``: which process works on it now, and until when. ``webhook``: what Notion signs its signals with. Of what is
read from there: ``pulled_at``, ``seen_until`` and ``swept_at`` (microseconds since 1970 UTC), ``sweep`` and ``editors``
(JSON), ``bot`` (our own user). Of the table itself: ``table`` (JSON, see ``table.py``). ``rebuilder``: which process
brings records back, ``filer``: which one files, ``rebuild``: how far that has come (JSON)."""

TABLE = "table"

STAYS = ("process", "webhook", "rebuilder", "filer", TABLE)
"""What does not depend on where the pages are."""

NOTION_NEWS = Table(
    "notion_news",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("told", Text, nullable=False),
)
"""What people have to hear of what was done in Notion, until they have. ``told`` is JSON: the fields of News. ``id`` is
that of the change."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A record and its page. ``sent`` and ``body`` are the values and paragraphs that we last put there."""

    record: Record
    page_id: str | None = None
    state: State = "none"
    sent: Mapping[str, Any] = field(default_factory=dict)
    body: tuple[str, ...] = ()
    attempts: int = 0


_REV = func.coalesce(NOTION_PAGE.c.pushed_rev, 0)
_JOINED = RECORD.outerjoin(NOTION_PAGE, NOTION_PAGE.c.record_id == RECORD.c.id)
_PAGE_COLUMNS = tuple(NOTION_PAGE.c[name] for name in ("page_id", "state", "sent", "body", "attempts"))


def _waits(owner: PersonId) -> ColumnElement[bool]:
    return (RECORD.c.owner == owner) & (RECORD.c.rev > _REV)


def _standings(connection: Connection, which: ColumnElement[bool], limit: int | None = None) -> list[Standing]:
    found = select(RECORD, *_PAGE_COLUMNS).select_from(_JOINED).where(which)
    ordered = found.order_by(RECORD.c.updated_at, RECORD.c.id).limit(limit)
    return [_standing(row) for row in connection.execute(ordered).mappings()]


def ready(connection: Connection, owner: PersonId, now: datetime, limit: int) -> list[Standing]:
    """Records that changed since they were last sent and may be sent now, in the order they changed."""
    due = or_(NOTION_PAGE.c.next_at.is_(None), NOTION_PAGE.c.next_at <= micros(now))
    return _standings(connection, _waits(owner) & due, limit)


def still(connection: Connection, record: Record) -> Standing | None:
    """How this record stands now, if it still has to be sent."""
    return next(iter(_standings(connection, _waits(record.owner) & (RECORD.c.id == record.id))), None)


def to_check(connection: Connection, owner: PersonId, now: datetime) -> list[Standing]:
    """Records of which a second page may have turned up by now."""
    return _standings(connection, (RECORD.c.owner == owner) & (NOTION_PAGE.c.check_at <= micros(now)))


def shown(connection: Connection, owner: PersonId, limit: int) -> list[Standing]:
    """Records that have a page, or may have one."""
    there = NOTION_PAGE.c.state.in_(("there", "trying"))
    return _standings(connection, (RECORD.c.owner == owner) & there, limit)


def pages(connection: Connection, records: Sequence[str]) -> dict[str, str]:
    """The address of each of these records' pages that stand there."""
    found = select(NOTION_PAGE.c.record_id, NOTION_PAGE.c.url).where(
        NOTION_PAGE.c.record_id.in_(records), NOTION_PAGE.c.state == "there", NOTION_PAGE.c.url.is_not(None)
    )
    return {row.record_id: row.url for row in connection.execute(found)}


def waiting(connection: Connection, owner: PersonId) -> int:
    """How many records have not arrived in Notion as they are now."""
    found = select(func.count()).select_from(_JOINED).where(_waits(owner))
    return int(connection.execute(found).scalar_one())


def shown_in_all(connection: Connection) -> int:
    """How many records have a page, or may have one."""
    there = NOTION_PAGE.c.state.in_(("there", "trying"))
    return int(connection.execute(select(func.count()).select_from(NOTION_PAGE).where(there)).scalar_one())


def next_due(connection: Connection) -> int | None:
    """When something falls due by itself, in microseconds since 1970 UTC."""
    times = connection.execute(select(func.min(NOTION_PAGE.c.next_at), func.min(NOTION_PAGE.c.check_at))).one()
    return min((time for time in times if time is not None), default=None)


@dataclass(frozen=True, slots=True)
class Known:
    """A record as a row of the table leads to it, by its page or by its key. ``page_id`` is that of the record's own
    page; ``is_unsure``: a copy of it may have been left by an attempt of ours."""

    record_id: str
    owner: PersonId
    page_id: str | None
    state: State
    is_deleted: bool
    is_unsure: bool
    seen: str | None
    pushed_at: int | None
    sent: Mapping[str, Any]


_KNOWN = select(
    RECORD.c.id,
    RECORD.c.owner,
    RECORD.c.key,
    RECORD.c.deleted_at,
    *(NOTION_PAGE.c[name] for name in ("page_id", "state", "check_at", "seen", "pushed_at", "sent")),
).select_from(_JOINED)


def _known(row: Any) -> Known:
    return Known(
        record_id=row.id,
        owner=PersonId(row.owner),
        page_id=row.page_id,
        state=row.state or "none",
        is_deleted=row.deleted_at is not None,
        is_unsure=row.check_at is not None or row.state in {None, "none", "trying"},
        seen=row.seen,
        pushed_at=row.pushed_at,
        sent=json.loads(row.sent or "{}"),
    )


def known(connection: Connection, rows: Mapping[str, str]) -> dict[str, Known | None]:
    """The record that each of these rows (page id to what stands in its column Key) belongs to: by its page, else by
    its key."""
    pages = {row.page_id: row for row in connection.execute(_KNOWN.where(NOTION_PAGE.c.page_id.in_(list(rows))))}
    wanted = [key for page_id, key in rows.items() if key and page_id not in pages]
    keyed = {row.key: row for row in connection.execute(_KNOWN.where(RECORD.c.key.in_(wanted)))} if wanted else {}
    found = {page_id: pages.get(page_id) or keyed.get(key) for page_id, key in rows.items()}
    return {page_id: _known(row) if row else None for page_id, row in found.items()}


def keys_there(connection: Connection, records: Sequence[str]) -> list[str]:
    """The keys of those of these records that live and have a page."""
    living = _KNOWN.where(
        RECORD.c.id.in_(records), RECORD.c.deleted_at.is_(None), NOTION_PAGE.c.state.in_(("there", "gone"))
    )
    return [row.key for row in connection.execute(living)]


def met(connection: Connection, page_ids: Sequence[str], now: datetime) -> None:
    """These pages were met in a look at all of them."""
    these = update(NOTION_PAGE).where(NOTION_PAGE.c.page_id.in_(page_ids))
    connection.execute(these.values(looked_at=micros(now)))


def met_in_sweep(connection: Connection, page_ids: Sequence[str], now: datetime, state: str) -> None:
    """The same, and how far that look has come."""
    met(connection, page_ids, now)
    put(connection, "sweep", state)


def swept(connection: Connection, now: datetime) -> None:
    """The look at all of them is over."""
    put(connection, "swept_at", str(micros(now)))
    connection.execute(delete(NOTION_STATE).where(NOTION_STATE.c.key == "sweep"))


def missing(connection: Connection, owners: Sequence[str], began: datetime, limit: int) -> list[Known]:
    """Records of these owners whose page stands there, as far as is known, and was not met since that look began."""
    before = micros(began)
    page = NOTION_PAGE.c
    unmet = (page.looked_at.is_(None) | (page.looked_at < before)) & (
        page.pushed_at.is_(None) | (page.pushed_at < before)
    )
    there = _KNOWN.where(RECORD.c.owner.in_(owners), page.state == "there", page.page_id.is_not(None), unmet)
    return [_known(row) for row in connection.execute(there.order_by(RECORD.c.id).limit(limit))]


def moved_out(connection: Connection, record_id: str) -> None:
    """The page is only theirs from now on; the record stays here."""
    rev = select(RECORD.c.rev).where(RECORD.c.id == record_id).scalar_subquery()
    this = update(NOTION_PAGE).where(NOTION_PAGE.c.record_id == record_id)
    connection.execute(this.values(state="gone", pushed_rev=rev))


def _standing(row: Any) -> Standing:
    if row["state"] is None:
        return Standing(record_of(row))
    sent, body = json.loads(row["sent"]), tuple(json.loads(row["body"]))
    return Standing(record_of(row), row["page_id"], row["state"], sent, body, row["attempts"])


def note(connection: Connection, record_id: str, **values: Any) -> None:
    """Set columns of a record's row, which is made if there is none."""
    fresh = {"record_id": record_id, "state": "none", "pushed_rev": 0, "sent": "{}", "body": "[]", "attempts": 0}
    insert_new(connection, NOTION_PAGE, fresh)
    for name in values.keys() & {"sent", "body"}:
        values[name] = json.dumps(values[name], ensure_ascii=False)
    connection.execute(update(NOTION_PAGE).where(NOTION_PAGE.c.record_id == record_id).values(**values))


def begin_page(connection: Connection, record_id: str) -> bool:
    """Say that a page may have been made from now on; False if there is no such record any more. It stays until then:
    whoever takes it away for good finds this noted."""
    there = select(RECORD.c.id).where(RECORD.c.id == record_id).with_for_update()
    if connection.execute(there).first() is None:
        return False
    note(connection, record_id, state="trying")
    return True


def arrived(connection: Connection, record: Record, state: State, now: datetime, **values: Any) -> None:
    """Notion has this revision of the record."""
    note(
        connection,
        record.id,
        state=state,
        pushed_rev=record.rev,
        pushed_at=micros(now),
        attempts=0,
        next_at=None,
        last_error=None,
        **values,
    )


def facts(connection: Connection) -> dict[str, str]:
    """Everything in ``notion_state``."""
    return {row.key: row.value for row in connection.execute(select(NOTION_STATE))}


def keep(connection: Connection, key: str, value: str) -> bool:
    """Remember a fact unless one is remembered under that key; says whether it was new."""
    return insert_new(connection, NOTION_STATE, {"key": key, "value": value})


def put(connection: Connection, key: str, value: str) -> None:
    """Remember a fact in the place of what was remembered under that key."""
    if not keep(connection, key, value):
        connection.execute(update(NOTION_STATE).where(NOTION_STATE.c.key == key).values(value=value))


def forget(connection: Connection, key: str) -> None:
    """Remember nothing under that key."""
    connection.execute(delete(NOTION_STATE).where(NOTION_STATE.c.key == key))


def begin(connection: Connection, data_source_id: str) -> None:
    """Say where the pages are. If they were elsewhere before, all of it has to go to the new place."""
    if facts(connection).get("data_source", data_source_id) != data_source_id:
        connection.execute(delete(NOTION_PAGE))
        connection.execute(delete(NOTION_STATE).where(NOTION_STATE.c.key.not_in(STAYS)))
    keep(connection, "data_source", data_source_id)


def hold(connection: Connection, process: str, now: datetime, until: datetime, what: str = "process") -> bool:
    """Claim the pushing (or ``what`` else one process does alone) for a process until then; False while another one
    has it."""
    keep(connection, what, f"0 {process}")
    this = select(NOTION_STATE.c.value).where(NOTION_STATE.c.key == what).with_for_update()
    ends, _, holder = connection.execute(this).scalar_one().partition(" ")
    if holder != process and int(ends) > micros(now):
        return False
    put(connection, what, f"{micros(until)} {process}")
    return True
