"""The client against a Notion that misbehaves in every way the real one does."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from tests.emulators.notion import TOKEN, serving
from tools.notion.address import find_data_source, notion_id
from tools.notion.client import NotionClient
from tools.notion.pace import RATE
from tools.notion.schema import database_body
from tools.notion.trouble import NotionDown, NotionRefused, NotionUnsure

ROOT = Path(__file__).resolve().parents[2]
KEY = "0123456789abcdef0123456789abcdef"

FAULTS = [
    ("429", {"retry_after": 1}),
    ("529", {"retry_after": 2}),
    ("409", {}),
    ("409", {"times": 3}),
    ("500", {}),
    ("502", {}),
    ("502", {"saved": True}),
    ("503", {}),
    ("504", {}),
    ("504", {"saved": True}),
    ("dropped", {}),
    ("dropped", {"saved": True}),
    ("200 html", {}),
    ("200 html", {"saved": True}),
]


@pytest.fixture
async def source(notion, client):
    made = await client.create_database(database_body(notion.page()))
    notion.requests.clear()
    return made["data_sources"][0]["id"]


def page_body(source: str, key: str = KEY) -> dict[str, object]:
    text = [{"type": "text", "text": {"content": key}}]
    return {"parent": {"type": "data_source_id", "data_source_id": source}, "properties": {"Key": {"rich_text": text}}}


@pytest.mark.parametrize(("kind", "how"), FAULTS)
async def test_a_creation_through_any_fault_leaves_one_page(notion, client, source, kind, how):
    notion.fail(kind, "POST /v1/pages", **how)
    created = await client.create_page(page_body(source), "Key", KEY)
    assert [row["id"] for row in notion.rows(source)] == [created.page["id"]]
    assert notion.rows(source, trashed=True) == []


@pytest.mark.parametrize(("kind", "how"), FAULTS)
async def test_an_update_through_any_fault_ends_as_without_it(notion, client, source, kind, how):
    page = (await client.create_page(page_body(source), "Key", KEY)).page
    notion.fail(kind, "PATCH /v1/pages", **how)
    await client.update_page(page["id"], {"properties": {"Ref": {"number": 12}}})
    (row,) = notion.rows(source)
    assert row["properties"]["Ref"]["number"] == 12


@pytest.mark.parametrize("kind", ["502", "dropped", "504"])
async def test_an_update_gives_up_after_three_tries(notion, client, source, kind):
    page = (await client.create_page(page_body(source), "Key", KEY)).page
    notion.fail(kind, "PATCH /v1/pages", times=99)
    with pytest.raises(NotionDown):
        await client.update_page(page["id"], {"in_trash": True})
    assert len(notion.asked("PATCH /v1/pages")) == 3


async def test_an_unclear_creation_is_looked_for_after_one_second_and_after_two_more(notion, client, source, clock):
    notion.fail("504", "POST /v1/pages")
    await client.create_page(page_body(source), "Key", KEY)
    assert [seconds for seconds in clock.slept if seconds in {1.0, 2.0}] == [1.0, 2.0]
    assert [each.path.split("/")[-1] for each in notion.asked("POST /v1/(pages|data)")][:2] == ["pages", "query"]


async def test_a_creation_that_stays_unclear_is_not_tried_forever(notion, client, source):
    notion.fail("502", "POST /v1/pages", times=99)
    with pytest.raises(NotionUnsure):
        await client.create_page(page_body(source), "Key", KEY)
    assert len(notion.asked("POST /v1/pages")) == 2


async def test_a_page_in_the_trash_is_found_before_it_is_created_again(notion, client, source):
    notion.fail("dropped", "POST /v1/pages", saved=True)
    page = (await client.create_page(page_body(source), "Key", KEY)).page
    notion.trash(page["id"])
    assert [each["id"] for each in await client.find(source, "Key", KEY)] == [page["id"]]


async def test_copies_of_a_page_are_trashed_but_the_oldest(notion, client, source):
    pages = [(await client.create_page(page_body(source), "Key", KEY)).page for _ in range(3)]
    kept = await client.settle(source, "Key", KEY)
    first = min(pages, key=lambda page: (page["created_time"], page["id"]))
    assert kept is not None
    assert [row["id"] for row in notion.rows(source)] == [first["id"]] == [kept["id"]]


async def test_a_page_that_a_person_made_by_duplicating_ours_is_theirs(notion, client, source):
    pages = [(await client.create_page(page_body(source), "Key", KEY)).page for _ in range(2)]
    with notion.by_a_person():
        theirs = notion.create_page(page_body(source))["id"]
    kept = await client.settle(source, "Key", KEY)
    assert kept is not None
    assert {row["id"] for row in notion.rows(source)} == {kept["id"], theirs}
    assert kept["id"] in {page["id"] for page in pages}


async def test_a_creation_that_arrives_after_we_gave_up_waiting_is_one_page_after_settling(notion, address, clock):
    client = NotionClient(TOKEN, address, now=clock.now, sleep=clock.sleep, timeout=1)
    source = (await client.create_database(database_body(notion.page())))["data_sources"][0]["id"]
    notion.fail("slow", "POST /v1/pages", seconds=2, saved=True)
    created = await client.create_page(page_body(source), "Key", KEY)
    await notion.quiet()
    assert created.unsure
    assert len(notion.rows(source)) == 2
    await client.settle(source, "Key", KEY)
    assert len(notion.rows(source)) == 1
    await client.close()


async def test_a_long_pause_is_reported_and_kept_by_everyone(notion, client, source, clock):
    notion.fail("429", "GET /v1/users/me", retry_after=90)
    with pytest.raises(NotionDown) as down:
        await client.me()
    with pytest.raises(NotionDown):
        await client.data_source(source)
    assert down.value.wait == pytest.approx(90, abs=1)
    assert len(notion.requests) == 1
    clock.seconds += 90
    assert (await client.me())["object"] == "user"


async def test_a_short_pause_holds_every_request(notion, client, source, clock):
    notion.fail("429", "GET /v1/users/me", retry_after=5)
    before = clock.seconds
    await asyncio.gather(client.me(), *(client.data_source(source) for _ in range(3)))
    assert clock.seconds - before >= 5


async def test_thirty_requests_at_once_go_out_at_just_under_three_a_second_after_the_first_three(client, source, clock):
    clock.seconds += 60
    before = clock.seconds
    await asyncio.gather(*(client.data_source(source) for _ in range(30)))
    assert clock.seconds - before == pytest.approx(27 / RATE, abs=0.01)


@pytest.mark.parametrize(
    ("kind", "status", "said"),
    [("401", 401, "NOTION_TOKEN"), ("403", 403, "capabilities")],
)
async def test_a_refusal_tells_the_operator_the_next_step_and_is_not_repeated(notion, client, kind, status, said):
    notion.fail(kind)
    with pytest.raises(NotionRefused) as refused:
        await client.me()
    assert (refused.value.status, refused.value.everything) == (status, True)
    assert said in refused.value.next_step
    assert len(notion.requests) == 1


async def test_what_is_not_shared_names_the_connection(notion, client):
    with pytest.raises(NotionRefused) as refused:
        await client.children("38c9ce7b-60a4-8162-b68a-dc4b57564454")
    assert 'integration "Secretary Bot"' in refused.value.reason
    assert "Connections" in refused.value.next_step


async def test_a_revoked_token_stands_in_no_log(notion, address, clock, caplog):
    caplog.set_level(logging.DEBUG)
    client = NotionClient("ntn_verysecret", address, now=clock.now, sleep=clock.sleep)
    with pytest.raises(NotionRefused):
        await client.me()
    await client.close()
    assert "ntn_verysecret" not in caplog.text


async def test_nobody_listening_is_a_notion_that_is_down(clock):
    client = NotionClient(TOKEN, "http://127.0.0.1:9", now=clock.now, sleep=clock.sleep)
    with pytest.raises(NotionDown):
        await client.me()
    await client.close()


async def test_loopback_never_goes_through_a_proxy(notion, monkeypatch, clock):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    async with serving(notion) as address:
        client = NotionClient(TOKEN, f"{address}/v1/", now=clock.now, sleep=clock.sleep)
        assert (await client.me())["type"] == "bot"
        await client.close()


async def test_a_list_of_more_than_a_hundred_is_read_to_its_end(notion, client, source):
    for number in range(105):
        notion.create_page(page_body(source, f"{number:032x}"))
    assert len({page["id"] for page in await client.query(source, {})}) == 105


async def test_the_body_that_arrives_is_the_body_that_was_meant(notion, client, source):
    meant = {
        **page_body(source),
        "children": [{"object": "block", "type": "paragraph", "paragraph": {"rich_text": []}}],
    }
    page = (await client.create_page(meant, "Key", KEY)).page
    await client.update_page(page["id"], {"in_trash": True})
    assert [each.body for each in notion.asked("/v1/pages")] == [meant, {"in_trash": True}]


@pytest.mark.parametrize(
    "text",
    [
        "38c9ce7b60a48162b68adc4b57564454",
        "38C9CE7B-60A4-8162-B68A-DC4B57564454",
        " https://www.notion.so/38c9ce7b60a48162b68adc4b57564454?v=00000000000040008000000000000001&pvs=4 ",
        "https://www.notion.so/acme/Mein-Tag-dad-38c9ce7b60a48162b68adc4b57564454#00000000000040008000000000000002",
        "https://app.notion.com/p/acme/Records-2026-38c9ce7b60a48162b68adc4b57564454",
        "https://app.notion.com/p/38c9ce7b60a48162b68adc4b57564454",
        "https://acme.notion.site/Records-38c9ce7b60a48162b68adc4b57564454",
        "collection://38c9ce7b-60a4-8162-b68a-dc4b57564454",
    ],
)
def test_an_id_is_read_from_every_form_people_paste(text: str):
    assert notion_id(text) == "38c9ce7b-60a4-8162-b68a-dc4b57564454"


@pytest.mark.parametrize("text", ["", "Secretary", "https://www.notion.so/acme", "38c9ce7b60a48162b68adc4b5756445"])
def test_what_is_no_id_is_none(text: str):
    assert notion_id(text) is None


async def test_a_database_id_or_a_page_holding_it_leads_to_the_data_source(notion, client, source):
    database = notion.sources[source]["parent"]["database_id"]
    page = notion.databases[database]["parent"]["page_id"]
    for given in (source, database, notion.databases[database]["url"] + "?v=" + "0" * 32, page):
        assert (await find_data_source(client, given))["id"] == source


def beside(notion, source: str, columns: dict | None = None) -> str:
    """A second data source that a person added to the same database."""
    parent = {"database_id": notion.sources[source]["parent"]["database_id"]}
    return notion.create_source({"parent": parent, "properties": columns or {"Name": {"title": {}}}})["id"]


async def test_a_second_data_source_does_not_lead_away_from_the_one_with_our_columns(notion, client, source):
    other, database = beside(notion, source), notion.sources[source]["parent"]["database_id"]
    assert (await find_data_source(client, database))["id"] == source
    assert (await find_data_source(client, database, known=other))["id"] == other
    assert (await find_data_source(client, other))["id"] == other


async def test_of_several_that_could_be_meant_each_is_named(notion, client, source):
    other = beside(notion, source, {"Name": {"title": {}}, "K": {"rich_text": {}, "description": "secretary:v1:key"}})
    with pytest.raises(NotionRefused, match=other):
        await find_data_source(client, notion.sources[source]["parent"]["database_id"])


async def test_a_linked_view_of_a_database_elsewhere_is_said_to_be_one(notion, client, source):
    database = notion.sources[source]["parent"]["database_id"]
    page = notion.databases[database]["parent"]["page_id"]
    notion.databases[database]["data_sources"] = []
    for given in (database, page):
        with pytest.raises(NotionRefused, match="linked view") as refused:
            await find_data_source(client, given)
        assert "Open the original" in refused.value.next_step


async def test_a_page_without_a_database_is_said_to_be_one(notion, client):
    with pytest.raises(NotionRefused, match="holds no database") as refused:
        await find_data_source(client, notion.page("Empty"))
    assert "NOTION_PARENT_PAGE_ID" in refused.value.next_step


async def test_an_unshared_address_says_what_notion_said(client):
    with pytest.raises(NotionRefused, match="shared with your integration"):
        await find_data_source(client, "38c9ce7b60a48162b68adc4b57564454")


def test_the_sdk_is_not_loaded_before_the_first_call():
    code = "import sys, tools.notion.setup, tools.notion.sync; print({'httpx', 'notion_client'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        timeout=60,
    )
    assert done.stdout.strip() == "set()"


async def test_what_notion_cannot_find_at_once_is_asked_for_in_smaller_parts(client, source, notion):
    for _ in range(30):
        notion.add_row(source)
    notion.fail("503 database", "query", times=2)
    assert len(await client.query(source, {})) == 30
    assert [each.body["page_size"] for each in notion.asked("query")] == [100, 100, 25, 100]
