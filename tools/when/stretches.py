"""Whole days and stretches of them: steps along the calendar, and the pieces of a year or month.

Pure. Must not know the words they were said in.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from tools.when.facts import Facts
from tools.when.numbers import NotUnderstood

_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Whole days, both ends included."""

    first: date
    last: date


Days = date | Stretch


def shifted(day: date, steps: Iterable[tuple[float, str]]) -> date:
    """The day so many years, months, weeks, days later; a day the month does not have becomes its last."""
    for count, unit in steps:
        whole = int(count)
        if unit in ("year", "month"):
            day = months_later(day, whole * (12 if unit == "year" else 1))
        elif unit in ("week", "day"):
            day += timedelta(days=whole * (7 if unit == "week" else 1))
        else:
            raise NotUnderstood("hours do not make a stretch of days")
    return day


def months_later(day: date, months: int) -> date:
    """The same day of a later month, or its last."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def month_of(year: int, month: int) -> Stretch:
    """A whole month."""
    return Stretch(date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]))


def year_of(year: int) -> Stretch:
    """A whole year."""
    return Stretch(date(year, 1, 1), date(year, 12, 31))


def monday_of(day: date) -> date:
    """The first day of its week."""
    return day - timedelta(days=day.weekday())


def week_of(day: date) -> Stretch:
    """The week a day lies in, Monday to Sunday."""
    return Stretch(monday_of(day), monday_of(day) + 6 * _DAY)


def rolling(today: date, mode: str, steps: Iterable[tuple[float, str]]) -> Stretch:
    """The last or next so many days: ``incl`` ends today, ``back`` yesterday, ``ahead`` begins tomorrow."""
    steps = tuple(steps)
    if mode == "ahead":
        return Stretch(today + _DAY, shifted(today, steps))
    end = today if mode == "incl" else today - _DAY
    return Stretch(shifted(end, ((-count, unit) for count, unit in steps)) + _DAY, end)


def third_of(month: Stretch, third: int) -> Stretch:
    """上旬, 中旬, 下旬: the first ten days, the second, and what is left."""
    first = month.first + 10 * (third - 1) * _DAY
    return Stretch(first, month.last if third == 3 else first + 9 * _DAY)  # noqa: PLR2004 - the last of the three


def piece_of(year: int, months: int, index: int) -> Stretch:
    """A quarter, a half: the ``index``-th piece of so many months."""
    first = date(year, months * (index - 1) + 1, 1)
    return Stretch(first, months_later(first, months) - _DAY)


def nth_day_of(whole: Stretch, nth: int) -> date:
    """The nth day, from the end if negative. Raises NotUnderstood."""
    day = whole.first + (nth - 1) * _DAY if nth > 0 else whole.last + (nth + 1) * _DAY
    if not whole.first <= day <= whole.last:
        raise NotUnderstood("there is no such day")
    return day


def nth_weekday_of(month: Stretch, weekday: int, nth: int) -> date:
    """The first Friday of a month; the last if -1. Raises NotUnderstood."""
    if nth > 0:
        day = month.first + (weekday - month.first.weekday()) % 7 * _DAY + (nth - 1) * _WEEK
    else:
        day = month.last - (month.last.weekday() - weekday) % 7 * _DAY + (nth + 1) * _WEEK
    if not month.first <= day <= month.last:
        raise NotUnderstood("there is no such day")
    return day


def nth_week_of(whole: Stretch, nth: int, *, begun: bool) -> Stretch:
    """The nth week of a month or year, from the end if negative. A week belongs where most of its days are, as in ISO
    8601; if ``begun``, where its Monday is. Raises NotUnderstood."""
    first = monday_of(whole.first + (6 if begun else 3) * _DAY)
    last = monday_of(whole.last - (0 if begun else 3) * _DAY)
    monday = first + (nth - 1) * _WEEK if nth > 0 else last + (nth + 1) * _WEEK
    if not first <= monday <= last:
        raise NotUnderstood("there is no such week")
    return week_of(monday)


def whole_of(facts: Facts, today: date) -> Stretch:
    """The month or year that is named, else the present year."""
    year = facts.year or today.year
    return month_of(year, facts.month) if facts.month is not None else year_of(year)
