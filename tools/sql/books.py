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

from sqlalchemy import Connection, Select, and_, bindparam, func, insert, select, update

from tools.consent import proposal_lasts
from tools.database import insert_new, micros
from tools.record import OPEN, CallKey, Change, ChangeKind, ChangeState, Draft, PersonId, Result
from tools.repeating import advanced, moves_on_at
from tools.sql.change import (
    CHANGE,
    CHANGE_BY_ID,
    CONFIRMED_BY,
    LAST_UNDO,
    OF_CALL,
    RECENT_NAMED,
    UNDOABLE,
    brought,
    change_of,
    changes_of,
    columns_after,
    columns_before,
    still_stands,
    took,
)
from tools.sql.record import OWNER, RECORD, Values, columns_for, columns_of, of_owner, record_of, to_json
from tools.sql.terms import index, index_again

_AWAY = timedelta(minutes=5)
"""A host that lost its disk is back within so long: a reminder told twice is better than one that is not told."""

_ENTER = select(OWNER.c.no, OWNER.c.last_ref).where(OWNER.c.person == bindparam("owner")).with_for_update()
"""The owner's number and last ref, locked until the transaction ends."""

_COUNT_ON = update(OWNER).where(OWNER.c.no == bindparam("this"))
"""Take the next ref."""

_BY_REF = select(RECORD).where(of_owner(RECORD), RECORD.c.ref == bindparam("ref"))
_BY_ID = select(RECORD).where(of_owner(RECORD), RECORD.c.id == bindparam("id"))
_ADD = insert(RECORD)

_ALTER = update(RECORD).where(RECORD.c.owner == bindparam("of_owner"), RECORD.c.id == bindparam("this"))
"""Write columns of one record: those that are among the parameters."""

_NOTE = insert(CHANGE).inline()

_WAITING = and_(CHANGE.c.id == bindparam("this"), CHANGE.c.state == "proposed", CHANGE.c.expires_at > bindparam("now"))
_PROPOSED = select(CHANGE).where(of_owner(CHANGE), _WAITING)
"""A proposal that is unexpired and unused."""

_CARRY_OUT = update(CHANGE).where(CHANGE.c.owner == bindparam("of_owner"), _WAITING)
"""Settle a proposal that is unexpired and unused."""

_TURN = (
    update(CHANGE)
    .where(CHANGE.c.owner == bindparam("of_owner"), CHANGE.c.id == bindparam("this"))
    .values(state=bindparam("new_state"))
)
"""Mark a change as undone, or as done again."""


_LAST_AT = select(func.max(CHANGE.c.at)).where(of_owner(CHANGE))


