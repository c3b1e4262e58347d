"""Doubles of the conversation's edges, in process: a model and a network with a script, a transcript in memory, a
mirror that only counts, clocks in hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from types import TracebackType
from typing import Any, Self

from bot.household_ports import Account
from bot.model_ports import Completion, Finish, Message, Prompt, ToolCall
from bot.ports import Bubble, ChatId, ClaimLost, IncomingMessage, TurnId
from tools.definition import ToolDefinition
from tools.record import CallKey, MirrorState, News, PersonId, Result

ANNA, BEN = ChatId("U" + "a" * 32), ChatId("U" + "b" * 32)
"""Two people, and the chats in which they talk."""

NOON = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)
"""Monday noon in Taipei."""


@dataclass(frozen=True)
class Request:
    """What a model was asked."""

    messages: list[Message]
    tools: list[str]
    may_call: bool


Step = Completion | Exception | Callable[[Request], Awaitable[Completion]]


def a_prompt(user: str | Message, **parts: Any) -> Prompt:
    """What somebody says on one Monday, with the parts of the prompt that a test is about."""
    said: Message = {"role": "user", "content": user} if isinstance(user, str) else user
    prompt = Prompt(
        turn=TurnId("t1"),
        chat=ChatId("U1"),
        person=PersonId("U1"),
        day=date(2026, 11, 30),
        system="",
        history=(),
        user=said,
    )
    return replace(prompt, **parts)


class UnexpectedModelCall(AssertionError):
    """The model was asked more often than the script provides for."""


class UnusedSteps(AssertionError):
    """The model was asked less often than the script provides for."""


class ScriptedModel:
    """A ChatModelPort that answers step by step. Use it as a context: leaving it checks that every step was used."""

    bytes_per_token = 2.0

    def __init__(self, *steps: Step) -> None:
        self._steps = list(steps)
        self.requests: list[Request] = []

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool = True
    ) -> Completion:
        request = Request(list(messages), [each.name for each in tools], may_call)
        self.requests.append(request)
        if not self._steps:
            raise UnexpectedModelCall(f"request {len(self.requests)}: {request.messages[-1]}")
        step = self._steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, Completion) else await step(request)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        if kind is None and self._steps:
            raise UnusedSteps(f"{len(self._steps)} steps of the script were not used")


def says(text: str, finish: Finish = "stop", **unknown: Any) -> Completion:
    """An answer in words; further fields are kept in the message."""
    return Completion({"role": "assistant", "content": text, **unknown}, text, (), finish)


def asks(*calls: tuple[str, Any] | tuple[str, Any, str], finish: Finish = "tool_calls", text: str = "") -> Completion:
    """An answer that asks for tools: (name, arguments) or (name, arguments, id) each. Arguments that are no text stand
    in the message as they are."""
    made = [ToolCall(each[2] if len(each) > 2 else f"call_{n}", each[0], each[1]) for n, each in enumerate(calls)]
    entries = [{"id": each.id, "function": {"name": each.name, "arguments": each.arguments}} for each in made]
    return Completion({"role": "assistant", "content": text or None, "tool_calls": entries}, text, tuple(made), finish)


class MemoryTranscript:
    """A TranscriptPort. It holds JSON text, as a store does, and one message at each place."""

    def __init__(self) -> None:
        self._turns: dict[TurnId, dict[int, str]] = {}

    async def append(self, turn: TurnId, chat: ChatId, seq: int, messages: Sequence[Message]) -> None:
        own = self._turns.setdefault(turn, {})
        for place, message in enumerate(messages, start=seq):
            if place in own:
                raise ClaimLost(turn)
            own[place] = json.dumps(message, ensure_ascii=False)

    async def of_turn(self, turn: TurnId) -> list[Message]:
        return [json.loads(text) for _, text in sorted(self._turns.get(turn, {}).items())]

    async def history(self, chat: ChatId, before: TurnId, exchanges: int) -> list[Message]:
        raise NotImplementedError("a prompt is given with its history")

    def cut(self, turn: TurnId, length: int) -> MemoryTranscript:
        """A copy in which the turn died after so many messages."""
        copy = MemoryTranscript()
        copy._turns = {turn: {seq: text for seq, text in self._turns.get(turn, {}).items() if seq < length}}
        return copy


@dataclass
class MemoryAllowance:
    """An AllowancePort that gives so many calls in all, and holds what it was asked."""

    calls: int = 10**6
    reserved: list[tuple[PersonId, date, int]] = field(default_factory=list)
    settled: list[int] = field(default_factory=list)

    async def reserve(self, person: PersonId, day: date, tokens: int) -> bool:
        if len(self.reserved) >= self.calls:
            return False
        self.reserved.append((person, day, tokens))
        return True

    async def settle(self, person: PersonId, day: date, tokens: int) -> None:
        assert (person, day) in {(each, on) for each, on, _ in self.reserved}, "what is settled was reserved"
        self.settled.append(tokens)

    async def left(self, person: PersonId, day: date) -> float:
        return 1 - len(self.reserved) / self.calls


@dataclass
class Clock:
    """A clock that is moved by hand; in seconds."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Calendar:
    """A clock of days and hours, moved by hand."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


def said(number: int, text: str = "牛奶", **changes: Any) -> IncomingMessage:
    """The n-th message of Anna, a second after the one before it."""
    at = NOON + timedelta(seconds=number)
    message = IncomingMessage(
        id=f"01E{number:03}",
        kind="text",
        chat=ANNA,
        chat_kind="user",
        person=PersonId(ANNA),
        occurred_at=at,
        received_at=at,
        reply_token=f"token{number}",
        text=text,
    )
    return replace(message, **changes)


class ScriptedChannel:
    """A network that does what it is told: each call takes the next outcome, an error or None for success."""

    def __init__(self, *outcomes: Exception | None, languages: Mapping[str, str] | None = None) -> None:
        self.outcomes = list(outcomes)
        self.languages = dict(languages or {})
        self.left: int | None = None
        self.sent: list[tuple[str, list[Bubble]]] = []
        self.working: list[ChatId] = []
        self.spoke = asyncio.Event()

    @property
    def said(self) -> list[tuple[str, str]]:
        """Each call as the road it took (the token, or ``push`` and its key) and the texts."""
        return [(road, " / ".join(each.text for each in bubbles)) for road, bubbles in self.sent]

    async def reply(self, reply_token: str, messages: Sequence[Bubble]) -> list[str]:
        return self._next(reply_token, messages)

    async def push(self, to: ChatId, messages: Sequence[Bubble], retry_key: str) -> list[str]:
        return self._next(f"push {retry_key}", messages)

    async def show_working(self, chat: ChatId) -> None:
        self.working.append(chat)

    async def language_of(self, person: PersonId) -> str | None:
        return self.languages.get(person)

    async def pushes_left(self) -> int | None:
        return self.left

    def pushes_known(self) -> int | None:
        return self.left

    def _next(self, road: str, messages: Sequence[Bubble]) -> list[str]:
        self.sent.append((road, list(messages)))
        self.spoke.set()
        outcome = self.outcomes.pop(0) if self.outcomes else None
        if outcome:
            raise outcome
        return ["1"]


@dataclass
class ScriptedCompany:
    """A CompanyPort: names of people and groups as a test has them, and which groups were left."""

    people: dict[str, str] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    account: Account | None = field(default_factory=lambda: Account("秘書", "@abc1234d"))
    left: list[ChatId] = field(default_factory=list)
    trouble: list[Exception] = field(default_factory=list)

    async def me(self) -> Account | None:
        return self.account

    async def name_of(self, person: PersonId, chat: ChatId) -> str | None:
        return self.people.get(person)

    async def name_of_group(self, chat: ChatId) -> str | None:
        return self.groups.get(chat)

    async def leave(self, chat: ChatId) -> None:
        if self.trouble:
            raise self.trouble.pop(0)
        self.left.append(chat)


class CountingMirror:
    """A MirrorPort that takes nothing; each push answers with the next state, the last one for ever."""

    def __init__(self, *states: MirrorState) -> None:
        self._states = list(states)
        self.pushed: list[PersonId] = []

    async def push(self, owner: PersonId, seconds: float) -> MirrorState:
        self.pushed.append(owner)
        return self._states.pop(0) if len(self._states) > 1 else self._states[0]

    async def pages(self, records: Sequence[str]) -> Mapping[str, str]:
        return {}

    async def refresh(self, owner: PersonId, seconds: float) -> None:
        """Nothing happens there."""

    async def check(self, records: Sequence[str], seconds: float) -> None:
        """Nothing was thrown away there."""

    async def news(self) -> Sequence[News]:
        return ()

    async def told(self, ids: Sequence[str]) -> None:
        raise AssertionError("there is no news")

    async def forget(self, seconds: float) -> int:
        return self._states[-1].waiting

    async def keep_pushing(self) -> None:
        raise NotImplementedError("only the composition root runs a mirror")


@dataclass
class Shelf:
    """A store with one tool that puts things on it and one that counts them. A put is keyed: repeated with the same
    key it changes nothing and returns the first result."""

    put: dict[CallKey, Result] = field(default_factory=dict)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    @property
    def things(self) -> list[str]:
        return [each["put"] for each in self.put.values()]

    async def _put(self, arguments: dict[str, Any], key: CallKey) -> Result:
        self.calls.append(("put", arguments))
        return self.put.setdefault(key, {"ref": len(self.put) + 1, "put": arguments.get("thing", "")})

    async def _count(self, arguments: dict[str, Any], key: CallKey) -> Result:
        self.calls.append(("count", arguments))
        return {"count": len(self.put)}

    def tools(self) -> list[ToolDefinition]:
        anything: dict[str, Any] = {"type": "object", "properties": {"thing": {"type": "string"}}}
        nothing: dict[str, Any] = {"type": "object", "properties": {}}
        return [
            ToolDefinition("put", "Put a thing on the shelf.", anything, self._put),
            ToolDefinition("count", "Count the things on the shelf.", nothing, self._count, read_only=True),
        ]
