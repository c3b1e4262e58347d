"""From what is stated about repeating, and on which days, to the parts of a rule.

Pure, and still without "now". Must not know the words it was said in, nor when it is first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tools.when.days import by_country
from tools.when.facts import Facts, within
from tools.when.numbers import NotUnderstood
from tools.when.repeats import Frequency, Pattern

_WORKDAYS = (0, 1, 2, 3, 4)
_WEEK = 7
_SHORTEST, _LONGEST_MONTH = 28, 31
_FEBRUARY = 2
_INFERRED: tuple[tuple[str, Frequency], ...] = (
    ("months", "YEARLY"), ("doms", "MONTHLY"), ("nths", "MONTHLY"), ("workday", "MONTHLY"), ("weekdays", "WEEKLY"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _On:
    """On which days, of all that is stated."""

    weekdays: frozenset[int] = frozenset()
    nths: tuple[int, ...] = ()
    doms: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    workday: int | None = None


def pattern_said(every: Facts, days: Sequence[Facts], zone: str, never: Iterable[int]) -> Pattern:
    """The rule, of what repeats and of the days that are named with it; ``never`` are weekdays it is not on. Raises
    NotUnderstood."""
    on = _together(every, [_plain(facts, zone) for facts in days])
    freq, interval = every.every or ("", 1)
    found = freq or next((name for part, name in _INFERRED if getattr(on, part)), None)
    if found is None:
        raise NotUnderstood("what repeats is not said")
    if found == "DAILY" and on.weekdays and interval == 1:
        found = "WEEKLY"
    pattern = Pattern(freq=found, interval=interval)  # type: ignore[arg-type]  # the tables hold frequencies
    return _but(_BUILT.get(pattern.freq, _bare)(pattern, on), set(never))


def _plain(facts: Facts, zone: str) -> Facts:
    facts = by_country(facts, zone)
    stated = facts.stated().keys()
    if not stated <= {"weekday", "weekdays", "dom", "doms", "month", "nth", "nths", "nth_day", "edge", "holiday"}:
        raise NotUnderstood("that day is not one of what repeats")
    within(facts.month, 1, 12)
    if facts.nth_day is not None and facts.nth_day not in (1, -1):
        raise NotUnderstood("that day is not one of what repeats")
    return facts


def _together(every: Facts, days: Sequence[Facts]) -> _On:
    weekdays: set[int] = set()
    doms: list[int] = []
    months: list[int] = []
    nths: tuple[int, ...] = ()
    dates: list[tuple[int, int | None]] = []
    for facts in (every, *days):
        weekdays |= set(facts.weekdays or ()) | ({facts.weekday} if facts.weekday is not None else set())
        nths += (facts.nths or ()) + ((facts.nth,) if facts.nth is not None else ())
        dom = -1 if facts.edge == "end" else facts.nth_day if facts.nth_day is not None else facts.dom
        if facts.month is not None:
            months.append(facts.month)
            dates.append((facts.month, dom))
        doms += (*((dom,) if dom is not None else ()), *(facts.doms or ()))
    _one_day_each(dates, set(doms))
    return _On(
        weekdays=frozenset(weekdays), nths=nths, doms=tuple(sorted(set(doms))), months=tuple(sorted(set(months))),
        workday=every.workday,
    )  # fmt: skip


def _one_day_each(dates: Sequence[tuple[int, int | None]], doms: set[int]) -> None:
    """One rule holds several months only if the day is the same in each."""
    named = {dom for _, dom in dates if dom is not None}
    if len(dates) > 1 and len(named or doms) > 1:
        raise NotUnderstood("these are two rules")


def _bare(pattern: Pattern, on: _On) -> Pattern:
    if on != _On():
        raise NotUnderstood("these days do not fit what repeats")
    return pattern


def _weekly(pattern: Pattern, on: _On) -> Pattern:
    if on != _On(weekdays=on.weekdays):
        raise NotUnderstood("these days do not fit a week")
    return replace(pattern, days=tuple((day, 0) for day in sorted(on.weekdays)))


def _monthly(pattern: Pattern, on: _On) -> Pattern:
    if on.months:
        raise NotUnderstood("a month does not lie in each month")
    return _in_month(pattern, on)


def _yearly(pattern: Pattern, on: _On) -> Pattern:
    if on == _On():
        return pattern
    if not on.months:
        raise NotUnderstood("the month is missing")
    pattern = replace(pattern, months=on.months)
    if on == _On(months=on.months):
        return replace(pattern, doms=(1,))
    return _in_month(pattern, on)


_BUILT = {"WEEKLY": _weekly, "MONTHLY": _monthly, "YEARLY": _yearly}


def _in_month(pattern: Pattern, on: _On) -> Pattern:
    ways = [bool(on.doms), bool(on.nths), on.workday is not None]
    if sum(ways) > 1 or (on.weekdays and not on.nths):
        raise NotUnderstood("these days do not fit a month")
    if on.workday is not None:
        return replace(pattern, days=tuple((day, 0) for day in _WORKDAYS), places=(on.workday,))
    if on.nths:
        return replace(pattern, days=tuple((day, nth) for nth in on.nths for day in sorted(on.weekdays)))
    return on_doms(pattern, on.doms)


def on_doms(pattern: Pattern, doms: Sequence[int]) -> Pattern:
    """On these days of the month, and on the last where the month is shorter. Raises NotUnderstood."""
    longest = 29 if pattern.months == (_FEBRUARY,) else max((_length(month) for month in pattern.months), default=31)
    if any(dom > longest for dom in doms):
        raise NotUnderstood("there is no such day")
    doms = sorted({-1 if dom == _LONGEST_MONTH and not pattern.months else dom for dom in doms})
    late = [dom for dom in doms if dom > (_SHORTEST if _short(pattern) else _LONGEST_MONTH)]
    if not late:
        return replace(pattern, doms=tuple(doms))
    early = [dom for dom in doms if dom not in late]
    if len(late) > 1 or any(dom < 0 or dom == _SHORTEST for dom in early):
        raise NotUnderstood("these days fall together in a short month")
    places = (*range(1, len(early) + 1), -1)
    return replace(pattern, doms=(*early, *range(_SHORTEST, late[0] + 1)), places=places)


def _length(month: int) -> int:
    return 30 if month in (4, 6, 9, 11) else 29 if month == _FEBRUARY else 31


def _short(pattern: Pattern) -> bool:
    """Whether a month of the rule may lack a day that another has."""
    return not pattern.months or _FEBRUARY in pattern.months or len(pattern.months) > 1


def _but(pattern: Pattern, never: set[int]) -> Pattern:
    """The same without these days of the week: every day but Sundays."""
    if not never:
        return pattern
    if pattern.freq == "DAILY" and pattern.interval == 1:
        pattern = replace(pattern, freq="WEEKLY", days=tuple((day, 0) for day in range(_WEEK)))
    kept = tuple((day, nth) for day, nth in pattern.days if day not in never)
    if pattern.freq != "WEEKLY" or not kept:
        raise NotUnderstood("nothing of what repeats is left")
    return replace(pattern, days=kept)
