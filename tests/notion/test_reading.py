"""Pages read back: what we sent comes back as it was, what people edited as they meant it, and nothing raises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields as fields_of
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.emulators import notion_values as emulated
from tests.notion.conftest import SPEC
from tests.notion.test_page import BINDING, NOON, TAIPEI, record
from tools.notion.page import OPTIONS, body, properties
from tools.notion.pieces import plain_text
from tools.notion.reading import Row, read_body, read_row, read_values
from tools.notion.schema import COLUMNS, Binding, option_names
from tools.record import Draft, Note, PersonId, Record, RecordType, Status

Json = dict[str, Any]
NAMES = option_names("zh-TW")
DRAFT = {field.name for field in fields_of(Draft)}


def page_of(kept: Record, binding: Binding = BINDING, names: Any = NAMES, **more: Any) -> Json:
    """What Notion answers for this record."""
    values = properties(kept, binding, names, TAIPEI)
    columns = {column.field: emulated.config(column.name, {column.kind: {}}) for column in COLUMNS}
    answered = {
        binding.names[name]: {**emulated.value(columns[name], values[id_]), "id": id_}
        for name, id_ in binding.ids.items()
    }
    return {
        "object": "page", "id": "p1", "url": "https://app.notion.com/p/p1", "in_trash": False, "is_archived": False,
        "created_time": "2026-11-30T04:01:00.000Z", "last_edited_time": "2026-11-30T04:02:00.000Z",
        "last_edited_by": {"object": "user", "id": "u1"}, "properties": json.loads(json.dumps(answered)),
    } | more  # fmt: skip


def read(page: Json, names: Any = NAMES, binding: Binding = BINDING) -> Row:
    return read_row(page, binding, names, TAIPEI)


def edited(kept: Record, column: str, value: Any, binding: Binding = BINDING) -> Row:
    """The record's page after a person set a column to this."""
    page = page_of(kept, binding)
    config = next(each for each in COLUMNS if each.field == column)
    page["properties"][config.name][config.kind] = value
    return read(page, binding=binding)


def said(kept: Draft) -> dict[str, Any]:
    return {name: plain(getattr(kept, name)) for name in DRAFT}


def paragraphs(kept: Record) -> list[str]:
    return [plain_text(each["paragraph"]["rich_text"]) for each in body(kept, TAIPEI) if each["type"] == "paragraph"]


def plain(value: Any) -> Any:
    """Clock times are equal as instants: Python holds those that come twice on a day unequal in another zone."""
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return tuple(Note(plain(each.at), each.text) if isinstance(each, Note) else each for each in value) if isinstance(
        value, tuple) else value  # fmt: skip


def restored(row: Row, **of_body: Any) -> dict[str, Any]:
    return said(Draft(**{**row.fields, **of_body}))  # type: ignore[arg-type]  # as the store does


# ── there and back ────────────────────────────────────────────────────────────────────────────────────────────────────

storable = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=300)
contents = st.one_of(storable, st.text("日本語 👩‍👩‍👧‍👦\n,x", min_size=1, max_size=400)).filter(str.strip)
clock_times = st.datetimes(datetime(1950, 1, 1), datetime(2150, 1, 1), timezones=st.sampled_from([UTC, TAIPEI]))  # noqa: DTZ001 - its zone is drawn
moments = st.one_of(st.dates(date(1950, 1, 1), date(2150, 1, 1)), clock_times)
money = st.one_of(
    st.tuples(st.integers(1, 10**14).map(lambda units: Decimal(units).scaleb(-2)), st.sampled_from(["TWD", "EUR"])),
    st.tuples(st.integers(1, 10**14).map(Decimal), st.just("JPY")),
)


def later(moments: tuple[Any, Any]) -> bool:
    start, end = (
        (each if isinstance(each, datetime) else datetime(each.year, each.month, each.day, tzinfo=TAIPEI))
        if each
        else None
        for each in moments
    )
    return start is None or end is None or start <= end


@st.composite
def records(draw: st.DrawFn) -> Record:
    when, until = draw(st.tuples(st.none() | moments, st.none() | moments).filter(later))
    amount, currency = draw(st.just((None, None)) | money)
    notes = st.builds(Note, clock_times, storable.filter(str.strip))
    return record(
        content=draw(contents),
        type=draw(st.sampled_from(get_args(RecordType))),
        status=draw(st.sampled_from(get_args(Status))),
        when=when,
        until=until,
        remind_at=draw(st.none() | clock_times),
        amount=amount,
        currency=currency,
        category=draw(st.none() | storable.filter(str.strip)),
        tags=tuple(draw(st.lists(storable.filter(str.strip), max_size=20, unique=True))),
        notes=tuple(draw(st.lists(notes, max_size=4))),
        origin=draw(st.sampled_from(["own", "others"])),
        payer=draw(st.none() | st.just(PersonId("U2"))),
    )


