"""Setting up the table: once, twice, after accidents, and in a table that was there before."""

from __future__ import annotations

import pytest

from tests.emulators.notion import TOKEN
from tools.notion.client import NotionClient
from tools.notion.schema import COLUMNS, bind
from tools.notion.setup import set_up
from tools.notion.trouble import NotionDown, NotionRefused


def setting(lines: list[str]) -> str:
    return lines[-1].removeprefix("NOTION_DATA_SOURCE_ID=")


def writes(notion) -> list[str]:
    return [f"{each.method} {each.path}" for each in notion.asked("^(POST|PATCH|DELETE) ") if "/query" not in each.path]


async def test_the_table_is_made_under_the_page_with_every_column(notion, client):
    page = notion.page("我的家")
    lines = await set_up(client, f"https://app.notion.com/p/acme/Home-{page.replace('-', '')}", None)
    source = notion.sources[setting(lines)]
    assert list(source["properties"]) == [column.name for column in COLUMNS]
    assert bind(source["properties"]).differences == ()
    (database,) = notion.databases.values()
    assert (database["parent"]["page_id"], database["data_sources"][0]["name"]) == (page, "Records")
    assert database["id"] in lines[-2]


async def test_twice_is_once(notion, client):
    page = notion.page()
    first = await set_up(client, page, None)
    notion.requests.clear()
    second = await set_up(client, page, None)
    assert (writes(notion), setting(second)) == ([], setting(first))
    third = await set_up(client, page, setting(first))
    assert (writes(notion), setting(third)) == ([], setting(first))


@pytest.mark.parametrize("kind", ["504", "dropped", "200 html"])
@pytest.mark.parametrize("saved", [True, False])
async def test_an_unclear_creation_makes_one_database(notion, client, kind, saved):
    notion.fail(kind, "POST /v1/databases", saved=saved)
    lines = await set_up(client, notion.page(), None)
    assert [each["data_sources"][0]["id"] for each in notion.databases.values()] == [setting(lines)]


async def test_missing_columns_are_added_one_by_one_and_nothing_else_is_touched(notion, client):
    page = notion.page()
    own = {"Name": {"title": {}}, "When": {"date": {}}, "Mood": {"select": {"options": [{"name": "good"}]}}}
    made = notion.create_database({"parent": {"page_id": page}, "initial_data_source": {"properties": own}})
    source = made["data_sources"][0]["id"]
    before = {name: dict(config) for name, config in notion.sources[source]["properties"].items()}
    lines = await set_up(client, page, made["url"])
    after = notion.sources[source]["properties"]
    assert before.items() <= after.items()
    assert bind(after).differences == ()
    assert len(notion.asked("PATCH /v1/data_sources")) == len(COLUMNS) - 2
    assert 'added the column "Key"' in lines
    notion.requests.clear()
    await set_up(client, page, made["url"])
    assert writes(notion) == []


async def test_a_column_that_was_not_really_added_is_said(notion, client):
    source = setting(await set_up(client, notion.page(), None))
    notion.update_source(source, {"properties": {"Tags": None}})
    notion.fail("ignored", "PATCH /v1/data_sources")
    lines = await set_up(client, None, source)
    assert any("did not add" in line and "Tags" in line for line in lines)


async def test_a_retyped_column_is_left_as_it_is_and_said(notion, client):
    source = setting(await set_up(client, notion.page(), None))
    notion.update_source(source, {"properties": {"Amount": {"rich_text": {}}}})
    notion.requests.clear()
    lines = await set_up(client, None, source)
    assert any("Amount" in line and "rich_text" in line and "number" in line for line in lines)
    assert writes(notion) == []
    stands = await client.data_source(source)
    assert [str(each) for each in bind(stands["properties"]).differences] == [
        'column "Amount" is rich_text in Notion, number is needed'
    ]


async def test_people_s_own_options_survive_an_upgrade(notion, client):
    source = setting(await set_up(client, notion.page(), None))
    notion.sources[source]["properties"]["Status"]["select"]["options"].append({"id": "x", "name": "someday"})
    await set_up(client, None, source)
    names = [each["name"] for each in notion.sources[source]["properties"]["Status"]["select"]["options"]]
    assert "someday" in names


async def test_without_any_place_the_next_step_is_told(client):
    with pytest.raises(NotionRefused) as refused:
        await set_up(client, None, None)
    assert "NOTION_PARENT_PAGE_ID" in refused.value.next_step


async def test_a_page_that_is_not_shared_is_refused_with_the_clicks(notion, client):
    with pytest.raises(NotionRefused) as refused:
        await set_up(client, "38c9ce7b60a48162b68adc4b57564454", None)
    assert "Connections" in refused.value.next_step


async def test_a_link_without_an_id_is_refused_by_the_name_of_its_setting(client):
    with pytest.raises(NotionRefused, match="NOTION_PARENT_PAGE_ID"):
        await set_up(client, "https://www.notion.so/my-home", None)


async def test_a_revoked_token_is_refused(notion, address, clock):
    client = NotionClient(TOKEN + "x", address, now=clock.now, sleep=clock.sleep)
    with pytest.raises(NotionRefused) as refused:
        await set_up(client, notion.page(), None)
    assert refused.value.status == 401
    await client.close()


async def test_a_notion_that_is_down_is_said_to_be_down(notion, client):
    notion.fail("502", times=99)
    with pytest.raises(NotionDown):
        await set_up(client, notion.page(), None)
