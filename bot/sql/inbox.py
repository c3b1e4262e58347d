"""The inbox as rows: everything that waits to be answered, and what became of it.

What a row may become, and who may move it, is written down in ``inbox_rows``; here are the guarded updates that do
it. Must not know what a message means, or how an answer is made or sent.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update

from bot.inbox_ports import Answer, Owed, Sent
from bot.ports import Bubble, ChatId, ClaimLost, IncomingMessage, LaneId, Stopped, Turn, TurnId
from bot.sql.claims import LEASE_SECONDS, Claims, claimed, name_of_this_process
from bot.sql.inbox_rows import (
    HORIZON,
    IN_ORDER,
    INBOX,
    MOST_RINGS,
    PUT_DOWN,
    UNSETTLED,
    bubbles_from_json,
    bubbles_to_json,
    burst,
    message_to_json,
    only_the_id,
    turn_of,
)
from bot.sql.owed import CARRIABLE, CARRIED, CARRIED_BEFORE, CARRY, OWE, OWED
from bot.sql.rides import HELD, RINGS, SPOKEN
from bot.sql.said import put_down
from bot.sql.taking_back import heed, is_regretted
from tools.database import Database, insert_new, instant, micros

log = logging.getLogger(__name__)


class SqlInbox:
    """The inbox of all chats, as one process works on it. ``worker`` names the process among all that share the store:
    two may never have the same."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], datetime],
        *,
        worker: str | None = None,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self._database = database
        self._now = now
        self._claims = Claims(worker or name_of_this_process(), lease_seconds, now)

    # ── what comes in ─────────────────────────────────────────────────────────────────────────────────────────────

    async def put(self, messages: Sequence[IncomingMessage]) -> list[LaneId]:
        def work(connection: Connection) -> list[LaneId]:
            horizon = connection.execute(_HORIZON).scalar()
            # A reminder's own hour may be long ago, or the clock have been ahead: its record says that it is no repeat.
            seen = [m for m in messages if m.kind == "reminder" or horizon is None or micros(m.occurred_at) > horizon]
            if len(seen) < len(messages):
                log.warning("%d events may be repeats of what was long ago: left out", len(messages) - len(seen))
            # Two processes that store the same events at once would lock each other if their orders differed.
            return [each.lane for each in sorted(seen, key=lambda each: each.id) if self._put_one(connection, each)]

        return list(dict.fromkeys(await self._database.write(work)))

    def _put_one(self, connection: Connection, message: IncomingMessage) -> bool:
        kept = message if message.answerable else only_the_id(message)
        row: dict[str, Any] = {
            "id": message.id,
            "chat": message.chat,
            "lane": message.lane,
            "state": "received" if message.answerable else "ignored",
            "kind": message.kind,
            "message": message_to_json(kept),
            "reply_token": kept.reply_token,
            "token_at": micros(message.received_at),
            "occurred_at": micros(message.occurred_at),
            "message_id": message.message_id,
            "maybe_sent": 0,
            "moved_at": micros(self._now()),
        }
        if insert_new(connection, INBOX, row):
            return heed(connection, message, row["moved_at"])
        return message.redelivered and self._renew_token(connection, message)

    def _renew_token(self, connection: Connection, message: IncomingMessage) -> bool:
        """A redelivery makes the token of an unanswered message live again, and what was owed can be sent on it.

        https://developers.line.biz/en/reference/messaging-api/#send-reply-message
        """
        renewed = connection.execute(_RENEW, {"known": message.id, "received": micros(message.received_at)})
        if renewed.rowcount:
            connection.execute(_SEND_AGAIN, {"known": message.id})
        return renewed.rowcount > 0

    # ── who works on it ───────────────────────────────────────────────────────────────────────────────────────────

    async def lanes_with_work(self) -> list[LaneId]:
        def work(connection: Connection) -> list[LaneId]:
            found = connection.execute(_LANES, self._claims.clock(connection)).scalars()
            return [LaneId(lane) for lane in found]

        return await self._database.read(work)

    async def take(self, lane: LaneId) -> Turn | None:
        def work(connection: Connection) -> Turn | None:
            claim = self._claims.take(connection, lane)
            turn = self._taken(connection, lane, *claim) if claim else None
            if claim and turn is None:
                self._claims.give_back(connection, lane)
            if turn and turn.is_suspect:
                self._claims.at_work(connection, lane, begins=False)
            return turn

        return await self._database.write(work, durable=False)

    def _taken(self, connection: Connection, lane: LaneId, fence: int, died: bool) -> Turn | None:
        """The interrupted turn of the lane, else a new one of what waits."""
        waiting = connection.execute(_WAITING, {"of": lane}).all()
        begun = [row for row in waiting if row.state != "received"]
        if begun:
            rows = [row for row in begun if row.turn == begun[0].turn]
            deaths = rows[0].deaths + died
            connection.execute(_TAKE_UP, {"head": rows[0].turn, "fenced": fence, "died": deaths})
        else:
            rows, deaths = burst(waiting, micros(self._now())), 0
            self._begin(connection, [row.id for row in rows], fence)
        if not rows:
            return None
        none_regretted = not begun and not is_regretted(connection, rows[0].chat)
        return replace(turn_of(rows, fence, deaths), none_regretted=none_regretted)

    def _begin(self, connection: Connection, ids: Sequence[str], fence: int) -> None:
        """Make a turn of these rows, the first its head."""
        if ids:
            begun = {"ids": ids, "head": ids[0], "fenced": fence, "now": micros(self._now())}
            connection.execute(_BEGIN, begun)

    async def take_rings(self, turn: Turn) -> Turn | None:
        def work(connection: Connection) -> Turn | None:
            rows = connection.execute(RINGS, {"of": turn.lane}).all()[:MOST_RINGS]
            if not rows or not connection.execute(HELD, {"head": turn.id, "fenced": turn.fence}).first():
                return None
            self._begin(connection, [row.id for row in rows], turn.fence)
            return turn_of(rows, turn.fence, 0)

        return await self._database.write(work, durable=False)

    async def is_spoken_to(self, chat: ChatId, since: datetime) -> bool:
        asked = {"of": chat, "since": micros(since)}
        return await self._database.read(lambda connection: connection.execute(SPOKEN, asked).first() is not None)

    async def begins(self, turn: Turn) -> None:
        await self._database.write(lambda c: self._claims.at_work(c, turn.lane, begins=True), durable=False)

    async def renew(self) -> None:
        await self._database.write(self._claims.renew, durable=False)

    async def let_go(self) -> None:
        await self._database.write(self._claims.let_go, durable=False)

    async def end_claims(self) -> None:
        """Only for a process that knows itself to be the only one: whoever held a claim is dead."""
        await self._database.write(self._claims.end_all, durable=False)

    # ── what becomes of it ────────────────────────────────────────────────────────────────────────────────────────

    async def answered(self, turn: Turn, bubbles: Sequence[Bubble], *, set_aside: bool = False) -> None:
        def work(connection: Connection) -> None:
            now = self._move(connection, turn, ("working",), "answered")
            said = {"head": turn.id, "bubbles": bubbles_to_json(bubbles)}
            connection.execute(_ANSWER, {**said, "aside": now if set_aside else None})
            if not set_aside and connection.execute(_STOP, {"head": turn.id}).scalar():
                raise Stopped(turn.id)

        await self._database.write(work, durable=False)  # it becomes so before anything is said: when sending begins

    async def sending(
        self, turn: Turn, token: str | None, choose: Callable[[Sequence[Owed]], Sequence[Owed]]
    ) -> list[Owed]:
        def work(connection: Connection) -> list[Owed]:
            self._move(connection, turn, _READY, "sending")
            connection.execute(_TRY, {"head": turn.id, "token": token})
            again = token is not None and token == turn.tried_token
            offered = CARRIED_BEFORE if again else CARRIABLE
            chosen = choose(_owed(connection.execute(offered, {"of": turn.chat, "head": turn.id})))
            heads = {"heads": [each.turn for each in chosen], "head": turn.id}
            taken = set(connection.execute(CARRY, heads).scalars()) if chosen else set()
            return [each for each in chosen if each.turn in taken]

        return await self._database.write(work)

    async def delivered(self, turn: Turn, sent: Sequence[Sent] = ()) -> None:
        def work(connection: Connection) -> None:
            now = self._move(connection, turn, _READY, "delivered")
            put_down(connection, turn, sent, now)
            connection.execute(CARRIED, {"head": turn.id, "now": now})

        await self._database.write(work, durable=False)

    async def owe(self, turn: Turn, *, maybe_sent: bool) -> None:
        def work(connection: Connection) -> None:
            now = self._move(connection, turn, _READY, "answered")
            owed = {"head": turn.id, "maybe": int(maybe_sent)}
            connection.execute(OWE, {**owed, "now": now})
            connection.execute(PUT_DOWN, owed)

        await self._database.write(work)

    async def spend(self, turn: Turn) -> None:
        def work(connection: Connection) -> None:
            if not connection.execute(_SPEND, {"head": turn.id, "fenced": turn.fence}).rowcount:
                raise ClaimLost(turn.id)

        await self._database.write(work, durable=False)

    async def fail(self, turn: Turn) -> None:
        def work(connection: Connection) -> None:
            now = self._move(connection, turn, ("working", *_READY), "failed")
            connection.execute(_SET_ASIDE, {"head": turn.id, "now": now})
            connection.execute(PUT_DOWN, {"head": turn.id, "maybe": 1})

        await self._database.write(work)

    def _move(self, connection: Connection, turn: Turn, before: tuple[str, ...], after: str) -> int:
        """Move the rows of the turn, if they are still ours to move; when, in microseconds. Raises ClaimLost."""
        now = micros(self._now())
        moved = {"head": turn.id, "fenced": turn.fence, "before": before, "after": after, "now": now}
        if not connection.execute(_MOVE, moved).rowcount:
            raise ClaimLost(turn.id)
        return now

    # ── what is known of it ───────────────────────────────────────────────────────────────────────────────────────

    async def answer_of(self, turn: TurnId, chat: ChatId) -> Answer | None:
        asked = {"head": turn, "of": chat}
        row = await self._database.read(lambda connection: connection.execute(_HEAD, asked).one_or_none())
        if row is None or row.state == "failed" or (row.state == "delivered" and row.answer is None):
            return Answer(is_given_up=row is not None and row.set_aside_at is not None)
        return Answer(bubbles_from_json(row.answer), on_its_way=row.state in _READY) if row.answer else None

    async def owed(self, chat: ChatId) -> list[Owed]:
        return await self._database.read(lambda connection: _owed(connection.execute(OWED, {"of": chat})))

    async def oldest_waiting(self) -> datetime | None:
        """When the oldest message that is not answered yet reached us."""
        found = await self._database.read(lambda connection: connection.execute(_OLDEST).scalar())
        return None if found is None else instant(found)


