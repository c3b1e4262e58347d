"""The loop between a model and its tools: from a prompt to the final text, within a number of rounds and a time.

A turn is its transcript. The model's answer is stored before its calls run and every result after its call, so that a
turn which died goes on from where it was, and a call that was carried out is found by its key and not repeated. No
time-out surrounds a tool that changes something: cancelling a write does not tell whether it was stored. Such a tool
bounds its own waiting; the loop only stops starting new ones. Must not know which engine answers, which tools there
are, or who asks.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from bot.model_ports import (
    AllowancePort,
    ChatModelPort,
    Completion,
    Message,
    ModelUnavailable,
    Prompt,
    TranscriptPort,
)
from bot.ports import ChatId, Stopped, TurnId
from bot.thinking.asking import Asking
from bot.thinking.budget import CONTEXT_TOKENS
from bot.thinking.conversation import Asked, Conversation, scrubbed, told, tool_message
from bot.thinking.equal_calls import first_result
from bot.thinking.structured_answer import Model, answered, shaped
from bot.thinking.tool_arguments import Arguments, parse_arguments
from bot.thinking.verdict import verdict
from tools.definition import ToolDefinition, ToolError
from tools.record import CallKey, PersonId, Result, StoreUnavailable

MAX_ROUNDS = 8
"""Answers with calls in one turn, unless the operator says otherwise: finding, changing and looking again takes three;
what is not done after eight goes in a circle."""

TURN_SECONDS = 240.0
"""A turn's working time, unless the operator says otherwise: slow models take half a minute for each answer."""

RUN_PER_ANSWER = 16
"""Calls of one answer that are carried out, more than a person says in one message; the others are answered with an
error, and may be made in the next answer."""

FAILURES_OF_A_KIND = 3
"""Answers with calls that fail in one and the same way: one to err and two to mend it. After that a model will not find
out, and is asked for words."""

LAST_START_SECONDS = 1.0
"""With so little left no tool is started: it could not end in time."""

STOP_SECONDS = 0.5
"""How often it is asked, while a model thinks, whether the person still wants it."""

_NUDGES_WITH_TOOLS = 1
_LAST_WORD_SHARE = 0.15
_LAST_WORD_SECONDS = 5.0
_LATE = Completion({"role": "assistant", "content": ""}, finish="error")

State = Literal["started", "done", "failed"]

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToolEvent:
    """A tool at work, or what came of a call: each call that is answered has one event that is not ``started``, and one
    that is carried out a ``started`` before it. ``call`` is its number in the turn; ``arguments`` as the model sent
    them; ``outcome`` is ``ok``, ``repeated`` if an equal call's result was told again, or the code of the error that
    the model was told (``store_unavailable``: the call will be carried out when the turn goes on)."""

    turn: TurnId
    chat: ChatId
    person: PersonId
    tool: str
    state: State
    call: int = 0
    arguments: str = ""
    outcome: str = ""
    seconds: float = 0


@dataclass(slots=True)
class _Turn:
    """One run of a turn: what was said so far, how it asks, the tools by name, the moment by which it ends, and how
    many of its messages are stored."""

    talk: Conversation
    asking: Asking
    tools: Mapping[str, ToolDefinition]
    deadline: float
    stored: int

    @property
    def prompt(self) -> Prompt:
        return self.talk.prompt


