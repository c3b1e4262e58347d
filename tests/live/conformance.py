"""What Notion is taken to do, as sentences that are asked of a workspace through Notion's own SDK.

The same sentences are asked of the emulated workspace and, where somebody lends a token, of a real one. Those whose
name ends in ``_we_assume`` stand in no recording and in no documentation: a real workspace may well answer otherwise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest

Json = dict[str, Any]
COLUMNS = {
    "Name": {"title": {}}, "Day": {"date": {}}, "Kind": {"select": {}}, "Tags": {"multi_select": {}},
    "Sum": {"number": {"format": "number"}}, "Done": {"checkbox": {}}, "Key": {"rich_text": {}}, "File": {"files": {}},
}  # fmt: skip
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c6300010000050001"
    "0d0a2db40000000049454e44ae426082"
)


@dataclass
class Table:
    """An empty data source of the columns above; ``sdk`` is an AsyncClient. ``mark`` keeps what one check makes apart
    from the rest."""

    sdk: Any
    page: str
    database: str
    source: str
    mark: str = field(default_factory=lambda: uuid4().hex)

    async def row(self, **properties: Any) -> Json:
        key = {"rich_text": [{"text": {"content": self.mark}}]}
        parent = {"type": "data_source_id", "data_source_id": self.source}
        return dict(await self.sdk.pages.create(parent=parent, properties={"Key": key, **properties}))

    async def found(self, filter_: Json | None = None, **body: Any) -> list[str]:
        """The ids of this check's rows, in the order they were answered."""
        ours = {"property": "Key", "rich_text": {"equals": self.mark}}
        both = ours if filter_ is None else {"and": [ours, filter_]}
        answer = await self.sdk.data_sources.query(self.source, filter=both, **body)
        return [each["id"] for each in answer["results"]]

    async def refused(self, call: Awaitable[Any]) -> tuple[int, str, str]:
        from notion_client.errors import APIResponseError

        with pytest.raises(APIResponseError) as caught:
            await call
        return caught.value.status, str(getattr(caught.value.code, "value", caught.value.code)), str(caught.value)


async def make_table(sdk: Any, page: str) -> Table:
    made = await sdk.databases.create(
        parent={"type": "page_id", "page_id": page},
        title=[{"text": {"content": "Conformance"}}],
        initial_data_source={"properties": COLUMNS},
    )
    return Table(sdk, page, made["id"], made["data_sources"][0]["id"])


def text(content: str) -> list[Json]:
    return [{"text": {"content": content}}]


# ── values ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def a_time_is_kept_to_the_minute_and_its_zone_as_an_offset(table: Table) -> None:
    given = {"start": "2026-06-27T18:01:15.377", "time_zone": "Europe/London"}
    held = (await table.row(Day={"date": given}))["properties"]["Day"]["date"]
    assert held == {"start": "2026-06-27T18:01:00.000+01:00", "end": None, "time_zone": None}


async def a_day_stays_a_day(table: Table) -> None:
    held = (await table.row(Day={"date": {"start": "2026-07-01"}}))["properties"]["Day"]["date"]
    assert held == {"start": "2026-07-01", "end": None, "time_zone": None}


async def nothing_comes_back_as_nothing(table: Table) -> None:
    held = (await table.row())["properties"]
    assert {name: held[name][held[name]["type"]] for name in COLUMNS if name != "Key"} == {
        "Name": [], "Day": None, "Kind": None, "Tags": [], "Sum": None, "Done": False, "File": [],
    }  # fmt: skip


async def an_option_is_made_by_being_used_and_may_have_no_comma(table: Table) -> None:
    held = await table.row(Tags={"multi_select": [{"name": "牛奶、麵包"}, {"name": table.mark}]})
    assert [each["name"] for each in held["properties"]["Tags"]["multi_select"]] == ["牛奶、麵包", table.mark]
    status, code, message = await table.refused(table.row(Kind={"select": {"name": "Physics, Statistics"}}))
    assert (status, code) == (400, "validation_error")
    assert "commas not allowed" in message


async def texts_are_counted_in_utf16_units_we_assume(table: Table) -> None:
    await table.row(Name={"title": text("𝄞" * 1000)})
    status, _, message = await table.refused(table.row(Name={"title": text("𝄞" * 1001)}))
    assert status == 400
    assert "2000" in message


async def a_hundred_pieces_of_text_are_taken_and_no_more(table: Table) -> None:
    await table.row(Name={"title": text("x") * 100})
    assert (await table.refused(table.row(Name={"title": text("x") * 101})))[0] == 400


