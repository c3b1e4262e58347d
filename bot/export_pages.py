"""HTTP: the link by which a person takes their records along. Looking at it costs nothing; the button uses it up.

Robots that preview links only ever look: a GET shows a page, the file comes by its button's POST, once. Must not know
how a link is kept, or what stands in the file.
"""

from __future__ import annotations

import html
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, StreamingResponse

from bot.ports import Person
from bot.voice.farewell_words import farewell_words
from bot.voice.language import spoken_language
from bot.voice.spreadsheet import body, head
from tools.record import Language, PersonId, Record, StoreUnavailable

log = logging.getLogger(__name__)

HEADERS: Final = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex, nofollow, noarchive",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
}
"""Nothing of this is kept, guessed at, found, passed on, or shown inside another page."""

LONGEST_SECRET = 200

_PAGE: Final = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<h1>{title}</h1>
<p>{text}</p>
{button}</html>
"""


class TakeoutPort(Protocol):
    """What stands behind a link."""

    async def whose(self, secret: str) -> PersonId | None:
        """Whom this link belongs to, as long as it can be used."""

    async def use(self, secret: str) -> PersonId | None:
        """The same, once."""

    def records(self, person: PersonId) -> AsyncIterator[list[Record]]:
        """Everything this person has, a part at a time."""


@dataclass(frozen=True, slots=True)
class ExportPages:
    """The page, and the file behind it."""

    links: TakeoutPort
    person: Callable[[PersonId], Awaitable[Person | None]]
    now: Callable[[], datetime]

    def add_to(self, web: FastAPI) -> None:
        web.add_route("/export/{secret}", self.page, methods=["GET"])
        web.add_route("/export/{secret}", self.file, methods=["POST"])

    async def page(self, request: Request) -> Response:
        """What the link leads to. It is used up by the button alone."""
        try:
            owner = await self._owner(self.links.whose, request)
        except StoreUnavailable:
            return _later()
        if owner is None:
            return _gone(request)
        words = farewell_words(owner.language)
        button = f'<form method="post"><button>{html.escape(words.page_button)}</button></form>\n'
        return _page(owner.language, words.page_text, button)

    async def file(self, request: Request) -> Response:
        """The table. Its first part is read before the link is used up: a store that fails takes no link away."""
        try:
            owner = await self._owner(self.links.whose, request)
            if owner is None:
                return _gone(request)
            parts = self.links.records(owner.id)
            first: list[Record] = await anext(parts, [])
            if await self.links.use(request.path_params["secret"]) is None:
                return _gone(request)
        except StoreUnavailable:
            return _later()
        name = f"{farewell_words(owner.language).file_name}-{self.now().astimezone(owner.zone):%Y-%m-%d}.csv"
        attached = f"attachment; filename=\"records.csv\"; filename*=UTF-8''{quote(name)}"
        table = _table(owner, first, parts)
        return StreamingResponse(table, headers={**HEADERS, "content-disposition": attached}, media_type="text/csv")

    async def _owner(self, found: Callable[[str], Awaitable[PersonId | None]], request: Request) -> Person | None:
        secret = request.path_params["secret"]
        id_ = await found(secret) if len(secret) <= LONGEST_SECRET else None
        return await self.person(id_) if id_ else None


async def _table(owner: Person, first: list[Record], more: AsyncIterator[list[Record]]) -> AsyncIterator[bytes]:
    yield (head(owner.language) + body(first, owner.zone, owner.language)).encode()
    async for records in more:
        yield body(records, owner.zone, owner.language).encode()


def _gone(request: Request) -> Response:
    """A link that is used, too old, or never was one: which, nobody is told."""
    wished = request.headers.get("accept-language", "").split(",")[0].split(";")[0]
    language = spoken_language(wished) or "en"
    return _page(language, farewell_words(language).page_gone, "", status=404)


def _page(language: Language, text: str, button: str, status: int = 200) -> Response:
    title = html.escape(farewell_words(language).page_title)
    page = _PAGE.format(language=language, title=title, text=html.escape(text), button=button)
    return HTMLResponse(page, status_code=status, headers=HEADERS)


def _later() -> Response:
    return PlainTextResponse("not now; please try again in a minute", status_code=503, headers=HEADERS)
