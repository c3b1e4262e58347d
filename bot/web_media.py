"""The pages behind secret links: a picture or a file that somebody asked to see, and nothing beside it.

Must not know whose it is, how it is stored, or who was given the link.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse

from bot.pictures import CARD_SIDE, PREVIEW_SIDE, VIEW_SIDE, Darkroom, NotAPicture
from bot.showing import PATH, VIEWABLE
from tools.attachment import Shown
from tools.media_type import ENDINGS, UNKNOWN

GONE: Final = "There is nothing here, or not any more. Ask for it in the chat once more."

_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{20,100}")
_SIDES: Final = {"picture": VIEW_SIDE, "card": CARD_SIDE, "preview": PREVIEW_SIDE}
_HEADERS: Final = {
    "Cache-Control": "private, max-age=3600",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}
"""What a browser, and whoever looks for pages, must not make of it."""

_INLINE: Final = VIEWABLE | {"application/pdf", "audio/mp4", "audio/mpeg", "audio/wav", "audio/ogg"}
_UNSAFE: Final = re.compile(r"[^\w .()-]", re.ASCII)


def add_media(web: FastAPI, shown: Callable[[str], Awaitable[Shown | None]]) -> None:
    """Add the pages. ``shown`` gives what a secret shows."""
    darkroom = Darkroom()

    async def whole(request: Request) -> Response:
        found = await _found(request, shown)
        return _gone() if found is None else _file(found)

    async def small(request: Request) -> Response:
        found, side = await _found(request, shown), _SIDES.get(request.path_params["form"])
        if found is None or side is None or found.attachment.media_type not in VIEWABLE:
            return _gone()
        try:
            return Response(await darkroom.jpeg(found.content, side), media_type="image/jpeg", headers=_HEADERS)
        except NotAPicture:
            return _gone()

    web.add_route(f"{PATH}/{{secret}}", whole, methods=["GET", "HEAD"])
    web.add_route(f"{PATH}/{{secret}}/{{form}}", small, methods=["GET", "HEAD"])


async def _found(request: Request, shown: Callable[[str], Awaitable[Shown | None]]) -> Shown | None:
    secret = request.path_params["secret"]
    return await shown(secret) if _SECRET.fullmatch(secret) else None


def _gone() -> Response:
    return PlainTextResponse(GONE, status_code=404, headers={**_HEADERS, "Cache-Control": "no-store"})


def _file(found: Shown) -> Response:
    """The bytes as they were sent. Only what no browser can be made to run is shown in it; all else is saved."""
    kind = found.attachment.media_type
    kind = kind if kind in ENDINGS else UNKNOWN
    how = "inline" if kind in _INLINE else "attachment"
    name = found.attachment.name or f"secretary.{ENDINGS[kind]}"
    plain = _UNSAFE.sub("_", name)[:100]
    # https://www.rfc-editor.org/rfc/rfc6266#section-5
    named = f"{how}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    return Response(found.content, media_type=kind, headers={**_HEADERS, "Content-Disposition": named})
