"""The menu under the chat: its pictures, its areas, and that each tap says what is answered without a model."""

from __future__ import annotations

import asyncio
import struct
from decimal import Decimal

import pytest

from bot.engines.offline.engine import OfflineEngine
from bot.line import rich_menu
from bot.line.rich_menu import COLUMNS, HEIGHT, ROWS, WIDTH, WORDS, bounds
from bot.line.setup import picture_of
from bot.local_line import limits
from bot.ports import Tap
from tests.chromium import PATIENCE, chromium, needs_chromium, needs_thai
from tests.rich_menu import DRAWN_FROM, chunks_of, name_of, opened, page_of
from tests.talk import Talk, remember

CELLS = [(language, place) for language in WORDS for place in range(COLUMNS * ROWS)]


@pytest.mark.parametrize("language", WORDS)
def test_a_picture_is_one_that_line_takes(language):
    png = picture_of(language)
    head = chunks_of(png)[b"IHDR"]

    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", head[:8]) == (WIDTH, HEIGHT)
    assert WIDTH / HEIGHT >= 1.45
    assert len(png) <= 1024 * 1024


@pytest.mark.parametrize("language", WORDS)
def test_a_picture_is_drawn_from_the_cells_as_they_are(language):
    keyword, _, name = chunks_of(picture_of(language))[b"tEXt"].partition(b"\0")
    assert (keyword, name) == (DRAWN_FROM, name_of(page_of(language))), "draw them anew: python -m tests.rich_menu"


@needs_chromium
@needs_thai
async def test_the_drawn_cells_are_where_the_areas_are_and_hold_their_words():
    async with chromium() as browser, asyncio.timeout(PATIENCE):
        page = await browser.new_page(device_scale_factor=1)
        for language in WORDS:
            await opened(page, language)
            drawn = await page.eval_on_selector_all(
                ".cell", "all => all.map(each => each.getBoundingClientRect().toJSON())"
            )
            areas = rich_menu.menu(language, b"")["areas"]
            assert [{side: box[side] for side in ("x", "y", "width", "height")} for box in drawn] == [
                each["bounds"] for each in areas
            ]
            words = await page.eval_on_selector_all("span", "all => all.map(e => [e.textContent, e.offsetWidth])")
            assert [text for text, _ in words] == [cell.label for cell in WORDS[language].cells]
            assert all(width <= WIDTH / COLUMNS - 40 for _, width in words), words


def test_the_areas_cover_the_picture_and_none_lies_on_another():
    boxes = [bounds(place) for place in range(COLUMNS * ROWS)]
    assert sum(each["width"] * each["height"] for each in boxes) == WIDTH * HEIGHT
    assert {(each["x"], each["y"]) for each in boxes[::COLUMNS]} == {(0, 0), (0, HEIGHT // 2)}
    for place, each in enumerate(boxes):
        if place % COLUMNS:
            assert each["x"] == boxes[place - 1]["x"] + boxes[place - 1]["width"]


@pytest.mark.parametrize("language", WORDS)
def test_a_menu_is_within_lines_limits(language):
    assert list(limits.menu_request(rich_menu.menu(language, picture_of(language)), ())) == []


def test_the_name_of_a_menu_changes_with_its_picture_and_says_whose_it_is():
    one, other = (rich_menu.menu("en", each)["name"] for each in (b"one", b"other"))
    assert one != other
    assert one.startswith("line-secretary menu en ")


@pytest.mark.parametrize(("language", "place"), CELLS)
def test_a_tap_says_its_words_or_opens_the_keyboard_with_a_beginning(language, place):
    cell = WORDS[language].cells[place]
    if cell.begins:
        assert cell.action["data"] == Tap.SAY.on(cell.says)
        assert (cell.action["inputOption"], cell.action["fillInText"]) == ("openKeyboard", cell.begins)
    else:
        assert cell.action["text"] == cell.says


@pytest.mark.parametrize("language", WORDS)
async def test_what_the_month_has_cost_is_answered_without_a_model(database, language):
    talk = Talk(database, OfflineEngine())
    await remember(talk, "午餐", type="expense", amount=Decimal(120), currency="TWD", when=talk.clock())
    (told,) = await talk.says(WORDS[language].cells[2].says)

    assert "120" in told
