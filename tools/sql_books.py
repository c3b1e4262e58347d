"""One owner's books: the records and, beside each, every change to it with what it looked like before and after.

Open for the length of one transaction. Must not know what may be changed, or why: only that whatever changes a record
leaves its mark in the same transaction.
"""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Connection, insert, select, update

from tools.database import insert_new
from tools.record import CallKey, Change, ChangeKind, ChangeState, Draft, PersonId, Result
from tools.sql_change import CHANGE, change_of, changes_of, columns_before
from tools.sql_record import OWNER, RECORD, Values, columns_of, micros, to_json
from tools.sql_terms import index

_PROPOSAL_LASTS = timedelta(minutes=10)

_FOUND_BY = frozenset({"content", "category", "tags", "notes", "deleted_at"})
_OPEN = frozenset({"open", "doing"})


class Books:
    """What one transaction does to the records of one owner; whoever opens them first keeps the others waiting."""

    def __init__(self, connection: Connection, owner: PersonId, now: datetime) -> None:
        self._connection = connection
        self._owner = owner
        self._now = now
        self._no, self._last_ref = self._enter()

    def _enter(self) -> tuple[int, int]:
        """The owner's number and last ref, locked until the transaction ends."""
        mine = select(OWNER.c.no, OWNER.c.last_ref).where(OWNER.c.person == self._owner).with_for_update()
        found = self._connection.execute(mine).one_or_none()
        if found is None:
            insert_new(self._connection, OWNER, {"person": self._owner, "last_ref": 0})
            found = self._connection.execute(mine).one()
        return found.no, found.last_ref

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────────────

    def by_ref(self, ref: int) -> dict[str, Any] | None:
        """The record with this ref, deleted or not."""
        return self._record(RECORD.c.ref == ref)

    def by_id(self, id_: str) -> dict[str, Any]:
        """The record of a change of this owner."""
        found = self._record(RECORD.c.id == id_)
        assert found is not None, "a change always has a record"
        return found

    def _record(self, which: ColumnElement[bool]) -> dict[str, Any] | None:
        row = self._connection.execute(select(RECORD).where(RECORD.c.owner == self._owner, which)).one_or_none()
        return row._asdict() if row else None

    def add(self, draft: Draft, key: CallKey) -> dict[str, Any]:
        """Store a new record under the next ref."""
        self._last_ref += 1
        mine = update(OWNER).where(OWNER.c.no == self._no)
        self._connection.execute(mine.values(last_ref=self._last_ref))
        row: dict[str, Any] = {
            "id": self._new_id(),
            "owner": self._owner,
            "ref": self._last_ref,
            "key": sha256(f"{self._owner}|{key.turn}|{key.call}".encode()).hexdigest()[:32],
            "rev": 1,
            **columns_of(draft),
            "created_at": micros(self._now),
            "updated_at": micros(self._now),
            "deleted_at": None,
        }
        row["next_ring"] = row["remind_at"] if row["status"] in _OPEN else None
        self._connection.execute(insert(RECORD), row)
        index(self._connection, self._no, row)
        return row

    def alter(self, row: Values, columns: Values, *, ring_if_past: bool = True) -> dict[str, Any]:
        """Write these columns of the record, and what follows from them. A reminder that is set anew rings even if
        its time has come already, unless ``ring_if_past`` says otherwise."""
        new = {**row, **columns, "rev": row["rev"] + 1, "updated_at": micros(self._now)}
        new["next_ring"] = self._next_ring(row, new, ring_if_past=ring_if_past)
        changed = {name: value for name, value in new.items() if row[name] != value}
        mine = update(RECORD).where(RECORD.c.owner == self._owner, RECORD.c.id == row["id"])
        self._connection.execute(mine.values(**changed))
        if not _FOUND_BY.isdisjoint(changed):
            index(self._connection, self._no, new)
        return new

    def delete(self, row: Values) -> dict[str, Any]:
        """Softly: it leaves every answer, and can come back."""
        return self.alter(row, {"deleted_at": micros(self._now)})

    def _next_ring(self, old: Values, new: Values, *, ring_if_past: bool) -> int | None:
        """A finished or deleted record is silent; one that comes back rings only if its time is still to come."""
        due: int | None = new["remind_at"]
        if due is None or new["status"] not in _OPEN or new["deleted_at"] is not None:
            return None
        to_come = due > micros(self._now)
        if due != old["remind_at"]:
            return due if to_come or ring_if_past else None
        silent = old["status"] not in _OPEN or old["deleted_at"] is not None
        return due if silent and to_come else old["next_ring"]

    # ── changes ───────────────────────────────────────────────────────────────────────────────────────────────────

    def note(
        self,
        key: CallKey,
        kind: ChangeKind,
        before: Values | None,
        after: Values | None,
        told: Result,
        *,
        state: ChangeState = "done",
        undoes: str | None = None,
    ) -> Change:
        """Put down what was done, or is proposed."""
        record_id = (after or before or {})["id"]
        row = {
            "id": self._new_id(),
            "owner": self._owner,
            "turn": key.turn,
            "call": key.call,
            "kind": kind,
            "state": state,
            "record_id": record_id,
            "at": micros(self._now),
            "expires_at": micros(self._now + _PROPOSAL_LASTS) if state == "proposed" else None,
            "undoes": undoes,
            "before": to_json(before) if before else None,
            "after": to_json(after) if after else None,
            "result": json.dumps(told, ensure_ascii=False),
        }
        self._connection.execute(insert(CHANGE), row)
        return change_of(row, self._now)

    def carry_out(self, change_id: str, key: CallKey) -> bool:
        """Take a proposal of this owner that is unexpired and unused, and do it; False if it is not one."""
        mine = CHANGE.c.owner == self._owner, CHANGE.c.id == change_id
        waiting = CHANGE.c.state == "proposed", CHANGE.c.expires_at > micros(self._now)
        record_id = self._connection.execute(select(CHANGE.c.record_id).where(*mine, *waiting)).scalar_one_or_none()
        row = self.by_id(record_id) if record_id else None
        if row is None or row["deleted_at"] is not None:
            return False
        done = {
            "state": "done",
            "at": micros(self._now),
            "confirmed_turn": key.turn,
            "confirmed_call": key.call,
            "before": to_json(row),
            "after": to_json(self.delete(row)),
        }
        return bool(self._connection.execute(update(CHANGE).where(*mine, *waiting).values(**done)).rowcount)

    def of_call(self, key: CallKey, kind: ChangeKind) -> list[Change]:
        """What this very call has done before."""
        same = CHANGE.c.turn == key.turn, CHANGE.c.call == key.call, CHANGE.c.kind == kind
        return self._changes(*same, repeated=True)

    def confirmed_by(self, key: CallKey, *, repeated: bool) -> list[Change]:
        """The proposals that this call carried out."""
        return self._changes(
            CHANGE.c.confirmed_turn == key.turn, CHANGE.c.confirmed_call == key.call, repeated=repeated
        )

    def has_deleted(self, turn: str) -> bool:
        """Whether something was deleted, or proposed to be, in this turn already."""
        return bool(
            self._changes(CHANGE.c.turn == turn, CHANGE.c.kind == "delete", CHANGE.c.state.in_(("done", "proposed")))
        )

    def _changes(self, *which: ColumnElement[bool], repeated: bool = False) -> list[Change]:
        return changes_of(self._connection, self._owner, self._now, *which, repeated=repeated)

    def last_undoable(self, since: datetime, change_id: str | None) -> dict[str, Any] | None:
        """The newest change (or the named one) whose record is still as alive as the change left it."""
        deleted = RECORD.c.deleted_at.is_not(None)
        which = (
            select(CHANGE)
            .join(RECORD, RECORD.c.id == CHANGE.c.record_id)
            .where(CHANGE.c.owner == self._owner, CHANGE.c.state == "done", CHANGE.c.at >= micros(since))
            .where(((CHANGE.c.kind == "delete") & deleted) | (CHANGE.c.kind.in_(("create", "update")) & ~deleted))
            .order_by(CHANGE.c.at.desc(), CHANGE.c.seq.desc())
            .limit(1)
        )
        if change_id is not None:
            which = which.where(CHANGE.c.id == change_id)
        row = self._connection.execute(which).one_or_none()
        return row._asdict() if row else None

    def take_back(self, done: Values, key: CallKey) -> Change:
        """Undo the change in this row: an update only in what it changed."""
        mine = update(CHANGE).where(CHANGE.c.owner == self._owner, CHANGE.c.id == done["id"], CHANGE.c.state == "done")
        self._connection.execute(mine.values(state="undone"))
        row = self.by_id(done["record_id"])
        told: Result = {"undone": done["kind"], "ref": row["ref"]}
        if done["kind"] == "create":
            self.delete(row)
            return self.note(key, "undo", row, None, told, undoes=done["id"])
        columns = {"deleted_at": None} if done["kind"] == "delete" else columns_before(done)
        after = self.alter(row, columns, ring_if_past=False)
        return self.note(key, "undo", row, after, told, undoes=done["id"])

    def _new_id(self) -> str:
        """In the order of time, and unguessable."""
        return f"{micros(self._now):014x}{secrets.token_hex(9)}"
