"""The inbox as rows: everything that waits to be answered, and what became of it.

A turn is the rows that are answered together; the first of them is its head and carries the answer. All rows of a turn
move together, and only by guarded updates: received → working → answered → sending → delivered, or ignored, or failed.
Must not know what a message means, or how an answer is made or sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice, takewhile
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Index, Row, String, Table, Text, bindparam, select, update

from bot.ports import Bubble, Button, ChatId, IncomingMessage, LaneId, Owed, Turn, TurnId
from tools.database import Database, insert_new, instant, metadata, micros

INBOX = Table(
    "inbox",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("chat", String(64), nullable=False),
    Column("lane", String(66), nullable=False),
    Column("state", String(10), nullable=False),
    Column("turn", String(80)),
    Column("kind", String(10), nullable=False),
    Column("message", Text, nullable=False),
    Column("reply_token", String(200)),
    Column("token_at", BigInteger, nullable=False),
    Column("occurred_at", BigInteger, nullable=False),
    Column("answer", Text),
    Column("owed_at", BigInteger),
    Column("maybe_sent", BigInteger, nullable=False, server_default="0"),
    Column("moved_at", BigInteger, nullable=False),
    Index("inbox_lane_state", "lane", "state"),
    Index("inbox_chat_owed", "chat", "owed_at"),
    Index("inbox_turn", "turn"),
)
"""``token_at`` is when the reply token reached us, ``moved_at`` when the row last changed state: microseconds, UTC."""

MOST_IN_A_TURN = 20
"""Messages answered together; a longer burst becomes several turns, so that no model is asked for a hundred things."""

ALONE = {"postback", "follow"}
"""Kinds that are a turn of their own: a tap is answered for itself."""


class SqlInbox:
    """The inbox of all chats."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def put(self, messages: Sequence[IncomingMessage]) -> list[LaneId]:
        def work(connection: Connection) -> list[LaneId]:
            return [each.lane for each in messages if self._put_one(connection, each)]

        return list(dict.fromkeys(await self._database.write(work)))

    def _put_one(self, connection: Connection, message: IncomingMessage) -> bool:
        kept = message if message.answerable else _only_the_id(message)
        row = {
            "id": message.id,
            "chat": message.chat,
            "lane": message.lane,
            "state": "received" if message.answerable else "ignored",
            "kind": message.kind,
            "message": _message_to_json(kept),
            "reply_token": kept.reply_token,
            "token_at": micros(message.received_at),
            "occurred_at": micros(message.occurred_at),
            "maybe_sent": 0,
            "moved_at": micros(self._now()),
        }
        if insert_new(connection, INBOX, row):
            return message.answerable
        return message.redelivered and self._renew_token(connection, message)

    def _renew_token(self, connection: Connection, message: IncomingMessage) -> bool:
        """A redelivery makes the token of an unanswered message live again, and what was owed can be sent on it.

        https://developers.line.biz/en/reference/messaging-api/#send-reply-message
        """
        renewed = connection.execute(_RENEW, {"known": message.id, "received": micros(message.received_at)})
        if renewed.rowcount:
            connection.execute(_SEND_AGAIN, {"known": message.id})
        return renewed.rowcount > 0

    async def lanes_with_work(self) -> list[LaneId]:
        found = await self._database.read(lambda connection: connection.execute(_LANES).scalars().all())
        return [LaneId(lane) for lane in found]

    async def take(self, lane: LaneId) -> Turn | None:
        def work(connection: Connection) -> Turn | None:
            waiting = connection.execute(_WAITING, {"of": lane}).all()
            begun = [row for row in waiting if row.state != "received"]
            if begun:
                rows = [row for row in begun if row.turn == begun[0].turn]
            else:
                rows = _burst(waiting)
                self._begin(connection, [row.id for row in rows])
            return _turn(rows, more=len(rows) < len(waiting)) if rows else None

        return await self._database.write(work, durable=False)

    def _begin(self, connection: Connection, ids: Sequence[str]) -> None:
        """Make a turn of these rows, the first its head."""
        if ids:
            connection.execute(_BEGIN, {"ids": ids, "head": ids[0], "now": micros(self._now())})

    async def answered(self, turn: TurnId, bubbles: Sequence[Bubble]) -> None:
        def work(connection: Connection) -> None:
            self._move(connection, [turn], ("working",), "answered")
            connection.execute(_ANSWER, {"head": turn, "bubbles": _bubbles_to_json(bubbles)})

        await self._database.write(work)

    async def sending(self, turn: TurnId) -> None:
        await self._database.write(lambda connection: self._move(connection, [turn], _READY, "sending"), durable=False)

    async def delivered(self, turns: Sequence[TurnId]) -> None:
        await self._database.write(lambda connection: self._move(connection, turns, _READY, "delivered"), durable=False)

    async def owe(self, turn: TurnId, *, maybe_sent: bool) -> None:
        def work(connection: Connection) -> None:
            now = self._move(connection, [turn], _READY, "answered")
            connection.execute(_OWE, {"head": turn, "now": now, "maybe": int(maybe_sent)})

        await self._database.write(work)

    async def spend(self, turn: TurnId) -> None:
        await self._database.write(lambda connection: connection.execute(_SPEND, {"head": turn}), durable=False)

    async def answer_of(self, turn: TurnId, chat: ChatId) -> tuple[Bubble, ...] | None:
        asked = {"head": turn, "of": chat}
        row = await self._database.read(lambda connection: connection.execute(_HEAD, asked).one_or_none())
        if row is None or row.state == "failed":
            return ()
        return _bubbles_from_json(row.answer) if row.answer else None

    async def owed(self, chat: ChatId) -> list[Owed]:
        rows = await self._database.read(lambda connection: connection.execute(_OWED, {"of": chat}).all())
        return [Owed(TurnId(row.id), _bubbles_from_json(row.answer), bool(row.maybe_sent)) for row in rows]

    async def fail(self, turn: TurnId) -> None:
        states = ("working", *_READY)
        await self._database.write(lambda connection: self._move(connection, [turn], states, "failed"))

    async def oldest_waiting(self) -> datetime | None:
        """When the oldest message that is not answered yet reached us."""
        found = await self._database.read(lambda connection: connection.execute(_OLDEST).scalar())
        return None if found is None else instant(found)

    def _move(self, connection: Connection, turns: Sequence[TurnId], before: tuple[str, ...], after: str) -> int:
        """Move the rows of these turns, if they are where they may be moved from; when, in microseconds."""
        now = micros(self._now())
        connection.execute(_MOVE, {"turns": turns, "before": before, "after": after, "now": now})
        return now


