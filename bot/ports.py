"""The vocabulary of the conversation and its edges: read this first.

Plain frozen dataclasses and one-purpose protocols. Must not know any library, any network, or any store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NewType, Protocol
from zoneinfo import ZoneInfo

from tools.definition import ToolDefinition
from tools.record import Language, PersonId

ChatId = NewType("ChatId", str)
"""Where people talk: LINE's own id of the user (``U…``), group (``C…``) or room (``R…``)."""

LaneId = NewType("LaneId", str)
"""What is worked one turn at a time: a chat, or the taps of a chat that ask for a slow answer."""

TurnId = NewType("TurnId", str)
"""The id of the first message of a turn."""

Message = dict[str, Any]
"""One message of a model conversation, in the Chat Completions shape, kept verbatim with fields we do not know."""

ChatKind = Literal["user", "group", "room"]
MessageKind = Literal[
    "text", "image", "video", "audio", "file", "location", "sticker",  # what a person says or shows
    "postback", "follow",                                              # what a person does
    "reminder",                                                        # what falls due
    "other",                                                           # everything else: kept as an id, never worked
]  # fmt: skip


class Tap(StrEnum):
    """What a button asks for. Its data is this word, a colon, and what it is about."""

    SHOW = "show"  # the answer of that turn
    SAY = "say"  # as if the person had said these words
    UNDO = "undo"  # what that turn changed
    CONFIRM = "confirm"  # what that turn would delete
    KEEP = "keep"  # the same, but no
    DONE = "done"  # the record of that ref, which rang
    SNOOZE = "snooze"  # the same, in a while

    def on(self, about: object) -> str:
        """The data of a button."""
        return f"{self}:{about}"


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """One thing that reached us and may need an answer. Also the shape of an inbox row.

    ``id`` is the key that makes a repeat do nothing (LINE's ``webhookEventId``; for a reminder, record and hour).
    ``person`` is None where LINE does not say who it was. ``text`` is what was said in words (for a sticker its
    keywords, for a location its address), ``data`` a postback's payload. ``answerable`` is False for events on which
    nothing may be sent (standby mode, no one to answer, of no concern).
    """

    id: str
    kind: MessageKind
    chat: ChatId
    chat_kind: ChatKind
    person: PersonId | None
    occurred_at: datetime
    received_at: datetime
    reply_token: str | None = None
    message_id: str | None = None
    text: str = ""
    data: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    quoted_message_id: str | None = None
    mentions_me: bool = False
    redelivered: bool = False
    answerable: bool = True

    @property
    def lane(self) -> LaneId:
        """Who waits behind whom: the chat, but a tap that asks for a slow answer must not wait behind that answer."""
        return LaneId(f"{self.chat}?" if self.data.startswith(Tap.SHOW.on("")) else self.chat)


@dataclass(frozen=True, slots=True)
class Button:
    """A choice under the last bubble; tapping it sends ``data`` back (and shows ``label`` as said)."""

    label: str
    data: str


@dataclass(frozen=True, slots=True)
class Bubble:
    """One thing to say, of any length: the channel cuts it to what its network takes."""

    text: str
    buttons: tuple[Button, ...] = ()


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who talks to the bot. ``language`` follows what they write; home language, zone and currency are
    taken at the first contact and stay."""

    id: PersonId
    language: Language
    home: Language
    zone: ZoneInfo
    currency: str
    role: Literal["owner", "member", "stranger"] = "stranger"


@dataclass(frozen=True, slots=True)
class Turn:
    """The waiting messages of one chat, to be answered once. ``answer`` is set when it only remains to be sent;
    ``more`` says that other work waits behind this turn."""

    id: TurnId
    chat: ChatId
    messages: tuple[IncomingMessage, ...]
    state: Literal["working", "answered", "sending"] = "working"
    answer: tuple[Bubble, ...] | None = None
    more: bool = False

    @property
    def last(self) -> IncomingMessage:
        return self.messages[-1]


class PeoplePort(Protocol):
    """Everyone the bot has met."""

    async def find(self, person: PersonId) -> Person | None:
        """Someone who has been kept, or None."""

    async def keep(self, person: Person) -> None:
        """Remember how this person is spoken to, and what they may."""

    async def first_today(self, stranger: PersonId) -> bool:
        """Whether this stranger has not been told today; from now on they have."""


# ── the model ─────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a model asks for. ``arguments`` is whatever the endpoint sent: usually JSON text, not yet looked at."""

    id: str
    name: str
    arguments: Any


