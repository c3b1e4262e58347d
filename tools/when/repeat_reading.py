"""People's words for what repeats → a rule and its first time; or a refusal.

``read_rule`` is the way in; ``repeats`` says what a rule is and how the days are chosen that a month does not have. The
whole text must be used up, as in ``reading``, and must say that something repeats. How the open cases are read:

- Without a first day it begins today, or, with a clock time that has passed today, the next time. A first day may be
  named (從下週一開始, 12月1日から, starting 4 Dec): the first time is the first that fits on it or after it.
- An hour without a part of the day is the first that lies between 07:00 and 21:59: every day at 8 is 08:00, at 3 15:00.
- A part of the day without an hour (每天早上, every evening) is kept as it is said: whose morning it is, others know.
- Every other week counts from the week of the first time. 每隔三天 and 3日おき leave three days between, a guess;
  每隔一天 is every other day; of hours and weeks 每隔兩週 is every two.
- Weekdays are Monday to Friday, weekends Saturday and Sunday, workdays the same as weekdays: no holidays are known.
- "Until" includes its day. So long (連續七天, for two weeks) is a last day too, so often (10次) a number of times.
- What it is not on may be days of the week (每天除了週日) or days of the calendar, one by one or from one to another.
- Written rules of RFC 5545 (FREQ=WEEKLY;BYDAY=MO) are read as well.

Refused: no repetition at all, two hours of different minutes, days that do not fit what repeats, anything left over.
Pure. Must not know records, tools, or the network.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from tools.alphabet import fold
from tools.record import Moment
from tools.when.clock import at, date_of, zone_name
from tools.when.facts import Clock, Facts
from tools.when.meaning import single
from tools.when.numbers import NotUnderstood
from tools.when.repeat_clauses import Days, sorted_out
from tools.when.repeat_clock import Hours, hours_said
from tools.when.repeat_rule import on_doms, pattern_said
from tools.when.repeat_written import written
from tools.when.repeats import BY_CLOCK, Pattern, Repetition, next_after
from tools.when.stretches import shifted
from tools.when.tokens import Token, join, token_at

_LONGEST = 200
_MOST_DAYS = 366
_SHORTEST_MONTH = 28
_DAY = timedelta(days=1)
_SPACE_IN_HAN = re.compile(r"(?<=[\u3005-\u9fff])\s+|\s+(?=[\u3005-\u9fff])")
"""Chinese and Japanese set numbers apart from words, or not."""
_MOMENT = timedelta(microseconds=1)


def read_rule(text: str, now: datetime) -> Repetition:
    """What repeats and when it is first, ``now`` aware and in the person's zone. Raises NotUnderstood."""
    if now.tzinfo is None:
        raise ValueError("now must carry the person's zone")
    if len(text) > _LONGEST:
        raise NotUnderstood("this is longer than any time")
    rule = written(text)
    if rule is not None:
        return _begun(rule, Hours(), now.date(), now)
    said = sorted_out(_tokens(_SPACE_IN_HAN.sub("", fold(text).strip().rstrip("。.!"))))
    every = join(said.rule)
    main = [join(tokens) for _, tokens in said.main]
    never, excepted = _exceptions(said.days["except"], now)
    pattern = pattern_said(replace(every, part=None), main, zone_name(now), never)
    hours = hours_said(said.clock, every.part, now, daily=pattern.freq == "DAILY")
    start = _day_said(said.days["start"], now)
    until = _day_said(said.days["until"], now, last=True)
    pattern = replace(pattern, until=until, count=every.times, excepted=excepted)
    found = _begun(pattern, hours, start or now.date(), now, said.lasting)
    return replace(found, sure=not every.loose)


def _tokens(folded: str) -> list[Token]:
    tokens: list[Token] = []
    at_ = 0
    while at_ < len(folded):
        token = token_at(folded, at_, repeats=True)
        if token is None:
            raise NotUnderstood("these are not only words for what repeats")
        tokens.append(token)
        at_ = token.end
    return tokens


# ── the days of its clauses ───────────────────────────────────────────────────────────────────────────────────────────


def _weekday_alone(facts: Facts) -> Facts:
    """A day of the week as one day: until Friday."""
    if facts.weekdays is None or len(facts.weekdays) != 1:
        return facts
    return replace(facts, every=None, weekdays=None, weekday=facts.weekdays[0])


def _day_said(days: Days, now: datetime, *, last: bool = False) -> date | None:
    """The one day of a clause; of a month its first, or its last."""
    if not days:
        return None
    if len(days) > 1:
        raise NotUnderstood("one day begins it, and one ends it")
    reading = single(_weekday_alone(join(days[0][1])), now, past=False)
    return date_of(reading.end if last and reading.end is not None and not reading.vague else reading.start)