full = replace(
    BINDING, options={"tags": frozenset(map(str, range(OPTIONS))), "category": frozenset(map(str, range(90)))}
)


@settings(max_examples=60)
@given(records(), st.sampled_from([BINDING, full]))
def test_what_was_sent_comes_back_as_it_was(kept: Record, binding: Binding):
    row = read(page_of(kept, binding), binding=binding)
    assert row.unread == {}
    of_body = read_body(row.in_body, paragraphs(kept), TAIPEI, row.fields.get("content"))
    if not row.in_body:
        assert restored(row) == said(kept)
    else:
        assert restored(row, **of_body)["type"] == kept.type
    assert (row.key, row.ref, row.owner, row.rev) == (kept.key, kept.ref, kept.owner, kept.rev)
    assert (row.created, row.updated) == (kept.created_at, kept.updated_at)


@settings(max_examples=25)
@given(records())
def test_the_values_that_were_sent_read_as_the_page_does(kept: Record):
    sent = properties(kept, BINDING, NAMES, TAIPEI)
    assert read_values(sent, BINDING, NAMES, TAIPEI) == read(page_of(kept)).fields


def test_five_thousand_characters_come_back_from_the_columns_alone():
    for content in ("汉" * 5000, "👍" * 5000, "a b\n" * 1250):
        row = read(page_of(record(content=content)))
        assert (row.fields["content"], row.in_body) == (content, frozenset())


def test_what_the_columns_have_no_room_for_is_read_from_the_body():
    notes = tuple(Note(NOON + timedelta(minutes=each), f"{each} " + "字" * 400) for each in range(60))
    kept = record(content="長" * 300, notes=notes)
    row = read(page_of(kept))
    assert row.in_body == {"notes"}
    assert row.fields["content"] == kept.content
    told = read_body(frozenset({"content", "notes"}), paragraphs(kept), TAIPEI)
    assert told["content"] == kept.content
    minutes = [replace(note, at=note.at.replace(second=0, microsecond=0)) for note in notes]
    assert list(told["notes"]) == minutes  # type: ignore[call-overload]  # notes are many


def test_a_content_that_stands_in_the_body_is_the_title_once_somebody_writes_that_anew():
    kept = record(content="\x01" * 3000 + "x" * 5000)  # each sign takes six in JSON
    row = read(page_of(kept))
    assert (row.in_body, "content" in row.fields) == ({"content"}, False)
    new = edited(kept, "title", [{"plain_text": "short"}])
    assert (new.fields["content"], new.in_body) == ("short", frozenset())
    assert read_body(row.in_body, [], TAIPEI) == {}


def test_paragraphs_that_are_no_notes_are_let_be():
    told = read_body(frozenset({"notes"}), ["groceries", "2026-13-41 99:99 x", "2026-12-01 10:00 two bottles"], TAIPEI)
    assert told == {"notes": (Note(datetime(2026, 12, 1, 10, tzinfo=TAIPEI), "two bottles"),)}


def test_a_content_that_looks_like_a_note_is_none():
    kept = record(content="第一\n\n2026-12-01 10:00 聚餐", notes=tuple(Note(NOON, "字" * 400) for _ in range(60)))
    row = read(page_of(kept))
    assert row.in_body == {"notes"}
    told = read_body(row.in_body, paragraphs(kept), TAIPEI, row.fields["content"])
    assert {note.text for note in told["notes"]} == {"字" * 400}  # type: ignore[attr-defined]  # notes are many


# ── what people edit ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_title_of_many_pieces_and_mentions_is_one_text():
    pieces = [
        {"type": "text", "plain_text": "Dinner with "}, {"type": "mention", "plain_text": "@Mei", "mention": {}},
        {"type": "equation", "plain_text": "e=mc^2"}, {"type": "text", "text": {"content": "!"}},
    ]  # fmt: skip
    assert edited(record(), "title", pieces).fields["content"] == "Dinner with @Meie=mc^2!"
    assert edited(record(), "title", [{"plain_text": "x"}] * 100).fields["content"] == "x" * 100


def test_who_mends_a_title_that_was_cut_mends_the_beginning_of_the_whole():
    kept = record(content="Tpyo " + "long\nstory " * 100)
    page = page_of(kept)
    title = page["properties"]["Title"]["title"][0]["plain_text"]
    row = edited(kept, "title", [{"plain_text": title.replace("Tpyo", "Typo")}])
    content = str(row.fields["content"])
    assert content.startswith("Typo long story")
    assert "".join(content.split()) == "".join(kept.content.replace("Tpyo", "Typo").split())


def test_a_title_that_was_emptied_is_no_content():
    assert "content" not in edited(record(), "title", []).fields
    assert "content" not in edited(record(content="long " * 99), "title", []).fields


