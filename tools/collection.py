"""The words for what the operator has opened of their Notion for reading: a collection, what is found in it, its port.

Pure vocabulary. Must not know how a collection is reached, or which model asks.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import tzinfo
from typing import Protocol

from tools.record import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """One table that may be read, as the operator described it.

    ``source`` is an id or a link. ``published`` names a column and ``value`` what stands in it where a row may be
    shown: true or false in a checkbox, an option's name; true in a date says that the date has come. The others name
    the columns that may be shown, and are empty where there is none; without ``title`` it is the table's own title.
    """

    name: str
    about: str
    source: str
    published: str
    value: bool | str
    title: str = ""
    summary: str = ""
    link: str = ""
    date: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One published row, as much of it as may be shown: plain words on one line each, empty where there are none.
    ``link`` is an address on the web that anybody can open; ``date`` is ``2026-12-01`` or ``2026-12-01T15:00``."""

    kind: str
    title: str
    summary: str = ""
    link: str = ""
    date: str = ""

    def told(self) -> Result:
        """What is there, for a model."""
        return {name: text for name, text in asdict(self).items() if text}


class CollectionAway(Exception):
    """A collection cannot be read now."""


class CollectionPort(Protocol):
    """One collection, to be searched. It is never written to."""

    async def search(self, keyword: str, limit: int, zone: tzinfo) -> tuple[Item, ...]:
        """Published rows in which every word of ``keyword`` stands, newest first, at most ``limit``; clock times are
        told in ``zone``. Raises CollectionAway."""
