"""Copies of a SQLite store: how one is made beside a running bot, and one for each day.

A copy holds one state of the store, and is checked before it bears its name. PostgreSQL has better means of its own
(``pg_dump``, archiving), which are the operator's. Must not know any table.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, date, datetime
from pathlib import Path

from tools.database.sqlite_files import DAILY, PRIVATE, copies_of, damaged, fault_in, fault_of, to_disk
from tools.database.trouble import CopyRefused, DatabaseUnavailable, named_trouble

KEPT = 7
"""Daily copies."""

LOOK_SECONDS = 3600.0
"""How often it is looked whether today's copy is there."""

log = logging.getLogger(__name__)


async def keep_copies(
    file: Path | None, now: Callable[[], datetime], *, kept: int = KEPT, look_seconds: float = LOOK_SECONDS
) -> None:
    """For ever: a copy of each day (UTC) in the folder beside the file, the newest ``kept`` of them. What goes wrong is
    logged and tried again. Returns at once where there is no file: in memory, and for PostgreSQL."""
    while file is not None:
        try:
            if copy := await copy_of_today(file, now().astimezone(UTC).date(), kept):
                log.info("today's copy of the store: %s", copy)
        except (CopyRefused, DatabaseUnavailable, OSError) as trouble:
            log.error("no copy of the store could be made: %s", trouble)  # noqa: TRY400 - it says itself what is wrong
        except Exception:
            log.exception("no copy of the store could be made")
        await asyncio.sleep(look_seconds)


async def copy_of_today(file: Path, today: date, kept: int = KEPT) -> Path | None:
    """Make it unless it is there, and remove what is too old. Raises CopyRefused, DatabaseUnavailable, OSError."""
    folder = copies_of(file)
    copy = folder / f"{today}.db"
    if copy.exists():
        return None
    folder.mkdir(mode=0o700, exist_ok=True)
    _refuse_without_room(file, folder)
    with named_trouble():
        await _on_a_thread(opened_beside_the_bot(file), file, copy)
    for old in too_many(sorted(folder.glob(DAILY)), copy, kept):
        old.unlink(missing_ok=True)
    return copy


def copy_before(file: Path, version: str) -> None:
    """A checked copy as it was before a newer program changes its form; the one before the last change goes. Where
    none can be made, the log says so and it is changed all the same: in one transaction, or not at all."""
    copy = copies_of(file) / f"before-{version}.db"
    try:
        copy.parent.mkdir(mode=0o700, exist_ok=True)
        _refuse_without_room(file, copy.parent)
        _copy_whole(opened_beside_the_bot(file), file, copy)
    except (CopyRefused, OSError, sqlite3.Error) as trouble:
        log.warning("no copy was made of the store before it is brought up to date: %s", trouble)
        return
    log.info("the store as it was before it was brought up to date: %s", copy)
    for old in set(copy.parent.glob("before-*.db")) - {copy}:
        old.unlink(missing_ok=True)


def too_many(copies: list[Path], newest: Path, kept: int) -> list[Path]:
    """What is removed of the copies, given in the order of their days. Those of days to come were made while the clock
    was wrong: they go first. The one just made stays, whatever day it bears."""
    ahead = [each for each in copies if each.name > newest.name]
    behind = [each for each in copies if each.name < newest.name]
    return (ahead + behind)[: max(0, len(copies) - kept)]


def _refuse_without_room(file: Path, folder: Path) -> None:
    """A copy must not fill the disk that the store itself needs."""
    size, free = file.stat().st_size, shutil.disk_usage(folder).free
    if free < 2 * size:
        raise CopyRefused(f"{folder} has room for {megabytes(free)}; with a copy of {megabytes(size)} it would fill up")


async def _on_a_thread(connection: sqlite3.Connection, file: Path, copy: Path) -> None:
    """Copy; whoever cancels this waits only until SQLite has noticed."""
    copying = asyncio.get_running_loop().run_in_executor(None, _copy_whole, connection, file, copy)
    try:
        await asyncio.shield(copying)
    except asyncio.CancelledError:
        with suppress(sqlite3.Error):
            connection.interrupt()
        await asyncio.wait({copying})
        copying.exception()
        raise


def _copy_whole(connection: sqlite3.Connection, file: Path, copy: Path) -> None:
    """Refuse to copy what is damaged: the copy would take a good one's place."""
    with closing(connection):
        refuse_damaged(connection, file)
        copy_to(connection, copy)


def refuse_damaged(connection: sqlite3.Connection, file: Path) -> None:
    """Look through the whole store. Raises DatabaseUnavailable with the way out if it is damaged."""
    if fault := fault_in(connection):
        raise damaged(file, fault)


Fill = Callable[[sqlite3.Connection, Path], None]


def vacuum_into(connection: sqlite3.Connection, part: Path) -> None:
    """One state of the store, compact, nothing of what was deleted in it.

    https://www.sqlite.org/lang_vacuum.html#vacuum_with_an_into_clause
    """
    connection.execute("VACUUM INTO ?", (str(part),)).close()


def copy_to(connection: sqlite3.Connection, copy: Path, fill: Fill = vacuum_into) -> None:
    """The store as a new file: whole and on the disk, or not there. Raises CopyRefused if it comes out damaged."""
    part = copy.with_name(f".{copy.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))
    try:
        fill(connection, part)
        if fault := fault_of(part):
            raise CopyRefused(f"the copy came out damaged ({fault}): is the disk failing?")
        to_disk(part)
        part.replace(copy)
        to_disk(copy.parent)
    finally:
        part.unlink(missing_ok=True)


def opened_beside_the_bot(file: Path) -> sqlite3.Connection:
    """As the bot opens it, for its journal is part of the store. It is the caller's to close."""
    address = f"{file.as_uri()}?mode=rw"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=30, check_same_thread=False)


def megabytes(count: int) -> str:
    """Bytes, for people."""
    return f"{count / 1_000_000:,.1f} MB"
