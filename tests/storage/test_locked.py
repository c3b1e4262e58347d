"""A store that another process holds: nobody waits longer than they were to, and nothing is done behind their back."""

# ruff: noqa: ASYNC110 - what is waited for happens on another thread

from __future__ import annotations

import asyncio
import sqlite3
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from tools.database import Database, insert_new
from tools.database.trouble import DatabaseUnavailable
from tools.sql.record import OWNER

HOLDER = """
import sqlite3, sys
store = sqlite3.connect(sys.argv[1], isolation_level=None)
store.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.readline()
"""


@asynccontextmanager
async def held(file: Path) -> AsyncIterator[None]:
    """Another process writes, and does not end."""
    holder = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", HOLDER, str(file)), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    assert await holder.stdout.readline() == b"held\n"
    try:
        yield
    finally:
        await holder.communicate(b"\n")


@pytest.fixture
async def file(tmp_path: Path, database: Database) -> Path:
    return tmp_path / "secretary.db"


def put(person: str):
    return lambda connection: insert_new(connection, OWNER, {"person": person, "last_ref": 0})


async def persons(database: Database) -> list[str]:
    return await database.read(lambda c: list(c.execute(text("SELECT person FROM owner ORDER BY no")).scalars()))


async def test_many_who_wait_for_one_lock_wait_at_once_and_not_one_after_the_other(database: Database, file: Path):
    hurried = Database(f"sqlite:///{file}", busy_seconds=0.6)
    await hurried.start()
    async with held(file):
        began = time.monotonic()
        outcomes = await asyncio.gather(*(hurried.write(put(f"{n}")) for n in range(20)), return_exceptions=True)
        took = time.monotonic() - began
        assert [getattr(each, "reason", each) for each in outcomes] == ["locked"] * 20
        assert 0.5 < took < 2
        assert hurried.trouble == "locked"
        assert await persons(hurried) == []
    assert await hurried.write(put("after"))
    assert await persons(hurried) == ["after"], "what was refused was done all the same"
    assert hurried.trouble is None
    await hurried.close()


async def test_whoever_comes_later_is_not_made_to_wait_for_those_before(database: Database, file: Path):
    hurried = Database(f"sqlite:///{file}", busy_seconds=0.8)
    await hurried.start()
    async with held(file):
        first = asyncio.create_task(hurried.write(put("first")))
        await asyncio.sleep(0.5)
        began = time.monotonic()
        with pytest.raises(DatabaseUnavailable):
            await hurried.write(put("second"))
        assert time.monotonic() - began < 1.5
        with pytest.raises(DatabaseUnavailable):
            await first
    await hurried.close()


async def test_what_waits_is_done_when_the_lock_is_given_back_and_meanwhile_the_trouble_is_known(
    database: Database, file: Path
):
    async with held(file):
        waiting = [asyncio.create_task(database.write(put(f"{number}"))) for number in range(5)]
        while database.trouble != "locked":
            await asyncio.sleep(0.05)
    assert await asyncio.gather(*waiting) == [True] * 5
    assert await persons(database) == [str(number) for number in range(5)]
    assert database.trouble is None


async def test_closing_does_not_wait_for_a_lock_that_is_never_given_back(tmp_path: Path, file: Path):
    database = Database(f"sqlite:///{file}")
    await database.start()
    async with held(file):
        waiting = asyncio.create_task(database.write(put("never")))
        await asyncio.sleep(0)
        began = time.monotonic()
        await database.close()
        assert time.monotonic() - began < 8
        with pytest.raises(DatabaseUnavailable):
            await waiting
    store = sqlite3.connect(file)
    assert store.execute("SELECT count(*) FROM owner").fetchone() == (0,)
    store.close()
