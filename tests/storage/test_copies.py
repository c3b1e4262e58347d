"""Copies of a SQLite store: one a day, one where the operator wants it, and one put back."""

# ruff: noqa: ASYNC110, ASYNC240 - a test may make its loop wait for a small file, and for a line of the log

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.fakes import NOON
from tests.storage.lived_in import MEI, contents, draft, live_in, told
from tools import migrations
from tools.database import Database
from tools.database.sqlite_backup import backup, restore
from tools.database.sqlite_copies import copy_of_today, keep_copies
from tools.database.sqlite_files import copies_of, fault_of, working_alone
from tools.database.trouble import CopyRefused, DatabaseUnavailable
from tools.record import CallKey
from tools.sql.memory import SqlMemory

TODAY = date(2026, 11, 30)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "secretary.db"


@pytest.fixture
async def open_store(file: Path) -> AsyncIterator[Database]:
    database = Database(f"sqlite:///{file}")
    await database.start()
    await live_in(database)
    yield database
    await database.close()


async def read(file: Path):
    database = Database(f"sqlite:///{file}")
    await database.start()
    try:
        return await contents(database)
    finally:
        await database.close()


def url(file: Path) -> str:
    return f"sqlite:///{file}"


def damage(file: Path) -> None:
    """A page in the middle is not what was written."""
    size = file.stat().st_size
    with file.open("r+b") as pages:
        pages.seek(size // 2 // 4096 * 4096)
        pages.write(b"\xa5" * 4096)


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


# ── every day ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_days_copy_holds_what_the_open_store_holds_and_nobody_else_can_read_it(open_store, file: Path):
    copy = await copy_of_today(file, TODAY)
    assert copy == copies_of(file) / "2026-11-30.db"
    assert names(copy.parent) == ["2026-11-30.db"]
    assert [stat.S_IMODE(each.stat().st_mode) for each in (copy, copy.parent)] == [0o600, 0o700]
    shutil.copy(copy, elsewhere := file.with_name("elsewhere.db"))
    assert await read(elsewhere) == await contents(open_store)


async def test_one_copy_is_made_in_a_day(open_store, file: Path):
    assert await copy_of_today(file, TODAY)
    assert await copy_of_today(file, TODAY) is None


async def test_the_last_seven_days_are_kept(open_store, file: Path):
    for day in range(10):
        await copy_of_today(file, TODAY + timedelta(days=day))
    assert names(copies_of(file)) == [f"2026-12-{day:02}.db" for day in range(3, 10)]


@pytest.mark.parametrize("wrong", [date(1970, 1, 1), date(2106, 2, 7)])
async def test_while_the_clock_is_wrong_and_afterwards_copies_are_made_and_the_newest_stay(
    open_store, file: Path, wrong: date
):
    for day in range(7):
        await copy_of_today(file, TODAY + timedelta(days=day))
    assert await copy_of_today(file, wrong)
    for day in range(7, 10):
        assert await copy_of_today(file, TODAY + timedelta(days=day))
    kept = names(copies_of(file))
    assert len(kept) == 7
    assert kept[-1] == "2026-12-09.db"


async def test_turns_are_stored_while_a_copy_is_made(open_store, file: Path):
    memory = SqlMemory(open_store, MEI, lambda: NOON)
    copying = asyncio.create_task(copy_of_today(file, TODAY))
    number = 0
    while not copying.done():
        await memory.record(draft(number), CallKey("beside", number := number + 1), told)
    copy = await copying
    assert number
    assert copy is not None
    assert fault_of(copy) is None
    missing = len((await contents(open_store))["record"]) - len((await read(copy))["record"])
    assert 0 <= missing <= number


async def test_copies_are_kept_for_ever_and_the_house_stands_whatever_happens(
    open_store, file: Path, caplog: pytest.LogCaptureFixture
):
    copies_of(file).touch()  # in the folder's place
    days = iter(range(100))
    with caplog.at_level(logging.INFO):
        keeping = asyncio.create_task(
            keep_copies(file, lambda: NOON + timedelta(days=next(days)), kept=3, look_seconds=0.01)
        )
        while "no copy of the store could be made" not in caplog.text:
            await asyncio.sleep(0.01)
        copies_of(file).unlink()
        while caplog.text.count("today's copy of the store") < 4:
            await asyncio.sleep(0.01)
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping
    assert 3 <= len(names(copies_of(file))) <= 4
    assert "Traceback" not in caplog.text


async def test_a_copy_that_is_cancelled_leaves_nothing_behind(open_store, file: Path):
    def grow(connection) -> None:
        connection.execute(text("CREATE TABLE large AS SELECT zeroblob(1000000) FROM record"))

    await open_store.write(grow)
    for pause in (0, 0.001, 0.005, 0.02):
        copying = asyncio.create_task(copy_of_today(file, TODAY))
        await asyncio.sleep(pause)
        copying.cancel()
        await asyncio.gather(copying, return_exceptions=True)
        folder = copies_of(file)
        assert not folder.exists() or set(names(folder)) <= {"2026-11-30.db"}
        for each in folder.glob("*.db"):
            assert fault_of(each) is None
            each.unlink()


@pytest.mark.parametrize("address", ["sqlite://", "postgresql://127.0.0.1:1/x"])
async def test_where_there_is_no_file_there_is_nothing_to_keep(address: str):
    from tools.database import sqlite_file

    assert await keep_copies(sqlite_file(address), lambda: NOON) is None


async def test_a_damaged_store_is_not_copied_and_its_good_copies_stay(file: Path, open_store):
    await open_store.close()
    for day in range(7):
        await copy_of_today(file, TODAY + timedelta(days=day))
    before = names(copies_of(file))
    damage(file)
    with pytest.raises(DatabaseUnavailable, match=r"is damaged .*: python -m bot restore .*2026-12-06\.db") as told_:
        await copy_of_today(file, TODAY + timedelta(days=7))
    assert told_.value.reason == "damaged"
    assert names(copies_of(file)) == before


# ── a damaged store ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("place", ["beginning", "middle", "end"])
async def test_a_damaged_store_is_refused_with_the_newest_whole_copy_and_that_command_mends_it(
    open_store, file: Path, place: str
):
    await open_store.close()
    for day in (TODAY, TODAY + timedelta(days=1)):
        await copy_of_today(file, day)
    damage(copies_of(file) / "2026-12-01.db")
    good, size = copies_of(file) / "2026-11-30.db", file.stat().st_size
    with file.open("r+b") as pages:
        pages.seek({"beginning": 0, "middle": size // 2 // 4096 * 4096, "end": size - 4096}[place])
        pages.write(b"\xa5" * 4096)
    spoilt = file.read_bytes()
    with pytest.raises(DatabaseUnavailable) as refusal:
        await read(file)
    assert refusal.value.reason == "damaged"
    assert str(refusal.value).startswith(f"{file} is damaged (")
    assert str(refusal.value).endswith(f"to put it in place: python -m bot restore {good}")
    assert file.read_bytes() == spoilt

    lines = await restore(url(file), good, NOON)

    kept = Path(next(line for line in lines if line.startswith("What was there")).partition(": ")[2])
    assert kept.read_bytes() == spoilt
    assert (await read(file))["record"]


async def test_without_any_copy_it_is_said_how_to_begin_anew(open_store, file: Path):
    await open_store.close()
    damage(file)
    with pytest.raises(DatabaseUnavailable, match="No whole copy lies beside it: move it away"):
        await read(file)


# ── backup ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_backup_is_made_beside_a_bot_that_writes_and_counts_what_it_holds(open_store, file: Path):
    memory = SqlMemory(open_store, MEI, lambda: NOON)

    async def work() -> None:
        for number in range(1000):
            await memory.record(draft(number), CallKey("beside", number), told)

    working = asyncio.create_task(work())
    await asyncio.sleep(0.02)
    with working_alone(file):  # the bot holds the lock; a backup does not ask for it
        lines = await backup(url(file), target := file.with_name("backup.db"))
    working.cancel()
    rows = await read(target)
    assert lines[0].startswith(f"{file} is copied to {target}")
    assert {f"  {table}: {len(each)}" for table, each in rows.items()} <= set(lines)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


async def test_a_backup_overwrites_nothing(open_store, file: Path):
    target = file.with_name("letter.txt")
    target.write_text("dear mother")
    with pytest.raises(CopyRefused, match="is there already"):
        await backup(url(file), target)
    assert target.read_text() == "dear mother"


async def test_a_backup_of_nothing_makes_nothing(file: Path):
    with pytest.raises(CopyRefused, match="nothing to copy"):
        await backup(url(file), file.with_name("backup.db"))
    assert names(file.parent) == []


async def test_a_backup_where_nothing_can_be_written_is_refused(open_store, file: Path):
    with pytest.raises(CopyRefused, match="is no folder"):
        await backup(url(file), file.parent / "absent" / "backup.db")
    with pytest.raises(CopyRefused, match="cannot be written"):
        await backup(url(file), Path("/proc/backup.db"))


@pytest.mark.parametrize("command", [backup, lambda address, path: restore(address, path, NOON)])
async def test_postgresql_is_copied_by_its_own_means(command, tmp_path: Path):
    with pytest.raises(CopyRefused, match=r"pg_(dump|restore)"):
        await command("postgresql://127.0.0.1:1/x", tmp_path / "copy.db")


# ── restore ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_is_restored_is_what_was_backed_up_and_what_was_there_is_kept(open_store, file: Path):
    before = await contents(open_store)
    await backup(url(file), copy := file.with_name("copy.db"))
    memory = SqlMemory(open_store, MEI, lambda: NOON)
    await memory.record(draft(99), CallKey("later", 0), told)
    after = await contents(open_store)
    await open_store.close()
    lines = await restore(url(file), copy, NOON)
    assert await read(file) == before
    kept = file.with_name("secretary.db.replaced-2026-11-30T040000.000000Z")
    assert lines[1] == f"What was there before: {kept}"
    assert await read(kept) == after
    assert copy.exists()


async def test_what_a_bot_that_was_killed_left_in_the_journal_is_kept_with_its_file(open_store, file: Path):
    killed = file.parent / "killed"
    killed.mkdir()
    await backup(url(file), copy := file.with_name("copy.db"))
    await SqlMemory(open_store, MEI, lambda: NOON).record(draft(99), CallKey("later", 0), told)
    for name in ("secretary.db", "secretary.db-wal"):
        shutil.copy(file.with_name(name), killed / name)
    after = await contents(open_store)
    await restore(url(killed / file.name), copy, NOON)
    assert names(killed) == [
        "secretary.db",
        "secretary.db.lock",
        "secretary.db.replaced-2026-11-30T040000.000000Z",
        "secretary.db.replaced-2026-11-30T040000.000000Z-wal",
    ]
    assert await read(killed / "secretary.db.replaced-2026-11-30T040000.000000Z") == after
    assert len((await read(killed / file.name))["record"]) == len(after["record"]) - 1


async def test_nothing_is_restored_under_a_bot_at_work(open_store, file: Path):
    await backup(url(file), copy := file.with_name("copy.db"))
    with working_alone(file), pytest.raises(CopyRefused, match=r"working on secretary\.db: stop it first"):
        await restore(url(file), copy, NOON)
    assert "secretary.db.replaced" not in " ".join(names(file.parent))


async def newer(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as store, store:
        store.execute("UPDATE alembic_version SET version_num = '9999'")


async def no_store(copy: Path) -> None:
    copy.unlink()
    with closing(sqlite3.connect(copy)) as store, store:
        store.execute("CREATE TABLE diary (page TEXT)")


async def empty(copy: Path) -> None:
    copy.write_bytes(b"")


async def spoilt(copy: Path) -> None:
    damage(copy)


async def absent(copy: Path) -> None:
    copy.unlink()


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (newer, "9999.*update the program"),
        (no_store, "holds no secretary's store"),
        (empty, "holds no secretary's store"),
        (spoilt, "is damaged"),
        (absent, "is not there"),
    ],
)
async def test_what_this_program_cannot_open_is_not_put_in_place(open_store, file: Path, spoil, why: str):
    before = await contents(open_store)
    await backup(url(file), copy := file.with_name("copy.db"))
    await open_store.close()
    await spoil(copy)
    with pytest.raises(CopyRefused, match=why):
        await restore(url(file), copy, NOON)
    assert await read(file) == before
    assert [name for name in names(file.parent) if "incoming" in name or "replaced" in name] == []


def of_version(file: Path, version: str) -> None:
    """A store as that version had it, with one owner."""
    from sqlalchemy import create_engine

    engine = create_engine(url(file))
    with engine.begin() as connection:
        migrations.upgrade(connection, version)
        connection.execute(text("INSERT INTO owner (person, last_ref) VALUES ('kept', 0)"))
    engine.dispose()


async def test_a_store_is_copied_before_a_newer_program_changes_its_form(file: Path):
    of_version(file, "0001")
    copies_of(file).mkdir()
    older, daily = copies_of(file) / "before-0000.db", copies_of(file) / "2026-11-29.db"
    for each in (older, daily):
        each.write_bytes(b"")
    for _ in range(2):  # the second start changes nothing any more
        database = Database(url(file))
        await database.start()
        await database.close()

    copy = copies_of(file) / f"before-{migrations.head()}.db"
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        assert connection.execute("SELECT person FROM owner").fetchall() == [("kept",)]
    assert names(copies_of(file)) == [daily.name, copy.name], "a day's copy is none of an upgrade"


async def test_without_room_for_a_copy_the_store_is_changed_all_the_same(file: Path, monkeypatch, caplog):
    of_version(file, "0001")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 9, 1))
    database = Database(url(file))
    await database.start()
    assert await database.read(migrations.current) == migrations.head()
    await database.close()
    assert "no copy was made of the store" in caplog.text


