"""At what hours something repeats: one, several a day, or from one to another.

Pure. Must not know the words an hour was said in, nor on which days.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from tools.when.clock import hours_of
from tools.when.facts import Clock, Facts
from tools.when.numbers import NotUnderstood
from tools.when.ranges import meaning
from tools.when.tokens import Token, join

_DAY = 24


@dataclass(frozen=True, slots=True)
class Hours:
    """The clock times on the wall, earliest first; without any perhaps a part of the day. ``lasts``: how long."""

    times: tuple[time, ...] = ()
    part: str | None = None
    lasts: timedelta | None = None


def hours_said(tokens: Sequence[Token], part: str | None, now: datetime, *, daily: bool) -> Hours:
    """The hours that are stated; ``part`` came with what repeats (每晚). ``daily``: it happens on each day, so that it
    is no matter to which day a night's hour belongs. Raises NotUnderstood."""
    pieces = _pieces(tokens)
    if not pieces:
        return Hours(part=part)
    if any(token.kind in ("to", "dash") for token in tokens) or _lasts(tokens):
        return _stretch(tokens, part, now)
    facts = [_with_part(join(piece), part) for piece in pieces]
    if len(facts) == 1 and facts[0].clock is None and facts[0].number is None:
        return Hours(part=facts[0].part)
    times = sorted({_time(each, daily=daily) for each in facts})
    if len(times) != len(facts) or len({each.minute for each in times}) > 1:
        raise NotUnderstood("one rule holds no two hours of different minutes")
    return Hours(tuple(times))


def _pieces(tokens: Sequence[Token]) -> list[list[Token]]:
    """What is said of each hour: a part of the day that is named again begins the next one."""
    pieces: list[list[Token]] = []
    for token in tokens:
        if token.kind != "facts":
            continue
        if not pieces or any(each.facts.clock is not None for each in pieces[-1]):
            pieces.append([])
        pieces[-1].append(token)
    return _late_parts(pieces)


def _late_parts(pieces: list[list[Token]]) -> list[list[Token]]:
    """“At 8 in the morning”: a part of the day that stands behind its hour."""
    if len(pieces) > 1 and all(token.facts.clock is None for token in pieces[-1]):
        last = pieces.pop()
        pieces[-1] += last
    return pieces


def _with_part(facts: Facts, part: str | None) -> Facts:
    if part is None or facts.part is not None:
        return facts
    return Facts(**{**facts.stated(), "part": part})  # type: ignore[arg-type]  # fields of Facts by name


def _time(facts: Facts, *, daily: bool) -> time:
    if facts.clock is None or facts.stated().keys() - {"clock", "part"}:
        raise NotUnderstood("that is no hour")
    hours = hours_of(facts.clock, facts.part, named_day=False)
    hour = hours[0] % _DAY
    if max(hours) >= _DAY and not daily:
        raise NotUnderstood("that night hour can belong to two days")
    minutes = hour * 60 + facts.clock.minute - facts.clock.minus
    if minutes < 0 or facts.clock.second:
        raise NotUnderstood("that is no hour of each day")
    return time(*divmod(minutes, 60))


def _lasts(tokens: Sequence[Token]) -> bool:
    return any(token.facts.lasting is not None for token in tokens)


def _hour_named(token: Token) -> Token:
    """From 9 to 11: beside what repeats a bare number is an hour."""
    if token.facts.number is None:
        return token
    return Token(token.start, token.end, token.kind, Facts(clock=Clock(token.facts.number)))


def _stretch(tokens: Sequence[Token], part: str | None, now: datetime) -> Hours:
    """From one hour to another, or from one for so long: read as if it were tomorrow."""
    tomorrow = Token(0, 0, "facts", Facts(day=1, part=part))
    reading = meaning([tomorrow, *map(_hour_named, tokens)], now, past=False)
    if not isinstance(reading.start, datetime) or not isinstance(reading.end, datetime) or reading.vague:
        raise NotUnderstood("that is no stretch of hours")
    begin, end = (each.replace(tzinfo=None) for each in (reading.start, reading.end))
    return Hours((begin.time().replace(second=0),), lasts=end - begin)
