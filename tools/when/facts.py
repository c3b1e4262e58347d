"""What a text can state about time, one ``Facts`` for each of its words, and one for all of them.

Pure, and still without "now": a ``Facts`` says "next week", "weekday 3", "3 o'clock, afternoon". Must not know today's
date, who asks, or any language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from tools.when.numbers import NotUnderstood, number
from tools.when.rules import Language, Rule

Steps = tuple[tuple[float, str], ...]
"""A length: so many of a unit, and so many of another."""


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
    order: tuple[int, int] | None = None
    """Two numbers, of which one is the month; ``day_first`` if it is certain which."""
    day_first: bool | None = None
    holiday: bool | None = None
    """Month and day are those of a day with a name."""
    nth: int | None = None
    """The first, second, … (from the end: -1, -2, …) such weekday of its month."""
    week: int | None = None
    """The week of its month or year, counted likewise; ``whole_weeks`` if the first must begin in the month."""
    whole_weeks: bool | None = None
    nth_day: int | None = None
    """The day of its month or year, counted likewise."""
    piece: tuple[int, int] | None = None
    """A year cut into pieces of so many months, and which of them, from 1: (3, 4) is the fourth quarter."""
    lunar: tuple[int, int] | str | None = None
    """Month and day of the lunar calendar, from the month's end if negative; or the name of a solar term."""
    third: int | None = None
    """The first, second or last ten days of a month."""
    day: int | None = None
    """So many days from today."""
    local: dict[str, int] | None = None
    """The same, by the time zone of who says it."""
    weekday: int | None = None
    period: tuple[str, int] | None = None
    """A week, month, …, so many from the present one."""
    around: str | None = None
    """The week in which the stated day lies is meant."""
    edge: str | None = None
    shift: Steps | None = None
    """So long from now."""
    onward: Steps | None = None
    """So long from the stated day."""
    lasting: Steps | None = None
    """So long, beginning with what is stated."""
    rolling: tuple[str, Steps] | None = None
    clock: Clock | None = None
    part: str | None = None
    exact: datetime | None = None
    now: bool | None = None
    number: int | None = None
    loose: bool | None = None
    """The words are used for two weeks, or for a length as well as for a day."""
    before: bool | None = None
    """Until then, not then."""
    every: tuple[str, int] | None = None
    """It repeats: a frequency of RFC 5545, and each how many of it."""
    weekdays: tuple[int, ...] | None = None
    """On each of these."""
    doms: tuple[int, ...] | None = None
    """On each of these days of the month."""
    nths: tuple[int, ...] | None = None
    """Which of the weekdays of their month, from the end if negative."""
    workday: int | None = None
    """The first or last of the month on which people work."""
    times: int | None = None
    """So often, and then no more."""

    def stated(self) -> dict[str, object]:
        """The fields that are there."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) is not None}


Groups = dict[str, str]
Builder = Callable[[Groups, Rule, Language], Facts]


def number_in(groups: Groups, name: str, language: Language) -> int | None:
    """The number in a group of a match; None if the group is not there."""
    text = groups.get(name)
    return None if text is None else number(text, language.numbers.items())


def within(value: int | None, low: int, high: int) -> int | None:
    """The value itself. Raises NotUnderstood beyond the bounds."""
    if value is not None and not low <= value <= high:
        raise NotUnderstood("there is no such day or hour")
    return value
