"""One request of a bot, from its first byte to the last of its answer: size, token, media type, faults, log.

Must not know which paths there are or what they do.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from bot.local_line import limits
from bot.local_line.checks import Check
from bot.local_line.events import milliseconds
from bot.local_line.faults import Fault, Faults

MAX_BODY_BYTES = 2 * 1024 * 1024
_KEPT_BYTES = 200_000


class Refused(Exception):
    """The request is answered with this status and body."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}
        self.body = {"message": message, **more}


class CutConnection(Response):
    """An answer that breaks off: the client can not know whether anything was done."""

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 502, "headers": [(b"content-length", b"1000")]})
        await send({"type": "http.response.body", "body": b'{"mess', "more_body": True})


Handler = Callable[[Request, bytes], Awaitable[Response]]


class Exchange:
    """Answers requests. ``log`` holds what was asked lately: method, path, status (None: cut off), body, answer."""

    def __init__(self, is_known_token: Callable[[str], bool], now: Callable[[], datetime]) -> None:
        self.faults = Faults()
        self.log: deque[dict[str, Any]] = deque(maxlen=500)
        self._is_known_token = is_known_token
        self._now = now

    async def not_found(self, request: Request) -> Response:
        """Any path or method that LINE does not have."""

        async def refuse(_request: Request, _body: bytes) -> Response:
            raise Refused(404, "Not found")

        return await self.answered(refuse, open_to_all=True)(request)

    def answered(
        self, handler: Handler, *, open_to_all: bool = False, media: Sequence[str] = ("application/json",)
    ) -> Callable[[Request], Awaitable[Response]]:
        """A route that runs ``handler`` for those who know a token, and send one of these media, or for everyone."""

        async def answer(request: Request) -> Response:
            fault = self.faults.take(request.url.path)
            if fault and fault.delay:
                await asyncio.sleep(fault.delay)
            body = b""
            try:
                body = await _body(request)
                response = _fault(fault, "before") or await self._carry_out(
                    handler, request, body, () if open_to_all else media
                )
                response = _fault(fault, "after") or response
            except Refused as refused:
                response = _fault(fault, "after") or JSONResponse(refused.body, refused.status, refused.headers)
            response.headers["x-line-request-id"] = str(uuid.uuid4())
            self._keep(request, body, response)
            return response

        return answer

    async def _carry_out(self, handler: Handler, request: Request, body: bytes, media: Sequence[str]) -> Response:
        if media:
            self._check_token(request)
            if body and request.headers.get("content-type", "").partition(";")[0].strip() not in media:
                raise Refused(415, f"Unsupported media type: send {' or '.join(media)}")
        return await handler(request, body)

    def _check_token(self, request: Request) -> None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or not self._is_known_token(token):
            raise Refused(
                401,
                "Authentication failed. Confirm that the access token in the authorization header is valid.",
                {"WWW-Authenticate": 'Bearer error="invalid_token"'},
            )

    def _keep(self, request: Request, body: bytes, response: Response) -> None:
        cut = isinstance(response, CutConnection)
        self.log.append(
            {
                "at": milliseconds(self._now()),
                "method": request.method,
                "path": request.url.path,
                "status": None if cut else response.status_code,
                "body": _json_or_text(body),
                "answer": None if cut else _json_or_text(bytes(response.body)),
            }
        )


async def _body(request: Request) -> bytes:
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > MAX_BODY_BYTES:
            raise Refused(413, "The request body is larger than 2 MB")
    return bytes(read)


def checked(body: bytes, check: Check) -> dict[str, Any]:
    """The JSON of a body, if it passes. Raises Refused in LINE's shape."""
    try:
        asked = json.loads(body, parse_constant=_no_constant)
        problems = list(check(asked, ()))
    except ValueError:
        raise Refused(400, "The request body could not be parsed as JSON") from None
    except RecursionError:
        raise Refused(400, "The request body is nested too deeply") from None
    if problems:
        wording = limits.refusal(problems)
        raise Refused(400, wording["message"], details=wording["details"])
    found: dict[str, Any] = asked
    return found


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _fault(fault: Fault | None, moment: str) -> Response | None:
    if fault is None or fault.moment != moment:
        return None
    if fault.drop:
        return CutConnection()
    return JSONResponse(fault.body, fault.status) if fault.status else None


def _json_or_text(body: bytes) -> Any:
    try:
        return json.loads(body[:_KEPT_BYTES]) if body else None
    except (ValueError, RecursionError):
        return f"({len(body)} bytes)"
