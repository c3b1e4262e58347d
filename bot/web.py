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

from bot.line.webhook import BadBody, read_delivery, verified
from bot.ports import IncomingMessage
from bot.web_body import TooLarge, announced, read_body
from tools.record import StoreUnavailable

log = logging.getLogger(__name__)

MAX_BODY = 1024 * 1024
"""Bytes of a webhook body; LINE names no limit, its largest real deliveries are a few kilobytes."""

READ_SECONDS = 10.0
"""For the whole body to arrive; LINE itself gives up after two seconds."""

STORE_SECONDS = 1.5
"""For the commit: LINE counts an answer after two seconds as a failure, and redelivers.
https://developers.line.biz/en/docs/messaging-api/check-webhook-error-statistics/"""

WEBHOOK_SENTENCE = "This is the LINE webhook: LINE posts here. Paste this address into the LINE console."

NOTHING_HERE = "There is nothing at this address; the LINE webhook is at /callback."

AILMENTS = {
    "full": "the disk is full",
    "read-only": "the store can be read but not written",
    "locked": "another process holds the store",
    "damaged": "the store is damaged",
    "failing": "the disk answers with errors",
    "unreachable": "the store cannot be reached or opened",
    "slow": "the store does not answer in time; another process may hold it",
    "closed": "the bot is starting or stopping",
    "misconfigured": "the store refuses the name, the password or the database that DATABASE_URL gives",
}
"""What a watchdog is told, by the store's own word for it. A driver's sentences would name paths, hosts and users."""

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
    pulse = Pulse(health, store_seconds)

    async def callback(request: Request) -> Response:
        received_at = now()
        body = await _signed_body(request, secrets, read_seconds)
        return body if isinstance(body, Response) else await _received(body, received_at, receive, store_seconds)

    async def about_callback(_: Request) -> Response:
        return PlainTextResponse(WEBHOOK_SENTENCE)

    async def healthz(_: Request) -> Response:
        state = await pulse.feel()
        return JSONResponse(state, status_code=200 if state["status"] == "ok" else 503)

    async def root(_: Request) -> Response:
        return RedirectResponse(home, status_code=302) if home.startswith("http") else PlainTextResponse(home)

    for path in ("/callback", "/callback/"):
        web.add_route(path, callback, methods=["POST"])
        web.add_route(path, about_callback, methods=["GET"])
    web.add_route("/healthz", healthz, methods=["GET"])
    web.add_route("/", root, methods=["GET"])
    web.add_exception_handler(404, _nothing_here)
    web.add_exception_handler(405, _not_like_this)
    return web


async def _nothing_here(_: Request, __: Exception) -> Response:
    return PlainTextResponse(NOTHING_HERE, status_code=404)


async def _not_like_this(request: Request, refusal: Exception) -> Response:
    headers = getattr(refusal, "headers", None)  # they name the methods that are allowed
    return PlainTextResponse(f"{request.method} is not for this address.", status_code=405, headers=headers)


# ── the webhook ───────────────────────────────────────────────────────────────────────────────────────────────────


async def _signed_body(request: Request, secrets: Sequence[str], seconds: float) -> bytes | Response:
    """The raw bytes of what LINE signed, or the status that says what is wrong."""
    if announced(request, MAX_BODY) > MAX_BODY:
        return TooLarge()
    signatures = request.headers.getlist("x-line-signature")
    if len(signatures) != 1:
        return PlainTextResponse("exactly one x-line-signature header is needed", status_code=400)
    body = await read_body(request, MAX_BODY, seconds)
    if isinstance(body, Response):
        return body
    if not verified(body, signatures, secrets):
        return PlainTextResponse("the signature does not fit the body", status_code=401)
    return body


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
    except StoreUnavailable as trouble:
        log.warning("%d events could not be stored (%s); LINE is asked again", len(messages), trouble)
    except Exception:
        log.exception("%d events could not be stored; LINE is asked to deliver them again", len(messages))
    else:
        return PlainTextResponse("OK")
    return PlainTextResponse("not stored; please deliver again", status_code=503)


# ── whether it can store ──────────────────────────────────────────────────────────────────────────────────────────


class Pulse:
    """The state of the process, felt once for however many ask at the same moment: feeling it costs a commit, and a
    store that hangs must not find a queue of questions when it comes back."""

    def __init__(self, health: Health, seconds: float) -> None:
        self._health = health
        self._seconds = seconds
        self._feeling: asyncio.Task[dict[str, Any]] | None = None

    async def feel(self) -> dict[str, Any]:
        """``status`` and what else is known; where it is not ``ok``, a ``reason`` in plain words. Never raises."""
        if self._feeling is None or self._feeling.done():
            self._feeling = asyncio.create_task(self._felt())
        done, _ = await asyncio.wait({self._feeling}, timeout=self._seconds)
        return self._feeling.result() if done else _down("slow")

    async def _felt(self) -> dict[str, Any]:
        try:
            return await self._health()
        except StoreUnavailable as trouble:
            log.warning("events cannot be stored now: %s", trouble)
            return _down(getattr(trouble, "reason", ""))
        except Exception:
            log.exception("whether events can be stored is not known")
            return _down("")


def _down(word: str) -> dict[str, Any]:
    return {"status": "down", "reason": AILMENTS.get(word, "the store takes nothing")}
