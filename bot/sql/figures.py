"""What the operator's pages show of the store, in SQL: figures, people and plans. Reads alone, so many rows at most.

Must not know how anything is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, case, func, or_, select

from bot.gate import MOST_TRIES
from bot.operator_ports import Answered, Company, Figures, GroupRow, ModelDay, PersonRow, ReminderRow
from bot.sql.allowance import ALLOWANCE
from bot.sql.audit import TOOL_CALL
from bot.sql.groups import HOUSEHOLD, HOUSEHOLD_MEMBER
from bot.sql.inbox_rows import INBOX, UNSETTLED
from bot.sql.members import INVITATION, MEMBER
from bot.sql.people import PERSON, STRANGER
from bot.sql.postponed import HOW_MANY_WAIT
from tools.database import Database, instant, micros
from tools.record import PersonId
from tools.sql.record import RECORD

MOST_TURNS, MOST_RECORDS, MOST_PEOPLE, MOST_GROUPS = 20_000, 50_000, 300, 50

FINE = ("ok", "repeated")
"""Outcomes of calls that did what they were asked."""


class SqlFigures:
    """The FiguresPort."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def since(self, moment: datetime) -> Figures:
        def work(connection: Connection) -> Figures:
            then = {"since": micros(moment)}
            turns = connection.execute(_TURNS, then).all()
            calls = connection.execute(_CALLS, then).one()
            waiting = {row.state: row.number for row in connection.execute(_WAITING)}
            return Figures(
                answered=[
                    Answered(instant(row.occurred_at), instant(row.moved_at))
                    for row in turns
                    if row.state == "delivered" and row.set_aside_at is None
                ],
                failed=sum(row.state == "failed" or row.set_aside_at is not None for row in turns),
                calls=calls.number,
                failed_calls=calls.failed or 0,
                owed=connection.execute(_OWED).scalar_one(),
                waiting=sum(waiting.get(state, 0) for state in ("received", "working")),
                postponed=connection.execute(HOW_MANY_WAIT).scalar_one(),
                set_aside=connection.execute(_SET_ASIDE).scalar_one(),
            )

        return await self._database.read(work)

    async def model_days(self, first: date) -> list[ModelDay]:
        rows = await self._database.read(lambda c: c.execute(_MODEL_DAYS, {"first": first.isoformat()}).all())
        return [ModelDay(date.fromisoformat(row.day), int(row.calls), int(row.tokens)) for row in rows]

    async def noted(self, since: datetime) -> list[datetime]:
        found = await self._database.read(lambda c: c.execute(_NOTED, {"since": micros(since)}).scalars().all())
        return [instant(each) for each in found]

    async def company(self) -> Company:
        def work(connection: Connection) -> Company:
            known = {row.id: row for row in connection.execute(_PEOPLE)}
            members = connection.execute(_MEMBERS).all()
            came = {row.person for row in members if row.removed_at is None}
            groups = connection.execute(_GROUPS).all()
            chats = [row.chat for row in groups]
            names = connection.execute(_IN_GROUPS, {"chats": chats}).all() if chats else []
            invitations = connection.execute(_INVITATIONS, {"now": micros(self._now()), "tries": MOST_TRIES})
            return Company(
                [
                    *(_known(row) for row in known.values() if row.id not in came),
                    *(_came(row, known) for row in members),
                ],
                [_group(row, names) for row in groups],
                [(row.role, instant(row.expires_at)) for row in invitations],
                connection.execute(_STRANGERS).scalar_one(),
            )

        return await self._database.read(work)

    async def reminders(self, *, most: int, skip: int) -> list[ReminderRow]:
        rows = await self._database.read(lambda c: c.execute(_REMINDERS.limit(most).offset(skip)).all())
        return [
            ReminderRow(instant(row.next_ring), PersonId(row.owner), row.ref, row.type, row.content) for row in rows
        ]


def _known(row: Row[Any]) -> PersonRow:
    return PersonRow(id=row.id, role=row.role, language=row.language, zone=row.zone, since=instant(row.met_at))


