"""What is on a day is answered by the person's own calendar, whether it was said in the chat or written in Notion.

Asked at half past midnight and before midnight, on days of 23, 24 and 25 hours, west and east of Greenwich; with whole
days, clock times and stretches that touch the day. Judged by a calendar of another kind: it walks through each record
a quarter of an hour at a time and looks what day it is where the person is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.notion.house import OWNER, SOON, START, House
from tests.notion.shelf import words
from tests.thorough import THOROUGH
from tools.definition import Caller
from tools.notion.pieces import plain_text
from tools.notion.reading import read_row
from tools.notion.schema import bind, option_names
from tools.record import CallKey, Mirrored, Moment, RecordQuery
from tools.toolbox import toolbox

ZONES = {
    "Asia/Taipei": date(2026, 12, 8),
    "America/New_York": date(2027, 3, 14),  # 23 hours
    "America/Los_Angeles": date(2027, 11, 7),  # 25 hours
    "Europe/London": date(2027, 10, 31),  # 25 hours, and midnight is that of UTC
    "Pacific/Kiritimati": date(2027, 1, 1),  # 14 hours before UTC
    "Pacific/Marquesas": date(2027, 1, 1),  # 9 and a half hours behind it
    "America/Havana": date(2027, 3, 14),  # there is no midnight on that day
    "Australia/Lord_Howe": date(2027, 4, 4),  # half an hour more
    "Asia/Kathmandu": date(2026, 12, 31),
}
"""A day in each that is worth asking about."""

QUARTER = timedelta(minutes=15)


@dataclass(frozen=True)
class Entry:
    """Something on a day or at a time; with ``until``, up to then."""

    name: str
    when: Moment
    until: Moment | None = None

    def days(self, zone: ZoneInfo) -> set[date]:
        """Every day that it is on, as it is lived through."""
        if not isinstance(self.when, datetime):
            last = self.until or self.when
            assert not isinstance(last, datetime), "a whole day ends with one"
            return {self.when + timedelta(days=number) for number in range((last - self.when).days + 1)}
        begin, end = self.when.astimezone(UTC), (self.until or self.when).astimezone(UTC)
        return {self.when.astimezone(zone).date(), *(each.astimezone(zone).date() for each in _walk(begin, end))}


def _walk(at: datetime, end: datetime) -> Iterator[datetime]:
    while at < end:
        yield at
        at += QUARTER


def entries(day: date, zone: ZoneInfo) -> list[Entry]:
    """What lies on this day and around it, also where the clock is turned."""

    def at(days: int, hour: int, minute: int = 0, *, fold: int = 0) -> datetime:
        local = datetime.combine(day + timedelta(days=days), time(hour, minute), zone).replace(fold=fold)
        return local.astimezone(UTC).astimezone(zone)  # a time that the clock leaps over is the one it leaps to

    def whole(days: int) -> date:
        return day + timedelta(days=days)

    return [
        *(Entry(f"whole day {days:+}", whole(days)) for days in (-2, -1, 0, 1, 2)),
        *(Entry(f"first minute {days:+}", at(days, 0)) for days in (-1, 0, 1)),
        *(Entry(f"half past midnight {days:+}", at(days, 0, 30)) for days in (-1, 0, 1)),
        *(Entry(f"the {n} half past one", at(0, 1, 30, fold=n - 1)) for n in (1, 2)),
        *(Entry(f"half past two {days:+}", at(days, 2, 30)) for days in (0, 1)),
        *(Entry(f"last minute {days:+}", at(days, 23, 59)) for days in (-1, 0, 1)),
        Entry("days up to it", whole(-3), whole(0)),
        Entry("days from it on", whole(0), whole(3)),
        Entry("days before", whole(-3), whole(-1)),
        Entry("days behind", whole(1), whole(3)),
        Entry("days around", whole(-9), whole(9)),
        Entry("night into it", at(-1, 23), at(0, 0, 45)),
        Entry("night out of it", at(0, 23, 30), at(1, 4)),
        Entry("evening before", at(-1, 20), at(-1, 23, 45)),
        Entry("up to its first minute", at(-1, 22), at(0, 0)),
        Entry("from its last minute", at(1, 0), at(1, 1)),
        Entry("through it", at(-1, 12), at(1, 12)),
    ]


# ── the two ways in ───────────────────────────────────────────────────────────────────────────────────────────────


async def say(house: House, entry: Entry) -> None:
    await house.add(f"chat: {entry.name}", type="event", when=entry.when, until=entry.until)


def write(house: House, entry: Entry, number: int) -> None:
    """As a person does it: to the minute, with an offset, now and then another one than their own."""
    elsewhere = (None, UTC, ZoneInfo("Asia/Tokyo"))[number % 3]

    def told(moment: Moment | None) -> str | None:
        clocked = isinstance(moment, datetime) and elsewhere is not None
        return (moment.astimezone(elsewhere) if clocked else moment).isoformat() if moment else None  # type: ignore[union-attr]

    properties: dict[str, Any] = {
        "Title": {"title": words(f"notion: {entry.name}")},
        "Type": {"select": {"name": "event"}},
        "When": {"date": {"start": told(entry.when), "end": told(entry.until)}},
    }
    parent = {"type": "data_source_id", "data_source_id": house.source}
    with house.notion.by_a_person():
        house.notion.create_page({"parent": parent, "properties": properties})


async def take_over(house: House) -> None:
    """What was written in Notion becomes records."""
    written = len(house.rows())
    before = (await house.memory().query(RecordQuery(limit=0, total="count"))).matched
    house.clock.seconds += 10
    await house.sync().refresh(OWNER, SOON)
    assert (await house.memory().query(RecordQuery(limit=0, total="count"))).matched == before + written


# ── asked ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def found(house: House, now: datetime, zone: ZoneInfo, when: str) -> list[str]:
    """What the model's question brings, by name."""
    caller = Caller(
        person=OWNER, role="owner", language="en", home="en", zone=zone, currency="USD", now=now.astimezone(zone)
    )
    (ask,) = (each for each in toolbox(caller, house.memory()) if each.name == "query_records")
    names: list[str] = []
    told = await ask.handler({"when": when, "limit": 20, "total": "count"}, CallKey("asked", 1))
    names = [each["content"] for each in told["records"]]
    assert told["matched"] == told["totals"][0]["value"]
    if told["matched"] > len(names):  # the rest, by the two ways in
        names = []
        for way in ("chat", "notion"):
            told = await ask.handler({"when": when, "limit": 20, "keyword": way}, CallKey("asked", 1))
            assert told["matched"] == len(told["records"])
            names += [each["content"] for each in told["records"]]
    return sorted(names)