def _interrupted() -> Any:
    """A turn that was begun and whose delivery was not settled: the first thing its lane goes on with."""
    undelivered = INBOX.c.state.in_(("answered", "sending")) & INBOX.c.owed_at.is_(None)
    return (INBOX.c.state == "working") | undelivered


# Statements are built once: building one costs more than the database does.

_READY = ("answered", "sending")

_WAITING = (
    select(INBOX)
    .where(INBOX.c.lane == bindparam("of"), (INBOX.c.state == "received") | _interrupted())
    .order_by(INBOX.c.occurred_at, INBOX.c.id)
)
"""Everything of a lane that is not settled, in the order in which it happened."""

_LANES = select(INBOX.c.lane).where((INBOX.c.state == "received") | _interrupted()).distinct()

_OTHER = INBOX.alias("other")

_RENEW = (
    update(INBOX)
    .where(INBOX.c.id == bindparam("known"), INBOX.c.state.in_(("received", "working", "answered")))
    .values(token_at=bindparam("received"))
)

_SEND_AGAIN = (
    update(INBOX)
    .where(INBOX.c.turn == select(_OTHER.c.turn).where(_OTHER.c.id == bindparam("known")).scalar_subquery())
    .values(owed_at=None)
)
"""The whole turn of a message: rows of a turn move together."""

