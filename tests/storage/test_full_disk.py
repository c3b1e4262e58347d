"""A store on a disk that is full, or may not be written: it says so, is read all the same, and goes on with room."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.sql.inbox import SqlInbox
from tests.fakes import NOON
from tests.storage.lived_in import MEI, contents, draft, live_in, message, told
from tests.storage.test_copies import names
from tools.database import Database, sqlite_file
from tools.database.sqlite_backup import backup, restore
from tools.database.sqlite_copies import copy_of_today
from tools.database.sqlite_files import copies_of
from tools.database.trouble import CopyRefused, DatabaseUnavailable
from tools.record import CallKey
from tools.sql.memory import SqlMemory


def mounted(*arguments: str) -> bool:
    done = subprocess.run(["mount", *arguments], capture_output=True, check=False)
    return done.returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if not shutil.which("mount") or not mounted("-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)):
        pytest.skip("no disk may be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@contextmanager
def full(disk: Path) -> Iterator[None]:
    """Something else takes all the room."""
    stuff = disk / "stuff"
    with stuff.open("wb", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    yield
    stuff.unlink()


async def test_on_a_full_disk_nothing_is_acknowledged_everything_is_read_and_work_goes_on_with_room(small_disk: Path):
    database = Database(f"sqlite:///{small_disk / 'secretary.db'}")
    await database.start()
    await live_in(database, 5)
    inbox = SqlInbox(database, lambda: NOON)
    with full(small_disk):
        stored, refused = [], []
        for number in range(100, 400):
            try:
                await inbox.put([message(number, text="長" * 3000)])
                stored.append(number)
            except DatabaseUnavailable as trouble:
                refused.append(trouble.reason)
        assert set(refused) == {"full"}
        assert len(refused) > 200
        assert database.trouble == "full"
        with pytest.raises(DatabaseUnavailable) as told_:
            await database.probe()
        assert told_.value.reason == "full"
        rows = await contents(database)
        assert {f"event-{number:05}" for number in stored} <= {row[0] for row in rows["inbox"]}
    await database.probe()
    assert database.trouble is None
    await inbox.put([message(500)])
    await SqlMemory(database, MEI, lambda: NOON).record(draft(1), CallKey("later", 0), told)
    await database.close()


async def start_and_write(database: Database) -> None:
    await database.start()
    await database.probe()


async def test_a_bot_that_starts_on_a_full_disk_says_that_it_is_full(small_disk: Path):
    file = small_disk / "secretary.db"
    database = Database(f"sqlite:///{file}")
    await database.start()
    await live_in(database, 5)
    before = await contents(database)
    await database.close()
    with full(small_disk):
        database = Database(f"sqlite:///{file}")
        with pytest.raises(DatabaseUnavailable) as told_:
            await start_and_write(database)
        assert told_.value.reason == "full"
        await database.close()
    database = Database(f"sqlite:///{file}")
    await database.start()
    assert await contents(database) == before
    await database.close()


async def test_copies_do_not_fill_the_disk_and_one_that_finds_no_room_leaves_nothing(small_disk: Path, tmp_path: Path):
    file = small_disk / "secretary.db"
    database = Database(f"sqlite:///{file}")
    await database.start()
    await live_in(database, 5)
    before = await contents(database)
    await backup(f"sqlite:///{file}", tmp_path / "elsewhere.db")
    with full(small_disk):
        with pytest.raises(CopyRefused, match=r"has room for 0\.0 MB"):
            await copy_of_today(file, NOON.date())
        with pytest.raises((CopyRefused, DatabaseUnavailable)):
            await backup(f"sqlite:///{file}", small_disk / "backup.db")
        assert names(copies_of(file)) == []
        assert await contents(database) == before
        await database.close()
        with pytest.raises((CopyRefused, DatabaseUnavailable)):
            await restore(f"sqlite:///{file}", tmp_path / "elsewhere.db", NOON)
    assert [each for each in names(small_disk) if each.startswith(".") or "replaced" in each] == []
    database = Database(f"sqlite:///{file}")
    await database.start()
    assert await contents(database) == before
    await database.close()


# ── what may not be written ───────────────────────────────────────────────────────────────────────────────────────


async def refusal(file: Path) -> DatabaseUnavailable:
    database = Database(f"sqlite:///{file}")
    with pytest.raises(DatabaseUnavailable) as told_:
        await database.start()
    await database.close()
    return told_.value


async def test_a_read_only_disk_is_named(small_disk: Path):
    file = small_disk / "secretary.db"
    database = Database(f"sqlite:///{file}")
    await database.start()
    await database.close()
    assert mounted("-o", "remount,ro", str(small_disk))
    refused = await refusal(file)
    assert refused.reason == "read-only"
    assert str(refused).startswith(f"{file} cannot be written (Read-only file system): set DATABASE_URL to")


async def test_a_folder_a_pipe_and_a_link_to_nowhere_are_no_store(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name, said in (("", "is a folder"), ("pipe", "is no file")):
        refused = await refusal(tmp_path / name)
        assert said in str(refused)
        assert refused.reason == "misconfigured"
    with pytest.raises(DatabaseUnavailable, match="a link that leads nowhere"):
        Database(f"sqlite:///{tmp_path / 'loop'}")


async def test_a_link_is_followed_and_what_belongs_to_the_store_stands_beside_the_store(tmp_path: Path):
    (tmp_path / "volume").mkdir()
    link = tmp_path / "secretary.db"
    link.symlink_to(tmp_path / "volume" / "bot.db")
    database = Database(f"sqlite:///{link}")
    await database.start()
    await live_in(database, 3)
    file = sqlite_file(f"sqlite:///{link}")
    assert file is not None
    await copy_of_today(file, NOON.date())
    assert names(tmp_path / "volume") == ["bot.db", "bot.db-copies", "bot.db-shm", "bot.db-wal"]
    assert names(tmp_path) == ["secretary.db", "volume"]
    await database.close()


async def test_an_empty_file_is_a_new_store(tmp_path: Path):
    file = tmp_path / "secretary.db"
    file.touch()
    database = Database(f"sqlite:///{file}")
    await database.start()
    await live_in(database, 3)
    await database.close()


AS_NOBODY = """
import asyncio, os, sys
from tools.database import Database, sqlite_file
from tools.database.trouble import DatabaseUnavailable
import concurrent.futures.thread, sqlalchemy.dialects.sqlite.pysqlite

async def main():
    database = Database(sys.argv[1])
    os.setuid(65534)
    try:
        await database.start()
    except DatabaseUnavailable as refused:
        print(refused.reason, refused)
    await database.close()

asyncio.run(main())
"""


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("taken", ["file", "folder"])
def test_what_belongs_to_somebody_else_is_named(tmp_path: Path, taken: str):
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    try:
        file = folder / "secretary.db"
        file.touch(0o666)
        folder.chmod(0o777 if taken == "file" else 0o755)
        file.chmod(0o600 if taken == "file" else 0o666)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, f"sqlite:///{file}"],
            cwd=Path(__file__).resolve().parent.parent.parent,
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        shutil.rmtree(folder)
    named = file if taken == "file" else folder
    assert done.stdout.startswith(f"read-only {named} cannot be written"), done.stdout + done.stderr