Finish = Literal["stop", "tool_calls", "length", "content_filter", "refusal", "error"]
"""Why an answer ended; ``error`` is whatever an endpoint says that is none of the others."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, as the endpoint counted them."""

    prompt: int = 0
    completion: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a model: the assistant message verbatim, and what we read out of it.

    ``calls`` are the entries of the message's ``tool_calls``, in order. ``finish`` says why the answer ended: its
    calls are carried out only after ``stop`` and ``tool_calls``.
    """

    message: Message
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: Finish = "stop"
    usage: Usage = Usage()


class ModelUnavailable(Exception):
    """No usable answer could be had. ``reason`` is for the operator: never shown to a person or a model."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ChatModelPort(Protocol):
    """An engine: one request, one answer. The loop lives above it."""

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool = True
    ) -> Completion:
        """Ask once. With ``may_call=False`` the model must answer in words (calls in such an answer are never run).
        Raises ModelUnavailable. The caller bounds the time by cancelling."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a turn starts from. ``user`` is this turn's own message; history holds whole earlier exchanges."""

    turn: TurnId
    chat: ChatId
    system: str
    history: tuple[Message, ...]
    user: Message


class LlmPort(Protocol):
    """A prompt and the tools it may use, to the final text. Implemented once, by ToolLoop."""

    async def llm(self, prompt: Prompt, tools: Sequence[ToolDefinition]) -> str:
        """The final text; empty if the model had nothing to say. Raises ModelUnavailable."""


class TranscriptPort(Protocol):
    """What was said, thought and done in a turn. The turn is its transcript: a restart goes on from here."""

    async def append(self, turn: TurnId, chat: ChatId, seq: int, message: Message) -> None:
        """Store one message at its place; storing the same place again keeps the first."""

    async def of_turn(self, turn: TurnId) -> list[Message]:
        """The turn's messages in order."""

    async def history(self, chat: ChatId, before: TurnId, exchanges: int) -> list[Message]:
        """The last exchanges of earlier turns of the chat, oldest first, each a whole unit."""


# ── the inbox ─────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Owed:
    """An answer that was ready and could not be delivered."""

    turn: TurnId
    bubbles: tuple[Bubble, ...]
    maybe_sent: bool


class InboxPort(Protocol):
    """Everything that waits to be answered, and what became of it. States: received, working, answered, sending,
    delivered; or ignored, or failed."""

    async def put(self, messages: Sequence[IncomingMessage]) -> list[LaneId]:
        """Commit, durably, before anything is acknowledged. A known id is a no-op, except that a redelivery of an
        unanswered message renews its reply token. Returns the lanes that have work now."""

    async def lanes_with_work(self) -> list[LaneId]:
        """Lanes with a received message, or a turn that was interrupted."""

    async def take(self, lane: LaneId) -> Turn | None:
        """The interrupted turn of the lane if there is one, else its received messages as a new turn."""

    async def answered(self, turn: TurnId, bubbles: Sequence[Bubble]) -> None:
        """Commit the answer, durably, before it is sent."""

    async def sending(self, turn: TurnId) -> None:
        """An attempt to deliver begins."""

    async def delivered(self, turns: Sequence[TurnId]) -> None:
        """The person has it."""

    async def owe(self, turn: TurnId, *, maybe_sent: bool) -> None:
        """It could not be delivered now: it waits for the chat's next reply."""

    async def spend(self, turn: TurnId) -> None:
        """The turn's reply tokens are used up: for an interim answer."""

    async def answer_of(self, turn: TurnId, chat: ChatId) -> tuple[Bubble, ...] | None:
        """What the turn answered, delivered or not; None while it is being worked on, empty if this chat has no such
        turn."""

    async def owed(self, chat: ChatId) -> list[Owed]:
        """What waits, oldest first."""

    async def fail(self, turn: TurnId) -> None:
        """Set aside: nothing more will be done about it."""


# ── the network ───────────────────────────────────────────────────────────────────────────────────────────────────


class TokenDead(Exception):
    """The reply token is used up or too old: nothing was sent."""


class NotSent(Exception):
    """A call that did not do what it should. ``reason`` is for the operator: never shown to a person."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Refused(NotSent):
    """The network said no, for good: wrong token, no permission, blocked, quota spent. Nothing was sent."""


class Unsure(NotSent):
    """It may have been sent or not: time-out, broken connection, 5xx, rate limit."""


class ChannelPort(Protocol):
    """One network people talk on."""

    async def reply(self, reply_token: str, messages: Sequence[Bubble]) -> list[str]:
        """Answer on a token: free, once. Returns the ids of what was sent. Raises TokenDead, Refused, Unsure."""

    async def push(self, to: ChatId, messages: Sequence[Bubble], retry_key: str) -> list[str]:
        """Speak unasked: costs quota. The same retry key never arrives twice. Raises Refused, Unsure."""

    async def show_working(self, chat: ChatId) -> None:
        """Show that an answer is being made, where the network can; never raises, never matters."""

    async def language_of(self, person: PersonId) -> str | None:
        """The language of the person's profile (BCP 47), or None; never raises."""
