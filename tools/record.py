"""The words for what is remembered: records, questions about them, and changes to them.

Pure vocabulary and the port of the store. Must not know SQL, Notion, LINE, HTTP, or which model asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import Any, Literal, NewType, Protocol

from tools.moments import Moment as Moment  # noqa: PLC0414 - the vocabulary is read from here
from tools.moments import Repeat
from tools.moments import day_of as day_of  # noqa: PLC0414 - the same

PersonId = NewType("PersonId", str)
"""Who owns a record: bound from the event that came in, never an argument of a tool."""

Language = Literal["zh-TW", "ja", "th", "en"]
"""The languages people are understood and answered in."""

RecordType = Literal["task", "event", "expense", "income", "note", "idea"]
Status = Literal["open", "doing", "done", "cancelled"]
Sort = Literal["when", "-when", "created", "-created", "-amount"]
Total = Literal["count", "amount", "net"]
Group = Literal["type", "status", "category", "tag", "day", "month", "person"]
Origin = Literal["own", "others"]
"""Whose words a record holds: its owner's own, or also such as came from, or passed through, somebody else."""

MONEY_TYPES: frozenset[RecordType] = frozenset({"expense", "income"})

TO_DO: frozenset[RecordType] = frozenset({"task", "event"})
"""What can be done, and counts as left for a day until it is."""

OPEN: frozenset[Status] = frozenset({"open", "doing"})
"""What still has to be done: it rings, and it is left for today."""

Result = dict[str, Any]
"""What a tool tells the model: a JSON object, small enough to read."""


@dataclass(frozen=True, slots=True)
class CallKey:
    """Which call of which turn: doing the same call again finds the first result. ``again`` says that this may be so,
    for the turn was interrupted: then the result is looked up before the words are read, which may read otherwise.
    ``guarded`` says that the call may stem from words the person did not write: what it would do to a record that is
    already there is proposed and waits for the person."""

    turn: str
    call: int
    again: bool = field(default=False, compare=False)
    guarded: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Note:
    """A remark that was added to a record later."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a person wants remembered, already understood and validated."""

    content: str
    type: RecordType
    when: Moment | None = None
    until: Moment | None = None
    remind_at: datetime | None = None
    amount: Decimal | None = None
    currency: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    status: Status = "open"
    notes: tuple[Note, ...] = ()
    origin: Origin = "own"
    author: PersonId | None = None
    """Who wrote it, where that is not its owner: records of a group are its members'."""
    payer: PersonId | None = None
    """Who paid, where that is not who wrote it."""
    repeat: Repeat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Draft):
    """A draft that has been stored. ``ref`` is the short number its owner uses (``#12``), never a key. ``key`` (32 hex)
    makes the copy in Notion unique. ``rev`` grows by one with every change. Times are aware, in UTC or the person's."""

    id: str
    owner: PersonId
    ref: int
    key: str
    rev: int
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time to look in: aware, ``end`` exclusive, both in the person's zone.

    A record on a whole day is inside if any part of that day is; a record with ``until`` is inside if it overlaps.
    """

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordQuery:
    """A question to the store; what is given must all hold. ``limit=0`` asks for figures, of all that ``matched``."""

    keyword: str | None = None
    type: RecordType | None = None
    types: frozenset[RecordType] = frozenset()
    status: Status | None = None
    span: Span | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    amounts: tuple[Decimal | None, Decimal | None] = (None, None)
    """At least and at most so much, whichever currency it is."""
    origin: Origin | None = None
    sort: Sort = "-created"
    limit: int = 5
    total: Total | None = None
    group_by: Group | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of a total, over all matching rows. ``currency`` is None for counts; never added across currencies."""

    value: Decimal
    count: int
    currency: str | None = None
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the store found: the first ``limit`` records, how many match in all, and the figures asked for."""

    records: tuple[Record, ...]
    matched: int
    figures: tuple[Figure, ...] = ()


ChangeKind = Literal["create", "update", "delete", "undo"]
ChangeState = Literal["done", "proposed", "undone", "expired"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that was done (or waits for a tap) to one record, with what it looked like before and after. What an
    update that waits would make of the record stands in ``after``; a deletion that waits has none."""

    id: str
    key: CallKey
    kind: ChangeKind
    state: ChangeState
    before: Record | None
    after: Record | None
    result: Result
    at: datetime
    undoes: str | None = None
    repeated: bool = field(default=False, compare=False)
    """True if this answer was found rather than done: the call had been carried out before."""

    @property
    def record(self) -> Record:
        """The record as it is now because of this change."""
        found = self.after or self.before
        assert found is not None, "a change always has one side"
        return found


Render = Callable[[Record], Result]
"""Builds what the model is told from the stored record, inside the transaction that stores it."""


class RecordNotFound(Exception):
    """No record of this owner has that ref: the same answer for foreign, deleted and absent ones."""

    def __init__(self, ref: int) -> None:
        super().__init__(f"no record #{ref}")
        self.ref = ref


class NothingChanged(Exception):
    """The update would leave the record as it is."""


class NothingToUndo(Exception):
    """There is no change of this owner in that time that can still be taken back."""


class StoreUnavailable(Exception):
    """What is remembered cannot be read or written now. What was under way is tried again, not given up."""


