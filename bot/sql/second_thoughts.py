"""Second thoughts as they are asked for: what is to be stopped, what was taken back, who is away, what waits behind.

Must not know what a message means, or what anybody is told.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, case, or_, select, update

from bot.ports import ChatId, ClaimLost, IncomingMessage, Turn, TurnId
from bot.sql.inbox_rows import IN_ORDER, INBOX, UNSETTLED, message_from_row, turn_of
from bot.sql.taking_back import AWAY, UNSENT
from bot.sql.transcript import FORGET_THOUGHTS
from tools.database import Database


class SqlSecondThoughts:
    """The SecondThoughtsPort."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def is_to_stop(self, chat: ChatId) -> bool:
        return await self._database.read(lambda c: c.execute(_TO_STOP, {"of": chat}).first() is not None)

    async def stopped(self, turn: Turn) -> Turn:
        """What was thought so far goes with the words that are gone."""

        def work(connection: Connection) -> Turn:
            this = {"head": turn.id, "fenced": turn.fence}
            if not connection.execute(_HEED, this).rowcount:
                raise ClaimLost(turn.id)
            now = turn_of(connection.execute(_ROWS, this).all(), turn.fence, turn.deaths)
            if now.stopped != "said":
                connection.execute(FORGET_THOUGHTS, {"turns": now.thought_as})
            return now

        return await self._database.write(work, durable=False)

    async def offers(self, chat: ChatId, turn: TurnId) -> list[TurnId]:
        asked = {"of": chat, "by": turn}
        found = await self._database.read(lambda c: c.execute(_OFFERS, asked).scalars().all())
        return [TurnId(each) for each in dict.fromkeys(found)]

    async def spoken_of(self, turns: Sequence[TurnId], turn: TurnId) -> None:
        spoken = {"turns": list(turns), "by": turn}
        await self._database.write(lambda c: c.execute(_SPOKEN_OF, spoken), durable=False)

    async def is_away(self, chat: ChatId) -> bool:
        return await self._database.read(lambda c: c.execute(_IS_AWAY, {"of": chat}).first() is not None)

    async def waiting(self, turn: Turn) -> list[IncomingMessage]:
        rows = await self._database.read(lambda c: c.execute(_BEHIND, {"of": turn.lane}).all())
        return [message_from_row(row) for row in rows]

    async def spend(self, messages: Sequence[IncomingMessage]) -> bool:
        these = {"ids": [each.id for each in messages]}
        return await self._database.write(lambda c: c.execute(_SPEND, these).rowcount > 0, durable=False)


_OF_TURN = INBOX.c.turn == bindparam("head")

_TO_STOP = (
    select(INBOX.c.id)
    .where(INBOX.c.lane == bindparam("of"), UNSETTLED, INBOX.c.state == "working", INBOX.c.stop.is_not(None))
    .limit(1)
)

_HEED = (
    update(INBOX)
    .where(_OF_TURN, INBOX.c.fence == bindparam("fenced"), INBOX.c.state == "working", INBOX.c.stop.is_not(None))
    .values(
        stopped=case((INBOX.c.stopped == "said", "said"), else_=INBOX.c.stop),
        stop=None,
        restarts=INBOX.c.restarts + 1,
    )
)

_ROWS = select(INBOX).where(_OF_TURN).order_by(*IN_ORDER)

_OFFERS = (
    select(UNSENT.c.turn)
    .where(
        UNSENT.c.chat == bindparam("of"),
        UNSENT.c.turn.is_not(None),
        or_(UNSENT.c.offered_in.is_(None), UNSENT.c.offered_in == bindparam("by")),
    )
    .order_by(UNSENT.c.at)
)

_SPOKEN_OF = (
    update(UNSENT)
    .where(UNSENT.c.turn.in_(bindparam("turns", expanding=True)), UNSENT.c.offered_in.is_(None))
    .values(offered_in=bindparam("by"))
)

_IS_AWAY = select(AWAY.c.chat).where(AWAY.c.chat == bindparam("of"), AWAY.c.is_away == 1)

_BEHIND = (
    select(INBOX)
    .where(
        INBOX.c.lane == bindparam("of"),
        UNSETTLED,
        INBOX.c.state == "received",
        INBOX.c.turn.is_(None),
        INBOX.c.reply_token.is_not(None),
    )
    .order_by(*IN_ORDER)
)

_SPEND = (
    update(INBOX)
    .where(INBOX.c.id.in_(bindparam("ids", expanding=True)), INBOX.c.state == "received")
    .values(reply_token=None)
)
