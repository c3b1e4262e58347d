"""When the table is looked at: when somebody asks, when Notion signals, every minute, and all of it once a day.

Whoever asks waits for the look that was asked for, and never longer than their share of it: a Notion that is slow costs
one share, however many ask. Must not know what a look does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from tools.notion.pull import Pull
from tools.notion.trouble import NotionDown, NotionRefused, NotionUnfit
from tools.record import Mirrored

BETWEEN = timedelta(seconds=5)
"""Between two looks at least; a look that takes long makes the pause longer."""
EVERY = timedelta(minutes=1)
"""The table is looked at so often if nobody asks."""
SWEEP_EVERY = timedelta(days=1)
SWEEP_PAUSE = timedelta(seconds=2)
"""Between two hundreds of rows: others have to come to their turn."""
MOST_SIGNALLED = 100
"""Pages whose signals are kept; of more, the next sweep knows."""
QUICK = timedelta(seconds=2)
"""A look that takes longer, or fails, is not waited for again before one was quick."""
LONGEST = timedelta(minutes=5)
"""Until a look that failed is tried again, at most."""

_log = logging.getLogger(__name__)


class Looking:
    """The times of one Pull."""

    def __init__(self, pull: Pull, now: Callable[[], datetime], between: timedelta = BETWEEN) -> None:
        self.pull = pull
        self._now = now
        self._between = between
        self._next_at = now()
        self._looked_at: datetime | None = None
        self._failures = 0
        self.is_quick = True
        self._sweep_at: datetime | None = None
        self._pages: dict[str, None] = {}
        self.asked_at: float | None = None
        self._over = asyncio.Event()

    # ── who asks

    @property
    def may_be_asked(self) -> bool:
        """Whether a look now would be news: the last one is some seconds ago, or longer if it failed or took long."""
        return self._now() >= self._next_at

    @property
    def is_asked(self) -> bool:
        """Whether somebody waits for a look."""
        return self.asked_at is not None

    def ask(self) -> None:
        """Look at the next opportunity."""
        if self.asked_at is None:
            self.asked_at = asyncio.get_running_loop().time()
            self._over.clear()

    def signal(self, page_ids: Sequence[str]) -> None:
        """Something happened there, perhaps to these pages."""
        self._pages |= dict.fromkeys(page_ids)
        while len(self._pages) > MOST_SIGNALLED:
            self._pages.pop(next(iter(self._pages)))
        self._next_at = min(self._next_at, self._now())
        self.ask()

    async def wait(self, seconds: float) -> None:
        """Until the look that was asked for is over, or its share of the time is."""
        if self.asked_at is None or not self.is_quick:
            return
        try:
            async with asyncio.timeout_at(self.asked_at + seconds):
                await self._over.wait()
        except TimeoutError:
            if seconds >= QUICK.total_seconds():
                self.is_quick = False

    def leave_off(self) -> None:
        """There is no look now: nobody waits any longer."""
        self.asked_at = None
        self._over.set()

    # ── what is due

    @property
    def is_due(self) -> bool:
        """Whether to look now."""
        return self.may_be_asked and (self.is_asked or self._looked_at is None or self._idle <= timedelta(0))

    @property
    def _idle(self) -> timedelta:
        return max(self._next_at, (self._looked_at or self._next_at) + EVERY) - self._now()

    def rest(self) -> float:
        """Seconds until something is due by itself."""
        sweep = self._sweep_at - self._now() if self._sweep_at else timedelta(0)
        return max(0.0, min(self._idle, sweep).total_seconds())

    async def look(self, owners: Sequence[Mirrored]) -> None:
        """Look, and at the pages that signals named. What fails is tried again later; what only we do not understand
        holds up nothing else. Raises NotionDown, and NotionRefused where nothing else would fare better."""
        began, pages = self._now(), list(self._pages)
        try:
            await self.pull.look(owners)
            await self.pull.look_at(pages, owners)
        except NotionRefused as refusal:
            if refusal.everything or isinstance(refusal, NotionUnfit):
                raise
            self._failed(refusal.reason)
        except NotionDown:
            self._failed("")
            raise
        except Exception:  # noqa: BLE001 - what was read must not keep from being written
            _log.exception("what was done in Notion cannot be taken over")
            self._failed("")
        else:
            for each in pages:
                self._pages.pop(each, None)
            self._failures = 0
            self._looked_at = began
            self.is_quick = self._now() - began <= QUICK
            self._next_at = began + max(self._between, 3 * (self._now() - began))
        finally:
            self.leave_off()

    def _failed(self, reason: str) -> None:
        if reason:
            _log.warning("Notion could not be looked at: %s", reason)
        self.is_quick = False
        self._next_at = self._now() + min(self._between * 2**self._failures, LONGEST)
        self._failures = min(self._failures + 1, 10)

    async def sweep(self, owners: Sequence[Mirrored]) -> None:
        """Go some rows further through all of them, if that is due."""
        now = self._now()
        if self._sweep_at is None:
            swept_at = await self.pull.swept_at()
            self._sweep_at = now if swept_at is None else max(now, swept_at + SWEEP_EVERY)
        if now < self._sweep_at:
            return
        try:
            is_more = await self.pull.sweep(owners)
        except NotionDown as down:
            _log.warning("Notion could not be gone through: %s", down.reason)
            self._sweep_at = now + LONGEST
        else:
            self._sweep_at = self._now() + (SWEEP_PAUSE if is_more else SWEEP_EVERY)
