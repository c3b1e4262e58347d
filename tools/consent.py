"""Which changes wait for the person's own tap instead of being made at once.

Pure: the one rule of the house about this. A model may do what its person asked for, and one such change can be taken
back; what could have been asked by somebody else, and what would take much away, is only put to the person. Must not
know how a proposal is kept, shown or confirmed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from tools.record import CallKey, Change, ChangeKind, Record

UNDO_LASTS = timedelta(days=30)
"""So long what was done can be taken back, and what was said twice can still be wanted twice."""

_PROPOSAL_LASTS = timedelta(minutes=10)


def proposal_lasts(kind: ChangeKind) -> timedelta:
    """What was said is not lost because nobody tapped for a while; a change is agreed to soon, or is forgotten."""
    return UNDO_LASTS if kind == "create" else _PROPOSAL_LASTS


def revision_waits(call: CallKey, record: Record, earlier: Sequence[Change]) -> bool:
    """In a guarded call every change of a record waits, but for one that was itself made of others' words in this very
    turn: in that there is nothing of the person's yet. ``earlier`` is what the turn has done."""
    if not call.guarded:
        return False
    made = {change.record.id for change in earlier if change.kind == "create" and change.state == "done"}
    return not (record.origin == "others" and record.id in made)


def deletion_waits(call: CallKey, how_many: int, earlier: Sequence[Change]) -> bool:
    """Of all deletions of a turn only the first is made at once, if it is of a single record and the call is not
    guarded. One that was taken back does not count, and neither does what this very call has done before."""
    before = (change for change in earlier if change.kind == "delete" and change.key != call)
    return call.guarded or how_many > 1 or any(change.state != "undone" for change in before)
