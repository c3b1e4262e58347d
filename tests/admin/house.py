"""A bot with the operator's pages, served in this process over HTTP, and somebody with a browser's manners in front.

Must not know what is tested.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import httpx

from bot.application import Application
from bot.main import build
from bot.settings import Settings
from tests.bot_process import LINE_ON
from tests.fakes import NOON, Calendar
from tests.serving import served

PASSWORD = "correct horse battery staple"
TOKEN = re.compile(r'name="token" value="([^"]+)"')


@dataclass
class House:
    """The bot, where it is served, and its clock."""

    application: Application
    base: str
    clock: Calendar
    url: str
    other_store: str = ""

    @property
    def kind(self) -> str:
        """Of its store."""
        return self.url.partition(":")[0]

    def visitor(self, **headers: str) -> Visitor:
        return Visitor(self.base, headers)

    async def operator(self, password: str = PASSWORD, **headers: str) -> Visitor:
        """Somebody who is in."""
        visitor = self.visitor(**headers)
        answer = await visitor.logs_in(password)
        assert answer.status_code == 303, answer.text
        return visitor


@dataclass
class Visitor:
    """Keeps cookies, and says where its forms were, as a browser does."""

    base: str
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    token: str = ""

    async def sends(self, method: str, path: str, content: Any = None, **headers: str) -> httpx.Response:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"cookie": cookies} if cookies else {}
        sent |= {"content-type": "application/x-www-form-urlencoded"} if isinstance(content, str | bytes) else {}
        sent |= {name.replace("_", "-"): value for name, value in (self.headers | headers).items()}
        async with httpx.AsyncClient(trust_env=False, verify=False, timeout=30) as http:  # no certificate is looked at
            what = {"content": content} if isinstance(content, str | bytes) else {"data": content}
            answer = await http.request(method, f"{self.base}{path}", headers=sent, **what)
        for cookie in answer.headers.get_list("set-cookie"):
            name, _, rest = cookie.partition("=")
            value, _, attributes = rest.partition(";")
            self.cookies[name] = value.strip('"')
            if "max-age=0" in attributes.lower():
                del self.cookies[name]
        if found := TOKEN.search(answer.text):
            self.token = unescape(found[1])
        return answer

    async def sees(self, path: str, **headers: str) -> httpx.Response:
        return await self.sends("GET", path, **headers)

    async def presses(self, path: str, **fields: str) -> httpx.Response:
        """A form with its token, from a page of ours."""
        return await self.sends(
            "POST", path, {"token": self.token, **fields}, origin=self.headers.get("origin", self.base)
        )

    async def sends_raw(self, method: str, path: str) -> str:
        """A path as no client would write it, and what is answered."""
        host, _, port = self.base.removeprefix("http://").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = f"{method} {path} HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {self.base}\r\nConnection: close\r\n"
        form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n" if method == "POST" else ""
        writer.write(f"{head}{form}\r\n".encode())
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        return answer.decode("utf-8", "replace")

    async def logs_in(self, password: str = PASSWORD, **fields: str) -> httpx.Response:
        await self.sees("/admin/login")
        return await self.presses("/admin/login", password=password, **fields)


@asynccontextmanager
async def a_house(
    url: str, password: str = PASSWORD, *, other_store: str = "", **settings: Any
) -> AsyncIterator[House]:
    """A bot that LINE is set for and that never reaches it; nothing of it works but its web."""
    named = {name.lower(): value for name, value in LINE_ON.items()}
    secret = {"admin_password": password} if password else {}
    given = Settings(_env_file=None, **{**named, **secret, "database_url": url, **settings})
    clock = Calendar(NOON)
    application = build(given, clock)
    await application.database.start()
    try:
        async with served(application.web) as base:
            yield House(application, base, clock, url, other_store)
    finally:
        await application.close()
