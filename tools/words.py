"""What a text is found by: its words as they are compared, and the pairs of characters they are indexed under.

Pure. One way for every script: case, width and white space do not count, and any part of a word finds it, so that two
Chinese characters, a piece of Thai and ``raff`` in ``traffic`` all work alike. Must not know a store.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

SEPARATOR = "\n"
"""Stands between the parts of a searchable text; never inside one, so that nothing is found across two parts."""

_PAIR = 2
_IGNORED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})


def normalised(text: str) -> str:
    """The text as it is compared: NFKC, case folded, without white space, control and invisible characters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if folded.isascii() and folded.isalnum():
        return folded
    return "".join(character for character in folded if unicodedata.category(character) not in _IGNORED)


def searchable(parts: Iterable[str]) -> str:
    """The parts of a record, normalised, each once."""
    return SEPARATOR.join(dict.fromkeys(filter(None, map(normalised, parts))))


def terms(words: str) -> set[str]:
    """What a searchable text is indexed under: every two neighbouring characters, and the last one of each part.

    A single character is then the beginning of some term, wherever it stands.
    """
    return {part[at : at + _PAIR] for part in words.split(SEPARATOR) for at in range(len(part))}


def pairs(keyword: str) -> list[str]:
    """The terms that a text must be indexed under to contain the normalised keyword; itself if it is one character.

    With at most two characters the terms are proof; a longer keyword may still be absent.
    """
    return list(dict.fromkeys(keyword[at : at + _PAIR] for at in range(max(1, len(keyword) - 1))))
