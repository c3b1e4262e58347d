"""What people see while a turn takes long: that it is being worked on, and a button before a reply token dies.

Also who writes meanwhile is told, in time, that their turn comes. Must not know what is being answered.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from bot.delivery import Delivery
from bot.ports import ChannelPort, ChatKind, IncomingMessage, Turn, TurnId
from bot.second_thoughts import SecondThoughtsPort
from bot.voice.phrases import Phrases
from tools.record import StoreUnavailable

log = logging.getLogger(__name__)

TICK_SECONDS = 2.0
"""How often it is looked whether somebody writes meanwhile; a token has some seconds to spare."""

SHOWN_SECONDS = 50.0
"""So long the sign of work is shown at least: LINE ends it after sixty seconds, or with any message.

https://developers.line.biz/en/reference/messaging-api/#display-a-loading-indicator"""

BEHIND_SECONDS = 45.0
"""So old is the token of who waits behind a turn when it is spent: that may end soon, and their own be quick."""

GROUP_SECONDS = 18.0
"""In a group no sign of work can be shown: so soon it is said in words."""


def answer_seconds(kind: ChatKind, seconds: float) -> float:
    """By when, from the receipt of a message, something is to be said to it in such a chat."""
    return seconds if kind == "user" else min(seconds, GROUP_SECONDS)


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """Keeps people company. ``seconds`` is the operator's, for one-to-one chats."""

    port: SecondThoughtsPort
    channel: ChannelPort
    delivery: Delivery
    seconds: float
    now: Callable[[], datetime]
    tick_seconds: float = TICK_SECONDS

    async def until_done(self, work: asyncio.Task[Any], turn: Turn, phrases: Phrases) -> Turn:
        """Wait for the work; the turn with the tokens that it has left."""
        shown_at, spent = time.monotonic(), False
        while not work.done():
            left = self._left(turn.messages, self._soon(turn))
            pause = self.tick_seconds if spent else min(self.tick_seconds, left)
            await asyncio.wait({work}, timeout=pause)
            if work.done():
                break
            if not spent and self._left(turn.messages, self._soon(turn)) <= 0:
                turn, spent = await self.delivery.interim(turn, phrases), True
                shown_at = -SHOWN_SECONDS  # any message ends the sign of work
            await self._company(turn, phrases)
            if time.monotonic() - shown_at >= SHOWN_SECONDS and not work.done() and turn.last.kind != "reminder":
                shown_at = time.monotonic()
                await self.channel.show_working(turn.chat)
        return turn

    def _soon(self, turn: Turn) -> float:
        return answer_seconds(turn.last.chat_kind, self.seconds)

    def _left(self, messages: Sequence[IncomingMessage], seconds: float) -> float:
        """Seconds until the newest token is so old."""
        newest = max(message.received_at for message in messages)
        return max((newest + timedelta(seconds=seconds) - self.now()).total_seconds(), 0)

    async def _company(self, turn: Turn, phrases: Phrases) -> None:
        """Who wrote behind this turn, and whose token would die before their own is begun, gets a button for it."""
        try:
            waiting = await self.port.waiting(turn)
            if waiting and self._left(waiting, BEHIND_SECONDS) <= 0 and await self.port.spend(waiting):
                behind = replace(turn, id=TurnId(waiting[0].id), messages=tuple(waiting))
                await self.delivery.say_working(behind, phrases)
        except StoreUnavailable as trouble:
            log.warning("nobody could be told that it takes long: %s", trouble)
