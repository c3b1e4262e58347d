"""Sessions of the operator's pages as rows, under hashes of their ids.

Must not know what a session is good for, or how long it lasts.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Column, Connection, String, Table, delete, select, update

from bot.operator_ports import SessionRow
from tools.database import Database, insert_new, instant, metadata, micros

ADMIN_SESSION = Table(
    "admin_session",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("began_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
)
"""Times in microseconds, UTC."""


class SqlAdminSessions:
    """SessionsPort over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, hash_: str, now: datetime, ended_before: datetime) -> None:
        row = {"hash": hash_, "began_at": micros(now), "seen_at": micros(now)}

        def work(connection: Connection) -> None:
            connection.execute(delete(ADMIN_SESSION).where(ADMIN_SESSION.c.began_at < micros(ended_before)))
            insert_new(connection, ADMIN_SESSION, row)

        await self._database.write(work)

    async def find(self, hash_: str) -> SessionRow | None:
        which = select(ADMIN_SESSION).where(ADMIN_SESSION.c.hash == hash_)
        row = await self._database.read(lambda connection: connection.execute(which).one_or_none())
        return SessionRow(instant(row.began_at), instant(row.seen_at)) if row else None

    async def touch(self, hash_: str, now: datetime) -> None:
        later = (ADMIN_SESSION.c.hash == hash_) & (ADMIN_SESSION.c.seen_at < micros(now))
        seen = update(ADMIN_SESSION).where(later).values(seen_at=micros(now))
        await self._database.write(lambda connection: connection.execute(seen), durable=False)

    async def end(self, hash_: str) -> None:
        gone = delete(ADMIN_SESSION).where(ADMIN_SESSION.c.hash == hash_)
        await self._database.write(lambda connection: connection.execute(gone))
