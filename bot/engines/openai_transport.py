"""The openai package as a wire: one request out, one raw answer back, whole or in pieces, nothing decided.

This module imports the package, which takes a third of a second: import it in a thread, after the port is open. Must
not know what is in a request or what an answer means.

The package writes the head of a request once, for it calls one path; each body is sent behind it through the package's
own client over aiohttp, the fastest of its ways. Otherwise it would copy, hook and retry around every call: that costs
three times as much, which many turns at once take from webhooks that come in.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property

import httpx2
import openai
from openai._models import FinalRequestOptions

from bot.engines.openai_stream import LONGEST_ANSWER
from tools.loopback import is_loopback

_SECONDS = re.compile(r"[0-9]+(\.[0-9]*)?")
_NO_KEY = "none"
_UNPACKED_AT_ONCE = 8 * 1024

LONGEST_BODY = LONGEST_ANSWER
"""Bytes of one reply, in pieces or at once: a longer one would fill the memory before anybody read it."""

LONGEST_PACKED = 128 * 1024
"""The same of a compressed one, which may be a thousand times longer than it looks."""

REDIRECTS = 2
"""Followed at most: a better address, and what that adds to it. What sends round in circles is no endpoint."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, whatever its status. ``retry_after`` in seconds, if the endpoint named a time."""

    status: int
    body: bytes
    retry_after: float | None = None


class EndlessBody(Exception):
    """A reply is longer than any answer."""


class _Bounded(httpx2.AsyncByteStream):
    """A reply's body, which breaks off behind so many bytes. Raises EndlessBody."""

    def __init__(self, stream: httpx2.AsyncByteStream, most: int) -> None:
        self._stream = stream
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._most
        async for piece in self._stream:
            left -= len(piece)
            if left < 0:
                await self.aclose()
                raise EndlessBody
            for start in range(0, len(piece), _UNPACKED_AT_ONCE):
                yield piece[start : start + _UNPACKED_AT_ONCE]

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(response: httpx2.Response) -> None:
    packed = response.headers.get("content-encoding", "identity") != "identity"
    assert isinstance(response.stream, httpx2.AsyncByteStream), "the client is an asynchronous one"
    response.stream = _Bounded(response.stream, LONGEST_PACKED if packed else LONGEST_BODY)


class Wire:
    """One client for one endpoint, for the life of the process. It retries nothing: retries are decided above it.
    ``timeout`` bounds each socket operation, in seconds."""

    def __init__(self, base_url: str, api_key: str, timeout: float) -> None:
        self._http = openai.DefaultAioHttpClient(
            trust_env=not is_loopback(base_url), max_redirects=REDIRECTS, event_hooks={"response": [_bound]}
        )
        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=api_key or _NO_KEY,  # local endpoints want none, the package wants one
            timeout=timeout,
            http_client=self._http,
        )

    @cached_property
    def _head(self) -> httpx2.Request:
        """What stands in front of every body. A key that no header can hold shows here."""
        ask = FinalRequestOptions.construct(method="post", url="/chat/completions")
        head = self._client._build_request(ask)  # noqa: SLF001 - nothing public gives it without sending it
        head.headers.pop("content-length", None)
        return head

    async def post(self, body: bytes) -> Reply:
        """POST /chat/completions (https://platform.openai.com/docs/api-reference/chat/create). Raises ConnectionError
        if there is no whole reply: not reached, or broken off."""
        response = await self._sent(body, streamed=False)
        return _reply(response, response.content)

    async def stream(self, body: bytes, take: Callable[[bytes], bool], idle: float) -> Reply:
        """The same, and the reply piece by piece to ``take``, until that says that it has all, or nothing comes for
        ``idle`` seconds. A reply with an error status is brought whole. Raises ConnectionError, also for a break in
        between."""
        response = await self._sent(body, streamed=True)
        if response.is_stream_consumed or response.is_closed:
            return _reply(response, response.content)
        try:
            with suppress(TimeoutError):
                await _brought(response, take, idle)
        except Exception as error:  # noqa: BLE001 - as below
            raise ConnectionError(type(_origin(error)).__name__) from None
        finally:
            await response.aclose()
        return _reply(response, b"")

    async def _sent(self, body: bytes, *, streamed: bool) -> httpx2.Response:
        """Whole, unless it is one that is to be streamed. Raises ConnectionError."""
        try:
            head = self._head
            ask = httpx2.Request(head.method, head.url, headers=head.headers, content=body, extensions=head.extensions)
            response = await self._http.send(ask, stream=streamed)
            if not response.is_success:
                await response.aread()
        except Exception as error:  # noqa: BLE001 - the client lets errors of three other libraries through
            raise ConnectionError(type(_origin(error)).__name__) from None
        return response

    async def close(self) -> None:
        """Close the connections that are kept open."""
        await self._client.close()


async def _brought(response: httpx2.Response, take: Callable[[bytes], bool], idle: float) -> None:
    """Raises TimeoutError after so many idle seconds."""
    async with aclosing(response.aiter_bytes()) as pieces:
        while True:
            async with asyncio.timeout(idle):
                piece = await anext(pieces, None)
            if piece is None or take(piece):
                return


def _reply(response: httpx2.Response, body: bytes) -> Reply:
    return Reply(response.status_code, body, retry_after(response.headers, datetime.now(UTC)))


def _origin(error: BaseException) -> BaseException:
    """What all the libraries between wrap, and some rename: a broken connection is no timeout."""
    return _origin(error.__cause__) if error.__cause__ else error


def retry_after(headers: httpx2.Headers, now: datetime) -> float | None:
    """Seconds to wait, from a number or a date (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after), or from the
    milliseconds that some say beside it."""
    said, exactly = headers.get("retry-after", "").strip(), headers.get("retry-after-ms", "").strip()
    if _SECONDS.fullmatch(exactly):
        return float(exactly) / 1000
    if not said or _SECONDS.fullmatch(said):
        return float(said) if said else None
    try:
        return max((parsedate_to_datetime(said).replace(tzinfo=UTC) - now).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError, IndexError):  # it is read by hand, and strange dates slip through
        return None
