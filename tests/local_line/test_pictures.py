"""The pictures on the bot's own cards: the page gets them through the platform, and none from elsewhere."""

from __future__ import annotations

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from bot.local_line.pictures import MOST_BYTES
from bot.local_line.platform import LocalLine
from tests.fakes import Calendar
from tests.serving import served
from tests.shots import photo

PUBLIC = "https://bot.example"


async def media(request: Request) -> Response:
    match request.path_params["name"]:
        case "photo":
            return Response(photo(), media_type="image/jpeg")
        case "page":
            return Response("<script>", media_type="text/html")
        case "large":
            return Response(b"x" * (MOST_BYTES + 1), media_type="image/png")
        case "away":
            return RedirectResponse("/media/photo")
    return Response(status_code=404)


async def asked(public_url: str, url: str) -> httpx.Response:
    async with served(Starlette(routes=[Route("/media/{name}", media)])) as bot:
        line = LocalLine(None, webhook_url=f"{bot}/callback", now=Calendar(), public_url=public_url)
        async with served(line.app) as base, httpx.AsyncClient(trust_env=False, verify=False) as page:
            history = (await page.get(f"{base}/local/history")).json()
            assert history["pictures"] == (f"{public_url}/media/" if public_url.startswith("https") else "")
            answer = await page.get(f"{base}/local/picture", params={"url": url})
        await line.close()
    return answer


async def test_a_picture_of_the_bots_own_is_fetched_from_it():
    answer = await asked(PUBLIC, f"{PUBLIC}/media/photo")
    assert (answer.status_code, answer.headers["content-type"], answer.content) == (200, "image/jpeg", photo())


@pytest.mark.parametrize(
    ("public_url", "url"),
    [
        (PUBLIC, "https://elsewhere.example/media/photo"),
        (PUBLIC, f"{PUBLIC}/callback"),
        (PUBLIC, f"{PUBLIC}/media/none"),
        (PUBLIC, f"{PUBLIC}/media/page"),
        (PUBLIC, f"{PUBLIC}/media/large"),
        (PUBLIC, f"{PUBLIC}/media/away"),
        (PUBLIC, ""),
        ("", "/media/photo"),
        ("http://bot.example", "http://bot.example/media/photo"),
    ],
)
async def test_nothing_else_is_loaded(public_url, url):
    assert (await asked(public_url, url)).status_code == 404
