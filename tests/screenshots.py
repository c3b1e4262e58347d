"""Makes the README's picture: a bot of its own, its chat page in Chromium, and a conversation that really happens.

``python -m tests.screenshots`` writes ``tests/golden/conversation.png``; another path may be given. With a folder, ten
typical exchanges are drawn there, one picture each.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.async_api import Page, expect

from bot.local_line import FIRST_PERSON
from bot.local_line.phone import Phone
from tests.bot_process import running
from tests.chromium import PATIENCE, chromium
from tests.emulators.openai import KEY, MODEL, says, serving

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
)
"""The name of each picture, what is said, and what the answer must hold. What is quoted is the first of them."""

READ = {
    "kind": "receipt",
    "merchant": "全聯福利中心",
    "total": 350,
    "currency": "TWD",
    "category": "飲食",
    "lines": [{"name": "鮮乳", "amount": 92}, {"name": "咖啡豆", "amount": 258}],
}

IN_THE_GROUP = ((0, "啟用"), (0, "晚餐 840"), (1, "買牛奶"), (1, "電影票 600"), (0, "精算"))
"""Who says it, and what."""


async def draw_exchanges(folder: Path) -> None:
    """Each exchange as the chat page shows it, on a phone's screen."""
    async with chromium() as browser:
        page = await browser.new_page(locale="zh-TW", viewport={"width": 430, "height": 760}, device_scale_factor=2)
        with tempfile.TemporaryDirectory(prefix="secretary-pictures-") as place:
            async with running(Path(place)) as bot, asyncio.timeout(3 * PATIENCE):
                await _draw_talk(page, bot.line, folder)
                await _draw_group(page, bot.line, folder)
        with tempfile.TemporaryDirectory(prefix="secretary-pictures-") as place:
            await _draw_photo(page, Path(place), folder)


async def _draw_talk(page: Page, address: str, folder: Path) -> None:
    phone = Phone(address)
    await page.request.post(f"{address}/local/people", data=SPEAKER)
    await phone.follow()
    await _answered(phone, "")
    await page.goto(address)
    for number, (name, words, expected) in enumerate(EXCHANGES, start=1):
        await phone.unread()
        await phone.say(words, quotes="回診，兩點提醒我" if name == "quote" else None)
        await _answered(phone, expected)
        await _shot(page, folder / f"{number:02}-{name}.png")


async def _draw_group(page: Page, address: str, folder: Path) -> None:
    other = await Phone(address).add_person("阿明", "zh-TW")
    made = await page.request.post(f"{address}/local/groups", data={"name": "我們家", "people": [FIRST_PERSON, other]})
    group = (await made.json())["id"]
    await page.get_by_role("button", name="我們家").click()
    phone = Phone(address, group)
    await _answered(phone, "")
    for speaker, words in IN_THE_GROUP:
        said = {"group": group, "person": (FIRST_PERSON, other)[speaker], "text": words, "mention": "bot"}
        await page.request.post(f"{address}/local/groups/say", data=said)
        await _answered(phone, "")
    await _shot(page, folder / "09-group.png")


async def _draw_photo(page: Page, place: Path, folder: Path) -> None:
    async with serving() as model:
        model.script(says(json.dumps({"items": [{**READ, "when": datetime.now(UTC).date().isoformat()}]})))
        settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": KEY, "OPENAI_MODEL": MODEL}
        async with running(place, PUBLIC_URL="https://bot.example", **settings) as bot, asyncio.timeout(PATIENCE):
            phone = Phone(bot.line)
            await page.request.post(f"{bot.line}/local/people", data=SPEAKER)
            await phone.follow()
            await _answered(phone, "")
            await page.goto(bot.line)
            sent = {"person": FIRST_PERSON, "image": base64.b64encode(receipt()).decode()}
            await page.request.post(f"{bot.line}/local/say", data=sent)
            await _answered(phone, "350")
            await expect(page.locator(".flex-picture img")).to_have_js_property("complete", value=True)
            await _shot(page, folder / "10-photo.png")


async def _answered(phone: Phone, expected: str) -> None:
    said = ""
    while not said or expected not in said:
        said += "\n".join(await phone.answer())


async def _shot(page: Page, target: Path) -> None:
    await expect(page.locator(".log .row.bot").last).to_be_visible()
    await page.wait_for_timeout(600)  # what came is scrolled to
    await page.locator("#words").blur()
    await page.screenshot(path=target, animations="disabled")


def receipt() -> bytes:
    """A receipt on a table, as somebody's phone takes it."""
    table = Image.new("RGB", (900, 1200), "#b98f63")
    paper = Image.new("RGB", (560, 860), "#fdfcf7")
    pen = ImageDraw.Draw(paper)
    lines = (
        "PX MART",
        "----------------",
        "Fresh milk      92",
        "Coffee beans   258",
        "----------------",
        "TOTAL  NT$ 350",
    )
    for number, text in enumerate(lines):
        font = ImageFont.load_default(58 if number in {0, 5} else 44)
        pen.text((50, 70 + number * 120), text, "#33302b", font)
    table.paste(paper.rotate(3, expand=True, fillcolor="#b98f63"), (150, 150))
    into = io.BytesIO()
    table.save(into, "JPEG", quality=88)
    return into.getvalue()


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
