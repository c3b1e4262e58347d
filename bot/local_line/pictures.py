"""The pictures on the bot's own cards, for the chat page: fetched from the bot at its address on this machine, though
they are named by the one where people reach it.

Like LINE, which fetches them itself; from anywhere else nothing is loaded. Must not know what is to be seen in them.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import aiohttp
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

SECONDS: Final = 10.0
MOST_BYTES: Final = 10 * 1024 * 1024
"""https://developers.line.biz/en/reference/messaging-api/#f-image"""

KINDS: Final = frozenset({"image/jpeg", "image/png"})


class OwnPictures:
    """Fetches them. ``prefix`` is how their addresses begin ("" for none), ``webhook_url`` one of the bot's pages."""

    def __init__(self, public_url: str, webhook_url: str) -> None:
        self.prefix = f"{public_url}/media/" if public_url.startswith("https://") else ""
        self._public_url = public_url
        self._origin = "{0.scheme}://{0.netloc}".format(urlsplit(webhook_url))

    async def answer(self, request: Request) -> Response:
        """The picture that the page asks for; 404 for any other address, and where there is none."""
        url = request.query_params.get("url", "")
        found = await self._fetched(url) if self.prefix and url.startswith(self.prefix) else None
        if found is None:
            return JSONResponse({"message": "There is no such picture."}, 404)
        return Response(found[1], media_type=found[0])

    async def _fetched(self, url: str) -> tuple[str, bytes] | None:
        here = self._origin + url.removeprefix(self._public_url)
        timeout = aiohttp.ClientTimeout(total=SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, trust_env=False) as session,
                session.get(here, allow_redirects=False) as answer,
            ):
                if answer.status != HTTPStatus.OK or answer.content_type not in KINDS:
                    return None
                read = bytearray()
                async for chunk in answer.content.iter_chunked(64 * 1024):
                    read += chunk
                    if len(read) > MOST_BYTES:
                        return None
                return answer.content_type, bytes(read)
        except (aiohttp.ClientError, TimeoutError, OSError):
            return None
