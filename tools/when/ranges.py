"""From the tokens of a text to what it means: one time, or a range between two.

Pure. ``now`` is aware, in the person's zone. Must not know the words a token was read from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from tools.when.clock import at, date_of, hours_of, zone_name
from tools.when.days import by_country, day_stated
from tools.when.facts import Clock, Facts
from tools.when.meaning import Reading, ending, number_named, single
from tools.when.numbers import NotUnderstood
from tools.when.tokens import Token, join

_DAY = timedelta(days=1)
_NOON = 12
_CUTS = frozenset({"to", "dash", "and", "list"})


def meaning(tokens: Sequence[Token], now: datetime, past: bool) -> Reading:
    """What the statements come to, together. Raises NotUnderstood."""
    if not any(token.kind == "facts" for token in tokens):
        raise NotUnderstood("no time is named")
    cuts = [index for index, token in enumerate(tokens) if token.kind in _CUTS and index > 0]
    firm = [index for index in cuts if tokens[index].kind != "list"]
    if len(firm) > 1:
        raise NotUnderstood("a range has two ends")
    if not firm and len(cuts) != 1:
        return single(join(tokens), now, past)
    cut = (firm or cuts)[0]
    left, right = join(tokens[:cut]), join(tokens[cut + 1 :])
    if _one_time(tokens[cut].kind, left, right):
        return single(join(tokens), now, past)
    if left.lasting is not None and left.stated().keys() == {"lasting"}:
        return ending(left.lasting, single(right, now, past))
    if not left.stated() or not right.stated():
        raise NotUnderstood("the range has no end")
    between = any(token.kind in ("between", "from") for token in tokens)
    if tokens[cut].kind == "list" or (tokens[cut].kind == "and" and not between):
        return _neighbours(left, right, now, past)
    return _between(left, right, now, past)


def _one_time(joint: str, left: Facts, right: Facts) -> bool:
    """A comma, or the dash of “6 Jan 2027 - 6:37am”, between a day and what else is said of it."""
    if joint == "list":
        return not (left.stated() and right.stated()) or (
            "number" not in left.stated() and left.stated().keys().isdisjoint(right.stated())
        )
    if joint == "dash" and right.stated().keys() == {"lasting"}:
        return True
    return joint == "dash" and left.clock is None and day_stated(left) and bool(right.clock) and not day_stated(right)


def _between(left: Facts, right: Facts, now: datetime, past: bool) -> Reading:
    left, right = _numbers_named(left, right)
    if right.clock is not None:
        return _clock_range(left, right, now, past)
    if left.clock is not None:
        raise NotUnderstood("a range from a clock time ends at one")
    return _day_range(*_sides(left, right, now, past))


def _numbers_named(left: Facts, right: Facts) -> tuple[Facts, Facts]:
    """A bare number beside a named one is of the same kind: 12/1-3, from 3 to 5pm, November between 19 and 20."""

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
        return number_named(facts)

    if left.number is not None and right.number is not None:
        left = number_named(left)
    if left.number is not None and left.clock is not None:
        left = number_named(left)
    return named(left, right), named(right, left)


# ── clock times ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _clock_range(left: Facts, right: Facts, now: datetime, past: bool) -> Reading:
    if left.clock is None:
        raise NotUnderstood("a range to a clock time begins at one")
    if not day_stated(left) and day_stated(right):
        left = replace(left, **_day_fields(right))
    begin = single(left, now, past)
    start = _clock_time(begin)
    same_day = not day_stated(right) or _day_fields(left) == _day_fields(right)
    if same_day and left.part is None and _two_hours(left) and (right.part is not None or not _two_hours(right)):
        start = _before_end(left, right, start, now)
    if not day_stated(right):
        return _ending(right, replace(begin, start=start, other=None), now, stays=day_stated(left) or past)
    end = _clock_time(single(right, now, past, after=start))
    if end <= start:
        raise NotUnderstood("the range ends before it begins")
    return replace(begin, start=start, end=end, other=None)


def _ending(right: Facts, begin: Reading, now: datetime, *, stays: bool) -> Reading:
    """The end on the day of the start. Without a day a range that is running is today's, and one that is over
    tomorrow's, which is a guess."""
    assert isinstance(begin.start, datetime)
    end = _end_after(right, begin.start, now)
    if stays or begin.start.date() <= now.date():
        return replace(begin, end=end)
    if end - _DAY > now:
        return Reading(begin.start - _DAY, end - _DAY)
    return Reading(begin.start, end).doubted(begin.start - _DAY, end - _DAY)


