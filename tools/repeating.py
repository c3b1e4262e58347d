"""What becomes of a record that comes again: its next time, the reminder of that, and when it moves on by itself.

A task stands for the time that was not finished until the next one is there; an event moves on when its day is over.
Pure. Must not know how a record is stored, or the words in which a rule is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import takewhile
from typing import Final
from zoneinfo import ZoneInfo

from tools.moments import Moment, Repeat, day_of, in_its_zone
from tools.record import Draft
from tools.when import next_after, occurrences, pattern_of

_BEHIND = timedelta(microseconds=1)
"""It moves on right behind the moment: no reminder is ever due then."""

_MINUTE = timedelta(minutes=1)

MOST_MISSED: Final = 8
"""So many times that nobody was there for are reminded of one by one; of more only the last."""


def begins(rule: str, first: Moment, zone: ZoneInfo, *, ring: datetime | None) -> Repeat:
    """How a record comes again that stands for the first time; ``ring`` reminds of that."""
    repeat = Repeat(rule=rule, first=first, zone=zone.key, at=first)
    return repeat if ring is None else replace(repeat, ring=_lead(repeat, ring))


def _lead(repeat: Repeat, ring: datetime) -> int:
    """Minutes on the wall from the beginning to the reminder."""
    return (ring.astimezone(_zone(repeat)).replace(tzinfo=None) - _wall(repeat.at, repeat)) // _MINUTE


def rings_with(repeat: Repeat, ring: datetime | None) -> Repeat:
    """The same, with this reminder of the time it stands for, and the like of all that follow."""
    return replace(repeat, ring=None if ring is None else _lead(repeat, ring))


def next_time(repeat: Repeat) -> Moment | None:
    """The one behind that which the record stands for; None if that is the last."""
    return next_after(repeat.rule, repeat.first, _start(repeat.at, repeat))


def _upcoming(repeat: Repeat, now: datetime | None) -> Moment | None:
    if now is None:
        return next_time(repeat)
    coming = occurrences(repeat.rule, repeat.first, _start(repeat.at, repeat))
    passed = list(takewhile(lambda each: _start(each, repeat) <= now, coming))
    return passed[-1] if len(passed) > MOST_MISSED else next_time(repeat)


def ring_of(repeat: Repeat, at: Moment) -> datetime | None:
    """When one of its times is reminded of."""
    if repeat.ring is None:
        return None
    return in_its_zone((_wall(at, repeat) + repeat.ring * _MINUTE).replace(tzinfo=_zone(repeat)))


def advanced(record: Draft, *, done: bool, now: datetime | None = None) -> dict[str, object]:
    """What changes when it goes on to its next time: nothing if there is none. ``done``: this one was finished. Of many
    times that have passed by ``now`` it goes to the last."""
    repeat = record.repeat
    upcoming = _upcoming(repeat, now) if repeat else None
    if repeat is None or upcoming is None:
        return {}
    return {
        "when": upcoming,
        "until": _later(record.until, record.when, upcoming),
        "remind_at": ring_of(repeat, upcoming),
        "repeat": replace(repeat, at=upcoming, done=repeat.at if done else repeat.done),
    }


def moves_on_at(record: Draft) -> datetime | None:
    """When it goes on by itself; None if it does not come again."""
    repeat = record.repeat
    upcoming = next_time(repeat) if repeat else None
    if repeat is None or upcoming is None:
        return None
    coming = [_start(upcoming, repeat), *filter(None, [ring_of(repeat, upcoming)])]
    if record.type == "event":
        coming.append(_end_of_day(record, repeat))
    return min(coming) + _BEHIND


def upcoming_ring(record: Draft, now: datetime) -> datetime | None:
    """When it is reminded of next."""
    if record.remind_at is not None and record.remind_at > now:
        return record.remind_at
    fields: Mapping[str, object] = advanced(record, done=False)
    ring = fields.get("remind_at")
    return ring if isinstance(ring, datetime) else None


def _end_of_day(record: Draft, repeat: Repeat) -> datetime:
    """The midnight behind the day on which it is over."""
    zone = _zone(repeat)
    last = record.until or record.when or repeat.at
    return datetime.combine(day_of(last, zone) + timedelta(days=1), time(), zone)


def _later(until: Moment | None, when: Moment | None, upcoming: Moment) -> Moment | None:
    """It lasts as long as this one did."""
    match until, when, upcoming:
        case datetime() as end, datetime() as start, datetime():
            return upcoming + (end - start)
        case (datetime(), _, _) | (_, datetime(), _) | (_, _, datetime()):
            return None
        case date() as end, date() as start, date():
            return upcoming + (end - start)
    return None


def _zone(repeat: Repeat) -> ZoneInfo:
    return ZoneInfo(repeat.zone)


def _start(moment: Moment, repeat: Repeat) -> datetime:
    zone = _zone(repeat)
    return moment.astimezone(zone) if isinstance(moment, datetime) else datetime.combine(moment, time(), zone)


def _wall(moment: Moment, repeat: Repeat) -> datetime:
    return _start(moment, repeat).replace(tzinfo=None)


# ── a move of all that follow ─────────────────────────────────────────────────────────────────────────────────────


def moved_for_good(record: Draft, when: Moment) -> dict[str, object] | None:
    """What changes when this time and all that follow begin as ``when`` does: at its hour, on its day of the week or
    month. None for a rule in which that means nothing."""
    repeat = record.repeat
    if repeat is None:
        return None
    zone = _zone(repeat)
    start = when.astimezone(zone) if isinstance(when, datetime) else when
    rule = _on_day(repeat, _start(start, repeat).date())
    if rule is None:
        return None
    moved = replace(repeat, rule=rule, first=start, at=start)
    return {"when": when, "remind_at": ring_of(moved, start), "repeat": moved}


def _on_day(repeat: Repeat, day: date) -> str | None:
    """The rule, on the day of the week or month of that day."""
    pattern = pattern_of(repeat.rule)
    if day == _start(repeat.at, repeat).date() or pattern.freq == "DAILY":
        return repeat.rule
    if pattern.freq == "WEEKLY" and len(pattern.days) <= 1:
        return replace(pattern, days=((day.weekday(), 0),)).rule
    if pattern.freq == "MONTHLY" and len(pattern.doms) <= 1 and not pattern.days and not pattern.places:
        return replace(pattern, doms=(day.day,)).rule
    return None
