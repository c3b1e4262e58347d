"""The people who talk to the bot, as rows: how each is spoken to, and who may use it.

Must not know what was said, except that a stranger was told once today.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import BigInteger, Column, Connection, Row, String, Table, select, update

from bot.ports import Person
from tools.database import Database, insert_new, metadata, micros
from tools.record import PersonId

PERSON = Table(
    "person",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("role", String(10), nullable=False),
    Column("language", String(10), nullable=False),
    Column("home", String(10), nullable=False),
    Column("zone", String(64), nullable=False),
    Column("currency", String(3), nullable=False),
    Column("met_at", BigInteger, nullable=False),
)

STRANGER = Table(
    "stranger",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("told_on", String(10), nullable=False),
)


class SqlPeople:
    """Everyone the bot has met."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def find(self, person: PersonId) -> Person | None:
        row = await self._database.read(lambda c: c.execute(select(PERSON).where(PERSON.c.id == person)).one_or_none())
        return _person(row) if row else None

    async def owners(self) -> list[PersonId]:
        """Who has paired, in the order of their coming."""
        paired = select(PERSON.c.id).where(PERSON.c.role == "owner").order_by(PERSON.c.met_at)
        return [PersonId(each) for each in await self._database.read(lambda c: c.execute(paired).scalars().all())]

    async def keep(self, person: Person) -> None:
        values = {
            "role": person.role,
            "language": person.language,
            "home": person.home,
            "zone": person.zone.key,
            "currency": person.currency,
        }

        def work(connection: Connection) -> None:
            row = {"id": person.id, "met_at": micros(self._now()), **values}
            if not insert_new(connection, PERSON, row):
                connection.execute(update(PERSON).where(PERSON.c.id == person.id).values(values))

        await self._database.write(work)

    async def first_today(self, stranger: PersonId) -> bool:
        """Whether this stranger has not been told today (UTC), and note that now they have been."""
        today = f"{self._now():%Y-%m-%d}"

        def work(connection: Connection) -> bool:
            if insert_new(connection, STRANGER, {"id": stranger, "told_on": today}):
                return True
            earlier = update(STRANGER).where(STRANGER.c.id == stranger, STRANGER.c.told_on != today)
            return connection.execute(earlier.values(told_on=today)).rowcount > 0

        return await self._database.write(work)


def _person(row: Row[Any]) -> Person:
    return Person(PersonId(row.id), row.language, row.home, ZoneInfo(row.zone), row.currency, row.role)
