"""Who came by an invitation, as rows; and the invitations, of whose codes only a hash is kept.

Must not know in which words somebody is invited, or what they may do.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Integer,
    Row,
    String,
    Table,
    Text,
    Update,
    and_,
    delete,
    exists,
    or_,
    select,
    update,
)

from bot.gate import MOST_TRIES
from bot.household_ports import Guess, Invited, Invitee
from bot.ports import TurnId
from bot.sql.exports import EXPORT_LINK
from tools.database import Database, insert_new, metadata, micros
from tools.record import PersonId

INVITATION = Table(
    "invitation",
    metadata,
    Column("made_in", String(80), primary_key=True),
    Column("code_hash", String(64), nullable=False, unique=True),
    Column("role", String(10), nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("used_by", String(64)),
)
"""``made_in``: the turn in which the owner asked for it. ``tries``: wrong codes that were said while it was open."""

MEMBER = Table(
    "member",
    metadata,
    Column("person", String(64), primary_key=True),
    Column("key", String(16), nullable=False, unique=True),
    Column("role", String(10), nullable=False),
    Column("name", Text, nullable=False),
    Column("came_at", BigInteger, nullable=False),
    Column("removed_at", BigInteger),
)
"""Of whoever only looked and wished to be forgotten a hash is kept as ``person``, removed, without a name: in a group
they would be more than before."""

CONSENT = Table(
    "consent",
    metadata,
    Column("person", String(64), primary_key=True),
    Column("mirrored", Boolean, nullable=False),
)
"""Who said whether their own records may stand in the owner's mirror. False: they did, and shall not any more."""


