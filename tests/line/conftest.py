"""A local LINE that is served on a loopback port, as an account's operator meets it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from bot.line.account import LineAccount
from bot.line.tokens import GivenToken
from bot.local_line.platform import LocalLine
from bot.main import utc_now
from tests.serving import served


@dataclass
class Operated:
    """The platform, what was asked of it byte by byte, and a webhook that answers with ``status``."""

    line: LocalLine
    base: str = ""
    webhook: str = ""
    status: int = 200
    asked: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)

    def account(self, token: str = "") -> LineAccount:
        return LineAccount(self.base, GivenToken(token or self.line.access_token))

    async def fault(self, **fault: Any) -> None:
        async with httpx.AsyncClient(base_url=self.base, trust_env=False, verify=False) as http:
            assert (await http.post("/local/faults", json=fault)).status_code == 200

    def changes(self) -> list[tuple[str, str]]:
        """The calls that were more than a question, without the last part of a path that names a menu."""
        return [
            (method, path.split("/richmenu-")[0])
            for method, path, _, _ in self.asked
            if method != "GET" and path.startswith("/v2/") and not path.endswith("/test")
        ]


class Overheard:
    """Keeps the requests on their way to an application."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], keep: Sequence[Any]) -> None:
        self._app, self._keep = app, keep

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = bytearray()

        async def heard() -> Any:
            message = await receive()
            body.extend(message.get("body", b""))
            return message

        await self._app(scope, heard, send)
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self._keep.append((scope["method"], scope["raw_path"].decode(), headers, bytes(body)))


@asynccontextmanager
async def operated(webhook: str = "", **options: Any) -> AsyncIterator[Operated]:
    line = LocalLine(None, webhook_url=webhook, now=utc_now, **options)
    made = Operated(line)

    async def callback(_: Request) -> Response:
        return Response(status_code=made.status)

    async with (
        served(Starlette(routes=[Route("/callback", callback, methods=["POST"])])) as bot,
        served(Overheard(line.app, made.asked)) as made.base,
    ):
        made.webhook = f"{bot}/callback"
        await line.start()
        yield made
        await line.close()


@pytest.fixture
async def platform() -> AsyncIterator[Operated]:
    """A platform on which no webhook is set yet."""
    async with operated() as made:
        yield made
