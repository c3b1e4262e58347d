"""Texts in one alphabet, and numbers written in words.

Pure. Must not know what a number counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from tools.when.words import SIMPLIFIED


class NotUnderstood(ValueError):
    """The text is no time we can read for certain. The message is one plain English sentence."""


def fold(text: str) -> str:
    """The text in one alphabet (half-width, lower case, traditional characters, Arabic digits), character by
    character: what is found in it stands at the same place in the text."""
    return "".join(map(_folded, text))


def _folded(char: str) -> str:
    if char.isdecimal():
        return str(int(char))
    normal = unicodedata.normalize("NFKC", char).lower()
    return SIMPLIFIED.get(normal, normal) if len(normal) == 1 else char


_HAN = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "兩": 2, "廿": 20, "卅": 30}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}


def number(text: str, names: Iterable[tuple[str, int]] = ()) -> int:
    """A whole number written in digits, Chinese characters, or a language's own words. Raises NotUnderstood."""
    text = text.strip()
    if re.fullmatch(r"\d+(?:st|nd|rd|th)?", text):
        return int(re.sub(r"\D", "", text))
    if text and all(char in _HAN or char in _HAN_UNITS for char in text):
        return han_number(text)
    return _spoken(text, dict(names))


def han_number(text: str) -> int:
    """二十五 → 25, 二〇二六 → 2026, 二千二 → 2002 is not guessed: only whole forms are read."""
    if not any(char in _HAN_UNITS or char in "廿卅" for char in text):
        return int("".join(str(_HAN[char]) for char in text))
    total, digit = 0, None
    for char in text:
        if char in _HAN_UNITS:
            total += (1 if digit is None else digit) * _HAN_UNITS[char]
            digit = None
        elif char in "廿卅":
            total += _HAN[char]
        elif digit not in (None, 0):
            raise NotUnderstood("the number is not written in a known way")
        else:
            digit = _HAN[char]
    return total + (digit or 0)


def _spoken(text: str, names: dict[str, int]) -> int:
    if text in names:
        return names[text]
    if "สิบ" in text:
        tens, ones = text.split("สิบ", 1)
        return (names[tens] if tens else 1) * 10 + (names[ones] if ones else 0)
    words = re.split(r"[ -]", text)
    if len(words) == 2 and all(word in names for word in words):  # noqa: PLR2004 - "twenty-one"
        return names[words[0]] + names[words[1]]
    raise NotUnderstood("the number is not written in a known way")


def fold_pattern(pattern: str) -> str:
    """A regular expression over folded text, from one written with simplified characters."""
    return "".join(SIMPLIFIED.get(char, char) for char in pattern)
