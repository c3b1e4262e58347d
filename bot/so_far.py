"""What stands beside a receipt: how much has been spent so far, how much of today is left, in the person's own days,
and what is equal to a new record or lies across it.

Must not know how it is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from bot.voice.neighbours import Neighbours
from bot.voice.receipts import SpendingSoFar
from tools.likeness import across, paid_before, stretch_of
from tools.record import (
    MONEY_TYPES,
    OPEN,
    TO_DO,
    Change,
    MemoryPort,
    Record,
    RecordQuery,
    RecordType,
    Span,
    day_of,
)


async def spending(memory: MemoryPort, records: Sequence[Record], now: datetime) -> list[SpendingSoFar]:
    """The month's totals for each currency and category among these records that are of this month, and today's where
    they are of today."""
    kinds: dict[tuple[str, str | None, RecordType], bool] = {}
    for record in records:
        day = day_of(record.when, now.tzinfo or UTC) if record.when else now.date()
        if record.type in MONEY_TYPES and record.currency and (day.year, day.month) == (now.year, now.month):
            key = (record.currency, record.category, record.type)
            kinds[key] = kinds.get(key, True) and day == now.date()
    first = midnight(now).replace(day=1)
    month = Span(first, midnight(first + timedelta(days=32)).replace(day=1))
    found = []
    for (currency, category, kind), is_todays in kinds.items():
        per_day = RecordQuery(type=kind, span=_today(now), total="amount", limit=0)
        per_month = RecordQuery(type=kind, span=month, category=category, total="amount", limit=0)
        found.append(
            SpendingSoFar(
                today=await _sum(memory, per_day, currency) if is_todays else None,
                month=await _sum(memory, per_month, currency),
                category=category,
                currency=currency,
                earned=kind == "income",
            )
        )
    return found


async def _sum(memory: MemoryPort, query: RecordQuery, currency: str | None) -> Decimal:
    figures = (await memory.query(query)).figures
    return next((figure.value for figure in figures if figure.currency == currency), Decimal(0))


async def left_today(memory: MemoryPort, changes: Sequence[Change], now: datetime) -> int | None:
    """How many tasks and events of today are still open; asked only after something was finished."""
    if not any(change.kind == "update" and change.record.status == "done" for change in changes):
        return None
    query = RecordQuery(types=TO_DO, span=_today(now), total="count", group_by="status", limit=0)
    return sum(figure.count for figure in (await memory.query(query)).figures if figure.group in OPEN)


async def neighbours(memory: MemoryPort, changes: Sequence[Change], now: datetime, zone: ZoneInfo) -> list[Neighbours]:
    """What lies across the events that are new or were moved, each pair once, and equal payments before new ones."""
    records = {change.record.id: change for change in changes if change.kind in {"create", "update"} and change.after}
    found: list[Neighbours] = []
    told: set[str] = set()
    for key, change in records.items():
        told.add(key)
        moved = change.before is None or stretch_of(change.before, zone) != stretch_of(change.record, zone)
        lying = (
            [each for each in await across(change.record, memory, zone, now) if each.id not in told] if moved else []
        )
        equal = await paid_before(change.record, memory, list(records)) if change.kind == "create" else None
        if lying or equal:
            found.append(Neighbours(change.record, lying, equal))
    return found


def _today(now: datetime) -> Span:
    return Span(midnight(now), midnight(now) + timedelta(days=1))


def midnight(now: datetime) -> datetime:
    """The start of the day on the person's own clock."""
    return datetime.combine(now.date(), time.min, now.tzinfo)
