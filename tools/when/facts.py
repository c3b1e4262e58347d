"""What words state about time, rule by rule: from a match to ``Facts``.

Pure, and still without "now": a ``Facts`` says "next week", "weekday 3", "3 o'clock, afternoon". Must not know today's
date or who asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from tools.alphabet import fold, fold_pattern
from tools.when.numbers import NotUnderstood, number
from tools.when.rules import Language, Rule
from tools.when.words import MONTHS, WEEKDAYS


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock time as said: ``hour`` may mean morning or evening unless ``literal`` or a day part says which."""

    hour: int
    minute: int = 0
    second: int = 0
    literal: bool = False
    minus: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a text states. Every field may be absent; none may be stated twice in two ways."""

    year: int | None = None
    month: int | None = None
    dom: int | None = None
    nth: int | None = None
    order: tuple[int, int] | None = None
    day_first: bool | None = None
    day: int | None = None
    weekday: int | None = None
    period: tuple[str, int] | None = None
    clock: Clock | None = None
    part: str | None = None
    shift: tuple[tuple[float, str], ...] | None = None
    rolling: tuple[str, tuple[tuple[float, str], ...]] | None = None
    exact: datetime | None = None
    edge: str | None = None
    now: bool | None = None
    number: int | None = None

    def stated(self) -> dict[str, object]:
        """The fields that are there."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) is not None}


Groups = dict[str, str]
Builder = Callable[[Groups, Rule, Language], Facts]


def _int(groups: Groups, name: str, language: Language) -> int | None:
    text = groups.get(name)
    return None if text is None else number(text, language.numbers.items())


def amounts(text: str, language: Language) -> tuple[tuple[float, str], ...]:
    """一個半小時 → ((1.5, "hour"),). Halves of days and longer are refused, but for half a year."""
    found: list[tuple[float, str]] = []
    for match in re.finditer(fold_pattern(language.amount), text):
        groups = {name: value for name, value in match.groupdict().items() if value is not None}
        unit = _unit(groups["u"], language)
        count = _count(groups["n"], language) + (0.5 if "half" in groups or "after" in groups else 0)
        if count != int(count) and unit == "year" and count * 12 == int(count * 12):
            count, unit = count * 12, "month"
        if count != int(count) and unit not in ("hour", "minute"):
            raise NotUnderstood("half of that is not a certain length")
        found.append((count, unit))
    return tuple(found)


def _count(text: str, language: Language) -> float:
    if re.match(r"(?:a )?half|半|ครึ่ง", text):
        return 0.5
    return float(text) if "." in text else number(text, language.numbers.items())


def _unit(text: str, language: Language) -> str:
    folded = {fold(word): unit for word, unit in language.units.items()}
    for form in (text, text.rstrip("s"), re.sub("^[かヶヵケカ箇]", "", text)):
        if form in folded:
            return folded[form]
    raise NotUnderstood("the unit is not known")


def _era_year(groups: Groups, rule: Rule, language: Language) -> Facts:
    eras = rule.value
    assert isinstance(eras, dict)
    year = 1 if groups["y"] == "元" else number(groups["y"], language.numbers.items())
    era = groups.get("era")
    if era is not None:
        return Facts(year=year + {fold(name): base for name, base in eras.items()}[era])
    if year in _REPUBLIC_YEARS:
        return Facts(year=year + _REPUBLIC)
    return Facts(year=_full_year(year))


_REPUBLIC = 1911
_REPUBLIC_YEARS = range(100, 150)
"""115年 is how Taiwan writes 2026."""
_BUDDHIST = 543
_BUDDHIST_YEARS = range(2400, 2701)
"""2569 is how Thailand writes 2026."""
_FOUR_DIGITS = range(1000, 10_000)


def _full_year(year: int) -> int:
    if year in _BUDDHIST_YEARS:
        return year - _BUDDHIST
    if year not in _FOUR_DIGITS:
        raise NotUnderstood("a year needs four digits")
    return year


def _ymd(groups: Groups, rule: Rule, language: Language) -> Facts:
    year = _int(groups, "y", language)
    if year is not None:
        year = year + _REPUBLIC if rule.value == "roc" else _full_year(year)
    month = _month_named(groups["mn"]) if "mn" in groups else _int(groups, "m", language)
    return Facts(year=year, month=_within(month, 1, 12), dom=_within(_int(groups, "d", language), 1, 31))


@cache
def _month_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(f"(?:{english})|(?:{thai})") for english, thai in MONTHS)


def _month_named(text: str) -> int:
    return next(index + 1 for index, pattern in enumerate(_month_patterns()) if pattern.match(text))


def _within(value: int | None, low: int, high: int) -> int | None:
    if value is not None and not low <= value <= high:
        raise NotUnderstood("there is no such day or hour")
    return value


def _two(groups: Groups, _: Rule, language: Language) -> Facts:
    year = _int(groups, "y", language)
    pair = (int(groups["a"]), int(groups["b"]))
    buddhist = year is not None and year != _full_year(year)
    return Facts(order=pair, year=None if year is None else _full_year(year), day_first=buddhist or None)


def _weekday(groups: Groups, rule: Rule, _: Language) -> Facts:
    relations = rule.value if isinstance(rule.value, dict) else {}
    relation = groups.get("rel") or groups.get("rel2", "").removesuffix("の")
    folded = {fold(word): offset for word, offset in relations.items()}
    word = groups["w"]
    day = WEEKDAYS[word] if word in WEEKDAYS else WEEKDAYS[word[:3]]
    if relation == fold("今度"):
        raise NotUnderstood("this can mean two different weeks")
    offset = folded[relation] if relation else "coming"
    if isinstance(offset, int):
        return Facts(weekday=day, period=("week", offset))
    return Facts(weekday=day, period=("weekday", -1) if offset == "past" else None)


