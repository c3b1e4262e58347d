"""A reading of somebody's words for a time that may mean something else: which two, as a tool tells them.

They stand in the result of the call that stored the likelier one, and so in its change: from there the person is asked
by code, and a tap corrects the record. Pure. Must not know the store, or how anybody is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from tools.record import Moment, Record, Result
from tools.when import Reading

Field = Literal["when", "remind_at"]

UNSURE: Final = "unsure"
"""Under this name a result tells of them."""

NOTE: Final = "The program asks the user with two buttons which day is meant. Do not ask; say nothing about it."


@dataclass(frozen=True, slots=True)
class Doubt:
    """What was said, how it was read, and what else it may mean: 2026-12-11, 2026-12-11T15:00, two of them with a slash
    between; clock times are the person's own."""

    field: Field
    said: str
    read: str
    other: str

    def holds(self, record: Record, zone: ZoneInfo) -> str | None:
        """Which of the two the record has now; None if it is neither."""
        moment = record.when if self.field == "when" else record.remind_at
        now = None if moment is None else written(moment, zone)
        return next((each for each in (self.read, self.other) if each.partition("/")[0] == now), None)


Doubts = Sequence[Doubt]


def doubt_about(field: Field, said: str, reading: Reading, zone: ZoneInfo) -> Doubt | None:
    """None if the reading is sure, or nothing else is known that it could be."""
    if reading.sure or reading.other is None:
        return None
    read, other = (_of(each, zone, vague=reading.vague) for each in (reading, reading.other))
    return Doubt(field, said, read, other) if read != other else None


def _of(reading: Reading, zone: ZoneInfo, *, vague: bool) -> str:
    if vague:
        return written(reading.start, zone).partition("T")[0]
    start = written(reading.start, zone)
    return start if reading.end is None else f"{start}/{written(reading.end, zone)}"


def written(moment: Moment, zone: ZoneInfo) -> str:
    """A day, or a clock time in that zone."""
    if isinstance(moment, datetime):
        return moment.astimezone(zone).replace(tzinfo=None).isoformat(timespec="minutes")
    return moment.isoformat()


def doubts_told(doubts: Doubts) -> Result:
    """What the result of a call says of them; nothing if there are none."""
    if not doubts:
        return {}
    lines = [{"field": each.field, "said": each.said, "read": each.read, "or": each.other} for each in doubts]
    return {UNSURE: lines, "note": NOTE}


def doubts_in(result: Mapping[str, Any]) -> list[Doubt]:
    """Those that a result tells of."""
    return [Doubt(each["field"], each["said"], each["read"], each["or"]) for each in result.get(UNSURE, ())]
