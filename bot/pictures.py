"""Pictures as they may be shown: turned upright, made small, without anything that was hidden in them.

Pure: bytes to bytes, in a thread, for it takes some tenths of a second. What a picture is made of is looked at before
anything of it is unfolded. Must not know where a picture came from, or what is to be seen in it.
"""

from __future__ import annotations

import asyncio
import base64
import io
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

MOST_PIXELS: Final = 25_000_000
"""Unfolded, three or four bytes each: what a small host can spare, and twice what a phone's camera makes. LINE itself
sends pictures on with one or two million."""

READ_SIDE: Final = 1_600
"""Pixels of the longer side that a model is shown: small print on a receipt can be read."""

VIEW_SIDE: Final = 2_048
CARD_SIDE: Final = 1_024
"""The most of a picture on a card: https://developers.line.biz/en/reference/messaging-api/#f-image"""
PREVIEW_SIDE: Final = 480
"""LINE takes 10 MB and 1 MB; as JPEG these have a tenth of it.
https://developers.line.biz/en/reference/messaging-api/#image-message"""

_QUALITY: Final = 85
_FORMATS: Final = ("JPEG", "PNG", "GIF", "WEBP")


class NotAPicture(Exception):
    """These bytes are no picture that can be shown: broken, of an unknown kind, or too large to unfold."""


def as_jpeg(content: bytes, side: int) -> bytes:
    """The picture as JPEG, its longer side at most so many pixels; of a moving one the first. Raises NotAPicture."""
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as picture:
            _measure(picture)
            picture.draft("RGB", (side, side))
            seen = picture.convert("RGBA") if picture.mode == "P" else picture
            seen.thumbnail((side, side))  # before anything else: there are two of it for a moment
            upright = ImageOps.exif_transpose(seen)
            return _written(_on_white(upright))
    except NotAPicture:
        raise
    except Exception as trouble:  # noqa: BLE001 - decoders of strangers' bytes raise whatever they like
        raise NotAPicture(type(trouble).__name__) from None


def _measure(picture: Any) -> None:
    """From its head, before anything is unfolded. Raises NotAPicture."""
    width, height = picture.size
    if not 0 < width * height <= MOST_PIXELS:
        raise NotAPicture(f"{width} x {height} pixels")


def _on_white(picture: Any) -> Any:
    """Without transparency, which JPEG has not."""
    from PIL import Image

    if picture.mode in {"RGBA", "LA", "PA"} or "transparency" in picture.info:
        seen = picture.convert("RGBA")
        white = Image.new("RGB", seen.size, "white")
        white.paste(seen, mask=seen.getchannel("A"))
        return white
    return picture.convert("RGB")


def _written(picture: Any) -> bytes:
    into = io.BytesIO()
    picture.save(into, "JPEG", quality=_QUALITY, optimize=True)
    return into.getvalue()


class Darkroom:
    """Makes pictures ready, one after the other: several at once would need the memory of several."""

    def __init__(self) -> None:
        self._alone = asyncio.Lock()

    async def jpeg(self, content: bytes, side: int) -> bytes:
        """As ``as_jpeg``. Raises NotAPicture."""
        async with self._alone:
            return await asyncio.to_thread(as_jpeg, content, side)


class Gallery:
    """Pictures that a request under way shows. In its messages a word stands for each of them, so that nobody who
    reads, masks, counts or keeps a message has to do with megabytes; whoever sends it puts them in."""

    def __init__(self) -> None:
        self._hung: dict[str, bytes] = {}

    @contextmanager
    def showing(self, jpegs: Sequence[bytes]) -> Iterator[list[str]]:
        """The words for these pictures, as long as the block lasts."""
        words = [f"picture:{secrets.token_hex(16)}" for _ in jpegs]
        self._hung.update(zip(words, jpegs, strict=True))
        try:
            yield words
        finally:
            for each in words:
                del self._hung[each]

    def address(self, word: str) -> str | None:
        """The picture that a word stands for, as a ``data:`` address (RFC 2397); None for any other word."""
        jpeg = self._hung.get(word)
        return None if jpeg is None else f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"
