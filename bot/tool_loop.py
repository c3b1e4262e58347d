"""The loop between a model and its tools: from a prompt to the final text, within a number of rounds and a time.

A turn is its transcript. The model's answer is stored before its calls run and every result after its call, so that a
turn which died goes on from where it was, and a call that was carried out is found by its key and not repeated. No
time-out surrounds a tool: cancelling a write does not tell whether it was stored. A tool bounds its own waiting; the
loop only stops starting new ones. Must not know which engine answers, which tools there are, or who asks.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from bot.conversation import Asked, Conversation, scrubbed, told, tool_message
from bot.model_ports import ChatModelPort, Completion, Message, ModelUnavailable, Prompt, ToolCall, TranscriptPort
from bot.ports import ChatId, TurnId
from bot.tool_arguments import Arguments, canonical, parse_arguments
from tools.definition import ToolDefinition, ToolError
from tools.record import CallKey, StoreUnavailable

RUN_PER_ANSWER = 16
"""Calls of one answer that are carried out; the others are answered with an error."""

CALLS_PER_ANSWER = 64
BYTES_PER_ANSWER = 256 * 1024
"""An answer with more calls, or more bytes of names and arguments, is a fault of the endpoint: nothing of it runs."""

_NUDGES_WITH_TOOLS = 1
_LAST_WORD_SHARE = 0.15
_LAST_WORD_SECONDS = 5.0
_LAST_START_SECONDS = 1.0
_LEAKED = re.compile(r"<tool_call>|<function=|<\|channel\|>|<\|tool_calls_section")
_LATE = Completion({"role": "assistant", "content": ""}, finish="error")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToolEvent:
    """A tool at work, or a call that was refused. ``call`` is its number in the turn; ``arguments`` as the model sent
    them; ``outcome`` is ``ok`` or the code of the error that the model was told."""

    turn: TurnId
    chat: ChatId
    tool: str
    state: Literal["started", "done", "failed"]
    call: int = 0
    arguments: str = ""
    outcome: str = ""
    seconds: float = 0


Verdict = Literal["calls", "words", "withheld", "unusable", "too much"]
"""What an answer of a model is good for."""


@dataclass(slots=True)
class _Turn:
    """One run of a turn: what was said so far, the tools by name, the moment by which it ends, and how many of its
    messages are stored."""

    talk: Conversation
    tools: Mapping[str, ToolDefinition]
    deadline: float
    stored: int

    @property
    def prompt(self) -> Prompt:
        return self.talk.prompt


class ToolLoop:
    """The one LlmPort. ``turn_seconds`` is shared by model and tools and counts from the start or the resumption of a
    turn; a part of it (15 %, at least five seconds, at most half) is kept for the last word: the answer without tools
    that is asked for after ``max_rounds`` answers with calls, or when the time for rounds is up."""

    def __init__(
        self,
        model: ChatModelPort,
        transcript: TranscriptPort,
        *,
        max_rounds: int = 8,
        turn_seconds: float = 240,
        clock: Callable[[], float] = time.monotonic,
        observe: Callable[[ToolEvent], None] = lambda _: None,
    ) -> None:
        self._model = model
        self._transcript = transcript
        self._max_rounds = max_rounds
        self._turn_seconds = turn_seconds
        self._reserve = min(max(_LAST_WORD_SHARE * turn_seconds, _LAST_WORD_SECONDS), turn_seconds / 2)
        self._clock = clock
        self._observe = observe

    async def llm(self, prompt: Prompt, tools: Sequence[ToolDefinition]) -> str:
        talk = Conversation(prompt, await self._transcript.of_turn(prompt.turn) if prompt.resumed else [])
        turn = _Turn(talk, {each.name: each for each in tools}, self._clock() + self._turn_seconds, len(talk.own))
        if not talk.own:
            talk.own.append(scrubbed(prompt.user))
        try:
            text = await self._talked(turn)
        except ModelUnavailable:
            await self._store(turn)
            raise
        await self._store(turn)
        return text

    async def _talked(self, turn: _Turn) -> str:
        """Ask and carry out until there is an answer in words."""
        while (text := turn.talk.final_text) is None:
            for asked in turn.talk.waiting:
                await self._store(turn)
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

    # ── asking the model ──────────────────────────────────────────────────────────────────────────────────────────

    async def _next_answer(self, turn: _Turn) -> Message | None:
        """The next usable answer, as it is to be stored; None if the model has nothing to say. An unusable one is
        followed by a nudge, and that by a last word without tools. Raises ModelUnavailable."""
        nudges = 0
        while True:
            may_call = nudges <= _NUDGES_WITH_TOOLS and self._may_call(turn)
            completion = await self._ask(turn, may_call=may_call, nudge=nudges > 0)
            match _verdict(completion, may_call=may_call):
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
        return turn.talk.rounds < self._max_rounds and self._left(turn) > self._reserve

    async def _ask(self, turn: _Turn, *, may_call: bool, nudge: bool) -> Completion:
        """One request. Too late for a round is like no answer: there is still the last word. Raises
        ModelUnavailable."""
        seconds = self._left(turn) - (self._reserve if may_call else 0)
        if seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    messages = turn.talk.messages(nudge=nudge)
                    return await self._model.complete(messages, list(turn.tools.values()), may_call=may_call)
        if may_call:
            return _LATE
        raise ModelUnavailable("the model did not answer within the time of the turn")

    # ── carrying out what it asks for ─────────────────────────────────────────────────────────────────────────────

    async def _carry_out(self, turn: _Turn, asked: Asked) -> str:
        """What the model is told about one call. Never raises: what went wrong is a result too."""
        try:
            tool = self._admitted(turn, asked)
            arguments = parse_arguments(asked.call.arguments)
            return _first_result(turn, asked, tool, arguments) or await self._run(turn, asked, tool, arguments)
        except ToolError as error:
            return told(error.as_result())

    def _admitted(self, turn: _Turn, asked: Asked) -> ToolDefinition:
        """The tool, if this call may be carried out. Raises ToolError."""
        if asked.place >= RUN_PER_ANSWER:
            raise ToolError("too_many_calls", f"Not carried out: at most {RUN_PER_ANSWER} calls run in one answer.")
        if self._left(turn) <= _LAST_START_SECONDS:
            raise ToolError("deadline", "Not carried out: the time of this turn is up.", retry=False)
        tool = turn.tools.get(asked.call.name)
        if tool is None:
            raise ToolError("unknown_tool", f"There is no such tool. The tools are: {', '.join(turn.tools) or 'none'}.")
        return tool

    async def _run(self, turn: _Turn, asked: Asked, tool: ToolDefinition, arguments: Arguments) -> str:
        """Carry out one call and show it. Raises ToolError."""
        self._show(turn, tool, "started")
        try:
            result = told(
                await tool.handler(arguments, CallKey(turn.prompt.turn, asked.number, again=turn.prompt.resumed))
            )
        except (ToolError, StoreUnavailable):  # the latter ends this run: the call is carried out when the turn goes on
            self._show(turn, tool, "failed")
            raise
        except Exception:  # whatever a tool raises, the turn goes on
            log.exception("turn %s: tool %s failed", turn.prompt.turn, tool.name)
            self._show(turn, tool, "failed")
            raise ToolError("tool_failed", "The tool failed. Do not say that it was done.", retry=False) from None
        self._show(turn, tool, "done")
        return result

    def _show(self, turn: _Turn, tool: ToolDefinition, state: Literal["started", "done", "failed"]) -> None:
        self._observe(ToolEvent(turn.prompt.turn, turn.prompt.chat, tool.name, state))


# ── rules ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _verdict(completion: Completion, *, may_call: bool) -> Verdict:
    """What the answer is good for. Calls that were cut off or filtered are never carried out, and calls inside the
    text are never read: a quoted sentence could be one."""
    withheld = completion.finish in {"content_filter", "refusal"}
    if may_call and completion.calls and not withheld:
        if _is_too_much(completion.calls):
            return "too much"
        return "calls" if completion.finish in {"stop", "tool_calls"} else "unusable"
    if completion.text.strip() and not _LEAKED.search(completion.text):
        return "words"
    return "withheld" if withheld else "unusable"


def _is_too_much(calls: Sequence[ToolCall]) -> bool:
    return len(calls) > CALLS_PER_ANSWER or sum(map(_bytes, calls)) > BYTES_PER_ANSWER


def _bytes(call: ToolCall) -> int:
    try:
        sent = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
    except RecursionError:
        return sys.maxsize
    return len(f"{call.name}{sent}".encode(errors="replace"))


def _first_result(turn: _Turn, asked: Asked, tool: ToolDefinition, arguments: Arguments) -> str | None:
    """What an equal call was told before, if one is enough: a read is not repeated until something may have changed; a
    write that comes again in a later round was asked for by a model that lost count. Equal writes in one answer are
    several wishes."""
    earlier = turn.talk.calls[: asked.number - 1]
    if tool.read_only:
        comparable = earlier[_last_write(turn, earlier) :]
    else:
        comparable = [each for each in earlier if each.round < asked.round]
    wish = canonical(arguments)
    equal = (each for each in comparable if each.call.name == tool.name and _succeeded(each) and _wish(each) == wish)
    return next((each.result for each in equal), None)


def _last_write(turn: _Turn, calls: Sequence[Asked]) -> int:
    """The number of the last call that may have changed something, or 0."""
    known = [(each.number, turn.tools.get(each.call.name)) for each in calls]
    return max((number for number, tool in known if tool and not tool.read_only), default=0)


def _succeeded(earlier: Asked) -> bool:
    return earlier.result is not None and not earlier.result.startswith('{"error":')


def _wish(earlier: Asked) -> str:
    return canonical(parse_arguments(earlier.call.arguments))
