"""The one database of the house: engine, transactions on threads, and the schema brought up to date.

SQLite (embedded default: one writer thread, WAL) and PostgreSQL behind the same verbs: start, write, read, close. Work
is a plain function of a Connection that runs in one transaction on a thread, so the event loop never waits for a disk.
Must not know any table; the modules that do (``sql_*``) put theirs on ``metadata``.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, Insert, MetaData, StaticPool, Table, create_engine, event, exc, make_url
from sqlalchemy.dialects import sqlite

from tools import migrations

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
"""So long SQLite waits for another process that writes."""

ONE_STATE = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
"""A transaction of PostgreSQL that reads as SQLite's does."""

MIGRATION_LOCK = 0x5EC2E7A2
"""Any fixed number: the advisory lock that processes starting on one PostgreSQL take turns with."""

log = logging.getLogger(__name__)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class DatabaseUnavailable(Exception):
    """The store cannot be opened, read or written now: locked, full, read-only, unreachable. For the operator."""


def micros(moment: datetime) -> int:
    """The instant in whole microseconds since 1970 UTC. Raises TypeError for a datetime without a zone."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def instant(count: int) -> datetime:
    """The other way: aware, UTC."""
    return _EPOCH + timedelta(microseconds=count)


def insert_new(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless one with its key is there; says whether it was inserted."""
    return bool(connection.execute(_insert_new(table, connection.dialect.name), row).rowcount)


@cache
def _insert_new(table: Table, dialect: str) -> Insert:
    """Each store has its own words for it."""
    if dialect == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table).on_conflict_do_nothing()


