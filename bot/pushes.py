"""What a push is worth: how many stay in reserve, and what the owner hears without having asked.

Pure. Must not know a network, how many are left, or how an answer travels.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Final

from bot.ports import ChatId, IncomingMessage, MessageKind
from tools.record import PersonId

RESERVE: Final = 20
"""The last pushes of a month are the operator's, for what is sent by hand; and the network's own count is late."""

FOR_REMINDERS: Final = 30
"""Answers stop so much earlier than reminders: these were asked for at a time, an answer can wait."""

LOW: Final = 2 * RESERVE
"""From here on it is said that they are running out: before reminders begin to wait."""

QUOTA: Final = "quota:"
"""How the id of a turn begins that says so: one a month."""

DISK: Final = "disk:"
"""And of one that says that records do not stay: one for a platform."""

NOTICES: Final = (QUOTA, DISK)
"""What the owner hears unasked, in front of an answer: never worth a push."""

JAPAN: Final = timezone(timedelta(hours=9))
"""Months are counted there: https://developers.line.biz/en/docs/messaging-api/pricing/"""


def month_of(moment: datetime) -> str:
    """The month of a quota, as ``2026-11``."""
    return f"{moment.astimezone(JAPAN):%Y-%m}"


def worth_a_push(left: int | None, *, reminder: bool) -> bool:
    """Whether one of so many may go for this; None is no limit."""
    return left is None or left > (RESERVE if reminder else RESERVE + FOR_REMINDERS)


def notice(owner: PersonId, left: int, now: datetime) -> IncomingMessage:
    """What falls due when they are few: a turn in the owner's own chat, the same one for the whole month."""
    return _to_the_owner(owner, "quota", f"{QUOTA}{month_of(now)}", str(left), now)


def of_disk(owner: PersonId, platform: str, now: datetime) -> IncomingMessage:
    """The same of a disk that is wiped: once, until that has happened."""
    return _to_the_owner(owner, "disk", f"{DISK}{platform}", platform, now)


def _to_the_owner(owner: PersonId, kind: MessageKind, key: str, told: str, now: datetime) -> IncomingMessage:
    return IncomingMessage(
        id=key,
        kind=kind,
        chat=ChatId(owner),
        chat_kind="user",
        person=owner,
        occurred_at=now,
        received_at=now,
        data=told,
    )
