"""The words for time in what is remembered: a moment, what comes again, and a person's own hours.

Pure vocabulary. Must not know records, or how people say any of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

Moment = date | datetime
"""A whole day (``date``) stays a calendar day in every zone; a clock time is an aware ``datetime``."""

YEARS: Final = range(1900, 2200)
"""Beyond is a slip of the pen; and near the ends of the calendar no time can be told in another zone."""

MORNING: Final = time(9)
"""When a reminder for a whole day rings."""

BEDTIME: Final = time(22, 30)
"""When "before bed" is, for whom has not said otherwise."""


def day_of(moment: Moment, zone: tzinfo) -> date:
    """The calendar day of a moment, seen from a zone."""
    return moment.astimezone(zone).date() if isinstance(moment, datetime) else moment


@dataclass(frozen=True, slots=True)
class Hours:
    """How a person's day goes: from when to when nothing may disturb them (None: never), and when they go to bed. On
    their own clock."""

    quiet: tuple[time, time] | None = None
    bedtime: time = BEDTIME

    def quiet_until(self, now: datetime) -> datetime | None:
        """When the quiet in which ``now`` lies is over; None if it lies in none. ``now`` is in the person's zone."""
        if self.quiet is None:
            return None
        begin, end = self.quiet
        clock = now.time()
        inside = begin <= clock < end if begin < end else clock >= begin or clock < end
        if not inside:
            return None
        day = now.date() if clock < end else now.date() + timedelta(days=1)
        return datetime.combine(day, end, now.tzinfo)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """How a record comes again. ``rule`` and ``first`` are those of ``tools.when.repeats``; ``at`` is the time that the
    record stands for, as the rule has it: where this one alone was moved, the record's own time differs. ``ring``:
    minutes from the beginning of each to its reminder, None if none rings. ``done``: the last one that was finished.
    Clock times stand on the wall of ``zone`` (IANA), so that they stay there when its rules change."""

    rule: str
    first: Moment
    zone: str
    at: Moment
    ring: int | None = None
    done: Moment | None = None


# ── a moment on the wall of a place ───────────────────────────────────────────────────────────────────────────────


def on_the_wall(moment: datetime) -> str | None:
    """A moment with its place, ``2026-12-01T14:00:00+08:00[Asia/Taipei]``; None if it names none.

    https://www.rfc-editor.org/rfc/rfc9557
    """
    return f"{moment.isoformat()}[{moment.tzinfo.key}]" if isinstance(moment.tzinfo, ZoneInfo) else None


def from_the_wall(text: str) -> datetime:
    """The other way, by the rules that hold there now: the offset only tells of two equal hours which one was meant,
    and an hour that is skipped moves forward by the gap. Raises ValueError for a place that is not known any more."""
    told, _, key = text.rstrip("]").partition("[")
    offset = datetime.fromisoformat(told)
    wall = offset.replace(tzinfo=_zone(key))
    later = wall.replace(fold=1)
    meant = later if later.utcoffset() == offset.utcoffset() != wall.utcoffset() else wall
    return in_its_zone(meant)


def in_its_zone(wall: datetime) -> datetime:
    """An hour that a change to summer time skips, moved forward by the gap; every other one as it is."""
    return wall.astimezone(UTC).astimezone(wall.tzinfo)


def _zone(key: str) -> ZoneInfo:
    try:
        return ZoneInfo(key)
    except (ZoneInfoNotFoundError, OSError) as unknown:
        raise ValueError(f"there is no place {key!r}") from unknown
