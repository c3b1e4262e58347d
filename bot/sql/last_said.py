"""The newest answer that somebody has, read from the inbox. Must not know what it says, or what is answered to it."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from bot.inbox_ports import LastSaid
from bot.ports import Turn, TurnId
from bot.sql.inbox_rows import INBOX, bubbles_from_json, message_from_row
from tools.database import Database, instant
from tools.record import PersonId


class SqlLastSaid:
    """The LastSaidPort."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def before(self, turn: Turn) -> LastSaid | None:
        asked = {"of": turn.chat, "head": turn.id}
        row = await self._database.read(lambda connection: connection.execute(_NEWEST, asked).one_or_none())
        return LastSaid(TurnId(row.id), bubbles_from_json(row.answer), instant(row.moved_at)) if row else None

    async def speaker(self, turn: str) -> PersonId | None:
        this = {"this": turn.rpartition(":")[2]}
        row = await self._database.read(lambda connection: connection.execute(_MESSAGE, this).one_or_none())
        return message_from_row(row).person if row else None


_MESSAGE = select(INBOX).where(INBOX.c.id == bindparam("this"))

_NEWEST = (
    select(INBOX.c.id, INBOX.c.answer, INBOX.c.moved_at)
    .where(
        INBOX.c.chat == bindparam("of"),
        INBOX.c.id == INBOX.c.turn,
        INBOX.c.id != bindparam("head"),
        INBOX.c.state == "delivered",
        INBOX.c.answer.is_not(None),
        INBOX.c.answer != "[]",
    )
    .order_by(INBOX.c.moved_at.desc(), INBOX.c.id.desc())
    .limit(1)
)
