"""The one database of the house: transactions on threads, and the schema brought up to date.

SQLite (embedded default: one writer thread, WAL) and PostgreSQL behind the same verbs: start, write, read, close. Work
is a plain function of a Connection that runs in one transaction on a thread, so the event loop never waits for a disk.
Must not know any table; the modules that do, by their names SQL's, put theirs on the metadata here.

``threads`` work, in time or not at all; ``trouble`` names what is wrong in one word. ``sqlite_store`` and
``postgresql_store`` are the two engines. ``sqlite_files``: where a store lies, whether it is whole, who works on it.
``sqlite_copies`` makes one each day, ``sqlite_backup`` makes and restores one when asked, ``copying`` carries all into
another store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, Insert, MetaData, Table, exc, make_url, text
from sqlalchemy.dialects import sqlite

from tools import migrations
from tools.database.postgresql_store import ONE_STATE, answers, hang_up, open_postgresql, without_limits
from tools.database.sqlite_copies import copy_before
from tools.database.sqlite_files import true_place
from tools.database.sqlite_store import let_go_of_lock, open_sqlite, set_synchronous
from tools.database.threads import Attempt, Threads
from tools.database.trouble import DatabaseUnavailable, Reason, named_trouble

T = TypeVar("T")
Work = Callable[[Connection], T]
"""What is done in one transaction. It runs on a thread, waits only for the store, and rolls back if it raises."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""Every table of the house, under names that are the same on both stores."""

READERS = 4
"""Threads that read. SQLite's writer is always one: its lock is one."""

BUSY_SECONDS = 30.0
"""So long after it was asked may work still begin: behind other work, or behind another process that writes."""

MIGRATION_LOCK = 0x5EC2E7A2
"""Any fixed number: the advisory lock that processes starting on one PostgreSQL take turns with."""

_TOUCH = text("UPDATE alembic_version SET version_num = version_num")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(moment: datetime) -> int:
    """The instant in whole microseconds since 1970 UTC. Raises TypeError for a datetime without a zone."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def instant(count: int) -> datetime:
    """The other way: aware, UTC."""
    return _EPOCH + timedelta(microseconds=count)


def insert_new(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless one with its key is there; says whether it was inserted."""
    inserted = connection.execute(_insert_new(table, connection.dialect.name), row, execution_options=_COUNTED)
    return inserted.rowcount == 1


_COUNTED = {"preserve_rowcount": True}
"""Of an INSERT, SQLAlchemy forgets the count unless it is asked to keep it."""


@cache
def _insert_new(table: Table, dialect: str) -> Insert:
    """Each store has its own words for it."""
    if dialect == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table).on_conflict_do_nothing()


def address_of(url: str) -> URL:
    """The address of a store, with the driver that this house uses. Raises DatabaseUnavailable for what is none."""
    try:
        parsed = make_url(url.strip())
    except (exc.ArgumentError, ValueError) as wrong:  # SQLAlchemy reads a port with int()
        told = "DATABASE_URL is no address: sqlite:///path or postgresql://…"
        raise DatabaseUnavailable(told, "misconfigured") from wrong
    if parsed.drivername in {"postgres", "postgresql"}:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername not in {"sqlite", "postgresql+psycopg"}:
        raise DatabaseUnavailable("DATABASE_URL must start with sqlite:/// or postgresql://", "misconfigured")
    return parsed