def _owed(rows: Any) -> list[Owed]:
    return [Owed(TurnId(row.id), bubbles_from_json(row.answer), bool(row.maybe_sent)) for row in rows]


# Statements are built once: building one costs more than the database does.

_HORIZON = select(HORIZON.c.at)

_READY = ("answered", "sending")

_WORK = UNSETTLED & (INBOX.c.state.in_(("received", "working")) | INBOX.c.owed_at.is_(None))
"""What a lane has to do: begin what was received, and go on with a turn whose delivery is not settled."""

_WAITING = select(INBOX).where(INBOX.c.lane == bindparam("of"), _WORK).order_by(*IN_ORDER)
"""Everything of a lane that is not settled, in the order in which it happened."""

_LANES = select(INBOX.c.lane).where(_WORK, ~claimed(INBOX.c.lane)).distinct()

_OTHER = INBOX.alias("other")

_RENEW = (
    update(INBOX)
    .where(
        INBOX.c.id == bindparam("known"),
        INBOX.c.state.in_(("received", "working", "answered")),
        INBOX.c.carried_by.is_(None),
    )
    .values(token_at=bindparam("received"))
)

_SEND_AGAIN = (
    update(INBOX)
    .where(
        INBOX.c.turn == select(_OTHER.c.turn).where(_OTHER.c.id == bindparam("known")).scalar_subquery(),
        INBOX.c.carried_by.is_(None),
    )
    .values(owed_at=None)
)
"""The whole turn of a message: rows of a turn move together."""

