"""A person is forgotten: everything of theirs goes in one transaction, and the last traces of saying so behind it.

What is theirs is found by the names of columns, in every table there is: ``person``, ``owner``, ``chat``,
``record_id``. A table that holds people under another name has to be named here; a test sees to it. What they wrote on
the list of a group stays that group's, and does not name them any more. Must not know what a row means, or what the
person is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Integer,
    Row,
    String,
    Table,
    and_,
    cast,
    delete,
    func,
    literal,
    or_,
    select,
    update,
)

from bot.inbox_ports import Forgotten
from bot.ports import ChatId, IncomingMessage, Turn, TurnId
from bot.sql.exports import EXPORT_LINK
from bot.sql.groups import HOUSEHOLD
from bot.sql.inbox_rows import INBOX, message_to_json
from bot.sql.members import INVITATION, forget_member
from bot.sql.people import PERSON, STRANGER
from bot.sql.postponed import POSTPONED
from bot.sql.said import SAID
from tools.database import Database, insert_new, instant, metadata, micros
from tools.record import PersonId
from tools.sql.attachments import let_go
from tools.sql.change import CHANGE
from tools.sql.record import OWNER, RECORD, to_json

FAREWELL = Table(
    "farewell",
    metadata,
    Column("asked_in", String(80), primary_key=True),
    Column("person", String(64)),
    Column("asked_at", BigInteger, nullable=False),
    Column("agreed_in", String(80)),
    Column("agreed_at", BigInteger),
    Column("records", Integer),
)
"""A wish to be forgotten, by the turn in which it was said, and the one in which it was agreed to. ``person`` goes when
the last trace of that turn has. Times in microseconds, UTC."""

ASKED_FOR = timedelta(minutes=10)
"""So long the question stands."""

TOLD_FOR = timedelta(days=30)
"""So long it is known that a wish was carried out, and no longer whose it was: a tap that comes again is told so."""

NOBODY = ChatId("forgotten")
"""The chat of messages whose ids stay, so that a repeat is known."""

KEPT = {
    "inbox": "the id stays, so that a repeat is known; whose it was and what was said goes",
    "farewell": "carries the forgetting out, and forgets whose it was",
    "pairing": "that the bot is somebody's stays: a bot without an owner would be the next one's who finds the code",
    "claim": "is gone by itself as soon as nothing waits in the chat",
}
"""Tables that hold people and are not simply emptied of them, and why."""

NOBODYS = frozenset({"absence", "admin_session", "audit_key", "endpoint", "horizon", "notion_state", "notion_trash"})
"""Tables that hold nobody."""

OWN = {"person": PERSON.c.id, "stranger": STRANGER.c.id, "invitation": INVITATION.c.used_by}
"""Tables that hold people under another name."""

UNNAMED = frozenset({HOUSEHOLD.c.enabled_by, RECORD.c.author, RECORD.c.payer})
"""Columns that name somebody in what is a group's: that stays, without the name."""

GiveUp = Callable[[Connection, PersonId, datetime], int]
"""What a mirror does in the transaction in which an owner's records go."""


def theirs(table: Table, person: PersonId, chat: ChatId, number: int | None) -> ColumnElement[bool] | None:
    """Which rows of a table are this person's; None for a table that holds nobody, or is not simply emptied.
    ``number`` stands for the person in the search index."""
    column = table.c
    if table.name in KEPT or table.name in NOBODYS:
        return None
    if table.name in OWN:
        return OWN[table.name] == person
    if "owner" in column:
        return column.owner == (person if isinstance(column.owner.type, String) else number)
    if "person" in column:
        return or_(column.person == person, column.chat == chat) if "chat" in column else column.person == person
    if "record_id" in column:
        return column.record_id.in_(select(RECORD.c.id).where(RECORD.c.owner == person))
    if "chat" not in column:
        return None
    return or_(column.chat == chat, _thought_for(column.turn, person)) if "turn" in column else column.chat == chat


def _thought_for(turn: Column[Any], person: PersonId) -> ColumnElement[bool]:
    """Of any chat: the turns in which they were heard, also begun anew, and those in which what waited goes on."""
    theirs = and_(_heard_from(person), INBOX.c.turn.is_not(None))
    anew = [
        literal("again").concat(cast(INBOX.c.restarts - back, String)).concat(":").concat(INBOX.c.turn)
        for back in (0, 1)
    ]
    heard = [turn.in_(select(named).where(theirs)) for named in (INBOX.c.turn, *anew)]
    return or_(*heard, turn.in_(select(POSTPONED.c.turn).where(POSTPONED.c.person == person)))


