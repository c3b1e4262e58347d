"""From the tokens of a text to a moment or a range.

Pure. ``now`` is aware, in the person's zone. Must not know the words a token was read from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from tools.record import Moment
from tools.when.clock import at, clock_time, date_of, hours_of, part_of_day, zone_name
from tools.when.days import Stretch, as_days, day_stated
from tools.when.facts import Clock, Facts
from tools.when.numbers import NotUnderstood
from tools.when.tokens import Token, join

_DAY = timedelta(days=1)
_NOON = 12


@dataclass(frozen=True, slots=True)
class Reading:
    """A moment (``end`` None), a range (days: both included), or, if ``vague``, a part of a day."""

    start: Moment
    end: Moment | None = None
    vague: bool = False


def meaning(tokens: Sequence[Token], now: datetime, past: bool) -> Reading:
    """What the statements come to, together. Raises NotUnderstood."""
    cuts = [index for index, token in enumerate(tokens) if token.kind == "to" and index > 0]
    if not cuts:
        if not any(token.kind == "facts" for token in tokens):
            raise NotUnderstood("no time is named")
        return _one(join(tokens), now, past)
    if len(cuts) > 1:
        raise NotUnderstood("a range has two ends")
    left, right = join(tokens[: cuts[0]]), join(tokens[cuts[0] + 1 :])
    if not right.stated():
        raise NotUnderstood("the range has no end")
    return _between(left, right, now, past)


def _one(facts: Facts, now: datetime, past: bool, after: datetime | None = None) -> Reading:
    if facts.number is not None:
        raise NotUnderstood("a bare number is no time")
    exact = _exact(facts, now)
    if exact is not None:
        return Reading(exact)
    days = as_days(facts, now.date(), zone_name(now), past)
    if isinstance(days, Stretch):
        if facts.clock or facts.part:
            raise NotUnderstood("a clock time needs a day")
        return Reading(days.first, days.last)
    if facts.clock is not None:
        return Reading(clock_time(facts, days, now, past, after))
    if facts.part is not None:
        return Reading(*part_of_day(facts.part, days, now), vague=True)
    if days is None:
        raise NotUnderstood("no day is named")
    return Reading(days)


def _exact(facts: Facts, now: datetime) -> datetime | None:
    """Moments that need no calendar: an offset from now, now itself, or one written with its zone."""
    alone = len(facts.stated()) == 1
    if facts.exact is not None and alone:
        return _in_zone(facts.exact, now)
    if facts.now and alone:
        return now
    if facts.shift is None or all(unit not in _SECONDS for _, unit in facts.shift):
        return None
    if not alone or any(unit not in _SECONDS and unit not in ("day", "week") for _, unit in facts.shift):
        raise NotUnderstood("hours and a calendar do not add up to one moment")
    seconds = sum(count * (_SECONDS | {"day": 86400, "week": 604800})[unit] for count, unit in facts.shift)
    try:
        return _in_zone(now.astimezone(UTC) + timedelta(seconds=seconds), now)
    except OverflowError:
        raise NotUnderstood("that is out of every calendar") from None


def _in_zone(moment: datetime, now: datetime) -> datetime:
    try:
        return moment.astimezone(now.tzinfo)
    except OverflowError:
        raise NotUnderstood("that is out of every calendar") from None


_SECONDS = {"hour": 3600, "minute": 60, "second": 1}


# ── ranges ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _between(left: Facts, right: Facts, now: datetime, past: bool) -> Reading:
    left, right = _numbers_named(left, right)
    if right.clock is not None:
        return _clock_range(left, right, now, past)
    if left.clock is not None:
        raise NotUnderstood("a range from a clock time ends at one")
    return _day_range(left, right, now, past)


def _numbers_named(left: Facts, right: Facts) -> tuple[Facts, Facts]:
    """A bare number beside a named one is of the same kind: 12/1-3, from 3 to 5pm."""

    def named(facts: Facts, other: Facts) -> Facts:
        if facts.number is None:
            return facts
        for name, highest, present in (
            ("clock", 24, other.clock is not None),
            ("dom", 31, other.dom is not None or other.order is not None),
            ("month", 12, other.month is not None),
        ):
            if present and getattr(facts, name) is None and facts.number <= highest:
                value = Clock(facts.number) if name == "clock" else facts.number
                return replace(facts, number=None, **{name: value})  # type: ignore[arg-type]  # a field by name
        raise NotUnderstood("a bare number is no time")

    return named(left, right), named(right, left)


def _clock_range(left: Facts, right: Facts, now: datetime, past: bool) -> Reading:
    if left.clock is None:
        raise NotUnderstood("a range to a clock time begins at one")
    if not day_stated(left) and day_stated(right):
        left = replace(left, **_day_fields(right))
    start = _clock_of(left, now, past)
    if left.part is None and _two_hours(left) and (right.part is not None or not _two_hours(right)):
        start = _before_end(left, right, start, now)
    if not day_stated(right):
        end = _end_after(right, start, now)
        running = not day_stated(left) and start.date() > now.date() and end - _DAY > now
        return Reading(start - _DAY, end - _DAY) if running else Reading(start, end)
    end = _clock_of(right, now, past, after=start)
    if end <= start:
        raise NotUnderstood("the range ends before it begins")
    return Reading(start, end)


def _clock_of(facts: Facts, now: datetime, past: bool, after: datetime | None = None) -> datetime:
    start = _one(facts, now, past, after).start
    assert isinstance(start, datetime)
    return start


def _two_hours(facts: Facts) -> bool:
    """Whether the hour can be one of the morning or one of the evening."""
    return facts.clock is not None and not facts.clock.literal and 0 < facts.clock.hour <= _NOON


def _before_end(left: Facts, right: Facts, start: datetime, now: datetime) -> datetime:
    """5 to 6 pm begins at 5 pm, "11 to 1 pm" at 11 am: the last such hour before the end."""
    assert left.clock is not None
    assert right.clock is not None
    end = at(start.date(), hours_of(right.clock, right.part, named_day=False)[0], right.clock, now)
    starts = [at(start.date(), hour, left.clock, now) for hour in (left.clock.hour % 12, left.clock.hour % 12 + 12)]
    return max((each for each in starts if each < end), default=start)


def _end_after(right: Facts, start: datetime, now: datetime) -> datetime:
    """The first such clock time after the start, on its day or in the night after it."""
    assert right.clock is not None
    clock = right.clock
    if right.part is None and _two_hours(right):
        hours = [clock.hour % 12, clock.hour % 12 + 12, clock.hour % 12 + 24]
    else:
        first = hours_of(clock, right.part, named_day=False)[0]
        hours = [first, first + 24]
    return next(end for hour in hours if (end := at(start.date(), hour, clock, now)) > start)


_DAY_FIELDS = ("year", "month", "dom", "order", "day", "weekday", "period")


def _day_fields(facts: Facts) -> dict[str, Any]:
    return {name: getattr(facts, name) for name in _DAY_FIELDS}


def _day_range(left: Facts, right: Facts, now: datetime, past: bool) -> Reading:
    left = _inherit(left, right)
    start = _one(left, now, past)
    first = date_of(start.start)
    right = _inherit_from(right, left, first)
    if right.year is None and left.year is None and right.month is not None and left.month is not None:
        right = replace(right, year=first.year + (right.month < first.month))
    end = _one(right, now, past)
    if start.vague or end.vague:
        raise NotUnderstood("a range of days has no parts of a day")
    last = date_of(end.end if end.end is not None else end.start)
    if last < first:
        raise NotUnderstood("the range ends before it begins")
    return Reading(first, last)


def _inherit(left: Facts, right: Facts) -> Facts:
    """“13th to 15th of July": the first day takes month and year from the last."""
    if left.dom is not None and left.month is None and left.period is None:
        left = replace(left, month=right.month, period=right.period)
    if left.year is None and right.year is not None and left.period is None:
        before = left.month is not None and right.month is not None and left.month > right.month
        left = replace(left, year=right.year - before)
    return left


def _inherit_from(right: Facts, left: Facts, first: date) -> Facts:
    """“12/1-3": the last day takes month and year from the first; "這週二到四" its week."""
    if right.dom is not None and right.month is None and right.period is None:
        return replace(right, month=first.month, year=first.year)
    if right.weekday is not None and right.period is None and left.weekday is not None:
        return Facts(
            year=(day := first + timedelta(days=(right.weekday - left.weekday) % 7)).year, month=day.month, dom=day.day
        )
    if right.year is None and left.year is not None and (right.month is not None or right.order is not None):
        return replace(right, year=left.year)
    return right
