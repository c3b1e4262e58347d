"""All rows of a table for the first time, in one go: what people had there is taken in before any of it is written to.

It may be interrupted anywhere and goes on at the minute it had come to. Must not know how a row is taken over.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

from tools.database import Database
from tools.notion import ledger
from tools.notion.pull import Pull
from tools.notion.trouble import NotionDown
from tools.record import Mirrored

LATER = timedelta(minutes=5)
"""Until it is gone on with after Notion failed: what waits to be written must not wait for it."""
LINE_EVERY = 5.0
"""Seconds between two lines about how far it has come."""

_log = logging.getLogger(__name__)


class Intake:
    """The first look at everything."""

    def __init__(
        self, database: Database, pull: Pull, now: Callable[[], datetime], line_every: float = LINE_EVERY
    ) -> None:
        self._database = database
        self._pull = pull
        self._now = now
        self._line_every = line_every
        self._next_at = now()

    async def go_through(self, owners: Sequence[Mirrored], between: Callable[[], Awaitable[object]]) -> None:
        """Take in all there is, unless that was done before; ``between`` is done between two hundreds of rows. Raises
        NotionRefused."""
        began = said = time.monotonic()
        first: int | None = None
        while self._now() >= self._next_at and not await self._is_over():
            try:
                await self._pull.sweep(owners)
            except NotionDown as down:
                _log.warning("Notion could not be gone through: %s", down.reason)
                self._next_at = self._now() + LATER
                return
            await between()
            if (seconds := time.monotonic() - said) >= self._line_every:
                said += seconds
                here = await self._database.read(ledger.shown_in_all)
                first = here if first is None else first
                rate = (here - first) / max(said - began, 1)
                _log.info("going through all rows of Notion: %d are records here, %.0f a second", here, rate)

    async def _is_over(self) -> bool:
        return "swept_at" in await self._database.read(ledger.facts)
