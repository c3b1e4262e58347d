"""A PostgreSQL that is restarted, silent, gone, or may not be written: nothing acknowledged is lost, nobody hangs."""

# ruff: noqa: ASYNC110, ASYNC240 - what is waited for happens in another process; /proc is no disk

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import exc, text

from bot.sql.inbox import SqlInbox
from tests.fakes import NOON
from tests.storage.lived_in import MEI, draft, message, told
from tests.storage.own_postgres import OwnPostgres, own_postgres, wire_to
from tools.database import Database
from tools.database.trouble import DatabaseUnavailable
from tools.record import CallKey
from tools.sql.memory import SqlMemory


@pytest.fixture(scope="module")
def server() -> Iterator[OwnPostgres]:
    with own_postgres() as started:
        yield started


@pytest.fixture
async def store(server: OwnPostgres) -> AsyncIterator[Database]:
    database = Database(server.url)
    await database.start()
    yield database
    await database.close()


async def heard(database: Database) -> set[str]:
    return await database.read(lambda c: set(c.execute(text("SELECT id FROM inbox")).scalars()))


async def test_a_restart_under_load_loses_nothing_and_the_bot_goes_on_by_itself(server: OwnPostgres, store: Database):
    inbox, memory = SqlInbox(store, lambda: NOON), SqlMemory(store, MEI, lambda: NOON)
    acknowledged, refused, over = set(), Counter(), asyncio.Event()

    async def load(first: int) -> None:
        for number in range(first, 1_000_000, 8):
            if over.is_set():
                return
            try:
                await inbox.put([message(number)])
                acknowledged.add(message(number).id)
                await memory.record(draft(number), CallKey(message(number).id, 0), told)
            except DatabaseUnavailable as trouble:
                refused[trouble.reason] += 1
                await asyncio.sleep(0.05)

    loads = [asyncio.create_task(load(first)) for first in range(8)]
    for how in ("fast", "immediate"):
        await asyncio.sleep(0.5)
        before = len(acknowledged)
        await asyncio.to_thread(server.stop, how)
        await asyncio.sleep(0.2)
        with pytest.raises(DatabaseUnavailable) as told_:
            await store.probe()
        assert told_.value.reason == "unreachable"
        await asyncio.to_thread(server.start)
        async with asyncio.timeout(10):
            while len(acknowledged) < before + 50:
                await asyncio.sleep(0.02)
    over.set()
    await asyncio.gather(*loads)
    assert acknowledged - await heard(store) == set()
    assert set(refused) == {"unreachable"}
    doubled = "SELECT turn FROM change GROUP BY turn HAVING count(*) > 1"
    assert await store.read(lambda c: c.execute(text(doubled)).scalars().all()) == []
    assert store.trouble is None


async def test_while_a_server_is_silent_callers_are_told_in_time_and_its_threads_come_free(server: OwnPostgres):
    async with wire_to(server) as (wire, url):
        database = Database(url, busy_seconds=0.7)
        await database.start()
        inbox = SqlInbox(database, lambda: NOON)
        await inbox.put([message(1_000_001)])
        wire.open.clear()
        began = time.monotonic()
        puts = [inbox.put([message(1_000_002 + number)]) for number in range(12)]
        reads = [heard(database) for _ in range(8)]
        outcomes = await asyncio.gather(*puts, *reads, return_exceptions=True)
        assert time.monotonic() - began < 20
        assert {getattr(each, "reason", each) for each in outcomes} <= {"slow", "unreachable"}
        assert database.trouble in {"slow", "unreachable"}
        wire.open.set()
        async with asyncio.timeout(20):
            while database.trouble:
                try:
                    await database.probe()
                except DatabaseUnavailable:
                    await asyncio.sleep(0.05)
        await inbox.put([message(1_000_100)])
        assert {message(1_000_001).id, message(1_000_100).id} <= await heard(database)
        await database.close()


