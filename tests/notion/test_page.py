"""Records as pages: values within Notion's limits, and nothing lost that the columns cannot hold."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.emulators import notion_values as values
from tools.notion.page import (
    OPTIONS,
    body,
    date_value,
    dropped,
    learned,
    option,
    options_admitted,
    properties,
    retitled,
    shown_title,
    signs,
)
from tools.notion.pieces import cut, rich_text, units
from tools.notion.schema import COLUMNS, Binding, option_names
from tools.record import Note, PersonId, Record

TAIPEI = ZoneInfo("Asia/Taipei")
NOON = datetime(2026, 11, 30, 4, 0, 30, 123456, tzinfo=UTC)
BINDING = Binding(
    ids={column.field: f"id-{column.field}" for column in COLUMNS},
    names={column.field: column.name for column in COLUMNS},
    options={"tags": frozenset(), "category": frozenset()},
)


def record(**fields: Any) -> Record:
    plain: dict[str, Any] = {
        "content": "買牛奶", "type": "task", "id": "r1", "owner": PersonId("U1"), "ref": 12, "key": "0" * 32,
        "rev": 3, "created_at": NOON, "updated_at": NOON,
    }  # fmt: skip
    return Record(**(plain | fields))


def sent(language: str = "en", binding: Binding = BINDING, **fields: Any) -> dict[str, Any]:
    return properties(record(**fields), binding, option_names(language), TAIPEI)


def rare(**fields: Any) -> dict[str, Any]:
    pieces = sent(**fields)["id-data"]["rich_text"]
    return json.loads("".join(piece["text"]["content"] for piece in pieces))


def test_every_column_we_fill_is_named_also_when_it_is_empty():
    assert set(sent()) == {f"id-{column.field}" for column in COLUMNS}
    assert sent()["id-when"] == {"date": None}
    assert sent()["id-tags"] == {"multi_select": []}
    assert sent()["id-amount"] == {"number": None}


def test_a_column_that_is_not_bound_is_left_out():
    binding = replace(BINDING, ids={"title": "t", "key": "k"})
    assert set(sent(binding=binding)) == {"t", "k"}


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (date(2026, 12, 1), None, {"start": "2026-12-01", "end": None}),
        (date(2026, 12, 1), date(2026, 12, 3), {"start": "2026-12-01", "end": "2026-12-03"}),
        (NOON, None, {"start": "2026-11-30T12:00:00+08:00", "end": None}),
        (
            NOON,
            NOON + timedelta(hours=1),
            {"start": "2026-11-30T12:00:00+08:00", "end": "2026-11-30T13:00:00+08:00"},
        ),
        (date(2026, 11, 29), NOON, {"start": "2026-11-29T00:00:00+08:00", "end": "2026-11-30T12:00:00+08:00"}),
        (NOON, date(2026, 12, 1), {"start": "2026-11-30T12:00:00+08:00", "end": "2026-12-01T23:59:00+08:00"}),
    ],
)
def test_days_stay_days_and_clock_times_carry_their_offset_to_the_minute(start, end, expected):
    assert date_value(start, end, TAIPEI) == expected


def test_without_a_zone_a_clock_time_keeps_its_own_offset():
    at = NOON.astimezone(timezone(timedelta(hours=9)))
    assert date_value(at) == {"start": "2026-11-30T13:00:00+09:00", "end": None}


@pytest.mark.parametrize(("amount", "number"), [("120", 120), ("12.50", 12.5), ("0.1", 0.1), ("-3", -3)])
def test_an_amount_is_the_number_people_write(amount, number):
    assert json.dumps(sent(amount=Decimal(amount))["id-amount"]) == json.dumps({"number": number})
    assert "amount" not in rare(amount=Decimal(amount))


def test_an_amount_that_a_double_cannot_hold_stands_exactly_beside_it():
    assert rare(amount=Decimal(9007199254740993))["amount"] == "9007199254740993"
    assert rare(amount=Decimal("0.12345678901234567891"))["amount"] == "0.12345678901234567891"


def test_a_comma_in_a_tag_becomes_an_enumeration_comma_and_the_tag_itself_is_kept():
    tags = ("Physics, Data Analysis", "急件", " 急件 ", "")
    assert [each["name"] for each in sent(tags=tags)["id-tags"]["multi_select"]] == ["Physics、 Data Analysis", "急件"]
    assert rare(tags=tags)["tags"] == list(tags)


def test_plain_tags_are_not_kept_twice():
    assert "tags" not in rare(tags=("work", "急件"))


def test_a_column_of_ninety_options_takes_no_new_ones():
    known = frozenset(f"tag{number}" for number in range(OPTIONS))
    assert options_admitted(["new", "tag1"], known) == ["tag1"]
    assert options_admitted([f"n{number}" for number in range(9)], frozenset(list(known)[:85])) == [
        "n0", "n1", "n2", "n3", "n4",
    ]  # fmt: skip
    full = replace(BINDING, options={"tags": known, "category": known})
    assert sent(binding=full, category="food")["id-category"] == {"select": None}


def test_options_that_were_sent_are_known_afterwards():
    after = learned(BINDING, sent(tags=("a", "b"), category="food"))
    assert after.options == {"tags": {"a", "b"}, "category": {"food"}}


def test_types_and_statuses_are_named_in_the_language_of_the_house():
    assert sent("zh-TW", status="done")["id-status"] == {"select": {"name": "完成"}}
    assert sent("auto", status="done")["id-status"] == {"select": {"name": "done"}}


def test_a_short_line_needs_no_body():
    assert body(record(content="買牛奶")) == []


def test_long_or_many_lined_content_stands_whole_in_the_body_and_notes_follow():
    content = "第一行\n第二行"
    noted = record(content=content, notes=(Note(NOON, "兩瓶"),))
    assert signs(body(noted, TAIPEI)) == [content, "2026-11-30 12:00 兩瓶"]
    assert sent(content=content)["id-title"]["title"][0]["text"]["content"] == "第一行 第二行"
    assert signs(body(record(content="x" * 201))) == ["x" * 201]
    assert units(shown_title("x" * 201)) == 200


def test_a_text_whose_first_line_stands_alone_is_a_page_of_that_title():
    trip = "# 旅行\n\n- 機票\n- [x] 旅館"
    assert shown_title(trip) == "旅行"
    assert [each["type"] for each in body(record(content=trip))] == ["bulleted_list_item", "to_do"]
    assert retitled(trip, "東京") == "# 東京\n\n- 機票\n- [x] 旅館"
    for none in ("- 蛋\n\n- 牛奶", "1. a\n\n2. b", "> q\n\nx", "x" * 201 + "\n\ny", "x\n\n  ", "x\ny"):
        assert retitled(none, "東京") is None


def test_a_note_is_said_as_it_was_whatever_signs_are_in_it():
    (block,) = body(record(notes=(Note(NOON, "# 不是標題\n- **也不是**"),)), TAIPEI)
    assert block["paragraph"]["rich_text"] == [
        {"type": "text", "text": {"content": "2026-11-30 12:00 # 不是標題\n- **也不是**"}}
    ]


def test_an_end_without_a_beginning_is_kept():
    assert rare(until=date(2026, 12, 3))["until"] == "2026-12-03"


def test_what_no_store_of_text_takes_is_left_out():
    assert rich_text("a\x00b\ud800c\r\nd")[0]["text"]["content"] == "abc\nd"


def test_a_value_that_came_back_empty_is_noticed():
    page = {"properties": {"When": {"id": "w", "type": "date", "date": None}, "T": {"id": "t", "type": "number"}}}
    assert dropped({"w": {"date": {"start": "2026-12-01"}}, "t": {"number": None}}, page) == ["w"]


texts = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("👩‍👩‍👧‍👦🇹🇼é่ก็\u200d\ufe0f")), max_size=400)


@given(texts, st.integers(2, 50))
def test_pieces_are_the_text_again_and_none_is_too_long(text, limit):
    pieces = cut(text, limit)
    assert "".join(pieces) == text
    assert all(0 < units(piece) <= limit for piece in pieces)


@given(texts)
def test_any_content_and_tag_is_taken_by_notion(text):
    taken = sent(content=text or "x", tags=(text, text[:3]), category=text)
    for column in COLUMNS:
        if (given := taken.get(f"id-{column.field}")) is not None:
            values.value(values.config(column.name, {column.kind: {}}), given)
    assert "," not in option(text)
    for block in body(record(content=text or "x", notes=(Note(NOON, text),))):
        values.rich_text(block[block["type"]].get("rich_text", []), "body")


def test_a_family_is_never_cut_apart():
    family = "👩‍👩‍👧‍👦"
    pieces = cut("一" * 1895 + family, 1900)
    assert pieces == ["一" * 1895, family]


def test_five_thousand_characters_arrive_whole():
    content = "👍" * 5000
    (block,) = body(record(content=content))
    assert "".join(piece["text"]["content"] for piece in block["paragraph"]["rich_text"]) == content
