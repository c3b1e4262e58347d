"""Clock times: which hour was meant, on which day, in the person's zone.

Pure. Must not know the words it was said in.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from tools.record import Moment
from tools.when.facts import Clock, Facts
from tools.when.numbers import NotUnderstood

PARTS: Final[Mapping[str, tuple[int, int]]] = {
    "dawn": (0, 6),
    "morning": (6, 12),
    "am": (0, 12),
    "noon": (11, 14),
    "afternoon": (12, 18),
    "pm": (12, 24),
    "late": (15, 21),
    "evening": (18, 24),
    "deep": (22, 29),
}
"""From which hour to which a part of the day lasts; hours from 24 belong to the day after."""

_EARLY = frozenset({"am", "dawn", "morning", "noon"})
_NOON, _MIDNIGHT = 12, 24
_FIRST_HOUR, _LAST_HOUR = 7, 21
"""Between these an hour is sought that is said without a part of the day."""
_SMALL_HOURS = 5
_LATE_MORNING = 10
_SLACK = 2
_DAY = timedelta(days=1)


def clock_time(facts: Facts, day: date | None, now: datetime, past: bool, after: datetime | None) -> datetime:
    """The moment a clock time means on ``day``; without a day the next such moment from now (with ``past`` the latest),
    or the first one after ``after``. Raises NotUnderstood."""
    clock = facts.clock
    assert clock is not None
    hours = hours_of(clock, facts.part, named_day=day is not None and facts.day != 0)
    base = day or (after or now).date()
    choices = [at(base, hour, clock, now) for hour in hours]
    if day is not None and day != now.date() and after is None:
        return choices[0]
    fitting = _fitting(choices, now, past, after)
    if fitting is not None:
        return fitting
    if day is not None:
        return choices[0]
    return at(base - _DAY, hours[-1], clock, now) if past and after is None else at(base + _DAY, hours[0], clock, now)


def _fitting(choices: list[datetime], now: datetime, past: bool, after: datetime | None) -> datetime | None:
    if past and after is None:
        return next((each for each in reversed(choices) if each <= now), None)
    return next((each for each in choices if each > (after or now)), None)


def hours_of(clock: Clock, part: str | None, *, named_day: bool) -> list[int]:
    """The hours a clock time can mean on its day, earliest first, 24 and above for the day after. Raises
    NotUnderstood."""
    hour = clock.hour
    if part is not None:
        one = _hour_in(part, clock, named_day)
        return [one - _MIDNIGHT, one] if one > _MIDNIGHT else [one]
    if hour == _MIDNIGHT and clock.literal and named_day:
        raise NotUnderstood("midnight of a day can be its beginning or its end")
    if clock.literal or hour == 0 or hour >= _NOON:
        return [hour]
    return [each for each in (hour, hour + 12) if _FIRST_HOUR <= each <= _LAST_HOUR]


def _hour_in(part: str, clock: Clock, named_day: bool) -> int:
    """The hour of the day that is said with a part of it: 下午3 is 15."""
    hour = clock.hour
    if hour == 0 or hour > _NOON or (clock.literal and part in _EARLY):
        return _agreeing(part, hour)
    if part == "noon":
        return hour if hour >= _LATE_MORNING else hour + 12
    if part == "morning" and hour == _NOON:
        raise NotUnderstood("12 in the morning can be noon or midnight")
    if part in _EARLY:
        return hour % 12
    if part in {"evening", "deep"}:
        return _at_night(hour, named_day)
    return hour % 12 + 12


def _agreeing(part: str, hour: int) -> int:
    """An hour of the 24 beside a part of the day: 晚上19:30 is, 上午15:00 is not."""
    low, high = PARTS[part]
    if not low - _SLACK <= hour < high + (0 if part == "am" else _SLACK):
        raise NotUnderstood("that hour is not in that part of the day")
    return hour


def _at_night(hour: int, named_day: bool) -> int:
    if hour < _SMALL_HOURS and named_day:
        raise NotUnderstood("that night hour can belong to two days")
    return hour + 12 if _SMALL_HOURS <= hour < _NOON else _MIDNIGHT + hour % 12


def at(day: date, hour: int, clock: Clock, now: datetime) -> datetime:
    """The clock time of a day in the person's zone; a skipped one moves forward by the gap."""
    try:
        local = datetime.combine(day, time()) + timedelta(
            hours=hour, minutes=clock.minute - clock.minus, seconds=clock.second
        )
        return local.replace(tzinfo=now.tzinfo).astimezone(UTC).astimezone(now.tzinfo)
    except OverflowError:
        raise NotUnderstood("that is out of every calendar") from None


def part_of_day(part: str, day: date | None, now: datetime) -> tuple[datetime, datetime]:
    """From when to when a part of a day lasts. Raises NotUnderstood without a day."""
    if day is None:
        raise NotUnderstood("a part of the day needs its day")
    first, last = PARTS[part]
    return at(day, first, Clock(0), now), at(day, last, Clock(0), now)


def zone_name(now: datetime) -> str:
    """The IANA key of the person's zone; "" for a bare offset."""
    return str(getattr(now.tzinfo, "key", ""))


def date_of(moment: Moment) -> date:
    """The calendar day of a moment that is in the person's zone already, as every one read here is."""
    return moment.date() if isinstance(moment, datetime) else moment


def midnight(day: date, now: datetime) -> datetime:
    """The first instant of a day in the person's zone."""
    return at(day, 0, Clock(0), now)
