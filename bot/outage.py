"""While the store takes nothing: each chat is told once, on the token of what could not be kept.

Nothing of it is acknowledged to the network, which may deliver it again. Must not know what is wrong with the store, or
what was said beyond its language.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from bot.gate import Gate
from bot.ports import Bubble, ChannelPort, ChatId, IncomingMessage, NotSent, TokenDead
from bot.voice.language import language_of
from bot.voice.phrases import phrases_of
from tools.record import Language

log = logging.getLogger(__name__)


class Outage:
    """Who has been told. ``language`` is what the operator fixed for everyone, if anything."""

    def __init__(self, gate: Gate, channel: ChannelPort, language: Language | None = None) -> None:
        self._gate = gate
        self._channel = channel
        self._language = language
        self._told: set[ChatId] = set()

    async def tell(self, messages: Sequence[IncomingMessage]) -> None:
        """These could not be kept. In groups nothing is said: which of them listen is in the store. Never raises."""
        for message in messages:
            token = message.reply_token
            if message.answerable and token and message.chat_kind == "user" and message.chat not in self._told:
                self._told.add(message.chat)
                await self._tell(message, token)

    def over(self) -> None:
        """Something was kept: the next outage is a new one."""
        self._told.clear()

    async def _tell(self, message: IncomingMessage, token: str) -> None:
        language = self._language or language_of(message.text, None)
        try:
            if await self._gate.welcomes(message.person):
                await self._channel.reply(token, [Bubble(phrases_of(language).cannot_store)])
        except (NotSent, TokenDead) as problem:
            log.warning("nobody could be told that nothing can be stored: %s", problem)
        except Exception:
            log.exception("nobody could be told that nothing can be stored")
