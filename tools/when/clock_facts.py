"""What words state about the hour: from a match to ``Facts``.

Pure. Must not know today's date or who asks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tools.when.facts import Clock, Facts, Groups, number_in, within
from tools.when.numbers import NotUnderstood, number
from tools.when.rules import Language, Rule

_QUARTERS: Final = {"一": 15, "三": 45}
_NAMED: Final = {"noon": 12, "midnight": 0}


def clock(groups: Groups, rule: Rule, language: Language) -> Facts:
    """Hour, minute, second, as far as they are said. Raises NotUnderstood if there is no such time."""
    named = _NAMED.get(groups["h"])
    hour = number_in(groups, "h", language) if named is None else named
    second = number_in(groups, "s", language) or number_in(groups, "s2", language) or 0
    literal = rule.value == "literal" or groups["h"].startswith("0") or named is not None
    minute = _minute(groups, rule, language)
    if hour is None or hour > 24 or minute > 59 or second > 59:  # noqa: PLR2004 - the clock
        raise NotUnderstood("there is no such hour")
    part = {"a": "am", "p": "pm"}[groups["ap"]] if "ap" in groups else groups.get("part")
    return Facts(clock=Clock(hour, minute, second, literal), part=part)


def _minute(groups: Groups, rule: Rule, language: Language) -> int:
    if "half" in groups or rule.value == "half":
        return 30
    if "q" in groups or rule.value == "quarter":
        return _QUARTERS[groups["q"]] if "q" in groups else 15
    if "five" in groups or "steps" in groups:
        return 5 * number(groups.get("five") or groups["steps"])
    return number_in(groups, "mi", language) or 0


def clock_before(groups: Groups, rule: Rule, language: Language) -> Facts:
    """So many minutes to an hour."""
    minutes = rule.value if isinstance(rule.value, int) else number_in(groups, "mi", language)
    end_of_day = {"h": "24"} if groups["h"] == "midnight" else {}
    facts = clock({**groups, "mi": "0", **end_of_day}, rule, language)
    assert facts.clock is not None
    assert minutes is not None
    return replace(facts, clock=replace(facts.clock, minus=minutes))


def clock_on(groups: Groups, rule: Rule, language: Language) -> Facts:
    """Thai hours, which name their part of the day."""
    part = str(rule.value)
    fixed = {"midnight": 0, "noon": 12}
    facts = clock({"h": str(fixed.get(part, 1)), **groups}, Rule("", "clock"), language)
    assert facts.clock is not None
    hour = facts.clock.hour
    low, high, add = {
        "midnight": (0, 0, 0), "noon": (12, 12, 0), "dawn": (1, 6, 0), "afternoon": (1, 5, 12), "late": (3, 6, 12),
        "thum": (1, 5, 18), "morning": (1, 11, 6 if hour < 6 else 0),  # noqa: PLR2004 - สองโมงเช้า is 8:00
    }[part]  # fmt: skip
    within(hour, low, high)
    return Facts(clock=replace(facts.clock, hour=hour + add, literal=True))
