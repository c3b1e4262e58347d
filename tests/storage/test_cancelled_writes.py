"""Hundreds of writes whose callers went away at any moment: each is wholly stored, or not at all."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from bot.sql.inbox import SqlInbox
from tests.fakes import NOON
from tests.storage.lived_in import MEI, draft, message, told
from tests.thorough import THOROUGH
from tools.database import READERS, Database
from tools.record import CallKey
from tools.sql.memory import SqlMemory

MANY = 400 if THOROUGH else 160

WAVE = 40


@pytest.fixture
async def store(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    await database.start()
    yield database
    await database.close()


async def cut_off(work, seconds: float, *, by_timeout: bool) -> bool:
    """Whether the work was seen to its end by somebody who does not wait for ever."""
    with suppress(TimeoutError, asyncio.CancelledError):
        if by_timeout:
            await asyncio.wait_for(work, seconds)
            return True
        task = asyncio.create_task(work)
        await asyncio.sleep(seconds)
        task.cancel()
        await task
        return True
    return False


async def cut_off_all(database: Database, works, seed: int) -> list[bool]:
    """In waves, each cut off somewhere between its beginning and what the wave before it needed."""
    chance, outcomes, pace = random.Random(seed), [], 0.1
    for first in range(0, len(works), WAVE):
        began = time.monotonic()
        wave = enumerate(works[first : first + WAVE])
        seen = (cut_off(work, chance.uniform(0, 1.5 * pace), by_timeout=n % 2 == 0) for n, work in wave)
        outcomes += await asyncio.gather(*seen)
        await database.probe()
        pace = min(time.monotonic() - began, 2 * pace)
    return outcomes


def threads_and_descriptors() -> tuple[int, int]:
    ours = [each for each in threading.enumerate() if each.name.startswith("database-")]
    return len(ours), len(list(Path("/proc/self/fd").iterdir()))


def halves(connection: Connection) -> list[str]:
    """Calls whose change, record and words are not all there."""
    return list(
        connection.execute(
            text(
                "SELECT change.turn FROM change LEFT JOIN record ON record.id = change.record_id "
                "LEFT JOIN owner ON owner.person = record.owner "
                "LEFT JOIN words ON words.ref = record.ref AND words.owner = owner.no WHERE words.ref IS NULL "
                "UNION ALL SELECT record.id FROM record LEFT JOIN change ON change.record_id = record.id "
                "WHERE change.id IS NULL"
            )
        ).scalars()
    )


async def test_every_cancelled_change_is_whole_or_absent_and_its_key_tells_which(store: Database):
    memory = SqlMemory(store, MEI, lambda: NOON)
    descriptors = threads_and_descriptors()[1]
    keys = [CallKey(f"turn-{number:04}", 0) for number in range(MANY)]
    works = [memory.record(draft(n), key, told) for n, key in enumerate(keys)]
    outcomes = await cut_off_all(store, works, 7)
    assert MANY / 40 < sum(outcomes) < MANY * 39 / 40, "no mixture: nothing is proved"
    stored = {key.turn: bool(await memory.changes(key.turn)) for key in keys}
    assert [key.turn for key, seen in zip(keys, outcomes, strict=True) if seen and not stored[key.turn]] == []
    assert await store.read(halves) == []
    again = [await memory.record(draft(n), key, told) for n, key in enumerate(keys)]
    refs = sorted(change.record.ref for change in again)
    assert refs == list(range(1, MANY + 1)), "a wish was doubled or lost"
    threads, after = threads_and_descriptors()
    assert threads <= 2 * READERS
    assert after <= descriptors + 2 * READERS * 3


async def test_every_cancelled_delivery_of_events_is_whole_or_absent(store: Database):
    inbox = SqlInbox(store, lambda: NOON)
    batches = [[message(number * 3 + part) for part in range(3)] for number in range(MANY // 2)]
    outcomes = await cut_off_all(store, [inbox.put(batch) for batch in batches], 8)
    await store.probe()
    found = await store.read(lambda c: set(c.execute(text("SELECT id FROM inbox")).scalars()))
    there = [sum(each.id in found for each in batch) for batch in batches]
    assert set(there) <= {0, 3}
    assert [n for n, (seen, count) in enumerate(zip(outcomes, there, strict=True)) if seen and count != 3] == []


async def test_nothing_stays_open_behind_cancelled_work(url: str):
    before = threads_and_descriptors()
    database = Database(url)
    await database.start()
    memory = SqlMemory(database, MEI, lambda: NOON)
    works = [memory.record(draft(n), CallKey(f"t{n}", 0), told) for n in range(WAVE)]
    works += [database.read(halves) for _ in range(WAVE)]
    await cut_off_all(database, works, 9)
    await database.close()
    assert threads_and_descriptors() == before