def sqlite_file(url: str) -> Path | None:
    """The file behind a ``sqlite:///`` URL; None for a database in memory and for other stores."""
    parsed = address_of(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in {None, "", ":memory:"}:
        return None
    return true_place(Path(str(parsed.database)))


class Database:
    """One database, from ``start`` to ``close``. Nothing is opened before ``start``.

    ``sqlite:///relative``, ``sqlite:////absolute``, ``sqlite://`` (in memory, for tests) and ``postgresql://`` URLs
    (``postgres://`` is the same). Raises DatabaseUnavailable.
    """

    def __init__(self, url: str, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self._busy_seconds = busy_seconds
        self._url = address_of(url)
        self._file = sqlite_file(url)
        self._engine: Engine | None = None
        self._last_trouble: Reason | None = None
        self._on_sqlite = self._url.get_backend_name() == "sqlite"
        self._writers = Threads("database-write", 1 if self._on_sqlite else READERS)
        in_memory = self._on_sqlite and self._file is None
        self._readers = self._writers if in_memory else Threads("database-read", READERS)

    async def start(self) -> None:
        """Open the store, creating it where there is none, and bring its schema up to date."""
        await self._writers.run(Attempt(), self._open)

    async def join(self) -> None:
        """Open a store that is there and up to date, beside those who work on it: nothing is created or changed."""
        await self._writers.run(Attempt(), self._join)

    async def write(self, work: Work[T], *, durable: bool = True) -> T:
        """Run the work in one transaction and commit it.

        A durable commit survives a loss of power, and makes every earlier one durable with it; the others survive the
        end of the process. Cancelling the caller stops only the waiting: the work is done and committed all the same.
        A connection that breaks leaves open whether the work was done: whoever must know reads it back by its key.
        """
        attempt = Attempt(self._busy_seconds, "locked" if self._on_sqlite else "slow", hang_up)
        try:
            result = await self._writers.run(attempt, lambda: self._write(work, attempt, durable=durable))
        except DatabaseUnavailable as trouble:
            self._last_trouble = trouble.reason
            raise
        self._last_trouble = None
        return result

    async def read(self, work: Work[T]) -> T:
        """Run the work in a transaction of its own that sees one state of the store. It must not write."""
        attempt = Attempt(self._busy_seconds, "slow", hang_up)
        return await self._readers.run(attempt, lambda: self._read(work, attempt))

    def read_here(self, work: Work[T]) -> T:
        """The same on the calling thread, however long it takes: for work between two stores."""
        return self._read(work, Attempt())

    def write_here(self, work: Work[T]) -> T:
        """``write`` on the calling thread, however long it takes."""
        return self._write(work, Attempt(), durable=True)

    async def probe(self) -> None:
        """Write and commit for real, changing nothing: raises DatabaseUnavailable if nothing can be stored now."""
        await self.write(lambda connection: connection.execute(_TOUCH))

    @property
    def trouble(self) -> Reason | None:
        """Why the last write failed, or why one has been waiting for a second; None while the store takes writes."""
        if self._writers.wait_since(1):
            return "locked" if self._on_sqlite else "slow"
        return self._last_trouble

    async def close(self) -> None:
        """Wait for what is under way, then let go of the store. Nothing may be asked of it afterwards."""
        for each in (self._writers, self._readers):
            await each.finish()
        await asyncio.to_thread(self._settle)

    # ── on the threads ────────────────────────────────────────────────────────────────────────────────────────────

    def _write(self, work: Work[T], attempt: Attempt, *, durable: bool) -> T:
        write = self._write_sqlite if self._on_sqlite else self._write_postgresql
        with named_trouble(self._file):
            return write(work, attempt, durable=durable)

    def _write_sqlite(self, work: Work[T], attempt: Attempt, *, durable: bool) -> T:
        with self._opened().connect() as connection:
            set_synchronous(connection, "FULL" if durable else "NORMAL")
            try:
                with connection.execution_options(attempt=attempt).begin():
                    return work(connection)
            finally:
                let_go_of_lock(connection)

    def _write_postgresql(self, work: Work[T], attempt: Attempt, *, durable: bool) -> T:
        with self._connected(attempt) as connection, connection.begin():
            if not durable:
                connection.exec_driver_sql("SET LOCAL synchronous_commit TO off")
            return work(connection)

    def _read(self, work: Work[T], attempt: Attempt) -> T:
        with named_trouble(self._file), self._connected(attempt) as connection:
            if not self._on_sqlite:
                connection.execution_options(**ONE_STATE)
            with connection.begin():
                return work(connection)

    @contextmanager
    def _connected(self, attempt: Attempt) -> Iterator[Connection]:
        """A connection that is alive, and can be hung up while the thread waits on it."""
        attempt.begin()
        with self._opened().connect() as connection:
            if self._on_sqlite:
                yield connection
                return
            try:
                attempt.watch(connection.connection.driver_connection)
                while not answers(connection):
                    connection.invalidate()
                    attempt.go_on()
                    attempt.watch(connection.connection.driver_connection)
                yield connection
            finally:
                attempt.watch(None)

    def _opened(self) -> Engine:
        if self._engine is None:
            raise DatabaseUnavailable("the database is not open", "closed")
        return self._engine

    def _open(self) -> None:
        if self._engine is None and (found := self._version_found()) != migrations.head():
            if self._file and found:
                copy_before(self._file, migrations.head())
            self._write(self._migrate, Attempt(), durable=True)

    def _join(self) -> None:
        if self._file and not self._file.is_file():
            told = f"{self._file} is not there: run this where the bot runs, or set DATABASE_URL to its store."
            raise DatabaseUnavailable(told, "unreachable")
        found, known = self._version_found(), migrations.head()
        if found != known:
            told = f"the database is at version {found or 'none'}, this program needs {known}: start the bot once"
            raise DatabaseUnavailable(told, "misconfigured")

    def _version_found(self) -> str | None:
        with named_trouble(self._file):
            self._engine = self._new_engine()
        try:
            return self._read(migrations.current, Attempt())
        except migrations.SchemaTooNew as newer:
            raise DatabaseUnavailable(str(newer), "newer") from newer

    def _new_engine(self) -> Engine:
        connections = 2 * READERS
        if self._on_sqlite:
            return open_sqlite(self._file, connections, self._busy_seconds)
        return open_postgresql(self._url, connections)

    def _migrate(self, connection: Connection) -> None:
        if not self._on_sqlite:
            without_limits(connection)
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
        migrations.upgrade(connection)

    def _settle(self) -> None:
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None
