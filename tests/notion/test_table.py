"""What is stored of the table, so that people may rename, describe, retype and remove columns, and map their own."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.notion.house import OWNER, SOON
from tests.notion.test_setup import setting, writes
from tools.notion import table as tables
from tools.notion.schema import COLUMNS
from tools.notion.setup import set_up
from tools.notion.show import Show
from tools.notion.trouble import NotionRefused
from tools.notion.wishes import Wishes


def column(notion, source: str, name: str) -> dict:
    return notion.sources[source]["properties"][name]


async def told(client, source, store, **wishes) -> list[str]:
    return await set_up(client, None, source, database=store, wishes=Wishes(**wishes))


@pytest.fixture
async def source(notion, client, store) -> str:
    return setting(await set_up(client, notion.page(), None, language="zh-TW", database=store))


async def test_names_and_options_are_in_the_person_s_language(notion, source):
    columns = notion.sources[source]["properties"]
    assert [columns[name]["type"] for name in ("標題", "金額", "標籤")] == ["title", "number", "multi_select"]
    assert [each["name"] for each in columns["狀態"]["select"]["options"]] == ["未完成", "進行中", "完成", "取消"]
    assert columns["金額"]["description"] == "secretary:v1:amount"


async def test_what_was_found_is_stored_and_a_second_run_writes_nothing_anywhere(notion, client, store, source):
    table = await store.read(tables.known)
    assert (table.source, table.columns.keys()) == (source, {each.field for each in COLUMNS})
    notion.requests.clear()
    changes = await store.read(lambda c: c.exec_driver_sql("PRAGMA data_version").scalar())
    lines = await told(client, source, store)
    assert writes(notion) == []
    assert "all columns are as they should be" in lines
    assert await store.read(lambda c: c.exec_driver_sql("PRAGMA data_version").scalar()) == changes
    assert await store.read(tables.known) == table


async def test_a_column_that_was_renamed_and_described_is_still_ours(notion, client, store, source):
    notion.rename_column(source, "金額", "多少錢")
    column(notion, source, "多少錢")["description"] = "含稅,\n不含小費"
    notion.requests.clear()
    assert "all columns are as they should be" in await told(client, source, store)
    assert writes(notion) == []
    assert (await store.read(tables.known)).meanings == {"amount": "含稅, 不含小費"}


async def test_without_any_setting_the_table_of_before_is_found(notion, client, store, source):
    assert setting(await told(client, None, store)) == source


async def test_under_the_same_page_the_table_is_found_under_any_title(notion, client, store, source):
    (database,) = notion.databases.values()
    page = database["parent"]["page_id"]
    notion.update_database(database["id"], {"title": [{"text": {"content": "我的事"}}]})
    assert setting(await set_up(client, page, None, database=store)) == source
    assert setting(await set_up(client, page, None)) == source
    assert len(notion.databases) == 1


async def test_a_table_that_is_gone_is_made_anew_under_its_page(notion, client, store, source):
    page = notion.databases[notion.sources[source]["parent"]["database_id"]]["parent"]["page_id"]
    notion.update_database(notion.sources[source]["parent"]["database_id"], {"in_trash": True})
    made = setting(await set_up(client, page, None, database=store))
    assert made != source
    assert (await store.read(tables.known)).source == made
    with pytest.raises(NotionRefused, match="in Notion's trash"):
        await told(client, source, store)
    del notion.sources[made]
    with pytest.raises(NotionRefused, match="neither"):
        await told(client, None, store)


async def test_a_database_in_the_place_of_the_page_is_said_to_be_one(notion, client, store, source):
    database = notion.sources[source]["parent"]["database_id"]
    with pytest.raises(NotionRefused, match="is a database, and no page") as refused:
        await set_up(client, database, None, database=store, language="en")
    assert "NOTION_DATA_SOURCE_ID" in refused.value.next_step


async def test_columns_that_views_need_and_that_are_not_there_are_done_without(notion, client, store):
    own = {"Name": {"title": {}}, "When": {"rich_text": {}}, "Status": {"rich_text": {}}, "Type": {"rich_text": {}}}
    made = notion.create_database({"parent": {"page_id": notion.page()}, "initial_data_source": {"properties": own}})
    lines = await told(client, made["id"], store)
    assert [line for line in lines if "made the view" in line] == []
    assert sum("--mend" in line for line in lines) == 3
    lines = await told(client, made["id"], store, mend=True)
    assert sum("made the view" in line for line in lines) == 3
    assert {"When", "When (Secretary)"} < notion.sources[made["data_sources"][0]["id"]]["properties"].keys()


async def test_a_place_that_no_page_can_be_written_to_is_said_with_the_way_out(house):
    await set_up(house.client, None, house.source, database=house.database)
    house.notion.update_source(house.source, {"properties": {"Key": None, "Tags": None}})
    await house.add("一")
    assert (await house.sync().push(OWNER, SOON)).waiting == 1
    await set_up(house.client, None, house.source, database=house.database, wishes=Wishes(mend=True))
    assert (await house.sync().push(OWNER, SOON)).waiting == 0


async def test_a_removed_column_is_said_and_comes_back_only_when_asked_for(notion, client, store, source):
    notion.update_source(source, {"properties": {"標籤": None}})
    notion.requests.clear()
    lines = await told(client, source, store)
    assert any("was removed in Notion" in line and "--mend" in line for line in lines)
    assert writes(notion) == []
    assert 'added the column "Tags"' in await told(client, source, store, mend=True)
    notion.requests.clear()
    assert "all columns are as they should be" in await told(client, source, store, mend=True)
    assert writes(notion) == []


async def test_in_the_place_of_a_retyped_column_a_new_one_is_put_and_the_old_one_stays(notion, client, store, source):
    notion.update_source(source, {"properties": {"金額": {"rich_text": {}}}})
    before = dict(column(notion, source, "金額"))
    assert any("--mend" in line and "rich_text" in line for line in await told(client, source, store))
    lines = await set_up(client, None, source, language="zh-TW", database=store, wishes=Wishes(mend=True))
    assert 'added the column "金額 (Secretary)"' in lines
    assert column(notion, source, "金額") == before
    table = await store.read(tables.known)
    assert table.columns["amount"] == column(notion, source, "金額 (Secretary)")["id"]


async def test_a_mending_that_died_before_it_was_stored_is_not_done_twice(notion, client, store, source):
    notion.update_source(source, {"properties": {"金額": {"rich_text": {}, "description": "secretary:v1:amount"}}})
    before = await store.read(tables.known)
    await told(client, source, store, mend=True)
    await store.write(lambda c: tables.remember(c, before))
    notion.requests.clear()
    assert "all columns are as they should be" in await told(client, source, store, mend=True)
    assert writes(notion) == []


async def test_what_stands_in_notion_is_sent_again_to_a_mended_column(house):
    await set_up(house.client, None, house.source, database=house.database)
    await house.add("午餐", type="expense", amount=Decimal(120), currency="TWD")
    sync = house.sync()
    await sync.push(OWNER, SOON)
    house.notion.update_source(house.source, {"properties": {"Amount": None}})
    await set_up(house.client, None, house.source, database=house.database, wishes=Wishes(mend=True))
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert house.rows()[0]["properties"]["Amount"]["number"] == 120


async def test_own_columns_are_mapped_by_name_and_kept_by_id(notion, client, store, source):
    notion.update_source(source, {"properties": {"總價": {"number": {}}, "標記": {"multi_select": {}}}})
    lines = await told(client, source, store, mapped={"amount": "總價", "tags": "標記"})
    assert 'amount is kept in your column "總價"' in lines
    notion.rename_column(source, "總價", "花費")
    notion.requests.clear()
    await told(client, source, store)
    assert 'amount is kept in your column "花費"' in await told(client, source, store, mapped={"amount": "花費"})
    assert writes(notion) == []
    table = await store.read(tables.known)
    assert (table.columns["amount"], table.mapped) == (column(notion, source, "花費")["id"], ("amount", "tags"))
    assert 'amount is kept in "金額"' in await told(client, source, store, unmapped=("amount",))
    assert (await store.read(tables.known)).mapped == ("tags",)


@pytest.mark.parametrize(
    ("mapped", "reason", "step"),
    [
        ({"amount": "沒有"}, "there is no column", '"金額" \\(number\\)'),
        ({"amount": "標籤"}, "is multi_select, and amount needs number", "Choose another"),
        ({"price": "金額"}, "none of our columns", "amount"),
        ({"ref": "總價", "amount": "總價"}, "is ref already", "--unmap ref"),
    ],
)
async def test_a_mapping_that_cannot_be_is_refused_before_anything_is_changed(
    notion, client, store, source, mapped, reason, step
):
    notion.update_source(source, {"properties": {"總價": {"number": {}}}})
    notion.requests.clear()
    before = await store.read(tables.known)
    with pytest.raises(NotionRefused, match=reason) as refused:
        await told(client, source, store, mapped=mapped)
    assert step.replace("\\", "") in refused.value.next_step
    assert (writes(notion), await store.read(tables.known)) == ([], before)


async def test_a_mapped_column_is_filled_and_what_a_person_put_there_is_not_emptied(house):
    await set_up(house.client, None, house.source, database=house.database)
    await house.add("午餐", type="expense", amount=Decimal(120), currency="TWD")
    await house.add("買牛奶")
    sync = house.sync()
    await sync.push(OWNER, SOON)
    house.notion.update_source(house.source, {"properties": {"Price": {"number": {}}}})
    _, milk = sorted(house.rows(), key=lambda row: row["_order"])
    house.notion.update_page(milk["id"], {"properties": {"Price": {"number": 35}}})
    await set_up(house.client, None, house.source, database=house.database, wishes=Wishes(mapped={"amount": "Price"}))
    await house.revise(1, content="晚餐")
    await house.revise(2, content="買豆漿")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    dinner, milk = sorted(house.rows(), key=lambda row: row["_order"])
    assert (dinner["properties"]["Price"]["number"], milk["properties"]["Price"]["number"]) == (120, 35)


async def test_a_running_mirror_hears_of_a_mapping(house):
    await set_up(house.client, None, house.source, database=house.database)
    sync = house.sync()
    await house.add("一")
    await sync.push(OWNER, SOON)
    house.notion.update_source(house.source, {"properties": {"Price": {"number": {}}}})
    await set_up(house.client, None, house.source, database=house.database, wishes=Wishes(mapped={"amount": "Price"}))
    await house.add("午餐", type="expense", amount=Decimal(80), currency="TWD")
    await sync.push(OWNER, SOON)
    assert [row["properties"]["Price"]["number"] for row in house.rows()] == [None, 80]


async def test_an_option_that_a_person_renamed_is_used_under_its_new_name(house):
    sync = house.sync(show=Show("zh-TW"))
    await house.add("一", type="task")
    await sync.push(OWNER, SOON)
    options = house.notion.sources[house.source]["properties"]["Type"]["select"]["options"]
    next(each for each in options if each["name"] == "task")["name"] = "工作"
    again = house.sync(show=Show("zh-TW"))
    await house.add("二", type="task")
    await again.push(OWNER, SOON)
    assert {each["name"] for each in options} == {"工作", "event", "expense", "income", "note", "idea"}
    assert house.rows()[1]["properties"]["Type"]["select"]["name"] == "工作"
