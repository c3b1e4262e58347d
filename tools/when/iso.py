"""ISO 8601 as programs and models write it: from a match to ``Facts``.

Moments in extended and basic form, with a zone or without, weeks (2026-W49-3), ordinal days (2026-335), lengths
(PT1H30M). https://www.iso.org/iso-8601-date-and-time-format.html. Pure. Must not know today's date.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from tools.when.clock_facts import clock
from tools.when.facts import Clock, Facts, Groups, Steps, within
from tools.when.numbers import NotUnderstood
from tools.when.rules import Language, Rule

_UNITS: Final = {"y": "year", "mo": "month", "w": "week", "d": "day", "h": "hour", "mi": "minute", "s": "second"}


def moment(groups: Groups, _: Rule, language: Language) -> Facts:
    """2026-12-01T15:00, 20261201t1500z, 2026-12-01T15:00:00.5+0800."""
    groups = {"mi": "00", **groups}
    if "z" not in groups:
        said = clock(groups, Rule("", "clock", "literal"), language).clock
        month = within(int(groups["m"]), 1, 12)
        return Facts(year=int(groups["y"]), month=month, dom=int(groups["d"]), clock=said)
    midnight = groups["h"] == "24" and groups["mi"] == "00"
    if midnight:
        raise NotUnderstood("midnight of a day can be its beginning or its end")
    day = f"{groups['y']}-{groups['m']}-{groups['d']}"
    text = f"{day}T{groups['h']}:{groups['mi']}:{groups.get('s', '00')}{_offset(groups['z'])}"
    try:
        return Facts(exact=datetime.fromisoformat(text))
    except ValueError:
        raise NotUnderstood("there is no such moment") from None


def _offset(zone: str) -> str:
    if zone.startswith("z"):
        return "+00:00"
    sign, digits = zone[0].replace("−", "-"), re.sub(r"\D", "", zone)
    return f"{sign}{digits[:2]}:{digits[2:] or '00'}"


def week(groups: Groups, _: Rule, __: Language) -> Facts:
    """2026-W49 is the week, 2026-W49-3 its Wednesday."""
    weekday = int(groups["w"]) - 1 if "w" in groups else None
    return Facts(year=int(groups["y"]), week=within(int(groups["n"]), 1, 53), weekday=weekday)


def ordinal(groups: Groups, _: Rule, __: Language) -> Facts:
    """2026-335 is the 335th day of the year."""
    return Facts(year=int(groups["y"]), nth_day=within(int(groups["n"]), 1, 366))


def length(groups: Groups, rule: Rule, _: Language) -> Facts:
    """P3D, PT1H30M: how long what is stated before it lasts."""
    return Facts(**{str(rule.value or "lasting"): steps(groups)})  # type: ignore[arg-type]  # a field by name


def steps(groups: Groups) -> Steps:
    """The parts of a length. Raises NotUnderstood if it has none."""
    found = tuple((float(groups[name].replace(",", ".")), unit) for name, unit in _UNITS.items() if name in groups)
    if not found:
        raise NotUnderstood("the length has no parts")
    return found


def clock_of(groups: Groups, _: Rule, language: Language) -> Facts:
    """T15, T15:00, T150000: a clock time alone."""
    said = clock({"mi": "00", **groups}, Rule("", "clock", "literal"), language).clock
    assert isinstance(said, Clock)
    return Facts(clock=said)
