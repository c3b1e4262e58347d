"""Makes the README's picture: a bot of its own, its chat page in Chromium, and a conversation that really happens.

``python tests/screenshots.py`` writes ``tests/golden/conversation.png``; another path may be given.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from playwright.async_api import Page, async_playwright, expect

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "tests" / "golden" / "conversation.png"

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

CONVERSATION = (
    ("早餐 60", ("早餐 60 元", "#1")),
    ("明天下午三點跟陳醫師回診", ("15:00", "跟陳醫師回診", "#2")),
    ("午餐 120", ("午餐 120 元", "今天 180", "#3")),
    ("這個月吃飯花了多少？", ("飲食 180 元", "2 筆")),
)
"""What is typed, and what the answer must hold."""


async def draw(target: Path) -> None:
    """Hold the conversation and write what it looks like."""
    with tempfile.TemporaryDirectory(prefix="secretary-picture-") as folder:
        async with a_bot(Path(folder)) as address, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
            page = await browser.new_page(
                locale="zh-TW", viewport={"width": 430, "height": 700}, device_scale_factor=2, color_scheme="light"
            )
            await page.goto(address)
            for words, expected in CONVERSATION:
                await say(page, words, expected)
            await page.locator("#words").blur()
            await cut_above(page, CONVERSATION[1][0])
            await page.screenshot(path=target, animations="disabled")
            await browser.close()


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


@asynccontextmanager
async def a_bot(folder: Path) -> AsyncIterator[str]:
    """``python -m bot`` without any setting of this machine's; yields the address of its chat page."""
    from bot.local_line.phone import reachable
    from bot.settings import Settings

    port = two_free_ports()
    ours = {name.upper() for name in Settings.model_fields}
    kept = {name: value for name, value in os.environ.items() if name.upper() not in ours}
    environment = {**kept, "PORT": str(port), "HOST": "127.0.0.1", "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot"), cwd=folder, env=environment, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port + 1}"
        assert await reachable(address, 30), "the bot did not start"
        yield address
    finally:
        process.terminate()
        await process.wait()


def two_free_ports() -> int:
    """The first of two neighbouring ports that are free now, below those that the system gives to clients."""
    while True:
        port = random.randrange(10_000, 30_000)
        with socket.socket() as first, socket.socket() as second, suppress(OSError):
            first.bind(("127.0.0.1", port))
            second.bind(("127.0.0.1", port + 1))
            return port


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    asyncio.run(draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE))
