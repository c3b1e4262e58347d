"""Makes the README's picture: a bot of its own, its chat page in Chromium, and a conversation that really happens.

``python -m tests.screenshots`` writes ``tests/golden/conversation.png``; another path may be given. With a folder, ten
typical exchanges are drawn there, one picture each.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Page, expect

from bot.local_line import FIRST_PERSON
from bot.local_line.phone import Phone
from tests.bot_process import running
from tests.chromium import PATIENCE, chromium

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "tests" / "golden" / "conversation.png"

CONVERSATION = (
    ("明天下午三點跟陳醫師回診", ("15:00", "跟陳醫師回診", "#1")),
    ("午餐 120", ("午餐 120 元", "今天 120", "#2")),
    ("這個月吃飯花了多少？", ("飲食 120 元", "1 筆")),
)
"""What is typed into an empty book, and what the answer must hold."""

SPEAKER = {"person": FIRST_PERSON, "name": "小美", "language": "zh-TW"}


EXCHANGES = (
    ("event", "明天下午三點跟陳醫師回診，兩點提醒我", "#1"),
    ("expense", "午餐 120", "#2"),
    ("several", "早餐 60\n捷運 30\n咖啡 85", "175"),
    ("tasks", "買牛奶\n繳電費 明天\n寄包裹 星期五", "寄包裹"),
    ("list", "清單", "買牛奶"),
    ("total", "這個月花了多少？", "295"),
    ("quote", "改成四點", "16:00"),
    ("done", "完成 6", "買牛奶"),
    ("thanks", "謝謝", ""),
    ("forget", "忘記我", ""),
)
"""The name of each picture, what is said, and what the answer must hold. What is quoted is the first of them."""


async def draw_exchanges(folder: Path) -> None:
    """Each exchange as the chat page shows it, on a phone's screen."""
    with tempfile.TemporaryDirectory(prefix="secretary-pictures-") as place:
        async with running(Path(place)) as bot, chromium() as browser, asyncio.timeout(3 * PATIENCE):
            phone = Phone(bot.line)
            page = await browser.new_page(locale="zh-TW", viewport={"width": 430, "height": 760}, device_scale_factor=2)
            await page.request.post(f"{bot.line}/local/people", data=SPEAKER)
            await phone.follow()
            await page.goto(bot.line)
            for number, (name, words, expected) in enumerate(EXCHANGES, start=1):
                await phone.unread()
                await phone.say(words, quotes="兩點提醒我" if name == "quote" else None)
                said = ""
                while not said or expected not in said:
                    said += "\n".join(await phone.answer())
                await expect(page.locator(".row.person").last).to_be_visible()
                await page.wait_for_timeout(600)  # what came is scrolled to
                await page.screenshot(path=folder / f"{number:02}-{name}.png", animations="disabled")


async def draw(target: Path) -> None:
    """Hold the conversation and write what it looks like."""
    with tempfile.TemporaryDirectory(prefix="secretary-picture-") as folder:
        async with running(Path(folder)) as bot:
            await converse(bot.line, target)


async def converse(address: str, target: Path) -> None:
    async with chromium() as browser, asyncio.timeout(PATIENCE):
        page = await browser.new_page(
            locale="zh-TW", viewport={"width": 430, "height": 700}, device_scale_factor=2, color_scheme="light"
        )
        named = await page.request.post(f"{address}/local/people", data=SPEAKER)
        assert named.ok, await named.text()
        await Phone(address).follow()
        await page.goto(address)
        await expect(page.locator(".row.bot .bubble").last).to_be_visible(timeout=15_000)
        for words, expected in CONVERSATION:
            await say(page, words, expected)
        await page.locator("#words").blur()
        await cut_above(page, CONVERSATION[0][0])
        await page.screenshot(path=target, animations="disabled")


async def say(page: Page, words: str, expected: tuple[str, ...]) -> None:
    await expect(page.locator("#words")).to_be_enabled()
    await page.locator("#words").fill(words)
    await page.keyboard.press("Enter")
    for each in expected:
        await expect(page.locator(".row.bot .bubble").last).to_contain_text(each, timeout=15_000)


async def cut_above(page: Page, words: str) -> None:
    """Make the window so low that the picture begins with these words."""
    size, scroller = page.viewport_size, await page.locator("#scroll").bounding_box()
    row = await page.locator(".row.person", has_text=words).bounding_box()
    assert size
    assert scroller
    assert row
    surplus = int(row["y"] - scroller["y"]) - 8
    await page.set_viewport_size({"width": size["width"], "height": size["height"] - surplus})
    await page.locator("#scroll").evaluate("each => each.scrollTo(0, each.scrollHeight)")


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    asyncio.run(draw_exchanges(where) if where.is_dir() else draw(where))
