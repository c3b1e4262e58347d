"""Troubles of the store itself, under one name and with one word that says which; everything else stays what it is.

A broken constraint or wrong SQL is a mistake of the caller, not of the store. Must not know what is stored.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from sqlalchemy import exc

from tools.record import StoreUnavailable

Reason = Literal[
    "full",  # no room on the disk
    "read-only",  # may be read, not written
    "locked",  # another process holds it
    "damaged",  # what stands in it is not what was written
    "failing",  # the disk answers with errors
    "unreachable",  # it cannot be opened, or no server answers
    "slow",  # no answer in time: what was asked may be done or not
    "newer",  # written by a newer version of this program
    "closed",  # not opened yet, or closed by this program itself
    "misconfigured",  # DATABASE_URL names nothing that can be a store
    "unknown",
]
"""Why a store takes nothing, in one word."""

SQLITE: dict[int, Reason] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_IOERR: "failing",
    sqlite3.SQLITE_CANTOPEN: "unreachable",
    sqlite3.SQLITE_PERM: "read-only",
}
"""Primary result codes. https://www.sqlite.org/rescode.html#primary_result_code_list"""

POSTGRESQL: dict[str, Reason] = {
    "53100": "full",
    "25006": "read-only",
    "55P03": "locked",
    "40P01": "locked",
    "57014": "slow",
    "58030": "failing",
    "XX001": "damaged",
    "XX002": "damaged",
    "08": "unreachable",
    "25P03": "slow",
    "28": "misconfigured",
    "3D": "misconfigured",
    "40": "locked",
    "53": "unreachable",
    "57P": "unreachable",
    "58": "failing",
}
"""SQLSTATEs and the beginnings of them. https://www.postgresql.org/docs/current/errcodes-appendix.html"""

ROOM = 256 * 1024
"""Bytes. With less on the disk, whatever fails fails for want of room."""


class DatabaseUnavailable(StoreUnavailable):
    """The store cannot be opened, read or written now. The text is for the operator, ``reason`` for programs."""

    def __init__(self, message: str, reason: Reason = "unknown") -> None:
        super().__init__(message)
        self.reason = reason


class CopyRefused(Exception):
    """A copy of the store cannot be made or put in place as asked; the message says why. Nothing was changed."""


@contextmanager
def named_trouble(file: Path | None = None) -> Iterator[None]:
    """Raises DatabaseUnavailable for whatever is the store's own trouble. ``file`` is SQLite's."""
    try:
        yield
    except exc.TimeoutError as trouble:
        raise DatabaseUnavailable(str(trouble), "slow") from trouble
    except (exc.DBAPIError, sqlite3.Error) as trouble:  # SQLite's own: from a BEGIN or PRAGMA
        original = trouble.orig if isinstance(trouble, exc.DBAPIError) else trouble
        reason = _of_sqlite(original) if isinstance(original, sqlite3.Error) else _of_postgresql(trouble, original)
        if reason is None:
            raise
        if reason == "failing" and file and shutil.disk_usage(file.parent).free < ROOM:
            reason = "full"  # SQLite says so only of its writes, not where it makes or lengthens a file
        raise DatabaseUnavailable(str(original).strip(), reason) from trouble


def _of_sqlite(original: sqlite3.Error) -> Reason | None:
    known = SQLITE.get(getattr(original, "sqlite_errorcode", 0) & 0xFF)
    return known or ("unknown" if isinstance(original, sqlite3.OperationalError | sqlite3.InterfaceError) else None)


def _of_postgresql(trouble: Exception, original: BaseException | None) -> Reason | None:
    """Where there is no SQLSTATE the connection broke, or there never was one."""
    state = str(getattr(original, "sqlstate", None) or "")
    known = POSTGRESQL.get(state) or POSTGRESQL.get(state[:3]) or POSTGRESQL.get(state[:2])
    broken = not state and isinstance(trouble, exc.OperationalError | exc.InterfaceError)
    return known or ("unreachable" if broken else None)
