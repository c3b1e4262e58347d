"""What some bytes are, by how they begin: what a network or a sender says of them is not believed.

Pure. Must not know where bytes come from, or what is done with them.
"""

from __future__ import annotations

from typing import Final

UNKNOWN: Final = "application/octet-stream"

_BEGINNINGS: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"\xff\xf3", "audio/mpeg"),
    (b"\xff\xf1", "audio/aac"),
    (b"\xff\xf9", "audio/aac"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"PK\x03\x04", "application/zip"),
)

_RIFF: Final = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}

_BRANDS: Final = {
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"mif1": "image/heic",
    b"msf1": "image/heic",
    b"avif": "image/avif",
    b"qt  ": "video/quicktime",
}
"""Of ISO media files, by the brand behind ``ftyp``; others are films. https://mp4ra.org/registered-types/brands"""

ENDINGS: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/heic": "heic",
    "image/avif": "avif",
    "application/pdf": "pdf",
    "audio/mpeg": "mp3",
    "audio/aac": "aac",
    "audio/mp4": "m4a",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "audio/wav": "wav",
    "video/webm": "webm",
    "video/mp4": "mp4",
    "video/quicktime": "mov",
    "application/zip": "zip",
    UNKNOWN: "bin",
}
"""How the name of a file of each type ends."""


def media_type(content: bytes) -> str:
    """The media type of what begins like this; ``application/octet-stream`` where that is not known."""
    if content[4:8] == b"ftyp":
        return _BRANDS.get(content[8:12], "video/mp4")
    if content[:4] == b"RIFF":
        return _RIFF.get(content[8:12], UNKNOWN)
    return next((kind for beginning, kind in _BEGINNINGS if content.startswith(beginning)), UNKNOWN)