async def test_closing_does_not_wait_for_a_server_that_is_silent(server: OwnPostgres):
    async with wire_to(server) as (wire, url):
        database = Database(url)
        await database.start()
        await database.probe()
        wire.open.clear()
        hanging = asyncio.create_task(database.probe())
        await asyncio.sleep(0.2)
        began = time.monotonic()
        await database.close()
        assert time.monotonic() - began < 15
        with pytest.raises(DatabaseUnavailable):
            await hanging


async def test_an_address_where_somebody_listens_and_never_answers_is_given_up():
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    database = Database(f"postgresql://postgres@127.0.0.1:{port}/postgres?connect_timeout=2")
    began = time.monotonic()
    with pytest.raises(DatabaseUnavailable) as told_:
        await database.start()
    assert told_.value.reason == "unreachable"
    assert time.monotonic() - began < 20
    await database.close()
    listening.close()


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("25006", "read-only"),
        ("53100", "full"),
        ("58030", "failing"),
        ("55P03", "locked"),
        ("40P01", "locked"),
        ("57014", "slow"),
        ("XX001", "damaged"),
        ("57P01", "unreachable"),
        ("53300", "unreachable"),
    ],
)
async def test_what_the_server_says_of_itself_is_told_in_one_word(store: Database, state: str, reason: str):
    raised = f"DO $$ BEGIN RAISE EXCEPTION 'trouble' USING ERRCODE = '{state}'; END $$"
    with pytest.raises(DatabaseUnavailable, match="trouble") as told_:
        await store.write(lambda c: c.exec_driver_sql(raised))
    assert told_.value.reason == store.trouble == reason


async def test_what_is_a_mistake_of_the_caller_is_no_trouble_of_the_store(store: Database):
    for state in ("P0001", "23514", "22012"):
        raised = f"DO $$ BEGIN RAISE EXCEPTION 'mistake' USING ERRCODE = '{state}'; END $$"
        with pytest.raises(exc.DBAPIError, match="mistake"):
            await store.write(lambda c, raised=raised: c.exec_driver_sql(raised))
    assert store.trouble is None


async def test_every_connection_has_limits_of_its_own_and_a_migration_has_none(store: Database):
    limits = {"statement_timeout": "30s", "idle_in_transaction_session_timeout": "10s"}
    for name, limit in limits.items():
        assert await store.read(lambda c, name=name: c.execute(text(f"SHOW {name}")).scalar_one()) == limit


def cut_everybody_off(url: str) -> None:
    """The server ends every other connection, and has ended it when this returns."""
    others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'postgres'"
    with psycopg.connect(url, autocommit=True) as connection:
        cut = connection.execute(f"SELECT count(pg_terminate_backend(pid)) {others}").fetchone()
        assert cut is not None
        assert cut[0] >= 3
        while connection.execute(f"SELECT 1 {others}").fetchone():
            time.sleep(0.02)


async def test_a_connection_that_was_cut_while_it_lay_idle_is_not_noticed_by_anybody(
    server: OwnPostgres, store: Database
):
    await asyncio.gather(*(store.probe() for _ in range(8)), *(heard(store) for _ in range(8)))
    await asyncio.to_thread(cut_everybody_off, server.url)
    await asyncio.gather(*(store.probe() for _ in range(8)), *(heard(store) for _ in range(8)))
    assert store.trouble is None


async def test_nothing_stays_open_after_troubles(server: OwnPostgres):
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    database = Database(server.url)
    await database.start()
    for _ in range(3):
        await asyncio.to_thread(server.stop, "fast")
        outcomes = await asyncio.gather(*(database.probe() for _ in range(8)), return_exceptions=True)
        assert {getattr(each, "reason", each) for each in outcomes} == {"unreachable"}
        await asyncio.to_thread(server.start)
        await asyncio.gather(*(database.probe() for _ in range(8)))
    await database.close()
    assert len(list(Path("/proc/self/fd").iterdir())) <= descriptors
    assert [each.name for each in threading.enumerate() if each.name.startswith("database-")] == []
