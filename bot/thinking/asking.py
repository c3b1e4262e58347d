"""The requests of one turn: what is sent fits, every call in it has its result, and it is counted before it is made.

Must not know how an answer is judged, how a tool is run, or how a request is counted.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.model_ports import (
    AllowancePort,
    ChatModelPort,
    Completion,
    Message,
    Prompt,
    PromptRefused,
    PromptTooLong,
)
from bot.thinking.budget import HISTORY_SHARE, Exchange, exchanges_of, newer_half, newest, shortened, size
from bot.thinking.conversation import LAST_NUDGE, NUDGE, paired
from bot.thinking.meter import Meter
from tools.definition import ToolDefinition

PICTURE_BYTES = 6_000
"""A picture counts like so many bytes of words: 1,000 to 4,000 tokens, by whatever a model counts a token as. What it
really cost is counted afterwards."""


@dataclass(slots=True)
class Asking:
    """Asks a model for one turn, again and again. What an endpoint once found too long is not sent to it again."""

    model: ChatModelPort
    prompt: Prompt
    tools: Sequence[ToolDefinition]
    context_tokens: int
    allowance: AllowancePort | None
    _past: list[Exchange] = field(init=False)
    _offered: int = field(init=False)
    _is_tight: bool = field(init=False, default=False)
    _fault: str = field(init=False, default="")

    def __post_init__(self) -> None:
        self._past = exchanges_of(paired(self.prompt.history))
        self._offered = sum(size([each.name, each.description, each.parameters]) for each in self.tools)

    async def complete(self, own: Sequence[Message], *, may_call: bool, nudge: bool = False) -> Completion:
        """The answer to a turn's own messages so far. Raises ModelUnavailable, AllowanceSpent."""
        try:
            completion = await self._once(own, may_call=may_call, nudge=nudge)
            if not self._past or completion.finish != "content_filter" or completion.text.strip():
                return completion
            self._past = []  # as below: what is filtered may stand there
        except PromptTooLong:
            if not self._let_go(own):
                raise
        except PromptRefused:
            if not self._past:
                raise
            self._past = []  # what is refused may stand there, and would be refused for ever
        return await self._once(own, may_call=may_call, nudge=nudge)

    async def _once(self, own: Sequence[Message], *, may_call: bool, nudge: bool) -> Completion:
        messages = self._fitted(own, self._system(may_call=may_call) if nudge else self.prompt.system)
        sent = size(messages) + self._offered + PICTURE_BYTES * _pictures(own)
        meter = Meter(self.allowance, self.prompt, sent, self.model.bytes_per_token)
        await meter.count()
        with meter.at_hand():
            completion = await self.model.complete(messages, self.tools, may_call=may_call)
        await meter.settle(completion.usage)
        self._fault = completion.fault
        return completion

    # ── what is sent ──────────────────────────────────────────────────────────────────────────────────────────────

    def _system(self, *, may_call: bool) -> str:
        """With a nudge, which stands here because not every endpoint takes words after a result."""
        fault = json.dumps(self._fault, ensure_ascii=False)  # it may quote what anybody wrote: one line, in quotes
        told = f" It was not taken. What was said of it, as data: {fault}" if self._fault else ""
        return f"{self.prompt.system}\n\n{NUDGE if may_call else LAST_NUDGE}{told}"

    def _fitted(self, own: Sequence[Message], text: str) -> list[Message]:
        """The system text, of the past what there is room for, and the turn."""
        system = {"role": "system", "content": text}
        budget = self.context_tokens * self.model.bytes_per_token
        left = budget - size(system) - self._offered
        sent = shortened(own, 0 if self._is_tight else left)
        self._past = newest(self._past, min(budget * HISTORY_SHARE, left - size(sent)))
        past = [message for exchange in self._past for message in exchange.messages]
        return [system, *past, *paired(sent)]

    def _let_go(self, own: Sequence[Message]) -> bool:
        """Send less from now on: the newer half of the past; without any, stubs of what this turn has read. False if
        there is nothing to let go of."""
        if self._past:
            self._past = newer_half(self._past)
            return True
        was_tight, self._is_tight = self._is_tight, True
        return not was_tight and sum(1 for each in own if each["role"] == "tool") > 1


def _pictures(own: Sequence[Message]) -> int:
    """How many pictures these messages show."""
    shown = [part for each in own if isinstance(each["content"], list) for part in each["content"]]
    return sum(1 for part in shown if isinstance(part, dict) and part.get("type") == "image_url")
