"""What three versions of a record come to, and what a new row is: pure."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.notion.house import MEMBER, OWNER, TAIPEI
from tools.notion.merge import Here, merged, same
from tools.notion.newcomer import draft_of, owner_of
from tools.notion.page import properties, retitled
from tools.notion.reading import read_values
from tools.notion.schema import COLUMNS, Binding, option_names
from tools.record import Draft, Mirrored, PersonId, Record

HERE = Here(TAIPEI, "TWD", date(2026, 11, 30))
IDS = {column.field: column.field for column in COLUMNS}
BINDING = Binding(IDS, IDS, {"tags": frozenset(), "category": frozenset()})
NAMES = option_names("en")
WHEN = datetime(2026, 12, 1, 7, 1, 15, 377824, tzinfo=UTC)


def record(**fields: object) -> Record:
    given = {"content": "買牛奶", "type": "task"} | fields
    kept = {"id": "r", "owner": OWNER, "ref": 1, "key": "k" * 32, "rev": 3, "created_at": WHEN, "updated_at": WHEN}
    return Record(**given, **kept)  # type: ignore[arg-type]


def shown(one: Record, zone=TAIPEI) -> dict[str, object]:
    values = properties(one, BINDING, NAMES, zone)
    return dict(read_values({id_: value for id_, value in values.items() if id_ != "data"}, BINDING, NAMES, zone))


def merge(one: Record, theirs: dict[str, object], base: Record | None = None):
    now = shown(one)
    before = shown(base or one)
    return merged(one, before, now, before | theirs, HERE)


moments = st.integers(0, 10**13).map(lambda count: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(microseconds=count))
records = st.builds(
    record,
    content=st.text("買牛奶 ab\n", min_size=1, max_size=400).filter(str.strip),
    type=st.sampled_from(["task", "event", "note"]),
    when=st.none() | moments | st.dates(date(2026, 1, 1), date(2027, 1, 1)),
    remind_at=st.none() | moments,
    tags=st.lists(st.sampled_from(["家", "a,b", "急", "ＡＢ"]), unique=True, max_size=4).map(tuple),
    status=st.sampled_from(["open", "doing", "done"]),
)


@given(records, st.sampled_from([TAIPEI, UTC, ZoneInfo("America/New_York"), ZoneInfo("Pacific/Kiritimati")]))
def test_what_nobody_touched_is_no_edit_whatever_notion_cannot_hold(one, zone):
    there = shown(one, zone)
    found = merged(one, there, there, there, Here(zone, "TWD", HERE.today))
    assert (found.taken, found.kept, found.unfit) == ({}, {}, {})


@given(records, records)
def test_what_was_edited_there_alone_is_taken_whole_and_once(before, after):
    after = record(**{name: getattr(after, name) for name in ("type", "when", "remind_at", "status")})
    found = merge(before, {name: shown(after)[name] for name in ("type", "when", "remind_at", "status")})
    assert found.kept == {}
    assert found.unfit == {}
    for name in ("type", "when", "remind_at", "status"):
        assert same(found.taken.get(name, shown(before)[name]), shown(after)[name])


@given(records, records)
def test_of_what_was_edited_on_both_sides_nothing_of_here_is_lost_and_all_of_there_is_told(base, here):
    there = {"status": "cancelled", "content": "別的"}
    found = merge(here, there, base)
    for name, value in there.items():
        changed_here = not same(shown(here)[name], shown(base)[name])
        assert (name in found.kept) == changed_here
        assert (name in found.taken) != changed_here
        assert found.kept.get(name, value) == value
        # Under another title what stands below it stays.
        assert name in found.kept or found.taken[name] in {value, retitled(here.content, value)}


def test_both_sides_saying_the_same_is_no_conflict():
    found = merge(record(status="done"), {"status": "done"}, record(status="open"))
    assert (found.taken, found.kept) == ({}, {})
    assert "status" in found.agreed


def test_tags_are_merged_one_by_one_and_stay_as_they_were_said():
    found = merge(record(tags=("a,b", "新的")), {"tags": ("急",)}, record(tags=("a,b",)))
    assert (found.taken["tags"], found.kept) == (("新的", "急"), {})
    kept = merge(record(tags=("a,b",)), {"tags": ("a、b", "急")})
    assert kept.taken["tags"] == ("a,b", "急")


def test_a_mended_beginning_keeps_the_rest_of_a_long_text_and_a_new_title_replaces_it():
    long = "開頭 " + "很長" * 150
    cut = shown(record(content=long))["content"]
    assert cut.endswith("…")
    mended = merge(record(content=long), {"content": "新" + cut}).taken["content"]
    assert mended == "新" + long
    assert merge(record(content=long), {"content": "短的"}).taken["content"] == "短的"


@pytest.mark.parametrize(
    ("one", "theirs", "taken", "unfit"),
    [
        (record(type="note"), {"amount": Decimal(5)}, {}, {"amount"}),
        (record(), {"type": "expense", "amount": Decimal(5)},
         {"type": "expense", "amount": Decimal(5), "currency": "TWD", "when": date(2026, 11, 30)}, set()),
        (record(), {"type": "expense"}, {}, {"type"}),
        (record(type="expense", amount=Decimal(5), currency="TWD", when=HERE.today), {"type": "note"}, {}, {"type"}),
        (record(type="expense", amount=Decimal(5), currency="TWD", when=HERE.today), {"type": "note", "amount": None},
         {"type": "note", "amount": None, "currency": None}, set()),
        (record(type="expense", amount=Decimal(5), currency="JPY", when=HERE.today), {"amount": Decimal("5.5")}, {},
         {"amount"}),
        (record(type="expense", amount=Decimal(5), currency="TWD", when=HERE.today), {"when": None}, {}, set()),
        (record(when=date(2026, 12, 3)), {"until": date(2026, 12, 1)}, {}, {"until"}),
        (record(when=WHEN, until=WHEN + timedelta(hours=2)), {"until": WHEN.replace(second=0, microsecond=0)},
         {"until": WHEN.replace(second=0, microsecond=0)}, set()),
        (record(), {"content": ""}, {}, set()),
    ],
)  # fmt: skip
def test_what_does_not_fit_together_is_left_there(one, theirs, taken, unfit):
    found = merge(one, theirs)
    assert (dict(found.taken), set(found.unfit)) == (taken, unfit)


def test_an_hour_that_comes_twice_and_an_offset_are_no_edit():
    zone = ZoneInfo("America/New_York")
    at = datetime(2026, 11, 1, 5, 30, tzinfo=UTC)  # 1:30, for the first time
    assert same(at, at.astimezone(zone))
    assert not same(at, (at + timedelta(hours=1)).astimezone(zone))
    assert same(at, at.astimezone(timezone(timedelta(hours=8))))
    assert not same(date(2026, 11, 1), datetime(2026, 11, 1, tzinfo=UTC))


def test_a_day_stays_that_day_and_half_past_midnight_stays_of_the_next_one_west_of_utc_too():
    zone = ZoneInfo("America/Los_Angeles")
    here = Here(zone, "USD", date(2026, 11, 30))
    one = record(when=date(2026, 12, 1))
    late = datetime(2026, 12, 2, 0, 30, tzinfo=zone)
    before = shown(one, zone)
    found = merged(one, before, before, before | {"when": late.astimezone(UTC)}, here)
    assert found.taken["when"].date() == date(2026, 12, 2)
    found = merged(one, before, before, before | {"when": date(2026, 12, 2)}, here)
    assert found.taken["when"] == date(2026, 12, 2)
    assert not isinstance(found.taken["when"], datetime)


def test_whose_a_row_is_is_said_by_an_id_or_one_persons_name():
    group = PersonId("C1")
    names = {OWNER: "安娜", MEMBER: "Ben"}
    owners = [Mirrored(OWNER, TAIPEI), Mirrored(MEMBER, TAIPEI, {MEMBER: "Ben"}), Mirrored(group, TAIPEI, names, "家")]
    found = {text: owner_of(text, owners) for text in (None, "", MEMBER, "ben ", "家", "誰", group)}
    assert {text: each and each.id for text, each in found.items()} == {
        None: OWNER, "": OWNER, MEMBER: MEMBER, "ben ": MEMBER, "家": group, "誰": None, group: group,
    }  # fmt: skip
    twins = [*owners, Mirrored(PersonId("Uother"), TAIPEI, {PersonId("Uother"): "BEN"})]
    assert owner_of("Ben", twins) is None
    assert owner_of(None, []) is None


def test_a_new_row_that_ends_before_it_begins_keeps_its_beginning():
    fields = {"content": "x", "when": date(2026, 12, 3), "until": date(2026, 12, 1)}
    assert draft_of(fields, HERE, NAMES) == Draft(content="x", type="task", when=date(2026, 12, 3))