@pytest.mark.parametrize(
    ("value", "when", "until"),
    [
        (None, None, None),
        ({"start": "2026-12-01"}, date(2026, 12, 1), None),
        ({"start": "2026-12-01", "end": "2026-12-03"}, date(2026, 12, 1), date(2026, 12, 3)),
        ({"start": "2026-12-01T09:00:00.000+09:00"}, datetime(2026, 12, 1, 8, tzinfo=TAIPEI), None),
        ({"start": "2026-12-01T09:00:00", "time_zone": "Asia/Tokyo"}, datetime(2026, 12, 1, 8, tzinfo=TAIPEI), None),
        ({"start": "2026-12-01T09:00:00", "time_zone": "../x"}, datetime(2026, 12, 1, 9, tzinfo=TAIPEI), None),
        (
            {"start": "2026-12-01T00:00:00.000Z", "end": "2026-12-01T01:00:00.000Z"},
            datetime(2026, 12, 1, 8, tzinfo=TAIPEI),
            datetime(2026, 12, 1, 9, tzinfo=TAIPEI),
        ),
    ],
)
def test_a_date_is_what_the_column_shows(value, when, until):
    seconds = record(when=NOON, until=NOON + timedelta(hours=1))
    for kept in (seconds, record(when=date(2026, 11, 29), until=NOON)):
        fields = edited(kept, "when", value).fields
        assert (fields["when"], fields["until"]) == (when, until)


def test_an_end_without_a_beginning_stays_until_the_column_is_filled():
    kept = record(until=date(2026, 12, 3))
    assert read(page_of(kept)).fields["until"] == date(2026, 12, 3)
    assert edited(kept, "when", {"start": "2026-12-01"}).fields["until"] is None


@pytest.mark.parametrize(
    "value", [{"start": "1066-10-14"}, {"start": "soon"}, {"start": "2026-12-03", "end": "2026-12-01"}, {}, "today"]
)
def test_a_date_that_is_none_of_ours_is_named(value):
    row = edited(record(), "when", value)
    assert row.unread.keys() == {"when"}
    assert not row.fields.keys() & {"when", "until"}


def test_a_reminder_for_a_whole_day_rings_in_the_morning():
    assert edited(record(), "remind", {"start": "2026-12-01"}).fields["remind_at"] == datetime(
        2026, 12, 1, 9, tzinfo=TAIPEI
    )
    assert edited(record(remind_at=NOON), "remind", None).fields["remind_at"] is None


def test_an_exact_amount_counts_until_somebody_writes_another():
    kept = record(amount=Decimal("90071992547409.93"), currency="TWD")
    assert edited(kept, "amount", 12.5).fields["amount"] == Decimal("12.5")
    assert edited(kept, "amount", None).fields["amount"] is None
    exact = record(amount=Decimal("123456789012345.6"), currency="TWD")
    assert "amount" in read(page_of(exact)).unread


@pytest.mark.parametrize(
    ("amount", "currency"),
    [(0.123, "TWD"), (1e308, "TWD"), (12.5, "JPY"), (float("nan"), None), (True, None), ("1", None), (1, "XXX")],
)
def test_money_that_cannot_be_counted_is_named(amount, currency):
    page = page_of(record(amount=Decimal(1), currency="TWD"))
    page["properties"]["Amount"]["number"] = amount
    page["properties"]["Currency"]["select"] = currency and {"name": currency}
    row = read(page)
    assert row.unread.keys() == {"amount"}
    assert not row.fields.keys() & {"amount", "currency"}


def test_a_currency_may_be_written_small():
    assert edited(record(), "currency", {"name": "eur"}).fields["currency"] == "EUR"


@pytest.mark.parametrize("name", ["done", "完成", "完了", "เสร็จแล้ว", "Done"])
def test_a_status_is_known_in_every_language(name):
    assert edited(record(), "status", {"name": name}).fields["status"] == "done"


def test_a_renamed_option_is_known_by_its_present_name():
    names = dict(NAMES) | {"done": "搞定"}
    page = page_of(record(status="done"), names=names)
    assert read(page, names).fields["status"] == "done"
    assert "status" in read(page).unread


def test_a_status_that_is_null_is_the_default_and_a_column_that_is_not_there_says_nothing():
    assert edited(record(status="done"), "status", None).fields["status"] == "open"
    page = page_of(record(status="done"))
    del page["properties"]["Status"]
    assert "status" not in read(page).fields
    page["properties"]["Status"] = {"id": "id-status", "type": "status", "status": {"name": "doing"}}
    assert read(page).fields["status"] == "doing"


def test_an_option_nobody_knows_is_named():
    row = edited(record(), "type", {"name": "Errand"})
    assert row.unread == {"type": 'no type is called "Errand"'}
    assert "type" not in edited(record(), "type", None).fields


