"""How many pushes the month has left: asked of LINE rarely, counted down by one's own, told apart from "no limit".

Must not know who may push, nor how LINE is called.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from bot.ports import NotSent, Unsure
from bot.pushes import month_of

ASK_AGAIN: Final = timedelta(hours=6)
NEAR_THE_END: Final = 60
"""Where so few are left other processes' pushes matter: then it is asked more often."""
ASK_SOON: Final = timedelta(minutes=10)
AFTER_A_FAILURE: Final = timedelta(minutes=1)

Read = Callable[[str], Awaitable[Mapping[str, Any]]]
"""A path under /v2/bot to the object that LINE answers. Raises NotSent."""

log = logging.getLogger(__name__)


class Quota:
    """What is known of this month's quota by now."""

    def __init__(self, read: Read, now: Callable[[], datetime]) -> None:
        self._read = read
        self._now = now
        self._one_at_a_time = asyncio.Lock()
        self._month = ""
        self._left: int | None = None
        self._spent = False
        self._ask_at: datetime | None = None

    async def left(self) -> int | None:
        """Pushes that may still be made; None for no limit, or if nobody knows."""
        async with self._one_at_a_time:
            self._turn_the_page()
            if not self._spent and (self._ask_at is None or self._now() >= self._ask_at):
                await self._ask()
            return self._left

    def known(self) -> int | None:
        """The same, without asking."""
        self._turn_the_page()
        return self._left

    def pushed(self) -> None:
        """One was made."""
        if self._left:
            self._left -= 1

    def spent(self) -> None:
        """LINE says that the month's limit is reached: until the month turns it is not asked again."""
        self._turn_the_page()
        self._left, self._spent = 0, True

    def _turn_the_page(self) -> None:
        month = month_of(self._now())
        if month != self._month:
            self._month, self._left, self._spent, self._ask_at = month, None, False, None

    async def _ask(self) -> None:
        try:
            limit = await self._read("/message/quota")
            used = await self._read("/message/quota/consumption") if limit.get("type") != "none" else {}
            self._left = left_of(limit, used)
        except NotSent as problem:
            log.warning("the month's quota of pushes is not known: %s", problem.reason)
            self._ask_at = self._now() + AFTER_A_FAILURE
            return
        few = self._left is not None and self._left <= NEAR_THE_END
        self._ask_at = self._now() + (ASK_SOON if few else ASK_AGAIN)


def left_of(limit: Mapping[str, Any], used: Mapping[str, Any]) -> int | None:
    """What both answers say together: None for no limit. Raises Unsure if they do not say it.

    https://developers.line.biz/en/reference/messaging-api/#get-quota
    """
    if limit.get("type") == "none":
        return None
    value, total = limit.get("value"), used.get("totalUsage")
    if not isinstance(value, int) or not isinstance(total, int):
        raise Unsure("LINE's answer about the quota holds no number")
    return max(value - total, 0)
