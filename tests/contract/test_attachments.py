"""Attachments on both stores: kept once, held by records, shown by a link, and gone when nobody holds them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256

import pytest
from sqlalchemy import func, select

from bot.sql.housekeeping import SqlHousekeeping
from tests.fakes import ANNA, BEN, Calendar
from tests.shots import PDF, photo
from tools.attachment import Attachment, Fetched
from tools.database import Database
from tools.record import CallKey, Draft, PersonId, Record
from tools.sql.attachments import ATTACHED, ATTACHMENT, FETCHED, MEDIA_LINK, SqlAttachments, SqlLinks
from tools.sql.memory import SqlMemory

PHOTO = photo()


@pytest.fixture
async def store(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    await database.start()
    yield database
    await database.close()


@pytest.fixture
def clock() -> Calendar:
    return Calendar()


@pytest.fixture
def mine(store: Database, clock: Calendar) -> SqlAttachments:
    return SqlAttachments(store, PersonId(ANNA), clock)


@pytest.fixture
def theirs(store: Database, clock: Calendar) -> SqlAttachments:
    return SqlAttachments(store, PersonId(BEN), clock)


@pytest.fixture
def memory(store: Database, clock: Calendar) -> SqlMemory:
    return SqlMemory(store, PersonId(ANNA), clock)


async def a_record(memory: SqlMemory, number: int = 1) -> Record:
    change = await memory.record(Draft(content="收據", type="note"), CallKey("t", number), lambda _: {})
    return change.record


async def a_photo(attachments: SqlAttachments, message: str = "1") -> Attachment:
    kept = (await attachments.keep(message, "", PHOTO)).attachment
    assert kept
    return kept


async def count(store: Database, table=ATTACHMENT) -> int:
    return await store.read(lambda c: c.execute(select(func.count()).select_from(table)).scalar_one())


async def test_what_was_kept_is_found_by_its_message_and_by_its_digest(mine: SqlAttachments):
    assert await mine.fetched("1") is None
    kept = await mine.keep("1", "合約.pdf", PDF)
    digest = sha256(PDF).hexdigest()
    assert kept == Fetched(Attachment(digest, "application/pdf", len(PDF), "合約.pdf"))
    assert await mine.fetched("1") == kept
    assert await mine.content(digest) == PDF
    await mine.note_heard("1", "words\0")
    assert (await mine.fetched("1")).heard == "words"


async def test_the_same_bytes_are_stored_once_for_each_owner(store, mine, theirs):
    first, again = await a_photo(mine, "1"), await a_photo(mine, "2")
    assert first == again
    assert await theirs.content(first.digest) is None
    await a_photo(theirs, "1")
    assert await count(store) == 2


async def test_a_failure_is_remembered_and_a_later_success_does_not_cover_it(mine: SqlAttachments):
    failed = await mine.note_failure("1", "gone")
    assert failed == Fetched(None, "gone") == await mine.fetched("1")
    await mine.keep("1", "", PHOTO)
    assert await mine.fetched("1") == failed


async def test_a_record_holds_what_it_was_made_of_in_order_and_holding_it_again_does_nothing(mine, memory):
    record = await a_record(memory)
    first = await a_photo(mine, "1")
    second = (await mine.keep("2", "b.pdf", PDF)).attachment
    for _ in range(2):
        await mine.attach(record.id, [first, second])
    held = await mine.held(record.ref)
    assert [(each.record.id, each.attachment) for each in held] == [(record.id, first), (record.id, second)]
    assert await mine.held(99) == []


async def test_nobody_holds_or_sees_what_is_anothers(mine, theirs, memory):
    record, kept = await a_record(memory), await a_photo(mine)
    await theirs.keep("1", "", PHOTO)
    await theirs.attach(record.id, [kept])
    assert await mine.held() == []
    await mine.attach(record.id, [kept])
    assert await theirs.held() == await theirs.held(record.ref) == []


async def test_without_a_number_the_newest_come_first(mine, memory, clock):
    kept = await a_photo(mine)
    for number in (1, 2, 3):
        clock.move(seconds=1)
        await mine.attach((await a_record(memory, number)).id, [kept])
    assert [each.record.ref for each in await mine.held(limit=2)] == [3, 2]


async def test_a_link_shows_it_for_a_week_and_only_while_its_record_lives(store, mine, memory, clock):
    record = await a_record(memory)
    await mine.attach(record.id, [await a_photo(mine)])
    [held] = await mine.held()
    links = SqlLinks(store, clock)
    secret = await mine.link(held)
    assert secret != await mine.link(held)
    assert (await links.shown(secret)).content == PHOTO
    assert await links.shown("no such secret") is None
    rows = await store.read(lambda c: c.execute(select(MEDIA_LINK.c.secret)).scalars().all())
    assert secret not in rows

    await memory.remove([record.ref], CallKey("t", 8), lambda _: {})
    assert await links.shown(secret) is None
    await memory.undo(CallKey("t", 9))
    assert (await links.shown(secret)).attachment == held.attachment
    clock.move(days=7)
    assert await links.shown(secret) is None


async def test_what_is_taken_back_goes_from_the_record_that_was_made_of_it_too(store, mine, memory):
    kept = await a_photo(mine, "1")
    await mine.drop("1")
    assert await mine.fetched("1") == Fetched(None, "gone")
    assert await count(store) == 0

    await a_photo(mine, "2")
    await mine.attach((await a_record(memory)).id, [kept])
    await mine.drop("2")
    assert (await mine.held(), await count(store), await count(store, ATTACHED)) == ([], 0, 0)
    await mine.drop("never fetched")
    assert await mine.fetched("never fetched") == Fetched(None, "gone")


async def test_what_is_taken_back_stays_where_it_came_with_another_message_or_was_held_before(mine, memory, clock):
    first, second = await a_record(memory, 1), await a_record(memory, 2)
    await mine.attach(first.id, [await a_photo(mine, "1")])
    clock.move(seconds=1)
    await mine.attach(second.id, [await a_photo(mine, "2")])
    await mine.drop("2")
    assert [each.record.ref for each in await mine.held()] == [second.ref, first.ref]

    await mine.attach(second.id, [])
    clock.move(seconds=1)
    third = await a_record(memory, 3)
    await mine.attach(third.id, [await a_photo(mine, "3")])
    await mine.drop("1")
    clock.move(seconds=1)
    await mine.drop("3")
    assert [each.record.ref for each in await mine.held()] == [second.ref, first.ref]


async def test_pictures_alone_are_found_among_other_things(mine, memory, clock):
    await mine.attach((await a_record(memory, 1)).id, [await a_photo(mine)])
    clock.move(seconds=1)
    paper = (await mine.keep("9", "a.pdf", b"%PDF-1.7")).attachment
    newer = await a_record(memory, 2)
    await mine.attach(newer.id, [paper])
    assert [each.record.ref for each in await mine.held()] == [2, 1]
    assert [each.record.ref for each in await mine.held(pictures=True)] == [1]
    assert await mine.held(newer.ref, pictures=True) == []


async def test_what_was_taken_back_while_it_was_under_way_is_not_kept(store, mine):
    await mine.drop("1")
    assert await mine.keep("1", "", PHOTO) == Fetched(None, "gone")
    assert await count(store) == 0


async def test_what_no_record_holds_goes_after_a_week_and_a_deleted_records_after_a_month(store, mine, memory, clock):
    house = SqlHousekeeping(store, clock, 30, batch=2, pause_seconds=0)
    record = await a_record(memory)
    await mine.attach(record.id, [await a_photo(mine, "1")])
    await mine.link((await mine.held())[0])
    for number in range(5):
        await mine.keep(f"unheld {number}", "", bytes([number]))
    clock.move(days=7)
    assert (await house.clean()).attachments == 0
    clock.move(seconds=1)
    assert (await house.clean()).attachments == 5
    assert await count(store, MEDIA_LINK) == 0
    assert await count(store) == 1
    assert await mine.fetched("unheld 1") == Fetched(None, "gone")

    clock.move(days=400)
    await memory.remove([record.ref], CallKey("t", 9), lambda _: {})
    assert (await house.clean()).attachments == 0
    clock.move(days=32)
    assert (await house.clean()).attachments == 1
    assert [await count(store, table) for table in (ATTACHMENT, ATTACHED, FETCHED)] == [0, 0, 0]


async def test_many_at_once_are_kept_and_held_without_waiting_for_each_other(mine, memory):
    record = await a_record(memory)
    kept = await asyncio.gather(*(mine.keep(str(number), "", bytes([number]) * 100_000) for number in range(8)))
    await asyncio.gather(*(mine.attach(record.id, [each.attachment]) for each in kept if each.attachment))
    assert len(await mine.held(record.ref, limit=20)) == 8
