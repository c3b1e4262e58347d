"""A SQLite store as files: where it lies, what stands beside it, whether it is whole, and who works on it.

Must not know what is stored, or how it is asked.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tools.database.trouble import CopyRefused, DatabaseUnavailable

CURE = "set DATABASE_URL to a file in a folder that this user may write to, as sqlite:////srv/secretary/bot.db."

DAILY = "[0-9]*.db"
"""Copies of a day, in their folder: ``2026-11-30.db``."""

PRIVATE = 0o600
"""Readable by its owner alone."""


def true_place(named: Path) -> Path:
    """Where the file lies: journals, lock and copies stand beside the file itself, not beside a link to it."""
    try:
        return named.resolve() if named.is_symlink() else named.absolute()
    except (OSError, RuntimeError) as trouble:  # a link that leads to itself
        raise DatabaseUnavailable(f"{named} is a link that leads nowhere: {CURE}", "misconfigured") from trouble


def copies_of(file: Path) -> Path:
    """The folder of the daily copies."""
    return file.with_name(f"{file.name}-copies")


def create_private(file: Path) -> None:
    """Make the file before SQLite does; SQLite gives its journals the same mode. One that is there is left alone.
    Raises DatabaseUnavailable where there cannot be a store."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and not stat.S_ISREG(file.stat().st_mode):
            what = "a folder" if file.is_dir() else "no file"
            raise DatabaseUnavailable(f"{file} is {what}: {CURE}", "misconfigured")
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, PRIVATE))
    except OSError as trouble:
        raise DatabaseUnavailable(f"{file} cannot be written ({trouble.strerror}): {CURE}", "read-only") from trouble
    if not os.access(file.parent, os.W_OK | os.X_OK):
        sentence = f"{file.parent} cannot be written, and SQLite keeps its journal beside the file: {CURE}"
        raise DatabaseUnavailable(sentence, "read-only")


def fault_in(connection: sqlite3.Connection) -> str | None:
    """What is damaged in a store; None if it is whole. Reads all of it. Raises sqlite3.Error for any other trouble.

    https://www.sqlite.org/pragma.html#pragma_quick_check
    """
    try:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as trouble:
        if trouble.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            raise
        found = str(trouble)
    return None if found == "ok" else " ".join(found.split())


def fault_of(file: Path) -> str | None:
    """What is wrong with a file that should be a store; None if it is whole. Changes nothing."""
    try:
        with closing(opened_to_read(file)) as connection:
            return fault_in(connection)
    except sqlite3.Error as trouble:
        return str(trouble)


def opened_to_read(file: Path) -> sqlite3.Connection:
    """A connection that cannot write, for a file that nobody works on. It is the caller's to close.

    Without a journal beside it the file is taken as it is, or SQLite would leave an empty journal there.
    https://www.sqlite.org/wal.html#read_only_databases
    """
    as_it_is = "" if file.with_name(f"{file.name}-wal").exists() else "&immutable=1"
    return sqlite3.connect(f"{file.as_uri()}?mode=ro{as_it_is}", uri=True, isolation_level=None)


def newest_whole_copy(file: Path) -> Path | None:
    """The newest daily copy that can be put in the file's place."""
    copies = sorted(copies_of(file).glob(DAILY), reverse=True)
    return next((each for each in copies if fault_of(each) is None), None)


def damaged(file: Path, fault: str) -> DatabaseUnavailable:
    """What the operator is told of a damaged store, with the way out."""
    copy = newest_whole_copy(file)
    if copy is None:
        cure = "No whole copy lies beside it: move it away to begin with an empty store."
    else:
        cure = f"The newest whole copy is {copy}; to put it in place: python -m bot restore {copy}"
    return DatabaseUnavailable(f"{file} is damaged ({fault}). {cure}", "damaged")


class FileTaken(Exception):
    """Another process works on the file."""


@contextmanager
def working_alone(file: Path) -> Iterator[None]:
    """Nobody else works on the file meanwhile. Raises FileTaken, or OSError where there can be no lock.

    The lock file stays when the lock is given back: removing it would open a gap for two to come in. Windows has no
    such locks; there nobody is kept out.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    lock = file.with_name(f"{file.name}.lock")
    handle = os.open(lock, os.O_CREAT | os.O_RDWR, PRIVATE)
    try:
        give_to_owner_of(file if file.exists() else file.parent, lock)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileTaken(f"Another bot is working on {file.name}") from None
        yield
    finally:
        os.close(handle)


@contextmanager
def refused_in_words(place: Path) -> Iterator[None]:
    """What the system refuses is said in one sentence about the place. Raises CopyRefused."""
    try:
        yield
    except FileTaken as taken:
        raise CopyRefused(f"{taken}: stop it first.") from None
    except OSError as trouble:
        raise CopyRefused(f"{place} cannot be written ({trouble.strerror}).") from trouble


def give_to_owner_of(neighbour: Path, file: Path) -> None:
    """What root makes beside a store belongs to whoever the store belongs to, or the bot could not open it."""
    if sys.platform != "win32" and os.geteuid() == 0:
        owner = neighbour.stat()
        os.chown(file, owner.st_uid, owner.st_gid)


def to_disk(path: Path) -> None:
    """Press a file, or a folder's list of names, onto the disk; Windows does the latter by itself."""
    if sys.platform == "win32" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
