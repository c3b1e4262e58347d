"""One-time links to what a person takes along, as rows: a hash of the secret, never the secret.

Must not know what stands behind a link, or how it is fetched.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    String,
    Table,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from bot.sql.people import SqlPeople
from tools.database import Database, metadata, micros
from tools.record import PersonId, Record
from tools.sql.record import RECORD, of_owner, record_of

EXPORT_LINK = Table(
    "export_link",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("person", String(64), nullable=False, unique=True),
    Column("expires_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
)
"""A person has one link: a new one makes the old one void. Times in microseconds, UTC."""

LASTS = timedelta(hours=1)

PART = 500
"""Records that are read at once."""


class SqlExports:
    """The ExportsPort, and who a link belongs to. ``secret`` makes secrets that nobody guesses."""

    def __init__(self, database: Database, now: Callable[[], datetime], secret: Callable[[], str]) -> None:
        self._database = database
        self._now = now
        self._secret = secret

    async def offer(self, person: PersonId) -> str:
        secret = self._secret()
        row = {"hash": _hash(secret), "person": person, "expires_at": micros(self._now() + LASTS)}

        def work(connection: Connection) -> None:
            connection.execute(delete(EXPORT_LINK).where(EXPORT_LINK.c.person == person))
            connection.execute(insert(EXPORT_LINK), row)

        await self._database.write(work)
        return secret

    async def whose(self, secret: str) -> PersonId | None:
        """Whom this link belongs to, as long as it can be used."""
        asked = select(EXPORT_LINK.c.person).where(*self._living(secret))
        found = await self._database.read(lambda connection: connection.execute(asked).scalar_one_or_none())
        return PersonId(found) if found else None

    async def use(self, secret: str) -> PersonId | None:
        """The same, once: of several who ask at the same moment one is told."""
        used = update(EXPORT_LINK).where(*self._living(secret)).values(used_at=micros(self._now()))
        returned = used.returning(EXPORT_LINK.c.person)
        found = await self._database.write(lambda connection: connection.execute(returned).scalar_one_or_none())
        return PersonId(found) if found else None

    async def records(self, person: PersonId) -> AsyncIterator[list[Record]]:
        """Everything this person has and has not deleted, in the order of its numbers, a part at a time."""
        last = 0
        while part := await self._after(person, last):
            yield part
            last = part[-1].ref

    async def _after(self, person: PersonId, ref: int) -> list[Record]:
        asked = {"owner": person, "after": ref}
        rows = await self._database.read(lambda connection: connection.execute(_AFTER, asked).all())
        return [record_of(row._asdict()) for row in rows]

    def _living(self, secret: str) -> tuple[ColumnElement[bool], ...]:
        link = EXPORT_LINK.c
        return link.hash == _hash(secret), link.used_at.is_(None), link.expires_at > micros(self._now())


_AFTER = (
    select(RECORD)
    .where(of_owner(RECORD), RECORD.c.deleted_at.is_(None), RECORD.c.ref > bindparam("after"))
    .order_by(RECORD.c.ref)
    .limit(PART)
)


@dataclass(frozen=True, slots=True)
class Takeout:
    """Who there is, and what they have."""

    people: SqlPeople
    exports: SqlExports


@asynccontextmanager
async def takeout_from(database_url: str) -> AsyncIterator[Takeout]:
    """At a store that is there, beside whoever works on it. Raises DatabaseUnavailable."""
    database = Database(database_url)
    try:
        await database.join()
        now = partial(datetime.now, UTC)
        yield Takeout(SqlPeople(database, now, at_home=[]), SqlExports(database, now, str))
    finally:
        await database.close()


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
