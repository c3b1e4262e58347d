"""The views of the table: made once, what people do to them stays, and a refusal is no failure."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from tests.notion.house import OWNER, SOON, TAIPEI
from tests.notion.test_setup import setting, writes
from tests.notion.test_table import told
from tools.notion import table as tables
from tools.notion.setup import set_up
from tools.notion.show import Show
from tools.record import Mirrored


@pytest.fixture
async def source(notion, client, store) -> str:
    return setting(await set_up(client, notion.page(), None, language="zh-TW", database=store))


def shown(notion) -> dict[str, dict]:
    return {view["name"]: view for view in notion.views.values()}


async def test_a_new_table_has_three_views_more_and_hides_what_is_technical(notion, source):
    views = shown(notion)
    assert list(views) == ["全部", "今天", "月曆", "每月收支"]
    assert [view["type"] for view in views.values()] == ["table", "table", "calendar", "table"]
    names = {column["id"]: name for name, column in notion.sources[source]["properties"].items()}
    hidden = {
        name: {
            names[each["property_id"]] for each in view["configuration"].get("properties", ()) if not each["visible"]
        }
        for name, view in views.items()
    }
    technical = {"擁有者", "來源", "Key", "資料"}
    assert hidden == {"全部": technical, "今天": technical, "月曆": set(), "每月收支": technical}


async def test_the_views_show_what_their_names_say(house):
    notion, zone = house.notion, TAIPEI
    house.owners = [Mirrored(OWNER, zone)]
    today = datetime.now(UTC).date()
    for content, fields in {
        "今天的事": {"when": today},
        "做完的事": {"when": today, "status": "done"},
        "午餐": {"type": "expense", "amount": Decimal(120), "currency": "TWD", "when": today},
        "沒有日子": {},
    }.items():
        await house.add(content, **fields)
    await house.sync(show=Show("en", zone)).push(OWNER, SOON)
    titles = {row["id"]: row["properties"]["Title"]["title"][0]["plain_text"] for row in house.rows()}
    seen = {
        name: {titles[each["id"]] for each in notion.query_view(view["id"], {})["results"]}
        for name, view in shown(notion).items()
    }
    assert seen["Today"] == {"今天的事", "午餐"}
    assert seen["Money by month"] == {"午餐"}


async def test_a_view_that_a_person_renamed_or_deleted_stays_so(notion, client, store, source):
    views = shown(notion)
    views["今天"]["name"] = "待會"
    notion.delete_view(views["月曆"]["id"])
    notion.requests.clear()
    await told(client, source, store)
    assert writes(notion) == []
    assert set(shown(notion)) == {"全部", "待會", "每月收支"}


async def test_a_set_up_that_died_among_the_views_makes_the_rest_and_none_twice(notion, client, store, source):
    notion.delete_view(shown(notion)["每月收支"]["id"])
    before = await store.read(tables.known)
    await store.write(lambda c: tables.remember(c, replace(before, views={})))
    await set_up(client, None, source, language="zh-TW", database=store)
    assert sorted(view["name"] for view in notion.views.values()) == sorted(["全部", "今天", "月曆", "每月收支"])


@pytest.mark.parametrize("kind", ["400", "403"])
async def test_where_notion_makes_no_views_it_is_one_line_and_no_failure(notion, client, store, kind):
    notion.fail(kind, "POST /v1/views", times=9)
    lines = await set_up(client, notion.page(), None, database=store)
    assert [line for line in lines if "make them by hand" in line]
    assert setting(lines) in notion.sources


async def test_a_view_whose_making_ended_unclear_is_not_made_twice(notion, client, store):
    notion.fail("504", "POST /v1/views", saved=True)
    page = notion.page()
    lines = await set_up(client, page, None, database=store)
    assert any("run setup again" in line for line in lines)
    await set_up(client, page, None, database=store)
    assert [view["name"] for view in notion.views.values()][1:] == ["Today", "Calendar", "Money by month"]


async def test_views_that_were_there_before_are_left_as_they_are(notion, client, store):
    own = {"Name": {"title": {}}, "Mood": {"select": {}}}
    made = notion.create_database({"parent": {"page_id": notion.page()}, "initial_data_source": {"properties": own}})
    before = [dict(view) for view in notion.views.values()]
    await told(client, made["id"], store)
    assert list(notion.views.values())[: len(before)] == before
    assert {"Today", "Calendar", "Money by month"} < set(shown(notion))
