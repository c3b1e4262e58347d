"""Days of the Chinese lunar calendar, and the solar terms people name: in which days of ours they fall.

By the tables and terms of Borax (MIT, https://borax.readthedocs.io), which is imported where a day is asked for: it
takes its time. Pure. Must not know the words a day was said in, nor which one is meant of several years.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from importlib import import_module
from typing import Any

LAST = -1
"""Of a month: its last day, the 29th or 30th; -2 is the one before."""

_YEARS = range(1901, 2100)


def _borax() -> Any:
    """It comes without types."""
    return import_module("borax.calendars.lunardate")


def lunar_days(month: int, day: int, years: Iterable[int]) -> list[date]:
    """The day in each of these lunar years that has it; leap months are not meant. A year of theirs begins in January
    or February of ours."""
    calendar = _borax()
    found: list[date] = []
    for year in years:
        if year in _YEARS:
            length = calendar.LCalendars.ndays(year, month)
            number = day if day > 0 else length + 1 + day
            if number <= length:
                found.append(calendar.LunarDate(year, month, number).to_solar_date())
    return found


def solar_terms(name: str, years: Iterable[int]) -> list[date]:
    """清明, 冬至: the day in each year, by China's clock."""
    terms = _borax().TermUtils
    return [terms.nth_term_day(year, term_name=name) for year in years if year in _YEARS]
