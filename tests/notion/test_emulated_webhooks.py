"""What Notion tells of a table, end to end: signed events of real edits, to the route that the bot opens."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from bot.notion_webhook import PATH, add_notion_webhook
from tests.emulators.notion_shelves import BOT
from tests.emulators.notion_webhooks import Subscription
from tests.notion.house import OWNER, SOON
from tests.serving import served
from tools.notion import ledger
from tools.notion.hook import Hook


@pytest.fixture
async def told(house):
    """A mirror with one record in Notion, a page outside the table, and the webhook between them."""
    sync = house.sync()
    await house.add("買牛奶")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    await house.database.write(lambda c: ledger.put(c, "bot", BOT))  # as the first look at the table finds out
    looks: list[tuple[str, ...]] = []

    class Looks:
        def signal(self, page_ids: tuple[str, ...] = (), *, moved: bool = False) -> None:
            looks.append(("table",) if moved else page_ids)

    web = FastAPI(openapi_url=None)
    add_notion_webhook(web, Hook(house.database, Looks()))
    async with served(web) as address:
        yield house, Subscription(house.notion, address + PATH), looks


async def test_what_a_person_does_is_signalled_and_what_we_did_ourselves_is_not(told):
    house, notion, looks = told
    assert await notion.verify() == 200
    assert set(await notion.deliver()) == {200}
    assert looks == []
    (row,) = house.rows()
    house.notion.edit(row["id"], Title="買豆漿", Amount=30)
    new = house.notion.add_row(house.source, Title="洗衣服")
    house.notion.trash(row["id"])
    house.notion.restore(row["id"])
    house.notion.page("a page that is none of ours")
    house.notion.rename_column(house.source, "Amount", "金額")
    assert set(await notion.deliver(backwards=True, twice=True)) == {200}
    assert looks == [("table",), (row["id"],), (row["id"],), (new,), (row["id"],)]


async def test_a_stranger_who_signs_with_another_token_is_not_heard(told):
    house, notion, looks = told
    assert await notion.verify() == 200
    await notion.deliver()
    looks.clear()
    stranger = Subscription(house.notion, notion.address)
    assert await stranger.verify() == 403
    house.notion.edit(house.rows()[0]["id"], Title="x")
    assert await stranger.deliver() == [401]
    assert looks == []
