"""The groups the bot is in, as rows, and who is known in each. The records of a group are its own, beside these.

Must not know what is said in a group, or how the network tells of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Row, String, Table, Text, and_, or_, select, update

from bot.household_ports import Group
from bot.ports import ChatId, TurnId
from tools.database import Database, insert_new, instant, metadata, micros
from tools.household import Household, Member
from tools.record import PersonId

HOUSEHOLD = Table(
    "household",
    metadata,
    Column("chat", String(64), primary_key=True),
    Column("state", String(10), nullable=False),
    Column("name", Text, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("enabled_by", String(64)),
    Column("enabled_in", String(80)),
    Column("settled_at", BigInteger, nullable=False),
)

HOUSEHOLD_MEMBER = Table(
    "household_member",
    metadata,
    Column("chat", String(64), primary_key=True),
    Column("person", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("came_at", BigInteger, nullable=False),
    Column("left_at", BigInteger),
    Column("told_in", String(80)),
)
"""``told_in``: the turn in which this member was told what is kept; "" for those who were there when all were."""


class SqlGroups:
    """GroupsPort over a database."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def find(self, chat: ChatId) -> Group | None:
        found = await self._groups(HOUSEHOLD.c.chat == chat)
        return found[0] if found else None

    async def of_person(self, person: PersonId) -> list[Group]:
        mine = select(HOUSEHOLD_MEMBER.c.chat).where(HOUSEHOLD_MEMBER.c.person == person, _PRESENT)
        return await self._groups(and_(HOUSEHOLD.c.chat.in_(mine), HOUSEHOLD.c.state == "enabled"))

    async def enabled(self) -> list[Group]:
        return await self._groups(HOUSEHOLD.c.state == "enabled")

    async def to_leave(self, asked_before: datetime) -> list[ChatId]:
        forgotten = and_(HOUSEHOLD.c.state == "asked", HOUSEHOLD.c.since < micros(asked_before))
        which = select(HOUSEHOLD.c.chat).where(or_(forgotten, HOUSEHOLD.c.state == "leaving"))
        found = await self._database.read(lambda connection: connection.execute(which).scalars().all())
        return [ChatId(chat) for chat in found]

    async def _groups(self, which: Any) -> list[Group]:
        groups = select(HOUSEHOLD).where(which).order_by(HOUSEHOLD.c.since, HOUSEHOLD.c.chat)

        def work(connection: Connection) -> list[Group]:
            found = connection.execute(groups).all()
            chats = [row.chat for row in found]
            people = select(HOUSEHOLD_MEMBER).where(HOUSEHOLD_MEMBER.c.chat.in_(chats))
            order = (HOUSEHOLD_MEMBER.c.came_at, HOUSEHOLD_MEMBER.c.person)
            members = connection.execute(people.order_by(*order)).all() if chats else []
            return [_group(row, [each for each in members if each.chat == row.chat]) for row in found]

        return await self._database.read(work)

    # ── the group ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def asks(self, chat: ChatId) -> None:
        def work(connection: Connection) -> None:
            self._meet(connection, chat)
            back = and_(HOUSEHOLD.c.chat == chat, HOUSEHOLD.c.state.in_(("left", "leaving")))
            connection.execute(update(HOUSEHOLD).where(back).values(state="asked", since=micros(self._now())))

        await self._database.write(work)

    def _meet(self, connection: Connection, chat: ChatId) -> None:
        now = micros(self._now())
        row = {"chat": chat, "state": "asked", "name": "", "since": now, "settled_at": 0}
        insert_new(connection, HOUSEHOLD, {**row, "enabled_by": None, "enabled_in": None})

    async def enable(self, chat: ChatId, by: PersonId, turn: TurnId, name: str) -> bool:
        new = {"state": "enabled", "since": micros(self._now()), "enabled_by": by, "enabled_in": turn}

        def work(connection: Connection) -> bool:
            self._meet(connection, chat)
            not_yet = and_(HOUSEHOLD.c.chat == chat, HOUSEHOLD.c.state != "enabled")
            named = {"name": name} if name else {}
            connection.execute(update(HOUSEHOLD).where(not_yet).values(**new, **named))
            self._see(connection, chat, by, told_in="")
            first = select(HOUSEHOLD.c.enabled_in).where(HOUSEHOLD.c.chat == chat)
            return bool(connection.execute(first).scalar_one() == turn)

        return await self._database.write(work)

    async def leaves(self, chat: ChatId) -> None:
        await self._move(chat, "leaving")

    async def left(self, chat: ChatId) -> None:
        await self._move(chat, "left")

    async def _move(self, chat: ChatId, state: str) -> None:
        this = update(HOUSEHOLD).where(HOUSEHOLD.c.chat == chat, HOUSEHOLD.c.state != state)
        moved = this.values(state=state, since=micros(self._now()))
        await self._database.write(lambda connection: connection.execute(moved).rowcount)

    async def settled(self, chat: ChatId, at: datetime) -> bool:
        this = update(HOUSEHOLD).where(HOUSEHOLD.c.chat == chat, HOUSEHOLD.c.settled_at < micros(at))
        forward = this.values(settled_at=micros(at))
        return await self._database.write(lambda connection: connection.execute(forward).rowcount > 0)

    # ── the people in it ──────────────────────────────────────────────────────────────────────────────────────────

    async def comes(self, chat: ChatId, people: Sequence[PersonId]) -> None:
        def work(connection: Connection) -> None:
            has_list = select(HOUSEHOLD.c.chat).where(HOUSEHOLD.c.chat == chat, HOUSEHOLD.c.state == "enabled")
            if connection.execute(has_list).first():
                for person in people:
                    self._see(connection, chat, person, told_in=None)

        await self._database.write(work)

    async def goes(self, chat: ChatId, people: Sequence[PersonId]) -> None:
        these = and_(HOUSEHOLD_MEMBER.c.chat == chat, HOUSEHOLD_MEMBER.c.person.in_(list(people)), _PRESENT)
        gone = update(HOUSEHOLD_MEMBER).where(these).values(left_at=micros(self._now()))
        await self._database.write(lambda connection: connection.execute(gone).rowcount)

    async def heard(self, chat: ChatId, person: PersonId, turn: TurnId) -> bool:
        me = and_(HOUSEHOLD_MEMBER.c.chat == chat, HOUSEHOLD_MEMBER.c.person == person)
        untold = and_(me, HOUSEHOLD_MEMBER.c.told_in.is_(None))

        def work(connection: Connection) -> bool:
            self._see(connection, chat, person, told_in="")
            connection.execute(update(HOUSEHOLD_MEMBER).where(untold).values(told_in=turn))
            return bool(connection.execute(select(HOUSEHOLD_MEMBER.c.told_in).where(me)).scalar_one() == turn)

        return await self._database.write(work)

    async def call(self, chat: ChatId, person: PersonId, name: str) -> None:
        me = and_(HOUSEHOLD_MEMBER.c.chat == chat, HOUSEHOLD_MEMBER.c.person == person)
        named = update(HOUSEHOLD_MEMBER).where(me).values(name=name)
        await self._database.write(lambda connection: connection.execute(named).rowcount)

    def _see(self, connection: Connection, chat: ChatId, person: PersonId, *, told_in: str | None) -> None:
        """Somebody is in the group, for certain: they spoke there, or LINE said so."""
        row = {"chat": chat, "person": person, "name": "", "came_at": micros(self._now()), "left_at": None}
        if not insert_new(connection, HOUSEHOLD_MEMBER, {**row, "told_in": told_in}):
            me = and_(HOUSEHOLD_MEMBER.c.chat == chat, HOUSEHOLD_MEMBER.c.person == person, ~_PRESENT)
            connection.execute(update(HOUSEHOLD_MEMBER).where(me).values(left_at=None))


_PRESENT = HOUSEHOLD_MEMBER.c.left_at.is_(None)


def _group(row: Row[Any], members: Sequence[Row[Any]]) -> Group:
    def named(each: Row[Any]) -> Member:
        return Member(PersonId(each.person), each.name)

    here = tuple(named(each) for each in members if each.left_at is None)
    gone = tuple(named(each) for each in members if each.left_at is not None)
    return Group(
        chat=ChatId(row.chat),
        state=row.state,
        household=Household(PersonId(row.chat), row.name, here, gone),
        since=instant(row.since),
        settled_at=instant(row.settled_at),
        enabled_by=None if row.enabled_by is None else PersonId(row.enabled_by),
        enabled_in=None if row.enabled_in is None else TurnId(row.enabled_in),
    )
