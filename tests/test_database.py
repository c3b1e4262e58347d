"""The database: transactions on threads, what survives, what is refused, and the schema's way to its newest version."""

# ruff: noqa: ASYNC240 - a test may make its loop wait for a small file

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import logging
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, exc, inspect, text

from tools import migrations
from tools.database import Database, DatabaseUnavailable, insert_new, metadata, sqlite_file
from tools.sql.record import OWNER

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "secretary.db"


@pytest.fixture
async def database(file: Path) -> AsyncIterator[Database]:
    each = Database(f"sqlite:///{file}")
    await each.start()
    yield each
    await each.close()


def put(person: str):
    return lambda connection: insert_new(connection, OWNER, {"person": person, "last_ref": 0})


def persons(connection: Connection) -> list[str]:
    return list(connection.execute(text("SELECT person FROM owner ORDER BY no")).scalars())


def ask(pragma: str):
    return lambda connection: connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one()


# ── opening ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_new_file_is_made_with_its_folder_and_readable_by_its_owner_alone(database: Database, file: Path):
    await database.write(put("a"))
    modes = {each.name: each.stat().st_mode & 0o777 for each in file.parent.iterdir()}
    assert modes["secretary.db"] == modes["secretary.db-wal"] == 0o600


async def test_the_mode_of_a_file_that_is_there_is_left_alone(file: Path):
    file.parent.mkdir()
    file.touch(0o640)
    file.chmod(0o640)
    database = Database(f"sqlite:///{file}")
    await database.start()
    await database.close()
    assert file.stat().st_mode & 0o777 == 0o640


async def test_nothing_is_opened_before_the_start(file: Path):
    database = Database(f"sqlite:///{file}")
    assert not file.parent.exists()
    with pytest.raises(DatabaseUnavailable, match="not open"):
        await database.write(put("a"))
    await database.close()


async def test_a_database_in_memory_is_one_and_the_same_for_reading_and_writing():
    database = Database("sqlite://")
    await database.start()
    await database.write(put("a"))
    assert await asyncio.gather(*(database.read(persons) for _ in range(5))) == [["a"]] * 5
    await database.close()


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:////var/lib/secretary.db", Path("/var/lib/secretary.db")),
        ("sqlite:///secretary.db", Path.cwd() / "secretary.db"),
        ("sqlite://", None),
        ("sqlite:///:memory:", None),
        ("postgres://user@host/name", None),
    ],
)
def test_the_file_behind_a_url(url: str, path: Path | None):
    assert sqlite_file(url) == path


@pytest.mark.parametrize("url", ["", "secretary.db", "mysql://host/name", "sqlite+aiosqlite:///x.db", "http://[x"])
def test_an_address_of_no_known_store_is_refused_in_words(url: str):
    with pytest.raises(DatabaseUnavailable, match="sqlite:///"):
        Database(url)


@pytest.mark.skipif(importlib.util.find_spec("psycopg") is not None, reason="the driver is installed")
@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
async def test_without_the_driver_of_postgresql_the_extra_is_named(scheme: str):
    database = Database(f"{scheme}://user:pass@127.0.0.1:1/name")
    with pytest.raises(DatabaseUnavailable, match="`postgres` extra"):
        await database.start()
    await database.close()


@pytest.mark.skipif(importlib.util.find_spec("psycopg") is None, reason="needs the postgres extra")
async def test_a_postgresql_that_does_not_answer_is_unavailable():
    database = Database("postgres://user:pass@127.0.0.1:1/name")
    with pytest.raises(DatabaseUnavailable):
        await database.start()
    await database.close()


async def test_what_is_no_database_is_refused_and_left_as_it_was(file: Path):
    file.parent.mkdir()
    file.write_text("a letter to my mother, not a database " * 100)
    before = file.read_bytes()
    database = Database(f"sqlite:///{file}")
    with pytest.raises(DatabaseUnavailable, match="not a database"):
        await database.start()
    await database.close()
    assert file.read_bytes() == before


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").touch()
    database = Database(f"sqlite:///{tmp_path}/file/secretary.db")
    with pytest.raises(DatabaseUnavailable, match=r"secretary\.db"):
        await database.start()
    await database.close()


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_row_with_a_known_key_is_not_inserted_again(database: Database):
    assert [await database.write(put("a")) for _ in range(2)] == [True, False]


