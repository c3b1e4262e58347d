"""The people who talk to the bot, as rows: how each is spoken to, who may use it, and the code that lets one in.

Must not know what was said, except that a stranger was told once today.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    Row,
    String,
    Table,
    and_,
    bindparam,
    case,
    literal,
    or_,
    select,
    union_all,
    update,
)

from bot.gate import MOST_TRIES
from bot.ports import Person, TurnId
from tools.database import Database, insert_new, metadata, micros
from tools.moments import BEDTIME, Hours
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
    Column("keeps_language", Integer, nullable=False, server_default="0"),
    Column("quiet", String(11)),
    Column("bedtime", String(5)),
)

STRANGER = Table(
    "stranger",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("told_on", String(10), nullable=False),
    Column("told_in", String(80)),
)

PAIRING = Table(
    "pairing",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("code", String(8), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("used_by", String(64)),
)
"""One row: the code of the house, the wrong ones that were tried, and whom it let in."""


class SqlPeople:
    """Everyone the bot has met. Those ``at_home`` tried it before it was in LINE: that alone is no pairing."""

    def __init__(self, database: Database, now: Callable[[], datetime], *, at_home: Collection[PersonId] = ()) -> None:
        self._database = database
        self._now = now
        came_in = PERSON.c.id.not_in(list(at_home)) | PERSON.c.id.in_(select(PAIRING.c.used_by))
        here = select(PERSON.c.id, PERSON.c.met_at).where(PERSON.c.role == "owner", came_in)
        # Who was forgotten at their own wish is still who has paired.
        forgotten = select(PAIRING.c.used_by, literal(0, BigInteger)).where(
            PAIRING.c.used_by.is_not(None), PAIRING.c.used_by.not_in(select(PERSON.c.id))
        )
        everyone = union_all(here, forgotten).subquery()
        self._paired = select(everyone.c.id).order_by(everyone.c.met_at)

    async def find(self, person: PersonId) -> Person | None:
        row = await self._database.read(lambda connection: connection.execute(_KNOWN, {"who": person}).one_or_none())
        return _person(row) if row else None

    async def keep(self, person: Person) -> None:
        await self._database.write(lambda connection: self._keep(connection, person, person.role))

    def _keep(self, connection: Connection, person: Person, role: str) -> None:
        values = {
            "role": role,
            "language": person.language,
            "home": person.home,
            "zone": person.zone.key,
            "currency": person.currency,
            "keeps_language": int(person.keeps_language),
            **_hours_to_row(person.hours),
        }
        row = {"id": person.id, "met_at": micros(self._now()), **values}
        if not insert_new(connection, PERSON, row):
            connection.execute(update(PERSON).where(PERSON.c.id == person.id).values(values))

    # ── the door ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def owners(self) -> list[PersonId]:
        found = await self._database.read(lambda connection: connection.execute(self._paired).scalars().all())
        return [PersonId(each) for each in found]

    async def offer(self, code: str) -> None:
        """Let this code pair, unless somebody has paired, or another code is waiting to: of many processes that start
        at once, one's code stands."""

        def work(connection: Connection) -> None:
            if connection.execute(self._paired).first():
                return
            row = {"id": 1, "code": code, "tries": 0, "used_by": None}
            if not insert_new(connection, PAIRING, row):
                connection.execute(update(PAIRING).where(~_WAITING).values(row))

        await self._database.write(work)

    async def code(self) -> str | None:
        def work(connection: Connection) -> str | None:
            if connection.execute(self._paired).first():
                return None
            return connection.execute(select(PAIRING.c.code).where(_WAITING)).scalar_one_or_none()

        return await self._database.read(work)

    async def guess(self, code: str) -> bool:
        wrong = case((PAIRING.c.code == code, 0), else_=1)
        counted = update(PAIRING).where(_WAITING).values(tries=PAIRING.c.tries + wrong).returning(PAIRING.c.code)
        return await self._database.write(lambda c: c.execute(counted).scalar_one_or_none() == code)

    async def pair(self, person: Person, code: str) -> bool:
        theirs = or_(_WAITING, PAIRING.c.used_by == person.id)
        used = update(PAIRING).where(PAIRING.c.code == code, theirs).values(used_by=person.id)

        def work(connection: Connection) -> bool:
            if not connection.execute(used).rowcount:
                return False
            self._keep(connection, person, "owner")
            return True

        return await self._database.write(work)

    # ── strangers ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def first_today(self, stranger: PersonId, turn: TurnId) -> bool:
        """A day is one of UTC. A turn that was interrupted is told again."""
        told = {"told_on": f"{self._now():%Y-%m-%d}", "told_in": turn}

        def work(connection: Connection) -> bool:
            if insert_new(connection, STRANGER, {"id": stranger, **told}):
                return True
            earlier = or_(STRANGER.c.told_on != told["told_on"], STRANGER.c.told_in == turn)
            return (
                connection.execute(update(STRANGER).where(STRANGER.c.id == stranger, earlier).values(told)).rowcount > 0
            )

        return await self._database.write(work)


_WAITING = and_(PAIRING.c.used_by.is_(None), PAIRING.c.tries < MOST_TRIES)
"""The code may still let somebody in."""

_KNOWN = select(PERSON).where(PERSON.c.id == bindparam("who"))


def _person(row: Row[Any]) -> Person:
    zone, hours = ZoneInfo(row.zone), _hours(row.quiet, row.bedtime)
    kept = bool(row.keeps_language)
    return Person(PersonId(row.id), row.language, row.home, zone, row.currency, row.role, kept, hours)


def _hours_to_row(hours: Hours) -> dict[str, str | None]:
    """Quiet as ``22:00-07:00``; what nobody said is not kept."""
    quiet = f"{hours.quiet[0]:%H:%M}-{hours.quiet[1]:%H:%M}" if hours.quiet else None
    return {"quiet": quiet, "bedtime": None if hours.bedtime == BEDTIME else f"{hours.bedtime:%H:%M}"}


def _hours(quiet: str | None, bedtime: str | None) -> Hours:
    begin, _, end = (quiet or "").partition("-")
    between = (time.fromisoformat(begin), time.fromisoformat(end)) if quiet else None
    return Hours(between, time.fromisoformat(bedtime) if bedtime else BEDTIME)
