"""What the operator may ask of a SQLite store: a copy where they want it, and a copy put back in the store's place.

Must not know any table, or how the commands are called.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import URL, NullPool, create_engine

from tools import migrations
from tools.database import sqlite_file
from tools.database.sqlite_copies import copy_to, megabytes, opened_beside_the_bot, refuse_damaged
from tools.database.sqlite_files import (
    fault_of,
    give_to_owner_of,
    opened_to_read,
    refused_in_words,
    to_disk,
    working_alone,
)
from tools.database.trouble import CopyRefused, named_trouble


async def backup(url: str, target: Path) -> list[str]:
    """Copy the store to a new file, beside a running bot or without one; what was copied, line by line. Raises
    CopyRefused, DatabaseUnavailable."""
    return await asyncio.to_thread(_backup, url, target)


async def restore(url: str, source: Path, now: datetime) -> list[str]:
    """Put a copy in the store's place, while no bot works on it; what was there is kept beside it under a dated name.
    What was done, line by line. Raises CopyRefused, DatabaseUnavailable."""
    return await asyncio.to_thread(_restore, url, source, now)


def _backup(url: str, target: Path) -> list[str]:
    file, target = _sqlite_only(url, "make a backup with pg_dump"), target.absolute()
    if not file.is_file():
        raise CopyRefused(f"{file} is not there: nothing to copy.")
    if target.exists():
        raise CopyRefused(f"{target} is there already, and nothing is overwritten: name another file.")
    if not target.parent.is_dir():
        raise CopyRefused(f"{target.parent} is no folder: make it first.")
    with refused_in_words(target), named_trouble(), closing(opened_beside_the_bot(file)) as store:
        store.execute("BEGIN")  # from here on one state is seen, whatever a bot writes meanwhile
        refuse_damaged(store, file)
        rows = _rows(store)
        copy_to(store, target, lambda store, part: _page_by_page(store, part, rows))
    counted = [f"  {table}: {count}" for table, count in rows.items()]
    return [f"{file} is copied to {target} ({megabytes(target.stat().st_size)}), whole:", *counted]


def _page_by_page(store: sqlite3.Connection, part: Path, rows: dict[str, int]) -> None:
    """Unlike VACUUM, this copies the very state that was counted. Raises CopyRefused if the count differs.

    https://www.sqlite.org/c3ref/backup_finish.html
    """
    with closing(sqlite3.connect(part)) as copy:
        store.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE").close()
        if (copied := _rows(copy)) != rows:
            raise CopyRefused(f"the copy has {copied}, the store {rows}: it is not kept.")


def _restore(url: str, source: Path, now: datetime) -> list[str]:
    file, source = _sqlite_only(url, "restore it with pg_restore"), source.absolute()
    if not source.is_file():
        raise CopyRefused(f"{source} is not there, or no file.")
    if file.exists() and source.samefile(file):
        raise CopyRefused(f"{source} is the store itself.")
    if fault := fault_of(source):
        raise CopyRefused(f"{source} is damaged ({fault}): take another copy.")
    with refused_in_words(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with working_alone(file):
            incoming = file.with_name(f".{file.name}.incoming")
            try:
                with named_trouble(), closing(opened_to_read(source)) as copy:
                    copy_to(copy, incoming)
                version = _version_of(incoming, source)
                kept = _kept_aside(file, incoming, f"{file.name}.replaced-{now.astimezone(UTC):%Y-%m-%dT%H%M%S.%fZ}")
                incoming.replace(file)
                to_disk(file.parent)
            finally:
                incoming.unlink(missing_ok=True)
    return [f"{source} (schema {version}) is now {file}.", *kept, "The bot may be started."]


def _version_of(copy: Path, source: Path) -> str:
    """The schema it was written with. Raises CopyRefused for what this program cannot open."""
    engine = create_engine(URL.create("sqlite", database=str(copy)), poolclass=NullPool)
    try:
        with engine.connect() as connection:
            version = migrations.current(connection)
    except migrations.SchemaTooNew as newer:
        raise CopyRefused(f"{source} cannot be used: {newer}") from None
    if version is None:
        raise CopyRefused(f"{source} holds no secretary's store.")
    return version


def _kept_aside(file: Path, incoming: Path, name: str) -> list[str]:
    """The store as it was, with its journal, which must not stay beside another file: SQLite would play it in.

    The file itself is only linked, so that its place is never empty: a bot started then would begin anew.
    """
    give_to_owner_of(file if file.exists() else file.parent, incoming)
    if not file.exists():
        return []
    incoming.chmod(file.stat().st_mode & 0o777)
    try:
        file.with_name(name).hardlink_to(file)
    except OSError:  # a file system without links
        shutil.copy2(file, file.with_name(name))
    for journal in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            file.with_name(f"{file.name}{journal}").rename(file.with_name(f"{name}{journal}"))
    return [f"What was there before: {file.with_name(name)}"]


def _sqlite_only(url: str, instead: str) -> Path:
    file = sqlite_file(url)
    if file is None:
        raise CopyRefused(f"This is for a SQLite file only. For PostgreSQL {instead}.")
    return file


def _rows(connection: sqlite3.Connection) -> dict[str, int]:
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite#_%' ESCAPE '#' ORDER BY name"
    )
    names = [name for (name,) in tables.fetchall()]
    count = 'SELECT count(*) FROM "{}"'
    return {name: connection.execute(count.format(name.replace('"', '""'))).fetchone()[0] for name in names}
