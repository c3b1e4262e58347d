"""People's words for amounts of money → value and currency, or a refusal; and how an amount is written to a person.

``120元``, ``NT$1,200``, ``1.2萬``, ``三千五``, ``¥3,980``, ``二千円``, ``๒๕๐ บาท``, ``$12.50``, ``1k``. The whole text
must be one amount, else ``NotMoney``. A sign or word that several countries share (``$``, ``¥``, 元, dollars) leaves
the currency open: the caller knows the person's own. 三千五 is 3,500 and 一萬二 12,000, as they are spoken; 3千5 too. A
thousands separator stands before exactly three digits; ``1,5`` and ``1.234,5`` are refused, and so are minor units
alone (43 cents) and numbers in a row. Must not know records, people, or the network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from tools.alphabet import fold
from tools.currency import exponent, known
from tools.money_words import ABROAD, HOME, SCALES, SYMBOLS, WORDS
from tools.number_words import ENGLISH_NUMBERS, HAN_DIGITS, HAN_LARGE, HAN_SMALL, THAI_DIGITS, THAI_SCALES


class NotMoney(ValueError):
    """The text is no amount we can read for certain."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A value, never negative, and the ISO 4217 code of its currency; None if the words leave it open."""

    value: Decimal
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class FoundAmount:
    """``sentence[start:end]`` is an amount. ``named`` if a sign or word for money stands with it."""

    start: int
    end: int
    amount: Amount
    named: bool = True


_LONGEST = 60
_HAN = "".join(dict.fromkeys([*HAN_DIGITS, *HAN_SMALL, *HAN_LARGE]))
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_MIXED = r"\d+[億萬千百](?:\d+[億萬千百十])+|\d+[億萬]\d{2,4}(?!\d)"
_SCALE = "|".join(sorted(map(re.escape, SCALES), key=len, reverse=True))
_THAI = "|".join(sorted([*THAI_DIGITS, *THAI_SCALES], key=len, reverse=True))
_ENGLISH = "|".join(sorted(ENGLISH_NUMBERS, key=len, reverse=True))


def read_amount(text: str) -> Amount:
    """The whole text as one amount. Raises NotMoney."""
    if len(text) > _LONGEST:
        raise NotMoney("this is longer than any amount")
    folded = fold(text).strip().strip("。!,")
    match = _pattern().fullmatch(folded)
    if match is None:
        raise NotMoney("this is not one amount of money")
    return _amount(match)


def find_amounts(sentence: str) -> tuple[FoundAmount, ...]:
    """Every amount in a sentence, from left to right: written with a sign or word for money, or a bare number that
    stands by itself. Numbers inside words, codes, dates, times and percentages are none."""
    folded = fold(sentence)
    found = []
    for match in _pattern().finditer(folded):
        if not _stands_alone(folded, match):
            continue
        try:
            amount = _amount(match)
        except NotMoney:
            continue
        start, end = match.span()
        start += len(match.group()) - len(match.group().lstrip())
        end -= len(match.group()) - len(match.group().rstrip())
        found.append(FoundAmount(start, end, amount, bool(match["sign"] or match["word"] or match["code"])))
    return tuple(found)


def shown(value: Decimal, currency: str, language: str) -> str:
    """As people write it in their language: ``120 元``, ``850円``, ``120 บาท``, ``$12.50``; other people's money with
    its sign or code: ``US$12.50``, ``¥3,980``, ``CHF 20``. Decimals only where they say something."""
    whole = value == value.to_integral_value()
    decimals = 0 if whole else max(exponent(currency), 1)
    figure = f"{abs(value):,.{decimals}f}"
    pattern = HOME.get((language, currency)) or ABROAD.get(currency) or currency + " {}"
    return ("-" if value < 0 else "") + pattern.format(figure)


# ── the pattern ───────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def _pattern() -> re.Pattern[str]:
    def either(words: list[str]) -> str:
        return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))

    latin = [word for word in WORDS if word.isascii() and len(word) > 1]
    other = [word for word in WORDS if word not in latin]
    front = either([*SYMBOLS, *(word for word, code in WORDS.items() if code and len(word) > 1)])
    return re.compile(
        rf"(?P<sign>(?<![a-z])(?:{front})\s*)?(?P<code>(?<![a-z])[a-z]{{3}}(?![a-z])\s*)?"
        rf"(?P<number>{_MIXED}|(?:{_DIGITS})|[{_HAN}]+|(?:{_THAI})+|"
        rf"(?:a|{_ENGLISH})(?:[ -](?:and )?(?:hundred|thousand|{_ENGLISH}))*\b)"
        rf"(?:\s*(?:個)?(?P<scale>(?:{_SCALE})(?![a-z])(?:[萬億])?)(?P<rest>[1-9](?![\d.,]))?)?"
        rf"(?P<word>\s*(?:{either(other)}|(?:{either(latin)})(?![a-z])))?"
        rf"(?P<minor>\s*(?P<tenth>[{_HAN}\d])[角毛](?:(?P<hundredth>[{_HAN}\d])分)?錢?)?"
        r"(?:\s*(?:and\s+)?(?P<cents>\d{1,2})\s*(?:cents?|c)(?![a-z]))?"
        r"(?P<code2>\s*(?<![a-z])[a-z]{3}(?![a-z]))?"
    )