def expected(day: date, span: set[date], zone: ZoneInfo) -> list[str]:
    fitting = [each.name for each in entries(day, zone) if each.days(zone) & span]
    return sorted(f"{way}: {name}" for way in ("chat", "notion") for name in fitting)


@pytest.fixture
def home(request) -> House:
    """On either kind of store."""
    return request.getfixturevalue(request.param)


async def fill(house: House, day: date, zone: ZoneInfo) -> None:
    house.owners = [Mirrored(OWNER, zone)]
    house.notion.now = house.now
    for number, entry in enumerate(entries(day, zone)):
        await say(house, entry)
        write(house, entry, number)
    await take_over(house)


QUESTIONS = {"today": {0}, "yesterday": {-1}, "tomorrow": {1}, "{day}": {0}, "{day}/{next}": {0, 1}}
CLOCKS = [(0, 30), (23, 45)]


HOMES = ["house", "house_on_postgresql"]
ASKED = list(product(HOMES, ZONES)) if THOROUGH else [("house", "America/Los_Angeles"), (HOMES[1], "America/New_York")]


@pytest.mark.parametrize(("home", "name"), ASKED, indirect=["home"])
async def test_what_is_on_a_day_is_what_is_on_it_where_the_person_is(home, name):
    zone, day = ZoneInfo(name), ZONES[name]
    await fill(home, day, zone)
    for hour, minute in CLOCKS:
        now = datetime.combine(day, time(hour, minute), zone)
        for question, days in QUESTIONS.items():
            when = question.format(day=day, next=day + timedelta(days=1))
            span = {day + timedelta(days=number) for number in days}
            assert await found(home, now, zone, when) == expected(day, span, zone), (name, now, when)


