"""What models were sent and what came of it: every attempt and every call of the last turns, for the operator.

Pure. In memory, as JSON lines, and handed on for a file. Everything is masked before it is kept, and recording never
breaks a turn: what cannot be recorded is left out. Must not know which engine answers, or where a file is.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic_core import to_json

from bot.model_ports import Attempt, Prompt, Shape
from bot.ports import ChatId, TurnId
from bot.redaction import Redactor
from bot.thinking.tool_loop import ToolEvent, ToolLoop
from tools.definition import ToolDefinition
from tools.record import PersonId

TURNS = 50
"""So many of the last turns are in memory: an evening's talk of a household."""

LINES = 100
"""Of one turn: its rounds, retries and calls, unless somebody raised the limits far."""

MOST_SIGNS = 16_000_000
"""In memory altogether; beyond it older turns go earlier."""

TEXT_SIGNS = 200_000
"""Of one text; what is longer is cut, with a mark."""

PREVIEW_SIGNS = 200
"""Of a call's arguments."""

AS_BEFORE = "as before"

_NOBODYS = (TurnId(""), ChatId(""), PersonId(""))
"""The turn, chat and person of what happens outside of any turn."""

log = logging.getLogger(__name__)

_at_work: ContextVar[Prompt | None] = ContextVar("prompt", default=None)


def prompt_at_work() -> Prompt | None:
    """The prompt that is being answered where this is asked; None outside of any turn."""
    return _at_work.get()


@contextmanager
def answering(prompt: Prompt) -> Iterator[None]:
    """Whatever is recorded meanwhile is of this prompt's turn."""
    before = _at_work.set(prompt)
    try:
        yield
    finally:
        _at_work.reset(before)


@dataclass(frozen=True, slots=True)
class Witnessed:
    """An LlmPort and AskPort of which every attempt is known to be of which turn, and of whose: an engine is not
    told."""

    llm_port: ToolLoop

    async def llm(self, prompt: Prompt, tools: Sequence[ToolDefinition]) -> str:
        with answering(prompt):
            return await self.llm_port.llm(prompt, tools)

    async def ask(self, prompt: Prompt, model: type[Shape]) -> Shape:
        with answering(prompt):
            return await self.llm_port.ask(prompt, model)


@dataclass(slots=True)
class _Turn:
    """The lines of one turn, and marks of what its last request showed."""

    lines: deque[str] = field(default_factory=lambda: deque(maxlen=LINES))
    attempts: int = 0
    messages: list[int] = field(default_factory=list)
    tools: int = 0