_BEGIN = (
    update(INBOX)
    .where(INBOX.c.id.in_(bindparam("ids", expanding=True)))
    .values(state="working", turn=bindparam("head"), moved_at=bindparam("now"))
)

_MOVE = (
    update(INBOX)
    .where(INBOX.c.turn.in_(bindparam("turns", expanding=True)), INBOX.c.state.in_(bindparam("before", expanding=True)))
    .values(state=bindparam("after"), moved_at=bindparam("now"))
)

_ANSWER = update(INBOX).where(INBOX.c.id == bindparam("head")).values(answer=bindparam("bubbles"))

_OWE = (
    update(INBOX)
    .where(INBOX.c.turn == bindparam("head"))
    .values(owed_at=bindparam("now"), maybe_sent=bindparam("maybe"))
)

_SPEND = update(INBOX).where(INBOX.c.turn == bindparam("head")).values(reply_token=None)

_HEAD = select(INBOX.c.state, INBOX.c.answer).where(INBOX.c.id == bindparam("head"), INBOX.c.chat == bindparam("of"))

_OWED = (
    select(INBOX)
    .where(
        INBOX.c.chat == bindparam("of"),
        INBOX.c.state == "answered",
        INBOX.c.owed_at.is_not(None),
        INBOX.c.id == INBOX.c.turn,
    )
    .order_by(INBOX.c.occurred_at)
)
"""The heads of turns whose answer could not be delivered, oldest first."""

_OLDEST = select(INBOX.c.token_at).where(INBOX.c.state.in_(("received", "working"))).order_by(INBOX.c.token_at).limit(1)


def _burst(waiting: Sequence[Row[Any]]) -> list[Row[Any]]:
    """What belongs in one turn: a tap alone, messages up to the next tap or reminder, reminders up to the next
    message."""
    if not waiting or waiting[0].kind in ALONE:
        return list(waiting[:1])
    rings = waiting[0].kind == "reminder"
    alike = takewhile(lambda row: row.kind not in ALONE and (row.kind == "reminder") == rings, waiting)
    return list(islice(alike, MOST_IN_A_TURN))


def _turn(rows: Sequence[Row[Any]], *, more: bool) -> Turn:
    """A turn that has just begun, or one that was interrupted."""
    head = rows[0].turn or rows[0].id
    answer = next((row.answer for row in rows if row.id == head), None)
    return Turn(
        id=TurnId(head),
        chat=ChatId(rows[0].chat),
        messages=tuple(_message_from_row(row) for row in rows),
        state="working" if rows[0].state == "received" else rows[0].state,
        answer=_bubbles_from_json(answer) if answer else None,
        more=more,
    )


def _only_the_id(message: IncomingMessage) -> IncomingMessage:
    return IncomingMessage(
        id=message.id,
        kind="other",
        chat=message.chat,
        chat_kind=message.chat_kind,
        person=None,
        occurred_at=message.occurred_at,
        received_at=message.received_at,
        answerable=False,
    )


def _message_to_json(message: IncomingMessage) -> str:
    fields = {name: getattr(message, name) for name in message.__dataclass_fields__}
    fields |= {"occurred_at": None, "received_at": None, "reply_token": None, "params": dict(message.params)}
    return json.dumps(
        {name: value for name, value in fields.items() if value not in (None, "", {})}, ensure_ascii=False
    )


def _message_from_row(row: Row[Any]) -> IncomingMessage:
    fields = json.loads(row.message)
    fields |= {"occurred_at": instant(row.occurred_at), "received_at": instant(row.token_at)}
    return IncomingMessage(**{"person": None, "reply_token": row.reply_token} | fields)


def _bubbles_to_json(bubbles: Sequence[Bubble]) -> str:
    rows = [{"text": each.text, "buttons": [[b.label, b.data] for b in each.buttons]} for each in bubbles]
    return json.dumps(rows, ensure_ascii=False)


def _bubbles_from_json(text: str) -> tuple[Bubble, ...]:
    return tuple(Bubble(row["text"], tuple(Button(*pair) for pair in row["buttons"])) for row in json.loads(text))