class ToolLoop:
    """The one LlmPort. ``turn_seconds`` is shared by model and tools and counts from the start or the resumption of a
    turn; a part of it (15 %, at least five seconds, at most half) is kept for the last word: the answer without tools
    that is asked for after ``max_rounds`` answers with calls, after too many failures, or when the time for rounds is
    up. ``context_tokens`` bound each request, ``allowance`` what a person may ask of the model in a day."""

    def __init__(  # noqa: PLR0913 - its parts and bounds, named at the composition root
        self,
        model: ChatModelPort,
        transcript: TranscriptPort,
        *,
        max_rounds: int = MAX_ROUNDS,
        turn_seconds: float = TURN_SECONDS,
        context_tokens: int = CONTEXT_TOKENS,
        allowance: AllowancePort | None = None,
        is_to_stop: Callable[[ChatId], Awaitable[bool]] | None = None,
        clock: Callable[[], float] = time.monotonic,
        observe: Callable[[ToolEvent], None] = lambda _: None,
    ) -> None:
        self._model = model
        self._transcript = transcript
        self._max_rounds = max_rounds
        self._turn_seconds = turn_seconds
        self._context_tokens = context_tokens
        self._allowance = allowance
        self._is_to_stop = is_to_stop
        self._reserve = min(max(_LAST_WORD_SHARE * turn_seconds, _LAST_WORD_SECONDS), turn_seconds / 2)
        self._clock = clock
        self._observe = observe

    async def llm(self, prompt: Prompt, tools: Sequence[ToolDefinition]) -> str:
        own = await self._transcript.of_turn(prompt.turn) if prompt.resumed else []
        turn = _Turn(
            Conversation(prompt, own),
            self._asking(prompt, tools),
            {each.name: each for each in tools},
            self._clock() + self._turn_seconds,
            stored=len(own),
        )
        if not own:
            own.append(scrubbed(prompt.user))
        try:
            text = await self._talked(turn)
        except ModelUnavailable:
            if len(own) > 1:  # words alone are not stored: until the model answers, nobody may see them as left open
                await self._store(turn)
            raise
        await self._store(turn)
        return text

    async def ask(self, prompt: Prompt, model: type[Model]) -> Model:
        """One answer that is exactly one JSON object of this model, by the bounds of a turn; nothing of it is stored.
        Raises ModelUnavailable, AnswerUnreadable."""
        asking = self._asking(shaped(prompt, model), ())
        deadline = self._clock() + self._turn_seconds

        async def complete(own: Sequence[Message]) -> Completion:
            late = deadline - self._clock()
            if (found := await _in_time(late, asking.complete(own, may_call=False))) is None:
                raise ModelUnavailable("the model did not answer within the time of the turn")
            return found

        return await answered(complete, prompt.user, model)

    def _asking(self, prompt: Prompt, tools: Sequence[ToolDefinition]) -> Asking:
        return Asking(self._model, prompt, tools, self._context_tokens, self._allowance)

    async def _talked(self, turn: _Turn) -> str:
        """Ask and carry out until there is an answer in words."""
        while (text := turn.talk.final_text) is None:
            for asked in turn.talk.waiting:
                await self._store(turn)
                await self._go_on(turn)
                turn.talk.own.append(scrubbed(tool_message(asked.call, await self._carry_out(turn, asked))))
            answer = await self._next_answer(turn)
            if answer is None:
                return ""
            turn.talk.own.append(scrubbed(answer))
        return text

    async def _store(self, turn: _Turn) -> None:
        """Store what is not stored yet: before anything is done that follows from it. A result that a crash loses is
        told again by the store, for a call is carried out once."""
        if new := turn.talk.own[turn.stored :]:
            await self._transcript.append(turn.prompt.turn, turn.prompt.chat, turn.stored, new)
            turn.stored += len(new)

    def _left(self, turn: _Turn) -> float:
        return turn.deadline - self._clock()

    async def _go_on(self, turn: _Turn) -> None:
        """Asked before each effect. Raises Stopped."""
        if self._is_to_stop and await self._is_to_stop(turn.prompt.chat):
            raise Stopped(turn.prompt.turn)

    async def _unless_stopped(self, turn: _Turn, *, may_call: bool, nudge: bool) -> Completion:
        """The completion; the request is dropped if the person wants it no more. Raises Stopped."""
        await self._go_on(turn)
        asked = asyncio.create_task(turn.asking.complete(turn.talk.own, may_call=may_call, nudge=nudge))
        try:
            while not (await asyncio.wait({asked}, timeout=STOP_SECONDS))[0]:
                await self._go_on(turn)
            return asked.result()
        finally:
            if not asked.done():
                asked.cancel()
                await asyncio.wait({asked})

    # ── asking the model ──────────────────────────────────────────────────────────────────────────────────────────

    async def _next_answer(self, turn: _Turn) -> Message | None:
        """The next usable answer, as it is to be stored; None if the model has nothing to say. An unusable one is
        followed by a nudge, and that by a last word without tools. Raises ModelUnavailable."""
        nudges = 0
        while True:
            may_call = nudges <= _NUDGES_WITH_TOOLS and self._may_call(turn)
            completion = await self._ask(turn, may_call=may_call, nudge=nudges > 0)
            match verdict(completion, turn.tools, may_call=may_call):
                case "calls":
                    return turn.talk.request(completion)
                case "words":
                    return turn.talk.words(completion)
                case "withheld":
                    return None
                case "too much" if nudges:
                    raise ModelUnavailable("the model asked for more calls in one answer than can be meant, twice")
            if nudges and not may_call:
                return None
            nudges += 1

    def _may_call(self, turn: _Turn) -> bool:
        failures = max(turn.talk.failures.values(), default=0)
        return (
            turn.talk.rounds < self._max_rounds and failures < FAILURES_OF_A_KIND and self._left(turn) > self._reserve
        )

    async def _ask(self, turn: _Turn, *, may_call: bool, nudge: bool) -> Completion:
        """One request. Too late for a round is like no answer: there is still the last word. Raises
        ModelUnavailable."""
        seconds = self._left(turn) - (self._reserve if may_call else 0)
        if completion := await _in_time(seconds, self._unless_stopped(turn, may_call=may_call, nudge=nudge)):
            return completion
        if may_call:
            return _LATE
        raise ModelUnavailable("the model did not answer within the time of the turn")

    # ── carrying out what it asks for ─────────────────────────────────────────────────────────────────────────────

    async def _carry_out(self, turn: _Turn, asked: Asked) -> str:
        """What the model is told about one call. What went wrong is a result too; raises only StoreUnavailable."""
        begun = self._clock()
        try:
            result, outcome = await self._result(turn, asked)
        except ToolError as error:
            result, outcome = told(error.as_result()), error.code
        except StoreUnavailable:
            self._show(turn, asked, "failed", "store_unavailable", self._clock() - begun)
            raise
        state: State = "done" if outcome in {"ok", "repeated"} else "failed"
        self._show(turn, asked, state, outcome, self._clock() - begun)
        return result

    async def _result(self, turn: _Turn, asked: Asked) -> tuple[str, str]:
        """The result of a call that may be carried out, and its outcome. Raises ToolError, StoreUnavailable."""
        tool = self._admitted(turn, asked)
        arguments = parse_arguments(asked.call.arguments)
        if first := first_result(turn.talk.calls[: asked.number - 1], asked, turn.tools, arguments):
            return first, "repeated"
        self._show(turn, asked, "started")
        return await self._run(turn, asked, tool, arguments), "ok"

    def _admitted(self, turn: _Turn, asked: Asked) -> ToolDefinition:
        """The tool, if this call may be carried out. Raises ToolError."""
        if asked.place >= RUN_PER_ANSWER:
            later = f"Not carried out: at most {RUN_PER_ANSWER} calls run in one answer. Make this one in the next."
            raise ToolError("too_many_calls", later)
        if self._left(turn) <= LAST_START_SECONDS:
            raise ToolError("deadline", "Not carried out: the time of this turn is up.", retry=False)
        tool = turn.tools.get(asked.call.name)
        if tool is None:
            raise ToolError("unknown_tool", f"There is no such tool. The tools are: {', '.join(turn.tools) or 'none'}.")
        return tool

    async def _run(self, turn: _Turn, asked: Asked, tool: ToolDefinition, arguments: Arguments) -> str:
        """Carry out one call. What only reads is cut off in time for the last word. Raises ToolError,
        StoreUnavailable."""
        again, guarded = turn.prompt.resumed, turn.talk.is_guarded
        key = CallKey(turn.prompt.turn, asked.number, again=again, guarded=guarded)
        try:
            if not tool.read_only:
                return told(await tool.handler(arguments, key))
            seconds = max(self._left(turn) - self._reserve, LAST_START_SECONDS)
            return told(await _cut_off(min(tool.timeout, seconds), tool.handler(arguments, key)))
        except (ToolError, StoreUnavailable):  # the latter ends this run: the call is carried out when the turn goes on
            raise
        except Exception:  # whatever a tool raises, the turn goes on
            log.exception("turn %s: tool %s failed", turn.prompt.turn, tool.name)
            raise ToolError("tool_failed", "The tool failed. Do not say that it was done.", retry=False) from None

    def _show(self, turn: _Turn, asked: Asked, state: State, outcome: str = "", seconds: float = 0) -> None:
        """Whoever looks on cannot break the turn."""
        call, prompt = asked.call, turn.prompt
        whose = (prompt.turn, prompt.chat, prompt.person)
        event = ToolEvent(*whose, call.name, state, asked.number, call.arguments, outcome, seconds)
        try:
            self._observe(event)
        except Exception:
            log.exception("turn %s: a call could not be shown", prompt.turn)


# ── time ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _in_time(seconds: float, request: Coroutine[Any, Any, T]) -> T | None:
    """What comes within so many seconds, or None."""
    if seconds <= 0:
        request.close()
        return None
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await request
    return None


async def _cut_off(seconds: float, reading: Awaitable[Result]) -> Result:
    """The result of what only reads. Raises ToolError if it takes longer."""
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await reading
    except TimeoutError:
        if not limit.expired():
            raise
        raise ToolError("timeout", "It took too long. Ask for less, or answer without it.") from None