class SqlMembers:
    """MembersPort over a database."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    # ── invitations ───────────────────────────────────────────────────────────────────────────────────────────────

    async def invite(self, turn: TurnId, role: Invited, code: str, expires_at: datetime) -> None:
        values = {"code_hash": _hash(code), "role": role, "expires_at": micros(expires_at), "tries": 0}

        def work(connection: Connection) -> None:
            if not insert_new(connection, INVITATION, {"made_in": turn, "used_by": None, **values}):
                unused = and_(INVITATION.c.made_in == turn, INVITATION.c.used_by.is_(None))
                connection.execute(update(INVITATION).where(unused).values(values))

        await self._database.write(work)

    async def guess(self, code: str, person: PersonId) -> Guess:
        which = select(INVITATION, _lets_in(person).label("lets_in")).where(INVITATION.c.code_hash == _hash(code))

        def work(connection: Connection) -> Guess:
            found = connection.execute(which).one_or_none()
            if found is None:
                connection.execute(update(INVITATION).where(self._open()).values(tries=INVITATION.c.tries + 1))
                return "wrong"
            return "open" if found.lets_in and self._is_open(found) else "stale"

        return await self._database.write(work)

    def _open(self) -> Any:
        return and_(INVITATION.c.expires_at > micros(self._now()), INVITATION.c.tries < MOST_TRIES)

    def _is_open(self, row: Row[Any]) -> bool:
        return bool(row.expires_at > micros(self._now()) and row.tries < MOST_TRIES)

    async def join(self, person: PersonId, code: str, name: str) -> Invited | None:
        used = (
            update(INVITATION)
            .where(INVITATION.c.code_hash == _hash(code), _lets_in(person), self._open())
            .values(used_by=person)
            .returning(INVITATION.c.role)
        )

        def work(connection: Connection) -> Invited | None:
            role = connection.execute(used).scalar_one_or_none()
            if role:
                self._keep(connection, person, role, name)
            return cast("Invited | None", role)

        return await self._database.write(work)

    def _keep(self, connection: Connection, person: PersonId, role: str, name: str) -> None:
        row = {"person": person, "key": secrets.token_hex(8), "came_at": micros(self._now())}
        if not insert_new(connection, MEMBER, {**row, "role": role, "name": name, "removed_at": None}):
            again = update(MEMBER).where(MEMBER.c.person == person)
            connection.execute(again.values(role=role, removed_at=None, **({"name": name} if name else {})))

    # ── members ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def role_of(self, person: PersonId) -> Invited | None:
        which = select(MEMBER.c.role).where(MEMBER.c.person == person, _HERE)
        return await self._database.read(lambda connection: connection.execute(which).scalar_one_or_none())

    async def everyone(self) -> list[Invitee]:
        which = select(MEMBER).where(_HERE).order_by(MEMBER.c.came_at, MEMBER.c.person)
        rows = await self._database.read(lambda connection: connection.execute(which).all())
        return [_invitee(row) for row in rows]

    async def of_key(self, key: str) -> Invitee | None:
        which = select(MEMBER).where(MEMBER.c.key == key, _HERE)
        row = await self._database.read(lambda connection: connection.execute(which).one_or_none())
        return _invitee(row) if row else None

    async def remove(self, key: str) -> None:
        which = select(MEMBER.c.person).where(MEMBER.c.key == key, _HERE)
        removed = update(MEMBER).where(MEMBER.c.key == key, _HERE).values(removed_at=micros(self._now()))

        def work(connection: Connection) -> None:
            person = connection.execute(which).scalar_one_or_none()
            if person:  # the invitations first, in the order in which somebody joins: neither waits for the other
                connection.execute(update(INVITATION).where(INVITATION.c.used_by == person).values(expires_at=0))
                connection.execute(removed)
                connection.execute(_withdrawn(person))
                connection.execute(delete(EXPORT_LINK).where(EXPORT_LINK.c.person == person))

        await self._database.write(work)

    async def was_removed(self, person: PersonId) -> bool:
        which = select(MEMBER.c.person).where(MEMBER.c.person.in_((person, _hash(person))), ~_HERE).limit(1)
        return await self._database.read(lambda connection: connection.execute(which).scalar_one_or_none()) is not None

    async def mirror(self, person: PersonId, *, wanted: bool) -> None:
        def work(connection: Connection) -> None:
            if not wanted:
                connection.execute(_withdrawn(person))
            elif not insert_new(connection, CONSENT, {"person": person, "mirrored": True}):
                connection.execute(update(CONSENT).where(CONSENT.c.person == person).values(mirrored=True))

        await self._database.write(work)

    async def in_the_mirror(self, *, still: bool) -> dict[PersonId, str]:
        names = CONSENT.outerjoin(MEMBER, MEMBER.c.person == CONSENT.c.person)
        which = select(CONSENT.c.person, MEMBER.c.name).select_from(names).where(CONSENT.c.mirrored.is_(still))
        rows = await self._database.read(lambda connection: connection.execute(which.order_by(CONSENT.c.person)).all())
        return {PersonId(row.person): row.name or "" for row in rows}


def forget_member(connection: Connection, person: PersonId, now: int) -> None:
    """Whom they were goes; that they only looked stays, under a name that nobody can read. ``now`` in microseconds."""
    nameless = {"person": _hash(person), "key": secrets.token_hex(8), "role": "guest", "name": "", "removed_at": now}
    only_looked = and_(MEMBER.c.person == person, or_(MEMBER.c.role == "guest", ~_HERE))
    connection.execute(delete(MEMBER).where(MEMBER.c.person == nameless["person"]))
    connection.execute(update(MEMBER).where(only_looked).values(nameless))


def _withdrawn(person: str) -> Update:
    return update(CONSENT).where(CONSENT.c.person == person).values(mirrored=False)


_HERE = MEMBER.c.removed_at.is_(None)


def _lets_in(person: PersonId) -> ColumnElement[bool]:
    """An invitation that nobody has used, or this person, who is here yet."""
    is_here = exists().where(MEMBER.c.person == person, _HERE)
    return or_(INVITATION.c.used_by.is_(None), and_(INVITATION.c.used_by == person, is_here))


def _hash(code: str) -> str:
    """A code, or an id of LINE's, is long enough to need no salt."""
    return hashlib.sha256(code.encode()).hexdigest()


def _invitee(row: Row[Any]) -> Invitee:
    return Invitee(PersonId(row.person), row.key, row.role, row.name)