class MemoryPort(Protocol):
    """The records of one owner. The owner is bound when it is built, so that no question without one can be asked.

    Every changing method is keyed: called again with the same ``CallKey`` (and kind and record) it does nothing and
    returns the first change with ``repeated=True``. A change and its result are one transaction; cancelling the
    caller does not cancel it.
    """

    async def record(self, draft: Draft, key: CallKey, result: Render, *, proposed: bool = False) -> Change:
        """Store a new record under the next ref; if only ``proposed``, it is gone until ``confirm``, within 30 days."""

    async def revise(
        self, ref: int, fields: Mapping[str, object], key: CallKey, result: Render, *, proposed: bool = False
    ) -> Change:
        """Replace the named fields of ``Draft``; if only ``proposed``, that waits ten minutes for ``confirm``. Raises
        RecordNotFound, NothingChanged."""

    async def remove(
        self, refs: Sequence[int], key: CallKey, result: Render, *, proposed: bool = False
    ) -> list[Change]:
        """Delete softly; if only ``proposed``, each waits ten minutes for ``confirm``. Raises RecordNotFound (nothing
        is done then)."""

    async def confirm(self, change_ids: Sequence[str], key: CallKey) -> list[Change]:
        """Carry out proposed changes of this owner that are unexpired and unused; the others are left out. So is an
        update of a record that is no longer what it was when the update was proposed."""

    async def undo(self, key: CallKey, change_id: str | None = None, *, redo: bool = False) -> Change:
        """Take back the last change that can be, or the last undo, or the named one of either kind if what it changed
        was not changed since. Has kind ``undo``, no ``after`` if the record went. Raises NothingToUndo."""

    async def last_done_at(self) -> datetime | None:
        """When that was done which ``undo`` would take back; None if there is nothing."""

    async def get(self, ref: int) -> Record | None:
        """The record with this ref, unless it is deleted."""

    async def query(self, query: RecordQuery, *, fresh: bool = True) -> Answer:
        """Answer a question over all living records of the owner; unless ``fresh``, a mirror is not waited for."""

    async def ringing(self) -> list[Record]:
        """What the clock still has to look at, by its hour."""

    async def changes(self, turn: str) -> list[Change]:
        """What a turn did, in the order of its calls."""

    async def history(self, ref: int) -> list[Change]:
        """What was ever done to, or proposed for, the record with this ref, deleted or not; oldest first."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A reminder that is due; its own hour stands in the record. Without ``rings`` it only goes on to its next time."""

    record: Record
    due: datetime
    rings: bool = True


class RemindersPort(Protocol):
    """What is due, over all owners. Only the lanes may ask."""

    async def due(self, now: datetime, limit: int = 500) -> list[Ring]:
        """What is due by ``now``, oldest first, with what rings within the same minute for the same people."""

    async def rung(self, record_id: str, due: datetime) -> bool:
        """Say that this ring has been handed to the inbox; False if it had been already or was moved meanwhile."""

    async def hold(self, record_id: str, due: datetime, until: datetime) -> bool:
        """Let this ring wait until then; False as above."""

    async def realign(self) -> int:
        """Keep each hour on the wall of its zone, whose rules may have become others; how many moved."""


@dataclass(frozen=True, slots=True)
class Mirrored:
    """Whose records a mirror shows, and the zone they count time in. ``names`` are those of who wrote or paid,
    ``where`` is what the list is called; both are empty for the mirror's own owner. ``withdrawn``: they were shown, and
    shall not be any more. ``currency`` is that of amounts without one."""

    id: PersonId
    zone: tzinfo
    names: Mapping[PersonId, str] = field(default_factory=dict)
    where: str = ""
    withdrawn: bool = False
    currency: str = "TWD"


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What an owner has to hear of what was done in a mirror to a record, in the turn ``turn``: fields ``kept`` as they
    stood there, ``unfit`` to be ours, ``trashed`` but changed here; ``where``: which list. ``full``: of no record."""

    id: str
    owner: PersonId
    at: datetime
    turn: str
    ref: int
    content: str
    where: str = ""
    kept: Mapping[str, str] = field(default_factory=dict)
    unfit: Mapping[str, str] = field(default_factory=dict)
    trashed: bool = False
    full: bool = False


@dataclass(frozen=True, slots=True)
class MirrorState:
    """How a mirror stands after a push: how many records of the owner still wait, and the link to show once."""

    waiting: int
    link: str | None = None


class MirrorPort(Protocol):
    """A place outside where the owner sees the records too. Never needed for an answer."""

    async def push(self, owner: PersonId, seconds: float) -> MirrorState:
        """Bring what changed there, in order, for at most so long; what is left goes out later by itself. ``link`` is
        set on the first success ever. Never raises: a mirror that is down only means that more waits."""

    async def pages(self, records: Sequence[str]) -> Mapping[str, str]:
        """The address of the page of each of these records (by id) that stands there. Never raises."""

    async def refresh(self, owner: PersonId, seconds: float) -> None:
        """Take over what people did there, unless that was looked at a moment ago; wait for it so long at most, counted
        from when it was first asked for. Never raises."""

    async def check(self, records: Sequence[str], seconds: float) -> None:
        """Delete those of these records (by id) that turn out to have been thrown away there, if that can be told
        within so long. Never raises."""

    async def news(self) -> Sequence[News]:
        """What people still have to hear, oldest first; a hundred at most."""

    async def told(self, ids: Sequence[str]) -> None:
        """These are on their way to whom they concern."""

    async def forget(self, seconds: float) -> int:
        """Take away there what was taken away here for good, for at most so long; how many records still have to go,
        which they do by themselves."""

    async def keep_pushing(self) -> None:
        """Run until cancelled: whatever waits goes out as soon as the place takes it."""