async def test_work_that_raises_leaves_nothing(database: Database):
    def fails(connection: Connection) -> None:
        put("a")(connection)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await database.write(fails)
    assert await database.read(persons) == []
    await database.write(put("b"))
    assert await database.read(persons) == ["b"]


async def test_writes_that_come_at_once_are_all_done_in_turn(database: Database):
    await asyncio.gather(*(database.write(put(f"{number}"), durable=False) for number in range(50)))
    assert await database.read(persons) == [f"{number}" for number in range(50)]


async def test_a_durable_commit_is_pressed_onto_the_disk_and_others_are_not(database: Database):
    levels = [await database.write(ask("synchronous"), durable=durable) for durable in (True, False, False, True)]
    assert levels == [2, 1, 1, 2]
    assert await database.read(ask("journal_mode")) == "wal"
    assert await database.write(ask("foreign_keys")) == 1


async def test_a_write_that_waits_for_its_turn_is_done_although_its_caller_was_cancelled(database: Database):
    gate = threading.Event()
    first = asyncio.create_task(database.write(lambda _: gate.wait(10)))
    second = asyncio.create_task(database.write(put("a")))
    await asyncio.sleep(0)
    for task in (first, second):
        task.cancel()
    done = await asyncio.gather(first, second, return_exceptions=True)
    assert [type(each) for each in done] == [asyncio.CancelledError] * 2
    gate.set()
    await database.write(put("b"))
    assert await database.read(persons) == ["a", "b"]


async def test_a_write_that_fails_after_its_caller_was_cancelled_is_logged(
    database: Database, caplog: pytest.LogCaptureFixture
):
    gate = threading.Event()

    def fails(_connection: Connection) -> None:
        gate.wait(10)
        raise ZeroDivisionError

    caller = asyncio.create_task(database.write(fails))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    with caplog.at_level(logging.ERROR):
        gate.set()
        await database.write(put("a"))
        await asyncio.sleep(0)
    assert "after its caller had been cancelled" in caplog.text


async def test_reading_goes_on_beside_a_write_and_sees_what_is_committed(database: Database):
    written, gate = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        put("a")(connection)
        written.set()
        gate.wait(10)

    writing = asyncio.create_task(database.write(slow))
    await asyncio.to_thread(written.wait, 10)
    assert await database.read(persons) == []
    gate.set()
    await writing
    assert await database.read(persons) == ["a"]


async def test_closing_waits_for_what_is_under_way_and_nothing_may_be_asked_afterwards(file: Path):
    database = Database(f"sqlite:///{file}")
    await database.start()
    writing = [asyncio.create_task(database.write(put(f"{number}"))) for number in range(10)]
    await asyncio.sleep(0)
    await database.close()
    assert await asyncio.gather(*writing) == [True] * 10
    for ask_ in (database.read(persons), database.write(put("late"))):
        with pytest.raises(DatabaseUnavailable, match="closed"):
            await ask_
    assert sorted(each.name for each in file.parent.iterdir()) == ["secretary.db"]


# ── trouble ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_store_that_another_process_holds_is_unavailable_and_usable_afterwards(file: Path):
    database = Database(f"sqlite:///{file}", busy_seconds=0.3)
    await database.start()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseUnavailable, match="locked") as told:
        await database.write(put("a"))
    assert told.value.reason == database.trouble == "locked"
    assert await database.read(persons) == []
    other.execute("ROLLBACK")
    other.close()
    assert await database.write(put("a"))
    await database.close()


