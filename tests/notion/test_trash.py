"""Pages of records that are gone for good: they go into Notion's trash, whatever happens on the way."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from bot.inbox_ports import Forgotten
from bot.ports import ChatId, LaneId, Turn, TurnId
from bot.sql.forgetting import SqlForgetting
from tests.notion.house import MEMBER, OWNER, SOON
from tools.notion import trash
from tools.notion.ledger import NOTION_PAGE, begin_page
from tools.notion.sync import NotionSync
from tools.notion.trash import LATE, NOTION_TRASH
from tools.sql.record import RECORD


async def forget(house, person=OWNER) -> None:
    """Everything of this person goes, by the bot's own way."""
    forgetting = SqlForgetting(house.database, house.now, trash.give_up)
    turn = Turn(TurnId(house.key().turn), ChatId(person), LaneId(person), ())
    await forgetting.ask(turn, person)
    found = await forgetting.agree(turn.id, turn, person)
    assert isinstance(found, Forgotten)
    assert found.outcome == "done"


async def waits(house) -> int:
    return await house.database.read(trash.waiting)


def restarted(house) -> NotionSync:
    """A process that has never met the owner, who is forgotten by now."""

    async def nobody() -> None:
        return None

    house.made.append(NotionSync(house.database, house.client, house.source, nobody, now=house.now))
    return house.made[-1]


async def test_pages_of_the_forgotten_go_into_the_trash_and_no_others(house):
    for content in ("買牛奶", "倒垃圾", "洗碗"):
        await house.add(content)
    sync = house.sync()
    await sync.push(OWNER, SOON)
    stranger = house.notion.create_page({
        "parent": {"type": "data_source_id", "data_source_id": house.source},
        "properties": {"Title": {"title": [{"text": {"content": "自己加的"}}]}},
    })  # fmt: skip
    await forget(house)
    assert await waits(house) == 3

    assert await sync.forget(SOON) == 0
    assert [row["id"] for row in house.rows()] == [stranger["id"]]
    assert len(house.rows(trashed=True)) == 3
    assert await house.database.read(lambda c: c.execute(select(NOTION_PAGE)).all()) == []


async def test_of_a_member_there_is_nothing_to_take_away(house):
    await house.add()
    await house.add("別人的", owner=MEMBER)
    sync = house.sync()
    await sync.push(OWNER, SOON)
    await forget(house, MEMBER)
    assert await sync.forget(SOON) == 0
    assert house.titles() == ["買牛奶"]


@pytest.mark.parametrize("kind", ["503", "dropped", "429"])
async def test_while_notion_is_down_they_wait_and_then_go_also_in_a_process_that_knows_no_owner(house, kind):
    await house.add()
    await house.sync().push(OWNER, SOON)
    await forget(house)
    house.notion.fail(kind, "", times=60)
    assert await house.sync().forget(0.3) == 1
    house.notion.faults.clear()
    house.clock.seconds += 400

    sync = restarted(house)
    pushing = asyncio.create_task(sync.keep_pushing())
    async with asyncio.timeout(10):
        while await waits(house):  # noqa: ASYNC110 - nobody is told when a page has gone
            await asyncio.sleep(0.01)
    pushing.cancel()
    await asyncio.wait({pushing})
    assert house.rows() == []


async def test_a_page_that_turns_up_late_is_taken_away_too(house):
    await house.add()
    house.notion.fail("slow", "POST /v1/pages", seconds=0.3, saved=True)
    sync = house.sync()
    pushing = asyncio.create_task(sync.push(OWNER, SOON))
    await asyncio.sleep(0.1)
    await forget(house)  # while Notion is at it
    await pushing
    assert len(house.rows()) == 1
    assert await waits(house) == 1

    await sync.forget(0.2)
    assert await waits(house) == 1, "it may yet turn up"
    house.clock.seconds += LATE.total_seconds() + 400
    assert await sync.forget(SOON) == 0
    assert house.rows() == []
    assert await house.database.read(lambda c: c.execute(select(NOTION_PAGE)).all()) == []


async def test_a_record_that_went_while_it_waited_for_its_turn_gets_no_page(house):
    await house.add()
    (id_,) = await house.database.read(lambda c: c.execute(select(RECORD.c.id)).scalars().all())
    await forget(house)
    assert await house.database.write(lambda c: begin_page(c, id_)) is False
    assert await house.database.read(lambda c: c.execute(select(NOTION_PAGE)).all()) == []


async def test_a_page_that_is_gone_already_is_no_trouble(house):
    await house.add("一")
    await house.add("二")
    sync = house.sync()
    await sync.push(OWNER, SOON)
    one, two = house.rows()
    house.notion.update_page(one["id"], {"in_trash": True})
    del house.notion.pages[two["id"]]
    await forget(house)
    assert await sync.forget(SOON) == 0


async def test_one_that_is_refused_holds_up_no_other_and_is_tried_again(house, caplog):
    await house.add("一")
    await house.add("二")
    sync = house.sync()
    await sync.push(OWNER, SOON)
    await forget(house)
    house.notion.fail("400", "PATCH /v1/pages", times=1)
    assert await sync.forget(SOON) == 1
    assert "is refused by Notion" in caplog.text
    (row,) = await house.database.read(lambda c: c.execute(select(NOTION_TRASH)).all())
    assert row.attempts == 1
    house.clock.seconds += 120
    assert await sync.forget(SOON) == 0
    assert house.rows() == []


async def test_without_the_right_to_write_all_of_them_wait(house):
    await house.add("一")
    sync = house.sync()
    await sync.push(OWNER, SOON)
    await forget(house)
    house.notion.fail("403", "PATCH /v1/pages", times=9)
    assert await sync.forget(SOON) == 1


async def test_the_new_life_of_the_owner_is_mirrored_again(house):
    await house.add("舊的")
    sync = house.sync()
    await sync.push(OWNER, SOON)
    await forget(house)
    await house.add("新的")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert house.titles() == ["新的"]
    assert await waits(house) == 0
