"""One-time links to what a person takes along, as rows: a hash of the secret, never the secret.

Must not know what stands behind a link, or how it is fetched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import BigInteger, Column, ColumnElement, Connection, String, Table, delete, insert, select, update

from tools.database import Database, metadata, micros
from tools.record import PersonId

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

    def _living(self, secret: str) -> tuple[ColumnElement[bool], ...]:
        link = EXPORT_LINK.c
        return link.hash == _hash(secret), link.used_at.is_(None), link.expires_at > micros(self._now())


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
