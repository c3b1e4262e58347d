"""The vocabulary of the conversation and its edges: read this first.

Plain frozen dataclasses and one-purpose protocols. Must not know any library, any network, or any store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, Literal, NewType, Protocol
from zoneinfo import ZoneInfo

from bot.card import Button as Button  # noqa: PLC0414 - the vocabulary is read from here
from bot.card import Card
from tools.moments import Hours
from tools.record import Language, PersonId

ChatId = NewType("ChatId", str)
"""Where people talk: LINE's own id of the user (``U…``), group (``C…``) or room (``R…``)."""

LaneId = NewType("LaneId", str)
"""What is worked one turn at a time: a chat, or the taps of a chat that ask for a slow answer."""

TurnId = NewType("TurnId", str)
"""The id of the first message of a turn."""

LATER = "later:"
"""How the id of a turn begins that goes on with what waited for the model."""

HEARD = "heard:"
"""How the id of such a turn begins if its words were spoken: they count as what the person did not write."""

RINGING = "ring:"
"""How the id of a reminder that is due begins: what it says tells its hour."""

KEPT = "kept:"
"""How the id under which a turn's own notes are made begins: a model numbers its calls for itself."""

BACK = "back"
"""Of a friend who had blocked the bot, and does so no more."""

TYPED = "typed"
"""Among the ``params`` of a sticker: the words that its sender wrote on it."""

ChatKind = Literal["user", "group", "room"]


def kind_of(chat: ChatId) -> ChatKind:
    """What a chat is, by its id."""
    return "group" if chat.startswith("C") else "room" if chat.startswith("R") else "user"


MessageKind = Literal[
    "text", "image", "video", "audio", "file", "location", "sticker",  # what a person says or shows
    "postback", "follow",                                              # what a person does
    "edited", "unsend", "unfollow",                                    # what a person thinks better of
    "reminder", "postponed", "quota", "disk", "news",                  # what falls due
    "join", "leave", "members_came", "members_left",                   # who is in a group from now on
    "other",                                                           # everything else: kept as an id, never worked
]  # fmt: skip

WORDS: Final[frozenset[MessageKind]] = frozenset({"text", "edited"})
"""Kinds of messages that are words."""


