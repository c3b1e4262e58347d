"""What stands on a card, and the buttons under a bubble: words alone, already said in the person's language.

Plain frozen dataclasses. Must not know any network, or how a card is drawn there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Button:
    """A choice under the last bubble or on a card. A ``tap`` sends ``data`` back, and shows ``said``, or its label, as
    if the person had said it; a ``picker`` sends it with a day and a time of day that are picked first, beginning at
    ``initial`` (``2026-12-01T15:00``, without a zone). A ``link`` opens the address that is its ``data``."""

    label: str
    data: str
    kind: Literal["tap", "picker", "link"] = "tap"
    initial: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """A record on a card, in words: each as long as it is, and empty where there is nothing to say. ``about`` is what
    belongs to it besides (number, category, tags, reminder). ``picture`` is an https address."""

    what: str
    when: str = ""
    amount: str = ""
    about: str = ""
    is_done: bool = False
    picture: str = ""
    buttons: tuple[Button, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardBar:
    """A part of a total. ``share`` is its length beside the longest one, from 0 to 1."""

    what: str
    amount: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """How several records, or a total, are shown where the network can draw. ``figure`` is the one number it is about,
    ``notes`` are small lines at its foot, ``picture`` is an https address, and ``whole`` what opens when it is tapped.
    ``beside`` is what is said in a text of its own in front of it. ``text``, which is all of it in words, is the
    bubble's."""

    title: str
    figure: str = ""
    aside: str = ""
    rows: tuple[CardRow, ...] = ()
    bars: tuple[CardBar, ...] = ()
    notes: tuple[str, ...] = ()
    picture: str = ""
    whole: str = ""
    buttons: tuple[Button, ...] = ()
    beside: str = ""

    @staticmethod
    def of(fields: Mapping[str, Any]) -> Card:
        """The card of its own fields as JSON values, as ``dataclasses.asdict`` tells them."""
        rows = [CardRow(**{**row, "buttons": _buttons_of(row["buttons"])}) for row in fields["rows"]]
        bars = [CardBar(**bar) for bar in fields["bars"]]
        lists = {"rows": tuple(rows), "bars": tuple(bars), "notes": tuple(fields["notes"])}
        return Card(**{**fields, **lists, "buttons": _buttons_of(fields["buttons"])})

    @property
    def words(self) -> list[str]:
        """Every text on it, also of its buttons."""
        found: list[str] = []

        def hear(text: str) -> str:
            found.append(text)
            return text

        self.reworded(hear)
        return found

    def reworded(self, word: Callable[[str], str]) -> Card:
        """The card with ``word`` made of every text on it and beside it; addresses and data stay as they are."""
        return Card.of(_reworded(asdict(self), word))


_NO_WORDS = frozenset({"data", "initial", "kind", "picture", "whole"})


def _reworded(value: Any, word: Callable[[str], str]) -> Any:
    match value:
        case str():
            return word(value)
        case Mapping():
            return {name: each if name in _NO_WORDS else _reworded(each, word) for name, each in value.items()}
        case list() | tuple():
            return [_reworded(each, word) for each in value]
    return value


def _buttons_of(fields: Sequence[Mapping[str, Any]]) -> tuple[Button, ...]:
    return tuple(Button(**each) for each in fields)
