"""The store of records: what one owner may ask of it.

One code for SQLite and PostgreSQL. The owner is bound in the constructor; no statement leaves without it. Must not know
LINE, Notion, or what a model is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from sqlalchemy import Connection, bindparam, select

from tools.consent import UNDO_LASTS
from tools.database import Database, instant, micros
from tools.record import (
    Answer,
    CallKey,
    Change,
    Draft,
    MirrorPort,
    NothingChanged,
    NothingToUndo,
    PersonId,
    Record,
    RecordNotFound,
    RecordQuery,
    Render,
)
from tools.sql.books import Books
from tools.sql.change import FIELDS, OF_RECORD, OF_TURN, UNDOABLE, changes_of
from tools.sql.record import RECORD, Values, columns_named, columns_of, of_owner, record_of
from tools.sql.search import answer

T = TypeVar("T")

_LIVING_ONE = select(RECORD).where(of_owner(RECORD), RECORD.c.ref == bindparam("ref"), RECORD.c.deleted_at.is_(None))
"""The record with a ref, unless it is deleted."""

_STILL_RINGING = (
    select(RECORD).where(of_owner(RECORD), RECORD.c.next_ring.is_not(None)).order_by(RECORD.c.next_ring).limit(200)
)

FRESH_SECONDS = 2.0
"""A mirror's share of the time to answer a question: so long it may take to tell what people did there."""
CHECK_SECONDS = 1.0
"""The same, to tell whether what is about to be shown was thrown away there."""


