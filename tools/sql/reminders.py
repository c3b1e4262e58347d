"""What is due, over all owners: found by its index, and handed on once.

One code for SQLite and PostgreSQL. Must not know who is told, or how.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, bindparam, select, update

from tools.database import Database, instant, micros
from tools.moments import from_the_wall
from tools.record import Ring
from tools.repeating import moves_on_at
from tools.sql.books import Books
from tools.sql.record import RECORD, record_of

_log = logging.getLogger(__name__)

_MINUTE = timedelta(minutes=1)
_PAGE = 500

_DUE = (
    select(RECORD).where(RECORD.c.next_ring <= bindparam("now")).order_by(RECORD.c.next_ring).limit(bindparam("limit"))
)
"""The records whose ring is due, oldest first."""

_BESIDE = (
    select(RECORD)
    .where(
        RECORD.c.next_ring > bindparam("now"),
        RECORD.c.next_ring < bindparam("minute"),
        RECORD.c.owner.in_(bindparam("owners", expanding=True)),
    )
    .order_by(RECORD.c.next_ring)
)
"""What rings for the same people before the minute is over."""

_THIS = and_(RECORD.c.id == bindparam("which"), RECORD.c.next_ring == bindparam("due"))
_RUNG = update(RECORD).where(_THIS).values(next_ring=bindparam("then"))
"""A record is looked at then, if at all, unless its ring was moved meanwhile."""

_ONE = select(RECORD).where(_THIS)

_HELD = update(RECORD).where(_THIS).values(next_ring=bindparam("until"))

_ON_A_WALL = (
    select(RECORD.c.id, RECORD.c.remind_at, RECORD.c.next_ring, RECORD.c.remind_local)
    .where(RECORD.c.next_ring.is_not(None), RECORD.c.remind_local.is_not(None), RECORD.c.id > bindparam("behind"))
    .order_by(RECORD.c.id)
    .limit(_PAGE)
)

_MOVED = (
    update(RECORD)
    .where(RECORD.c.id == bindparam("which"), RECORD.c.remind_local == bindparam("wall"))
    .values(remind_at=bindparam("at"), next_ring=bindparam("rings"), rev=RECORD.c.rev + 1)
)


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _ring(row: dict[str, Any]) -> Ring:
    """What is looked at when it moves on does not ring then."""
    record, due = record_of(row), instant(row["next_ring"])
    return Ring(record, due, rings=record.repeat is None or due != moves_on_at(record))


class SqlReminders:
    """RemindersPort over a database."""

    def __init__(self, database: Database, now: Callable[[], datetime] = _utc_now) -> None:
        self._database = database
        self._now = now

    async def due(self, now: datetime, limit: int = 500) -> list[Ring]:
        until = {"now": micros(now), "limit": limit}
        minute = micros(now.replace(second=0, microsecond=0) + _MINUTE)

        def work(connection: Connection) -> list[Any]:
            rows = list(connection.execute(_DUE, until))
            owners = list({row.owner for row in rows})
            if owners:
                rows += connection.execute(_BESIDE, {"now": until["now"], "minute": minute, "owners": owners})
            return rows

        return [_ring(row._asdict()) for row in await self._database.read(work)]

    async def rung(self, record_id: str, due: datetime) -> bool:
        return await self._this(record_id, due, self._looked_at)

    def _looked_at(self, connection: Connection, this: dict[str, Any]) -> bool:
        """It rang: what comes again is looked at when it moves on. Or it does so now."""
        row = connection.execute(_ONE, this).one_or_none()
        ring = _ring(row._asdict()) if row else None
        if ring is None or ring.rings:
            then = moves_on_at(ring.record) if ring else None
            return connection.execute(_RUNG, this | {"then": then and micros(then)}).rowcount == 1
        books = Books(connection, ring.record.owner, self._now())  # whoever changes a record enters here first
        row = connection.execute(_ONE, this).one_or_none()
        if row is not None:
            books.go_on(row._asdict())
        return row is not None

    async def hold(self, record_id: str, due: datetime, until: datetime) -> bool:
        held = {"until": micros(until)}
        return await self._this(record_id, due, lambda c, this: c.execute(_HELD, this | held).rowcount == 1)

    async def _this(self, record_id: str, due: datetime, work: Callable[[Connection, dict[str, Any]], bool]) -> bool:
        ring = {"which": record_id, "due": micros(due)}
        return await self._database.write(lambda connection: work(connection, ring), durable=False)

    async def realign(self) -> int:
        moved, behind = 0, ""
        while rows := await self._behind(behind):
            behind = rows[-1].id
            for row in rows:
                moved += await self._realigned(row)
        return moved

    async def _behind(self, behind: str) -> Sequence[Any]:
        """The next page of those that stand on a wall."""
        return await self._database.read(lambda connection: connection.execute(_ON_A_WALL, {"behind": behind}).all())

    async def _realigned(self, row: Any) -> bool:
        try:
            at = micros(from_the_wall(row.remind_local))
        except ValueError as unknown:
            _log.warning("a reminder keeps its moment: %s", unknown)
            return False
        if at == row.remind_at:
            return False
        rings = at if row.next_ring == row.remind_at else row.next_ring
        new = {"which": row.id, "wall": row.remind_local, "at": at, "rings": rings}
        return await self._database.write(lambda c: c.execute(_MOVED, new).rowcount == 1)