class SqlForgetting:
    """The ForgettingPort. ``give_up`` is told of the owner before the records go."""

    def __init__(self, database: Database, now: Callable[[], datetime], give_up: GiveUp) -> None:
        self._database = database
        self._now = now
        self._give_up = give_up

    async def ask(self, turn: Turn, person: PersonId) -> None:
        row = {"asked_in": turn.id, "person": person, "asked_at": micros(self._now())}

        def work(connection: Connection) -> None:
            connection.execute(delete(FAREWELL).where(FAREWELL.c.person == person, FAREWELL.c.agreed_in.is_(None)))
            insert_new(connection, FAREWELL, row)

        await self._database.write(work)

    async def agree(self, asked: TurnId, turn: Turn, person: PersonId) -> Forgotten | None:
        def work(connection: Connection) -> Forgotten | None:
            wish = connection.execute(
                select(FAREWELL).where(FAREWELL.c.asked_in == asked).with_for_update()
            ).one_or_none()
            if wish is None or wish.person not in {person, None}:
                return None
            if wish.agreed_in == turn.id:
                connection.execute(delete(PERSON).where(PERSON.c.id == person))  # who is answered has been met anew
                return Forgotten("done", wish.records)
            if wish.agreed_in:
                return Forgotten("before")
            if self._now() - instant(wish.asked_at) > ASKED_FOR:
                return Forgotten("too late")
            records = _living(connection, person)
            agreed = {"agreed_in": turn.id, "agreed_at": micros(self._now()), "records": records}
            connection.execute(update(FAREWELL).where(FAREWELL.c.asked_in == asked).values(agreed))
            self._forget(connection, turn, person)
            return Forgotten("done", records)

        return await self._database.write(work)

    def _forget(self, connection: Connection, turn: Turn, person: PersonId) -> None:
        """Whoever writes a record of theirs at this moment waits until they are gone, and begins afresh."""
        chat = ChatId(person)  # where they talk alone
        number = connection.execute(select(OWNER.c.no).where(OWNER.c.person == person).with_for_update()).scalar()
        connection.execute(select(RECORD.c.id).where(RECORD.c.owner == person).with_for_update()).all()
        self._give_up(connection, person, self._now())
        forget_member(connection, person, micros(self._now()))
        tables = metadata.sorted_tables[::-1]  # what refers to a row goes before it
        for table in sorted(tables, key=lambda each: ("record_id" not in each.c, "person" in each.c)):
            which = theirs(table, person, chat, number)
            if which is not None:
                connection.execute(delete(table).where(which))
        _unname_in_groups(connection, person)
        others = and_(FAREWELL.c.person == person, FAREWELL.c.agreed_in.is_(None))
        connection.execute(delete(FAREWELL).where(others))
        self._silence(connection, turn, person)
        self._unname(connection, and_(_heard_from(person), INBOX.c.turn != turn.id))

    def _silence(self, connection: Connection, turn: Turn, person: PersonId) -> None:
        """What they are still owed is not said any more."""
        ready = INBOX.c.state.in_(("answered", "sending"))
        owed = and_(_heard_from(person), ready, INBOX.c.turn != turn.id)
        gone = {"state": "failed", "moved_at": micros(self._now()), "carried_by": None}
        connection.execute(update(INBOX).where(owed).values(gone))

    def _unname(self, connection: Connection, which: ColumnElement[bool]) -> None:
        """Of what is settled the id stays."""
        settled = INBOX.c.state.in_(("delivered", "failed", "ignored"))
        rows = connection.execute(select(INBOX).where(which, settled)).all()
        let_go(connection, [row.message_id for row in rows if row.message_id])
        for row in rows:
            alone = row.chat == json.loads(row.message).get("person", row.chat)
            where = {"chat": NOBODY, "lane": NOBODY} if alone else {}
            empty = {"message": _nothing_of(row), "reply_token": None, "tried_token": None, "answer": None}
            gone = {**where, **empty, "kind": "other", "message_id": None, "set_aside_at": None, "owed_at": None}
            connection.execute(update(INBOX).where(INBOX.c.id == row.id).values(gone))

    # ── behind it ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def finish(self) -> None:
        """Take away what could not go before the last sentence was said, and whatever of this is old."""
        open_yet = select(FAREWELL).where(FAREWELL.c.person.is_not(None), FAREWELL.c.agreed_in.is_not(None))
        for wish in await self._database.read(lambda c: list(c.execute(open_yet).all())):
            await self._database.write(partial(self._end, wish), durable=False)
        await self._database.write(self._let_go, durable=False)

    def _end(self, wish: Row[Any], connection: Connection) -> None:
        """The wish is nobody's as soon as the turn that carried it out is settled."""
        before = or_(INBOX.c.turn == wish.agreed_in, INBOX.c.token_at <= wish.agreed_at)
        connection.execute(delete(SAID).where(SAID.c.chat == wish.person, _said_before(wish)))
        self._unname(connection, and_(_heard_from(PersonId(wish.person)), before))
        unsettled = INBOX.c.state.not_in(("delivered", "failed", "ignored"))
        still = select(INBOX.c.id).where(INBOX.c.turn == wish.agreed_in, unsettled, INBOX.c.owed_at.is_(None))
        if connection.execute(still).first() is None:
            connection.execute(update(FAREWELL).where(FAREWELL.c.asked_in == wish.asked_in).values(person=None))

    def _let_go(self, connection: Connection) -> None:
        now = self._now()
        asked, told = micros(now - ASKED_FOR), micros(now - TOLD_FOR)
        idle = and_(FAREWELL.c.agreed_in.is_(None), FAREWELL.c.asked_at < asked)
        done = and_(FAREWELL.c.person.is_(None), FAREWELL.c.agreed_at < told)
        connection.execute(delete(FAREWELL).where(or_(idle, done)))
        connection.execute(delete(EXPORT_LINK).where(EXPORT_LINK.c.expires_at < micros(now)))


