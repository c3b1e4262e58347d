"""The transcript as rows: what was said, thought and done in each turn, verbatim.

A message is stored before what it asks for is done, so that a turn goes on from here after a crash. Must not know how
a turn is made or what a tool does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    String,
    Table,
    Text,
    bindparam,
    delete,
    func,
    select,
)

from bot.model_ports import Message
from bot.ports import ChatId, ClaimLost, TurnId
from tools.database import Database, Work, insert_new, metadata, micros

TRANSCRIPT = Table(
    "transcript",
    metadata,
    Column("turn", String(80), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("chat", String(64), nullable=False),
    Column("message", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("transcript_chat_at", "chat", "at"),
)
"""``at`` in microseconds, UTC. Where a turn begins it is later than where the chat's turns before it did, whatever the
clock says: it is what their order is told by."""


class SqlTranscript:
    """The transcripts of all turns. ``beside`` may give something to be written in the transaction that stores messages
    of a turn."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], datetime],
        beside: Callable[[TurnId], Work[None] | None] = lambda _: None,
    ) -> None:
        self._database = database
        self._now = now
        self._beside = beside

    async def append(self, turn: TurnId, chat: ChatId, seq: int, messages: Sequence[Message]) -> None:
        at = micros(self._now())
        rows: list[dict[str, Any]] = [
            {"turn": turn, "seq": place, "chat": chat, "message": json.dumps(message, ensure_ascii=False), "at": at}
            for place, message in enumerate(messages, start=seq)
        ]

        beside = self._beside(turn)

        def work(connection: Connection) -> None:
            if rows and seq == 0:
                newest = connection.execute(_NEWEST, {"chat": chat}).scalar()
                rows[0]["at"] = max(at, (newest or 0) + 1)
            for row in rows:
                if not insert_new(connection, TRANSCRIPT, row):
                    raise ClaimLost(turn)
            if beside:
                beside(connection)

        await self._database.write(work, durable=False)

    async def of_turn(self, turn: TurnId) -> list[Message]:
        return await self._database.read(lambda connection: _messages(connection, turn))

    async def history(self, chat: ChatId, before: TurnId, exchanges: int) -> list[Message]:
        def work(connection: Connection) -> list[Message]:
            rows = connection.execute(_HISTORY, {"chat": chat, "before": before, "exchanges": exchanges})
            units = [[json.loads(row.message) for row in unit] for _, unit in groupby(rows, key=lambda row: row.turn)]
            return [message for unit in units if _is_whole(unit) for message in unit]

        return await self._database.read(work)


_OF_TURN = select(TRANSCRIPT.c.message).where(TRANSCRIPT.c.turn == bindparam("turn")).order_by(TRANSCRIPT.c.seq)

_NEWEST = select(func.max(TRANSCRIPT.c.at)).where(TRANSCRIPT.c.chat == bindparam("chat"))

_STARTS = (
    select(TRANSCRIPT.c.turn, TRANSCRIPT.c.at)
    .where(TRANSCRIPT.c.chat == bindparam("chat"), TRANSCRIPT.c.seq == 0, TRANSCRIPT.c.turn != bindparam("before"))
    .order_by(TRANSCRIPT.c.at.desc())
    .limit(bindparam("exchanges"))
    .subquery()
)

_HISTORY = (
    select(TRANSCRIPT.c.turn, TRANSCRIPT.c.message)
    .join(_STARTS, _STARTS.c.turn == TRANSCRIPT.c.turn)
    .order_by(_STARTS.c.at, TRANSCRIPT.c.turn, TRANSCRIPT.c.seq)
)
"""The messages of the newest turns, oldest turn first: one statement, however long the past is."""


FORGET_THOUGHTS = delete(TRANSCRIPT).where(TRANSCRIPT.c.turn.in_(bindparam("turns", expanding=True)))
"""What was said, thought and done in these turns."""


def _messages(connection: Connection, turn: TurnId) -> list[Message]:
    return [json.loads(each) for each in connection.execute(_OF_TURN, {"turn": turn}).scalars()]


def _is_whole(unit: list[Message]) -> bool:
    """Ends in words: an exchange that was cut off would leave calls without results, which endpoints refuse."""
    return unit[-1]["role"] == "assistant" and not unit[-1].get("tool_calls") and bool(unit[-1].get("content"))
