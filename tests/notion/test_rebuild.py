"""A store that was lost, made anew from Notion: every record as it was, none twice, nothing sent back as new."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select

from tests.notion.house import MEMBER, OWNER, SOON, START, TAIPEI, House
from tests.notion.test_page import record
from tests.postgres.schema import schema_of_its_own
from tests.thorough import THOROUGH, WHOLE
from tools.database import Database
from tools.notion.ledger import NOTION_PAGE
from tools.notion.page import properties
from tools.notion.rebuild import Busy, Progress, Rebuild
from tools.notion.rebuilding import Rebuilding, Teller, summary
from tools.notion.returning import is_empty
from tools.notion.schema import bind, option_names
from tools.notion.show import Show
from tools.notion.trouble import NotionDown, NotionRefused
from tools.record import Mirrored, Note, PersonId, Record
from tools.sql.record import OWNER as OWNERS
from tools.sql.record import RECORD, record_of
from tools.sql.reminders import SqlReminders

GROUP = PersonId("C0123")


async def fill(house: House) -> None:
    """Records of every kind, of three owners, some edited, noted, deleted."""
    house.owners += [Mirrored(MEMBER, TAIPEI), Mirrored(GROUP, TAIPEI, {MEMBER: "小美"}, "家")]
    await house.add("買牛奶", tags=("急件", "Physics, Data"), notes=(Note(START, "兩瓶"),))
    day = date(2026, 11, 30)
    await house.add("午餐", type="expense", when=day, amount=Decimal("12.50"), currency="EUR", category="吃, 喝")
    await house.add("回診", type="event", when=datetime(2026, 12, 1, 15, tzinfo=TAIPEI), until=None)
    await house.add("長" * 900 + "\n" + "文" * 900, type="note", origin="others")
    await house.add("旅行", when=date(2026, 12, 24), until=date(2026, 12, 27), type="event")
    await house.add("提醒", remind_at=START + timedelta(days=2, seconds=7))
    await house.add(
        "晚餐", GROUP, type="expense", when=day, amount=Decimal(900), currency="TWD", author=MEMBER, payer=OWNER
    )
    await house.add("秘密", MEMBER)
    await house.revise(1, status="done")
    gone = await house.add("誤記")
    sync = house.sync()
    await sync.push(OWNER, SOON)
    await house.remove(gone)
    for owner in (OWNER, MEMBER, GROUP):
        await sync.push(owner, SOON)
    await sync.close()
    house.made.clear()
    house.notion.requests.clear()


async def records_of(database: Database) -> list[Record]:
    rows = await database.read(lambda c: c.execute(select(RECORD).where(RECORD.c.deleted_at.is_(None))).all())
    return sorted((replace(record_of(row._asdict()), id="") for row in rows), key=lambda each: (each.owner, each.ref))


@asynccontextmanager
async def lost(house: House, url: str = "sqlite://") -> AsyncIterator[House]:
    """The house after its disk was lost."""
    database = Database(url)
    await database.start()
    anew = House(database, house.client, house.notion, house.source, house.clock, owners=house.owners)
    anew.calls = 1000
    yield anew
    for each in anew.made:
        await each.close()
    await database.close()


def rebuild_of(house: House, **more: Any) -> Rebuild:
    settings: dict[str, Any] = {"now": house.now, "show": Show(redact=str), "owner": OWNER} | more
    return Rebuild(house.database, house.client, house.source, **settings)


async def test_every_record_comes_back_as_it_was_and_nothing_is_sent(house):
    await fill(house)
    before = await records_of(house.database)
    async with lost(house) as anew:
        done = await rebuild_of(anew).run()
        assert (done.back, done.rows, done.owners) == (8, 8, {OWNER: 6, MEMBER: 1, GROUP: 1})
        after = await records_of(anew.database)
        assert [replace(each, notes=()) for each in after] == [replace(each, notes=()) for each in before]
        assert [[note.text for note in each.notes] for each in after] == [
            [note.text for note in each.notes] for each in before
        ]
        house.notion.requests.clear()
        sync = anew.sync()
        for owner in (OWNER, MEMBER, GROUP):
            assert (await sync.push(owner, SOON)).waiting == 0
        assert not house.notion.asked("PATCH|POST /v1/pages")


async def test_what_is_noted_afterwards_counts_on_behind_the_highest_also_of_what_is_in_the_trash(house):
    await fill(house)
    async with lost(house) as anew:
        await rebuild_of(anew).run()
        assert await anew.add("neu") == 8  # 7 lies in the trash
        await anew.sync().push(OWNER, SOON)
        assert len(house.rows()) == 9


async def test_a_change_after_it_amends_the_page_that_was_there(house):
    await fill(house)
    async with lost(house) as anew:
        await rebuild_of(anew).run()
        await anew.revise(2, amount=Decimal(13))
        house.notion.requests.clear()
        await anew.sync().push(OWNER, SOON)
        (asked,) = house.notion.asked("PATCH|POST /v1/pages")
        assert asked.method == "PATCH"
        assert asked.body is not None
        assert len(asked.body["properties"]) == 2  # the amount, and Data
        await anew.remove(3)
        await anew.sync().push(OWNER, SOON)
        assert len(house.rows(trashed=True)) == 2


async def test_only_reminders_to_come_ring_again(house):
    await house.add("later", remind_at=house.now() + timedelta(hours=1))
    await house.add("missed while nobody was there", remind_at=house.now() + timedelta(minutes=9))
    await house.add("long ago", remind_at=house.now() + timedelta(seconds=1))
    await house.sync().push(OWNER, SOON)
    house.clock.seconds += 600
    async with lost(house) as anew:
        await rebuild_of(anew).run()
        rings = await SqlReminders(anew.database).due(anew.now() + timedelta(days=9))
        assert [each.record.content for each in rings] == ["missed while nobody was there", "later"]


async def test_the_first_look_at_all_rows_finds_nothing_new(house):
    await fill(house)
    async with lost(house) as anew:
        await rebuild_of(anew).run()
        before = await anew.database.read(lambda c: c.execute(select(RECORD).order_by(RECORD.c.id)).all())
        pull = anew.sync()._looking.pull
        house.notion.requests.clear()
        while await pull.sweep(house.owners):
            pass
        assert await anew.database.read(lambda c: c.execute(select(RECORD).order_by(RECORD.c.id)).all()) == before
        assert len(house.notion.requests) < 8


async def test_more_rows_than_notion_tells_of_one_question_all_come_back(house):
    house.notion.result_limit = 40
    await many(house, 90)
    async with lost(house) as anew:
        done = await rebuild_of(anew).run()
        assert (done.back, done.copies) == (90, 0)
        assert [each.ref for each in await records_of(anew.database)] == list(range(1, 91))


async def test_doing_it_again_changes_nothing(house):
    await fill(house)
    async with lost(house) as anew:
        work = rebuild_of(anew)
        await work.run()
        before = await records_of(anew.database)
        assert not await work.is_due()
        assert (await work.run()).back == 8
        done = await work.run(anew=True)
        assert (done.back, done.here) == (0, 8)
        assert await records_of(anew.database) == before


async def test_a_store_that_has_records_gets_only_those_it_lacks(house):
    await fill(house)
    async with lost(house) as anew:
        assert await anew.add("first") == 1
        done = await rebuild_of(anew).run(anew=True)
        assert (done.back, done.renumbered) == (8, 1)
        records = {each.content: each.ref for each in await records_of(anew.database) if each.owner == OWNER}
        assert (records["first"], records["買牛奶"], records["午餐"]) == (1, 8, 2)
        await anew.sync().push(OWNER, SOON)
        shown = {title: row["properties"]["Ref"]["number"] for title, row in zip(
            anew.titles(), sorted(anew.rows(), key=lambda row: row["_order"]), strict=True)}  # fmt: skip
        assert (shown["first"], shown["買牛奶"]) == (1, 8)
        assert len(house.rows()) == 9


async def test_a_store_that_lost_only_its_place_in_notion_is_led_to_its_pages(house):
    await fill(house)
    await house.revise(2, amount=Decimal(99))
    await house.database.write(lambda c: c.execute(NOTION_PAGE.delete()))
    done = await rebuild_of(house).run(anew=True)
    assert (done.back, done.here) == (0, 8)
    await house.sync().push(OWNER, SOON)
    assert len(house.rows()) == 8
    amounts = {row["properties"]["Amount"]["number"] for row in house.rows()}
    assert 99 in amounts


async def test_of_two_pages_with_one_key_one_record_comes_back_and_the_bots_own_copy_goes(house):
    await house.add("買牛奶")
    await house.sync().push(OWNER, SOON)
    (page,) = house.rows()
    copy = house.notion.create_page({"parent": {"data_source_id": house.source}, "properties": {}})
    house.notion.pages[copy["id"]]["properties"] = page["properties"]
    async with lost(house) as anew:
        done = await rebuild_of(anew).run()
        assert (done.back, done.copies) == (1, 1)
        sync = anew.sync()
        await anew.add("next")
        await sync.push(OWNER, SOON)
        assert len(house.rows()) == 2


async def test_rows_that_people_made_are_told_and_left(house):
    house.notion.create_page({"parent": {"data_source_id": house.source}, "properties": {}})
    await house.add("買牛奶")
    await house.sync().push(OWNER, SOON)
    async with lost(house) as anew:
        done = await rebuild_of(anew).run()
        assert (done.back, done.theirs) == (1, 1)


async def test_a_row_without_an_owner_is_the_owners_else_that_of_the_most(house):
    await fill(house)
    (row,) = [each for each in house.rows() if each["properties"]["Title"]["title"][0]["plain_text"] == "午餐"]
    row["properties"]["Owner"]["rich_text"] = []
    for owner in (OWNER, None):
        async with lost(house) as anew:
            await rebuild_of(anew, owner=owner).run()
            assert {each.owner for each in await records_of(anew.database) if each.content == "午餐"} == {OWNER}
            await anew.sync().push(OWNER, SOON)
            (row,) = [each for each in house.rows() if each["properties"]["Ref"]["number"] == 2]
            assert row["properties"]["Owner"]["rich_text"][0]["plain_text"] == OWNER


async def test_what_people_broke_is_told_and_the_rest_comes_back(house):
    await house.add("午餐", type="expense", amount=Decimal(120), currency="TWD")
    await house.add("dinner")
    await house.sync().push(OWNER, SOON)
    lunch, dinner = sorted(house.rows(), key=lambda row: row["_order"])
    lunch["properties"]["Amount"]["number"] = 0.001
    lunch["properties"]["Type"]["select"] = {"id": "x", "name": "Errand", "color": "red"}
    dinner["properties"]["Title"]["title"] = []
    async with lost(house) as anew:
        done = await rebuild_of(anew).run()
        assert (done.back, done.in_part) == (2, 1)
        first, second = await records_of(anew.database)
        assert (first.content, first.type, first.amount) == ("午餐", "note", None)
        assert (second.content, second.type) == ("task", "task")


async def test_content_that_only_the_page_holds_is_read_there(house):
    content = "\x01" * 3000
    notes = tuple(Note(START + timedelta(hours=each), f"{each} " + "字" * 700) for each in range(30))
    await house.add(content + "x" * 4000, notes=notes)
    await house.sync().push(OWNER, SOON)
    async with lost(house) as anew:
        await rebuild_of(anew).run()
        (record,) = await records_of(anew.database)
        assert record.content == "x" * 4000
        assert [each.text for each in record.notes] == [each.text for each in notes]
        house.notion.requests.clear()
        await anew.sync().push(OWNER, SOON)
        assert not house.notion.asked("PATCH|POST /v1/pages")


# ── it may die anywhere ───────────────────────────────────────────────────────────────────────────────────────────────


class Died(Exception):
    """The process is gone: what was not committed never was."""


async def many(house: House, count: int) -> None:
    """So many records in Notion, three a minute, as a house left them."""
    house.notion.now = house.now
    binding = bind(house.notion.sources[house.source]["properties"])
    for number in range(count):
        house.clock.seconds += 20
        at = house.now()
        kept = record(
            content=f"record {number}", ref=number + 1, key=f"{number:032x}", owner=OWNER, rev=1, created_at=at,
            updated_at=at,
        )  # fmt: skip
        values = properties(kept, binding, option_names("auto"), UTC)
        house.notion.create_page({"parent": {"data_source_id": house.source}, "properties": values})
    house.notion.requests.clear()


@pytest.mark.parametrize("postgres", [False, True])
async def test_whatever_it_dies_of_it_goes_on_and_nothing_is_there_twice(house, tmp_path: Path, postgres: bool):
    await many(house, 110)
    with schema_of_its_own() if postgres else _file(tmp_path) as url:
        async with lost(house, url) as anew:
            deaths = 0
            for statement in range(0, 400, 1 if WHOLE else 13 if THOROUGH else 130):
                deaths += await _dies(anew, statement)
            done = await rebuild_of(anew).run()
            assert (done.rows >= 110, done.done, deaths > 2) == (True, True, True)
            records = await records_of(anew.database)
            assert [each.ref for each in records] == list(range(1, 111))
            assert len({each.key for each in records}) == 110
            pages = await anew.database.read(lambda c: c.execute(select(NOTION_PAGE.c.page_id)).scalars().all())
            assert len(pages) == len(set(pages)) == 110
            assert await anew.sync().push(OWNER, SOON)
            assert not house.notion.asked("PATCH|POST /v1/pages")


@contextmanager
def _file(folder: Path) -> Iterator[str]:
    yield f"sqlite:///{folder / 'anew.db'}"


async def _dies(house: House, statement: int) -> bool:
    """Run until so many statements were carried out, of which the last transaction is lost."""
    left = statement

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Died

    engine = house.database._engine
    event.listen(engine, "before_cursor_execute", count)
    try:
        await rebuild_of(house).run()
    except Died:
        return True
    finally:
        event.remove(engine, "before_cursor_execute", count)
    return False


@pytest.mark.parametrize("kind", ["504", "dropped", "200 html", "502"] if THOROUGH else ["dropped"])
async def test_a_notion_that_fails_in_between_is_gone_on_with(house, kind):
    await many(house, 30)
    async with lost(house) as anew:
        work = rebuild_of(anew)
        house.notion.fail(kind, "query", times=2)
        assert (await work.run()).back == 30
    async with lost(house) as anew:
        house.notion.fail(kind, "query", times=9)
        with pytest.raises(NotionDown):
            await rebuild_of(anew).run()
        house.notion.faults.clear()
        assert (await rebuild_of(anew).run()).back == 30


async def test_two_processes_never_do_it_at_once(house):
    await many(house, 5)
    async with lost(house) as anew:
        one, other = rebuild_of(anew, process="one"), rebuild_of(anew, process="other")
        await one._hold(timedelta(minutes=1))
        with pytest.raises(Busy):
            await other.run()
        house.clock.seconds += 61
        assert (await other.run()).back == 5


# ── at start ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_empty_store_is_filled_before_anybody_is_answered(house, caplog):
    caplog.set_level(logging.INFO)
    await many(house, 3)
    async with lost(house) as anew:
        starting = Rebuilding(rebuild_of(anew))
        keeping = asyncio.create_task(starting.keep())
        await starting.ready()
        assert not await anew.database.read(is_empty)
        await keeping
        assert "3 records are back from Notion" in caplog.text


async def test_a_store_that_holds_records_is_ready_at_once(house):
    await house.add("買牛奶")
    starting = Rebuilding(rebuild_of(house))
    await asyncio.wait_for(starting.keep(), 5)
    await starting.ready()
    assert not house.notion.requests


async def test_an_empty_table_is_asked_once(house, caplog):
    caplog.set_level(logging.INFO)
    for _ in range(2):
        await Rebuilding(rebuild_of(house)).keep()
    assert len(house.notion.asked("query")) == 3
    assert "nothing to bring back" in caplog.text


async def test_people_are_answered_while_notion_is_away_and_it_goes_on_beside(house):
    await many(house, 3)
    async with lost(house) as anew:
        house.notion.fail("503", "GET|POST", times=8)
        starting = Rebuilding(rebuild_of(anew), patience=0.05, first_rest=0.2)
        keeping = asyncio.create_task(starting.keep())
        await asyncio.wait_for(starting.ready(), 5)
        assert await anew.database.read(is_empty)
        assert await anew.add("meanwhile") == 1
        await asyncio.wait_for(keeping, 10)
        records = await records_of(anew.database)
        assert {each.content for each in records} == {"meanwhile", "record 0", "record 1", "record 2"}


async def test_a_refusal_holds_up_nobody(house, caplog):
    async with lost(house) as anew:
        house.notion.fail("401", "GET", times=9)
        starting = Rebuilding(rebuild_of(anew))
        keeping = asyncio.create_task(starting.keep())
        await asyncio.wait_for(starting.ready(), 5)
        keeping.cancel()
        assert "records cannot be brought back" in caplog.text
        with pytest.raises(NotionRefused):
            await rebuild_of(anew).run()


async def test_it_waits_for_another_process_and_for_a_store_in_trouble(house):
    await many(house, 2)
    async with lost(house) as anew:
        one, other = rebuild_of(anew, process="one"), rebuild_of(anew, process="other")
        await one._hold(timedelta(minutes=1))
        starting = Rebuilding(other)
        keeping = asyncio.create_task(starting.keep())
        await asyncio.sleep(0.2)
        await one.run()
        await asyncio.wait_for(keeping, 10)
        assert len(await records_of(anew.database)) == 2


def test_how_far_it_is_is_told_now_and_then():
    said: list[str] = []
    told = Teller(said.append, every=0)
    told(Progress(rows=100, highest={"U": 20_000}))
    told(Progress(rows=300, highest={"U": 20_000}))
    assert said[-1].startswith("300 of about 20,000 rows of Notion, ")
    assert summary(Progress()) == ["There are no records in Notion: nothing to bring back."]
    lines = summary(Progress(rows=9, back=3, copies=1, theirs=2, owners={"U1": 3}))
    assert lines[0] == "3 records are back from Notion; 0 were here already. Whose: U1 (3)."
    assert lines[1].startswith("1 bear the key of another page")


async def test_owners_are_counted_on_even_where_refs_are_not_whole(house):
    await many(house, 2)
    async with lost(house) as anew:
        await rebuild_of(anew).run()
        last = await anew.database.read(lambda c: c.execute(select(OWNERS.c.last_ref)).scalars().all())
        assert last == [2]
