"""Where a text may be cut, in the units in which LINE counts.

Pure. Must not know what a text is for, or what is done with its rest.
"""

from __future__ import annotations

import re
from typing import Final

import regex  # type: ignore[import-untyped]  # ships no types of its own

ELLIPSIS: Final = "…"
_GRAPHEME: Final = regex.compile(r"\X")
_ADDRESS: Final = re.compile(r"https?://[\x21-\x7e]+")
_LOOKAHEAD: Final = 64
_CUTS: Final = (
    re.compile(r"(?=\n[ \t]*\n)"),
    re.compile(r"(?=\n)"),
    re.compile(r"(?<=[。！？…])(?![。！？…」』）)])|(?<=[」』）])|(?<=[.!?])(?=\s)"),
    re.compile(r"(?=\s)"),
)
"""Where a text may be cut, best first: between paragraphs, lines, sentences, words."""


def utf16(text: str) -> int:
    """The length as LINE counts it, in UTF-16 code units.

    https://developers.line.biz/en/docs/messaging-api/text-character-count/
    """
    return len(text) + sum(sign > "\uffff" for sign in text)


def cut_at(text: str, limit: int, fill: float) -> int:
    """Where to end a part of at most ``limit`` units: never inside what is read as one sign, nor inside a web address
    that would fit into a part of its own."""
    room = len(text[:limit].encode("utf-16-le")[: 2 * limit].decode("utf-16-le", "ignore"))
    window = text[: room + _LOOKAHEAD]
    signs: set[int] = {found.end() for found in _GRAPHEME.finditer(window) if found.end() <= room}
    whole = {here for found in _ADDRESS.finditer(text, 0, room + limit) for here in _inner(found, limit)}
    free = (signs - whole) or signs or {room}
    for nicer in _CUTS:
        places = [found.start() for found in nicer.finditer(window) if found.start() in free]
        if places and places[-1] >= fill * room:
            return places[-1]
    return max(free)


def _inner(address: re.Match[str], limit: int) -> range:
    short = address.end() - address.start() <= limit
    return range(address.start() + 1, address.end()) if short else range(0)


def clipped(text: str, limit: int) -> str:
    """At most ``limit`` UTF-16 units, ending with "…" where something was cut off."""
    return text if utf16(text) <= limit else text[: cut_at(text, limit - 1, 1.0)].rstrip() + ELLIPSIS