async def a_column_is_named_by_its_id_too_and_a_list_is_replaced(table: Table) -> None:
    made = await table.row(Tags={"multi_select": [{"name": "a"}, {"name": "b"}]})
    id_ = made["properties"]["Tags"]["id"]
    after = await table.sdk.pages.update(made["id"], properties={id_: {"multi_select": [{"name": "c"}]}})
    assert [each["name"] for each in after["properties"]["Tags"]["multi_select"]] == ["c"]


async def a_number_is_a_number(table: Table) -> None:
    assert (await table.refused(table.row(Sum={"number": "1"})))[:2] == (400, "validation_error")


# ── queries ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def a_row_is_found_by_its_key_right_after_it_was_made_we_assume(table: Table) -> None:
    made = (await table.row())["id"]
    assert await table.found() == [made]


async def equals_a_day_is_the_day_of_utc(table: Table) -> None:
    early = (await table.row(Day={"date": {"start": "2026-07-01T00:00:00+08:00"}}))["id"]
    late = (await table.row(Day={"date": {"start": "2026-07-01T23:59:00Z"}}))["id"]
    found = await table.found({"property": "Day", "date": {"equals": "2026-07-01"}})
    assert (early in found, late in found) == (False, True)


async def times_are_compared_by_the_minute(table: Table) -> None:
    made = (await table.row(Day={"date": {"start": "2026-06-27T18:01:00Z"}}))["id"]
    assert await table.found({"property": "Day", "date": {"before": "2026-06-27T18:01:15Z"}}) == []
    assert await table.found({"property": "Day", "date": {"equals": "2026-06-27T18:01:15Z"}}) == [made]


async def a_filter_sees_the_start_of_a_range_only_we_assume(table: Table) -> None:
    range_ = {"start": "2026-07-01", "end": "2026-07-05"}
    await table.row(Day={"date": range_})
    assert await table.found({"property": "Day", "date": {"on_or_after": "2026-07-03"}}) == []


async def a_negative_finds_what_is_empty(table: Table) -> None:
    empty = (await table.row())["id"]
    await table.row(Kind={"select": {"name": "done"}})
    assert await table.found({"property": "Kind", "select": {"does_not_equal": "done"}}) == [empty]


async def a_text_equals_by_case_and_contains_without_we_assume(table: Table) -> None:
    made = (await table.row(Name={"title": text("Milk")}))["id"]
    assert await table.found({"property": "Name", "title": {"equals": "milk"}}) == []
    assert await table.found({"property": "Name", "title": {"contains": "milk"}}) == [made]


async def without_an_order_the_newest_comes_first_and_the_rest_by_the_cursor(table: Table) -> None:
    made = [(await table.row())["id"] for _ in range(3)]
    ours = {"property": "Key", "rich_text": {"equals": table.mark}}
    first = await table.sdk.data_sources.query(table.source, filter=ours, page_size=2)
    rest = await table.sdk.data_sources.query(table.source, filter=ours, page_size=2, start_cursor=first["next_cursor"])
    assert [each["id"] for each in (*first["results"], *rest["results"])] == made[::-1]
    assert (first["has_more"], rest["has_more"], rest["next_cursor"]) == (True, False, None)


async def what_is_empty_is_sorted_last_we_assume(table: Table) -> None:
    await table.row()
    filled = (await table.row(Sum={"number": 1}))["id"]
    for direction in ("ascending", "descending"):
        assert (await table.found(sorts=[{"property": "Sum", "direction": direction}]))[0] == filled


async def a_row_is_found_by_when_it_was_edited_and_by_whom(table: Table) -> None:
    made = await table.row()
    me = await table.sdk.users.me()
    assert (made["created_by"]["id"], made["last_edited_by"]["id"]) == (me["id"], me["id"])
    since = {"timestamp": "last_edited_time", "last_edited_time": {"on_or_after": made["last_edited_time"]}}
    assert await table.found(since) == [made["id"]]


async def a_wrong_operator_is_refused(table: Table) -> None:
    assert (await table.refused(table.found({"property": "Sum", "number": {"grater_than": 1}})))[0] == 400


# ── the trash, ids, columns ───────────────────────────────────────────────────────────────────────────────────────────


async def the_trash_is_left_out_and_can_be_asked_for(table: Table) -> None:
    made = (await table.row())["id"]
    await table.sdk.pages.update(made, in_trash=True)
    assert await table.found() == []
    assert await table.found(in_trash=True) == [made]
    status, _, message = await table.refused(table.sdk.pages.update(made, properties={"Sum": {"number": 1}}))
    assert status == 400
    assert "archived" in message
    await table.sdk.pages.update(made, in_trash=False)
    assert await table.found() == [made]


