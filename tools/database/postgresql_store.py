"""PostgreSQL as an engine: nothing waits for ever, whether the server is slow, silent or gone.

Must not know any table.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

from tools.database.trouble import DatabaseUnavailable

CONNECTING: dict[str, int] = {
    "connect_timeout": 5,  # seconds
    "keepalives_idle": 10,  # seconds
    "keepalives_interval": 3,  # seconds
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,  # milliseconds
}
"""A server that is silent or gone is noticed; DATABASE_URL may say otherwise.
https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS"""

STATEMENT_SECONDS = 30
"""For one statement. Only bringing the schema up to date may take longer."""

IDLE_SECONDS = 10
"""A process that is halted in the middle of a transaction holds rows that others need for so long, then its transaction
is taken back."""

ONE_STATE = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
"""A transaction that sees one state of the store, as SQLite's do."""


def open_postgresql(url: URL, connections: int) -> Engine:
    """The engine; connected to only when it is used. Raises DatabaseUnavailable."""
    try:
        arguments = {name: value for name, value in CONNECTING.items() if name not in url.query}
        engine = create_engine(url, pool_size=connections, connect_args=arguments, use_native_hstore=False)
    except ModuleNotFoundError as missing:
        told = "PostgreSQL needs its driver: install the `postgres` extra"
        raise DatabaseUnavailable(told, "misconfigured") from missing

    @event.listens_for(engine, "connect")
    def _set_up(driver_connection: Any, _record: object) -> None:
        """By SET, since poolers in between refuse these as options of the connection."""
        try:
            driver_connection.execute(f"SET statement_timeout = '{STATEMENT_SECONDS}s'")
            driver_connection.execute(f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'")
            driver_connection.commit()
        except BaseException:
            driver_connection.close()  # nobody else knows of it yet
            raise

    return engine


def without_limits(connection: Connection) -> None:
    """The transaction may take as long as it needs."""
    for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        connection.exec_driver_sql(f"SET LOCAL {limit} = 0")


def answers(connection: Connection) -> bool:
    """Whether the server is still at the other end: a pooled connection may have been cut since it was used last.

    SQLAlchemy's ``pool_pre_ping`` asks the same, but where nobody can hang up on a server that stays silent.
    """
    dialect = connection.dialect
    assert dialect.loaded_dbapi is not None
    try:
        return dialect.do_ping(connection.connection.dbapi_connection)  # type: ignore[arg-type]  # None only when closed
    except dialect.loaded_dbapi.Error:
        return False


def hang_up(driver_connection: Any) -> None:
    """End the connection under a thread that waits on it: it is told that the server is gone."""
    with (
        suppress(OSError, type(driver_connection).Error),
        socket.socket(fileno=os.dup(driver_connection.fileno())) as s,
    ):
        s.shutdown(socket.SHUT_RDWR)
