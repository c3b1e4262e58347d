"""The words for numbers in Chinese and Japanese, Thai and English.

Data only, in the folded alphabet of ``alphabet``. Must not know what a number counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

HAN_DIGITS: Final[Mapping[str, int]] = {
    **{char: value for value, char in enumerate("零一二三四五六七八九")}, "〇": 0, "兩": 2,
    **{char: value for value, char in enumerate("零壹貳參肆伍陸柒捌玖")}, "叄": 3, "叁": 3,
    "壱": 1, "弐": 2,
}  # fmt: skip
HAN_SMALL: Final[Mapping[str, int]] = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1_000, "仟": 1_000}
"""Units within a group of four digits."""
HAN_LARGE: Final[Mapping[str, int]] = {"萬": 10_000, "億": 100_000_000, "兆": 10**12}
"""Units of a whole group."""

THAI_DIGITS: Final[Mapping[str, int]] = {
    "ศูนย์": 0, "หนึ่ง": 1, "เอ็ด": 1, "สอง": 2, "ยี่": 2, "สาม": 3, "สี่": 4, "ห้า": 5, "หก": 6, "เจ็ด": 7, "แปด": 8, "เก้า": 9,
    "นึง": 1,
}  # fmt: skip
THAI_SCALES: Final[Mapping[str, int]] = {
    "สิบ": 10, "ร้อย": 100, "พัน": 1_000, "หมื่น": 10_000, "แสน": 100_000, "ล้าน": 1_000_000,
}  # fmt: skip

ENGLISH_NUMBERS: Final[Mapping[str, int]] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
"""In the order of their value."""

KANA: Final[Mapping[str, str]] = {
    "いち": "一", "いっ": "一", "に": "二", "さん": "三", "よん": "四", "ご": "五", "ろく": "六", "ろっ": "六",
    "なな": "七", "しち": "七", "はち": "八", "はっ": "八", "きゅう": "九", "じゅう": "十",
    "ひゃく": "百", "びゃく": "百", "ぴゃく": "百", "せん": "千", "ぜん": "千",
    "まん": "萬", "おく": "億", "ちょう": "兆",
}  # fmt: skip
"""Japanese numbers as they sound, and the characters for them."""
