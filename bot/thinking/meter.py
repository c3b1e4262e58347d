"""Every request that an answer takes is counted for the person who asked, before it is sent.

One answer may take several: an engine tries again, or asks in other words. It is not told for whom it works, so a
meter is at hand where it is asked: whoever asks counts the first request, and the engine each further one. Must not
know where an allowance is kept, or why an engine asks again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import ceil

from bot.model_ports import AllowancePort, AllowanceSpent, Prompt, Usage

ANSWER_TOKENS = 1_000
"""Reserved for an answer whose length is not known yet: five calls, or a screen of words."""

LONGEST_ANSWER_TOKENS = 200_000
"""More than any model says at once, thoughts included: a count beyond it is a fault of the endpoint, and would use up
somebody's day."""


@dataclass(frozen=True, slots=True)
class Meter:
    """Counts the requests of one answer, all of them ``size`` bytes long, as far as anybody counts."""

    allowance: AllowancePort | None
    prompt: Prompt
    size: int
    bytes_per_token: float

    @property
    def _tokens(self) -> int:
        """What one request is reserved as."""
        return ceil(self.size / self.bytes_per_token) + ANSWER_TOKENS

    async def count(self) -> None:
        """A request is about to be sent. Whatever becomes of it, it stays counted: it may have been charged. Raises
        AllowanceSpent."""
        if self.allowance and not await self.allowance.reserve(self.prompt.person, self.prompt.day, self._tokens):
            raise AllowanceSpent("the person has used up the model calls or tokens of the day")

    async def settle(self, usage: Usage) -> None:
        """What the last request cost. Without a count from the endpoint the estimate stands. Not believed is what
        cannot be: no tokenizer makes more tokens than there are bytes, and what an endpoint adds of its own is shorter
        than an answer."""
        prompt = min(usage.prompt, self.size + ANSWER_TOKENS)
        used = prompt + min(usage.completion, LONGEST_ANSWER_TOKENS)
        if used and self.allowance:
            await self.allowance.settle(self.prompt.person, self.prompt.day, used - self._tokens)

    @contextmanager
    def at_hand(self) -> Iterator[None]:
        """For the engine that is asked meanwhile."""
        before = _at_hand.set(self)
        try:
            yield
        finally:
            _at_hand.reset(before)


_at_hand: ContextVar[Meter | None] = ContextVar("meter", default=None)


async def settle_failed(usage: Usage) -> None:
    """An engine's last request came to nothing, and cost so much, as far as the endpoint said."""
    if meter := _at_hand.get():
        await meter.settle(usage)


async def count_further() -> None:
    """An engine is about to send one more request for the same answer. Raises AllowanceSpent."""
    if meter := _at_hand.get():
        await meter.count()
