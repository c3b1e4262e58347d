"""Numbers as people write and say them → values: 1,200, 1萬2千, 三千五, สองพันห้า, two hundred and fifty, にせん.

Pure; over the folded alphabet of ``alphabet``. Must not know what is counted.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from tools.number_words import ENGLISH_NUMBERS, HAN_DIGITS, HAN_LARGE, HAN_SMALL, KANA, THAI_DIGITS, THAI_SCALES

_HAN: Final = "".join(dict.fromkeys([*HAN_DIGITS, *HAN_SMALL, *HAN_LARGE]))
_LARGE: Final = "".join(HAN_LARGE)
_DIGITS: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d+(?:\.\d+)?"
_MIXED: Final = rf"\d+[{_LARGE}千百](?:\d+[{_LARGE}千百十])+|\d+[{_LARGE}]\d{{2,4}}(?!\d)"
_THAI: Final = "|".join(sorted([*THAI_DIGITS, *THAI_SCALES], key=len, reverse=True))
_ENGLISH: Final = "|".join(sorted(ENGLISH_NUMBERS, key=len, reverse=True))
_ENGLISH_SCALES: Final = {
    "hundred": 100, "thousand": 1_000, "lakh": 100_000, "million": 10**6, "crore": 10**7, "billion": 10**9,
}  # fmt: skip
_KANA: Final = "|".join(sorted(KANA, key=len, reverse=True))

ENGLISH: Final = (
    rf"(?:a|{_ENGLISH})(?:[ -](?:and )?(?:{'|'.join(_ENGLISH_SCALES)}|{_ENGLISH}))*\b"
    rf"(?: point(?: (?:{_ENGLISH}|zero|oh))+\b| and a half\b)?"
)
"""An English number in words."""
DIGIT: Final = rf"[{''.join(HAN_DIGITS)}\d]|(?:{'|'.join(list(ENGLISH_NUMBERS)[:9])})\b"
"""One digit, in any writing."""
NUMERAL: Final = rf"{_MIXED}|(?:{_DIGITS})|[{_HAN}]+|(?:{_THAI})+|{ENGLISH}"
"""Any number that can be told from the words around it."""
IN_KANA: Final = rf"(?:{_KANA})+"
"""A Japanese number in syllables, which other words are made of as well: for where nothing but a number stands."""


class NotANumber(ValueError):
    """These words are no number, or several."""


def numeral(text: str, *, spoken: bool = True) -> Decimal:
    """What ``NUMERAL`` or ``IN_KANA`` matched. ``spoken``: 三千五 is 3,500, as in Chinese; in Japanese it is 3,005.
    Raises NotANumber."""
    if text[0].isdigit():
        mixed = text[-1] in _HAN or re.search(f"[{_LARGE}]", text)
        return Decimal(_mixed(text)) if mixed else Decimal(text.replace(",", ""))
    if text[0] in _HAN:
        return Decimal(_han(text, spoken=spoken))
    if text[0].isascii():
        return _english(text)
    if re.fullmatch(IN_KANA, text):
        return Decimal(_han(re.sub(_KANA, lambda found: KANA[found[0]], text), spoken=False))
    return Decimal(_thai(text))


def _mixed(text: str) -> int:
    """1萬2千, 1億2000萬, 1萬2000: digits with Chinese units between."""
    total, section = 0, 0
    for digits, unit in re.findall(rf"(\d+)([{_LARGE}千百十]?)", text):
        if unit in HAN_LARGE:
            total, section = total + (section + int(digits)) * HAN_LARGE[unit], 0
        else:
            section += int(digits) * HAN_SMALL.get(unit, 1)
    return total + section


def _han(text: str, *, spoken: bool) -> int:
    """三千五百 and, as spoken, 三千五; 二〇〇 digit by digit."""
    if all(char in HAN_DIGITS for char in text):
        return int("".join(str(HAN_DIGITS[char]) for char in text))
    total, section, digit, unit, zero = 0, 0, -1, 0, False
    for char in text:
        if char in HAN_DIGITS:
            if digit > 0:
                raise NotANumber("the number is not written in a known way")
            digit, zero = HAN_DIGITS[char], zero or HAN_DIGITS[char] == 0
        elif char in HAN_SMALL:
            unit = HAN_SMALL[char]
            section += (1 if digit < 0 else digit) * unit
            digit, zero = -1, False
        else:
            unit = HAN_LARGE[char]
            section += max(digit, 0)
            total = (total + section) * unit if 0 < total < unit else total + (section or 1) * unit
            section, digit, zero = 0, -1, False
    last = max(digit, 0)
    short = spoken and unit >= 100 and last and not zero  # noqa: PLR2004 - 三千五, but 十五
    return total + section + (last * unit // 10 if short else last)


def _thai(text: str) -> int:
    """สองพันห้าร้อย and, as spoken from a thousand up, สองพันห้า; of ร้อยห้า the five are ones."""
    total, digit, unit, word = 0, None, 1, ""
    for word in re.findall(_THAI, text):
        if word in THAI_DIGITS:
            if digit is not None:
                raise NotANumber("the number is not written in a known way")
            digit = THAI_DIGITS[word]
            continue
        unit = THAI_SCALES[word]
        if word == "ล้าน":
            total, digit = (total + (digit or (0 if total else 1))) * unit, None
        else:
            total, digit = total + (1 if digit is None else digit) * unit, None
    short = unit >= 1_000 and word not in ("เอ็ด", *THAI_SCALES)  # noqa: PLR2004 - "สองพันเอ็ด" says that it is one
    return total + (digit or 0) * (unit // 10 if short else 1)


def _english(text: str) -> Decimal:
    whole, _, decimals = text.partition(" point ")
    whole, half = whole.removesuffix(" and a half"), whole.endswith(" and a half")
    total, group = 0, 0
    for word in re.split(r"[ -]", whole.replace(" and ", " ").replace("-and ", " ")):
        if word == "a":
            group += 1
        elif word == "hundred":
            group = (group or 1) * 100
        elif word in _ENGLISH_SCALES:
            total, group = total + (group or 1) * _ENGLISH_SCALES[word], 0
        elif group % 10 or (group % 100 and ENGLISH_NUMBERS[word] >= 10):  # noqa: PLR2004 - two tens are two numbers
            raise NotANumber("these are several numbers")
        else:
            group += ENGLISH_NUMBERS[word]
    digits = "".join(str(ENGLISH_NUMBERS.get(word, 0)) for word in decimals.split())
    return Decimal(f"{total + group}.{digits or 0}") + (Decimal("0.5") if half else 0)