def _came(row: Row[Any], known: dict[str, Row[Any]]) -> PersonRow:
    """Who came by an invitation, or did and was removed."""
    person = known.get(row.person)
    return PersonRow(
        id=row.person,
        role=row.role,
        name=row.name,
        key="" if row.removed_at else row.key,
        language=person.language if person else "",
        zone=person.zone if person else "",
        since=instant(row.came_at) if row.came_at else None,
        removed_at=instant(row.removed_at) if row.removed_at else None,
    )


def _group(row: Row[Any], names: Any) -> GroupRow:
    there = [each.name or each.person for each in names if each.chat == row.chat]
    return GroupRow(row.name, row.state, instant(row.since), there)


# Statements are built once: building one costs more than the database does.

_TURNS = (
    select(INBOX.c.occurred_at, INBOX.c.moved_at, INBOX.c.state, INBOX.c.set_aside_at)
    .where(INBOX.c.moved_at >= bindparam("since"), INBOX.c.turn == INBOX.c.id)
    .where(or_(INBOX.c.state.in_(("delivered", "failed")), INBOX.c.set_aside_at.is_not(None)))
    .order_by(INBOX.c.moved_at.desc())
    .limit(MOST_TURNS)
)

_CALLS = select(
    func.count().label("number"), func.sum(case((TOOL_CALL.c.outcome.in_(FINE), 0), else_=1)).label("failed")
).where(TOOL_CALL.c.at >= bindparam("since"))

_WAITING = select(INBOX.c.state, func.count().label("number")).where(UNSETTLED).group_by(INBOX.c.state)

_OWED = select(func.count()).select_from(INBOX).where(UNSETTLED, INBOX.c.owed_at.is_not(None))

_SET_ASIDE = select(func.count()).select_from(INBOX).where(INBOX.c.set_aside_at.is_not(None))

_MODEL_DAYS = (
    select(ALLOWANCE.c.day, func.sum(ALLOWANCE.c.calls).label("calls"), func.sum(ALLOWANCE.c.tokens).label("tokens"))
    .where(ALLOWANCE.c.day >= bindparam("first"))
    .group_by(ALLOWANCE.c.day)
    .order_by(ALLOWANCE.c.day)
)

_NOTED = (
    select(RECORD.c.created_at)
    .where(RECORD.c.created_at >= bindparam("since"))
    .order_by(RECORD.c.created_at.desc())
    .limit(MOST_RECORDS)
)

_PEOPLE = select(PERSON).order_by(PERSON.c.met_at).limit(MOST_PEOPLE)

_MEMBERS = select(MEMBER).order_by(MEMBER.c.removed_at.is_not(None), MEMBER.c.came_at).limit(MOST_PEOPLE)

_GROUPS = select(HOUSEHOLD).order_by(HOUSEHOLD.c.since.desc()).limit(MOST_GROUPS)

_IN_GROUPS = (
    select(HOUSEHOLD_MEMBER)
    .where(HOUSEHOLD_MEMBER.c.chat.in_(bindparam("chats", expanding=True)), HOUSEHOLD_MEMBER.c.left_at.is_(None))
    .order_by(HOUSEHOLD_MEMBER.c.came_at)
    .limit(MOST_PEOPLE)
)

_INVITATIONS = (
    select(INVITATION.c.role, INVITATION.c.expires_at)
    .where(
        and_(
            INVITATION.c.used_by.is_(None),
            INVITATION.c.expires_at > bindparam("now"),
            INVITATION.c.tries < bindparam("tries"),
        )
    )
    .order_by(INVITATION.c.expires_at)
    .limit(MOST_PEOPLE)
)

_STRANGERS = select(func.count()).select_from(STRANGER)

_REMINDERS = (
    select(RECORD.c.next_ring, RECORD.c.owner, RECORD.c.ref, RECORD.c.type, RECORD.c.content)
    .where(RECORD.c.next_ring.is_not(None), RECORD.c.deleted_at.is_(None))
    .order_by(RECORD.c.next_ring, RECORD.c.id)
)
