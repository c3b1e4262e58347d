"""The emulator over HTTP, asked with Notion's own SDK: what recordings and documentation tell of the real service."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.emulators.notion import TOKEN
from tests.emulators.notion_shelves import BOT, PERSON

Json = dict[str, Any]
COLUMNS = {
    "Name": {"title": {}}, "Day": {"date": {}}, "Kind": {"select": {}}, "Tags": {"multi_select": {}},
    "Sum": {"number": {}}, "Who": {"people": {}}, "File": {"files": {}}, "Key": {"rich_text": {}},
}  # fmt: skip


class Hours:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 30, 4, 0, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def hours(notion) -> Hours:
    notion.now = Hours()
    notion.judge = None  # what Notion refuses is asked here too, and what is newer than its published description
    return notion.now


@pytest.fixture
async def sdk(notion, address, hours):
    import httpx
    import notion_client

    made = notion_client.AsyncClient(
        client=httpx.AsyncClient(), auth=TOKEN, base_url=address, notion_version="2026-03-11", retry=False,
        logger=logging.getLogger("tests.sdk"),
    )  # fmt: skip
    yield made
    await made.aclose()


class Table:
    def __init__(self, notion: Any, sdk: Any, made: Json) -> None:
        self.notion, self.sdk = notion, sdk
        self.database, self.source = made["id"], made["data_sources"][0]["id"]

    async def row(self, **properties: Any) -> Json:
        parent = {"type": "data_source_id", "data_source_id": self.source}
        return dict(await self.sdk.pages.create(parent=parent, properties=properties))

    async def found(self, **body: Any) -> list[str]:
        answer = await self.sdk.data_sources.query(self.source, **body)
        return [each["id"] for each in answer["results"]]


@pytest.fixture
async def table(notion, sdk):
    parent = {"type": "page_id", "page_id": notion.page()}
    return Table(notion, sdk, await sdk.databases.create(parent=parent, initial_data_source={"properties": COLUMNS}))


async def refused(call: Any) -> tuple[int, str, str]:
    from notion_client.errors import APIResponseError

    with pytest.raises(APIResponseError) as caught:
        await call
    return caught.value.status, str(getattr(caught.value.code, "value", caught.value.code)), str(caught.value)


async def test_a_time_is_kept_to_the_minute_and_its_zone_as_an_offset(table):
    given = {"start": "2026-06-27T18:01:15.377", "time_zone": "Europe/London"}
    page = await table.row(Day={"date": given})
    held = page["properties"]["Day"]["date"]
    assert held == {"start": "2026-06-27T18:01:00.000+01:00", "end": None, "time_zone": None}
    assert page["created_time"] == page["last_edited_time"] == "2026-11-30T04:00:00.000Z"
    assert page["request_id"]


async def test_who_edited_a_row_and_when_is_told(table, hours):
    ours = await table.row()
    theirs = table.notion.add_row(table.source, Name="牛奶")
    hours.time += timedelta(minutes=3)
    table.notion.edit(ours["id"], Name="豆漿")
    page = await table.sdk.pages.retrieve(ours["id"])
    assert (page["created_by"]["id"], page["last_edited_by"]["id"]) == (BOT, PERSON)
    since = {"timestamp": "last_edited_time", "last_edited_time": {"on_or_after": "2026-11-30T04:02:59Z"}}
    assert await table.found(filter=since) == [ours["id"]]
    assert set(await table.found()) == {ours["id"], theirs}


async def test_the_trash_is_left_out_unless_it_is_asked_for(table):
    first, second = [(await table.row())["id"] for _ in range(2)]
    table.notion.trash(first)
    assert await table.found() == [second]
    assert await table.found(in_trash=True) == [first]
    assert (await refused(table.sdk.pages.update(first, properties={"Sum": {"number": 1}})))[:2] == (
        400, "validation_error",
    )  # fmt: skip
    table.notion.restore(first)
    assert set(await table.found()) == {first, second}


async def test_a_query_tells_ten_thousand_rows_and_says_that_it_left_some_out(table):
    table.notion.result_limit = 5
    ids = [table.notion.add_row(table.source) for _ in range(7)]
    told, cursor, answers = [], {}, []
    while True:
        answers.append(await table.sdk.data_sources.query(table.source, page_size=2, **cursor))
        told += [each["id"] for each in answers[-1]["results"]]
        if not answers[-1]["has_more"]:
            break
        cursor = {"start_cursor": answers[-1]["next_cursor"]}
    assert told == ids[:1:-1]  # the newest first
    assert answers[-1]["request_status"] == {
        "type": "incomplete", "incomplete_reason": "query_result_limit_reached",
    }  # fmt: skip
    assert all("request_status" not in each for each in answers[:-1])


async def test_of_many_people_a_page_shows_twenty_five_and_the_property_the_rest(table):
    from uuid import uuid4

    people = [{"id": str(uuid4())} for _ in range(60)]
    page = await table.row(Who={"people": people})
    shown = page["properties"]["Who"]
    assert len(shown["people"]) == 25
    item = await table.sdk.pages.properties.retrieve(page_id=page["id"], property_id=shown["id"], page_size=50)
    rest = await table.sdk.pages.properties.retrieve(
        page_id=page["id"], property_id=shown["id"], start_cursor=item["next_cursor"]
    )
    told = [each["people"]["id"] for each in (*item["results"], *rest["results"])]
    assert told == [each["id"] for each in people]


async def test_a_file_is_made_sent_and_attached_within_the_hour(table, hours):
    made = await table.sdk.file_uploads.create(mode="single_part", filename="bon.png", content_type="image/png")
    assert (made["status"], made["expiry_time"]) == ("pending", "2026-11-30T05:00:00.000Z")
    sent = await table.sdk.file_uploads.send(made["id"], file=("bon.png", b"\x89PNG" * 9, "image/png"))
    assert (sent["status"], sent["content_length"]) == ("uploaded", 36)
    page = await table.row()
    block = {"image": {"type": "file_upload", "file_upload": {"id": made["id"]}}}
    await table.sdk.blocks.children.append(page["id"], children=[block])
    (held,) = (await table.sdk.blocks.children.list(page["id"]))["results"]
    assert held["image"]["type"] == "file"
    hours.time += timedelta(hours=3)
    again = await table.sdk.pages.update(
        page["id"], properties={"File": {"files": [{"name": "bon", "file_upload": {"id": made["id"]}}]}}
    )
    assert again["properties"]["File"]["files"][0]["file"]["url"]
    late = await table.sdk.file_uploads.create(filename="spät.png")
    await table.sdk.file_uploads.send(late["id"], file=("spät.png", b"x", "image/png"))
    hours.time += timedelta(minutes=61)
    assert (await table.sdk.file_uploads.retrieve(late["id"]))["status"] == "expired"
    block = {"image": {"type": "file_upload", "file_upload": {"id": late["id"]}}}
    assert (await refused(table.sdk.blocks.children.append(page["id"], children=[block])))[0] == 400


async def test_a_file_over_the_limit_of_the_workspace_is_refused(table):
    limit = (await table.sdk.users.me())["bot"]["workspace_limits"]["max_file_upload_size_in_bytes"]
    assert limit == 5 * 1024 * 1024
    table.notion.upload_limit = 10
    made = await table.sdk.file_uploads.create(filename="a.png")
    assert (await refused(table.sdk.file_uploads.send(made["id"], file=("a.png", b"x" * 11, "image/png"))))[0] == 413


async def test_a_view_is_made_changed_listed_and_taken_away_but_never_the_last(table):
    (first,) = (await table.sdk.views.list(database_id=table.database))["results"]
    columns = table.notion.sources[table.source]["properties"]
    hidden = {"type": "table", "properties": [{"property_id": columns["Key"]["id"], "visible": False}]}
    await table.sdk.views.update(first["id"], configuration=hidden)
    made = await table.sdk.views.create(
        data_source_id=table.source, database_id=table.database, name="行事曆", type="calendar",
        configuration={"type": "calendar", "date_property_id": columns["Day"]["id"]},
    )  # fmt: skip
    assert (made["object"], made["filter"], made["configuration"]["date_property_id"]) == (
        "view", None, columns["Day"]["id"],
    )  # fmt: skip
    assert len((await table.sdk.views.list(data_source_id=table.source))["results"]) == 2
    await table.sdk.views.delete(made["id"])
    assert (await refused(table.sdk.views.delete(first["id"])))[0] == 400
    bad = {"property": "Kind", "number": {"equals": 1}}
    assert (await refused(table.sdk.views.update(first["id"], filter=bad)))[0] == 400


async def test_markdown_is_read_and_written_as_recorded(table):
    page = await table.row()
    insert = {"content": "## New Section\n\nHello from markdown."}
    told = await table.sdk.pages.update_markdown(page["id"], type="insert_content", insert_content=insert)
    assert told["markdown"] == "## New Section\nHello from markdown."
    assert (told["truncated"], told["unknown_block_ids"]) == (False, [])
    update = {"content_updates": [{"old_str": "Hello", "new_str": "Good day"}]}
    body = {"type": "update_content", "update_content": update}
    await table.sdk.request(path=f"pages/{page['id']}/markdown", method="PATCH", body=body)
    assert (await table.sdk.pages.retrieve_markdown(page["id"]))["markdown"].endswith("Good day from markdown.")


async def test_what_is_not_shared_and_what_is_no_id_are_told_apart(table):
    page = await table.row()
    table.notion.unshare(page["id"])
    status, code, message = await refused(table.sdk.pages.retrieve(page["id"]))
    assert (status, code) == (404, "object_not_found")
    assert 'shared with your integration "Secretary Bot"' in message
    status, code, message = await refused(table.sdk.pages.retrieve("12345678-1234-1234-1234-123456789abc"))
    assert (status, code) == (400, "validation_error")
    assert "path.page_id should be a valid uuid" in message


@pytest.mark.parametrize(("lost", "denied"), [("insert", "row"), ("read", "found")])
async def test_without_a_capability_it_is_forbidden(table, lost, denied):
    table.notion.capabilities -= {lost}
    assert (await refused(getattr(table, denied)()))[:2] == (403, "restricted_resource")


async def test_a_token_that_was_taken_back_opens_nothing(table):
    table.notion.fail("revoked", "POST /v1/pages")
    for _ in range(2):
        assert (await refused(table.row()))[:2] == (401, "unauthorized")


async def test_more_than_it_grants_is_answered_429_with_the_time_to_wait(table):
    table.notion.rate, table.notion.burst = 3, 3
    table.notion.clock = lambda: 7.0
    for _ in range(3):
        await table.sdk.users.me()
    assert (await refused(table.sdk.users.me()))[:2] == (429, "rate_limited")


async def test_a_workspace_without_room_makes_no_page_and_gives_none_back(table):
    table.notion.blocks_left = 1
    page = await table.row()
    assert (await refused(table.row()))[0] == 403
    await table.sdk.pages.update(page["id"], in_trash=True)
    assert (await refused(table.row()))[0] == 403


async def test_a_query_that_lags_behind_sees_a_row_as_it_was(table, hours):
    page = await table.row(Sum={"number": 1})
    table.notion.lag = timedelta(seconds=2)
    await table.sdk.pages.update(page["id"], properties={"Sum": {"number": 2}})
    await table.row()
    equals = {"property": "Sum", "number": {"equals": 2}}
    assert await table.found(filter=equals) == []
    assert (await table.sdk.pages.retrieve(page["id"]))["properties"]["Sum"]["number"] == 2
    hours.time += timedelta(seconds=2)
    assert await table.found(filter=equals) == [page["id"]]
    assert len(await table.found()) == 2


async def test_an_incomplete_query_says_so(table):
    for _ in range(4):
        await table.row()
    table.notion.fail("incomplete", "query")
    answer = await table.sdk.data_sources.query(table.source)
    assert answer["request_status"]["type"] == "incomplete"
    assert len(answer["results"]) < 4
    assert len(await table.found()) == 4


async def test_a_bad_filter_is_refused_in_an_empty_table_too(table):
    bad = {"property": "Sum", "number": {"grater_than": 1}}
    assert (await refused(table.found(filter=bad)))[:2] == (400, "validation_error")


async def test_a_linked_table_shows_no_data_source(table):
    linked = table.notion.linked(table.notion.page("Elsewhere"))
    assert (await table.sdk.databases.retrieve(linked))["data_sources"] == []


async def test_options_that_are_not_named_again_leave_the_column(table):
    await table.row(Kind={"select": {"name": "a"}})
    await table.row(Kind={"select": {"name": "b"}})
    only_b = {"Kind": {"select": {"options": [{"name": "b"}]}}}
    source = await table.sdk.data_sources.update(table.source, properties=only_b)
    assert [each["name"] for each in source["properties"]["Kind"]["select"]["options"]] == ["b"]
    comma = {"select": {"name": "Physics, Statistics"}}
    assert "commas not allowed" in (await refused(table.row(Kind=comma)))[2]


async def test_lengths_are_counted_as_javascript_counts(table):
    await table.row(Name={"title": [{"text": {"content": "𝄞" * 1000}}]})
    status, _, message = await refused(table.row(Name={"title": [{"text": {"content": "𝄞" * 1001}}]}))
    assert (status, "should be ≤ `2000`, instead was `2002`" in message) == (400, True)
    pieces = [{"text": {"content": "x"}}] * 101
    assert (await refused(table.row(Key={"rich_text": pieces})))[0] == 400