def sqlite_file(url: str) -> Path | None:
    """The file behind a ``sqlite:///`` URL; None for a database in memory and for other stores."""
    parsed = _parsed(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in {None, "", ":memory:"}:
        return None
    return Path(str(parsed.database)).absolute()


class Database:
    """One database, from ``start`` to ``close``. Nothing is opened before ``start``.

    ``sqlite:///relative``, ``sqlite:////absolute``, ``sqlite://`` (in memory, for tests) and ``postgresql://`` URLs
    (``postgres://`` is the same). Raises DatabaseUnavailable.
    """

    def __init__(self, url: str, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self._busy_seconds = busy_seconds
        self._url = _parsed(url)
        self._file = sqlite_file(url)
        self._engine: Engine | None = None
        self._under_way: set[asyncio.Future[Any]] = set()
        self._on_sqlite = self._url.get_backend_name() == "sqlite"
        self._writers = ThreadPoolExecutor(1 if self._on_sqlite else READERS, thread_name_prefix="database-write")
        in_memory = self._on_sqlite and self._file is None
        self._readers = self._writers if in_memory else ThreadPoolExecutor(READERS, thread_name_prefix="database-read")

    async def start(self) -> None:
        """Open the store, creating it where there is none, and bring its schema up to date."""
        await asyncio.get_running_loop().run_in_executor(self._writers, self._open)

    async def write(self, work: Work[T], *, durable: bool = True) -> T:
        """Run the work in one transaction and commit it.

        A durable commit survives a loss of power, and makes every earlier one durable with it; the others survive the
        end of the process. Cancelling the caller stops only the waiting: the work is done and committed all the same.
        """
        return await self._finished(self._submit(self._writers, lambda: self._write(work, durable=durable)))

    async def read(self, work: Work[T]) -> T:
        """Run the work in a transaction of its own that sees one state of the store. It must not write."""
        return await self._submit(self._readers, lambda: self._read(work))

    async def close(self) -> None:
        """Wait for what is under way, then let go of the store. Nothing may be asked of it afterwards."""
        await asyncio.gather(*self._under_way, return_exceptions=True)
        await asyncio.get_running_loop().run_in_executor(self._writers, self._settle)
        for each in (self._writers, self._readers):
            await asyncio.to_thread(each.shutdown)

    # ── on the event loop ─────────────────────────────────────────────────────────────────────────────────────────

    def _submit(self, threads: ThreadPoolExecutor, call: Callable[[], T]) -> asyncio.Future[T]:
        try:
            return asyncio.get_running_loop().run_in_executor(threads, _without_stop, call)
        except RuntimeError as closed:
            raise DatabaseUnavailable("the database has been closed") from closed

    async def _finished(self, future: asyncio.Future[T]) -> T:
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            future.add_done_callback(_tell_of_failure)
            raise

    # ── on the threads ────────────────────────────────────────────────────────────────────────────────────────────

    def _write(self, work: Work[T], *, durable: bool) -> T:
        with _named_trouble(), self._opened().connect() as connection:
            if self._on_sqlite:
                _set_synchronous(connection, "FULL" if durable else "NORMAL")
                connection = connection.execution_options(begin="BEGIN IMMEDIATE")  # noqa: PLW2901 - the same connection
            with connection.begin():
                if not self._on_sqlite and not durable:
                    connection.exec_driver_sql("SET LOCAL synchronous_commit TO off")
                return work(connection)

    def _read(self, work: Work[T]) -> T:
        with _named_trouble(), self._opened().connect() as connection:
            if not self._on_sqlite:
                connection = connection.execution_options(**ONE_STATE)  # noqa: PLW2901 - the same connection
            with connection.begin():
                return work(connection)

    def _opened(self) -> Engine:
        if self._engine is None:
            raise DatabaseUnavailable("the database is not open")
        return self._engine

    def _open(self) -> None:
        if self._engine is not None:
            return
        with _named_trouble():
            if self._file:
                _create_private(self._file)
            self._engine = self._new_engine()
        try:
            if self._read(migrations.current) != migrations.head():
                self._write(self._migrate, durable=True)
        except migrations.SchemaTooNew as newer:
            raise DatabaseUnavailable(str(newer)) from newer

    def _new_engine(self) -> Engine:
        if self._on_sqlite:
            return _sqlite_engine(self._file, self._busy_seconds)
        return _postgresql_engine(self._url)

    def _migrate(self, connection: Connection) -> None:
        if not self._on_sqlite:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
        migrations.upgrade(connection)

    def _settle(self) -> None:
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url.strip())
    except (exc.ArgumentError, ValueError) as wrong:  # SQLAlchemy reads a port with int()
        raise DatabaseUnavailable("DATABASE_URL is no address: sqlite:///path or postgresql://…") from wrong
    if parsed.drivername in {"postgres", "postgresql"}:
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername not in {"sqlite", "postgresql+psycopg"}:
        raise DatabaseUnavailable("DATABASE_URL must start with sqlite:/// or postgresql://")
    return parsed


def _create_private(file: Path) -> None:
    """Make the file before SQLite does, readable by its owner alone; SQLite gives its journals the same mode."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as trouble:
        raise DatabaseUnavailable(f"{file}: {trouble.strerror}") from trouble


def _sqlite_engine(file: Path | None, busy_seconds: float) -> Engine:
    """The driver is left in autocommit mode, so that the only BEGIN is ours.

    https://docs.sqlalchemy.org/en/21/dialects/sqlite.html#sqlite-transactions
    """
    pool: dict[str, Any] = {"pool_size": READERS + 1} if file else {"poolclass": StaticPool}
    engine = create_engine(
        URL.create("sqlite", database=str(file) if file else ":memory:"),
        connect_args={"isolation_level": None, "check_same_thread": False, "timeout": busy_seconds},
        pool_reset_on_return=None,
        **pool,
    )

    @event.listens_for(engine, "connect")
    def _set_up(driver_connection: Any, _record: object) -> None:
        _use_wal(driver_connection)
        for pragma in ("foreign_keys=ON", "temp_store=MEMORY", "cache_size=-16384"):
            driver_connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        driver.execute(connection.get_execution_options().get("begin", "BEGIN")).close()

    return engine


def _use_wal(driver_connection: Any) -> None:
    """Switching a new file takes its lock without waiting for it, so processes that start at once must try again.

    https://www.sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode
    """
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            driver_connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


def _postgresql_engine(url: URL) -> Engine:
    try:
        return create_engine(url, pool_size=2 * READERS, pool_pre_ping=True)
    except ModuleNotFoundError as missing:
        raise DatabaseUnavailable("PostgreSQL needs its driver: install the `postgres` extra") from missing


def _set_synchronous(connection: Connection, level: str) -> None:
    """How hard this connection's next commits are pressed onto the disk; may not change inside a transaction.

    https://www.sqlite.org/pragma.html#pragma_synchronous
    """
    if connection.info.get("synchronous") != level:
        driver: Any = connection.connection.driver_connection
        driver.execute(f"PRAGMA synchronous={level}").close()
        connection.info["synchronous"] = level


@contextmanager
def _named_trouble() -> Iterator[None]:
    """Troubles of the store itself get one name; broken constraints and wrong SQL stay what they are."""
    try:
        yield
    except exc.DatabaseError as trouble:
        if isinstance(trouble, exc.OperationalError) or type(trouble) is exc.DatabaseError:
            raise DatabaseUnavailable(str(trouble.orig)) from trouble
        raise
    except (exc.InterfaceError, exc.TimeoutError, sqlite3.Error) as trouble:  # SQLite's own: from a BEGIN or PRAGMA
        raise DatabaseUnavailable(str(trouble)) from trouble


def _without_stop(call: Callable[[], T]) -> T:
    """No future can carry StopIteration: whoever waits for it would wait for ever."""
    try:
        return call()
    except StopIteration as stop:
        raise RuntimeError("work on the store raised StopIteration") from stop


def _tell_of_failure(future: asyncio.Future[Any]) -> None:
    """Nobody waits for this write any more: if it failed, the log is the only one to hear it."""
    if not future.cancelled() and (failure := future.exception()):
        log.error("a write failed after its caller had been cancelled", exc_info=failure)
