"""From what a text states about one time to a moment or a stretch, and how sure that is.

Pure. ``now`` is aware, in the person's zone. Must not know the words it was said in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from tools.record import Moment
from tools.when.clock import clock_time, date_of, part_of_day, zone_name
from tools.when.days import as_days
from tools.when.facts import Facts, Steps
from tools.when.numbers import NotUnderstood
from tools.when.stretches import Stretch, shifted

_WEEK = timedelta(days=7)
_DAY = timedelta(days=1)
_SECONDS = {"hour": 3600, "minute": 60, "second": 1}


@dataclass(frozen=True, slots=True)
class Reading:
    """A moment (``end`` None), a range (days: both included), or, if ``vague``, a part of a day.

    ``sure`` is False where the words are used for something else as well; ``other`` is then what, if that is a time.
    ``before``: up to then.
    """

    start: Moment
    end: Moment | None = None
    vague: bool = False
    before: bool = False
    sure: bool = True
    other: Reading | None = None

    def doubted(self, start: Moment, end: Moment | None = None) -> Reading:
        """The same reading, with the other thing that may have been meant."""
        return replace(self, sure=False, other=Reading(start, end))


def single(facts: Facts, now: datetime, past: bool, after: datetime | None = None) -> Reading:
    """What statements about one time come to. Raises NotUnderstood."""
    facts = number_named(facts)
    exact = _exact(facts, now)
    if exact is not None:
        return Reading(exact)
    if facts.lasting is not None and (facts.clock is not None or facts.now or _in_seconds(facts.lasting)):
        return _lasting(facts, facts.lasting, now, past)
    days = as_days(facts, now.date(), zone_name(now), past)
    reading = _of_days(facts, days, now, past, after)
    if facts.loose and days is not None and reading.sure:
        reading = _loose(facts, reading, now)
    return replace(reading, before=bool(facts.before))


def number_named(facts: Facts) -> Facts:
    """A bare number beside a month is its day; beside a weekday it is too, if it can be no hour of a clock."""
    if facts.number is None:
        return facts
    beside_month = facts.month is not None or (facts.period is not None and facts.period[0] == "month")
    beside_weekday = facts.weekday is not None and facts.number > 12  # noqa: PLR2004 - the hours of a clock
    if facts.dom is None and facts.order is None and (beside_month or beside_weekday):
        return replace(facts, number=None, dom=facts.number)
    raise NotUnderstood("a bare number is no time")


def _of_days(facts: Facts, days: date | Stretch | None, now: datetime, past: bool, after: datetime | None) -> Reading:
    if isinstance(days, Stretch):
        if facts.clock or facts.part:
            raise NotUnderstood("a clock time needs a day")
        return _weeks_doubted(facts, Reading(days.first, days.last), now)
    if facts.clock is not None:
        return _at_clock(facts, days, now, past, after)
    if facts.part is not None:
        return Reading(*part_of_day(facts.part, days, now), vague=True)
    if days is None:
        raise NotUnderstood("no day is named")
    if set(facts.stated()) == {"weekday"} and days == now.date() and not past:
        return Reading(days).doubted(days + _WEEK)
    return Reading(days)


def _at_clock(facts: Facts, days: date | None, now: datetime, past: bool, after: datetime | None) -> Reading:
    """A clock time; one that has passed today is tomorrow's, or that of a bare weekday next week's: a guess."""
    moment = clock_time(facts, days, now, past, after)
    if past or after is not None:
        return Reading(moment)
    if days is None and moment.date() > now.date() and (today := _on(moment, -_DAY)).date() == now.date():
        return Reading(moment).doubted(today)
    bare_weekday = facts.weekday is not None and set(facts.stated()) <= {"weekday", "clock", "part"}
    if bare_weekday and moment <= now:
        return Reading(_on(moment, _WEEK)).doubted(moment)
    return Reading(moment)


def _on(moment: datetime, later: timedelta) -> datetime:
    """The same clock time on another day."""
    return (moment.replace(tzinfo=None) + later).replace(tzinfo=moment.tzinfo)


def _weeks_doubted(facts: Facts, reading: Reading, now: datetime) -> Reading:
    """The first week of a month is the first that begins in it, or the first that mostly lies in it."""
    if facts.week is None:
        return reading
    try:
        other = as_days(replace(facts, whole_weeks=None if facts.whole_weeks else True), now.date(), "", past=False)
    except NotUnderstood:
        return replace(reading, sure=False)
    if not isinstance(other, Stretch) or other.first == reading.start:
        return reading
    return reading.doubted(other.first, other.last)


def _loose(facts: Facts, reading: Reading, now: datetime) -> Reading:
    """“Next Friday” on a Monday is Friday of next week, or the one to come."""
    if facts.weekday is None:
        return replace(reading, sure=False)
    start = reading.start
    sooner = _on(start, -_WEEK) if isinstance(start, datetime) else start - _WEEK
    return reading.doubted(sooner) if date_of(sooner) > now.date() else reading


# ── moments without a calendar ────────────────────────────────────────────────────────────────────────────────────────


def _exact(facts: Facts, now: datetime) -> datetime | None:
    """An offset from now, now itself, or a moment written with its zone."""
    stated = set(facts.stated()) - {"before"}
    if facts.exact is not None and stated == {"exact"}:
        return _in_zone(facts.exact, now)
    if facts.now and stated == {"now"}:
        return now
    if facts.shift is None or not (_in_seconds(facts.shift) or facts.now):
        return None
    if not stated <= {"shift", "now", "day"} or facts.day not in (None, 0):
        raise NotUnderstood("hours and a calendar do not add up to one moment")
    return _later(now, facts.shift)


def _in_seconds(steps: Steps) -> bool:
    return any(unit in _SECONDS for _, unit in steps)


def _later(moment: datetime, steps: Steps) -> datetime:
    """So long after a moment: days and longer by the calendar, hours and shorter by the clock that never skips."""
    seconds = sum(count * _SECONDS[unit] for count, unit in steps if unit in _SECONDS)
    days = [(count, unit) for count, unit in steps if unit not in _SECONDS]
    try:
        day = shifted(moment.date(), days)
        start = _on(moment, day - moment.date()) if days else moment
        return _in_zone(start.astimezone(UTC) + timedelta(seconds=seconds), moment)
    except (OverflowError, ValueError):
        raise NotUnderstood("that is out of every calendar") from None


def _in_zone(moment: datetime, now: datetime) -> datetime:
    try:
        return moment.astimezone(now.tzinfo)
    except OverflowError:
        raise NotUnderstood("that is out of every calendar") from None


def _lasting(facts: Facts, steps: Steps, now: datetime, past: bool) -> Reading:
    """明天三點開始兩小時: from its beginning so long."""
    begin = single(replace(facts, lasting=None), now, past)
    if not isinstance(begin.start, datetime) or begin.end is not None or begin.vague:
        raise NotUnderstood("a length in hours begins at a clock time")
    return replace(begin, end=_later(begin.start, steps), other=None)


def ending(steps: Steps, end: Reading) -> Reading:
    """So long, up to a stated end: PT2H/2026-12-01T17:00."""
    back = tuple((-count, unit) for count, unit in steps)
    if end.end is not None or end.vague:
        raise NotUnderstood("a length ends at one moment")
    if isinstance(end.start, datetime):
        return replace(end, start=_later(end.start, back), end=end.start)
    return replace(end, start=shifted(end.start, back) + _DAY, end=end.start)
