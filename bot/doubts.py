"""Times that may have been misread: the person is asked once, with two buttons, and a tap corrects the record.

What was read stands in the change that stored it (``tools.doubt``): nothing is kept besides, and whose change it was
says whose tap counts. Must not know how a record is kept, or how a button looks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.ports import Button, Tap
from bot.voice.doubts import doubt_text, label
from tools.arguments import Reader
from tools.categories import usual
from tools.definition import Caller
from tools.doubt import Doubt, doubts_in
from tools.record import CallKey, Change, MemoryPort, NothingChanged, Record
from tools.revision import Revision

_ABOUT: Final = re.compile(r"(?P<which>[0-9]{1,2}):(?P<choice>[01]):(?P<turn>.+)", re.DOTALL)
_KINDS: Final = frozenset({"create", "update"})
_MOST: Final = 3
"""So many are asked about in one answer."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """What came of a tap: what it changed, or that it only said yes to ``doubt``, or neither: it came too late."""

    changes: Sequence[Change] = ()
    doubt: Doubt | None = None
    outcome: Literal["corrected", "confirmed", "late", "unknown"] = "unknown"
    chosen: str = ""


def question(turn: str, changes: Sequence[Change], caller: Caller) -> tuple[str, tuple[Button, ...]]:
    """What is asked about the times that a turn has stored, and the two buttons for each; "" if all are certain. What
    has become another time since is certain."""
    asked = [
        (index, doubt, record)
        for index, doubt in enumerate(_pairs(changes))
        if (record := _still_read(doubt, changes, caller)) is not None
    ][:_MOST]
    lines = [doubt_text(doubt, caller.now.astimezone(caller.zone), caller.language) for _, doubt, _ in asked]
    buttons = tuple(
        Button(
            label(
                doubt, choice, record if len(asked) > 1 else None, caller.now.astimezone(caller.zone), caller.language
            ),
            Tap.MEANT.on(f"{index}:{choice}:{turn}"),
        )
        for index, doubt, record in asked
        for choice in (0, 1)
    )
    return "\n".join(lines), buttons


def _pairs(changes: Sequence[Change]) -> list[Doubt]:
    """Each once, in the order in which they were stored: what a button counts by. Several records of the same words are
    asked about together."""
    found: dict[tuple[str, str, str], Doubt] = {}
    for change in changes:
        if change.kind in _KINDS and change.state in ("done", "undone"):
            for doubt in doubts_in(change.result):
                found.setdefault(_key(doubt), doubt)
    return list(found.values())


def _key(doubt: Doubt) -> tuple[str, str, str]:
    return doubt.field, doubt.read, doubt.other


def _stored_with(doubt: Doubt, changes: Sequence[Change]) -> list[Change]:
    return [
        change
        for change in changes
        if change.kind in _KINDS and change.state == "done" and _key(doubt) in map(_key, doubts_in(change.result))
    ]


def _still_read(doubt: Doubt, changes: Sequence[Change], caller: Caller) -> Record | None:
    """A record that has the time which was read, as these changes left it."""
    last = {change.record.id: change.record for change in changes if change.state == "done"}
    records = (last[change.record.id] for change in _stored_with(doubt, changes))
    return next((each for each in records if doubt.holds(each, caller.zone) == doubt.read), None)


async def corrected(memory: MemoryPort, turn: str, about: str, caller: Caller) -> Corrected:
    """Does what a tap says, once: in a turn that goes on after a crash what it did before is told again. Raises
    ToolError if the time that was chosen can no longer be taken."""
    found = _ABOUT.fullmatch(about)
    changes = await memory.changes(found["turn"]) if found else []
    pairs = _pairs(changes)
    if found is None or int(found["which"]) >= len(pairs):
        return Corrected()
    doubt = pairs[int(found["which"])]
    chosen = doubt.other if found["choice"] == "1" else doubt.read
    if before := [change for change in await memory.changes(turn) if change.kind == "update"]:
        return Corrected(before, doubt, "corrected", chosen)
    done: list[Change] = []
    confirmed = False
    for number, change in enumerate(_stored_with(doubt, changes), start=1):
        record = await memory.get(change.record.ref)
        holds = doubt.holds(record, caller.zone) if record else None
        confirmed = confirmed or holds == chosen
        if record and holds not in (None, chosen):
            done += await _revised(memory, record, doubt, chosen, CallKey(turn, number), caller)
    return Corrected(done, doubt, "corrected" if done else "confirmed" if confirmed else "late", chosen)


async def _revised(
    memory: MemoryPort, record: Record, doubt: Doubt, chosen: str, call: CallKey, caller: Caller
) -> list[Change]:
    when, remind_at = (chosen, None) if doubt.field == "when" else (None, chosen)
    fields = Revision(record, Reader(caller, usual(caller.home))).times(None, when, None, remind_at)
    try:
        return [await memory.revise(record.ref, fields, call, lambda each: {"ref": each.ref})]
    except NothingChanged:
        return []