class AiLog:
    """The log. ``keep`` is handed each line, one JSON object; it must not raise."""

    def __init__(
        self, redactor: Redactor, now: Callable[[], datetime], keep: Callable[[str], None] = lambda _: None
    ) -> None:
        self._redactor = redactor
        self._now = now
        self._keep = keep
        self._turns: OrderedDict[TurnId, _Turn] = OrderedDict()
        self._signs = 0

    @property
    def turns(self) -> list[list[dict[str, Any]]]:
        """The last turns, the one that began last at the end, each with its lines in order."""
        return [[read_line(line) for line in turn.lines] for turn in self._turns.values()]

    @property
    def lines(self) -> list[str]:
        """The same as they are kept, JSON, turn after turn: to be read elsewhere than where they are written."""
        return [line for turn in self._turns.values() for line in turn.lines]

    def attempt(self, attempt: Attempt) -> None:
        """Record one request and what came of it."""
        try:
            prompt = prompt_at_work()
            whose = (prompt.turn, prompt.chat, prompt.person) if prompt else _NOBODYS
            turn = self._turn(whose[0])
            turn.attempts += 1
            told = {
                **self._head(*whose),
                "attempt": turn.attempts,
                "engine": attempt.engine,
                "status": attempt.status,
                "seconds": round(attempt.seconds, 3),
                "usage": {"prompt": attempt.usage.prompt, "completion": attempt.usage.completion},
                "error": attempt.error,
                "adaptation": attempt.adaptation,
                "came": attempt.came,
            }
            self._record(turn, told, self._sent(turn, attempt.sent))
        except Exception as trouble:  # noqa: BLE001 - recording never breaks a turn, and the text may hold a secret
            log.warning("an attempt is not in the AI log (%s)", type(trouble).__name__)

    def call(self, event: ToolEvent) -> None:
        """Record what came of one call; that it has begun is not recorded."""
        if event.state == "started":
            return
        try:
            told = {
                **self._head(event.turn, event.chat, event.person),
                "call": event.call,
                "tool": event.tool,
                "outcome": event.outcome,
                "seconds": round(event.seconds, 3),
                "arguments": self._preview(event.arguments),
            }
            self._record(self._turn(event.turn), told)
        except Exception as trouble:  # noqa: BLE001 - as above
            log.warning("a call is not in the AI log (%s)", type(trouble).__name__)

    # ── one line ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _head(self, turn: TurnId, chat: ChatId, person: PersonId) -> dict[str, Any]:
        at = self._now().isoformat(timespec="milliseconds")
        return {"at": at, "turn": turn, "chat": chat, "person": person}

    def _sent(self, turn: _Turn, sent: Mapping[str, Any]) -> dict[str, Any]:
        """The request, without what the turn's request before it showed already."""
        told = dict(sent)
        messages = sent.get("messages")
        if isinstance(messages, list):
            marks = [hash(_json(each)) for each in messages]
            same = _same_beginning(turn.messages, marks)
            turn.messages = marks
            before = [f"{same} messages {AS_BEFORE}"] if same else []
            told["messages"] = [*before, *messages[same:]]
        if tools := sent.get("tools"):
            mark = hash(_json(tools))
            if mark == turn.tools:
                told["tools"] = AS_BEFORE
            turn.tools = mark
        return told

    def _preview(self, arguments: object) -> str:
        text = arguments if isinstance(arguments, str) else _json(arguments)
        masked = self._redactor.without_keys(text)
        return masked if len(masked) <= PREVIEW_SIGNS else f"{masked[:PREVIEW_SIGNS]}…"

    def _record(self, turn: _Turn, told: Mapping[str, Any], sent: Mapping[str, Any] | None = None) -> None:
        """Mask, then cut: what is cut first could lose what a secret is known by. A request is masked field by field,
        so that the redactor knows the messages and tools that it saw before they were sent."""
        mask = self._redactor.masked
        masked = mask(told)
        if sent is not None:
            masked = {**masked, "sent": {name: mask(each) for name, each in sent.items()}}
        line = _json(masked)
        if len(line) > TEXT_SIGNS:
            line = _json(_cut(masked))
        if len(turn.lines) == LINES:
            self._signs -= len(turn.lines[0])
        turn.lines.append(line)
        self._signs += len(line)
        while len(self._turns) > TURNS or (self._signs > MOST_SIGNS and len(self._turns) > 1):
            _, oldest = self._turns.popitem(last=False)
            self._signs -= sum(map(len, oldest.lines))
        self._keep(line)

    def _turn(self, id_: TurnId) -> _Turn:
        return self._turns.setdefault(id_, _Turn())


def read_line(line: str) -> dict[str, Any]:
    """A line of the log, as it was told."""
    told: dict[str, Any] = json.loads(line)
    return told


def _same_beginning(before: Sequence[int], now: Sequence[int]) -> int:
    """How many messages at the beginning are the same."""
    return next(
        (n for n, (old, new) in enumerate(zip(before, now, strict=False)) if old != new), min(len(before), len(now))
    )


def _json(value: object) -> str:
    """As JSON; of what is none, only its kind is told."""
    try:
        return to_json(value, inf_nan_mode="constants", fallback=_kind).decode()
    except ValueError:  # half a surrogate pair
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_kind)


def _kind(odd: object) -> str:
    return f"({type(odd).__name__})"


def _cut(value: Any) -> Any:
    match value:
        case str() if len(value) > TEXT_SIGNS:
            return f"{value[:TEXT_SIGNS]}… (cut: {len(value) - TEXT_SIGNS} more)"
        case dict():
            return {name: _cut(each) for name, each in value.items()}
        case list():
            return [_cut(each) for each in value]
        case _:
            return value
