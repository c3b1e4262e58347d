"""SQLite as an engine: WAL, transactions that are begun by us alone, and how long one waits for another process.

Must not know any table.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, StaticPool, create_engine, event

from tools.database.sqlite_files import create_private, damaged, fault_in
from tools.database.threads import Attempt
from tools.database.trouble import DatabaseUnavailable, named_trouble

CHECKED_AT_START = 64 * 1024 * 1024
"""Bytes. A file up to this size is checked whenever it is opened: 0.1 s from memory, 0.4 s from a cold disk. A larger
one would hold up the start; it is checked with each daily copy."""

WAIT_SECONDS = 0.25
"""How often a write that waits for another process looks whether anybody still waits for it."""

PRAGMAS = ("foreign_keys=ON", "temp_store=MEMORY", "cache_size=-4096")
"""The cache is each connection's own, in KiB: more of it is no faster, for the system keeps the file in memory."""


def sqlite_engine(file: Path | None, connections: int, busy_seconds: float) -> Engine:
    """The driver is left in autocommit mode, so that the only BEGIN is ours: a write passes its ``attempt``, and waits
    for the one lock there is.

    https://docs.sqlalchemy.org/en/21/dialects/sqlite.html#sqlite-transactions
    """
    pool: dict[str, Any] = {"pool_size": connections} if file else {"poolclass": StaticPool}
    engine = create_engine(
        URL.create("sqlite", database=str(file) if file else ":memory:"),
        connect_args={"isolation_level": None, "check_same_thread": False, "timeout": busy_seconds},
        pool_reset_on_return=None,
        **pool,
    )

    @event.listens_for(engine, "connect")
    def _set_up(driver_connection: Any, _record: object) -> None:
        _use_wal(driver_connection, busy_seconds)
        for pragma in PRAGMAS:
            driver_connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        attempt: Attempt | None = connection.get_execution_options().get("attempt")
        if attempt is None:
            _wait_at_most(connection, busy_seconds)
            _driver(connection).execute("BEGIN").close()
        else:
            _begin_to_write(connection, attempt)

    return engine


def open_sqlite(file: Path | None, connections: int, busy_seconds: float) -> Engine:
    """The engine of a file that is there and whole, or new. Raises DatabaseUnavailable."""
    if file is None:
        return sqlite_engine(None, connections, busy_seconds)
    create_private(file)
    engine = sqlite_engine(file, connections, busy_seconds)
    try:
        _check(engine, file)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _check(engine: Engine, file: Path) -> None:
    """Refuse a damaged file before anything is built on it."""
    try:
        with named_trouble(file), engine.connect() as connection, connection.begin():
            fault = fault_in(_driver(connection)) if file.stat().st_size <= CHECKED_AT_START else None
    except DatabaseUnavailable as trouble:
        if trouble.reason != "damaged":
            raise
        fault = str(trouble)
    if fault:
        raise damaged(file, fault)


def _begin_to_write(connection: Connection, attempt: Attempt) -> None:
    """Waits in short turns, for SQLite's own waiting can neither be shortened nor given up once it has begun."""
    locked = True
    while locked and attempt.remaining > 0:
        _wait_at_most(connection, min(WAIT_SECONDS, attempt.remaining))
        try:
            _driver(connection).execute("BEGIN IMMEDIATE").close()
            locked = False
        except sqlite3.OperationalError as trouble:
            if trouble.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
    try:
        attempt.begin()
    except DatabaseUnavailable:
        let_go_of_lock(connection)
        raise


def _wait_at_most(connection: Connection, seconds: float) -> None:
    if connection.info.get("waits") != seconds:
        _driver(connection).execute(f"PRAGMA busy_timeout={max(0, round(seconds * 1000))}").close()
        connection.info["waits"] = seconds


def set_synchronous(connection: Connection, level: str) -> None:
    """How hard this connection's next commits are pressed onto the disk; may not change inside a transaction.

    https://www.sqlite.org/pragma.html#pragma_synchronous
    """
    if connection.info.get("synchronous") != level:
        _driver(connection).execute(f"PRAGMA synchronous={level}").close()
        connection.info["synchronous"] = level


def let_go_of_lock(connection: Connection) -> None:
    """After a commit that failed: SQLite has usually rolled back, but not always, and then the lock would stay ours.

    https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
    """
    if not connection.closed and not connection.invalidated and _driver(connection).in_transaction:
        try:
            _driver(connection).rollback()
        except sqlite3.Error:
            connection.invalidate()


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection


def _use_wal(driver_connection: Any, busy_seconds: float) -> None:
    """Switching a new file takes its lock without waiting for it, so processes that start at once must try again.

    https://www.sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode
    """
    until = time.monotonic() + busy_seconds
    while True:
        try:
            driver_connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as trouble:
            if trouble.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return
