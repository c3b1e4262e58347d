"""What a message asks for, as calls and what they are about, and the person it is read for.

Pure vocabulary. Must not know how a message is read or a call is run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from bot.engines.offline.words import categories
from bot.thinking.prompt import Stamp
from tools.categories import CATEGORIES
from tools.money import Amount
from tools.record import RecordType

Arguments = dict[str, Any]
About = Literal[
    "change", "agenda", "todo", "find", "rings", "spent", "earned", "net",
    "finish", "drop", "call_off", "move", "snooze",
]  # fmt: skip
"""The last row changes one of the records that are found, once it is certain which."""
LOOKED_FOR: Final[frozenset[About]] = frozenset({"finish", "drop", "call_off", "move", "snooze"})
Asks = Literal["", "ring", "list", "move"]


@dataclass(frozen=True, slots=True)
class Wish:
    """One call, and what it is about: how its result is told. ``words`` are the person's own for time or thing;
    ``line`` is the one that asked for it. Of what is looked for, ``then`` is what it becomes, ``every`` says that all
    that are found are meant, ``rings`` that only what rings is."""

    tool: str
    arguments: Arguments
    about: About = "change"
    words: str = ""
    line: str = ""
    then: Arguments = field(default_factory=dict)
    every: bool = False
    rings: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything a message asks for. ``left_out`` are lines that were not understood; ``noun`` is a message that is
    nothing but a thing's name; ``needs_day`` the number of a record that should move to a clock time of no day;
    ``bad_time`` says that a message names a time no calendar has; ``asks`` is what it wants made or changed without
    saying what or when."""

    wishes: tuple[Wish, ...] = ()
    left_out: tuple[str, ...] = ()
    noun: str = ""
    needs_day: int | None = None
    bad_time: bool = False
    asks: Asks = ""


@dataclass(frozen=True, slots=True)
class Person:
    """Who a message is read for: the stamp says when and where; ``names`` is the person's own list."""

    stamp: Stamp
    names: tuple[str, ...] = ()

    @property
    def now(self) -> datetime:
        """The present, in the person's zone."""
        return self.stamp.now.astimezone(self.stamp.zone)

    def category(self, plain: str) -> str:
        """The category of what the words name, by the person's own name for it; "" if there is none."""
        for place, words in enumerate(categories()):
            if words.search(plain):
                return self.named(place)
        return next((name for name in self.names if len(name) > 1 and name.casefold() in plain), "")

    def named(self, place: int) -> str:
        """The name of a standard category that the person's list knows: its own, or the usual one, which the tool takes
        for whatever stands in its place; "" if there is no list."""
        if self.names in CATEGORIES.values() or not self.names:
            return self.names[place] if self.names else ""
        standard = [names[place] for names in CATEGORIES.values()]
        return next((name for name in standard if name in self.names), standard[0])


def create(content: str, kind: RecordType) -> Wish:
    """A new record of nothing but words."""
    return Wish("create_record", {"content": content, "type": kind})


def currency_of(amount: Amount, person: Person) -> Arguments:
    """The argument, if the words named one that is not the person's own."""
    code = amount.currency_for(person.stamp.currency)
    return {"currency": code} if code else {}
