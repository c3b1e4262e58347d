"""The transcript as rows: what was said, thought and done in each turn, verbatim.

A message is stored before what it asks for is done, so that a turn goes on from here after a crash. Must not know how
a turn is made or what a tool does.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import BigInteger, Column, Connection, Index, Integer, String, Table, Text, select

from bot.ports import ChatId, Message, TurnId
from tools.database import Database, insert_new, metadata

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
"""``at`` in microseconds, UTC."""


class SqlTranscript:
    """The transcripts of all turns."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def append(self, turn: TurnId, chat: ChatId, seq: int, message: Message) -> None:
        row = {
            "turn": turn,
            "seq": seq,
            "chat": chat,
            "message": json.dumps(message, ensure_ascii=False),
            "at": int(self._now().timestamp() * 1_000_000),
        }
        await self._database.write(lambda connection: insert_new(connection, TRANSCRIPT, row), durable=False)

    async def of_turn(self, turn: TurnId) -> list[Message]:
        return await self._database.read(lambda connection: _messages(connection, turn))

    async def history(self, chat: ChatId, before: TurnId, exchanges: int) -> list[Message]:
        def work(connection: Connection) -> list[Message]:
            turns = connection.execute(
                select(TRANSCRIPT.c.turn)
                .where(TRANSCRIPT.c.chat == chat, TRANSCRIPT.c.seq == 0, TRANSCRIPT.c.turn != before)
                .order_by(TRANSCRIPT.c.at.desc())
                .limit(exchanges)
            ).scalars()
            units = [_messages(connection, TurnId(turn)) for turn in reversed(list(turns))]
            return [message for unit in units if _is_whole(unit) for message in unit]

        return await self._database.read(work)


def _messages(connection: Connection, turn: TurnId) -> list[Message]:
    rows = connection.execute(
        select(TRANSCRIPT.c.message).where(TRANSCRIPT.c.turn == turn).order_by(TRANSCRIPT.c.seq)
    ).scalars()
    return [json.loads(each) for each in rows]


def _is_whole(unit: list[Message]) -> bool:
    """Ends in words: an exchange that was cut off would leave calls without results, which endpoints refuse."""
    return unit[-1]["role"] == "assistant" and not unit[-1].get("tool_calls") and bool(unit[-1].get("content"))
