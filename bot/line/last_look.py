"""The last look at what is said: no configured secret in any string of it, and what cannot be looked at is not said.

Pure. It looks twice: at whole texts, which may yet be cut in two, and at the messages as LINE will be sent them. Must
not know who is spoken to, or what a secret looks like.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.line import bubbles
from bot.ports import Bubble
from bot.voice.language import language_of
from bot.voice.phrases import phrases_of
from tools.record import Language

log = logging.getLogger(__name__)


def _as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class LastLook:
    """Makes LINE's messages of bubbles. ``veiled`` gives any JSON value without secrets; where it fails, one fixed
    sentence stands for everything, in ``language``, or else in that of the words."""

    veiled: Callable[[Any], Any] = _as_it_is
    language: Language | None = None

    def messages(self, said: Sequence[Bubble], *, plain: bool = False) -> list[bubbles.LineMessage]:
        """As ``bubbles.messages``; if ``plain``, in words alone: of a picture its address."""
        try:
            texts = self._veiled_texts([each.text for each in said])
            cards = [None if plain or each.card is None else each.card.reworded(self.veiled) for each in said]
        except Exception:  # noqa: BLE001 - whatever went wrong, it may tell what must not be told
            return self._instead(said)
        looked_at = [
            Bubble(_with_address(text, each)) if plain else replace(each, text=text, card=card)
            for each, text, card in zip(said, texts, cards, strict=True)
        ]
        try:
            return [self.veiled(each) for each in bubbles.messages(looked_at)]
        except Exception:  # noqa: BLE001 - as above
            return self._instead(said)

    def _veiled_texts(self, texts: Sequence[str]) -> list[str]:
        """Raises ValueError where one secret is spread over several bubbles."""
        veiled: list[str] = self.veiled(list(texts))
        together = "\n".join(veiled)
        if self.veiled(together) != together:
            raise ValueError("a secret is still to be read across bubbles")
        return veiled

    def _instead(self, said: Sequence[Bubble]) -> list[bubbles.LineMessage]:
        log.error("an answer was not sent: secrets could not be masked in it; the person was told that it went wrong")
        language = self.language or language_of(" ".join(each.text for each in said), None)
        return bubbles.messages([Bubble(phrases_of(language).failed)])


def _with_address(text: str, said: Bubble) -> str:
    return "\n".join(filter(None, [text, said.image.original if said.image else ""]))