class SqlMemory:
    """MemoryPort over a database. A change is committed without waiting for the disk: before anything is said about it,
    the answer is committed durably, and the change with it. Where people see the records in a mirror, what they did
    there is known before a question is answered, if it can be told in time."""

    def __init__(
        self, database: Database, owner: PersonId, now: Callable[[], datetime], mirror: MirrorPort | None = None
    ) -> None:
        self._database = database
        self._owner = owner
        self._now = now
        self._mirror = mirror

    async def record(self, draft: Draft, key: CallKey, result: Render, *, proposed: bool = False) -> Change:
        def work(books: Books) -> Change:
            if done := books.of_call(key, "create"):
                return done[0]
            row = books.add(draft, key)
            if proposed:
                books.delete(row)
            told = result(record_of(row))
            return books.note(key, "create", None, row, told, state="proposed" if proposed else "done")

        return await self._change(work)

    async def revise(
        self, ref: int, fields: Mapping[str, object], key: CallKey, result: Render, *, proposed: bool = False
    ) -> Change:
        def work(books: Books) -> Change:
            row = books.by_ref(ref)
            if row is None:
                raise RecordNotFound(ref)
            for done in books.of_call(key, "update"):
                if done.record.id == row["id"]:
                    return done
            if row["deleted_at"] is not None:
                raise RecordNotFound(ref)
            columns = _revised(row, fields)
            after = {**row, **columns} if proposed else books.alter(row, columns)
            told = result(record_of(after))
            return books.note(key, "update", row, after, told, state="proposed" if proposed else "done")

        return await self._change(work)

    async def remove(
        self, refs: Sequence[int], key: CallKey, result: Render, *, proposed: bool = False
    ) -> list[Change]:
        def work(books: Books) -> list[Change]:
            done = {change.record.id: change for change in books.of_call(key, "delete")}
            rows = [_living(books, ref, done) for ref in dict.fromkeys(refs)]
            return [done.get(row["id"]) or _delete(books, row, key, result, proposed=proposed) for row in rows]

        return await self._change(work)

    async def confirm(self, change_ids: Sequence[str], key: CallKey) -> list[Change]:
        def work(books: Books) -> list[Change]:
            if done := books.confirmed_by(key, repeated=True):
                return done
            for change_id in dict.fromkeys(change_ids):
                books.carry_out(change_id, key)
            return books.confirmed_by(key, repeated=False)

        return await self._change(work)

    async def undo(self, key: CallKey, change_id: str | None = None, *, redo: bool = False) -> Change:
        def work(books: Books) -> Change:
            if done := books.of_call(key, "undo"):
                return done[0]
            last = books.last_undoable(self._now() - UNDO_LASTS, change_id, redo=redo)
            if last is None:
                raise NothingToUndo
            return books.take_back(last, key)

        return await self._change(work)

    async def last_done_at(self) -> datetime | None:
        mine = {"owner": self._owner, "since": micros(self._now() - UNDO_LASTS)}
        row = await self._database.read(lambda connection: connection.execute(UNDOABLE, mine).one_or_none())
        return instant(row.at) if row else None

    async def get(self, ref: int) -> Record | None:
        this = {"owner": self._owner, "ref": ref}
        row = await self._database.read(lambda connection: connection.execute(_LIVING_ONE, this).one_or_none())
        return record_of(row._asdict()) if row else None

    async def query(self, query: RecordQuery, *, fresh: bool = True) -> Answer:
        if self._mirror is None or query.limit == 0 or not fresh:
            return await self._answer(query)
        shown = [each.id for each in (await self._answer(query)).records]
        looks = [asyncio.create_task(self._mirror.refresh(self._owner, FRESH_SECONDS))]
        if shown:
            looks.append(asyncio.create_task(self._mirror.check(shown, CHECK_SECONDS)))
        await asyncio.wait(looks)
        return await self._answer(query)

    async def _answer(self, query: RecordQuery) -> Answer:
        return await self._database.read(lambda connection: answer(connection, self._owner, query))

    async def ringing(self) -> list[Record]:
        mine = {"owner": self._owner}
        rows = await self._database.read(lambda connection: connection.execute(_STILL_RINGING, mine).all())
        return [record_of(row._asdict()) for row in rows]

    async def changes(self, turn: str) -> list[Change]:
        """Also what it confirmed: proposals of an earlier turn that were carried out in this one."""
        this = {"owner": self._owner, "turn": turn}
        return await self._database.read(lambda connection: changes_of(connection, OF_TURN, this, self._now()))

    async def history(self, ref: int) -> list[Change]:
        this = {"owner": self._owner, "ref": ref}
        return await self._database.read(lambda connection: changes_of(connection, OF_RECORD, this, self._now()))

    async def _change(self, work: Callable[[Books], T]) -> T:
        def transaction(connection: Connection) -> T:
            return work(Books(connection, self._owner, self._now()))

        return await self._database.write(transaction, durable=False)


def _revised(row: Values, fields: Mapping[str, object]) -> dict[str, Any]:
    """The columns that differ once these fields of the draft are replaced. Raises NothingChanged."""
    columns_named(fields)
    before = record_of(row)
    after: dict[str, Any] = {name: getattr(before, name) for name in FIELDS} | dict(fields)
    changed = columns_named(name for name in fields if _in_utc(after[name]) != getattr(before, name))
    columns = columns_of(Draft(**after))
    different = {name: columns[name] for name in changed if columns[name] != row[name]}
    if not different:
        raise NothingChanged
    return different


def _in_utc(value: object) -> object:
    """Python holds a clock time that comes twice on a day unequal to itself in another zone (PEP 495)."""
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def _living(books: Books, ref: int, done: Mapping[str, Change]) -> dict[str, Any]:
    """The record to delete; a deleted one only if this very call did it."""
    row = books.by_ref(ref)
    if row is None or (row["deleted_at"] is not None and row["id"] not in done):
        raise RecordNotFound(ref)
    return row


def _delete(books: Books, row: Values, key: CallKey, result: Render, *, proposed: bool) -> Change:
    """``result`` is shown the record as it is then: a proposal's is not deleted yet."""
    if proposed:
        return books.note(key, "delete", row, None, result(record_of(row)), state="proposed")
    after = books.delete(row)
    return books.note(key, "delete", row, after, result(record_of(after)))
