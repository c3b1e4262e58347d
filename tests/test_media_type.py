from __future__ import annotations

import pytest

from tests.shots import FILM, PDF, VOICE, photo
from tools.media_type import ENDINGS, UNKNOWN, media_type


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (photo(), "image/jpeg"),
        (photo(kind="PNG"), "image/png"),
        (photo(kind="GIF"), "image/gif"),
        (photo(kind="WEBP"), "image/webp"),
        (b"\x00\x00\x00\x18ftypheic", "image/heic"),
        (VOICE, "audio/mp4"),
        (FILM, "video/mp4"),
        (b"\x00\x00\x00\x14ftypqt  ", "video/quicktime"),
        (b"RIFF\x00\x00\x00\x00WAVEfmt ", "audio/wav"),
        (b"RIFF\x00\x00\x00\x00AVI ", UNKNOWN),
        (b"ID3\x04", "audio/mpeg"),
        (PDF, "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
        (b"<svg/>", UNKNOWN),
        (b"", UNKNOWN),
        (b"\x00", UNKNOWN),
    ],
)
def test_bytes_are_what_they_begin_with(content, kind):
    assert media_type(content) == kind
    assert kind in ENDINGS
