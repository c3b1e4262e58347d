"""Answers that could not be delivered, as statements: which there are, and in front of whose answer they are sent.

Must not know when an answer is owed, or how it travels.
"""

from __future__ import annotations

from sqlalchemy import bindparam, or_, select, update

from bot.sql.inbox_rows import INBOX

OWE = (
    update(INBOX)
    .where(INBOX.c.turn == bindparam("head"))
    .values(owed_at=bindparam("now"), maybe_sent=INBOX.c.maybe_sent.bitwise_or(bindparam("maybe")), tried_token=None)
)

OWED = (
    select(INBOX)
    .where(
        INBOX.c.chat == bindparam("of"),
        INBOX.c.state == "answered",
        INBOX.c.owed_at.is_not(None),
        INBOX.c.id == INBOX.c.turn,
    )
    .order_by(INBOX.c.occurred_at)
)
"""The heads of turns whose answer could not be delivered, oldest first."""

CARRIABLE = OWED.where(
    INBOX.c.turn != bindparam("head"), or_(INBOX.c.carried_by.is_(None), INBOX.c.carried_by == bindparam("head"))
)
"""What may stand in front of a turn's answer: also what already stood there when its worker died."""

CARRIED_BEFORE = OWED.where(INBOX.c.turn != bindparam("head"), INBOX.c.carried_by == bindparam("head"))
"""On a token that was tried nothing new goes: if it is used, only what went with it then has arrived."""

CARRY = (
    update(INBOX)
    .where(
        INBOX.c.turn.in_(bindparam("heads", expanding=True)),
        INBOX.c.state == "answered",
        or_(INBOX.c.carried_by.is_(None), INBOX.c.carried_by == bindparam("head")),
    )
    .values(carried_by=bindparam("head"))
    .returning(INBOX.c.turn)
)

CARRIED = (
    update(INBOX)
    .where(INBOX.c.carried_by == bindparam("head"), INBOX.c.state == "answered")
    .values(state="delivered", moved_at=bindparam("now"))
)
