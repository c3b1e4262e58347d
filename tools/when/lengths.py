"""Lengths of time: from words to so many of each unit.

Pure. Must not know what day it is.
"""

from __future__ import annotations

import re
from typing import Final

from tools.alphabet import fold, fold_pattern
from tools.when.facts import Steps
from tools.when.numbers import NotUnderstood, number
from tools.when.rules import Language

_SMALLER: Final = {"year": (12, "month"), "week": (7, "day"), "day": (24, "hour"), "hour": (60, "minute"),
                   "minute": (60, "second")}  # fmt: skip
_FRACTIONS: Final = (
    (re.compile(r"(?:three|3)[ -]quarters?"), 0.75), (re.compile("(?:two|2) quarters?"), 0.5),
    (re.compile(r"(?:(?:a|one|1) )?quarter"), 0.25), (re.compile(r"(?:a )?half|半|ครึ่ง"), 0.5),
)  # fmt: skip
_TIMES: Final = {"quarter_hour": (15, "minute"), "quarter": (3, "month")}
"""Units that are so many of another."""


def amounts(text: str, language: Language) -> Steps:
    """一個半小時 → ((1.5, "hour"),). Half a month is no certain length and refused. Raises NotUnderstood."""
    found: list[tuple[float, str]] = []
    for match in re.finditer(fold_pattern(language.amount), text):
        groups = {name: value for name, value in match.groupdict().items() if value is not None}
        unit = _unit(groups["u"], language)
        count = _count(groups["n"], language)
        count += sum(_fraction(groups[name]) or 0.5 for name in ("half", "after") if name in groups)
        times, unit = _TIMES.get(unit, (1, unit))
        found.append(_whole(count * times, unit))
    return tuple(found)


def _whole(count: float, unit: str) -> tuple[float, str]:
    """Half a year is six months; of an hour and less, parts stay."""
    if count == int(count) or unit in ("hour", "minute", "second"):
        return count, unit
    if unit in ("year", "day") and unit in _SMALLER:
        times, smaller = _SMALLER[unit]
        if count * times == int(count * times) or unit == "day":
            return count * times, smaller
    raise NotUnderstood("half of that is not a certain length")


def _fraction(text: str) -> float | None:
    return next((value for pattern, value in _FRACTIONS if pattern.search(text)), None)


def _count(text: str, language: Language) -> float:
    """個半鐘 leaves its one out."""
    if not text:
        return 1
    fraction = _fraction(text)
    if fraction is not None:
        return fraction
    return float(text) if "." in text else number(text, language.numbers.items())


def _unit(text: str, language: Language) -> str:
    folded = {fold(word): unit for word, unit in language.units.items()}
    for form in (text, text.rstrip("s"), re.sub("^[かヶヵケカ箇]", "", text)):
        if form in folded:
            return folded[form]
    raise NotUnderstood("the unit is not known")
