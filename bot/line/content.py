"""What people sent beside words, fetched from LINE: streamed up to a cap, waited for while LINE prepares it.

Must not know what it is or where it is kept. Not through the SDK, which reads everything into memory whatever its size.
https://developers.line.biz/en/reference/messaging-api/#get-content
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from bot.fetching import NotFetched
from bot.line.tokens import AccessTokens
from bot.ports import NotSent
from tools.attachment import Failure
from tools.loopback import proxy_for

HOST: Final = "https://api-data.line.me"

WAITS: Final = (0.5, 1.0, 2.0, 4.0, 4.0)
"""Seconds between looks while LINE still prepares it (202), as long films are; a person waits for the answer."""

CALL_SECONDS: Final = 30.0
"""For one whole download: twenty megabytes over a slow line at home."""

IDLE_SECONDS: Final = 8.0
_TRIES: Final = 3
_AGAIN_SECONDS: Final = 0.5
_PIECE: Final = 64 * 1024

_FAILURES: Final[dict[int, Failure]] = {HTTPStatus.NOT_FOUND: "unknown", HTTPStatus.GONE: "gone"}

log = logging.getLogger(__name__)


class _NotReady(Exception):
    """LINE is still preparing it."""


class _Broken(Exception):
    """No whole answer, or one that may be another the next time."""


class LineContent:
    """ContentPort over LINE's data host. ``api_base`` is the host of every call, or None for LINE's own. One per
    process; ``close`` belongs to the running loop."""

    def __init__(
        self,
        api_base: str | None,
        tokens: AccessTokens,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        seconds: float = CALL_SECONDS,
    ) -> None:
        self._host = api_base.rstrip("/") if api_base else HOST
        self._tokens = tokens
        self._sleep = sleep
        self._seconds = seconds
        self._proxy = proxy_for(self._host)
        self._network_errors: tuple[type[Exception], ...] = (NotSent, OSError, TimeoutError)
        self._session: Any = None
        self._starting = asyncio.Lock()

    async def close(self) -> None:
        """Close the connections."""
        async with self._starting:
            session, self._session = self._session, None
        if session:
            await session.close()

    async def content(self, message_id: str, most: int) -> bytes:
        waits, tries = iter(WAITS), _TRIES
        while True:
            try:
                return await self._once(message_id, most)
            except _NotReady:
                if (wait := next(waits, None)) is None or await self._has_failed(message_id):
                    raise NotFetched("not ready") from None
            except _Broken as trouble:
                tries -= 1
                if not tries:
                    log.warning("LINE content: no answer (%s)", trouble)
                    raise NotFetched("unreachable") from None
                wait = _AGAIN_SECONDS
            await self._sleep(wait)

    async def _once(self, message_id: str, most: int) -> bytes:
        """One download. Raises NotFetched, _NotReady, _Broken."""
        async with self._asked(message_id, "content") as response:
            status = response.status
            if status == HTTPStatus.ACCEPTED:
                raise _NotReady
            if status == HTTPStatus.OK:
                return await _body(response, most)
            log.warning("LINE content: %s (x-line-request-id %s)", status, response.headers.get("x-line-request-id"))
            if failure := _FAILURES.get(status):
                raise NotFetched(failure)
            if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise _Broken(f"HTTP {status}")
            raise NotFetched("unreachable")

    async def _has_failed(self, message_id: str) -> bool:
        """Whether LINE says that it will never be ready; unknown is no."""
        try:
            async with self._asked(message_id, "content/transcoding") as response:
                told = await response.json() if response.status == HTTPStatus.OK else {}
        except (_Broken, ValueError):
            return False
        return isinstance(told, dict) and told.get("status") == "failed"

    @asynccontextmanager
    async def _asked(self, message_id: str, part: str) -> AsyncIterator[Any]:
        """One answer; asked once more if there is another token than the one that is refused. Raises _Broken for no
        answer, or half a one."""
        session = await self._connected()
        path = f"{quote(message_id, safe='')}/{part}"
        try:
            async with AsyncExitStack() as answers:
                token = await self._tokens.current()
                response = await answers.enter_async_context(self._get(session, path, token))
                if response.status == HTTPStatus.UNAUTHORIZED and (fresh := await self._tokens.instead_of(token)):
                    response = await answers.enter_async_context(self._get(session, path, fresh))
                yield response
        except self._network_errors as trouble:
            raise _Broken(type(trouble).__name__) from None

    def _get(self, session: Any, path: str, token: str) -> Any:
        """A redirect is not followed: the token would travel along."""
        url = f"{self._host}/v2/bot/message/{path}"
        headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}
        return session.get(url, headers=headers, allow_redirects=False, proxy=self._proxy)

    async def _connected(self) -> Any:
        async with self._starting:
            if self._session is None:
                aiohttp = await asyncio.to_thread(importlib.import_module, "aiohttp")
                timeout = aiohttp.ClientTimeout(total=self._seconds, sock_read=IDLE_SECONDS)
                self._network_errors = (*self._network_errors, aiohttp.ClientError)
                self._session = aiohttp.ClientSession(timeout=timeout, auto_decompress=False)
            return self._session


async def _body(response: Any, most: int) -> bytes:
    """Raises NotFetched for more than so many bytes, announced or sent."""
    if (response.content_length or 0) > most:
        raise NotFetched("too large")
    read = bytearray()
    async for piece in response.content.iter_chunked(_PIECE):
        read += piece
        if len(read) > most:
            raise NotFetched("too large")
    return bytes(read)
