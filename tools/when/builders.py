"""Which words build which ``Facts``: the kinds a row of the time tables can be of.

Pure. A new kind of statement is one more line here and a function in ``day_facts``, ``clock_facts``,
``repeat_facts`` or ``iso``. Must not know today's date or who asks.
"""

from __future__ import annotations

from typing import Final

from tools.when import clock_facts, day_facts, iso, repeat_facts
from tools.when.facts import Builder, Clock, Facts, Groups, number_in, within
from tools.when.lengths import amounts
from tools.when.rules import Language, Rule


def _valued(name: str) -> Builder:
    """A statement whose value stands in the table."""
    return lambda _, rule, __: Facts(**{name: rule.value})  # type: ignore[arg-type]  # the tables hold fitting values


def _steps(name: str) -> Builder:
    """A statement that is a length."""
    return lambda groups, _, language: Facts(
        **{name: amounts(groups["a"], language)},  # type: ignore[arg-type]  # the three fields for lengths
    )


def _shift(groups: Groups, rule: Rule, language: Language) -> Facts:
    sign = int(str(rule.value))
    return Facts(shift=tuple((count * sign, unit) for count, unit in amounts(groups["a"], language)))


def _pair(rule: Rule) -> tuple[int, str]:
    assert isinstance(rule.value, tuple)
    return rule.value


def _two_numbers(rule: Rule) -> tuple[int, int]:
    assert isinstance(rule.value, tuple)
    return rule.value


def _by_zone(rule: Rule) -> dict[str, int]:
    assert isinstance(rule.value, dict)
    return rule.value


def _holiday(_: Groups, rule: Rule, __: Language) -> Facts:
    month, dom = _two_numbers(rule)
    return Facts(month=month, dom=dom, holiday=True)


BUILDERS: Final[dict[str, Builder]] = {
    "day": _valued("day"),
    "local": lambda _, rule, __: Facts(local=_by_zone(rule), loose=True),
    "part": _valued("part"),
    "period": _valued("period"),
    "edge": _valued("edge"),
    "around": _valued("around"),
    "third": _valued("third"),
    "day_part": lambda _, rule, __: Facts(day=_pair(rule)[0], part=_pair(rule)[1]),
    "month_end": lambda _, rule, __: Facts(period=("month", int(str(rule.value))), edge="end"),
    "now": lambda *_: Facts(now=True),
    "before": lambda *_: Facts(before=True),
    "clock_at": lambda _, rule, __: Facts(clock=Clock(*_two_numbers(rule), literal=True)),
    "holiday": _holiday,
    "lunar": lambda _, rule, __: Facts(lunar=rule.value),  # type: ignore[arg-type]  # the tables hold days and terms
    "lunar_day": day_facts.lunar_day,
    "meridiem": lambda groups, *_: Facts(part="am" if "a" in groups["all"] else "pm"),
    "number": lambda groups, *_: Facts(number=int(groups["all"])),
    "year": lambda groups, _, language: Facts(year=day_facts.full_year(number_in(groups, "y", language) or 0)),
    "month": lambda groups, _, language: Facts(month=within(number_in(groups, "m", language), 1, 12)),
    "month_is": _valued("month"),
    "dom": lambda groups, _, language: Facts(dom=within(number_in(groups, "d", language), 1, 31)),
    "dom_is": _valued("dom"),
    "ymd": day_facts.ymd,
    "two": day_facts.two,
    "era_year": day_facts.era_year,
    "weekday": day_facts.weekday,
    "weekend_of": day_facts.weekend_of,
    "nth_weekday": day_facts.nth_weekday,
    "nth_week": day_facts.nth_week,
    "nth_day": day_facts.nth_day,
    "nth_month": day_facts.nth_month,
    "piece": day_facts.piece,
    "piece_is": _valued("piece"),
    "clock": clock_facts.clock,
    "clock_kana": lambda groups, rule, _: Facts(clock=Clock(int(str(rule.value)), 30 if "half" in groups else 0)),
    "clock_before": clock_facts.clock_before,
    "clock_on": clock_facts.clock_on,
    "iso": iso.moment,
    "iso_week": iso.week,
    "iso_ordinal": iso.ordinal,
    "iso_length": iso.length,
    "iso_clock": iso.clock_of,
    "shift": _shift,
    "onward": _steps("onward"),
    "lasting": _steps("lasting"),
    "every": repeat_facts.every,
    "each": lambda *_: Facts(every=("", 1)),
    "nths": repeat_facts.nths,
    "weekdays": lambda groups, *_: Facts(weekdays=repeat_facts.weekdays_in(groups["days"])),
    "doms": repeat_facts.doms,
    "workday": repeat_facts.workday,
    "times": lambda groups, _, language: Facts(times=number_in(groups, "n", language)),
    "rolling": lambda groups, rule, language: Facts(rolling=(str(rule.value), amounts(groups["a"], language))),
}
