"""Words that wait for the model, as rows; and one row that says how long it has been away.

A settled row stays until the house is cleaned, so that a turn which was interrupted tells the same again. Must not know
what the words mean, or how a model is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    Row,
    String,
    Table,
    Text,
    bindparam,
    func,
    literal_column,
    or_,
    select,
    text,
    tuple_,
    update,
)

from bot.ports import ChatId, TurnId
from bot.postponed import BACK_OFF, LOST_AFTER, Absence, Kept, Outcome, is_time_to_try
from tools.database import Database, insert_new, instant, metadata, micros
from tools.record import PersonId

_IS_WAITING = "settled_by IS NULL"

POSTPONED = Table(
    "postponed",
    metadata,
    Column("turn", String(80), primary_key=True),
    Column("said_in", String(80), nullable=False, unique=True),
    Column("chat", String(64), nullable=False),
    Column("person", String(64), nullable=False),
    Column("language", String(8), nullable=False),
    Column("words", Text, nullable=False),
    Column("done", Text, nullable=False),
    Column("told", Integer, nullable=False),
    Column("said_at", BigInteger, nullable=False),
    Column("kept_at", BigInteger, nullable=False),
    Column("handed", Integer, nullable=False),
    Column("handed_at", BigInteger),
    Column("rests_until", BigInteger),
    Column("settled_by", String(80)),
    Column("settled_at", BigInteger),
    Column("outcome", String(10)),
    Index("postponed_chat", "chat"),
    Index("postponed_waiting", "chat", "said_at", sqlite_where=text(_IS_WAITING), postgresql_where=text(_IS_WAITING)),
)
"""``handed_at``: when it was last put into the inbox; None once that try has failed. ``rests_until``: it is not due
before then, whatever the model does. Times in microseconds, UTC."""

ABSENCE = Table(
    "absence",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("failures", Integer, nullable=False),
    Column("try_at", BigInteger, nullable=False),
)
"""One row, for all processes."""


class SqlPostponed:
    """The PostponedPort. A process that is ``alone`` in its store need not look into it, turn after turn, for words
    that it never kept."""

    def __init__(self, database: Database, now: Callable[[], datetime], *, alone: bool = False) -> None:
        self._database = database
        self._now = now
        self._alone = alone
        self._has_looked = False
        self._chats: set[str] = set()

    async def keep(self, kept: Kept) -> None:
        self._chats.add(kept.chat)
        row = {name: getattr(kept, name) for name in kept.__dataclass_fields__}
        row |= {"said_at": micros(kept.said_at), "kept_at": micros(kept.kept_at)}
        await self._database.write(lambda connection: insert_new(connection, POSTPONED, row), durable=False)

    async def kept_of(self, said_in: TurnId) -> Kept | None:
        asked = {"said_in": said_in}
        row = await self._database.read(lambda connection: connection.execute(_OF_TURN, asked).one_or_none())
        return _kept(row) if row else None

    async def of_chat(self, chat: ChatId, person: PersonId, turn: TurnId) -> list[Kept]:
        if self._alone and not await self._has_kept(chat):
            return []
        asked = {"of": chat, "whose": person, "by": turn}
        rows = await self._database.read(lambda connection: connection.execute(_OF_CHAT, asked).all())
        return [_kept(row) for row in rows]

    async def _has_kept(self, chat: ChatId) -> bool:
        """Whether words of the chat are kept, or were lately: what another run left shows in one look."""
        if not self._has_looked:
            self._chats |= set(await self._database.read(lambda connection: connection.execute(_CHATS).scalars().all()))
            self._has_looked = True
        return chat in self._chats

    async def settle(self, kept: Kept, by: TurnId, outcome: Outcome) -> bool:
        settled = {"this": kept.turn, "by": by, "how": outcome, "now": micros(self._now())}
        return await self._database.write(
            lambda connection: connection.execute(_SETTLE, settled).rowcount == 1, durable=False
        )

    async def due(self, kept_before: datetime | None, most: int) -> list[Kept]:
        before = micros(kept_before) if kept_before else _EVER
        asked = {"before": before, "now": micros(self._now()), "most": most, **self._not_lost()}
        rows = await self._database.read(lambda connection: connection.execute(_DUE, asked).all())
        return [_kept(row) for row in rows]

    async def rest(self, kept: Kept, until: datetime) -> None:
        these = {"of": kept.chat, "whose": kept.person, "until": micros(until)}
        await self._database.write(lambda connection: connection.execute(_REST, these), durable=False)

    async def handed(self, kept: Kept) -> None:
        this = {"this": kept.turn, "before": kept.handed, "now": micros(self._now())}
        await self._database.write(lambda connection: connection.execute(_HANDED, this), durable=False)

    async def absence(self) -> Absence | None:
        def work(connection: Connection) -> Absence | None:
            if connection.execute(_ANY).first() is None:
                return None
            trying = connection.execute(_TRYING, self._not_lost()).scalar_one()
            row = connection.execute(_ABSENCE).one_or_none()
            return Absence(row.failures, instant(row.try_at), trying) if row else Absence(0, self._now(), trying)

        return await self._database.read(work)

    async def failed(self, chat: ChatId) -> None:
        def work(connection: Connection) -> None:
            now = self._now()
            connection.execute(_FREE, {"of": chat})
            insert_new(connection, ABSENCE, {"id": 1, "failures": 0, "try_at": micros(now)})
            row = connection.execute(_ABSENCE.with_for_update()).one()
            if is_time_to_try(instant(row.try_at), now):  # who fails while another's try is to come tells nothing new
                pause = BACK_OFF[min(row.failures, len(BACK_OFF) - 1)]
                connection.execute(_BACK_OFF, {"failures": row.failures + 1, "try_at": micros(now + pause)})

        await self._database.write(work, durable=False)

    async def is_back(self) -> None:
        now = micros(self._now())
        await self._database.write(
            lambda connection: connection.execute(_BACK_OFF, {"failures": 0, "try_at": now}), durable=False
        )

    def _not_lost(self) -> dict[str, int]:
        """When something was handed over that is still being tried. Later than now is what another process with another
        clock did; much later, what was done before the clock was set back, and long ago."""
        now = self._now()
        return {"lost": micros(now - LOST_AFTER), "ahead": micros(now + LOST_AFTER)}


def _kept(row: Row[Any]) -> Kept:
    fields = {name: getattr(row, name) for name in Kept.__dataclass_fields__}
    return Kept(**fields | {"said_at": instant(row.said_at), "kept_at": instant(row.kept_at)})


_WAITING: ColumnElement[bool] = literal_column(f"postponed.{_IS_WAITING}")

_EVER = 2**63 - 1

_CHATS = select(POSTPONED.c.chat).distinct()

_OF_TURN = select(POSTPONED).where(POSTPONED.c.said_in == bindparam("said_in"))

_OF_CHAT = (
    select(POSTPONED)
    .where(
        POSTPONED.c.chat == bindparam("of"),
        POSTPONED.c.person == bindparam("whose"),
        or_(_WAITING, POSTPONED.c.settled_by == bindparam("by")),
    )
    .order_by(POSTPONED.c.said_at, POSTPONED.c.turn)
)

_SETTLE = (
    update(POSTPONED)
    .where(POSTPONED.c.turn == bindparam("this"), or_(_WAITING, POSTPONED.c.settled_by == bindparam("by")))
    .values(settled_by=bindparam("by"), outcome=bindparam("how"), settled_at=bindparam("now"))
)

_OTHER = POSTPONED.alias("other")

_BEFORE = (
    select(_OTHER.c.turn)
    .where(
        _OTHER.c.settled_by.is_(None),
        _OTHER.c.chat == POSTPONED.c.chat,
        or_(
            _OTHER.c.handed_at.between(bindparam("lost"), bindparam("ahead")),
            _OTHER.c.rests_until > bindparam("now"),
            tuple_(_OTHER.c.said_at, _OTHER.c.turn) < tuple_(POSTPONED.c.said_at, POSTPONED.c.turn),
        ),
    )
    .exists()
)
"""Something of the chat is being tried, rests, or was said before."""

_DUE = (
    select(POSTPONED)
    .where(_WAITING, POSTPONED.c.kept_at <= bindparam("before"), ~_BEFORE)
    .order_by(POSTPONED.c.said_at, POSTPONED.c.turn)
    .limit(bindparam("most"))
)

_HANDED = (
    update(POSTPONED)
    .where(POSTPONED.c.turn == bindparam("this"), POSTPONED.c.handed == bindparam("before"), _WAITING)
    .values(handed=POSTPONED.c.handed + 1, handed_at=bindparam("now"))
)

_FREE = update(POSTPONED).where(POSTPONED.c.chat == bindparam("of"), _WAITING).values(handed_at=None)

_REST = (
    update(POSTPONED)
    .where(POSTPONED.c.chat == bindparam("of"), POSTPONED.c.person == bindparam("whose"), _WAITING)
    .values(handed_at=None, rests_until=bindparam("until"))
)

_ANY = select(POSTPONED.c.turn).where(_WAITING).limit(1)

HOW_MANY_WAIT = select(func.count()).select_from(POSTPONED).where(_WAITING)
"""For whoever tells the operator."""

_TRYING = (
    select(func.count())
    .select_from(POSTPONED)
    .where(_WAITING, POSTPONED.c.handed_at.between(bindparam("lost"), bindparam("ahead")))
)

_ABSENCE = select(ABSENCE)

_BACK_OFF = update(ABSENCE).values(failures=bindparam("failures"), try_at=bindparam("try_at"))
