"""What words state about the day: from a match to ``Facts``.

Pure. Must not know today's date or who asks.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from tools.alphabet import fold
from tools.when.facts import Facts, Groups, number_in, within
from tools.when.numbers import NotUnderstood, number
from tools.when.rules import Language, Rule
from tools.when.words import MONTHS, WEEKDAYS

_REPUBLIC: Final = 1911
_REPUBLIC_YEARS = range(100, 150)
"""115年 is how Taiwan writes 2026."""
_BUDDHIST: Final = 543
_BUDDHIST_YEARS = range(2400, 2701)
"""2569 is how Thailand writes 2026."""
_FOUR_DIGITS = range(1000, 10_000)


def full_year(year: int) -> int:
    """A year of four digits, of the common calendar. Raises NotUnderstood."""
    if year in _BUDDHIST_YEARS:
        return year - _BUDDHIST
    if year not in _FOUR_DIGITS:
        raise NotUnderstood("a year needs four digits")
    return year


def era_year(groups: Groups, rule: Rule, language: Language) -> Facts:
    """令和8年, 民國115年, 2026年, 115年; the first year is 元年. Month and day may follow."""
    eras = rule.value
    assert isinstance(eras, dict)
    year = 1 if groups["y"] == "元" else number(groups["y"], language.numbers.items())
    era = groups.get("era")
    if era is not None:
        year += {fold(name): base for name, base in eras.items()}[era]
    else:
        year = year + _REPUBLIC if year in _REPUBLIC_YEARS else full_year(year)
    return Facts(
        year=year,
        month=within(number_in(groups, "m", language), 1, 12),
        dom=within(number_in(groups, "d", language), 1, 31),
    )


def ymd(groups: Groups, rule: Rule, language: Language) -> Facts:
    """A date, or a part of one: day and month, month and year."""
    year = number_in(groups, "y", language)
    if year is not None:
        year = year + _REPUBLIC if rule.value == "roc" else full_year(year)
    month = _month_named(groups["mn"]) if "mn" in groups else number_in(groups, "m", language)
    return Facts(year=year, month=within(month, 1, 12), dom=within(number_in(groups, "d", language), 1, 31))


@cache
def _month_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile("|".join(f"(?:{each})" for each in names)) for names in MONTHS)


def _month_named(text: str) -> int:
    return next(index + 1 for index, pattern in enumerate(_month_patterns()) if pattern.fullmatch(text.rstrip(".")))


def two(groups: Groups, rule: Rule, language: Language) -> Facts:
    """Two numbers of which one is the month, with a year or without."""
    year = number_in(groups, "y", language)
    pair = (int(groups["a"]), int(groups["b"]))
    buddhist = year is not None and year != full_year(year)
    first = buddhist or rule.value in ("day_first", "dotted")
    loose = True if rule.value == "dotted" else None
    return Facts(order=pair, year=None if year is None else full_year(year), day_first=first or None, loose=loose)


def weekday(groups: Groups, rule: Rule, _: Language) -> Facts:
    """A day of the week, bare or of a week that is named."""
    relations = rule.value if isinstance(rule.value, dict) else {}
    relation = groups.get("rel") or groups.get("rel2", "").removesuffix("の")
    folded = {fold(word): offset for word, offset in relations.items()}
    word = groups["w"]
    day = WEEKDAYS[word] if word in WEEKDAYS else WEEKDAYS[word[:3]]
    if relation == fold("今度"):
        raise NotUnderstood("this can mean two different weeks")
    offset = folded[relation] if relation else "coming"
    if isinstance(offset, int):
        return Facts(weekday=day, period=("week", offset), loose=True if relation in _LOOSE else None)
    return Facts(weekday=day, period=("weekday", -1) if offset == "past" else None)


def weekend_of(groups: Groups, rule: Rule, _: Language) -> Facts:
    """週六日, Saturday and Sunday of a week."""
    assert isinstance(rule.value, dict)
    offsets = {fold(word): offset for word, offset in rule.value.items()}
    return Facts(period=("weekend", offsets.get(groups.get("rel", ""), 0)))


_LOOSE = frozenset({"next", "หน้า", "次"})
"""With a weekday: of the next week to some, the next one to come to others."""


def _nth(groups: Groups, rule: Rule, language: Language, most: int) -> int:
    """From the end if it is said so: last, third last."""
    if isinstance(rule.value, int) or groups.get("n") == "last":
        return rule.value if isinstance(rule.value, int) else -1
    count = within(number_in(groups, "n", language), 1, most) or 1
    return -count if "last" in groups or "n" not in groups else count


def nth_weekday(groups: Groups, rule: Rule, language: Language) -> Facts:
    """The second Tuesday of a month."""
    return Facts(weekday=weekday(groups, rule, language).weekday, nth=_nth(groups, rule, language, 5))


def nth_week(groups: Groups, rule: Rule, language: Language) -> Facts:
    """The third week of a month or year."""
    whole = True if rule.value == "whole" else None
    return Facts(week=_nth(groups, rule, language, 53), whole_weeks=whole)


def nth_day(groups: Groups, rule: Rule, language: Language) -> Facts:
    """The tenth day of a month or year."""
    return Facts(nth_day=_nth(groups, rule, language, 366))


def nth_month(groups: Groups, _: Rule, language: Language) -> Facts:
    """The ninth month of a year."""
    return Facts(month=within(number_in(groups, "n", language), 1, 12))


def lunar_day(groups: Groups, rule: Rule, language: Language) -> Facts:
    """農曆八月十五, 大年初三: a day of the lunar calendar."""
    month = rule.value if isinstance(rule.value, int) else within(number_in(groups, "m", language), 1, 12)
    day = within(number_in({"d": groups.get("d") or groups["e"]}, "d", language), 1, 30)
    assert month is not None
    assert day is not None
    return Facts(lunar=(month, day))


def piece(groups: Groups, rule: Rule, language: Language) -> Facts:
    """A quarter or half of a year, which may be named with it."""
    assert isinstance(rule.value, int)
    year = number_in(groups, "y", language)
    index = within(number_in(groups, "n", language), 1, 12 // rule.value)
    assert index is not None
    return Facts(piece=(rule.value, index), year=None if year is None else full_year(year))
