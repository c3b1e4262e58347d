"""What repeats: a rule of RFC 5545, the first time, and the times after it.

A rule is stored as one text: the value of an RRULE (https://www.rfc-editor.org/rfc/rfc5545#section-3.3.10) with its
parts always in the same order, ``FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20261231``; UNTIL is a day of the person's
calendar, itself included. Days on which it does not happen follow on a second line: ``EXDATE:20261225,20270101``.
The clock time is that of the first time, and so is the zone; nothing of them stands in the rule.

- The 31st of each month is its last day (BYMONTHDAY=-1). The 29th and 30th, and 29 February, are the last day of a
  month that has no such day: of BYMONTHDAY=28,29,30 the last one that is there (BYSETPOS=-1).
- Times keep their hour on the wall through a change to summer time and back. An hour that is skipped moves forward by
  the gap; of two equal ones it is the first. What repeats by hours or minutes keeps its distance instead.

Pure. Must not know the words a rule was said in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from tools.record import Moment

if TYPE_CHECKING:
    from dateutil.rrule import rrule

Frequency = Literal["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY"]

WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
BY_CLOCK: Final = {"HOURLY": timedelta(hours=1), "MINUTELY": timedelta(minutes=1)}
_STEP: Final = {"DAILY": timedelta(days=1), "WEEKLY": timedelta(weeks=1)}
_LONGEST: Final = 2_000
_RULE: Final = re.compile(
    r"FREQ=(?P<freq>YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY|MINUTELY)"
    r"(?:;INTERVAL=(?P<interval>[1-9]\d{0,3}))?"
    r"(?:;BYMONTH=(?P<months>\d{1,2}(?:,\d{1,2})*))?"
    r"(?:;BYMONTHDAY=(?P<doms>-?\d{1,2}(?:,-?\d{1,2})*))?"
    r"(?:;BYDAY=(?P<days>-?\d?(?:MO|TU|WE|TH|FR|SA|SU)(?:,-?\d?(?:MO|TU|WE|TH|FR|SA|SU))*))?"
    r"(?:;BYHOUR=(?P<hours>\d{1,2}(?:,\d{1,2})*);BYMINUTE=(?P<minute>\d{1,2}))?"
    r"(?:;BYSETPOS=(?P<places>-?\d{1,3}(?:,-?\d{1,3})*))?"
    r"(?:;COUNT=(?P<count>[1-9]\d{0,3})|;UNTIL=(?P<until>\d{8}))?"
    r"(?:\nEXDATE:(?P<excepted>\d{8}(?:,\d{8})*))?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A rule taken apart. ``days``: weekday (0 is Monday) and which of its month, 0 for each."""

    freq: Frequency
    interval: int = 1
    months: tuple[int, ...] = ()
    doms: tuple[int, ...] = ()
    days: tuple[tuple[int, int], ...] = ()
    hours: tuple[int, ...] = ()
    """Several times a day; else the hour is that of the first time."""
    minute: int = 0
    places: tuple[int, ...] = ()
    count: int | None = None
    until: date | None = None
    excepted: tuple[date, ...] = ()

    @property
    def rule(self) -> str:
        """The rule as it is stored."""
        days = (f"{nth or ''}{WEEKDAYS[day]}" for day, nth in self.days)
        parts = [
            f"FREQ={self.freq}",
            f"INTERVAL={self.interval}" if self.interval > 1 else "",
            _list("BYMONTH", self.months),
            _list("BYMONTHDAY", self.doms),
            _list("BYDAY", tuple(days)),
            f"{_list('BYHOUR', self.hours)};BYMINUTE={self.minute}" if self.hours else "",
            _list("BYSETPOS", self.places),
            f"COUNT={self.count}" if self.count else "",
            f"UNTIL={self.until:%Y%m%d}" if self.until else "",
        ]
        lines = [";".join(part for part in parts if part)]
        if self.excepted:
            lines.append("EXDATE:" + ",".join(f"{day:%Y%m%d}" for day in sorted(set(self.excepted))))
        return "\n".join(lines)


def _list(name: str, values: tuple[object, ...]) -> str:
    return f"{name}={','.join(map(str, values))}" if values else ""


@dataclass(frozen=True)
class Repetition:
    """What is said about repeating: the rule as stored, and the first time at or after now: a day, or an aware moment
    in the person's zone if a clock time was named. ``part`` is a part of the day (a key of ``clock.PARTS``) that was
    named without an hour; ``lasts`` how long each time takes. ``sure`` is False where people mean two things by it."""

    rule: str
    first: Moment
    part: str | None = None
    lasts: timedelta | None = None
    sure: bool = True

    @cached_property
    def pattern(self) -> Pattern:
        """The rule taken apart, to be said back."""
        return pattern_of(self.rule)

    @property
    def until(self) -> date | None:
        """The last day, itself included."""
        return self.pattern.until

    @property
    def except_(self) -> tuple[date, ...]:
        """The days on which it does not happen."""
        return self.pattern.excepted


