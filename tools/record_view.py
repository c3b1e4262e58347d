"""A record as a model is told of it: only what is set, times on the person's own clock, amounts as numbers.

Pure. Must not know the store, or which tool asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from tools.currency import json_number, major, minor
from tools.household import Household, coin, settle
from tools.record import Answer, Figure, Group, Moment, PersonId, Record, Result, day_of

ROOM = 6_000
"""How many characters of people's own words one result may carry; the records in it share them."""

_WAITING = "Not done yet: the user must confirm with a tap on the button the program shows. Do not call again."
_REPEATS = "Not stored twice: the same was noted minutes ago. The program asks which is meant. Do not call again."
_LEAST_ROOM = 300
_NOTES_TOLD = 3
_FIGURES_TOLD = 62


_NO_NAMES: Mapping[PersonId, str] = {}
_UNNAMED = "someone"


def told(record: Record, zone: ZoneInfo, room: int = ROOM, names: Mapping[PersonId, str] = _NO_NAMES) -> Result:
    """``{ref, type, content, status, …}``: ``when`` and its like are ``2026-12-01`` for a whole day or
    ``2026-12-01T15:00`` in ``zone``. Content longer than ``room`` characters ends in an ellipsis. ``names`` are those
    of the people who share the list: an identity is never told."""
    day = day_of(record.when, zone) if record.when else None
    view = {
        "ref": record.ref,
        "type": record.type,
        "content": _cut(record.content, room),
        "status": record.status,
        "when": _clock(record.when, zone),
        "weekday": f"{day:%a}" if day else None,
        "until": _clock(record.until, zone),
        "remind_at": _clock(record.remind_at, zone),
        "repeat": record.repeat.rule if record.repeat else None,
        "amount": None if record.amount is None else json_number(record.amount),
        "currency": record.currency,
        "category": record.category,
        "tags": list(record.tags),
        "notes": [_cut(note.text, _LEAST_ROOM) for note in record.notes[-_NOTES_TOLD:]],
        "by": names.get(record.author, _UNNAMED) if names and record.author else None,
        "paid_by": names.get(record.payer, _UNNAMED) if names and record.payer else None,
        "origin": None if record.origin == "own" else record.origin,
        "created": None if record.when else day_of(record.created_at, zone).isoformat(),
    }
    return {name: value for name, value in view.items() if value is not None and value != []}


def waiting(views: Sequence[Result], records: Iterable[Record]) -> Result:
    """Of changes that wait for a tap: the records as they are or would be."""
    return marked({"waiting": {"records": list(views), "note": _WAITING}}, records)


def repeating(record: Record, twin: Record, zone: ZoneInfo, names: Mapping[PersonId, str]) -> Result:
    """Of a new record that waits, for it repeats another: without its number, which is nobody's before it is wanted."""
    view = told(record, zone, names=names)
    del view["ref"]
    return marked({"waiting": {"records": [view], "same_as": twin.ref, "note": _REPEATS}}, [record, twin])


def marked(result: Result, records: Iterable[Record], *, mixed: bool = False) -> Result:
    """The result, beginning with ``"untrusted": true`` if one of these records holds words of others, or if it is
    ``mixed`` with such words otherwise."""
    return {"untrusted": True, **result} if mixed or any(each.origin == "others" for each in records) else result


def answer_told(
    answer: Answer,
    zone: ZoneInfo,
    group_by: Group | None = None,
    *,
    mixed: bool = False,
    household: Household | None = None,
) -> Result:
    """``matched`` counts all that match, ``shown`` those listed; ``totals`` stand only where they were asked for, in a
    household with who owes whom if they are by person. Of persons there is one where nobody shares the list, who is
    called ``me``."""
    names = household.names if household else _NO_NAMES
    room = max(_LEAST_ROOM, ROOM // max(1, len(answer.records)))
    result: Result = {
        "matched": answer.matched,
        "shown": len(answer.records),
        "records": [told(record, zone, room, names) for record in answer.records],
    }
    if answer.figures:
        result["totals"] = [_figure(figure, group_by, household) for figure in answer.figures[:_FIGURES_TOLD]]
    if len(answer.figures) > _FIGURES_TOLD:
        result["totals_left_out"] = len(answer.figures) - _FIGURES_TOLD
    if household and group_by == "person" and (owed := _owed(answer.figures, household)):
        result["settle_up"] = owed
    return marked(result, answer.records, mixed=mixed)


def _figure(figure: Figure, group_by: Group | None, household: Household | None) -> Result:
    group = figure.group
    if group_by == "person":
        group = household.names.get(PersonId(group or ""), _UNNAMED) if household else "me"
    line = {
        "group": group,
        "value": json_number(figure.value),
        "currency": figure.currency,
        "count": figure.count,
    }
    return {name: value for name, value in line.items() if value is not None}


def _owed(figures: Sequence[Figure], household: Household) -> list[Result]:
    """What would make these totals even among the members: computed here, for a model only passes it on."""
    lines: list[Result] = []
    for currency in dict.fromkeys(each.currency for each in figures if each.currency):
        of_it = [each for each in figures if each.currency == currency]
        paid = {PersonId(each.group or ""): minor(each.value, currency) for each in of_it}
        paid.pop(household.id, None)  # whoever that was
        members = [member.id for member in household.members]
        for each in settle(paid, members, coin(str(currency), paid.values())).transfers:
            debtor, creditor = (household.names.get(who, _UNNAMED) for who in (each.debtor, each.creditor))
            value = json_number(major(each.amount, currency))
            lines.append({"from": debtor, "to": creditor, "value": value, "currency": currency})
    return lines


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


def _clock(moment: Moment | None, zone: ZoneInfo) -> str | None:
    if isinstance(moment, datetime):
        return moment.astimezone(zone).replace(tzinfo=None).isoformat(timespec="minutes")
    return moment.isoformat() if moment else None