_NUMBER_BEFORE = re.compile(r"[\d.,:/#-]$|[a-z]$")
_NUMBER_AFTER = re.compile(
    r"\s*(?:%|度|點|時|月|日|號|年|歲|分|秒|小時|個|週|天|人|件|本|กก|โมง|ทุ่ม|น\.|วัน|ชั่วโมง|นาที)|[.,:/-]?\d|[a-z]|-"
)


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """A bare number counts only where nothing joins it to a word or to another number."""
    number = match["number"]
    if _NUMBER_BEFORE.search(text[: match.start()]):
        return False
    if match["word"] or match["minor"]:
        return True
    after = text[match.end() :]
    if match["sign"] or match["code"]:
        return not re.match(r"[.,]?\d", after)
    return number[0].isdigit() and not _NUMBER_AFTER.match(after)


def _amount(match: re.Match[str]) -> Amount:
    value = _number(match["number"].strip())
    if match["scale"]:
        scale = _scale(match["scale"])
        value = value * scale + (Decimal(match["rest"]) * scale / 10 if match["rest"] else 0)
    if match["tenth"]:
        value += Decimal(_digit(match["tenth"])) / 10 + Decimal(_digit(match["hundredth"] or "0")) / 100
    if match["cents"]:
        if not (match["word"] or match["sign"]):
            raise NotMoney("cents of what is not said")
        value += Decimal(match["cents"]) / 100
    return Amount(value, _currency(match))


def _scale(text: str) -> int:
    if text in SCALES:
        return SCALES[text]
    return SCALES[text[:-1]] * SCALES[text[-1]]


def _digit(text: str) -> int:
    if text.isdigit():
        return int(text)
    if text not in HAN_DIGITS:
        raise NotMoney("the small change is not one digit")
    return HAN_DIGITS[text]


def _currency(match: re.Match[str]) -> str | None:
    """The one currency that sign, word and code agree on. Raises NotMoney if they do not."""
    stated = set()
    for sign in (match["sign"], match["word"]):
        if sign:
            stated.add(SYMBOLS.get(sign.strip(), WORDS.get(sign.strip(), "")))
    for code in (match["code"], match["code2"]):
        if code:
            stated.add(_iso(code.strip()))
    stated.discard("")
    if len(stated) > 1:
        raise NotMoney("two currencies are named")
    return stated.pop() if stated else None


def _iso(code: str) -> str:
    if code in SYMBOLS:
        return SYMBOLS[code]
    if not known(code.upper()):
        raise NotMoney("no such currency")
    return code.upper()


# ── numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _number(text: str) -> Decimal:
    if text[0].isdigit():
        return (
            Decimal(_mixed(text)) if text[-1] in _HAN or re.search("[億萬]", text) else Decimal(text.replace(",", ""))
        )
    if text[0] in _HAN:
        return Decimal(_han(text))
    if text[0].isascii():
        return Decimal(_english(text))
    return Decimal(_thai(text))


def _mixed(text: str) -> int:
    """1萬2千, 1億2000萬, 1萬2000: digits with Chinese units between."""
    total, section = 0, 0
    for digits, unit in re.findall(r"(\d+)([億萬千百十]?)", text):
        if unit in HAN_LARGE:
            total, section = total + (section + int(digits)) * HAN_LARGE[unit], 0
        else:
            section += int(digits) * HAN_SMALL.get(unit, 1)
    return total + section


def _han(text: str) -> int:
    """三千五百 and, as spoken, 三千五; 二〇〇 digit by digit."""
    if all(char in HAN_DIGITS for char in text):
        return int("".join(str(HAN_DIGITS[char]) for char in text))
    total, section, digit, unit, zero = 0, 0, -1, 0, False
    for char in text:
        if char in HAN_DIGITS:
            if digit > 0:
                raise NotMoney("the number is not written in a known way")
            digit, zero = HAN_DIGITS[char], zero or HAN_DIGITS[char] == 0
        elif char in HAN_SMALL:
            unit = HAN_SMALL[char]
            section += (1 if digit < 0 else digit) * unit
            digit, zero = -1, False
        else:
            unit = HAN_LARGE[char]
            section += max(digit, 0)
            total = (total + section) * unit if unit > HAN_LARGE["萬"] else total + (section or 1) * unit
            section, digit, zero = 0, -1, False
    last = max(digit, 0)
    return total + section + (last * unit // 10 if unit >= 100 and last and not zero else last)  # noqa: PLR2004 - 三千五, but 十五


def _thai(text: str) -> int:
    total, digit = 0, None
    for word in re.findall(_THAI, text):
        if word in THAI_DIGITS:
            if digit is not None:
                raise NotMoney("the number is not written in a known way")
            digit = THAI_DIGITS[word]
        elif word == "ล้าน":
            total, digit = (total + (digit or 0)) * 1_000_000, None
        else:
            total, digit = total + (1 if digit is None else digit) * THAI_SCALES[word], None
    return total + (digit or 0)


def _english(text: str) -> int:
    total, group = 0, 0
    for word in re.split(r"[ -]", text.replace(" and ", " ")):
        if word == "a":
            group += 1
        elif word == "hundred":
            group = (group or 1) * 100
        elif word == "thousand":
            total, group = total + (group or 1) * 1_000, 0
        elif group % 10 and word in ENGLISH_NUMBERS:
            raise NotMoney("these are several numbers")
        else:
            group += ENGLISH_NUMBERS[word]
    return total + group
