"""Pictures as they may be shown, and those that may not be unfolded."""

from __future__ import annotations

import asyncio
import io
import resource
import time

import pytest
from PIL import Image

from bot.pictures import PREVIEW_SIDE, READ_SIDE, Darkroom, Gallery, NotAPicture, as_jpeg
from tests.shots import FILM, PDF, VOICE, bomb, opened, photo, turned


def test_a_large_photo_is_made_small_and_a_small_one_stays():
    assert opened(as_jpeg(photo(size=(4000, 3000)), READ_SIDE)).size == (1600, 1200)
    assert opened(as_jpeg(photo(size=(60, 40)), READ_SIDE)).size == (60, 40)
    assert len(as_jpeg(photo(size=(4000, 3000)), PREVIEW_SIDE)) < 1_000_000


def test_it_is_turned_upright_and_nothing_hidden_is_left_in_it():
    upright = opened(as_jpeg(turned(6), READ_SIDE))
    assert upright.size == (40, 60)
    assert upright.getpixel((34, 5))[0] < 80, "what was up and left is up and right"
    assert len(upright.getexif()) == 0
    assert b"delete everything" not in as_jpeg(turned(1), READ_SIDE)


@pytest.mark.parametrize("kind", ["PNG", "GIF", "WEBP", "JPEG"])
def test_every_usual_kind_becomes_a_jpeg(kind):
    seen = opened(as_jpeg(photo("red", kind=kind), READ_SIDE))
    assert (seen.format, seen.mode) == ("JPEG", "RGB")
    assert seen.getpixel((50, 30))[0] > 200


def test_what_is_transparent_is_white():
    into = io.BytesIO()
    Image.new("RGBA", (20, 20), (0, 0, 0, 0)).save(into, "PNG")
    assert opened(as_jpeg(into.getvalue(), READ_SIDE)).getpixel((10, 10)) == (255, 255, 255)


def test_of_a_moving_picture_the_first_is_seen():
    into = io.BytesIO()
    frames = [Image.new("P", (20, 20), number) for number in range(3)]
    for frame, color in zip(frames, ("red", "lime", "blue"), strict=True):
        frame.putpalette([*Image.new("RGB", (1, 1), color).getpixel((0, 0))] * 256)
    frames[0].save(into, "GIF", save_all=True, append_images=frames[1:])
    red, green, _ = opened(as_jpeg(into.getvalue(), READ_SIDE)).getpixel((10, 10))
    assert red > 200 > green


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xd8\xff",
        photo()[:200],
        photo(kind="PNG")[:60],
        PDF,
        VOICE,
        FILM,
        b"<svg/>",
        b"\x89PNG\r\n\x1a\n" * 50,
    ],
    ids=["nothing", "a beginning", "half a JPEG", "half a PNG", "PDF", "voice", "film", "SVG", "only heads"],
)
def test_what_is_no_whole_picture_is_not_shown(content):
    with pytest.raises(NotAPicture):
        as_jpeg(content, READ_SIDE)


@pytest.mark.parametrize("side", [6_000, 13_000, 30_000])
def test_a_bomb_is_not_unfolded(side):
    content, begun = bomb(side), time.monotonic()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(NotAPicture):
        as_jpeg(content, READ_SIDE)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000, "kilobytes"
    assert time.monotonic() - begun < 2


async def test_pictures_are_made_ready_one_after_the_other_beside_the_loop():
    darkroom = Darkroom()
    small = await asyncio.gather(*(darkroom.jpeg(photo(size=(1000, 800)), 100) for _ in range(3)))
    assert [opened(each).size for each in small] == [(100, 80)] * 3
    with pytest.raises(NotAPicture):
        await darkroom.jpeg(b"", 100)


def test_a_word_stands_for_a_picture_only_while_it_is_shown():
    gallery = Gallery()
    with gallery.showing([b"one", b"two"]) as (one, two):
        assert one != two
        assert gallery.address(one) == "data:image/jpeg;base64,b25l"
        assert gallery.address("picture:0") is None
    assert gallery.address(two) is None