class Tap(StrEnum):
    """What a button asks for. Its data is this word, a colon, and what it is about."""

    SHOW = "show"  # the answer of that turn
    SAY = "say"  # as if the person had said these words
    ABOUT = "about"  # the same, of the record of that ref: ``about:12:words``
    UNDO = "undo"  # what that turn changed
    CONFIRM = "confirm"  # what that turn would delete
    KEEP = "keep"  # the same, but no
    DONE = "done"  # the record of that ref
    SNOOZE = "snooze"  # the same, which rang: again in a while
    FOLLOWING = "following"  # all times that follow, of what that turn moved or left out
    ONLY = "only"  # the same, but this one alone
    STOP = "stop"  # the same: no more, if it comes again
    WHEN = "when"  # the same: at the moment that was picked
    MEANT = "meant"  # one of the two times that words of that turn may mean: ``meant:0:1:turn``
    FORGET = "forget"  # the person, who was asked in that turn
    REMEMBER = "remember"  # the same, but no
    ENABLE = "enable"  # the list of this group
    SETTLED = "settled"  # what this group had paid until that moment
    REMOVE = "remove"  # the member of that key, once it is certain
    REMOVED = "removed"  # the same, certain

    def on(self, about: object) -> str:
        """The data of a button."""
        return f"{self}:{about}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """What a message is said to be that is no words: bytes, milliseconds, degrees; 0 or None where that is not known.
    ``set_id``: pictures sent together share one, each is the ``index``-th (from 1) of ``total``. ``elsewhere``: it does
    not lie at the network."""

    size: int = 0
    duration: int = 0
    set_id: str = ""
    index: int = 0
    total: int = 0
    elsewhere: bool = False
    latitude: float | None = None
    longitude: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """One thing that reached us and may need an answer; also the shape of an inbox row.
    ``id`` is the key that makes a repeat do nothing (LINE's ``webhookEventId``; for a reminder, record and hour).
    ``person`` is None where LINE does not say who it was. ``text`` is what was said in words (a sticker's keywords, a
    place's address), ``data`` a postback's payload; of an edited message, the turn that was made of it before; of a new
    friend, ``BACK`` if they are no new one; or the ids of those who came or went. ``answerable`` is False where nothing
    may be sent. ``stops``: these words stop what is being done, if anything is. ``quoted_text``: what it quotes of
    others, once that is looked up. ``quote_token`` lets an answer show what it answers.
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
    media: Media | None = None
    redelivered: bool = False
    answerable: bool = True
    stops: bool = False
    quoted_text: str = ""
    quote_token: str | None = None

    @property
    def owner(self) -> PersonId:
        """Whose it is what it brings: where several talk, the group's."""
        return (self.person if self.chat_kind == "user" else None) or PersonId(self.chat)

    @property
    def lane(self) -> LaneId:
        """Who waits behind whom: the chat, but a tap that asks for a slow answer must not wait behind that answer."""
        return LaneId(f"{self.chat}?" if self.data.startswith(Tap.SHOW.on("")) else self.chat)


@dataclass(frozen=True, slots=True)
class ImageLink:
    """Where a picture can be fetched, whole, small, and as large as a card takes it: JPEG, over HTTPS."""

    original: str
    preview: str
    on_card: str = ""


@dataclass(frozen=True, slots=True)
class Bubble:
    """One thing to say, of any length: the channel cuts it to what its network takes. ``text`` says all of it, also
    what a ``card`` shows; where there can be no card, it is what is said. ``image`` is shown under it, unless it is
    on the card. ``stays``: its buttons stand in it for ever, where the network has such; others vanish with the next
    message."""

    text: str
    buttons: tuple[Button, ...] = ()
    card: Card | None = None
    image: ImageLink | None = None
    stays: bool = False
    quote: str | None = None
    """The quote token of what it answers, where several people talk."""

    def headed(self, head: str) -> Bubble:
        """With a line in front."""
        card = self.card and replace(self.card, beside="\n".join(filter(None, [head, self.card.beside])))
        return replace(self, text=f"{head}\n{self.text}", card=card)

    @property
    def asks(self) -> bool:
        """Whether it is about something that waits for a tap."""
        return any(button.data.startswith(Tap.CONFIRM.on("")) for button in self.buttons)


def questions_last(bubbles: Sequence[Bubble]) -> list[Bubble]:
    """A network shows the buttons of the last bubble that has any: what waits for a tap must be it."""
    return sorted(bubbles, key=lambda each: each.asks)


@dataclass(frozen=True, slots=True)
class Person:
    """Who talks to the bot. ``language`` follows what they write, unless they said which and it stays
    (``keeps_language``); what else is taken at the first contact stays until they say otherwise. ``differs``: met in
    this very turn, and their words are in another language than their profile."""

    id: PersonId
    language: Language
    home: Language
    zone: ZoneInfo
    currency: str
    role: Literal["owner", "member", "guest", "stranger"] = "stranger"
    keeps_language: bool = False
    hours: Hours = field(default_factory=Hours)
    differs: bool = field(default=False, compare=False)


Stop = Literal["said", "unsent", "edited"]
"""Why a turn is to be done no further: the person said so, took a message of it back, or wrote it anew."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The waiting messages of one chat, to be answered once. ``answer`` is set when it only remains to be sent, on
    ``tried_token`` if that was tried. ``resumed``: begun before. ``fence``: the claim under which it was taken, whose
    holder alone moves it. ``deaths``: of processes that worked on it. ``stop``: why it is to be done no further, not
    heeded yet; ``stopped``: the same, heeded, ``restarts`` times. ``none_regretted``: when it was taken, nothing had
    been taken back in its chat of which nobody has spoken."""

    id: TurnId
    chat: ChatId
    lane: LaneId
    messages: tuple[IncomingMessage, ...]
    state: Literal["working", "answered", "sending"] = "working"
    answer: tuple[Bubble, ...] | None = None
    resumed: bool = True
    fence: int = 0
    deaths: int = 0
    tried_token: str | None = None
    stop: Stop | None = None
    stopped: Stop | None = None
    restarts: int = 0
    none_regretted: bool = False

    @property
    def thought_as(self) -> list[TurnId]:
        """The ids under which it has been thought about: begun anew, it does nothing under an old one."""
        return [self.id, *(TurnId(f"again{number}:{self.id}"[:80]) for number in range(1, self.restarts + 1))]

    @property
    def last(self) -> IncomingMessage:
        return self.messages[-1]

    @property
    def is_suspect(self) -> bool:
        """Two processes died beside it, perhaps of it: the next try is made alone, and tells."""
        return self.deaths > 1


class ClaimLost(Exception):
    """Another process works on this turn now, and goes on from what is stored: whoever hears this leaves it alone."""


class Stopped(ClaimLost):
    """The person wants this turn no further. As with a lost claim, whoever is at work on it leaves it as it is."""


class PeoplePort(Protocol):
    """Everyone the bot has met."""

    async def find(self, person: PersonId) -> Person | None:
        """Someone who has been kept, or None."""

    async def keep(self, person: Person) -> None:
        """Remember how this person is spoken to, and what they may."""

    async def first_today(self, stranger: PersonId, turn: TurnId) -> bool:
        """Whether this stranger has not been told today, but in this very turn; from now on they have."""


class DoorPort(Protocol):
    """Who has paired with the bot, and the code that pairs: the same for every process that shares the store."""

    async def owners(self) -> list[PersonId]:
        """Who has paired, in the order of their coming."""

    async def code(self) -> str | None:
        """The code that pairs; None once someone has, or after too many wrong ones."""

    async def guess(self, code: str) -> bool:
        """Whether this is the code. If it is not, it counts as a wrong one."""

    async def pair(self, person: Person, code: str) -> bool:
        """Make this person the owner if the code is right, and nobody's else by now. Whether they are."""


# ── the network ───────────────────────────────────────────────────────────────────────────────────────────────────


class TokenDead(Exception):
    """The reply token is used up or too old."""


class NotSent(Exception):
    """A call that did not do what it should. ``reason`` is for the operator: never shown to a person."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Refused(NotSent):
    """The network said no, for good: wrong token, no permission, blocked, quota spent. Nothing was sent."""


class Unsure(NotSent):
    """It may have been sent or not: time-out, broken connection, 5xx."""


class Busy(NotSent):
    """The network takes no more at this moment. Nothing was sent; the same may go a little later."""


class ChannelPort(Protocol):
    """One network people talk on."""

    async def reply(self, reply_token: str, messages: Sequence[Bubble]) -> list[str]:
        """Answer on a token: free, once. Returns the ids of what was sent. Raises TokenDead, Refused, Unsure,
        Busy."""

    async def push(self, to: ChatId, messages: Sequence[Bubble], retry_key: str) -> list[str]:
        """Speak unasked: costs quota. The same retry key never arrives twice. Raises Refused, Unsure,
        Busy."""

    async def pushes_left(self) -> int | None:
        """Pushes that this month still has; None for no limit, or if nobody knows. Asked rarely; never raises."""

    def pushes_known(self) -> int | None:
        """The same, as far as it is known by now: nothing is asked."""

    async def show_working(self, chat: ChatId) -> None:
        """Show that an answer is being made, where the network can; never raises, never matters."""

    async def language_of(self, person: PersonId) -> str | None:
        """The language of the person's profile (BCP 47), or None; never raises."""
