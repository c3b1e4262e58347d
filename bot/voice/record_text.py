"""How one record, or a row of them, is named to a person: time, words, amount, number.

Pure. Must not know what was done to the record; the receipts and the lists say that around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from bot.voice.dates import clock_text, day_of, moment_text, span_text
from bot.voice.language import CURRENCIES
from tools.currency import exponent
from tools.money import shown
from tools.record import MONEY_TYPES, Language, Moment, Record

ROOM: Final = 60
"""Characters of a record's own words where it stands alone, so that a notification shows all of it."""

ROOM_IN_LIST: Final = 24


@dataclass(frozen=True, slots=True)
class Row:
    """What a list needs of a record. ``when`` is a day or an aware time; ``currency`` an ISO 4217 code."""

    ref: int
    content: str
    when: Moment | None = None
    amount: Decimal | None = None
    currency: str | None = None


def row_of(record: Record) -> Row:
    """The row of a stored record."""
    return Row(record.ref, record.content, record.when, record.amount, record.currency)


def short(content: str, room: int = ROOM) -> str:
    """The words on one line, cut where they grow long."""
    line = " ".join(content.split())
    return line if len(line) <= room else line[: room - 1].rstrip() + "…"


def money(value: Decimal, currency: str | None, language: Language) -> str:
    """The amount with its unit; a bare number where no currency is known."""
    return shown(value, currency, language) if currency else number(value, currency)


def bare_money(value: Decimal, currency: str | None, language: Language) -> str:
    """The amount without its unit where everybody knows it: people of a country leave out their own money's name."""
    own = language != "en" and currency == CURRENCIES[language]
    return number(value, currency) if own else money(value, currency, language)


def number(value: Decimal, currency: str | None = None) -> str:
    """``4,210`` or ``12.50``: with decimals only where there are some."""
    whole = value == value.to_integral_value()
    return f"{value:,.0f}" if whole else f"{value:,.{exponent(currency)}f}"


def refs_text(refs: Sequence[int]) -> str:
    """``#14–16`` for numbers in a row, else each."""
    if len(refs) > 1 and list(refs) == list(range(refs[0], refs[0] + len(refs))):
        return f"#{refs[0]}–{refs[-1]}"
    return " ".join(f"#{ref}" for ref in refs)


def title(row: Row, language: Language, room: int = ROOM) -> str:
    """Words, amount and number: ``午餐 120 元 #13``."""
    return " ".join(filter(None, [short(row.content, room), _amount(row, language), f"#{row.ref}"]))


def at(when: str, what: str) -> str:
    """Time, then what: a full-width bracket needs no space behind it."""
    return f"{when}{what}" if when.endswith("）") else f"{when} {what}".lstrip()


def timed_title(row: Row, now: datetime, language: Language, *, clock_only: bool = False) -> str:
    """The title with its time in front; with ``clock_only`` the day is understood."""
    if row.when is None:
        return title(row, language, ROOM_IN_LIST)
    if not clock_only:
        return at(moment_text(row.when, now, language), title(row, language, ROOM_IN_LIST))
    clock = clock_text(row.when.astimezone(now.tzinfo), language) if isinstance(row.when, datetime) else ""
    return at(clock, title(row, language, ROOM_IN_LIST))


def when_text(record: Record, now: datetime, language: Language) -> str:
    """When the record is, "" if it has no time. Money of today needs no date."""
    if record.when is None:
        return ""
    if record.type in MONEY_TYPES:
        day = day_of(record.when, now)
        return "" if day == now.date() else moment_text(day, now, language)
    return span_text(record.when, record.until, now, language)


def ring_text(remind_at: datetime, when: Moment | None, now: datetime, language: Language) -> str:
    """The moment of a reminder: the time alone if it is on the record's own day."""
    local = remind_at.astimezone(now.tzinfo)
    if when is not None and day_of(when, now) == local.date():
        return clock_text(local, language)
    return moment_text(local, now, language)


def enumeration(parts: Iterable[str], comma: str, most: int = 10) -> str:
    """The parts in a row, at most so many, then an ellipsis."""
    every = list(parts)
    return comma.join(every[:most]) + (f"{comma}…" if len(every) > most else "")


def _amount(row: Row, language: Language) -> str:
    return "" if row.amount is None else money(row.amount, row.currency, language)
