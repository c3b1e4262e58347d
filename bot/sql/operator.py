"""The inbox as the operator sees it and moves it, in SQL: beside the bots that work on it, and against none of them.

A turn that a living process has in hand is not dropped unless by force; then it gets a fence which no worker has, so
that its answer is never sent. Must not know how anything is said, nor begin or answer a turn.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, or_, select, update

from bot.inbox_command import (
    SHOWN_IDS,
    UNSETTLED,
    Effect,
    Glance,
    NotPossible,
    Step,
    Whole,
    objection_to_drop,
    objection_to_force,
    objection_to_retry,
)
from bot.ports import ChatId, TurnId
from bot.sql.claims import CLAIM, LEASE_SECONDS, Claims, claimed
from bot.sql.inbox_rows import IN_ORDER, INBOX, MOST_IN_A_TURN, PUT_DOWN, turn_of
from bot.sql.postponed import HOW_MANY_WAIT, POSTPONED
from bot.sql.transcript import TRANSCRIPT
from tools.database import Database, instant, micros
from tools.sql.change import CHANGE
from tools.sql.record import RECORD


@asynccontextmanager
async def at_the_store(url: str) -> AsyncIterator[SqlOperator]:
    """The inbox of a store that is there and up to date; nothing is created, changed or started. Raises
    DatabaseUnavailable."""
    database = Database(url)
    try:
        await database.join()
        yield SqlOperator(database, lambda: datetime.now(UTC))
    finally:
        await database.close()


class SqlOperator:
    """The OperatorPort."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._claims = Claims("", LEASE_SECONDS, now)
        self.now = now

    async def counts(self) -> dict[str, int]:
        def work(connection: Connection) -> dict[str, int]:
            counts = {row.state: row.number for row in connection.execute(_COUNTS)}
            waiting = connection.execute(HOW_MANY_WAIT).scalar_one()
            return counts | ({"postponed": waiting} if waiting else {})

        return await self._database.read(work)

    async def turns(self, *, every: bool = False, most: int | None = None) -> list[Glance]:
        wanted = _EVERY if every else _TROUBLES
        if most is not None:
            wanted = wanted.order_by(None).order_by(*(each.desc() for each in IN_ORDER)).limit(most * MOST_IN_A_TURN)

        def work(connection: Connection) -> list[Glance]:
            rows = connection.execute(wanted, self._claims.clock(connection)).all()
            return [_glance(unit) for unit in _units(rows if most is None else rows[::-1])]

        in_order = _newest_first if every and most is not None else _troubles_first
        return sorted(await self._database.read(work), key=in_order)[:most]

    async def find(self, id_: str) -> Whole:
        def work(connection: Connection) -> Whole:
            rows = self._rows(connection, id_)
            glance, of = _glance(rows), {"of": rows[0].turn or rows[0].id}
            turn = turn_of(rows, fence=0, deaths=glance.deaths)
            return Whole(
                glance=glance,
                messages=turn.messages,
                transcript=tuple(_step(text) for text in connection.execute(_TRANSCRIPT, of).scalars()),
                changes=tuple(Effect(*row) for row in connection.execute(_CHANGES, of)),
                answer=turn.answer,
            )

        return await self._database.read(work)

    async def retry(self, id_: str) -> Glance:
        """The rows go on naming their turn: it begins again as it was, alone, and what its calls have stored is found
        by their keys."""

        def work(connection: Connection) -> Glance:
            before = self._admitted(connection, id_, objection_to_retry)
            moved = {"head": before.id, "nobodys": _nobodys(), "now": micros(self.now())}
            if before.state == "answered":
                connection.execute(_GIVE_UP, moved)
            connection.execute(_BEGIN_AGAIN, moved)
            return _glance(self._rows(connection, before.id))

        return await self._database.write(work)

    async def drop(self, id_: str, *, force: bool = False) -> Glance:
        def work(connection: Connection) -> Glance:
            before = self._admitted(connection, id_, objection_to_force if force else objection_to_drop)
            moved = {"head": before.id, "nobodys": _nobodys(), "now": micros(self.now())}
            connection.execute(_GIVE_UP, moved)
            connection.execute(PUT_DOWN, {"head": before.id, "maybe": int(before.state == "sending")})
            connection.execute(_UNLIST, moved)
            return before

        return await self._database.write(work)

    def _admitted(self, connection: Connection, id_: str, objection: Callable[[Glance], str | None]) -> Glance:
        """The turn as it is, locked until the transaction ends. Raises NotPossible."""
        turn = _glance(self._rows(connection, id_, lock=True))
        if why := objection(turn):
            raise NotPossible(f"{turn.id} {why}.")
        return turn

    def _rows(self, connection: Connection, id_: str, *, lock: bool = False) -> Sequence[Row[Any]]:
        """The rows of the one turn that is meant, the first message first."""
        found = {"head": _head(connection, id_)} | self._claims.clock(connection)
        return connection.execute(_ROWS.with_for_update() if lock else _ROWS, found).all()


def _nobodys() -> int:
    """A fence that no worker has."""
    return secrets.randbits(62)


