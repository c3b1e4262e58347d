"""What looks have missed is found by going through all rows, slowly, and nothing is taken for deleted that is not."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from tests.notion.house import OWNER, SOON
from tests.notion.test_rebuild import records_of
from tools.notion import ledger
from tools.notion.pieces import plain_text
from tools.notion.trouble import NotionRefused


@pytest.fixture
def house(house):
    house.notion.now = house.now
    house.one = house.sync()
    return house


async def agreed(house, content: str = "買牛奶") -> tuple[int, str]:
    ref = await house.add(content)
    await house.one.push(OWNER, SOON)
    (row,) = (row for row in house.rows() if row["properties"]["Ref"]["number"] == ref)
    return ref, row["id"]


async def sweep(house, steps: int = 50) -> None:
    """Until a sweep is over."""
    for _ in range(steps):
        house.clock.seconds += 3
        if not await house.one._looking.pull.sweep(house.owners):
            return
    raise AssertionError("it never ends")


async def known(house, ref: int):
    return await house.memory().get(ref)


async def test_an_edit_that_no_look_saw_is_found(house):
    ref, page = await agreed(house)
    house.clock.seconds += 1000
    house.notion.edit(page, Title="買豆漿")
    house.notion.pages[page]["last_edited_time"] = "2026-01-01T00:00:00.000Z"
    await sweep(house)
    assert (await known(house, ref)).content == "買豆漿"


async def test_what_was_thrown_away_unseen_and_then_refused_to_a_push_is_deleted_all_the_same(house):
    ref, page = await agreed(house)
    house.clock.seconds += 1000
    house.notion.trash(page)
    house.clock.seconds += 1000
    await house.revise(ref, status="done")
    assert (await house.one.push(OWNER, SOON)).waiting == 0
    await sweep(house)
    assert await known(house, ref) is None


async def test_rows_that_were_there_before_become_records_and_going_through_them_again_changes_nothing(house):
    for number in range(110):
        house.notion.add_row(house.source, Title=f"row {number}")
    await sweep(house)
    found = [await known(house, ref) for ref in range(1, 111)]
    assert {record.content for record in found} == {f"row {number}" for number in range(110)}
    await sweep(house)
    assert await known(house, 111) is None


async def test_a_sweep_goes_on_where_a_process_left_it(house):
    for number in range(230):
        house.clock.seconds += 61
        house.notion.add_row(house.source, Title=f"row {number}")
    assert await house.one._looking.pull.sweep(house.owners)
    assert await known(house, 101) is None
    house.one = house.sync()
    house.notion.requests.clear()
    await sweep(house)
    asked = [each.body for each in house.notion.asked("query") if not each.body.get("in_trash")]
    assert len(asked) == 2, "the first hundred are not gone through again"
    assert (await known(house, 230)).content == "row 229"
    assert await known(house, 231) is None


async def test_a_page_that_was_removed_for_good_is_deleted_softly_and_gets_another_page_if_it_comes_back(house):
    ref, page = await agreed(house)
    await agreed(house, "別的")
    house.clock.seconds += 1000
    del house.notion.pages[page]
    await sweep(house)
    assert await known(house, ref) is None
    assert (await known(house, 2)).content == "別的"
    await house.undo()
    house.clock.seconds += 10
    assert (await house.one.push(OWNER, SOON)).waiting == 0
    assert sorted(house.titles()) == ["別的", "買牛奶"]


async def test_a_page_that_was_moved_out_is_only_theirs_from_then_on(house):
    ref, page = await agreed(house)
    house.clock.seconds += 1000
    house.notion.pages[page]["parent"] = {"type": "page_id", "page_id": house.notion.page("Elsewhere")}
    await sweep(house)
    assert (await known(house, ref)).content == "買牛奶"
    await house.revise(ref, content="買豆漿")
    house.clock.seconds += 10
    assert (await house.one.push(OWNER, SOON)).waiting == 0
    title = house.notion.pages[page]["properties"]["Title"]["title"][0]["plain_text"]
    assert title == "買牛奶"


@pytest.mark.parametrize("after", [0, 1, 2])
async def test_a_table_that_is_shared_no_more_is_no_table_in_which_all_was_deleted(house, after):
    ref, page = await agreed(house)
    house.clock.seconds += 1000
    pull = house.one._looking.pull
    del house.notion.pages[page]
    for _ in range(after):
        await pull.sweep(house.owners)
    house.notion.unshared |= {house.source, house.notion.sources[house.source]["parent"]["database_id"]}
    with pytest.raises(NotionRefused):
        await sweep(house)
    assert await known(house, ref) is not None


async def test_in_the_background_the_table_is_looked_at_every_minute_and_all_of_it_once_a_day(house):
    ref, page = await agreed(house)
    house.clock.seconds += 1000
    house.notion.edit(page, Title="買豆漿")
    working = asyncio.create_task(house.one.keep_pushing())

    async def is_all_done() -> bool:
        house.clock.seconds += 3
        swept = "swept_at" in await house.database.read(ledger.facts)
        return swept and (await known(house, ref)).content == "買豆漿"

    try:
        async with asyncio.timeout(20):
            while not await is_all_done():  # noqa: ASYNC110 - time passes by itself in the background
                await asyncio.sleep(0.05)
    finally:
        working.cancel()
        await asyncio.wait({working})
    facts = await house.database.read(ledger.facts)
    assert {"pulled_at", "seen_until", "swept_at"} <= facts.keys()


async def test_more_rows_than_notion_tells_at_once_are_all_read(house):
    await house.one.refresh(OWNER, SOON)
    house.notion.result_limit = 25
    for number in range(60):
        house.clock.seconds += 5
        house.notion.add_row(house.source, Title=f"row {number}")
    await sweep(house)
    assert (await known(house, 60)) is not None
    house.clock.seconds += 600
    for page in house.rows():
        house.notion.edit(page["id"], Status="doing")
        house.clock.seconds += 5
    await house.one.refresh(OWNER, SOON)
    assert {(await known(house, ref)).status for ref in range(1, 61)} == {"doing"}


async def test_a_sweep_begins_again_a_day_later(house):
    house.one._keeps = True
    await agreed(house)
    looking = house.one._looking
    for _ in range(6):
        house.clock.seconds += 3
        await looking.sweep(house.owners)
    assert timedelta(hours=23) < timedelta(seconds=looking._sweep_at.timestamp() - house.now().timestamp())


async def test_more_rows_of_one_minute_than_notion_tells_stop_nothing_and_are_said(house, caplog):
    house.notion.result_limit = 10
    for number in range(15):
        house.notion.add_row(house.source, Title=f"at once {number}")
    house.clock.seconds += 120
    later = house.notion.add_row(house.source, Title="later")
    while await house.one._looking.pull.sweep(house.owners):
        pass
    contents = {each.content for each in await records_of(house.database)}
    assert len(contents) == 11
    assert "later" in contents
    assert "more than 10,000 rows have the created time 2026-11-30T04:00:00.000Z" in caplog.text
    house.clock.seconds += 120
    left = [row["id"] for row in house.rows() if plain_text(row["properties"]["Title"]["title"]) not in contents]
    assert later not in left
    for each in left:
        house.notion.edit(each, Status="doing")
    house.clock.seconds += 10
    await house.one.refresh(OWNER, SOON)
    assert len(await records_of(house.database)) == 16
