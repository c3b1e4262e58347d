"""What a row of the time tables is: a pattern, and what it states.

Patterns are written in the one alphabet of ``tools.alphabet`` and may name macros: ``<n>`` a number, ``<amounts>`` one
or more numbers with their units. What a pattern states is a kind and a value; ``builders`` give them meaning. Must
not know any language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, what kind of statement it is, and the statement's value.

    ``weak`` words have another everyday meaning: they count only when the whole text is read or beside a strong word.
    """

    pattern: str
    kind: str
    value: object = None
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Language:
    """One language's number pattern, units, named numbers, and rules.

    ``scripts``: those its words begin with, of latin, thai and han (kana too); if empty, any."""

    number: str
    units: Mapping[str, str]
    amount: str
    rules: tuple[Rule, ...]
    numbers: Mapping[str, int] = field(default_factory=dict)
    scripts: frozenset[str] = frozenset()


def days(offsets: Mapping[str, int]) -> tuple[Rule, ...]:
    """Words for a day so many days from today."""
    return tuple(Rule(word, "day", offset) for word, offset in offsets.items())


def parts(words: Mapping[str, str]) -> tuple[Rule, ...]:
    """Words for each part of a day."""
    return tuple(Rule(pattern, "part", part) for part, pattern in words.items())


def periods(unit: str, offsets: Mapping[str, int]) -> tuple[Rule, ...]:
    """Words for a week, month, year or the like, so many from the present one."""
    return tuple(Rule(words, "period", (unit, offset)) for words, offset in offsets.items())


def lunar(days: Mapping[str, tuple[int, int]]) -> tuple[Rule, ...]:
    """Festivals by their month and day in the lunar calendar."""
    return tuple(Rule(words, "lunar", value) for words, value in days.items())


def holidays(dates: Mapping[str, tuple[int, int]]) -> tuple[Rule, ...]:
    """Days with a name that fall on the same month and day every year."""
    return tuple(Rule(words, "holiday", value) for words, value in dates.items())
