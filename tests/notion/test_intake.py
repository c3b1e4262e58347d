"""A table that people had before: all of it becomes records first, and only then it is written to."""

from __future__ import annotations

import asyncio
import logging

from tests.notion.house import OWNER, SOON, House
from tests.notion.test_rebuild import records_of
from tools.notion.intake import Intake


def theirs(house: House, count: int) -> None:
    """So many rows as people make them, three a minute."""
    house.notion.now = house.now
    with house.notion.by_a_person():
        for number in range(count):
            house.clock.seconds += 20
            title = {"title": [{"text": {"content": f"row {number}"}}]}
            house.notion.create_page({"parent": {"data_source_id": house.source}, "properties": {"title": title}})
    house.notion.requests.clear()


async def until_all_is_here(house: House, count: int) -> None:
    async with asyncio.timeout(20):
        while len(await records_of(house.database)) < count:  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.02)


async def test_all_rows_become_records_before_any_of_them_is_written_to(house):
    theirs(house, 130)
    keeping = asyncio.create_task(house.sync().keep_pushing())
    await until_all_is_here(house, 130)
    async with asyncio.timeout(20):
        while not (written := house.notion.asked("PATCH /v1/pages")):  # noqa: ASYNC110 - Notion tells nobody
            await asyncio.sleep(0.02)
    keeping.cancel()
    await asyncio.wait({keeping})
    first = house.notion.requests.index(written[0])
    slices = [
        each for each in house.notion.requests[:first] if "query" in each.path and "last_edited" not in str(each.body)
    ]
    assert len(slices) >= 3
    assert sorted(each.ref for each in await records_of(house.database)) == list(range(1, 131))


async def test_it_goes_on_where_it_was_stopped_and_takes_nothing_twice(house):
    theirs(house, 130)
    sync = house.sync()
    assert await sync._looking.pull.sweep(house.owners)
    await sync.close()
    again = house.sync()
    keeping = asyncio.create_task(again.keep_pushing())
    await until_all_is_here(house, 130)
    keeping.cancel()
    await asyncio.wait({keeping})
    assert len({each.content for each in await records_of(house.database)}) == 130


async def test_a_notion_that_fails_meanwhile_holds_up_nothing_else(house, caplog):
    await house.add("買牛奶")
    sync = house.sync()
    house.notion.fail("503", "query", times=5)
    await sync._intake.go_through(house.owners, sync.news)
    assert "could not be gone through" in caplog.text
    house.notion.faults.clear()
    assert (await sync.push(OWNER, SOON)).waiting == 0
    asked = len(house.notion.requests)
    await sync._intake.go_through(house.owners, sync.news)
    assert len(house.notion.requests) == asked
    house.clock.seconds += 301
    await sync._intake.go_through(house.owners, sync.news)
    assert len(house.notion.requests) > asked


async def test_how_far_it_has_come_is_told(house, caplog):
    caplog.set_level(logging.INFO)
    theirs(house, 3)
    intake = Intake(house.database, house.sync()._looking.pull, house.now, line_every=0)
    await intake.go_through(house.owners, house.sync().news)
    assert "going through all rows of Notion: 3 are records here" in caplog.text