@pytest.mark.parametrize("name", ZONES if THOROUGH else ["Asia/Taipei", "Pacific/Kiritimati", "America/Havana"])
async def test_at_half_past_midnight_today_is_today_in_every_zone(house, name):
    zone, day = ZoneInfo(name), ZONES[name]
    await fill(house, day, zone)

    now = datetime.combine(day, time(0, 30), zone).astimezone(UTC)
    assert await found(house, now, zone, "today") == expected(day, {day}, zone)


@pytest.mark.parametrize("name", ["America/Los_Angeles", "Pacific/Kiritimati"])
async def test_what_was_said_stands_in_notion_on_the_day_it_was_said_for_and_is_read_so_again(house, name):
    zone, day = ZoneInfo(name), ZONES[name]
    house.owners = [Mirrored(OWNER, zone)]
    house.clock.seconds = (datetime.combine(day, time(0, 30), zone) - START).total_seconds()
    for entry in entries(day, zone):
        await say(house, entry)
        house.clock.seconds += 1
    while (await house.sync().push(OWNER, SOON)).waiting:
        house.clock.seconds += 10

    binding, names = bind(house.notion.sources[house.source]["properties"]), option_names("en")
    read = {}
    for page in house.rows():
        fields = read_row(page, binding, names, zone).fields
        assert isinstance(fields["content"], str)
        read[fields["content"].removeprefix("chat: ")] = replace(Entry("", day), **_moments(fields))
    assert read == {each.name: replace(each, name="") for each in entries(day, zone)}
    starts = {page["properties"]["When"]["date"]["start"] for page in house.rows()}
    assert day.isoformat() in starts, "a whole day has no clock"


def _moments(fields: Any) -> dict[str, Any]:
    return {name: fields.get(name) for name in ("when", "until")}


@pytest.mark.parametrize("name", ["America/Los_Angeles", "Pacific/Kiritimati"])
async def test_what_is_moved_in_notion_is_on_its_new_day(house, name):
    zone, day = ZoneInfo(name), ZONES[name]
    house.owners, house.notion.now = [Mirrored(OWNER, zone)], house.now
    for title, hour in (("late", 23), ("early", 0)):
        await say(house, Entry(title, datetime.combine(day, time(hour, 30), zone)))
    sync, ids = house.sync(), {}
    await sync.push(OWNER, SOON)
    for page in house.rows():
        ids[plain_text(page["properties"]["Title"]["title"])] = page["id"]
    house.clock.seconds += 200

    house.notion.edit(ids["chat: late"], When=(day + timedelta(days=1)).isoformat())
    before_midnight = datetime.combine(day - timedelta(days=1), time(23, 30), zone).astimezone(UTC)
    house.notion.edit(ids["chat: early"], When=before_midnight.isoformat())
    await sync.refresh(OWNER, SOON)

    now = datetime.combine(day, time(0, 30), zone)
    asked = [await found(house, now, zone, when) for when in ("yesterday", "today", "tomorrow")]
    assert asked == [["chat: early"], [], ["chat: late"]]


async def test_who_moves_keeps_whole_days_and_the_clock_goes_along(house):
    """A day stays that day wherever one is; an hour is that hour on the clock one wears now."""
    home, away, day = ZoneInfo("Asia/Taipei"), ZoneInfo("America/Los_Angeles"), date(2026, 12, 8)
    house.notion.now = house.now
    both = [Entry("holiday", day), Entry("call", datetime(2026, 12, 8, 9, tzinfo=home))]
    for number, entry in enumerate(both):
        await say(house, entry)
        write(house, entry, number)
    await take_over(house)

    now = datetime(2026, 12, 7, 0, 30, tzinfo=away)
    assert await found(house, now, away, "today") == ["chat: call", "notion: call"]
    assert await found(house, now, away, "tomorrow") == ["chat: holiday", "notion: holiday"]
    assert await found(house, now, home, "tomorrow") == await found(house, now, home, day.isoformat())
