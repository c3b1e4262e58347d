"""The pages behind secret links, over real HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from bot.web_media import GONE, add_media
from tests.serving import served
from tests.shots import PDF, VOICE, bomb, opened, photo, turned
from tools.attachment import Attachment, Shown
from tools.media_type import UNKNOWN, media_type

SECRET = "s" * 43
KEPT: dict[str, Shown] = {}


def keep(content: bytes, name: str = "", kind: str | None = None) -> None:
    kind = kind or media_type(content)
    KEPT[SECRET] = Shown(Attachment("d", kind, len(content), name), content)


@pytest.fixture
async def browser() -> AsyncIterator[httpx.AsyncClient]:
    KEPT.clear()
    web = FastAPI(openapi_url=None)

    async def shown(secret: str) -> Shown | None:
        return KEPT.get(secret)

    add_media(web, shown)
    async with served(web) as address, httpx.AsyncClient(base_url=address, trust_env=False, verify=False) as client:
        yield client


async def test_a_picture_comes_as_it_was_sent_and_small_without_what_was_hidden_in_it(browser):
    keep(turned())
    whole = await browser.get(f"/media/{SECRET}")
    assert (whole.content, whole.headers["content-type"]) == (turned(), "image/jpeg")
    for form in ("picture", "preview"):
        small = await browser.get(f"/media/{SECRET}/{form}")
        assert small.headers["content-type"] == "image/jpeg"
        assert opened(small.content).size == (40, 60)
        assert b"delete everything" not in small.content


async def test_nobody_makes_more_of_it_than_it_is(browser):
    keep(photo())
    for path in (f"/media/{SECRET}", f"/media/{SECRET}/picture", "/media/unknown"):
        headers = (await browser.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "noindex" in headers["x-robots-tag"]
        assert headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'; sandbox" in headers["content-security-policy"]
    assert (await browser.get("/media/unknown")).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("content", "name", "kind", "how"),
    [
        (PDF, "合約.pdf", "application/pdf", "inline; filename=\"__.pdf\"; filename*=UTF-8''%E5%90%88%E7%B4%84.pdf"),
        (VOICE, "", "audio/mp4", "inline; filename=\"secretary.m4a\"; filename*=UTF-8''secretary.m4a"),
        (b"<script>alert(1)</script>", "a.html", UNKNOWN, "attachment; filename=\"a.html\"; filename*=UTF-8''a.html"),
        (
            b"<svg onload=x>",
            'x"\r\ny.svg',
            UNKNOWN,
            "attachment; filename=\"x___y.svg\"; filename*=UTF-8''x%22%0D%0Ay.svg",
        ),
        (b"MZ", "", UNKNOWN, "attachment; filename=\"secretary.bin\"; filename*=UTF-8''secretary.bin"),
    ],
)
async def test_only_what_cannot_run_is_shown_and_the_name_is_safe(browser, content, name, kind, how):
    keep(content, name)
    page = await browser.get(f"/media/{SECRET}")
    assert page.headers["content-type"].partition(";")[0] == kind
    assert page.headers["content-disposition"] == how


async def test_what_the_store_says_of_the_type_is_believed_only_if_it_is_known(browser):
    keep(b"<script>", kind="text/html")
    assert (await browser.get(f"/media/{SECRET}")).headers["content-type"] == UNKNOWN


async def test_the_head_alone_can_be_asked_for(browser):
    keep(photo())
    for path in (f"/media/{SECRET}", f"/media/{SECRET}/preview"):
        head, page = await browser.head(path), await browser.get(path)
        assert head.content == b""
        assert head.headers["content-length"] == page.headers["content-length"]


@pytest.mark.parametrize(
    "path",
    [
        "/media/short",
        f"/media/{'x' * 43}",
        f"/media/{'x' * 200}",
        "/media/..%2f..%2fetc%2fpasswd",
        f"/media/{SECRET}/other",
        f"/media/{SECRET}%00",
    ],
)
async def test_there_is_nothing_else(browser, path):
    keep(photo())
    page = await browser.get(path)
    assert page.status_code == 404
    assert page.text in {GONE, '{"detail":"Not Found"}'}


async def test_what_is_no_picture_has_no_small_form(browser):
    for content in (PDF, bomb(), b"\xff\xd8\xff"):
        keep(content)
        assert (await browser.get(f"/media/{SECRET}/picture")).status_code == 404


async def test_nothing_can_be_sent_there(browser):
    assert (await browser.post(f"/media/{SECRET}")).status_code == 405
