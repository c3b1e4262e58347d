"""The bad days of Notion: what may go wrong with a request, and what the other side sees of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Receive, Scope, Send

from tests.emulators.notion_shelves import Refusal


@dataclass
class Fault:
    """What goes wrong with the next ``times`` requests that match ``on`` (a pattern on ``METHOD path``).

    ``saved`` says whether the request is carried out before the answer is lost. Kinds: a key of ``ANSWERS``; ``502``
    and ``200 html`` (pages for people), ``dropped`` (half an answer), ``slow`` (after ``seconds``), ``ignored`` (200,
    and nothing was changed), ``incomplete`` (a query that leaves out half and says so), ``revoked`` (the token is no
    longer one from now on).
    """

    kind: str
    on: str = ""
    times: int = 1
    retry_after: int = 1
    saved: bool = False
    seconds: float = 0.0


class Dropped(Response):
    """Half an answer, then nothing: what a broken connection looks like from the other side."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"application/json"), (b"content-length", b"1000")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"{", "more_body": True})


def error(refusal: Refusal, **headers: str) -> Response:
    body = {"object": "error", "status": refusal.status, "code": refusal.code, "message": str(refusal)}
    return JSONResponse({**body, **refusal.more, "request_id": str(uuid4())}, refusal.status, headers)


ANSWERS: dict[str, tuple[int, str, str, dict[str, Any]]] = {
    "429": (429, "rate_limited", "You have been rate limited. Please try again in a few minutes.",
            {"rate_limit_reason": "public_api_request_rate_limit"}),
    "529": (529, "service_overload", "Notion is overloaded. Please try again later.", {}),
    "409": (409, "conflict_error", "Conflict occurred while saving. Please try again.", {}),
    "500": (500, "internal_server_error", "Unexpected error occurred.", {}),
    "503": (503, "service_unavailable", "Notion is temporarily unavailable.", {}),
    "503 database": (503, "database_connection_unavailable", "Notion's database is temporarily unavailable.",
                     {"retry_guidance": ["Use exponential backoff with jitter", "Reduce page_size"]}),
    "504": (504, "gateway_timeout", "Notion took too long to answer.", {}),
    "403": (403, "restricted_resource", "Insufficient permissions for this endpoint.", {}),
    "400": (400, "validation_error", "body failed validation: body.properties should be something else.", {}),
    "401": (401, "unauthorized", "API token is invalid.", {}),
}  # fmt: skip


def answer_of(fault: Fault) -> Response:
    if fault.kind == "dropped":
        return Dropped()
    if fault.kind in {"200 html", "502"}:
        return HTMLResponse("<html><body>One moment, please</body></html>", 200 if fault.kind == "200 html" else 502)
    wait = {"retry-after": str(fault.retry_after)} if fault.kind in {"429", "529"} else {}
    kind = "504" if fault.kind == "slow" else fault.kind
    status, code, message, more = ANSWERS[kind]
    refusal = Refusal(status, code, message, **({"additional_data": more} if more else {}))
    return error(refusal, **wait)
