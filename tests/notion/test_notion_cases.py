"""What people reported of programs that keep records in Notion, row by row: which test shows that it is right here.

A row is named by its number in the list of cases. Where no other test shows a row, one stands here, over real HTTP. At
the end it is told that every test that is named exists, and that no row is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.case_list import assert_all_are_shown, assert_they_exist
from tests.notion.house import OWNER, SOON
from tools.notion.client import NOTION_VERSION
from tools.notion.page import date_value
from tools.record import Note

ROOT = Path(__file__).resolve().parents[2]
HERE = "notion/test_notion_cases.py"
FAULTS = "notion/test_sync_faults.py::test_whatever_fails_the_end_is_that_of_a_day_without"
TYPED = (
    f"{HERE}::test_a_model_never_writes_what_notion_reads",
    "test_tool_arguments.py::test_whatever_is_sent_is_an_object_or_a_refusal",
    "test_definition.py::test_what_is_nested_is_cleaned_and_validated_too",
)
LINKS = (
    "notion/test_client.py::test_an_id_is_read_from_every_form_people_paste",
    "notion/test_client.py::test_a_database_id_or_a_page_holding_it_leads_to_the_data_source",
)
LENGTHS = (
    "notion/test_page.py::test_pieces_are_the_text_again_and_none_is_too_long",
    "notion/test_page.py::test_five_thousand_characters_arrive_whole",
)
DATES = (
    "notion/test_page.py::test_days_stay_days_and_clock_times_carry_their_offset_to_the_minute",
    f"{HERE}::test_every_date_that_is_sent_is_padded_and_carries_its_offset",
)
ONCE = (
    "notion/test_pull.py::test_a_minute_is_all_that_notion_tells_and_no_second_is_lost_by_that",
    f"{HERE}::test_what_was_seen_already_is_no_news_however_often_it_is_answered",
)

SHOWN_BY: dict[str, tuple[str, ...]] = {
    # ── the shape of the API
    "2": (
        "live/test_conformance.py::test_notion_is_as_it_is_taken_to_be",
        "notion/test_schema.py::test_columns_are_created_inside_the_initial_data_source",
    ),
    "3": (f"{HERE}::test_only_calls_of_the_present_api_go_out",),
    "5": TYPED,
    "6": TYPED,
    "7": (*TYPED, "test_bad_arguments.py::test_what_cannot_be_read_reaches_no_handler"),
    "9": (
        "notion/test_page.py::test_a_value_that_came_back_empty_is_noticed",
        "notion/test_sync.py::test_what_notion_left_out_is_said",
    ),
    "11": (
        f"{HERE}::test_only_calls_of_the_present_api_go_out",
        "notion/test_client.py::test_the_body_that_arrives_is_the_body_that_was_meant",
    ),
    "14": (
        f"{HERE}::test_only_calls_of_the_present_api_go_out",
        "notion/test_emulated_queries.py::test_what_notion_refuses_is_refused",
    ),
    "16": (f"{HERE}::test_a_status_is_a_select_and_no_column_is_computed",),
    "17": (f"{HERE}::test_a_status_is_a_select_and_no_column_is_computed",),
    "19": (
        "notion/test_page.py::test_any_content_and_tag_is_taken_by_notion",
        "notion/test_page.py::test_every_column_we_fill_is_named_also_when_it_is_empty",
    ),
    "21": (
        "notion/test_client.py::test_a_linked_view_of_a_database_elsewhere_is_said_to_be_one",
        "notion/test_client.py::test_a_second_data_source_does_not_lead_away_from_the_one_with_our_columns",
        "notion/test_client.py::test_of_several_that_could_be_meant_each_is_named",
    ),
    "22": LINKS,
    "23": (*LINKS, "notion/test_client.py::test_an_unshared_address_says_what_notion_said"),
    "25": (f"{HERE}::test_only_calls_of_the_present_api_go_out",),
    # ── sizes
    "26": LENGTHS,
    "28": (
        *LENGTHS,
        "notion/test_sync.py::test_more_notes_than_one_request_takes_all_arrive",
        "notion/test_sync.py::test_long_content_and_notes_stand_in_the_page_and_what_people_wrote_there_stays",
    ),
    # ── looking what people did
    "31": ONCE,
    "32": ONCE,
    "33": (
        *ONCE,
        "notion/test_emulated_webhooks.py::test_what_a_person_does_is_signalled_and_what_we_did_ourselves_is_not",
    ),
    "34": ("notion/test_page.py::test_a_comma_in_a_tag_becomes_an_enumeration_comma_and_the_tag_itself_is_kept",),
    "36": (
        "notion/test_client.py::test_a_creation_through_any_fault_leaves_one_page",
        "notion/test_sync.py::test_what_did_not_change_is_not_sent_again",
        FAULTS,
    ),
    "37": (
        "notion/test_sync.py::test_a_page_that_the_person_trashed_is_not_brought_back_and_holds_up_nothing",
        "notion/test_pull.py::test_what_was_changed_here_and_thrown_away_there_is_gone_with_its_change_which_is_told",
        "notion/test_pull.py::test_what_was_thrown_away_in_notion_is_deleted_softly_and_comes_back_with_its_ref",
    ),
    "41": (
        "notion/test_bad_days.py::test_a_burst_of_records_goes_out_at_three_requests_a_second",
        "notion/test_client.py::test_a_short_pause_holds_every_request",
    ),
    # ── days and filters
    "42": (
        f"{HERE}::test_a_status_is_a_select_and_no_column_is_computed",
        "notion/test_days_and_zones.py::test_at_half_past_midnight_today_is_today_in_every_zone",
    ),
    "44": (
        "notion/test_setup.py::test_a_retyped_column_is_left_as_it_is_and_said",
        "notion/test_sync.py::test_a_retyped_or_deleted_column_is_left_out_from_then_on",
    ),
    "45": DATES,
    "46": DATES,
    "47": (f"{HERE}::test_a_status_is_a_select_and_no_column_is_computed",),
    "50": (
        f"{HERE}::test_an_answer_that_leaves_rows_out_is_never_taken_for_all",
        "notion/test_collection.py::test_of_an_incomplete_answer_what_is_there_is_told_and_none_is_no_answer",
    ),
    "51": (
        f"{HERE}::test_a_status_is_a_select_and_no_column_is_computed",
        "notion/test_emulated_workspace.py::test_of_many_people_a_page_shows_twenty_five_and_the_property_the_rest",
    ),
    "52": (FAULTS, "notion/test_client.py::test_a_creation_through_any_fault_leaves_one_page"),
    "53": (
        "notion/test_pull.py::test_what_is_about_to_be_shown_is_looked_for_in_the_trash",
        "notion/test_emulated_workspace.py::test_a_query_that_lags_behind_sees_a_row_as_it_was",
        FAULTS,
    ),
    "54": (FAULTS, "notion/test_client.py::test_an_update_through_any_fault_ends_as_without_it"),
    "55": (
        "notion/test_reading.py::test_a_status_that_is_null_is_the_default_and_a_column_that_is_not_there_says_nothing",
    ),
    # ── once and whole
    "57": (
        "notion/test_rebuild.py::test_a_notion_that_fails_in_between_is_gone_on_with",
        "notion/test_rebuild.py::test_whatever_it_dies_of_it_goes_on_and_nothing_is_there_twice",
    ),
    "58": (
        "notion/test_client.py::test_an_unclear_creation_is_looked_for_after_one_second_and_after_two_more",
        FAULTS,
    ),
    "60": (
        f"{HERE}::test_pages_whose_addresses_change_are_the_pages_they_were",
        "notion/test_client.py::test_an_id_is_read_from_every_form_people_paste",
    ),
    "61": (
        f"{HERE}::test_the_key_that_a_page_is_found_again_by_stands_in_its_row",
        "notion/test_client.py::test_copies_of_a_page_are_trashed_but_the_oldest",
    ),
    "62": (
        "notion/test_sync_faults.py::test_a_process_that_dies_after_a_creation_finds_the_page_again",
        "notion/test_table.py::test_a_mending_that_died_before_it_was_stored_is_not_done_twice",
        FAULTS,
    ),
    "65": (*DATES, "notion/test_page.py::test_without_a_zone_a_clock_time_keeps_its_own_offset"),
    "67": (
        "notion/test_reading.py::test_a_date_is_what_the_column_shows",
        "notion/test_days_and_zones.py::test_what_is_on_a_day_is_what_is_on_it_where_the_person_is",
    ),
    "68": LINKS,
    "69": (
        "notion/test_client.py::test_what_is_not_shared_names_the_connection",
        "notion/test_setup.py::test_a_page_that_is_not_shared_is_refused_with_the_clicks",
    ),
    "71": (
        "test_bad_arguments.py::test_a_value_of_the_wrong_kind_reaches_no_memory",
        "test_definition.py::test_no_json_makes_a_handler_raise_anything_but_a_tool_error",
        "notion/test_page.py::test_any_content_and_tag_is_taken_by_notion",
    ),
    "72": (
        "notion/test_client.py::test_nobody_listening_is_a_notion_that_is_down",
        FAULTS,
    ),
    "74": (
        f"{HERE}::test_who_tries_again_does_not_do_so_in_step",
        "notion/test_sync.py::test_of_two_processes_one_pushes_at_a_time",
    ),
    "76": ("notion/test_sync.py::test_a_change_amends_the_page_in_place",),
}


# ── what no other test shows ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
async def day(house):
    """A record that was made, changed, deleted and brought back, and then looked at again: all that goes out."""
    house.notion.now = house.now
    sync = house.sync()
    ref = await house.add("買牛奶", notes=(Note(house.now(), "兩瓶"),), tags=("家",))
    for step in (lambda: house.revise(ref, content="買豆漿"), lambda: house.remove(ref), house.undo):
        assert (await sync.push(OWNER, SOON)).waiting == 0
        await step()
    assert (await sync.push(OWNER, SOON)).waiting == 0
    house.clock.seconds += 200
    await sync.refresh(OWNER, SOON)
    return house


async def test_only_calls_of_the_present_api_go_out(day):
    # The emulator takes one version only, and each body is judged by Notion's own description of it.
    assert NOTION_VERSION == "2026-03-11"
    assert day.notion.asked("databases/[^/]+/query") == []
    assert {each.status for each in day.notion.requests} == {200}
    made = [each.body for each in day.notion.asked("POST /v1/pages$")]
    assert made
    assert {key for body in made for key in body} <= {"parent", "properties", "children"}
    assert day.notion.violations == []


RAW = {"parent", "properties", "filter", "sorts", "data_source_id", "database_id", "page_id", "children"}


def test_a_model_never_writes_what_notion_reads():
    names = _arguments(json.loads((ROOT / "tests" / "golden" / "tools.json").read_text("utf-8")))
    assert "content" in names
    assert names & RAW == set()


def _arguments(node: object) -> set[str]:
    """The names of all arguments in schemas, however deep."""
    if isinstance(node, list):
        return set().union(*map(_arguments, node))
    if not isinstance(node, dict):
        return set()
    own = node.get("properties")
    return set(own if isinstance(own, dict) else ()).union(*map(_arguments, node.values()))


async def test_a_status_is_a_select_and_no_column_is_computed(house):
    columns = house.notion.sources[house.source]["properties"].values()
    assert {each["type"] for each in columns} <= {
        "title", "rich_text", "select", "multi_select", "date", "number", "checkbox", "url", "files",
    }  # fmt: skip


def test_every_date_that_is_sent_is_padded_and_carries_its_offset():
    moment = datetime(2026, 7, 1, 8, 5, 59, tzinfo=UTC)
    value = date_value(moment, moment + timedelta(hours=1))
    assert value == {"start": "2026-07-01T08:05:00+00:00", "end": "2026-07-01T09:05:00+00:00"}
    assert date_value(moment.date()) == {"start": "2026-07-01", "end": None}


async def test_what_was_seen_already_is_no_news_however_often_it_is_answered(day):
    sync, (row,) = day.made[-1], day.rows()
    day.notion.edit(row["id"], Title="買麵包")
    for _ in range(3):
        day.clock.seconds += 10
        await sync.refresh(OWNER, SOON)
    record = await day.memory().get(1)
    assert record.content == "買麵包"
    day.clock.seconds += 300
    await sync.refresh(OWNER, SOON)
    assert (await day.memory().get(1)).rev == record.rev
    day.notion.requests.clear()
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert day.notion.asked("PATCH|POST /v1/pages") == []


async def test_an_answer_that_leaves_rows_out_is_never_taken_for_all(day):
    sync = day.made[-1]
    for number in range(6):
        await day.add(f"{number}")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    day.notion.fail("incomplete", "query", times=50)
    day.clock.seconds += 3 * 24 * 3600
    await sync.refresh(OWNER, SOON)
    day.notion.faults.clear()
    assert [(await day.memory().get(ref)).deleted_at for ref in range(1, 8)] == [None] * 7
    assert len(day.rows()) == 7


async def test_pages_whose_addresses_change_are_the_pages_they_were(day):
    sync = day.made[-1]
    for page in day.notion.pages.values():
        page["url"] = page["url"].replace("www.notion.so", "app.notion.com/p")
    day.notion.host = "https://app.notion.com/p"
    await day.revise(1, content="買麵包")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    day.clock.seconds += 200
    await sync.refresh(OWNER, SOON)
    assert day.titles() == ["買麵包"]
    pages = await sync.pages([(await day.memory().get(1)).id])
    assert [url.startswith("https://app.notion.com/p/") for url in pages.values()] == [True]


async def test_the_key_that_a_page_is_found_again_by_stands_in_its_row(day):
    (row,) = day.rows()
    key = next(each for each in row["properties"].values() if each["id"] == day.ids["key"])["rich_text"][0][
        "plain_text"
    ]
    assert key == (await day.memory().get(1)).key
    assert re.fullmatch(r"[0-9a-f]{32}", key)


async def test_who_tries_again_does_not_do_so_in_step(day, clock):
    waits = []
    for _ in range(4):
        day.notion.fail("502", "PATCH", times=1)
        clock.slept.clear()
        await day.revise(1, content=f"{len(waits)}")
        assert (await day.made[-1].push(OWNER, SOON)).waiting == 0
        waits.append(max(clock.slept))
    assert len(set(waits)) > 1


# ── the list ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("row", SHOWN_BY)
def test_every_test_that_is_named_exists(row: str):
    assert_they_exist(SHOWN_BY[row])


def test_every_row_of_the_list_is_shown(shared: Path, record_property: Callable[[str, object], None]):
    assert_all_are_shown(shared / "cases" / "notion.md", r"\d+", SHOWN_BY, record_property)