def _clock_time(reading: Reading) -> datetime:
    assert isinstance(reading.start, datetime)
    return reading.start


def _two_hours(facts: Facts) -> bool:
    """Whether the hour can be one of the morning or one of the evening."""
    return facts.clock is not None and not facts.clock.literal and 0 < facts.clock.hour <= _NOON


def _before_end(left: Facts, right: Facts, start: datetime, now: datetime) -> datetime:
    """5 to 6 pm begins at 5 pm, "11 to 1 pm" at 11 am, "11 to 3am" at 11 pm: the last such hour before the end."""
    assert left.clock is not None
    assert right.clock is not None
    ends = hours_of(right.clock, right.part, named_day=False)[0]
    starts = [at(start.date(), hour, left.clock, now) for hour in (left.clock.hour % 12, left.clock.hour % 12 + 12)]
    for end in (at(start.date(), ends, right.clock, now), at(start.date(), ends + 24, right.clock, now)):
        fitting = [each for each in starts if each < end]
        if fitting:
            return max(fitting)
    return start


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


# ── days ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _sides(left: Facts, right: Facts, now: datetime, past: bool) -> tuple[Reading, Reading]:
    """What each end means, given the other."""
    zone = zone_name(now)
    right = by_country(right, zone)
    left = _inherit(by_country(left, zone), right)
    start = single(left, now, past)
    first = date_of(start.start)
    right = _inherit_from(right, left, first)
    if right.year is None and left.year is None and right.month is not None and left.month is not None:
        right = replace(right, year=first.year + (right.month < first.month))
    return start, single(right, now, past)


def _day_range(start: Reading, end: Reading) -> Reading:
    """All days from the first of the one to the last of the other. It is less sure where one end is a day and the other
    a month: whether that month is in it is left open."""
    if start.vague or end.vague:
        raise NotUnderstood("a range of days has no parts of a day")
    first, last = date_of(start.start), date_of(end.end if end.end is not None else end.start)
    if last < first:
        raise NotUnderstood("the range ends before it begins")
    reading = Reading(first, last, sure=start.sure and end.sure)
    if start.end is None and end.end is not None:
        return reading.doubted(first, date_of(end.start))
    return reading


def _neighbours(left: Facts, right: Facts, now: datetime, past: bool) -> Reading:
    """Two that are named side by side are a range if nothing lies between them: 12/1 and 12/2, 2020、2021年."""
    left, right = _numbers_named(left, right)
    if left.clock is not None or right.clock is not None:
        raise NotUnderstood("these are two times")
    start, end = _sides(left, right, now, past)
    last_of_first = start.end if start.end is not None else start.start
    if start.vague or end.vague or date_of(end.start) - date_of(last_of_first) != _DAY:
        raise NotUnderstood("these are two times")
    return _day_range(start, end)


def _inherit(left: Facts, right: Facts) -> Facts:
    """“13th to 15th of July”: the first day takes month and year from the last."""
    if left.dom is not None and left.month is None and left.period is None:
        left = replace(left, month=right.month, period=right.period)
    if left.year is None and right.year is not None and left.month is not None and left.period is None:
        before = right.month is not None and left.month > right.month
        left = replace(left, year=right.year - before)
    return left


def _inherit_from(right: Facts, left: Facts, first: date) -> Facts:
    """“12/1-3”: the last day takes month and year from the first; "這週二到四" its week."""
    if right.dom is not None and right.month is None and right.period is None:
        return replace(right, month=first.month, year=first.year)
    if right.weekday is not None and right.period is None and left.weekday is not None:
        day = first + timedelta(days=(right.weekday - left.weekday) % 7)
        return Facts(year=day.year, month=day.month, dom=day.day)
    if right.year is None and left.year is not None and right.month is not None:
        return replace(right, year=left.year)
    return right
