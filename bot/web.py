"""HTTP: the webhook receiver and the few plain pages. Stores and answers; nothing else happens in a request.

Must not know what a message means, how it is stored, or who will work on it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.requests import ClientDisconnect

from bot.line.webhook import BadBody, read_delivery, verified
from bot.ports import IncomingMessage

log = logging.getLogger(__name__)

MAX_BODY = 1024 * 1024
"""Bytes of a webhook body; LINE names no limit, its largest real deliveries are a few kilobytes."""

READ_SECONDS = 10.0
"""For the whole body to arrive; LINE itself gives up after two seconds."""

STORE_SECONDS = 1.5
"""For the commit: LINE counts an answer after two seconds as a failure, and redelivers.
https://developers.line.biz/en/docs/messaging-api/check-webhook-error-statistics/"""

WEBHOOK_SENTENCE = "This is the LINE webhook: LINE posts here. Paste this address into the LINE console."

Receive = Callable[[Sequence[IncomingMessage]], Awaitable[None]]
Health = Callable[[], Awaitable[dict[str, Any]]]


def create_web(
    *,
    secrets: Sequence[str],
    receive: Receive,
    health: Health,
    home: str,
    now: Callable[[], datetime],
    read_seconds: float = READ_SECONDS,
    store_seconds: float = STORE_SECONDS,
) -> FastAPI:
    """The routes. ``home`` is the sentence at ``/``, or an address to lead to."""
    web = FastAPI(openapi_url=None, redirect_slashes=False)

    async def callback(request: Request) -> Response:
        received_at = now()
        body = await _signed_body(request, secrets, read_seconds)
        return body if isinstance(body, Response) else await _received(body, received_at, receive, store_seconds)

    async def about_callback(_: Request) -> Response:
        return PlainTextResponse(WEBHOOK_SENTENCE)

    async def healthz(_: Request) -> Response:
        try:
            async with asyncio.timeout(store_seconds):
                state = await health()
        except Exception:
            log.exception("the state cannot be told")
            state = {"status": "down"}
        return JSONResponse(state, status_code=200 if state["status"] == "ok" else 503)

    async def root(_: Request) -> Response:
        return RedirectResponse(home, status_code=302) if home.startswith("http") else PlainTextResponse(home)

    for path in ("/callback", "/callback/"):
        web.add_route(path, callback, methods=["POST"])
        web.add_route(path, about_callback, methods=["GET"])
    web.add_route("/healthz", healthz, methods=["GET"])
    web.add_route("/", root, methods=["GET"])
    return web


async def _signed_body(request: Request, secrets: Sequence[str], seconds: float) -> bytes | Response:
    """The raw bytes of what LINE signed, or the status that says what is wrong."""
    signatures = request.headers.getlist("x-line-signature")
    if len(signatures) != 1:
        return PlainTextResponse("exactly one x-line-signature header is needed", status_code=400)
    try:
        async with asyncio.timeout(seconds):
            body = await _body(request)
    except (TimeoutError, ClientDisconnect):
        return PlainTextResponse("the body did not arrive", status_code=408, headers={"connection": "close"})
    if body is None:
        return PlainTextResponse("the body is too large", status_code=413, headers={"connection": "close"})
    if not verified(body, signatures, secrets):
        return PlainTextResponse("the signature does not fit the body", status_code=401)
    return body


async def _body(request: Request) -> bytes | None:
    """The raw bytes, capped while they are read; None if there are too many."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return None
    return bytes(body)


async def _received(body: bytes, received_at: datetime, receive: Receive, seconds: float) -> Response:
    """200 once every event is stored; else a status that tells LINE whether to deliver again."""
    try:
        messages = read_delivery(body, received_at)
    except BadBody as problem:
        return PlainTextResponse(str(problem), status_code=400)
    if not messages:
        return PlainTextResponse("OK")
    try:
        async with asyncio.timeout(seconds):
            await receive(messages)
    except TimeoutError:
        log.warning("the store is slow: %d events were not stored in time; LINE is asked again", len(messages))
        return PlainTextResponse("not stored yet; please deliver again", status_code=503)
    except Exception:
        log.exception("%d events could not be stored; LINE is asked to deliver them again", len(messages))
        return PlainTextResponse("not stored; please deliver again", status_code=503)
    return PlainTextResponse("OK")
