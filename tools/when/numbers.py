"""Numbers written in digits or in words.

Pure. Must not know what a number counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tools.number_words import HAN_DIGITS


class NotUnderstood(ValueError):
    """The text is no time we can read for certain. The message is one plain English sentence."""


_HAN_TENS = {"廿": 20, "卅": 30}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_HAN = HAN_DIGITS.keys() | _HAN_TENS.keys() | _HAN_UNITS.keys()


def number(text: str, names: Iterable[tuple[str, int]] = ()) -> int:
    """A whole number written in digits, Chinese characters, or a language's own words. Raises NotUnderstood."""
    text = text.strip()
    if re.fullmatch(r"\d+(?:st|nd|rd|th)?", text):
        return int(re.sub(r"\D", "", text))
    if text and _HAN.issuperset(text):
        return han_number(text)
    return _spoken(text, dict(names))


def han_number(text: str) -> int:
    """二十五 → 25, 二〇二六 → 2026, 百〇五 → 105. Thousands are years, so 二千二 is 2002. 一百五, which is 150 to one
    and 105 to another, is refused, and so is what is no whole form. Raises NotUnderstood."""
    if HAN_DIGITS.keys() >= set(text):
        return int("".join(str(HAN_DIGITS[char]) for char in text))
    if _SHORTENED.search(text):
        raise NotUnderstood("the number can be two numbers")
    total, digit = 0, None
    for char in text:
        if char in _HAN_UNITS:
            total += (1 if digit is None else digit) * _HAN_UNITS[char]
            digit = None
        elif char in _HAN_TENS:
            total += _HAN_TENS[char]
        elif digit not in (None, 0):
            raise NotUnderstood("the number is not written in a known way")
        else:
            digit = HAN_DIGITS[char]
    return total + (digit or 0)


_SHORTENED = re.compile("百[一二兩三四五六七八九]$")
"""A digit right behind hundreds: tens may have been left out."""


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
