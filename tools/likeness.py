"""Whether something was said before, and which events lie across each other.

Pure but for what it asks the store. Of money every payment counts, whatever is equal to it; a thing to do that is said
again within minutes is probably the same. Must not know what is done about it, or how it is told.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from tools.alphabet import fold
from tools.record import MONEY_TYPES, OPEN, TO_DO, Draft, MemoryPort, Moment, Record, RecordQuery, Span, day_of

NEAR = timedelta(minutes=10)
"""What is said again within so long is probably one thing: a message that was resent, or dictated once more."""

HALF_AN_HOUR = timedelta(minutes=30)
"""An event of which nobody said when it ends takes so long at least."""

_SLACK = timedelta(minutes=1)
_LATELY = 20
"""So many of the newest records are looked at."""


async def said_before(draft: Draft, memory: MemoryPort, turn: str, now: datetime) -> Record | None:
    """The open task or event of which this is a repetition: of another turn, for equal wishes in one message are
    several. A second saying that adds something, such as a reminder, is none."""
    if draft.type not in TO_DO:
        return None
    lately = await memory.query(RecordQuery(types=TO_DO, sort="-created", limit=_LATELY), fresh=False)
    alike = [record for record in lately.records if _is_again(draft, record, now)]
    own = {change.record.id for change in await memory.changes(turn)} if alike else set()
    return next((record for record in alike if record.id not in own), None)


async def paid_before(record: Record, memory: MemoryPort, turn: Sequence[str]) -> Record | None:
    """An equal expense or income of a few minutes before this one. ``turn``: the ids of the records that were made
    together with it."""
    if record.type not in MONEY_TYPES:
        return None
    lately = await memory.query(RecordQuery(type=record.type, sort="-created", limit=_LATELY), fresh=False)
    equal = (each for each in lately.records if each.id not in turn and _is_equal(each, record))
    return next((each for each in equal if timedelta(0) <= record.created_at - each.created_at <= NEAR), None)


async def across(record: Record, memory: MemoryPort, zone: ZoneInfo, now: datetime) -> list[Record]:
    """The other events that lie across this one, in the order of their times; none if it is over."""
    stretch = stretch_of(record, zone)
    if stretch is None or stretch[1] <= now:
        return []
    around = Span(stretch[0] - HALF_AN_HOUR, stretch[1])  # what began before, and has no end
    found = await memory.query(RecordQuery(type="event", span=around, sort="when", limit=_LATELY), fresh=False)
    others = ((each, stretch_of(each, zone)) for each in found.records if each.id != record.id)
    return [each for each, other in others if other and other[0] < stretch[1] and stretch[0] < other[1]]


def stretch_of(record: Record, zone: ZoneInfo) -> tuple[datetime, datetime] | None:
    """From when to when an event takes somebody's time. One whole day (a birthday) takes none; several do (a
    journey)."""
    start, end = record.when, record.until
    if record.type != "event" or record.status not in OPEN or start is None:
        return None
    if isinstance(start, datetime):
        last = start if end is None else end if isinstance(end, datetime) else _midnight(end + timedelta(days=1), zone)
        return start, start + HALF_AN_HOUR if last == start else last
    last_day = None if end is None else day_of(end, zone)
    if last_day is None or last_day <= start:
        return None
    return _midnight(start, zone), _midnight(last_day + timedelta(days=1), zone)


def bare(text: str) -> str:
    """The words without what is not heard: width, case, spaces, punctuation. A sign between two digits stays."""
    line = fold(unicodedata.normalize("NFKC", text)).casefold()
    return "".join(sign for place, sign in enumerate(line) if not _is_unheard(sign) or _parts_digits(line, place))


def _is_unheard(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "PZC"


def _parts_digits(line: str, place: int) -> bool:
    return 0 < place < len(line) - 1 and line[place - 1].isdigit() and line[place + 1].isdigit()


def _is_again(draft: Draft, record: Record, now: datetime) -> bool:
    apart = now - record.created_at
    return (
        abs(apart) <= NEAR
        and record.status in OPEN
        and draft.status in OPEN
        and bare(draft.content) == bare(record.content)
        and draft.repeat == record.repeat
        and _is_same(draft.when, record.when, apart)
        and _is_same(draft.until, record.until, apart)
        and (draft.remind_at is None or _is_same(draft.remind_at, record.remind_at, apart))
        and set(draft.tags) <= set(record.tags)
    )


def _is_same(new: Moment | None, old: Moment | None, apart: timedelta) -> bool:
    """Equal, or as much later as it was said later: in ten minutes, and again in ten minutes."""
    if isinstance(new, datetime) and isinstance(old, datetime):
        return new == old or abs(new - old - apart) <= _SLACK
    return new == old


def _is_equal(one: Record, other: Record) -> bool:
    same = all(getattr(one, name) == getattr(other, name) for name in ("type", "amount", "currency", "when", "payer"))
    return same and bare(one.content) == bare(other.content)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time.min, zone)