def test_tags_that_were_kept_are_as_they_were_said():
    kept = record(tags=("Physics, Data", "急件"))
    shown = [{"name": "急件"}, {"name": "new"}, {"name": "Physics、 Data"}]
    assert edited(kept, "tags", shown).fields["tags"] == ("急件", "new", "Physics, Data")
    assert edited(kept, "tags", shown[:1]).fields["tags"] == ("急件",)
    assert edited(kept, "tags", []).fields["tags"] == ()


def test_what_a_full_column_does_not_show_is_not_taken_for_removed():
    kept = record(tags=("1", "new"), category="food")
    assert edited(kept, "tags", [{"name": "2"}], full).fields["tags"] == ("2", "new")
    assert edited(kept, "category", {"name": "7"}, full).fields["category"] == "7"
    assert edited(kept, "category", None, full).fields["category"] == "food"
    assert edited(record(category="a, b"), "category", None).fields["category"] is None


@pytest.mark.parametrize(
    "data", ["", "x", "[]", "[" * 5000, "{" + '"rev":1e9', '{"rev":true,"notes":[1],"tags":4,"amount":"x"}']
)
def test_a_column_of_data_that_people_wrote_in_is_let_be(data):
    row = edited(record(tags=("a",), amount=Decimal(3)), "data", [{"plain_text": data}])
    assert (row.fields["content"], row.fields["tags"], row.fields["amount"]) == ("買牛奶", ("a",), Decimal(3))
    assert (row.rev, row.created) == (None, datetime(2026, 11, 30, 4, 1, tzinfo=UTC))


@pytest.mark.parametrize(("key", "known"), [("0" * 32, True), ("0" * 31, False), ("G" * 32, False), ("", False)])
def test_a_key_is_ours_or_none(key, known):
    assert (edited(record(), "key", [{"plain_text": f" {key} "}]).key is not None) == known


@pytest.mark.parametrize("ref", [0, -1, 1.5, 2**31, True, "1", None])
def test_a_ref_is_a_whole_number(ref):
    assert edited(record(), "ref", ref).ref is None


def test_a_page_in_the_trash_says_so():
    assert read(page_of(record(), in_trash=True)).in_trash
    assert read(page_of(record(), is_archived=True)).in_trash


def test_words_that_no_store_takes_are_left_out():
    row = edited(record(), "title", [{"plain_text": "a\x00b\ud800c"}])
    assert row.fields["content"] == "abc"
    assert edited(record(), "tags", [{"name": "\ud800"}, {"name": "x\0"}]).fields["tags"] == ("x",)


# ── nothing raises ────────────────────────────────────────────────────────────────────────────────────────────────────

words = st.sampled_from(["start", "end", "name", "plain_text", "text", "content", "time_zone"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=80)
@given(st.sampled_from(COLUMNS), anything, anything)
def test_no_value_raises(column, value, data):
    page = page_of(record(when=NOON, amount=Decimal(3)))
    page["properties"][column.name][column.kind] = value
    page["properties"]["Data"]["rich_text"] = [{"plain_text": json.dumps(data)}]
    assert set(read(page).fields) <= DRAFT
    for broken in ({**page, "properties": value}, {"properties": {"Title": value}}, {}):
        assert set(read(broken).fields) <= DRAFT


def recorded() -> Iterator[tuple[Json, Json]]:
    """Each page in the recorded calls, and its values."""
    folder = SPEC.parents[2] / "fixtures" / "notion"
    for path in sorted(folder.glob("**/*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield from ((page, page["properties"]) for page in pages_in(json.loads(line)["response"]))


def pages_in(answer: Any) -> Iterator[Json]:
    if isinstance(answer, dict):
        if answer.get("object") == "page" and isinstance(answer.get("properties"), dict):
            yield answer
        for each in answer.values():
            yield from pages_in(each)
    elif isinstance(answer, list):
        for each in answer:
            yield from pages_in(each)


def test_recorded_pages_are_read_whatever_their_columns_are():
    """Each column of theirs in the place of each of ours that is of its type, or not."""
    if not SPEC.is_file():
        pytest.skip("no recorded calls here")
    seen = told = 0
    for page, values in recorded():
        if "title" not in {value.get("type") for value in values.values()}:
            continue
        title = next(value for value in values.values() if value["type"] == "title")
        text = "".join(piece["plain_text"] for piece in title["title"]).strip()
        assert read_row(page, Binding({"title": title["id"]}, {}, {}), NAMES, TAIPEI).fields.get("content", "") == text
        told += bool(text)
        for value in values.values():
            binding = Binding({each.field: value["id"] for each in COLUMNS}, {}, {})
            row = read_row(page, binding, NAMES, ZoneInfo("America/Anchorage"))
            assert set(row.fields) <= DRAFT
            seen += 1
    print(f"recorded values read in every column's place: {seen}; pages with a title: {told}")
    assert told > 300
