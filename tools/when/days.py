"""From what a text states to a calendar day, or a stretch of days.

Pure. Today comes in as a date. Must not know clock times, nor zones beyond how their people order day and month.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date, timedelta

from tools.when.facts import Facts
from tools.when.lunar import lunar_days, solar_terms
from tools.when.numbers import NotUnderstood
from tools.when.stretches import (
    Days,
    Stretch,
    month_of,
    months_later,
    nth_day_of,
    nth_week_of,
    nth_weekday_of,
    piece_of,
    rolling,
    shifted,
    third_of,
    week_of,
    whole_of,
    year_of,
)

_DAY_FIRST_ZONES = frozenset({"Asia/Bangkok"})
_JUST_PASSED = timedelta(days=30)
_MONTHS = 12
_CALENDAR = ("year", "month", "dom", "nth", "week", "whole_weeks", "nth_day", "piece", "lunar", "third", "edge")
_DAY_WORDS = frozenset({*_CALENDAR, "order", "day", "local", "weekday", "period", "shift", "rolling", "around",
                        "onward"})  # fmt: skip


def day_stated(facts: Facts) -> bool:
    """Whether the text says anything about which day."""
    return not _DAY_WORDS.isdisjoint(facts.stated())


def as_days(facts: Facts, today: date, zone: str, past: bool) -> Days | None:
    """The day or days that are stated; None if none are. Raises NotUnderstood."""
    if not day_stated(facts):
        return None
    try:
        found = _built(by_country(facts, zone), today, past)
    except (ValueError, OverflowError) as wrong:
        raise NotUnderstood("there is no such day") from wrong
    if facts.weekday is not None and isinstance(found, date) and facts.onward is None and facts.lasting is None:
        _same_weekday(facts.weekday, found)
    return found


def by_country(facts: Facts, zone: str) -> Facts:
    """The same, with what depends on who says it decided: which number is the month, whose word it is."""
    if facts.local is not None:
        if zone not in facts.local:
            raise NotUnderstood("this is another day in another language")
        facts = replace(facts, local=None, day=facts.local[zone])
    return _ordered(facts, zone) if facts.order is not None else facts


def _ordered(facts: Facts, zone: str) -> Facts:
    assert facts.order is not None
    first, second = facts.order
    if facts.day_first or zone in _DAY_FIRST_ZONES or first > _MONTHS:
        day, month = first, second
    elif facts.year is not None and second <= _MONTHS and first != second:
        raise NotUnderstood("this can mean two dates")
    else:
        month, day = first, second
    return replace(facts, order=None, day_first=None, month=month, dom=day)


def _same_weekday(weekday: int, day: date) -> None:
    if day.weekday() != weekday:
        raise NotUnderstood("that day is another day of the week")


def _built(facts: Facts, today: date, past: bool) -> Days:
    """What begins at a stated day, else the day itself."""
    if facts.lasting is not None:
        first = _one_day(replace(facts, lasting=None), today, past)
        return Stretch(first, shifted(first, facts.lasting) - timedelta(days=1))
    if facts.onward is not None:
        return shifted(_one_day(replace(facts, onward=None), today, past), facts.onward)
    if facts.around is not None:
        return week_of(_one_day(replace(facts, around=None), today, past))
    return _days(facts, today, past)


def _one_day(facts: Facts, today: date, past: bool) -> date:
    found = _days(facts, today, past) if day_stated(facts) else today
    if not isinstance(found, date):
        raise NotUnderstood("a day is needed to begin with")
    return found


def _days(facts: Facts, today: date, past: bool) -> Days:
    """A day that is named in several ways must be one day: 明天 12/1, 下週三(12/9)."""
    ways = [read(facts, today, past) for read in _WAYS]
    found = [each for each in ways if each is not None]
    if any(each != found[0] for each in found[1:]):
        raise NotUnderstood("the text states two different days")
    return found[0] if found else _weekday(facts, today, past)


def _by_day(facts: Facts, today: date, _: bool) -> Days | None:
    return None if facts.day is None else today + timedelta(days=facts.day)


def _by_shift(facts: Facts, today: date, _: bool) -> Days | None:
    return None if facts.shift is None else shifted(today, facts.shift)


def _by_rolling(facts: Facts, today: date, _: bool) -> Days | None:
    return None if facts.rolling is None else rolling(today, *facts.rolling)


def _by_week(facts: Facts, today: date, _: bool) -> Days | None:
    """A week from this one, its weekend, or its weekday; the latest such weekday."""
    if facts.period is None or facts.period[0] not in ("week", "weekend", "weekday"):
        return None
    unit, offset = facts.period
    if unit == "weekday":
        assert facts.weekday is not None
        return today - timedelta(days=(today.weekday() - facts.weekday - 1) % 7 + 1)
    week = week_of(today + timedelta(weeks=offset))
    if facts.weekday is not None:
        return week.first + timedelta(days=facts.weekday)
    return Stretch(week.last - timedelta(days=1), week.last) if unit == "weekend" else week


def _by_calendar(facts: Facts, today: date, past: bool) -> Days | None:
    facts = _period_resolved(facts, today)
    stated = facts.stated()
    if facts.period is not None and facts.period[0] == "quarter":
        first = months_later(date(today.year, (today.month - 1) // 3 * 3 + 1, 1), 3 * facts.period[1])
        return piece_of(first.year, 3, (first.month - 1) // 3 + 1)
    if not any(name in stated for name in _CALENDAR):
        return None
    named = next((build for name, build in _NAMED.items() if name in stated), _in_calendar)
    return named(facts, today, past)


def _period_resolved(facts: Facts, today: date) -> Facts:
    """Next month, last year: the month and year themselves."""
    if facts.period is None or facts.period[0] not in ("month", "year"):
        return facts
    unit, offset = facts.period
    if unit == "year":
        return replace(facts, period=None, year=_once(facts.year, today.year + offset))
    there = months_later(today.replace(day=1), offset)
    return replace(facts, period=None, year=_once(facts.year, there.year), month=_once(facts.month, there.month))


def _once(stated: int | None, value: int) -> int:
    if stated is not None and stated != value:
        raise NotUnderstood("the text states two different dates")
    return value


def _nth_week(facts: Facts, today: date, _: bool) -> Days:
    assert facts.week is not None
    begun = facts.month is not None and facts.whole_weeks is True
    week = nth_week_of(whole_of(facts, today), facts.week, begun=begun)
    return week if facts.weekday is None else week.first + timedelta(days=facts.weekday)


def _nth_weekday(facts: Facts, today: date, _: bool) -> Days:
    """The first Friday of a month; without a year this year's."""
    if facts.month is None or facts.weekday is None or facts.dom is not None or facts.nth is None:
        raise NotUnderstood("the month is missing")
    return nth_weekday_of(whole_of(facts, today), facts.weekday, facts.nth)


