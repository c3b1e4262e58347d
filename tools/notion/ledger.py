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
)
"""``sent``: the property values that Notion took last, by property id; ``body``: the paragraphs; both are JSON, and
only what differs from them is sent again, so that people's own edits stay. ``next_at``: not tried again before then.
``check_at``: when to look for a copy that an unclear attempt may have left. Times are microseconds since 1970 UTC."""

NOTION_STATE = Table(
    "notion_state",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""``data_source``: where the pages are. ``link``: set at the first success. ``link_told``: the owner has seen it.
``process``: which process pushes now, and until when."""


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


def ready(connection: Connection, owner: PersonId, now: datetime, limit: int) -> list[Standing]:
    """Records that changed since they were last sent and may be sent now, in the order they changed."""
    due = or_(NOTION_PAGE.c.next_at.is_(None), NOTION_PAGE.c.next_at <= micros(now))
    found = (
        select(RECORD, *_PAGE_COLUMNS)
        .select_from(_JOINED)
        .where(_waits(owner), due)
        .order_by(RECORD.c.updated_at, RECORD.c.id)
        .limit(limit)
    )
    return [_standing(row) for row in connection.execute(found).mappings()]


def to_check(connection: Connection, owner: PersonId, now: datetime) -> list[Standing]:
    """Records of which a second page may have turned up by now."""
    found = (
        select(RECORD, *_PAGE_COLUMNS)
        .select_from(_JOINED)
        .where(RECORD.c.owner == owner, NOTION_PAGE.c.check_at <= micros(now))
    )
    return [_standing(row) for row in connection.execute(found).mappings()]


def shown(connection: Connection, owner: PersonId, limit: int) -> list[Standing]:
    """Records that have a page, or may have one."""
    found = (
        select(RECORD, *_PAGE_COLUMNS)
        .select_from(_JOINED)
        .where(RECORD.c.owner == owner, NOTION_PAGE.c.state.in_(("there", "trying")))
        .limit(limit)
    )
    return [_standing(row) for row in connection.execute(found).mappings()]


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


def next_due(connection: Connection) -> int | None:
    """When something falls due by itself, in microseconds since 1970 UTC."""
    times = connection.execute(select(func.min(NOTION_PAGE.c.next_at), func.min(NOTION_PAGE.c.check_at))).one()
    return min((time for time in times if time is not None), default=None)


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


def begin(connection: Connection, data_source_id: str) -> None:
    """Say where the pages are. If they were elsewhere before, all of it has to go to the new place."""
    if facts(connection).get("data_source", data_source_id) != data_source_id:
        connection.execute(delete(NOTION_PAGE))
        connection.execute(delete(NOTION_STATE).where(NOTION_STATE.c.key != "process"))
    keep(connection, "data_source", data_source_id)


def hold(connection: Connection, process: str, now: datetime, until: datetime) -> bool:
    """Claim the pushing for a process until then; False while another one has it."""
    keep(connection, "process", f"0 {process}")
    this = select(NOTION_STATE.c.value).where(NOTION_STATE.c.key == "process").with_for_update()
    ends, _, holder = connection.execute(this).scalar_one().partition(" ")
    if holder != process and int(ends) > micros(now):
        return False
    held = update(NOTION_STATE).where(NOTION_STATE.c.key == "process").values(value=f"{micros(until)} {process}")
    connection.execute(held)
    return True
