"""A store moved to another: everything arrives, is counted, and goes on being numbered; or nothing arrives."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, text

from bot.sql.claims import CLAIM
from bot.sql.transcript import TRANSCRIPT
from tests.fakes import NOON
from tests.postgres.schema import schema_of_its_own
from tests.storage.lived_in import MEI, contents, draft, every_table_is_loaded, live_in, told
from tools.database import Database
from tools.database.copying import ONE_MOMENT, copy_store
from tools.database.sqlite_files import working_alone
from tools.database.trouble import CopyRefused
from tools.record import CallKey
from tools.sql.memory import SqlMemory


@pytest.fixture
def postgresql() -> Iterator[str]:
    with schema_of_its_own() as url:
        yield url


@pytest.fixture
async def lived_in(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'old.db'}"
    database = Database(url)
    await database.start()
    await live_in(database)
    await database.close()
    return url


async def contents_of(url: str):
    database = Database(url)
    await database.start()
    try:
        return await contents(database)
    finally:
        await database.close()


async def test_everything_arrives_in_postgresql_is_told_and_comes_back_the_same(lived_in, postgresql, tmp_path: Path):
    before = await contents_of(lived_in)
    lines = await copy_store(lived_in, postgresql)
    assert await contents_of(postgresql) == before
    assert all(before.values()), "a table without rows proves nothing"
    assert lines[0].startswith(f"{sum(len(rows) for rows in before.values())} rows are copied")
    assert {f"  {table}: {len(rows)}" for table, rows in before.items()} <= set(lines)
    back = f"sqlite:///{tmp_path / 'back.db'}"
    await copy_store(postgresql, back)
    assert await contents_of(back) == before


async def test_beside_a_running_bot_one_moment_of_postgresql_arrives_and_that_is_said(postgresql, tmp_path: Path):
    every_table_is_loaded()
    source, target = Database(postgresql), f"sqlite:///{tmp_path / 'new.db'}"
    await source.start()
    copied = asyncio.Event()

    async def work() -> int:
        """In one transaction into a table that is copied first, and into one that is copied late; again and again."""
        number = 0
        while number < 20 or not copied.is_set():
            number += 1
            await source.write(lambda c, n=number: (c.execute(insert(CLAIM), claim(n)), append(c, n)))
        return number

    working = asyncio.create_task(work())
    try:
        await asyncio.sleep(0.1)
        lines = await copy_store(postgresql, target)
    finally:
        copied.set()
        written = await working
        await source.close()

    arrived = await contents_of(target)
    assert len(arrived["claim"]) == len(arrived["transcript"])
    assert 0 < len(arrived["claim"]) < written, "nobody wrote meanwhile"
    assert ONE_MOMENT in lines


def claim(number: int) -> dict[str, object]:
    return {"lane": f"lane {number}", "worker": "a bot", "fence": number, "until": 0, "at_work": 0}


def append(connection: Connection, number: int) -> None:
    row = {"turn": f"turn {number}", "seq": 0, "chat": MEI, "message": "{}", "at": 0}
    connection.execute(insert(TRANSCRIPT), row)


async def test_in_the_new_store_numbers_go_on_where_they_stood(lived_in, postgresql):
    await copy_store(lived_in, postgresql)
    database = Database(postgresql)
    await database.start()
    for person, ref in ((MEI, 21), ("U" + "9" * 32, 1)):
        made = await SqlMemory(database, person, lambda: NOON).record(draft(99), CallKey(f"later {person}", 0), told)
        assert made.record.ref == ref
    await database.close()


async def test_a_store_with_rows_in_it_is_no_target(lived_in, postgresql):
    await copy_store(lived_in, postgresql)
    before = await contents_of(postgresql)
    with pytest.raises(CopyRefused, match="not empty"):
        await copy_store(lived_in, postgresql)
    assert await contents_of(postgresql) == before


async def test_a_copy_that_fails_half_way_leaves_the_target_empty(lived_in, postgresql):
    database = Database(lived_in)
    await database.start()
    await database.write(lambda c: c.execute(text("UPDATE transcript SET message = 'a' || char(0) || 'b'")))
    await database.close()
    with pytest.raises(CopyRefused, match="transcript holds what the target does not take"):
        await copy_store(lived_in, postgresql)
    assert not any((await contents_of(postgresql)).values())


async def test_a_table_that_nobody_knows_is_not_left_behind(lived_in, postgresql):
    database = Database(lived_in)
    await database.start()
    await database.write(lambda c: c.execute(text("CREATE TABLE diary (page TEXT)")))
    await database.close()
    with pytest.raises(CopyRefused, match="diary"):
        await copy_store(lived_in, postgresql)


async def test_a_store_that_a_bot_works_on_is_not_copied(lived_in, tmp_path: Path):
    every_table_is_loaded()
    with working_alone(tmp_path / "old.db"), pytest.raises(CopyRefused, match="stop it first"):
        await copy_store(lived_in, f"sqlite:///{tmp_path / 'new.db'}")


@pytest.mark.parametrize(("source", "target", "why"), [("a.db", "b.db", "not there"), ("old.db", "old.db", "same")])
async def test_what_cannot_be_copied_is_said(lived_in, tmp_path: Path, source: str, target: str, why: str):
    with pytest.raises(CopyRefused, match=why):
        await copy_store(f"sqlite:///{tmp_path / source}", f"sqlite:///{tmp_path / target}")
    assert not (tmp_path / "a.db").exists()


async def test_no_password_is_printed(lived_in, postgresql):
    with_password = postgresql.replace("postgres@", "postgres:hunter2@")
    assert "hunter2" in with_password
    assert not [line for line in await copy_store(lived_in, with_password) if "hunter2" in line]