_BEGIN = (
    update(INBOX)
    .where(INBOX.c.id.in_(bindparam("ids", expanding=True)))
    .values(state="working", turn=bindparam("head"), fence=bindparam("fenced"), moved_at=bindparam("now"))
)

_OF_TURN = INBOX.c.turn == bindparam("head")

_TAKE_UP = update(INBOX).where(_OF_TURN).values(fence=bindparam("fenced"), deaths=bindparam("died"))

_MOVE = (
    update(INBOX)
    .where(
        _OF_TURN,
        INBOX.c.fence == bindparam("fenced"),
        INBOX.c.state.in_(bindparam("before", expanding=True)),
    )
    .values(state=bindparam("after"), moved_at=bindparam("now"))
)

_ANSWER = (
    update(INBOX)
    .where(INBOX.c.id == bindparam("head"))
    .values(answer=bindparam("bubbles"), set_aside_at=bindparam("aside"))
)

_SET_ASIDE = update(INBOX).where(INBOX.c.id == bindparam("head")).values(set_aside_at=bindparam("now"))

_TRY = update(INBOX).where(INBOX.c.id == bindparam("head")).values(tried_token=bindparam("token"))

_STOP = select(INBOX.c.stop).where(INBOX.c.id == bindparam("head"))
"""Read behind the move, which waits for whoever is just marking the turn."""

_SPEND = update(INBOX).where(_OF_TURN, INBOX.c.fence == bindparam("fenced")).values(reply_token=None)

_OWN = INBOX.alias("own")

_HEAD = select(INBOX.c.state, INBOX.c.answer, INBOX.c.set_aside_at).where(
    INBOX.c.id
    == select(func.coalesce(_OWN.c.turn, _OWN.c.id))
    .where(_OWN.c.id == bindparam("head"), _OWN.c.chat == bindparam("of"))
    .scalar_subquery()
)
"""Of any message of a turn: a button may have been made before it was known with which others it would be answered."""

_OLDEST = (
    select(INBOX.c.token_at)
    .where(UNSETTLED, INBOX.c.state.in_(("received", "working")))
    .order_by(INBOX.c.token_at)
    .limit(1)
)
