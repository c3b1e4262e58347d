"""The vocabulary of thinking and its edges: a prompt, a model's answer, the tools it asks for, the transcript.

Plain frozen dataclasses and one-purpose protocols. Must not know any network, any store, or any library
but the one in which shapes are written down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, Protocol, TypeVar

from pydantic import BaseModel

from bot.ports import ChatId, TurnId
from tools.definition import ToolDefinition
from tools.record import PersonId

Shape = TypeVar("Shape", bound=BaseModel)

Message = dict[str, Any]
"""One message of a model conversation, in the Chat Completions shape, kept verbatim with fields we do not know."""


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
    """One answer of a model: the assistant message verbatim, and what we read out of it. ``calls`` are the entries of
    its ``tool_calls``, in order; they are carried out only if it ended by ``stop`` or ``tool_calls``. ``fault``: what
    the endpoint found wrong with calls that it kept back, in its words; with that told, the model may mend them."""

    message: Message
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: Finish = "stop"
    usage: Usage = Usage()
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One request to an endpoint and what came of it, for the operator's log. ``sent`` is the request's body, ``came``
    the reply's: its JSON, or its text. ``status`` is None if nothing came. ``error`` says why it gave no answer,
    ``adaptation`` what was changed for the next one."""

    engine: str
    sent: Mapping[str, Any]
    status: int | None
    came: Any
    usage: Usage
    seconds: float
    error: str = ""
    adaptation: str = ""


class ModelUnavailable(Exception):
    """No usable answer could be had. ``reason`` is for the operator: never shown to a person or a model."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PromptTooLong(ModelUnavailable):
    """The request is longer than the model reads: with less of the past it may be answered."""


class PromptRefused(ModelUnavailable):
    """The endpoint does not take the request, for a reason that is not understood: with none of the past it may."""


class AllowanceSpent(ModelUnavailable):
    """The person has had what one day gives: there is more tomorrow."""


class CannotSee(ModelUnavailable):
    """The model takes no pictures, or not these: what is in them cannot be had from it."""


class CannotHear(ModelUnavailable):
    """There is nobody who writes down what is said: what is in a voice message cannot be had."""


class AnswerUnreadable(Exception):
    """The model answered, twice, with something else than the object that was asked for."""

    def __init__(self) -> None:
        super().__init__("the model's answer could not be read as what was asked for")


class ChatModelPort(Protocol):
    """An engine: one request, one answer. The loop lives above it."""

    @property
    def bytes_per_token(self) -> float:
        """How many bytes of a request (UTF-8 JSON) this model counts as one token, learned from its own counts."""

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool = True
    ) -> Completion:
        """Ask once; with ``may_call=False`` for words alone. Cancelling bounds the time. An engine that sends more than
        one request for it counts each further one with ``bot.thinking.meter`` before it does. Raises ModelUnavailable,
        PromptTooLong, PromptRefused."""


class EndpointsPort(Protocol):
    """What was learned of each model at each endpoint, kept in the store: a restart need not learn it again."""

    async def learned(self, name: str) -> Mapping[str, Any]:
        """What is kept under this name, as JSON values; empty if nothing is. Raises StoreUnavailable."""

    async def keep(self, name: str, learned: Mapping[str, Any]) -> None:
        """Add to what is kept: a key that is there already gets the new value. Raises StoreUnavailable."""


class AllowancePort(Protocol):
    """What one person may cost in one day, kept in the store: a restart gives nothing back."""

    async def reserve(self, person: PersonId, day: date, tokens: int) -> bool:
        """Count one request of so many tokens before it is sent; False, and nothing counted, if that is too much."""

    async def settle(self, person: PersonId, day: date, tokens: int) -> None:
        """Add what the request cost more than was reserved for it (less: a negative number)."""

    async def left(self, person: PersonId, day: date) -> float:
        """The part of this day's share that is left, from 1 to 0: of calls or of tokens, whichever is less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a turn starts from: who asks on which day of theirs, earlier exchanges, and the turn's own message.
    ``untrusted``: that holds what the caller did not write. A ``resumed`` one has a transcript."""

    turn: TurnId
    chat: ChatId
    person: PersonId
    day: date
    system: str
    history: tuple[Message, ...]
    user: Message
    untrusted: bool = False
    resumed: bool = True


class LlmPort(Protocol):
    """A prompt and the tools it may use, to the final text. Implemented once, by ToolLoop."""

    async def llm(self, prompt: Prompt, tools: Sequence[ToolDefinition]) -> str:
        """The final text; empty if the model had nothing to say. Raises ModelUnavailable."""


class AskPort(Protocol):
    """A prompt to one object of a known shape. Implemented once, by ToolLoop."""

    async def ask(self, prompt: Prompt, model: type[Shape]) -> Shape:
        """One answer that is exactly this; nothing of it is stored. A picture in the prompt is a content part of type
        ``image_url``, with a word in place of its address. Raises ModelUnavailable, CannotSee, AnswerUnreadable."""


class TranscriptionPort(Protocol):
    """Writes down what is said in a voice message."""

    async def transcribe(self, audio: bytes, media_type: str) -> str:
        """The words; empty if none were heard. Raises ModelUnavailable, CannotHear."""


class TranscriptPort(Protocol):
    """What was said, thought and done in a turn. The turn is its transcript: a restart goes on from here."""

    async def append(self, turn: TurnId, chat: ChatId, seq: int, messages: Sequence[Message]) -> None:
        """Store messages at their places, the first at ``seq``. Raises ClaimLost if a place is taken."""

    async def of_turn(self, turn: TurnId) -> list[Message]:
        """The turn's messages in order."""

    async def history(self, chat: ChatId, before: TurnId, exchanges: int) -> list[Message]:
        """The last exchanges of earlier turns of the chat, oldest first, each a whole unit."""
