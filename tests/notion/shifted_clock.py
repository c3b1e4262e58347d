"""A clock that only moves when somebody waits."""

from __future__ import annotations

import asyncio


class Clock:
    """Seconds that pass only by sleeping."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds
        await asyncio.sleep(0)
