"""Text in pieces as Notion takes it: counted in UTF-16 units, cut between graphemes.

Pure. https://developers.notion.com/reference/request-limits. Must not know what is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import regex  # type: ignore[import-untyped]  # ships no types

Json = dict[str, Any]

SEGMENT = 1_900
"""UTF-16 units per piece of rich text; Notion takes 2,000 and counts as JavaScript does."""
PIECES = 100
"""Pieces of rich text in one property or paragraph: Notion takes no more."""

_GRAPHEME = regex.compile(r"\X")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def units(text: str) -> int:
    """The length as JavaScript counts it: UTF-16 code units."""
    return len(text) + sum(character > "\uffff" for character in text)


def cut(text: str, limit: int) -> list[str]:
    """The text in pieces of at most ``limit`` UTF-16 units, never inside a grapheme (unless one alone is longer)."""
    pieces: list[str] = []
    piece, size = "", 0
    for part in _parts(text, limit):
        length = units(part)
        if size + length > limit:
            pieces.append(piece)
            piece, size = "", 0
        piece += part
        size += length
    return [*pieces, piece] if piece else pieces


def _parts(text: str, limit: int) -> list[str]:
    parts: list[str] = []
    for grapheme in _GRAPHEME.findall(text):
        parts.extend([grapheme] if units(grapheme) <= limit else list(grapheme))
    return parts


def clean(text: str) -> str:
    """Without signs that no store of text takes, and with one kind of line break."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def rich_text(text: str, limit: int = PIECES) -> list[Json]:
    """The text as Notion's list of pieces; what is beyond ``limit`` pieces is left out."""
    return [{"type": "text", "text": {"content": piece}} for piece in cut(clean(text), SEGMENT)[:limit]]


def plain_text(pieces: Iterable[Mapping[str, Any]]) -> str:
    """What a title, rich text or paragraph says: people's edits cut it into many pieces, and what is sent
    has only their ``text``."""
    return "".join(piece.get("plain_text", piece.get("text", {}).get("content", "")) for piece in pieces)
