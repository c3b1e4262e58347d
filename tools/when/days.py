"""From what a text states to a calendar day, or a stretch of days.

Pure. Today comes in as a date. Must not know clock times, nor zones beyond how their people order day and month.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from tools.when.facts import Facts
from tools.when.numbers import NotUnderstood

_DAY_FIRST_ZONES = frozenset({"Asia/Bangkok"})
_JUST_PASSED = timedelta(days=30)
_MONTHS = 12


@dataclass(frozen=True, slots=True)
class Stretch:
    """Whole days, both ends included."""

    first: date
    last: date


Days = date | Stretch
_DAY_WORDS = frozenset({"year", "month", "dom", "order", "day", "weekday", "period", "shift", "rolling", "edge", "nth"})


def day_stated(facts: Facts) -> bool:
    """Whether the text says anything about which day."""
    return not _DAY_WORDS.isdisjoint(facts.stated())


def as_days(facts: Facts, today: date, zone: str, past: bool) -> Days | None:
    """The day or days that are stated; None if none are. Raises NotUnderstood."""
    stated = _DAY_WORDS & set(facts.stated())
    if not stated:
        return None
    try:
        if facts.order is not None:
            facts = _ordered(facts, zone)
        found = _days(facts, today, past)
    except (ValueError, OverflowError) as wrong:
        raise NotUnderstood("there is no such day") from wrong
    if facts.weekday is not None and isinstance(found, date) and found.weekday() != facts.weekday:
        raise NotUnderstood("that day is another day of the week")
    return found


def _ordered(facts: Facts, zone: str) -> Facts:
    """Which of two numbers is the month."""
    assert facts.order is not None
    first, second = facts.order
    if facts.day_first or zone in _DAY_FIRST_ZONES or first > _MONTHS:
        day, month = first, second
    elif facts.year is not None and second <= _MONTHS and first != second:
        raise NotUnderstood("this can mean two dates")
    else:
        month, day = first, second
    return replace(facts, order=None, day_first=None, month=month, dom=day)


def _days(facts: Facts, today: date, past: bool) -> Days:
    """By the word that says most."""
    if facts.day is not None:
        _only(facts, {"day", "weekday", "shift"})
        return shifted(today + timedelta(days=facts.day), facts.shift or ())
    if facts.shift is not None:
        _only(facts, {"shift", "weekday"})
        return shifted(today, facts.shift)
    if facts.rolling is not None:
        _only(facts, {"rolling"})
        return _rolling(today, *facts.rolling)
    if facts.period is not None:
        return _in_period(facts, today, past)
    if facts.edge is not None:
        return _month_end(facts.year or today.year, facts.month or today.month)
    return _in_calendar(facts, today, past)


def _only(facts: Facts, allowed: set[str]) -> None:
    if _DAY_WORDS & set(facts.stated()) - allowed:
        raise NotUnderstood("the text states two different days")


def shifted(day: date, steps: Iterable[tuple[float, str]]) -> date:
    """The day so many years, months, weeks, days later; a day the month does not have becomes its last."""
    for count, unit in steps:
        whole = int(count)
        if unit in ("year", "month"):
            day = _months_later(day, whole * (12 if unit == "year" else 1))
        elif unit in ("week", "day"):
            day += timedelta(days=whole * (7 if unit == "week" else 1))
    return day


def _months_later(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def _rolling(today: date, mode: str, steps: tuple[tuple[float, str], ...]) -> Stretch:
    if any(unit not in ("day", "week", "month", "year") for _, unit in steps):
        raise NotUnderstood("hours do not make a stretch of days")
    one = timedelta(days=1)
    if mode == "ahead":
        return Stretch(today + one, shifted(today, steps))
    end = today if mode == "incl" else today - one
    return Stretch(shifted(end, ((-count, unit) for count, unit in steps)) + one, end)


def _in_period(facts: Facts, today: date, past: bool) -> Days:
    assert facts.period is not None
    unit, offset = facts.period
    if unit == "weekday":
        assert facts.weekday is not None
        return today - timedelta(days=(today.weekday() - facts.weekday - 1) % 7 + 1)
    if unit in ("week", "weekend"):
        _only(facts, {"period", "weekday"})
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=offset)
        if facts.weekday is not None:
            return monday + timedelta(days=facts.weekday)
        return Stretch(monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=6))
    if unit == "quarter":
        _only(facts, {"period"})
        first = _months_later(date(today.year, (today.month - 1) // 3 * 3 + 1, 1), 3 * offset)
        return Stretch(first, _months_later(first, 3) - timedelta(days=1))
    if unit == "year":
        return _in_calendar(replace(facts, period=None, year=_once(facts.year, today.year + offset)), today, past)
    there = _months_later(today.replace(day=1), offset)
    facts = replace(facts, period=None, year=_once(facts.year, there.year), month=_once(facts.month, there.month))
    return _month_end(there.year, there.month) if facts.edge else _in_calendar(facts, today, past)


def _once(stated: int | None, value: int) -> int:
    if stated is not None and stated != value:
        raise NotUnderstood("the text states two different dates")
    return value


def _month_end(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def _in_calendar(facts: Facts, today: date, past: bool) -> Days:
    year, month, dom = facts.year, facts.month, facts.dom
    if facts.nth is not None:
        return _nth_weekday(facts, today)
    if month is not None and dom is not None:
        return date(year, month, dom) if year is not None else _yearless(month, dom, today, past)
    if month is not None:
        year = today.year if year is None else year
        return Stretch(date(year, month, 1), _month_end(year, month))
    if dom is not None:
        if year is not None:
            raise NotUnderstood("the month is missing")
        return _monthless(dom, facts.weekday, today, past)
    if year is not None:
        return Stretch(date(year, 1, 1), date(year, 12, 31))
    assert facts.weekday is not None
    ahead = (facts.weekday - today.weekday()) % 7
    return today + timedelta(days=ahead - 7 if past and ahead else ahead)


def _nth_weekday(facts: Facts, today: date) -> date:
    """The first Friday of a month; without a year this year's."""
    if facts.month is None or facts.weekday is None or facts.dom is not None or facts.nth is None:
        raise NotUnderstood("the month is missing")
    days = calendar.Calendar().itermonthdates(facts.year or today.year, facts.month)
    fitting = [day for day in days if day.month == facts.month and day.weekday() == facts.weekday]
    if facts.nth > len(fitting):
        raise NotUnderstood("there is no such day")
    return fitting[facts.nth - 1 if facts.nth > 0 else -1]


def _pick(candidates: Iterable[date], today: date, past: bool, grace: timedelta) -> date:
    if past:
        return max(each for each in candidates if each <= today)
    return min(each for each in candidates if each >= today - grace)


def _existing(year: int, month: int, dom: int) -> list[date]:
    return [date(year, month, dom)] if dom <= calendar.monthrange(year, month)[1] else []


def _yearless(month: int, dom: int, today: date, past: bool) -> date:
    """29 February is looked for in the eight years around."""
    years = range(today.year - 8, today.year + 9)
    grace = min(_JUST_PASSED, today - date(today.year, 1, 1))
    return _pick((day for year in years for day in _existing(year, month, dom)), today, past, grace)


def _monthless(dom: int, weekday: int | None, today: date, past: bool) -> date:
    """With a weekday it is the nearest such day that falls on it: Friday the 13th."""
    months = (_months_later(today.replace(day=1), offset) for offset in range(-4, 5))
    candidates = [day for first in months for day in _existing(first.year, first.month, dom)]
    if weekday is not None:
        return min((day for day in candidates if day.weekday() == weekday), key=lambda day: abs(day - today))
    return _pick(candidates, today, past, timedelta())