def _exceptions(days: Days, now: datetime) -> tuple[tuple[int, ...], tuple[date, ...]]:
    """The days of the week, and the days of the calendar, on which it does not happen."""
    never: list[int] = []
    found: list[date] = []
    for joint, tokens in days:
        facts = join(tokens)
        if facts.stated().keys() <= {"weekdays", "weekday", "every"}:
            never += facts.weekdays or (facts.weekday or 0,)
            continue
        reading = single(_weekday_alone(facts), now, past=False)
        first, last = date_of(reading.start), date_of(reading.end if reading.end is not None else reading.start)
        if joint == "to" and found:
            first = found[-1] + _DAY
        if reading.vague or not timedelta() <= last - first < timedelta(days=_MOST_DAYS):
            raise NotUnderstood("these are too many days, or none")
        found += [first + step * _DAY for step in range((last - first).days + 1)]
    return tuple(never), tuple(found)


# ── the first time ────────────────────────────────────────────────────────────────────────────────────────────────────


def _begun(pattern: Pattern, hours: Hours, start: date, now: datetime, lasting: Facts | None = None) -> Repetition:
    """The rule with the first time on or after ``start`` that is still to come."""
    if pattern.freq in BY_CLOCK:
        return _ticking(pattern, hours, start, now)
    if len(hours.times) > 1:
        pattern = replace(pattern, hours=tuple(each.hour for each in hours.times), minute=hours.times[0].minute)
    anchor = _anchor(pattern, hours, start, now)
    pattern = _clipped(pattern, anchor)
    if lasting is not None and lasting.lasting is not None:
        pattern = replace(pattern, until=shifted(date_of(anchor), lasting.lasting) - _DAY)
    first = next_after(pattern.rule, anchor, _just_before(max(now, _first_instant(start, now)), anchor, now))
    if first is None:
        raise NotUnderstood("it ends before it begins")
    clock = hours.times[0] if len(hours.times) == 1 else None
    if clock is not None and isinstance(first, datetime) and (first.hour, first.minute) != (clock.hour, clock.minute):
        pattern = replace(pattern, hours=(clock.hour,), minute=clock.minute)
    return Repetition(pattern.rule, first, hours.part, hours.lasts)


def _anchor(pattern: Pattern, hours: Hours, start: date, now: datetime) -> Moment:
    """The first day on or after ``start`` that fits, with its hour: from it every other week is counted."""
    loose = replace(pattern, interval=1, until=None, count=None, excepted=())
    begin = _on(start, hours, now)
    since = now if start == now.date() else _first_instant(start, now)
    found = next_after(loose.rule, begin, _just_before(since, begin, now)) if _fixed(pattern) else begin
    if found is None:
        raise NotUnderstood("there is no such day")
    return found


def _fixed(pattern: Pattern) -> bool:
    """Whether the rule itself says on which days; else they are those of its first time."""
    return bool(pattern.days or pattern.doms or pattern.months) or pattern.freq == "DAILY"


def _on(day: date, hours: Hours, now: datetime) -> Moment:
    if not hours.times:
        return day
    return at(day, hours.times[0].hour, Clock(0, hours.times[0].minute), now)


def _first_instant(day: date, now: datetime) -> datetime:
    return at(day, 0, Clock(0), now)


def _just_before(since: datetime, first: Moment, now: datetime) -> datetime:
    """What is at ``since`` itself counts as being after it; of days that of its own day."""
    if isinstance(first, datetime):
        return (since.astimezone(UTC) - _MOMENT).astimezone(now.tzinfo)
    return _first_instant(since.astimezone(now.tzinfo).date() - _DAY, now)


def _clipped(pattern: Pattern, first: Moment) -> Pattern:
    """Each month, begun on a 31st, is on the last of a shorter one."""
    day = date_of(first)
    if _fixed(pattern) or day.day <= _SHORTEST_MONTH or pattern.freq not in ("MONTHLY", "YEARLY"):
        return pattern
    if pattern.freq == "YEARLY":
        pattern = replace(pattern, months=(day.month,))
    return on_doms(pattern, (day.day,))


def _ticking(pattern: Pattern, hours: Hours, start: date, now: datetime) -> Repetition:
    """Every two hours: from the hour that is said, else from now."""
    if len(hours.times) > 1 or hours.lasts is not None or hours.part is not None or pattern.excepted:
        raise NotUnderstood("what repeats by hours has one that is the first")
    begin = _on(start, hours, now)
    if not isinstance(begin, datetime):
        begin = now.replace(second=0, microsecond=0) if start <= now.date() else _first_instant(start, now)
    first = next_after(pattern.rule, begin, now) if start <= now.date() else begin
    if not isinstance(first, datetime):
        raise NotUnderstood("it ends before it begins")
    return Repetition(pattern.rule, first)
