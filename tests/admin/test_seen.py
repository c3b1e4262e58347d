"""The operator's pages in a real browser, full of hostile texts: nothing runs, is fetched, or overflows."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.admin.hostile import PIECES, SETTINGS, filled
from tests.admin.house import PASSWORD, House, a_house
from tests.admin.test_no_way_in import behind
from tests.chromium import PATIENCE, chromium, needs_chromium

pytestmark = needs_chromium

PICTURES = os.environ.get("SECRETARY_ADMIN_PICTURES", "")
"""A folder for pictures of what was seen, to be looked at."""

SCREENS = {"phone": (360, 740), "desktop": (1280, 900)}

OVERFLOWS = """() => {
  const wide = document.documentElement.clientWidth;
  return [...document.querySelectorAll('body *')]
    .filter(each => each.getBoundingClientRect().right > wide + 1 && getComputedStyle(each).position !== 'absolute')
    .map(each => each.tagName + ' ' + each.textContent.slice(0, 40)).concat(
      document.documentElement.scrollWidth > wide ? ['the page: ' + document.documentElement.scrollWidth] : []);
}"""

LIVE = """() => [...document.querySelectorAll('*')].flatMap(each => [...each.attributes]
  .filter(a => a.name.startsWith('on') || a.name === 'style' || /^\\s*(javascript|data|https?):/i.test(a.value))
  .map(a => each.tagName + ' ' + a.name + '=' + a.value.slice(0, 60)))
  .concat([...document.querySelectorAll('script,img,iframe,object,embed,link,base,video,audio,textarea')]
  .map(each => 'an element: ' + each.tagName))"""


class Watched:
    """What a page did that it must not."""

    def __init__(self, page: Page, base: str) -> None:
        self.outside: list[str] = []
        self.said: list[str] = []
        page.on("request", lambda each: None if each.url.startswith(base) else self.outside.append(each.url))
        page.on("dialog", lambda each: self.said.append(f"dialog {each.message}"))
        page.on("console", lambda each: self.said.append(each.text))
        page.on("pageerror", lambda each: self.said.append(str(each)))


@asynccontextmanager
async def looked_at(house: House, **context):
    async with chromium() as browser:
        opened = await browser.new_context(**context)
        page = await opened.new_page()
        await page.goto(f"{house.base}/admin/")
        await page.fill("input[name=password]", PASSWORD)
        await page.click("main button")
        await page.wait_for_selector("nav")
        yield page


def addresses(house: House, turn: str) -> list[str]:
    paths = sorted({path for method, path in behind(house) if method == "GET"})
    return [f"{path}?id={turn}" if path.endswith("/turn") else path for path in paths] + [
        "/admin/inbox?all=1",
        "/admin/nowhere",
    ]


async def picture(page: Page, name: str, *, whole: bool = True) -> None:
    if PICTURES:
        await asyncio.to_thread(Path(PICTURES).mkdir, parents=True, exist_ok=True)
        await page.screenshot(path=f"{PICTURES}/{name}.png", full_page=whole)


@pytest.mark.parametrize("screen", SCREENS)
async def test_hostile_texts_are_text_on_every_page(url: str, tmp_path: Path, screen: str):
    async with a_house(url, ai_log_file=str(tmp_path / "ai.jsonl"), **SETTINGS) as house, asyncio.timeout(3 * PATIENCE):
        turn = await filled(house)
        wide, high = SCREENS[screen]
        context = {"viewport": {"width": wide, "height": high}, "locale": "zh-TW", "color_scheme": "dark"}
        async with looked_at(house, **context) as page:
            watched = Watched(page, house.base)
            seen = ""
            for path in addresses(house, turn):
                answer = await page.goto(f"{house.base}{path}")
                assert answer is not None
                assert answer.status == (404 if path.endswith("/nowhere") else 200), path
                for each in await page.query_selector_all("details"):
                    await each.evaluate("each => each.open = true")
                assert await page.evaluate(OVERFLOWS) == [], path
                assert await page.evaluate(LIVE) == [], path
                assert await page.evaluate("() => document.compatMode") == "CSS1Compat", path
                assert await page.evaluate("() => window.struck") is None, path
                seen += await page.inner_text("body")
                name = path.removeprefix("/admin/").split("?")[0].replace("/", "-") or "today"
                await picture(page, f"hostile-{screen}-{house.kind}-{name}", whole=False)
            assert (watched.outside, [each for each in watched.said if "404" not in each]) == ([], [])
            for piece in PIECES:
                assert piece in seen, "it is shown, as text"
            assert "\u202e" not in seen
            assert "\\u202e" in seen


async def test_the_operator_does_what_there_is_to_do(tmp_path: Path):
    """Without a script: links, buttons, and what is opened before it is done."""
    async with a_house(f"sqlite:///{tmp_path / 'a.db'}") as house, asyncio.timeout(3 * PATIENCE):
        await filled(house)
        async with looked_at(house, locale="en-US", viewport={"width": 360, "height": 740}) as page:
            await page.click("text=People")
            await page.click("text=Invite a guest")
            invitation = await page.inner_text("[role=status]")
            assert "line.me" in invitation or "-" in invitation
            assert await page.inner_text("h2:has-text('Open invitations')")

            await page.click("summary:has-text('Remove…')")
            await page.click("button:has-text('Remove for good')")
            assert "stranger from now on" in await page.inner_text("[role=status]")

            await page.click("nav >> text=Inbox")
            await page.click("tbody a >> nth=0")
            await page.click("button:has-text('Begin once more')")
            assert "waits again" in await page.inner_text("[role=status]")

            await page.click("summary:has-text('Drop…')")
            await page.click("button:has-text('Do nothing more')")
            assert "is dropped" in await page.inner_text("[role=status]")

            await page.click("text=Log out")
            assert await page.input_value("input[name=password]") == ""


@pytest.mark.skipif(not PICTURES, reason="pictures for people: set SECRETARY_ADMIN_PICTURES to a folder")
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_pictures(tmp_path: Path, screen: str, scheme: str):
    async with a_house(f"sqlite:///{tmp_path / 'a.db'}") as house, asyncio.timeout(3 * PATIENCE):
        turn = await filled(house, friendly=True)
        wide, high = SCREENS[screen]
        locale = "zh-TW" if scheme == "light" else "en-US"
        async with looked_at(
            house, viewport={"width": wide, "height": high}, color_scheme=scheme, locale=locale
        ) as page:
            for path in addresses(house, turn):
                await page.goto(f"{house.base}{path}")
                name = path.removeprefix("/admin/").split("?")[0].replace("/", "-") or "today"
                await picture(page, f"{scheme}-{screen}-{name}")


def test_the_pieces_are_json():
    assert json.loads(json.dumps(PIECES)) == list(PIECES)
