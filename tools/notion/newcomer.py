"""What a row that somebody added to the table becomes: the rules by which a record is made of it.

Pure. Must not know rows as Notion tells them, or how a record is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from tools.notion.merge import Fields, Here, following, money_fits, range_fits
from tools.record import MONEY_TYPES, Draft, Mirrored, Origin, RecordType

TELLING = frozenset({"content", "when", "remind_at", "amount", "category", "tags"})
"""What makes a row more than an empty line that somebody has just clicked into being."""


def draft_of(fields: Fields, here: Here, names: Mapping[str, str], origin: Origin = "own") -> Draft | None:
    """The record that a row is: None while there is nothing in it yet. ``names`` are what types are called there.

    A type that is chosen holds; an expense without its amount is a note until it has one. Without a type an amount is
    an expense, a clock time an event, a day or a reminder or a status a task, and everything else a note. A row
    without a title is called by its category, its tags, or its type. What does not fit together is left there.
    """
    if not any(fields.get(name) for name in TELLING):
        return None
    kind = type_of(fields)
    draft = Draft(
        content=_title(fields, names[kind]),
        type=kind,
        when=fields.get("when"),
        until=fields.get("until"),
        remind_at=fields.get("remind_at"),
        amount=fields.get("amount") if kind in MONEY_TYPES else None,
        currency=fields.get("currency") if kind in MONEY_TYPES else None,
        category=fields.get("category"),
        tags=tuple(fields.get("tags") or ()),
        status=fields.get("status") or "open",
        origin=origin,
    )
    filled = replace(draft, **following(draft, {}, here))
    if not money_fits(filled):
        filled = replace(draft, type="note", amount=None, currency=None)
    return filled if range_fits(filled) else replace(filled, until=None)


def type_of(fields: Fields) -> RecordType:
    """What a row is, by what is filled."""
    chosen: RecordType | None = fields.get("type")
    if chosen is not None:
        return chosen
    if fields.get("amount") is not None:
        return "expense"
    if isinstance(fields.get("when"), datetime):
        return "event"
    has_status = fields.get("status") not in (None, "open")
    return "task" if fields.get("when") or fields.get("remind_at") or has_status else "note"


def _title(fields: Fields, kind: str) -> str:
    said: Sequence[Any] = (fields.get("content"), fields.get("category"), "、".join(fields.get("tags") or ()))
    return next((text for text in said if text), kind)


def owner_of(text: str | None, owners: Sequence[Mirrored]) -> Mirrored | None:
    """Whose a row is, by its column Owner: an id, or the name of a list or of somebody; the first owner's where nothing
    stands there. None for a name that is nobody's, or several people's."""
    if not text:
        return owners[0] if owners else None
    for each in owners:
        if each.id == text:
            return each
    wanted = text.strip().casefold()
    called = [each for each in owners if wanted in {each.where.casefold(), each.names.get(each.id, "").casefold()}]
    return called[0] if len(called) == 1 else None