def _nth_weekday(groups: Groups, rule: Rule, language: Language) -> Facts:
    last = rule.value == -1 or groups["n"] == "last"
    nth = -1 if last else _within(_int(groups, "n", language), 1, 5)
    return Facts(weekday=_weekday(groups, rule, language).weekday, nth=nth)


_QUARTERS = {"一": 15, "三": 45}


def _clock(groups: Groups, rule: Rule, language: Language) -> Facts:
    hour = _int(groups, "h", language)
    minute = _int(groups, "mi", language) or 0
    if "half" in groups or rule.value == "half":
        minute = 30
    elif "q" in groups or rule.value == "quarter":
        minute = _QUARTERS[groups["q"]] if "q" in groups else 15
    elif "five" in groups or "steps" in groups:
        minute = 5 * number(groups.get("five") or groups["steps"])
    second = _int(groups, "s", language) or _int(groups, "s2", language) or 0
    literal = rule.value == "literal" or groups["h"].startswith("0")
    if hour is None or hour > 24 or minute > 59 or second > 59:  # noqa: PLR2004 - the clock
        raise NotUnderstood("there is no such hour")
    part = {"a": "am", "p": "pm"}[groups["ap"]] if "ap" in groups else groups.get("part")
    return Facts(clock=Clock(hour, minute, second, literal), part=part)


def _clock_before(groups: Groups, rule: Rule, language: Language) -> Facts:
    groups["mi"] = groups.get("mi", "0").removesuffix(" minutes")
    minutes = rule.value if isinstance(rule.value, int) else _int(groups, "mi", language)
    facts = _clock({**groups, "mi": "0"}, rule, language)
    assert facts.clock is not None
    assert minutes is not None
    return replace(facts, clock=replace(facts.clock, minus=minutes))


def _clock_on(groups: Groups, rule: Rule, language: Language) -> Facts:
    """Thai hours, which name their part of the day."""
    part = str(rule.value)
    fixed = {"midnight": 0, "noon": 12}
    facts = _clock({"h": str(fixed.get(part, 1)), **groups}, Rule("", "clock"), language)
    assert facts.clock is not None
    hour = facts.clock.hour
    low, high, add = {
        "midnight": (0, 0, 0), "noon": (12, 12, 0), "dawn": (1, 6, 0), "afternoon": (1, 5, 12), "late": (3, 6, 12),
        "thum": (1, 5, 18), "morning": (1, 11, 6 if hour < 6 else 0),  # noqa: PLR2004 - สองโมงเช้า is 8:00
    }[part]  # fmt: skip
    _within(hour, low, high)
    return Facts(clock=replace(facts.clock, hour=hour + add, literal=True))


def _iso(groups: Groups, _: Rule, language: Language) -> Facts:
    zone = groups.get("z")
    if zone is None:
        return Facts(
            year=int(groups["y"]), month=_within(int(groups["m"]), 1, 12), dom=int(groups["d"]),
            clock=_clock(groups, Rule("", "clock", "literal"), language).clock,
        )  # fmt: skip
    text = f"{groups['y']}-{groups['m']}-{groups['d']}T{groups['h']}:{groups['mi']}:{groups.get('s', '00')}{zone}"
    try:
        return Facts(exact=datetime.fromisoformat(text.replace("z", "+00:00")))
    except ValueError:
        raise NotUnderstood("there is no such moment") from None


def _valued(name: str) -> Builder:
    """A statement whose value stands in the table."""
    return lambda _, rule, __: Facts(**{name: rule.value})  # type: ignore[arg-type]  # the tables hold fitting values


def _pair(rule: Rule) -> tuple[int, str]:
    assert isinstance(rule.value, tuple)
    return rule.value


def _two_numbers(rule: Rule) -> tuple[int, int]:
    assert isinstance(rule.value, tuple)
    return rule.value


def _month_fact(groups: Groups, _: Rule, language: Language) -> Facts:
    return Facts(month=_within(_int(groups, "m", language), 1, 12))


BUILDERS: dict[str, Builder] = {
    "day": _valued("day"),
    "part": _valued("part"),
    "period": _valued("period"),
    "edge": _valued("edge"),
    "day_part": lambda _, rule, __: Facts(day=_pair(rule)[0], part=_pair(rule)[1]),
    "month_end": lambda _, rule, __: Facts(period=("month", int(str(rule.value))), edge="end"),
    "now": lambda *_: Facts(now=True),
    "clock_at": lambda _, rule, __: Facts(clock=Clock(*_two_numbers(rule), literal=True)),
    "meridiem": lambda groups, *_: Facts(part="am" if groups["all"].startswith("a") else "pm"),
    "number": lambda groups, *_: Facts(number=int(groups["all"])),
    "year": lambda groups, _, language: Facts(year=_full_year(_int(groups, "y", language) or 0)),
    "month": _month_fact,
    "dom": lambda groups, _, language: Facts(dom=_within(_int(groups, "d", language), 1, 31)),
    "ymd": _ymd,
    "two": _two,
    "two_and_year": _two,
    "era_year": _era_year,
    "weekday": _weekday,
    "nth_weekday": _nth_weekday,
    "clock": _clock,
    "clock_before": _clock_before,
    "clock_on": _clock_on,
    "iso": _iso,
    "shift": lambda groups, rule, language: Facts(
        shift=tuple((count * int(str(rule.value)), unit) for count, unit in amounts(groups["a"], language))
    ),
    "rolling": lambda groups, rule, language: Facts(rolling=(str(rule.value), amounts(groups["a"], language))),
}