async def what_is_not_there_is_404_and_what_is_no_id_400(table: Table) -> None:
    status, code, message = await table.refused(table.sdk.pages.retrieve(str(uuid4())))
    assert (status, code) == (404, "object_not_found")
    assert "are shared with your integration" in message
    status, code, message = await table.refused(table.sdk.pages.retrieve("12345678-1234-1234-1234-123456789abc"))
    assert (status, code) == (400, "validation_error")
    assert "should be a valid uuid" in message


async def a_database_is_no_data_source_we_assume(table: Table) -> None:
    assert (await table.refused(table.sdk.data_sources.query(table.database)))[:2] == (404, "object_not_found")


async def columns_beside_the_data_source_are_ignored(table: Table) -> None:
    body = {"parent": {"type": "page_id", "page_id": table.page}, "properties": COLUMNS}
    made = await table.sdk.request(path="databases", method="POST", body=body)
    source = await table.sdk.data_sources.retrieve(made["data_sources"][0]["id"])
    assert list(source["properties"]) == ["Name"]
    await table.sdk.databases.update(made["id"], in_trash=True)


async def a_column_is_added_described_and_renamed(table: Table) -> None:
    name, new = f"c{table.mark[:6]}", f"d{table.mark[:6]}"
    given = {name: {"type": "number", "number": {"format": "number"}, "description": "secretary:v1:test"}}
    source = await table.sdk.data_sources.update(table.source, properties=given)
    column = source["properties"][name]
    assert column["description"] == "secretary:v1:test"
    source = await table.sdk.data_sources.update(table.source, properties={column["id"]: {"name": new}})
    assert source["properties"][new]["id"] == column["id"]
    await table.sdk.data_sources.update(table.source, properties={new: None})


# ── what stands in a page, files, views ───────────────────────────────────────────────────────────────────────────────


async def paragraphs_are_put_where_they_belong(table: Table) -> None:
    made = (await table.row())["id"]

    async def put(content: str, position: Json) -> str:
        body = {"children": [{"paragraph": {"rich_text": text(content)}}], "position": position}
        answer = await table.sdk.request(path=f"blocks/{made}/children", method="PATCH", body=body)
        return str(answer["results"][-1]["id"])

    first = await put("1", {"type": "end"})
    await put("3", {"type": "end"})
    await put("0", {"type": "start"})
    await put("2", {"type": "after_block", "after_block": {"id": first}})
    blocks = (await table.sdk.blocks.children.list(made))["results"]
    assert "".join(each["paragraph"]["rich_text"][0]["plain_text"] for each in blocks) == "0123"


async def markdown_is_written_and_read(table: Table) -> None:
    made = (await table.row())["id"]
    insert = {"content": "## New Section\n\nHello from markdown."}
    told = await table.sdk.pages.update_markdown(made, type="insert_content", insert_content=insert)
    assert told["markdown"] == "## New Section\nHello from markdown."


async def a_file_is_made_sent_and_attached(table: Table) -> None:
    made = await table.sdk.file_uploads.create(mode="single_part", filename="dot.png", content_type="image/png")
    assert (made["object"], made["status"]) == ("file_upload", "pending")
    sent = await table.sdk.file_uploads.send(made["id"], file=("dot.png", PIXEL, "image/png"))
    assert (sent["status"], sent["content_length"]) == ("uploaded", len(PIXEL))
    page = (await table.row())["id"]
    block = {"image": {"type": "file_upload", "file_upload": {"id": made["id"]}}}
    await table.sdk.blocks.children.append(page, children=[block])
    (held,) = (await table.sdk.blocks.children.list(page))["results"]
    assert held["image"]["type"] == "file"
    assert held["image"]["file"]["url"].startswith("https://")


async def a_view_is_made_and_hides_columns_and_the_last_one_stays_we_assume(table: Table) -> None:
    columns = (await table.sdk.data_sources.retrieve(table.source))["properties"]
    hidden = {"type": "table", "properties": [{"property_id": columns["Key"]["id"], "visible": False}]}
    named: Json = {"data_source_id": table.source, "database_id": table.database, "name": table.mark[:8]}
    made = await table.sdk.views.create(type="table", configuration=hidden, **named)
    assert made["configuration"]["properties"][0]["visible"] is False
    by_day = {"type": "calendar", "date_property_id": columns["Day"]["id"]}
    calendar = await table.sdk.views.create(type="calendar", configuration=by_day, **named)
    for each in (made, calendar):
        await table.sdk.views.delete(each["id"])
    left = (await table.sdk.views.list(database_id=table.database))["results"]
    assert len(left) == 1
    assert (await table.refused(table.sdk.views.delete(left[0]["id"])))[0] == 400


CHECKS: list[Callable[[Table], Awaitable[None]]] = [
    each
    for name, each in list(globals().items())
    if asyncio.iscoroutinefunction(each) and not name.startswith("make_") and each.__module__ == __name__
]
