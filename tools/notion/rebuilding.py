"""When the store is made anew from Notion: at start, if it is empty, before anybody is answered; and what is said of
it.

While it gets on, messages wait, for an answer from half of the records would be a wrong one. Where Notion cannot be
reached nobody waits for it, and it goes on beside. Must not know how a record comes back.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from tools.notion.rebuild import Busy, Progress, Rebuild
from tools.notion.trouble import NotionDown, NotionRefused

PATIENCE = 30.0
"""Seconds without a hundred rows more, after which people are answered with what is here."""
FIRST_REST, LONGEST_REST = 2.0, 300.0
"""Seconds until a Notion that is away is asked again: twice as long each time."""
OTHERS_REST = 1.0
"""Seconds between two looks at how far another process has come."""
LINE_EVERY = 5.0
"""Seconds between two lines about how far it has come."""

_log = logging.getLogger(__name__)


class Rebuilding:
    """The rebuild at the start of a bot."""

    def __init__(self, rebuild: Rebuild, *, patience: float = PATIENCE, first_rest: float = FIRST_REST) -> None:
        self._rebuild = rebuild
        self._patience = patience
        self._first_rest = first_rest
        self._level = logging.INFO
        self._ready = asyncio.Event()
        self._moved = asyncio.Event()

    async def ready(self) -> None:
        """Until the records are here, or need not be waited for."""
        await self._ready.wait()

    async def keep(self) -> None:
        """Bring back what is to be brought back, however long it takes."""
        watch = asyncio.create_task(self._watch())
        try:
            rest = self._first_rest
            while (seconds := await self._try()) is not None:
                await asyncio.sleep(rest if seconds == 0 else seconds)
                rest = min(2 * rest, LONGEST_REST) if seconds == 0 else self._first_rest
        finally:
            self._ready.set()
            watch.cancel()
            await asyncio.wait({watch})

    async def _try(self) -> float | None:
        """Seconds until it is tried again, 0 for as long as usual; None once there is nothing to do."""
        try:
            if not await self._rebuild.is_due():
                return None
            told = Teller(_log.info, self._moved.set)
            _log.log(self._level, "records are missing here: looking for them in Notion")
            self._level = logging.DEBUG  # the same again and again would only be noise
            done = await self._rebuild.run(told=told)
            for line in summary(done):
                _log.info("%s", line)
        except Busy:
            return OTHERS_REST
        except NotionDown as down:
            _log.warning("records cannot be brought back from Notion yet: %s", down.reason)
            return 0 if down.wait is None else max(1.0, down.wait)
        except NotionRefused as refusal:
            _log.error("records cannot be brought back: %s %s", refusal.reason, refusal.next_step)
            self._ready.set()
            return LONGEST_REST
        except Exception:  # noqa: BLE001 - a mirror never takes its house down
            _log.exception("the rebuild stumbled, and goes on")
            return OTHERS_REST
        return None

    async def _watch(self) -> None:
        """Let people be answered when nothing more comes."""
        while not self._ready.is_set():
            self._moved.clear()
            try:
                async with asyncio.timeout(self._patience):
                    await self._moved.wait()
            except TimeoutError:
                _log.warning("nothing comes from Notion now: people are answered with what is here")
                self._ready.set()


class Teller:
    """Says how far a rebuild has come, now and then."""

    def __init__(
        self, say: Callable[[str], None], moved: Callable[[], None] = lambda: None, every: float = LINE_EVERY
    ) -> None:
        self._say = say
        self._moved = moved
        self._every = every
        self._began = self._said = time.monotonic()
        self._rows: int | None = None

    def __call__(self, progress: Progress) -> None:
        self._moved()
        now = time.monotonic()
        if self._rows is None:
            self._rows = progress.rows
        if now - self._said < self._every:
            return
        self._said = now
        rate = (progress.rows - self._rows) / (now - self._began)
        left = (progress.about - progress.rows) / rate if rate else 0
        minutes = f", about {left / 60:.0f} min left" if left > 60 else ""  # noqa: PLR2004 - seconds
        self._say(f"{progress.rows:,} of about {progress.about:,} rows of Notion, {rate:.0f} a second{minutes}")


def summary(done: Progress) -> list[str]:
    """What came of it, for the operator."""
    if not done.rows:
        return ["There are no records in Notion: nothing to bring back."]
    whose = ", ".join(f"{owner} ({count:,})" for owner, count in sorted(done.owners.items(), key=lambda each: -each[1]))
    lines = [
        f"{done.back:,} records are back from Notion; {done.here:,} were here already. Whose: {whose or 'nobody'}."
    ]
    more = {
        "bear the key of another page and were left alone": done.copies,
        "have another number now, for theirs was taken": done.renumbered,
        "hold something that is no value of ours, which was left there": done.in_part,
        "were made in Notion by people; they become records once their owner has written here": done.theirs,
    }
    lines += [f"{count:,} {what}." for what, count in more.items() if count]
    if done.back:
        lines.append(
            "Not in Notion, and so not here: what was said, members and what is private to them, languages and zones, "
            "which are asked anew, pictures and files (their copies stay in Notion). A store that stays keeps them too."
        )
    return lines