async def test_a_full_disk_is_unavailable_and_what_was_stored_can_still_be_read(database: Database):
    await database.write(put("a"))

    def fill(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={ask('page_count')(connection)}")
        for number in range(10_000):
            put(f"{number:064}")(connection)

    with pytest.raises(DatabaseUnavailable, match="full") as told:
        await database.write(fill)
    assert told.value.reason == database.trouble == "full"
    assert await database.read(persons) == ["a"]


async def test_a_read_only_store_is_unavailable_for_writing(database: Database):
    await database.write(lambda c: c.exec_driver_sql("PRAGMA query_only=1"))
    with pytest.raises(DatabaseUnavailable, match="readonly") as told:
        await database.probe()
    assert told.value.reason == database.trouble == "read-only"


async def test_a_probe_writes_and_changes_nothing(database: Database, file: Path):
    before = file.with_name("secretary.db-wal").stat().st_size
    await database.probe()
    assert file.with_name("secretary.db-wal").stat().st_size > before
    assert database.trouble is None
    assert await database.read(migrations.current) == migrations.head()


async def test_a_broken_constraint_is_not_taken_for_trouble_of_the_store(database: Database):
    with pytest.raises(exc.IntegrityError):
        await database.write(lambda c: c.execute(text("INSERT INTO owner (person) VALUES ('a')")))


# ── surviving ─────────────────────────────────────────────────────────────────────────────────────────────────────

KILLED = """
import asyncio, os, signal, sys
from tools.database import Database, insert_new
from tools.sql.record import OWNER

async def main():
    database = Database(sys.argv[1])
    await database.start()
    print("alembic" in sys.modules, flush=True)
    await database.write(lambda c: insert_new(c, OWNER, {"person": "kept", "last_ref": 0}), durable=False)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_a_commit_survives_the_sudden_end_of_the_process_and_an_up_to_date_start_loads_no_alembic(file: Path):
    database = Database(f"sqlite:///{file}")
    await database.start()
    await database.close()
    ended = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", KILLED, f"sqlite:///{file}"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (-9, "False", "")
    database = Database(f"sqlite:///{file}")
    await database.start()
    assert await database.read(persons) == ["kept"]
    await database.close()


# ── the schema ────────────────────────────────────────────────────────────────────────────────────────────────────


def every_table_is_loaded() -> None:
    """Tables are put on the one metadata by the modules that use them, wherever these are."""
    for folder in ("bot", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            if "import" in (source := path.read_text()) and "metadata" in source and "migrations" not in path.parts:
                importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


async def test_the_migrated_schema_is_the_one_the_code_works_with(database: Database):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    every_table_is_loaded()
    differences = await database.read(lambda c: compare_metadata(MigrationContext.configure(c), metadata))
    assert differences == []


async def test_processes_that_start_at_once_on_a_new_store_do_not_collide(file: Path):
    databases = [Database(f"sqlite:///{file}") for _ in range(4)]
    await asyncio.gather(*(each.start() for each in databases))
    for each in databases:
        assert await each.read(migrations.current) == migrations.head()
        await each.close()


async def test_an_older_store_is_brought_up_to_date_and_keeps_what_is_in_it(file: Path):
    file.parent.mkdir()
    from sqlalchemy import create_engine

    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        migrations.upgrade(connection, "0001")
        put("kept")(connection)
    engine.dispose()
    database = Database(f"sqlite:///{file}")
    await database.start()
    assert await database.read(migrations.current) == migrations.head()
    assert await database.read(persons) == ["kept"]
    await database.close()


async def test_a_store_of_a_newer_program_is_refused_and_left_alone(file: Path):
    database = Database(f"sqlite:///{file}")
    await database.start()
    await database.write(lambda c: c.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    await database.close()
    database = Database(f"sqlite:///{file}")
    with pytest.raises(DatabaseUnavailable, match=f"9999.*{migrations.head()}.*update the program"):
        await database.start()
    await database.close()


async def test_a_schema_that_fails_half_way_leaves_the_store_as_it_was(database: Database):
    def fails(connection: Connection) -> None:
        for table in inspect(connection).get_table_names():
            connection.execute(text(f'DROP TABLE "{table}"'))
        migrations.upgrade(connection)
        put("lost")(connection)
        raise ZeroDivisionError

    await database.write(put("kept"))
    with pytest.raises(ZeroDivisionError):
        await database.write(fails)
    assert await database.read(persons) == ["kept"]


def test_versions_are_numbered_in_one_line():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(migrations.FOLDER))
    scripts = list(ScriptDirectory.from_config(config).walk_revisions())
    assert [each.revision for each in reversed(scripts)] == [f"{number:04}" for number in range(1, len(scripts) + 1)]
    assert all(Path(each.path).name.startswith(f"{each.revision}_") for each in scripts)
    assert scripts[0].revision == migrations.head()
