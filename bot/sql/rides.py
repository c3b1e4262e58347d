"""What is due in a chat in which somebody just speaks, as statements: it rides on the reply that they get anyway.

Must not know what is due, or how a reply travels.
"""

from __future__ import annotations

from sqlalchemy import bindparam, select

from bot.sql.inbox_rows import IN_ORDER, INBOX

RINGS = (
    select(INBOX)
    .where(INBOX.c.lane == bindparam("of"), INBOX.c.state == "received", INBOX.c.kind == "reminder")
    .where(INBOX.c.turn.is_(None))
    .order_by(*IN_ORDER)
)
"""Reminders of a lane that no turn has begun with."""

HELD = select(INBOX.c.id).where(INBOX.c.id == bindparam("head"), INBOX.c.fence == bindparam("fenced")).with_for_update()
"""The head of a turn, if it is still its worker's."""

SPOKEN = select(INBOX.c.id).where(
    INBOX.c.chat == bindparam("of"),
    INBOX.c.state.in_(("received", "working")),
    INBOX.c.reply_token.is_not(None),
    INBOX.c.token_at > bindparam("since"),
)