def _nth_day(facts: Facts, today: date, _: bool) -> Days:
    if facts.month is None and facts.year is None:
        raise NotUnderstood("the month is missing")
    return nth_day_of(whole_of(facts, today), facts.nth_day or 0)


def _piece(facts: Facts, today: date, _: bool) -> Days:
    assert facts.piece is not None
    if facts.month is not None:
        raise NotUnderstood("the text states two different dates")
    return piece_of(facts.year or today.year, *facts.piece)


def _third(facts: Facts, today: date, _: bool) -> Days:
    assert facts.third is not None
    return third_of(month_of(facts.year or today.year, facts.month or today.month), facts.third)


def _lunar(facts: Facts, today: date, past: bool) -> Days:
    """Of a festival the next is meant, as of Christmas; in a year that is named, the one that falls in it."""
    if facts.lunar is None or facts.month is not None or facts.dom is not None:
        raise NotUnderstood("the text states two different dates")
    around = facts.year if facts.year is not None else today.year
    years = range(around - 2, around + 3)
    found = solar_terms(facts.lunar, years) if isinstance(facts.lunar, str) else lunar_days(*facts.lunar, years)
    if facts.year is not None:
        found = [day for day in found if day.year == facts.year]
    return _pick(found, today, past, timedelta()) if facts.year is None else min(found)


def _edge(facts: Facts, today: date, _: bool) -> Days:
    return month_of(facts.year or today.year, facts.month or today.month).last


_Way = Callable[[Facts, date, bool], Days]
_NAMED: dict[str, _Way] = {
    "lunar": _lunar,
    "week": _nth_week, "nth": _nth_weekday, "nth_day": _nth_day, "piece": _piece, "third": _third, "edge": _edge,
}  # fmt: skip
_WAYS: tuple[Callable[[Facts, date, bool], Days | None], ...] = (
    _by_day, _by_shift, _by_rolling, _by_week, _by_calendar
)  # fmt: skip


def _in_calendar(facts: Facts, today: date, past: bool) -> Days:
    year, month, dom = facts.year, facts.month, facts.dom
    if month is not None and dom is not None:
        return date(year, month, dom) if year is not None else _yearless(facts, today, past)
    if month is not None:
        return month_of(today.year if year is None else year, month)
    if dom is None:
        assert year is not None
        return year_of(year)
    if year is not None:
        raise NotUnderstood("the month is missing")
    return _monthless(dom, facts.weekday, today, past)


def _weekday(facts: Facts, today: date, past: bool) -> date:
    """The next such day, today included; with ``past`` the latest."""
    assert facts.weekday is not None
    ahead = (facts.weekday - today.weekday()) % 7
    return today + timedelta(days=ahead - 7 if past and ahead else ahead)


def _pick(candidates: Iterable[date], today: date, past: bool, grace: timedelta) -> date:
    if past:
        return max(each for each in candidates if each <= today)
    return min(each for each in candidates if each >= today - grace)


def _existing(year: int, month: int, dom: int) -> list[date]:
    return [date(year, month, dom)] if dom <= calendar.monthrange(year, month)[1] else []


def _yearless(facts: Facts, today: date, past: bool) -> date:
    """29 February is looked for in the eight years around. Of Christmas the next is meant, just passed or not."""
    month, dom = facts.month or 0, facts.dom or 0
    years = range(today.year - 8, today.year + 9)
    grace = timedelta() if facts.holiday else min(_JUST_PASSED, today - date(today.year, 1, 1))
    return _pick((day for year in years for day in _existing(year, month, dom)), today, past, grace)


def _monthless(dom: int, weekday: int | None, today: date, past: bool) -> date:
    """With a weekday it is the nearest such day that falls on it: Friday the 13th. One that is long over is not meant,
    unless it was."""
    months = (months_later(today.replace(day=1), offset) for offset in range(-4, 5))
    candidates = [day for first in months for day in _existing(first.year, first.month, dom)]
    if weekday is not None:
        fitting = [day for day in candidates if day.weekday() == weekday and (past or day >= today - _JUST_PASSED)]
        if not fitting:
            raise NotUnderstood("that day is another day of the week")
        return min(fitting, key=lambda day: abs(day - today))
    return _pick(candidates, today, past, timedelta())
