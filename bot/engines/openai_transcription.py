"""Voice to words, by an endpoint's ``/audio/transcriptions``: one upload, one answer.

An endpoint that has no such path is asked again only a day later. Must not know whose voice it is, or what is done with
the words. https://platform.openai.com/docs/api-reference/audio/createTranscription
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from bot.model_ports import Attempt, CannotHear, EndpointsPort, ModelUnavailable, Usage
from tools.loopback import is_loopback
from tools.media_type import ENDINGS, UNKNOWN
from tools.record import StoreUnavailable

TIMEOUT: Final = 60.0
"""Seconds for all of it: a minute of voice takes an endpoint some seconds."""

DEAF_FOR: Final = timedelta(days=1)
"""An endpoint without it may have it tomorrow."""

_DEAF: Final = frozenset({404, 405, 501})
_NOT_THIS: Final = frozenset({400, 413, 415, 422})
_LONGEST: Final = 20_000
_DEAF_SINCE: Final = "deaf_since"

log = logging.getLogger(__name__)


class OpenAITranscription:
    """A TranscriptionPort. ``observe`` is told of every upload, never of its bytes."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        endpoints: EndpointsPort,
        now: Callable[[], datetime],
        observe: Callable[[Attempt], None] = lambda _: None,
        timeout: float = TIMEOUT,
    ) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._model = model
        self._endpoints = endpoints
        self._now = now
        self._observe = observe
        self._timeout = timeout
        self._host = urlsplit(base_url).hostname or base_url
        self._name = f"{urlsplit(base_url).netloc.rpartition('@')[2]}/transcriptions/{model}"[:200]
        self._client: Any = None
        self._starting = asyncio.Lock()

    async def close(self) -> None:
        """Close the connections."""
        async with self._starting:
            client, self._client = self._client, None
        if client:
            await client.close()

    async def transcribe(self, audio: bytes, media_type: str) -> str:
        if media_type == UNKNOWN:
            raise CannotHear("this is no sound that is known")
        if await self._is_deaf():
            raise CannotHear(f"{self._host}: {self._model} writes nothing down")
        client = await self._connected()
        file = (f"voice.{ENDINGS[media_type]}", audio, media_type)
        status, came, error, begun = None, "", "", time.monotonic()
        try:
            async with asyncio.timeout(self._timeout):
                answer = await client.audio.transcriptions.create(file=file, model=self._model, response_format="json")
            status, came = 200, _words(answer)
        except Exception as trouble:  # noqa: BLE001 - the package lets errors of four other libraries through
            status = getattr(trouble, "status_code", None)
            error = f"{type(trouble).__name__} {status or ''}".rstrip()
            raise await self._unheard(status, error) from None
        finally:
            self._tell(len(audio), status, came, error, time.monotonic() - begun)
        return came

    async def _unheard(self, status: int | None, error: str) -> ModelUnavailable:
        """What a failure means."""
        if status in _DEAF:
            log.warning(
                "%s writes down no voice with the model %s (HTTP %s): voice messages are only kept. "
                "If it can, set OPENAI_TRANSCRIBE_MODEL to a model of its own",
                self._host,
                self._model,
                status,
            )
            try:
                await self._endpoints.keep(self._name, {_DEAF_SINCE: self._now().isoformat()})
            except StoreUnavailable as trouble:
                log.warning("that an endpoint writes down no voice cannot be kept: %s", trouble)
            return CannotHear(f"{self._host}: HTTP {status}")
        if status in _NOT_THIS:
            return CannotHear(f"{self._host}: this voice message is refused (HTTP {status})")
        return ModelUnavailable(f"{self._host}: nothing was written down ({error})")

    async def _is_deaf(self) -> bool:
        try:
            kept = (await self._endpoints.learned(self._name)).get(_DEAF_SINCE)
            return isinstance(kept, str) and self._now() - datetime.fromisoformat(kept) < DEAF_FOR
        except (StoreUnavailable, ValueError, TypeError):
            return False

    async def _connected(self) -> Any:
        async with self._starting:
            if self._client is None:
                self._client = await asyncio.to_thread(self._connect)
            return self._client

    def _connect(self) -> Any:
        import openai

        return openai.AsyncOpenAI(
            base_url=self._base_url,
            api_key=self._api_key or "none",  # local endpoints want none, the package wants one
            timeout=self._timeout,
            max_retries=0,  # each upload is paid for: whoever asks again counts it
            http_client=openai.DefaultAioHttpClient(trust_env=not is_loopback(self._base_url), max_redirects=2),
        )

    def _tell(self, size: int, status: int | None, came: str, error: str, seconds: float) -> None:
        sent = {"model": self._model, "file": f"<audio {size // 1000} kB>"}
        attempt = Attempt(
            engine=self._name, sent=sent, status=status, came=came, usage=Usage(), seconds=seconds, error=error
        )
        try:
            self._observe(attempt)
        except Exception:
            log.exception("an attempt could not be recorded")


def _words(answer: Any) -> str:
    """The text of an answer in whatever shape: an object, or the text alone."""
    text = getattr(answer, "text", answer)
    return " ".join(text.split())[:_LONGEST] if isinstance(text, str) else ""