class Books:
    """What one transaction does to the records of one owner; whoever opens them first keeps the others waiting."""

    def __init__(self, connection: Connection, owner: PersonId, now: datetime) -> None:
        self._connection = connection
        self._owner = owner
        self._now = now
        self._no, self._last_ref = self._enter()
        self._met: dict[str, int] = {}

    def _enter(self) -> tuple[int, int]:
        """The owner's number and last ref, locked until the transaction ends."""
        me = {"owner": self._owner}
        found = self._connection.execute(_ENTER, me).one_or_none()
        if found is None:
            insert_new(self._connection, OWNER, {"person": self._owner, "last_ref": 0})
            found = self._connection.execute(_ENTER, me).one()
        return found.no, found.last_ref

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────────────

    def by_ref(self, ref: int) -> dict[str, Any] | None:
        """The record with this ref, deleted or not."""
        return self._one(_BY_REF, {"owner": self._owner, "ref": ref})

    def by_id(self, id_: str) -> dict[str, Any]:
        """The record of a change of this owner."""
        found = self._one(_BY_ID, {"owner": self._owner, "id": id_})
        assert found is not None, "a change always has a record"
        return found

    def _one(self, which: Select[Any], values: Values) -> dict[str, Any] | None:
        row = self._connection.execute(which, values).one_or_none()
        return row._asdict() if row else None

    def add(self, draft: Draft, key: CallKey) -> dict[str, Any]:
        """Store a new record under the next ref."""
        self._last_ref += 1
        self._connection.execute(_COUNT_ON, {"this": self._no, "last_ref": self._last_ref})
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
        row["next_ring"] = _first_look(row) if row["status"] in OPEN else None
        self._connection.execute(_ADD, row)
        index(self._connection, self._no, row)
        return row

    def bring_back(
        self, draft: Draft, *, key: str, ref: int | None, rev: int, created_at: datetime, updated_at: datetime
    ) -> dict[str, Any]:
        """Store a record that was here before, under its old ref unless that is taken, and without a change to undo. A
        reminder rings if its time is still to come, or came while nobody could ring it. Raises ValueError for an amount
        its currency cannot express."""
        columns = columns_of(draft)
        self.count_on_to(ref or 0)
        if ref is None or self.by_ref(ref) is not None:
            ref = self._last_ref + 1
            self.count_on_to(ref)
        row: dict[str, Any] = {
            "id": f"{max(0, micros(created_at)):014x}{secrets.token_hex(9)}",
            "owner": self._owner,
            "ref": ref,
            "key": key,
            "rev": rev,
            **columns,
            "created_at": micros(created_at),
            "updated_at": micros(updated_at),
            "deleted_at": None,
        }
        rings = row["status"] in OPEN and (row["remind_at"] or 0) > micros(self._now - _AWAY)
        row["next_ring"] = _first_look(row if rings else {**row, "remind_at": None}) if row["status"] in OPEN else None
        self._connection.execute(_ADD, row)
        index(self._connection, self._no, row)
        return row

    def count_on_to(self, ref: int) -> None:
        """Refs up to this one have been given out."""
        if ref > self._last_ref:
            self._last_ref = ref
            self._connection.execute(_COUNT_ON, {"this": self._no, "last_ref": ref})

    def alter(self, row: Values, columns: Values, *, ring_if_past: bool = True) -> dict[str, Any]:
        """Write these columns of the record, and what follows from them. A reminder that is set anew rings even if
        its time has come already, unless ``ring_if_past`` says otherwise."""
        columns = _only_this_time(row, columns)
        if "remind_at" in columns:  # a wall that nobody named is none
            columns = {"remind_local": None, **columns}
        new = {**row, **columns, "rev": row["rev"] + 1, "updated_at": micros(self._now)}
        new["next_ring"] = self._next_ring(row, new, ring_if_past=ring_if_past)
        changed = {name: value for name, value in new.items() if row[name] != value}
        self._connection.execute(_ALTER, {"of_owner": self._owner, "this": row["id"], **changed})
        index_again(self._connection, self._no, new, changed.keys())
        return new

    def delete(self, row: Values) -> dict[str, Any]:
        """Softly: it leaves every answer, and can come back."""
        return self.alter(row, {"deleted_at": micros(self._now)})

    def go_on(self, row: Values) -> dict[str, Any]:
        """The record stands for its next time, unless that was the last."""
        record = record_of(row)
        return self.alter(row, columns_for(record, advanced(record, done=False, now=self._now)))

    def _next_ring(self, old: Values, new: Values, *, ring_if_past: bool) -> int | None:
        """When it rings, or moves on to its next time, whatever comes first."""
        same = all(old.get(name) == new.get(name) for name in _TELLING)
        ring = old["next_ring"] if same else self._ring(old, new, ring_if_past=ring_if_past)
        alive = new["status"] in OPEN and new["deleted_at"] is None
        return ring if same or not alive else _earlier(ring, _moves_on(new))

    def _ring(self, old: Values, new: Values, *, ring_if_past: bool) -> int | None:
        """A finished or deleted record is silent; one that comes back rings only if its time is still to come."""
        due: int | None = new["remind_at"]
        if due is None or new["status"] not in OPEN or new["deleted_at"] is not None:
            return None
        to_come = due > micros(self._now)
        if due != old["remind_at"]:
            return due if to_come or ring_if_past else None
        silent = old["status"] not in OPEN or old["deleted_at"] is not None
        if old.get("repeat"):
            return due if to_come or old["next_ring"] == due else None
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
        at: datetime | None = None,
    ) -> Change:
        """Put down what was done, or is proposed; ``at``: elsewhere, at an earlier moment."""
        record_id = (after or before or {})["id"]
        row = {
            "id": self._new_id(),
            "owner": self._owner,
            "turn": key.turn,
            "call": key.call,
            "kind": kind,
            "state": state,
            "record_id": record_id,
            "at": self._moment() if at is None else micros(min(at, self._now)),
            "expires_at": micros(self._now + proposal_lasts(kind)) if state == "proposed" else None,
            "undoes": undoes,
            "before": to_json(before) if before else None,
            "after": to_json(after) if after else None,
            "result": json.dumps(told, ensure_ascii=False),
        }
        self._connection.execute(_NOTE, row)
        return change_of(row, self._now)

    def carry_out(self, change_id: str, key: CallKey) -> bool:
        """Take a proposal of this owner that is unexpired and unused, and do it; False if it is not one, or if its
        record is gone or, for an update, another than it was."""
        this = {"this": change_id, "now": micros(self._now)}
        proposal = self._one(_PROPOSED, {"owner": self._owner, **this})
        row = self.by_id(proposal["record_id"]) if proposal else None
        if proposal is None or row is None or not self._still_fits(proposal, row):
            return False
        is_new = proposal["kind"] == "create"
        columns = {"deleted_at": None} if is_new else columns_after(proposal) if proposal["kind"] == "update" else {}
        after = self.alter(row, columns) if columns else self.delete(row)
        done = {
            "state": "done",
            "at": self._moment(),
            "confirmed_turn": key.turn,
            "confirmed_call": key.call,
            "before": None if is_new else to_json(row),
            "after": to_json(after),
        }
        return bool(self._connection.execute(_CARRY_OUT, {"of_owner": self._owner, **this, **done}).rowcount)

    def _still_fits(self, proposal: Values, row: Values) -> bool:
        """A new record is still gone. A deletion takes the record as it is by then. An update was agreed to for the
        record as it was: but for what this very transaction has made of it, for several updates of one record may be
        agreed to together."""
        if (proposal["kind"] == "create") != (row["deleted_at"] is not None):
            return False
        if proposal["kind"] == "create":
            return True
        rev = self._met.setdefault(row["id"], row["rev"])
        return bool(proposal["kind"] == "delete" or json.loads(proposal["before"])["rev"] == rev)

    def of_call(self, key: CallKey, kind: ChangeKind) -> list[Change]:
        """What this very call has done before."""
        this = {"owner": self._owner, "turn": key.turn, "call": key.call, "kind": kind}
        return changes_of(self._connection, OF_CALL, this, self._now, repeated=True)

    def confirmed_by(self, key: CallKey, *, repeated: bool) -> list[Change]:
        """The proposals that this call carried out."""
        this = {"owner": self._owner, "turn": key.turn, "call": key.call}
        return changes_of(self._connection, CONFIRMED_BY, this, self._now, repeated=repeated)

    def last_undoable(self, since: datetime, change_id: str | None, *, redo: bool) -> dict[str, Any] | None:
        """The newest change whose record is still as alive as the change left it; or the named one, or the last undo,
        if nothing of what it changed was changed since."""
        values = {"owner": self._owner, "since": micros(since), "this": change_id}
        if change_id is None and not redo:
            return self._one(UNDOABLE, values)
        found = self._one(LAST_UNDO if change_id is None else RECENT_NAMED, values)
        return found if found and still_stands(found, self.by_id(found["record_id"])) else None

    def take_back(self, done: Values, key: CallKey) -> Change:
        """Undo the change in this row, which may be an undo itself: an update only in what it changed."""
        self._turned(done, "undone")
        row = self.by_id(done["record_id"])
        told: Result = {"undone": done["kind"], "ref": row["ref"]}
        if brought(done):
            self.delete(row)
            return self.note(key, "undo", row, None, told, undoes=done["id"])
        columns = {"deleted_at": None} if took(done) else columns_before(done, row)
        after = self.alter(row, columns, ring_if_past=False)
        return self.note(key, "undo", row, after, told, undoes=done["id"])

    def _turned(self, change: Values, state: ChangeState) -> None:
        """It is undone, or done again; what it had undone itself is the opposite."""
        this = {"of_owner": self._owner, "this": change["id"], "new_state": state}
        self._connection.execute(_TURN, this)
        if change["undoes"] and (undone := self._one(CHANGE_BY_ID, {"owner": self._owner, "id": change["undoes"]})):
            self._turned(undone, "done" if state == "undone" else "undone")

    def _moment(self) -> int:
        """Now, but after every earlier change: what is taken back is what was done last, even if the clock was set back
        in between."""
        last = self._connection.execute(_LAST_AT, {"owner": self._owner}).scalar()
        return micros(self._now) if last is None else max(micros(self._now), last + 1)

    def _new_id(self) -> str:
        """In the order of time, and unguessable."""
        return f"{micros(self._now):014x}{secrets.token_hex(9)}"


_TELLING = ("remind_at", "status", "deleted_at", "repeat", "when_at", "when_day", "until_at", "until_day", "type")
"""What says when a record is to be looked at."""


def _moves_on(row: Values) -> int | None:
    at = moves_on_at(record_of(row)) if row.get("repeat") else None
    return None if at is None else micros(at)


def _first_look(row: Values) -> int | None:
    return _earlier(row["remind_at"], _moves_on(row))


def _earlier(one: int | None, other: int | None) -> int | None:
    return min((each for each in (one, other) if each is not None), default=None)


def _only_this_time(row: Values, columns: Values) -> Values:
    """To finish what comes again finishes this time of it, and it goes on with the next; the last one is done."""
    if not row.get("repeat") or columns.get("status") != "done" or row["status"] not in OPEN or "repeat" in columns:
        return columns
    rest = {name: value for name, value in columns.items() if name != "status"}
    record = record_of({**row, **rest})
    fields = advanced(record, done=True)
    return {**rest, "status": "open", **columns_for(record, fields)} if fields else columns
