"""The body of a request that anybody may send: read whole, within bounds of size and time, or refused in one answer.

Must not know what stands in it, or who signs it.
"""

from __future__ import annotations

import asyncio

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse
from starlette.requests import ClientDisconnect
from starlette.types import Receive as AsgiReceive
from starlette.types import Scope, Send

HEAR_SECONDS = 1.0
"""Whoever sends too much may listen to the refusal for so long; nothing more is read from them."""


class TooLarge(PlainTextResponse):
    """A refusal to read on. The connection stays open for a moment, unread: closed at once under a caller who is
    still sending, it would be reset, and the answer lost.

    https://www.rfc-editor.org/rfc/rfc9112#section-9.6
    """

    def __init__(self) -> None:
        super().__init__("the body is too large", status_code=413, headers={"connection": "close"})

    async def __call__(self, _scope: Scope, _receive: AsgiReceive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        await asyncio.sleep(HEAR_SECONDS)
        await send({"type": "http.response.body"})


async def read_body(request: Request, most: int, seconds: float) -> bytes | Response:
    """The raw bytes, ``most`` at most; or the answer that says why they are not read."""
    if "content-length" in request.headers and "transfer-encoding" in request.headers:
        return _closing("the length of the body is said in two ways", 400)
    try:
        async with asyncio.timeout(seconds):
            body = await _body(request, most)
    except (TimeoutError, ClientDisconnect):
        return _closing("the body did not arrive", 408)
    return TooLarge() if body is None else body


def announced(request: Request, most: int) -> int:
    """Bytes of the body, as its head says; 0 if it does not, more than ``most`` for a number without end. The server
    has refused what is no number."""
    digits = request.headers.get("content-length", "0")
    return int(digits) if len(digits) < len("10000000000000000000") else most + 1


def _closing(sentence: str, status: int) -> Response:
    """An answer behind which nothing can be understood any more."""
    return PlainTextResponse(sentence, status_code=status, headers={"connection": "close"})


async def _body(request: Request, most: int) -> bytes | None:
    """The raw bytes, capped while they are read; None if there are too many."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            return None
    return bytes(body)
