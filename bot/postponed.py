"""Words that wait for the model: what is kept of them, and when they are thought about again.

While the model cannot be reached, one chat at a time tries it now and then. As soon as it has answered anything, all
that waits is due, a few chats at once. What is due comes into the inbox as a row of its own, which holds no words. Must
not know how words are thought about, or how an answer travels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from bot.inbox_ports import InboxPort
from bot.ports import LATER, ChatId, IncomingMessage, LaneId, TurnId, kind_of
from tools.record import Language, PersonId

BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 2, 5, 10, 30))
"""Between two tries while the model is down; the last one for ever."""

CHATS_AT_ONCE = 3
"""A model that is just back is not met by everybody at once."""

LOST_AFTER = timedelta(minutes=10)
"""What was handed to the inbox so long ago and is neither done nor given back is handed there once more: longer than
any turn works."""

GIVE_UP_AFTER = timedelta(hours=24)
"""Then the person is told, once, to say it again: what was meant for a day is of little use after it."""

Outcome = Literal["done", "withdrawn", "given up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a turn could not do without the model. ``turn``: under which its words are thought about; it goes on with
    ``said_in``, the turn in which they were said, or is a new one if the rest of that was done at once: ``done``, the
    lines that were certain. ``told``: of how many calls of ``turn`` the person knows. ``handed``: how often it was
    tried. ``settled_by``: the turn whose answer tells what became of it."""

    turn: TurnId
    said_in: TurnId
    chat: ChatId
    person: PersonId
    language: Language
    words: str
    said_at: datetime
    kept_at: datetime
    done: str = ""
    told: int = 0
    handed: int = 0
    settled_by: TurnId | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Absence:
    """How it stands: ``failures`` in a row (0: the model is there), the moment of the next try, and how many chats
    are trying just now."""

    failures: int
    try_at: datetime
    trying: int


def is_time_to_try(try_at: datetime, now: datetime) -> bool:
    """Whether the next try is not still to come. One that is to come later than any was ever put off was put off by a
    clock that has been set back since."""
    return not now < try_at <= now + BACK_OFF[-1]


class PostponedPort(Protocol):
    """The words that wait, of all chats and for all processes. They are kept until they are settled, and settled
    once."""

    async def keep(self, kept: Kept) -> None:
        """Commit them; of a turn that is known nothing changes."""

    async def kept_of(self, said_in: TurnId) -> Kept | None:
        """What was kept of this turn, settled or not."""

    async def of_chat(self, chat: ChatId, person: PersonId, turn: TurnId) -> list[Kept]:
        """What this person's words are that wait in the chat, or were settled by this very turn; as they were said."""

    async def settle(self, kept: Kept, by: TurnId, outcome: Outcome) -> bool:
        """They wait no more: the answer of ``by`` tells what became of them. False if another turn was first."""

    async def due(self, kept_before: datetime | None, most: int) -> list[Kept]:
        """The first of each chat that nobody is trying and, if a moment is given, that was kept before it; oldest
        first."""

    async def rest(self, kept: Kept, until: datetime) -> None:
        """Nothing of this person's is due in the chat before then."""

    async def handed(self, kept: Kept) -> None:
        """They are in the inbox now, as often as ``kept`` had been and once more."""

    async def absence(self) -> Absence | None:
        """How it stands; None if nothing waits."""

    async def failed(self, chat: ChatId) -> None:
        """The model could not be reached, by this chat: nobody tries before the next moment to try."""

    async def is_back(self) -> None:
        """The model has answered: everything is due."""


class Recovery:
    """What this process knows of the model by having asked it."""

    def __init__(self, postponed: PostponedPort) -> None:
        self._postponed = postponed
        self._answered = False

    def answered(self) -> None:
        """The model has answered: whoever waits can be told at the next look."""
        self._answered = True

    async def failed(self, chat: ChatId) -> None:
        """It could not be reached."""
        self._answered = False
        await self._postponed.failed(chat)

    async def due(self, now: datetime) -> list[Kept]:
        """What should go into the inbox now."""
        answered, self._answered = self._answered, False
        absence = await self._postponed.absence()
        if absence is None:
            return []
        if answered and absence.failures:
            await self._postponed.is_back()
            absence = Absence(0, now, absence.trying)
        room = CHATS_AT_ONCE - absence.trying
        tries = 1 - absence.trying if is_time_to_try(absence.try_at, now) else 0
        most = tries if absence.failures else room
        found = await self._postponed.due(None, most) if most > 0 else []
        if not found and room > 0:
            found = await self._postponed.due(now - GIVE_UP_AFTER, room)
        return found


async def hand_over(recovery: Recovery, postponed: PostponedPort, inbox: InboxPort, now: datetime) -> Sequence[LaneId]:
    """Put what is due into the inbox; the lanes with work now. A row is keyed by its words and how often they were
    tried: found twice, they are tried once."""
    due = await recovery.due(now)
    lanes = await inbox.put([as_message(each, now) for each in due]) if due else []
    for each in due:
        await postponed.handed(each)  # before it can have failed again
    return lanes


def as_message(kept: Kept, now: datetime) -> IncomingMessage:
    """The row that lets the chat go on with what waits in it."""
    return IncomingMessage(
        id=f"{LATER}{kept.turn}:{kept.handed + 1}",
        kind="postponed",
        chat=kept.chat,
        chat_kind=kind_of(kept.chat),
        person=kept.person,
        occurred_at=now,
        received_at=now,
    )
