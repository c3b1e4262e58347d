"""A strict Notion of our own over real HTTP: workspace state, Notion's refusals, and its bad days on demand.

It answers in the shapes of API version 2026-03-11. ``fail`` orders faults; ``requests`` keeps what was asked.
"""

from __future__ import annotations

import asyncio
import copy
import json
import re
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Receive, Scope, Send

from tests.emulators.notion_filter import BadFilter
from tests.emulators.notion_values import Invalid
from tests.emulators.notion_workspace import Refusal, Workspace, uuid_of
from tests.serving import served

Json = dict[str, Any]
TOKEN = "ntn_emulated"
VERSION = "2026-03-11"


@dataclass
class Fault:
    """What goes wrong with the next ``times`` requests that match ``on`` (a pattern on ``METHOD path``).

    ``saved`` says whether the request is carried out before the answer is lost.
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


@dataclass
class Asked:
    method: str
    path: str
    body: Json | None
    status: int = 0


@dataclass
class Notion(Workspace):
    """A workspace that is reached over HTTP with ``token``."""

    token: str = TOKEN
    requests: list[Asked] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    judge: Callable[[str, str, Json], Iterable[str]] | None = None
    violations: list[str] = field(default_factory=list)
    running: int = 0

    def fail(self, kind: str, on: str = "", **more: Any) -> None:
        self.faults.append(Fault(kind, on, **more))

    def asked(self, pattern: str) -> list[Asked]:
        return [each for each in self.requests if re.search(pattern, f"{each.method} {each.path}")]

    async def quiet(self) -> None:
        """Until every request that came in has been carried out, also those nobody waits for any more."""
        while self.running:  # noqa: ASYNC110 - the end of the last request has no event
            await asyncio.sleep(0.01)

    # ── HTTP ──────────────────────────────────────────────────────────────────────────────────────────────────────

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.running += 1
        try:
            request = Request(scope, receive)
            response = await self._respond(request)
        finally:
            self.running -= 1
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        raw = await request.body()
        asked = Asked(request.method, request.url.path, None)
        self.requests.append(asked)
        try:
            self._check_headers(request)
            asked.body = json.loads(raw) if raw else None
            response = await self._with_faults(asked, dict(request.query_params))
        except json.JSONDecodeError:
            response = _error(Refusal(400, "invalid_json", "Error parsing JSON body."))
        except Refusal as refusal:
            response = _error(refusal)
        except (Invalid, BadFilter) as problem:
            response = _error(Refusal(400, "validation_error", str(problem)))
        asked.status = response.status_code
        return response

    def _check_headers(self, request: Request) -> None:
        if request.headers.get("authorization") != f"Bearer {self.token}":
            raise Refusal(401, "unauthorized", "API token is invalid.")
        version = request.headers.get("notion-version")
        if version is None:
            raise Refusal(400, "missing_version", "Notion-Version header should be defined.")
        if version != VERSION:
            raise Refusal(400, "validation_error", f"this emulator speaks {VERSION} only")

    async def _with_faults(self, asked: Asked, query: dict[str, str]) -> Response:
        fault = self._next_fault(asked)
        if fault is None:
            return self._carry_out(asked, query)
        if fault.seconds:
            await asyncio.sleep(fault.seconds)
        if fault.kind == "ignored":
            return self._ignoring(asked, query)
        if fault.saved:
            answer = self._carry_out(asked, query)
            if fault.kind == "slow":
                return answer
        return _fault_answer(fault)

    def _next_fault(self, asked: Asked) -> Fault | None:
        for fault in self.faults:
            if fault.times > 0 and re.search(fault.on, f"{asked.method} {asked.path}"):
                fault.times -= 1
                return fault
        return None

    def _ignoring(self, asked: Asked, query: dict[str, str]) -> Response:
        """200, and nothing was changed."""
        before = copy.deepcopy((self.databases, self.sources, self.pages, self.blocks))
        answer = self._carry_out(asked, query)
        self.databases, self.sources, self.pages, self.blocks = before
        return answer

    def _carry_out(self, asked: Asked, query: dict[str, str]) -> Response:
        if self.judge and asked.body is not None:
            self.violations.extend(self.judge(asked.method, asked.path, asked.body))
        for method, pattern, handler in self._routes():
            found = re.fullmatch(pattern, asked.path)
            if found and method == asked.method:
                ids = [uuid_of(name, text) for name, text in found.groupdict().items()]
                answer = handler(*ids, **({"query": query} if "children" in pattern and method == "GET" else {}),
                                 **({"body": asked.body or {}} if method in {"POST", "PATCH"} else {}))  # fmt: skip
                shown = {key: value for key, value in answer.items() if not key.startswith("_")}
                return JSONResponse({**shown, "request_id": str(uuid4())})
        raise Refusal(400, "invalid_request_url", "Invalid request URL.")

    def _routes(self) -> list[tuple[str, str, Callable[..., Json]]]:
        return [
            ("GET", "/v1/users/me", self.me),
            ("POST", "/v1/databases", self.create_database),
            ("GET", "/v1/databases/(?P<database_id>[^/]+)", self.database),
            ("PATCH", "/v1/databases/(?P<database_id>[^/]+)", self.update_database),
            ("POST", "/v1/data_sources", self.create_source),
            ("GET", "/v1/data_sources/(?P<data_source_id>[^/]+)", self.source),
            ("PATCH", "/v1/data_sources/(?P<data_source_id>[^/]+)", self.update_source),
            ("POST", "/v1/data_sources/(?P<data_source_id>[^/]+)/query", self.query),
            ("POST", "/v1/pages", self.create_page),
            ("GET", "/v1/pages/(?P<page_id>[^/]+)", self.retrieve_page),
            ("PATCH", "/v1/pages/(?P<page_id>[^/]+)", self.update_page),
            ("GET", "/v1/blocks/(?P<block_id>[^/]+)/children", self.children),
            ("PATCH", "/v1/blocks/(?P<block_id>[^/]+)/children", self.append),
            ("DELETE", "/v1/blocks/(?P<block_id>[^/]+)", self.delete_block),
        ]


def _error(refusal: Refusal, **headers: str) -> Response:
    body = {"object": "error", "status": refusal.status, "code": refusal.code, "message": str(refusal)}
    return JSONResponse({**body, **refusal.more, "request_id": str(uuid4())}, refusal.status, headers)


_MESSAGES = {
    "429": (429, "rate_limited", "You have been rate limited. Please try again in a few minutes."),
    "529": (529, "service_overload", "Notion is overloaded. Please try again later."),
    "409": (409, "conflict_error", "Conflict occurred while saving. Please try again."),
    "500": (500, "internal_server_error", "Unexpected error occurred."),
    "503": (503, "service_unavailable", "Notion is temporarily unavailable."),
    "504": (504, "gateway_timeout", "Notion took too long to answer."),
    "403": (403, "restricted_resource", "Insufficient permissions for this endpoint."),
    "400": (400, "validation_error", "body failed validation: body.properties should be something else."),
    "401": (401, "unauthorized", "API token is invalid."),
}


def _fault_answer(fault: Fault) -> Response:
    if fault.kind == "dropped":
        return Dropped()
    if fault.kind in {"200 html", "502"}:
        return HTMLResponse("<html><body>One moment, please</body></html>", 200 if fault.kind == "200 html" else 502)
    wait = {"retry-after": str(fault.retry_after)} if fault.kind in {"429", "529"} else {}
    return _error(Refusal(*_MESSAGES[fault.kind]), **wait)


def serving(notion: Notion) -> AbstractAsyncContextManager[str]:
    """The workspace on a free loopback port; the address."""
    return served(notion)
