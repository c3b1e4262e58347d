"""What was said on the network, by the network's ids: our messages as rows of their own, people's in the inbox.

Must not know what a quote means, or how a message is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import BigInteger, Column, Connection, Index, String, Table, Text, bindparam, select

from bot.inbox_ports import Said, Sent
from bot.ports import ChatId, Turn, TurnId
from bot.sql.inbox_rows import IN_ORDER, INBOX, message_from_row
from tools.database import Database, insert_new, metadata, micros

SAID = Table(
    "said",
    metadata,
    Column("message_id", String(64), primary_key=True),
    Column("chat", String(64), nullable=False),
    Column("turn", String(80), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("said_turn", "turn"),
    Index("said_at", "at"),
)
"""What the secretary said, message by message. ``at`` in microseconds, UTC."""


class SqlSaid:
    """The SaidPort."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def keep(self, turn: Turn, sent: Sequence[Sent]) -> None:
        at = micros(self._now())
        await self._database.write(lambda connection: put_down(connection, turn, sent, at), durable=False)

    async def find(self, chat: ChatId, message_id: str) -> Said | None:
        this = {"this": message_id, "of": chat}

        def work(connection: Connection) -> Said | None:
            if ours := connection.execute(_OURS, this).one_or_none():
                return Said(TurnId(ours.turn) if ours.turn else None, None, ours.text)
            theirs = connection.execute(_THEIRS, this).first()
            if theirs is None:
                return None
            message = message_from_row(theirs)
            return Said(TurnId(theirs.turn) if theirs.turn else None, message.person, message.text)

        return await self._database.read(work)

    async def is_ours(self, chat: ChatId, message_id: str) -> bool:
        """Whether the bot said it."""
        this = {"this": message_id, "of": chat}
        return await self._database.read(lambda connection: connection.execute(_OURS, this).first() is not None)

    async def is_known(self, chat: ChatId, message_id: str) -> bool:
        """Whether people said it, and it was kept."""
        this = {"this": message_id, "of": chat}
        return await self._database.read(lambda connection: connection.execute(_THEIRS, this).first() is not None)


def put_down(connection: Connection, turn: Turn, sent: Sequence[Sent], at: int) -> None:
    """Put down what went out; what is known already stays as it is."""
    for each in sent:
        row = {"message_id": each.id[:64], "chat": turn.chat, "turn": each.turn, "text": each.text, "at": at}
        insert_new(connection, SAID, row)


_OURS = select(SAID).where(SAID.c.message_id == bindparam("this"), SAID.c.chat == bindparam("of"))

_THEIRS = (
    select(INBOX)
    .where(INBOX.c.message_id == bindparam("this"), INBOX.c.chat == bindparam("of"), INBOX.c.kind != "unsend")
    .order_by(*(each.desc() for each in IN_ORDER))
    .limit(1)
)
"""The newest version: an edited message keeps its id."""
