"""Draws the pictures of the menu: a page of its cells in Chromium, once for each language.

``python -m tests.rich_menu`` writes them to where the bot has them; another folder may be given. Each names, inside,
the page that it was drawn from, so that a change of the cells asks for a new one.
"""

from __future__ import annotations

import asyncio
import hashlib
import html
import struct
import sys
import zlib
from pathlib import Path

from playwright.async_api import Page

from bot.line import rich_menu, setup
from bot.line.rich_menu import HEIGHT, WIDTH, WORDS, bounds
from tests.chromium import PATIENCE, chromium
from tools.record import Language

FOLDER = Path(setup.__file__).parent / rich_menu.PICTURES

DRAWN_FROM = b"drawn from"
"""The keyword under which a picture names its page: https://www.w3.org/TR/png/#11tEXt"""

ICONS = {
    "sun": '<circle cx="50" cy="50" r="18"/><path d="M50 12v10M50 78v10M12 50h10M78 50h10M23 23l7 7M70 70l7 7M77 23'
    'l-7 7M30 70l-7 7"/>',
    "list": '<path d="M40 28h42M40 50h42M40 72h42M18 28l5 5 9-10M18 50l5 5 9-10M18 72l5 5 9-10"/>',
    "coins": '<ellipse cx="50" cy="30" rx="30" ry="12"/><path d="M20 30v20c0 7 13 12 30 12s30-5 30-12V30M20 50v20'
    'c0 7 13 12 30 12s30-5 30-12V50"/>',
    "pencil": '<path d="M20 80l5-20 44-44 15 15-44 44zM60 25l15 15M20 80h62"/>',
    "book": '<circle cx="50" cy="50" r="36"/><path d="M38 40c0-16 25-16 25 0 0 11-13 10-13 22M50 73v2"/>',
    "back": '<path d="M34 22L16 40l18 18M16 40h42c36 0 36 42 0 42H34"/>',
}

STYLE = f"""
html, body {{ margin: 0; width: {WIDTH}px; height: {HEIGHT}px; background: #fff; overflow: hidden; }}
.cell {{ position: absolute; box-sizing: border-box; display: flex; flex-direction: column; align-items: center;
         justify-content: center; gap: 70px; border: 3px solid #e4efe8; background: #f6fbf8; color: #17402c;
         font: 600 116px "Noto Sans CJK TC", "Noto Sans Thai", "Noto Sans", sans-serif; white-space: nowrap; }}
.cell.strong {{ background: #06a452; border-color: #06a452; color: #fff; }}
svg {{ width: 270px; height: 270px; fill: none; stroke: currentColor; stroke-width: 6; stroke-linecap: round;
       stroke-linejoin: round; }}
"""


def page_of(language: Language) -> str:
    """The page, exactly as large as the picture."""
    cells = []
    for place, cell in enumerate(WORDS[language].cells):
        at = bounds(place)
        box = f"left:{at['x']}px;top:{at['y']}px;width:{at['width']}px;height:{at['height']}px"
        strong = " strong" if cell.begins else ""
        icon = f'<svg viewBox="0 0 100 100">{ICONS[cell.icon]}</svg>'
        cells.append(f'<div class="cell{strong}" style="{box}">{icon}<span>{html.escape(cell.label)}</span></div>')
    return f'<!doctype html><html lang="{language}"><meta charset="utf-8"><style>{STYLE}</style>{"".join(cells)}</html>'


def name_of(page: str) -> bytes:
    """What a picture says about the page that it was drawn from."""
    return hashlib.sha256(page.encode()).hexdigest().encode()


def chunks_of(png: bytes) -> dict[bytes, bytes]:
    """The parts of a PNG by their kind, the last of each."""
    found, at = {}, 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        found[png[at + 4 : at + 8]] = png[at + 8 : at + 8 + size]
        at += 12 + size
    return found


def with_name(png: bytes, page: str) -> bytes:
    """The picture with the name of its page, right behind its head."""
    body = b"tEXt" + DRAWN_FROM + b"\0" + name_of(page)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    behind_the_head = 8 + 12 + 13
    return png[:behind_the_head] + chunk + png[behind_the_head:]


async def opened(page: Page, language: Language) -> None:
    """Show it in a window of its size."""
    await page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    await page.set_content(page_of(language))


async def draw(folder: Path) -> None:
    """Write the pictures of all languages."""
    async with chromium() as browser, asyncio.timeout(PATIENCE):
        page = await browser.new_page(device_scale_factor=1)
        for language in WORDS:
            await opened(page, language)
            png = await page.screenshot(animations="disabled")
            (folder / f"{language}.png").write_bytes(with_name(png, page_of(language)))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    asyncio.run(draw(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
