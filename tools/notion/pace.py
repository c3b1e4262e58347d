"""How fast we may ask, and when again: under three requests a second on average, three at once, and all wait when
Notion says so.

Must not know what is asked. https://developers.notion.com/reference/request-limits
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

Clock = Callable[[], float]
"""Seconds on a clock that never goes back."""
Sleep = Callable[[float], Awaitable[None]]

RATE = 2.9
"""Requests a second, on average. Notion grants three, newly counted over a minute: 180, those of a burst among them."""
BURST = 3.0
"""Requests at once, after a pause: one record is about as many."""

LATE = timedelta(seconds=90)
"""Notion may work a minute on a request that was given up: by then what it made has turned up, or never will."""


def after_refusals(attempts: int) -> timedelta:
    """How long what Notion refused so often rests: a minute, two, four, and at last a day."""
    return min(timedelta(minutes=2 ** min(attempts, 20)), timedelta(days=1))


class Pace:
    """A token bucket with one shared pause. One per token; every request passes it."""

    def __init__(self, now: Clock, sleep: Sleep, rate: float = RATE, burst: float = BURST) -> None:
        self._now = now
        self._sleep = sleep
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._filled_at = now()
        self._paused_until = self._filled_at
        self._turn = asyncio.Lock()

    @property
    def pause(self) -> float:
        """Seconds until anyone may ask again."""
        return max(0.0, self._paused_until - self._now())

    def hold(self, seconds: float) -> None:
        """Nobody asks for so long; a shorter pause never shortens a longer one."""
        self._paused_until = max(self._paused_until, self._now() + seconds)

    async def enter(self) -> None:
        """Wait for one's turn: first come, first served."""
        async with self._turn:
            while (wait := self._wait()) > 0:
                await self._sleep(wait)
            self._tokens -= 1

    def _wait(self) -> float:
        now = self._now()
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate)
        self._filled_at = now
        missing = (1 - self._tokens) / self._rate
        # A hair's breadth of rounding must not become a sleep that a clock cannot measure.
        return max(self.pause, missing if missing > 1e-6 else 0.0)  # noqa: PLR2004 - a microsecond
