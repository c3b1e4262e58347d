"""A strict Notion of our own over real HTTP: workspace state, Notion's refusals, and its bad days on demand.

It answers in the shapes of API version 2026-03-11. ``fail`` orders faults; ``requests`` keeps what was asked; what a
person does there is done by the methods of ``Workspace``.
"""

from __future__ import annotations

import asyncio
import copy
import json
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC
from email import message_from_bytes, policy
from email.utils import format_datetime
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from tests.emulators.notion_faults import Fault, answer_of, error
from tests.emulators.notion_filter import BadFilter
from tests.emulators.notion_values import Invalid
from tests.emulators.notion_workspace import Refusal, Workspace, uuid_of
from tests.serving import served

Json = dict[str, Any]
TOKEN = "ntn_emulated"
VERSION = "2026-03-11"
CAPABILITIES = frozenset({"read", "insert", "update", "users"})


@dataclass
class Asked:
    method: str
    path: str
    body: Json | None
    status: int = 0
    at: float = 0.0


@dataclass
class Notion(Workspace):
    """A workspace that is reached over HTTP with ``token``."""

    token: str = TOKEN
    capabilities: frozenset[str] = CAPABILITIES
    """What the connection may do with content."""
    rate: float | None = None
    """Requests a second, on average, beyond which it answers 429; None for as many as come."""
    burst: float = 10.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    latency: float = 0.0
    """Seconds that every answer takes."""
    requests: list[Asked] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    meanwhile: list[tuple[str, Callable[[], Any]]] = field(default_factory=list)
    """What somebody does there just before the next request that matches (a pattern on ``METHOD path``) is carried
    out."""
    judge: Callable[[str, str, Json], Iterable[str]] | None = None
    violations: list[str] = field(default_factory=list)
    running: int = 0
    _budget: tuple[float, float] = (0.0, float("-inf"))

    def fail(self, kind: str, on: str = "", **more: Any) -> None:
        self.faults.append(Fault(kind, on, **more))

    def asked(self, pattern: str) -> list[Asked]:
        return [each for each in self.requests if re.search(pattern, f"{each.method} {each.path}")]

    def revoke(self) -> None:
        """A person takes the connection's token back."""
        self.token = str(uuid4())

    async def quiet(self) -> None:
        """Until every request that came in has been carried out, also those nobody waits for any more."""
        while self.running:  # noqa: ASYNC110 - the end of the last request has no event
            await asyncio.sleep(0.01)

    def offhand(self, method: str, path: str, body: Json | None = None, **query: str) -> tuple[int, Json]:
        """What would be answered, without HTTP, headers or faults: the status and the body."""
        try:
            response = self._carry_out(Asked(method, path, body), query)
        except Refusal as refusal:
            response = error(refusal)
        except (Invalid, BadFilter) as problem:
            response = error(Refusal(400, "validation_error", str(problem)))
        return response.status_code, json.loads(bytes(response.body))

    # ── HTTP ──────────────────────────────────────────────────────────────────────────────────────────────────────

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.running += 1
        try:
            request = Request(scope, receive)
            response = await self._respond(request)
        finally:
            self.running -= 1
        response.headers["date"] = format_datetime(self.now().astimezone(UTC), usegmt=True)
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        asked = Asked(request.method, request.url.path, None, at=self.clock())
        self.requests.append(asked)
        try:
            asked.body = await self._read(request)
            self._check_headers(request)
            self._check_rate()
            if self.latency:
                await self.sleep(self.latency)
            self._let_it_happen(asked)
            response = await self._with_faults(asked, dict(request.query_params))
        except json.JSONDecodeError:
            response = error(Refusal(400, "invalid_json", "Error parsing JSON body."))
        except Refusal as refusal:
            response = error(refusal, **({"retry-after": refusal.more["wait"]} if "wait" in refusal.more else {}))
        except (Invalid, BadFilter) as problem:
            response = error(Refusal(400, "validation_error", str(problem)))
        asked.status = response.status_code
        return response

    @staticmethod
    async def _read(request: Request) -> Json | None:
        """A JSON body, or the parts of a form: ``(name, type, bytes)`` under each."""
        raw, kind = await request.body(), request.headers.get("content-type", "")
        if not kind.startswith("multipart/form-data"):
            return dict(json.loads(raw)) if raw else None
        form = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + raw, policy=policy.HTTP)
        return {
            str(part.get_param("name", header="content-disposition")): (
                part.get_filename(), part.get_content_type(), part.get_payload(decode=True)
            )
            for part in form.iter_parts()
        }  # fmt: skip

    def _check_headers(self, request: Request) -> None:
        if request.headers.get("authorization") != f"Bearer {self.token}":
            raise Refusal(401, "unauthorized", "API token is invalid.")
        version = request.headers.get("notion-version")
        if version is None:
            raise Refusal(400, "missing_version", "Notion-Version header should be defined.")
        if version != VERSION:
            raise Refusal(400, "validation_error", f"this emulator speaks {VERSION} only")

    def _check_rate(self) -> None:
        if self.rate is None:
            return
        left, at = self._budget
        now = self.clock()
        left = min(self.burst, left + (now - at) * self.rate) if at > float("-inf") else self.burst
        self._budget = (max(left - 1, 0) if left >= 1 else left, now)
        if left < 1:
            more = {"rate_limit_reason": "public_api_request_rate_limit"}
            raise Refusal(429, "rate_limited", "You have been rate limited.", additional_data=more, wait="1")

    async def _with_faults(self, asked: Asked, query: dict[str, str]) -> Response:
        fault = self._next_fault(asked)
        if fault is None:
            return self._carry_out(asked, query)
        if fault.seconds:
            await self.sleep(fault.seconds)
        if fault.kind == "revoked":
            self.revoke()
            raise Refusal(401, "unauthorized", "API token is invalid.")
        if fault.kind in {"ignored", "incomplete"}:
            return self._ignoring(asked, query) if fault.kind == "ignored" else self._in_part(asked, query)
        if fault.saved:
            answer = self._carry_out(asked, query)
            if fault.kind == "slow":
                return answer
        return answer_of(fault)

    def _let_it_happen(self, asked: Asked) -> None:
        due = next((each for each in self.meanwhile if re.search(each[0], f"{asked.method} {asked.path}")), None)
        if due:
            self.meanwhile.remove(due)
            due[1]()

    def _next_fault(self, asked: Asked) -> Fault | None:
        for fault in self.faults:
            if fault.times > 0 and re.search(fault.on, f"{asked.method} {asked.path}"):
                fault.times -= 1
                return fault
        return None

    def _ignoring(self, asked: Asked, query: dict[str, str]) -> Response:
        """200, and nothing was changed."""
        shelves = ("databases", "sources", "pages", "blocks", "views", "uploads")
        before = {name: copy.deepcopy(getattr(self, name)) for name in shelves}
        answer = self._carry_out(asked, query)
        for name, shelf in before.items():
            setattr(self, name, shelf)
        return answer

    def _in_part(self, asked: Asked, query: dict[str, str]) -> Response:
        """A query that leaves out half of what it found, and says so."""
        before, self.result_limit = self.result_limit, 0
        try:
            self.result_limit = len(self.pages) // 2
            return self._carry_out(asked, query)
        finally:
            self.result_limit = before

    def _carry_out(self, asked: Asked, query: dict[str, str]) -> Response:
        if self.judge and asked.body is not None and not asked.path.endswith("/send"):
            self.violations.extend(self.judge(asked.method, asked.path, asked.body))
        for needs, method, pattern, handler in self._routes():
            found = re.fullmatch(pattern, asked.path)
            if not found or method != asked.method:
                continue
            if needs and needs not in self.capabilities:
                raise Refusal(403, "restricted_resource", "Insufficient permissions for this endpoint.")
            given: Json = {"body": asked.body or {}} if method in {"POST", "PATCH"} else {}
            if method == "GET" and _LISTS.search(pattern):
                given = {"query": query}
            ids = [unquote(text) if name == "property_id" else uuid_of(name, text)
                   for name, text in found.groupdict().items()]  # fmt: skip
            answer = handler(*ids, **given)
            shown = {key: value for key, value in answer.items() if not key.startswith("_")}
            return JSONResponse({**shown, "request_id": str(uuid4())})
        raise Refusal(400, "invalid_request_url", "Invalid request URL.")

    def _send(self, id_: str, body: Json) -> Json:
        part = body.get("file")
        if not isinstance(part, tuple):
            raise Invalid("body failed validation: body.file should be defined.")
        name, kind, content = part
        return self.send_upload(id_, name, kind, content)

    def _routes(self) -> list[tuple[str, str, str, Callable[..., Json]]]:
        return [
            ("", "GET", "/v1/users/me", self.me),
            ("", "GET", "/v1/users/(?P<user_id>[^/]+)", self.retrieve_user),
            ("users", "GET", "/v1/users", self.list_users),
            ("insert", "POST", "/v1/databases", self.create_database),
            ("read", "GET", "/v1/databases/(?P<database_id>[^/]+)", self.database),
            ("update", "PATCH", "/v1/databases/(?P<database_id>[^/]+)", self.update_database),
            ("insert", "POST", "/v1/data_sources", self.create_source),
            ("read", "GET", "/v1/data_sources/(?P<data_source_id>[^/]+)", self.source),
            ("update", "PATCH", "/v1/data_sources/(?P<data_source_id>[^/]+)", self.update_source),
            ("read", "POST", "/v1/data_sources/(?P<data_source_id>[^/]+)/query", self.query),
            ("read", "GET", "/v1/data_sources/(?P<data_source_id>[^/]+)/templates", self.templates),
            ("insert", "POST", "/v1/pages", self.create_page),
            ("update", "POST", "/v1/pages/(?P<page_id>[^/]+)/move", self.move_page),
            ("read", "GET", "/v1/pages/(?P<page_id>[^/]+)", self.retrieve_page),
            ("update", "PATCH", "/v1/pages/(?P<page_id>[^/]+)", self.update_page),
            ("read", "GET", "/v1/pages/(?P<page_id>[^/]+)/markdown", self.markdown),
            ("update", "PATCH", "/v1/pages/(?P<page_id>[^/]+)/markdown", self.update_markdown),
            ("read", "GET", "/v1/pages/(?P<page_id>[^/]+)/properties/(?P<property_id>[^/]+)", self.property_item),
            ("read", "GET", "/v1/blocks/(?P<block_id>[^/]+)/children", self.children),
            ("insert", "PATCH", "/v1/blocks/(?P<block_id>[^/]+)/children", self.append),
            ("read", "GET", "/v1/blocks/(?P<block_id>[^/]+)", self.find_block),
            ("update", "PATCH", "/v1/blocks/(?P<block_id>[^/]+)", self.update_block),
            ("update", "DELETE", "/v1/blocks/(?P<block_id>[^/]+)", self.delete_block),
            ("read", "GET", "/v1/views", self.list_views),
            ("insert", "POST", "/v1/views", self.create_view),
            ("read", "GET", "/v1/views/(?P<view_id>[^/]+)", self.view),
            ("update", "PATCH", "/v1/views/(?P<view_id>[^/]+)", self.update_view),
            ("update", "DELETE", "/v1/views/(?P<view_id>[^/]+)", self.delete_view),
            ("read", "POST", "/v1/views/(?P<view_id>[^/]+)/queries", self.query_view),
            ("read", "GET", "/v1/views/(?P<view_id>[^/]+)/queries/(?P<query_id>[^/]+)", self.view_results),
            ("read", "GET", "/v1/file_uploads", self.list_uploads),
            ("insert", "POST", "/v1/file_uploads", self.create_upload),
            ("read", "GET", "/v1/file_uploads/(?P<file_upload_id>[^/]+)", self.upload),
            ("insert", "POST", "/v1/file_uploads/(?P<file_upload_id>[^/]+)/send", self._send),
        ]


_LISTS = re.compile(r"children$|/v1/users$|/v1/views$|templates$|/v1/file_uploads$|property_id|query_id")
"""The endpoints that are asked with a query string."""


def serving(notion: Notion) -> AbstractAsyncContextManager[str]:
    """The workspace on a free loopback port; the address."""
    return served(notion)
