"""What is known of one model at one endpoint: its dialect, and how many bytes it counts as a token.

Learned from what comes back, kept in the store between runs. A store that cannot be read or written costs no answer:
what it would have said is learned again. Must not know how a request is written or sent.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterable
from statistics import median
from typing import Any

from bot.engines.openai_dialect import Dialect, difference, taught
from bot.model_ports import EndpointsPort
from bot.thinking.budget import BYTES_PER_TOKEN

FEWEST, MOST = 1.5, 6.0
"""Bytes per token are between these: the densest writing of the densest tokenizer, and a little above English."""

BELIEVED = 10.0
"""More bytes per token has no writing: then the endpoint did not count, or did not read, all that it was sent."""

LOAD_SECONDS = 2.0
"""A store that takes longer is not waited for: learning everything again takes two requests."""

_SAMPLES = 20
_ENOUGH = 5
_LOW = 0.1
_RATIO = "bytes_per_token"
_WORTH_KEEPING = 0.05
_LONG_REQUEST = 8_000
_CUT_SHARE = 0.5

log = logging.getLogger(__name__)


class TokenRatio:
    """Bytes of a request per token, from an endpoint's own counts: a low one of the latest, since a text that is denser
    than expected is refused or cut, and one that is not costs little. A few samples alone do not raise it."""

    def __init__(self, samples: Iterable[float] = ()) -> None:
        self._samples = deque(samples, _SAMPLES)

    @property
    def bytes_per_token(self) -> float:
        few = len(self._samples) < _ENOUGH
        low = sorted([*self._samples, BYTES_PER_TOKEN] if few else self._samples)
        return min(max(low[int(len(low) * _LOW)], FEWEST), MOST)

    def count(self, size: int, tokens: int) -> None:
        """A request of so many bytes was counted as so many tokens, or not counted (0)."""
        if 0 < tokens <= size <= tokens * BELIEVED:
            self._samples.append(size / tokens)

    def is_far_under(self, size: int, tokens: int) -> bool:
        """Whether so few tokens cannot be all of a request that long."""
        if not tokens or size < _LONG_REQUEST:
            return False
        usual = median(self._samples) / _CUT_SHARE if len(self._samples) >= _ENOUGH else BELIEVED
        return size / tokens > usual


class Lessons:
    """All of it for the endpoint called ``name``. ``stream`` is how it is asked until it teaches otherwise."""

    def __init__(
        self, name: str, store: EndpointsPort | None, *, stream: bool = False, load_seconds: float = LOAD_SECONDS
    ) -> None:
        self._name = name
        self._store = store
        self._load_seconds = load_seconds
        self._unread = store
        self._reading = asyncio.Lock()
        self._unsaved: dict[str, Any] = {}
        self._saving: asyncio.Task[None] | None = None
        self._kept_ratio = BYTES_PER_TOKEN
        self._warned = False
        self._ratio = TokenRatio()
        self.dialect = Dialect(stream=stream)

    @property
    def bytes_per_token(self) -> float:
        return self._ratio.bytes_per_token

    async def recalled(self) -> None:
        """Read what is kept, once, and not for long."""
        if self._unread is not None:
            async with self._reading:
                if self._unread is not None:
                    await self._recall(self._unread)
                self._unread = None

    def keep(self, dialect: Dialect) -> None:
        """From now on it is spoken to like this."""
        if dialect is not self.dialect and (change := difference(self.dialect, dialect)):
            self.dialect = dialect
            log.info("%s: learned %s", self._name, change)
            self._save(change)

    def count(self, size: int, tokens: int) -> None:
        """A request of so many bytes was counted as so many tokens, or not counted (0)."""
        if self._ratio.is_far_under(size, tokens) and not self._warned:
            self._warned = True
            log.warning(
                "%s counted only %d tokens in a request of %d bytes: it may not read all that it is sent. "
                "Let it read more (for Ollama: num_ctx), or lower CONTEXT_TOKENS.",
                self._name,
                tokens,
                size,
            )
        self._ratio.count(size, tokens)
        ratio = self._ratio.bytes_per_token
        if abs(ratio - self._kept_ratio) > _WORTH_KEEPING * self._kept_ratio:
            self._kept_ratio = ratio
            self._save({_RATIO: round(ratio, 3)})

    async def close(self) -> None:
        """Wait until all is kept."""
        if self._saving:
            await self._saving

    async def _recall(self, store: EndpointsPort) -> None:
        try:
            async with asyncio.timeout(self._load_seconds):
                kept = await store.learned(self._name)
        except Exception as trouble:  # noqa: BLE001 - whatever a store raises, an answer does not depend on it
            log.warning("%s: what was learned of it cannot be read (%s)", self._name, type(trouble).__name__)
            return
        self.dialect = taught(self.dialect, kept)
        ratio = kept.get(_RATIO)
        if isinstance(ratio, int | float) and not isinstance(ratio, bool) and FEWEST <= ratio <= MOST:
            self._kept_ratio = float(ratio)
            self._ratio = TokenRatio([self._kept_ratio] * _ENOUGH)

    def _save(self, change: dict[str, Any]) -> None:
        if self._store is None:
            return
        self._unsaved |= change
        if self._saving is None or self._saving.done():
            self._saving = asyncio.create_task(self._write(self._store))

    async def _write(self, store: EndpointsPort) -> None:
        while self._unsaved:
            change, self._unsaved = self._unsaved, {}
            try:
                await store.keep(self._name, change)
            except Exception as trouble:  # noqa: BLE001 - as above
                log.warning("%s: what was learned of it cannot be kept (%s)", self._name, type(trouble).__name__)
