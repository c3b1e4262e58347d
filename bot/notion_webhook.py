"""The address that Notion signals to: it verifies, notes that there is something to look at, and answers.

Must not know what a signal is about, or who looks.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse

from bot.web_body import TooLarge, announced, read_body
from tools.notion.hook import Hook, read_event, token_in
from tools.record import StoreUnavailable

PATH: Final = "/notion/webhook"
MOST: Final = 256 * 1024
"""Bytes of a signal: it names ids, never content."""
READ_SECONDS: Final = 10.0
STORE_SECONDS: Final = 1.5
SIGNATURE: Final = "x-notion-signature"

log = logging.getLogger(__name__)


def add_notion_webhook(web: FastAPI, hook: Hook, *, store_seconds: float = STORE_SECONDS) -> None:
    """Add the address."""

    async def webhook(request: Request) -> Response:
        if announced(request, MOST) > MOST:
            return TooLarge()
        signatures = request.headers.getlist(SIGNATURE)
        if len(signatures) > 1:
            return PlainTextResponse(f"one {SIGNATURE} header is enough", status_code=400)
        body = await read_body(request, MOST, READ_SECONDS)
        if isinstance(body, Response):
            return body
        try:
            async with asyncio.timeout(store_seconds):
                return await (_signal(hook, body, signatures[0]) if signatures else _handshake(hook, body))
        except (TimeoutError, StoreUnavailable) as trouble:
            log.warning("a signal of Notion is not heeded, the next look will see it: %s", type(trouble).__name__)
            return PlainTextResponse("not stored; please deliver again", status_code=503)

    web.add_route(PATH, webhook, methods=["POST"])


async def _handshake(hook: Hook, body: bytes) -> Response:
    event = read_event(body)
    token = token_in(event) if event is not None else None
    if token is None:
        is_set_up = await hook.is_signed(b"", "") is not None
        return PlainTextResponse(f"the {SIGNATURE} header is missing" if is_set_up else "not set up",
                                 status_code=401 if is_set_up else 404)  # fmt: skip
    taken = await hook.offer(token) != "refused"
    return PlainTextResponse("OK" if taken else "another token is in use", status_code=200 if taken else 403)


async def _signal(hook: Hook, body: bytes, signature: str) -> Response:
    signed = await hook.is_signed(body, signature)
    if signed is None:
        return PlainTextResponse("not set up", status_code=404)
    if not signed:
        return PlainTextResponse("the signature does not fit the body", status_code=401)
    event = read_event(body)
    if event is None:
        return PlainTextResponse("not a JSON object", status_code=400)
    await hook.hear(event)
    return PlainTextResponse("OK")