def _living(connection: Connection, person: PersonId) -> int:
    mine = select(func.count()).select_from(RECORD).where(RECORD.c.owner == person, RECORD.c.deleted_at.is_(None))
    return int(connection.execute(mine).scalar_one())


def _said_before(wish: Row[Any]) -> ColumnElement[bool]:
    return or_(SAID.c.turn == wish.agreed_in, SAID.c.at <= wish.agreed_at)


def _unname_in_groups(connection: Connection, person: PersonId) -> None:
    """What they wrote or paid on the list of a group is nobody's there; so is it in what is known of its changes. A new
    revision each, for the mirror. Whoever writes in such a group at this moment waits."""
    by_them = or_(RECORD.c.author == person, RECORD.c.payer == person)
    told_of = or_(*(side.contains(json.dumps(person), autoescape=True) for side in (CHANGE.c.before, CHANGE.c.after)))
    groups = or_(
        OWNER.c.person.in_(select(RECORD.c.owner).where(by_them)),
        OWNER.c.person.in_(select(CHANGE.c.owner).where(told_of)),
    )
    connection.execute(select(OWNER.c.no).where(groups).order_by(OWNER.c.no).with_for_update()).all()
    for row in connection.execute(select(CHANGE).where(told_of)).all():
        sides = {side: _without(person, getattr(row, side), row.owner) for side in ("before", "after")}
        connection.execute(update(CHANGE).where(CHANGE.c.seq == row.seq).values(**sides, result="{}"))
    for column, nobody in ((RECORD.c.author, None), (RECORD.c.payer, RECORD.c.owner)):
        named = update(RECORD).where(column == person)
        connection.execute(named.values({column.name: nobody, "rev": RECORD.c.rev + 1}))
    connection.execute(update(HOUSEHOLD).where(HOUSEHOLD.c.enabled_by == person).values(enabled_by=None))


def _without(person: PersonId, row: str | None, owner: str) -> str | None:
    """A record as it was, in which the group itself has paid: without anybody, the author would have."""
    if row is None:
        return None
    record = json.loads(row)
    author, payer = record.get("author"), record.get("payer")
    named = {"author": None if author == person else author, "payer": owner if payer == person else payer}
    return to_json(record | named)


def _heard_from(person: PersonId) -> ColumnElement[bool]:
    """What they said, wherever it was, and what happened in their own chat."""
    by_them = INBOX.c.message.contains(f'"person": {json.dumps(person)}', autoescape=True)
    return or_(INBOX.c.chat == person, by_them)


def _nothing_of(row: Row[Any]) -> str:
    moment = instant(row.occurred_at)
    kept = IncomingMessage(
        id=row.id,
        kind="other",
        chat=NOBODY,
        chat_kind="user",
        person=None,
        occurred_at=moment,
        received_at=moment,
        answerable=False,
    )
    return message_to_json(kept)


def tables_that_hold_somebody() -> Sequence[Table]:
    """Every table from which the rows of a person are taken."""
    example = PersonId("somebody"), ChatId("somebody"), 0
    return [table for table in metadata.sorted_tables if theirs(table, *example) is not None]