async def test_a_new_store_is_copied_from_nothing(file: Path):
    database = Database(url(file))
    await database.start()
    await database.close()
    assert not copies_of(file).exists()


async def test_an_older_copy_is_brought_up_to_date_at_the_next_start(open_store, file: Path):
    old = file.with_name("old.db")
    of_version(old, "0001")
    await open_store.close()
    await restore(url(file), old, NOON)
    database = Database(url(file))
    await database.start()
    assert await database.read(lambda c: c.execute(text("SELECT person FROM owner")).scalars().all()) == ["kept"]
    await database.close()


async def test_a_store_that_is_gone_is_restored_to_its_place(open_store, file: Path):
    await backup(url(file), copy := file.with_name("copy.db"))
    await restore(url(file.parent / "new" / "secretary.db"), copy, NOON)
    assert await read(file.parent / "new" / "secretary.db") == await contents(open_store)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files away")
async def test_what_root_restores_belongs_to_whom_the_store_belonged(open_store, file: Path):
    await backup(url(file), copy := file.with_name("copy.db"))
    await open_store.close()
    os.chown(file, 65534, 65534)
    file.chmod(0o640)
    await restore(url(file), copy, NOON)
    for each in (file, file.with_name("secretary.db.lock")):
        assert each.stat().st_uid == 65534
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
