"""The edges of what is kept of a conversation: what waits to be answered, what was said, what people may take along.

Plain frozen dataclasses and one-purpose protocols. Must not know any library, any network, or any store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from bot.ports import Bubble, ChatId, IncomingMessage, LaneId, Turn, TurnId
from tools.record import PersonId


@dataclass(frozen=True, slots=True)
class Answer:
    """What a turn answered. ``on_its_way``: it is being sent, or waits for the chat's next reply, and comes by
    itself. ``is_given_up``: it was set aside without one."""

    bubbles: tuple[Bubble, ...] = ()
    on_its_way: bool = False
    is_given_up: bool = False


@dataclass(frozen=True, slots=True)
class LastSaid:
    """The newest thing the bot said in a chat, and when the person had it."""

    turn: TurnId
    bubbles: tuple[Bubble, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Owed:
    """An answer that was ready and could not be delivered."""

    turn: TurnId
    bubbles: tuple[Bubble, ...]
    maybe_sent: bool


@dataclass(frozen=True, slots=True)
class Sent:
    """A message as it went out: the network's own id, what it said, and of which turn; "" where that is not one."""

    id: str
    text: str
    turn: TurnId


@dataclass(frozen=True, slots=True)
class Said:
    """What a message was, by either side. ``by`` is None where the secretary spoke; ``turn`` is the one it belongs to,
    None before that has begun."""

    turn: TurnId | None
    by: PersonId | None
    text: str


class SaidPort(Protocol):
    """What was said on the network, by the network's ids of the messages; as long as words are kept."""

    async def keep(self, turn: Turn, sent: Sequence[Sent]) -> None:
        """These went out for this turn, beside its answer."""

    async def find(self, chat: ChatId, message_id: str) -> Said | None:
        """The message of this chat with that id, or None if it is not known, or not any more."""


class InboxPort(Protocol):
    """Everything that waits to be answered, and what became of it. Several processes may share it: a lane is worked by
    the one that claimed it; a claim that is not renewed runs out, and the turn is taken by another. Whatever moves a
    turn raises ClaimLost if that has happened."""

    async def put(self, messages: Sequence[IncomingMessage]) -> list[LaneId]:
        """Commit, durably; of a known message only an unanswered one's token is renewed. The lanes with work now."""

    async def lanes_with_work(self) -> list[LaneId]:
        """Lanes that nobody works, with a received message or a turn that was interrupted."""

    async def take(self, lane: LaneId) -> Turn | None:
        """Claim the lane: its interrupted turn, else a new one of what was received. None if there is neither, and the
        lane is given back; or if another process works it."""

    async def take_rings(self, turn: Turn) -> Turn | None:
        """What is due in the chat while this turn is worked on, as a turn of its own under the same claim: it rides on
        this one's reply."""

    async def is_spoken_to(self, chat: ChatId, since: datetime) -> bool:
        """Whether something waits there to be answered on a reply token that came after that."""

    async def begins(self, turn: Turn) -> None:
        """A suspect turn is worked on from now: a death counts."""

    async def renew(self) -> None:
        """What this process has claimed stays claimed for another while."""

    async def let_go(self) -> None:
        """Give everything back that this process has claimed: it ends in order."""

    async def answered(self, turn: Turn, bubbles: Sequence[Bubble], *, set_aside: bool = False) -> None:
        """Commit the answer, durably, before it is sent. ``set_aside`` marks a turn that was given up; any other one
        raises Stopped if it was to be stopped meanwhile."""

    async def sending(
        self, turn: Turn, token: str | None, choose: Callable[[Sequence[Owed]], Sequence[Owed]]
    ) -> list[Owed]:
        """An attempt on this token (None: a push) begins; with it those owed answers go that are chosen and free."""

    async def delivered(self, turn: Turn, sent: Sequence[Sent] = ()) -> None:
        """The person has it, and what stood in front of it; in these messages, as far as that is known."""

    async def owe(self, turn: Turn, *, maybe_sent: bool) -> None:
        """It could not be delivered now: it waits for the chat's next reply."""

    async def spend(self, turn: Turn) -> None:
        """The turn's reply tokens are used up: for an interim answer."""

    async def fail(self, turn: Turn) -> None:
        """Set aside without a word, until the operator says otherwise."""

    async def answer_of(self, turn: TurnId, chat: ChatId) -> Answer | None:
        """What the turn answered; None while it is being worked on, empty if this chat has no such turn."""

    async def owed(self, chat: ChatId) -> list[Owed]:
        """What waits, oldest first."""


class LastSaidPort(Protocol):
    """What a person answers with a single word."""

    async def before(self, turn: Turn) -> LastSaid | None:
        """What was delivered last in the chat of this turn; None if nothing was, or it is not known any more."""

    async def speaker(self, turn: str) -> PersonId | None:
        """Who said or did what this turn, or one that went on with it, began with; None if that is not known."""


# ── what a person may take along, and that they may go ────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What came of a tap that agrees to be forgotten: it was done with so many ``records``, it had been done before, or
    the question is too old."""

    outcome: Literal["done", "before", "too late"]
    records: int = 0


class ForgettingPort(Protocol):
    """Forgets a person, by their own tap."""

    async def ask(self, turn: Turn, person: PersonId) -> None:
        """The question is put in this turn, and stands for ten minutes; an earlier one does not any more."""

    async def finish(self) -> None:
        """Take away the last traces, as soon as they can go; and again whenever the house is cleaned."""

    async def agree(self, asked: TurnId, turn: Turn, person: PersonId) -> Forgotten | None:
        """Forget everything of this person, if they were asked in that turn; once. None if they were not. Found again
        by the same turn, it says the same."""


class ExportsPort(Protocol):
    """Links to what a person takes along."""

    async def offer(self, person: PersonId) -> str:
        """A secret that opens, once and within the hour, what this person has; an earlier one opens nothing any
        more."""
