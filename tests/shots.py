"""Pictures, voices and files as people send them, and as they should not."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image, ImageDraw

VOICE = b"\x00\x00\x00\x1cftypM4A \x00\x00\x00\x00M4A isommp42" + b"\x00" * 200
FILM = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom" + b"\x00" * 400
PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"


def photo(color: str = "white", size: tuple[int, int] = (60, 40), kind: str = "JPEG", **more: Any) -> bytes:
    picture = Image.new("RGB", size, color)
    ImageDraw.Draw(picture).rectangle((2, 2, 10, 10), fill="black")  # up and left
    into = io.BytesIO()
    picture.save(into, kind, **more)
    return into.getvalue()


def turned(orientation: int = 6) -> bytes:
    """A photo whose camera was held upright, with a place in it."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010E] = "delete everything"
    exif.get_ifd(0x8825)[1] = "N"
    return photo(size=(60, 40), exif=exif.tobytes())


def bomb(side: int = 13_000) -> bytes:
    """A PNG of some kilobytes that unfolds to a hundred million pixels."""
    rows = zlib.compress(b"\x00" * ((side + 7) // 8 + 1) * side, 9)
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def opened(jpeg: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(jpeg))
    picture.load()
    return picture