def pattern_of(rule: str) -> Pattern:
    """A stored rule taken apart. Raises ValueError if it is none of ours."""
    found = _RULE.fullmatch(rule) if len(rule) <= _LONGEST else None
    if found is None:
        raise ValueError("this is no rule for repeating")
    days = [re.fullmatch(r"(-?\d?)(\w\w)", each) for each in (found["days"] or "").split(",") if each]
    pattern = Pattern(
        freq=found["freq"],  # type: ignore[arg-type]  # one of them, by the expression
        interval=int(found["interval"] or 1),
        months=_numbers(found["months"]),
        doms=_numbers(found["doms"]),
        days=tuple((WEEKDAYS.index(each[2]), int(each[1] or 0)) for each in days if each),
        hours=_numbers(found["hours"]),
        minute=int(found["minute"] or 0),
        places=_numbers(found["places"]),
        count=int(found["count"]) if found["count"] else None,
        until=_day(found["until"]) if found["until"] else None,
        excepted=tuple(_day(each) for each in (found["excepted"] or "").split(",") if each),
    )
    if not _possible(pattern):
        raise ValueError("this rule names a day or an hour that there is not")
    return pattern


def _possible(pattern: Pattern) -> bool:
    return (
        all(1 <= month <= 12 for month in pattern.months)  # noqa: PLR2004 - the calendar
        and all(1 <= abs(dom) <= 31 for dom in pattern.doms)  # noqa: PLR2004 - the calendar
        and all(hour <= 23 for hour in pattern.hours)  # noqa: PLR2004 - the clock
        and pattern.minute <= 59  # noqa: PLR2004 - the clock
    )


def _numbers(text: str | None) -> tuple[int, ...]:
    return tuple(int(each) for each in (text or "").split(",") if each)


def _day(text: str) -> date:
    return date(int(text[:4]), int(text[4:6]), int(text[6:]))


def without(rule: str, day: date) -> str:
    """The same rule, which does not happen on that day: this one alone is called off."""
    pattern = pattern_of(rule)
    return replace(pattern, excepted=(*pattern.excepted, day)).rule


def ending(rule: str, last: date) -> str:
    """The same rule, which ends with that day: what follows is called off."""
    return replace(pattern_of(rule), until=last, count=None).rule


def next_after(rule: str, first: Moment, after: datetime) -> Moment | None:
    """The next time strictly after a moment, which is aware and in the person's zone; None if it was the last. A day if
    ``first`` is one: then the first such day after that of ``after``. Raises ValueError."""
    return next(occurrences(rule, first, after), None)


def occurrences(rule: str, first: Moment, after: datetime) -> Iterator[Moment]:
    """The times strictly after a moment, in its order; see ``next_after``."""
    pattern = pattern_of(rule)
    zone = after.tzinfo
    if zone is None:
        raise ValueError("after must carry the person's zone")
    if isinstance(first, datetime):
        found = _ticks(pattern, first, after) if pattern.freq in BY_CLOCK else _moments(pattern, first, after, zone)
        yield from (each for each in found if each > after)
    else:
        days = _on_the_wall(pattern, datetime.combine(first, time()), datetime.combine(after.date(), time()))
        yield from (each.date() for each in days if each.date() > after.date())


def _moments(pattern: Pattern, first: datetime, after: datetime, zone: tzinfo) -> Iterator[datetime]:
    """If the rule names its hours, the first may be one that was moved out of a gap."""
    start = first.astimezone(zone).replace(tzinfo=None)
    begin = datetime.combine(start.date(), time()) if pattern.hours and pattern.count is None else start
    for each in _on_the_wall(pattern, begin, after.replace(tzinfo=None)):
        moment = each.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
        if moment >= first:
            yield moment


def _on_the_wall(pattern: Pattern, start: datetime, after: datetime) -> Iterator[datetime]:
    """The times without their zone, beginning some time before ``after``."""
    for each in _rrule(pattern, _nearer(pattern, start, after)):
        if pattern.until is not None and each.date() > pattern.until:
            return
        if each.date() not in pattern.excepted:
            yield each


def _nearer(pattern: Pattern, start: datetime, after: datetime) -> datetime:
    """A later beginning of the same times, so that years of days are not gone through one by one."""
    step = _STEP.get(pattern.freq)
    if step is None or pattern.count is not None or after <= start:
        return start
    whole = step * pattern.interval
    return start + max(0, (after - start) // whole - 1) * whole


def _rrule(pattern: Pattern, start: datetime) -> rrule:
    """https://dateutil.readthedocs.io/en/stable/rrule.html; imported where a rule is used, for it takes its time."""
    from dateutil import rrule as rfc5545

    return rfc5545.rrule(
        freq=getattr(rfc5545, pattern.freq),
        dtstart=start,
        interval=pattern.interval,
        bymonth=pattern.months or None,
        bymonthday=pattern.doms or None,
        byweekday=[rfc5545.weekday(day, nth or None) for day, nth in pattern.days] or None,
        byhour=pattern.hours or None,
        byminute=pattern.minute if pattern.hours else None,
        bysetpos=pattern.places or None,
        count=pattern.count,
    )


def _ticks(pattern: Pattern, first: datetime, after: datetime) -> Iterator[datetime]:
    """Every so many hours or minutes by the clock that never skips."""
    step = BY_CLOCK[pattern.freq] * pattern.interval
    begin = first.astimezone(UTC)
    index = max(0, (after.astimezone(UTC) - begin) // step)
    while pattern.count is None or index < pattern.count:
        try:
            each = (begin + index * step).astimezone(after.tzinfo)
        except OverflowError:
            return
        if pattern.until is not None and each.date() > pattern.until:
            return
        if each.date() not in pattern.excepted:
            yield each
        index += 1