def _head(connection: Connection, id_: str) -> str:
    """The id of the one turn that is meant. Raises NotPossible."""
    heads: list[str] = list(connection.execute(_NAMED, {"id": id_}).scalars())
    heads = heads or list(connection.execute(_BEGINNING, {"beginning": id_, "length": len(id_)}).scalars())
    if not heads:
        raise NotPossible(f"No turn has an id that begins with {id_}.")
    if len(heads) > 1:
        some = ", ".join(heads[:SHOWN_IDS]) + (", …" if len(heads) > SHOWN_IDS else "")
        raise NotPossible(f"Several turns have an id that begins with {id_}: {some}")
    return heads[0]


def _units(rows: Sequence[Row[Any]]) -> list[list[Row[Any]]]:
    """Rows that are answered together, together."""
    units: dict[str, list[Row[Any]]] = {}
    for row in rows:
        units.setdefault(row.turn or row.id, []).append(row)
    return list(units.values())


def _glance(rows: Sequence[Row[Any]]) -> Glance:
    head = next((row for row in rows if row.id == row.turn), rows[0])
    return Glance(
        id=TurnId(head.turn or head.id),
        chat=ChatId(head.chat),
        state=head.state,
        kind=head.kind,
        messages=len(rows),
        deaths=head.deaths,
        heard_at=instant(min(row.occurred_at for row in rows)),
        moved_at=instant(max(row.moved_at for row in rows)),
        set_aside_at=instant(head.set_aside_at) if head.set_aside_at else None,
        at_work=bool(head.at_work) and head.state in _IN_HAND and head.owed_at is None,
        owed=head.owed_at is not None,
        maybe_sent=bool(head.maybe_sent),
        carried=head.carried_by is not None,
        postponed=bool(head.postponed),
        gone=not json.loads(head.message).get("answerable", True),
    )


def _troubles_first(turn: Glance) -> tuple[int, float]:
    """What was set aside, then what processes died of, then the rest; of each the newest first."""
    trouble = 0 if turn.set_aside_at else 1 if turn.deaths else 2
    return trouble, -(turn.set_aside_at or turn.heard_at).timestamp()


def _newest_first(turn: Glance) -> tuple[int, float]:
    return 0, -turn.heard_at.timestamp()


def _step(text: str) -> Step:
    message = json.loads(text)
    calls = message.get("tool_calls") or ()
    names = Counter(str((call.get("function") or {}).get("name")) for call in calls)
    tools = tuple(name if number == 1 else f"{name} x{number}" for name, number in names.items())
    return Step(str(message.get("role")), tools, len(text.encode()))


# Statements are built once: building one costs more than the database does.

_TURN = func.coalesce(INBOX.c.turn, INBOX.c.id)

_COUNTS = select(INBOX.c.state, func.count().label("number")).group_by(INBOX.c.state).order_by(INBOX.c.state)

_IN_HAND = ("working", "answered", "sending")

_IS_POSTPONED = INBOX.c.turn.in_(select(POSTPONED.c.said_in).where(POSTPONED.c.settled_by.is_(None)))

_EVERY = select(
    INBOX,
    claimed(INBOX.c.lane).where(CLAIM.c.fence == INBOX.c.fence).label("at_work"),
    _IS_POSTPONED.label("postponed"),
).order_by(*IN_ORDER)
"""``at_work``: the turn was taken under the claim that now lives on its lane."""

_ASIDE = select(INBOX.c.turn).where(INBOX.c.set_aside_at.is_not(None))

_TROUBLES = _EVERY.where(or_(INBOX.c.state.in_(UNSETTLED), INBOX.c.turn.in_(_ASIDE), _IS_POSTPONED))

_NAMED = select(_TURN).where(INBOX.c.id == bindparam("id"))

_BEGINNING = (
    select(_TURN)
    .where(func.substr(INBOX.c.id, 1, bindparam("length")) == bindparam("beginning"))
    .distinct()
    .order_by(_TURN)
    .limit(SHOWN_IDS + 1)
)

_OF_TURN = or_(INBOX.c.turn == bindparam("head"), INBOX.c.id == bindparam("head"))

_ROWS = _EVERY.where(_OF_TURN)

_TRANSCRIPT = select(TRANSCRIPT.c.message).where(TRANSCRIPT.c.turn == bindparam("of")).order_by(TRANSCRIPT.c.seq)

_CHANGES = (
    select(RECORD.c.ref, CHANGE.c.kind, CHANGE.c.state)
    .join(RECORD, RECORD.c.id == CHANGE.c.record_id)
    .where(or_(CHANGE.c.turn == bindparam("of"), CHANGE.c.confirmed_turn == bindparam("of")))
    .order_by(CHANGE.c.seq)
)

_GIVE_UP = (
    update(INBOX)
    .where(_OF_TURN, INBOX.c.state.in_(UNSETTLED))
    .values(state="failed", fence=bindparam("nobodys"), moved_at=bindparam("now"), owed_at=None, carried_by=None)
)

_UNLIST = update(INBOX).where(_OF_TURN).values(set_aside_at=None)

_BEGIN_AGAIN = (
    update(INBOX)
    .where(_OF_TURN, INBOX.c.state.in_(("delivered", "failed")))
    .values(
        state="received",
        fence=None,
        deaths=0,
        answer=None,
        owed_at=None,
        maybe_sent=0,
        carried_by=None,
        set_aside_at=None,
        tried_token=None,
        stop=None,
        stopped=None,
        reply_token=None,
        moved_at=bindparam("now"),
    )
)
