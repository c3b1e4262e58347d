"""People's words for amounts of money → value and currency, or a refusal; and how an amount is written to a person.

``120元``, ``NT$1,200``, ``1.2萬``, ``三千五``, ``¥3,980``, ``二千円``, ``๒๕๐ บาท``, ``$12.50``, ``1k``. The whole text
must be one amount, else ``NotMoney``. A sign or word that several countries share (``$``, ``¥``, 元, dollars) leaves
the currency open: ``currency_for`` the person's own says whose it is. 三千五 is 3,500 and 一萬二 12,000, as they are
spoken; 3千5 and 三塊五 too; small change is hundredths (50 cents are 0.5). A thousands separator stands before exactly
three digits; ``1,5`` and ``1.234,5`` are refused, and so are numbers in a row. Must not know records, people, or the
network.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from tools.alphabet import fold
from tools.currency import CODES, exponent, known
from tools.currency_names import ENGLISH_NAMES, NAMES_WITH_COUNTRY, SHARED
from tools.money_words import (
    ABROAD,
    BARE_MINORS,
    CODE_LIKE,
    CODES_LIKE_WORDS,
    FRACTIONS,
    HOME,
    LEAD,
    MINORS,
    SCALES,
    SYMBOLS,
    TAIL,
    TENTHS,
    WORDS,
)
from tools.number_words import HAN_DIGITS
from tools.numerals import DIGIT, ENGLISH, IN_KANA, NUMERAL, NotANumber, numeral


class NotMoney(ValueError):
    """The text is no amount we can read for certain."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A value, never negative, and the code of its currency: ISO 4217, or of what is no country's money (BTC); None if
    the words leave it open. ``shared`` is the name among ``SHARED`` then, if they leave it to only some."""

    value: Decimal
    currency: str | None = None
    shared: str = ""

    def currency_for(self, home: str) -> str | None:
        """Whose money it is if that person says it who uses ``home``; None if that says it alone."""
        among = SHARED.get(self.shared, ())
        return self.currency or (among[0] if among and home not in among else None)


@dataclass(frozen=True, slots=True)
class FoundAmount:
    """``sentence[start:end]`` is an amount. ``named`` if a sign or word for money stands with it."""

    start: int
    end: int
    amount: Amount
    named: bool = True


_LONGEST = 60
_LEAST_SPOKEN_CENTS, _HUNDRED = 10, 100
_PREFIXED = 4
"""Letters of a code with its scale in front: musd."""
_SPOKEN = frozenset({"塊", "塊錢"})
"""Behind these a last digit is a tenth: 三塊五."""
_BEHIND = {**WORDS, **SYMBOLS, **MINORS, **BARE_MINORS, **TENTHS}


def read_amount(text: str) -> Amount:
    """The whole text as one amount. Raises NotMoney."""
    if len(text) > _LONGEST:
        raise NotMoney("this is longer than any amount")
    folded = fold(text).strip().strip("。!,")
    match = _pattern(alone=True).fullmatch(folded)
    if match is None:
        raise NotMoney("this is not one amount of money")
    return _amount(match)


def find_amounts(sentence: str) -> tuple[FoundAmount, ...]:
    """Every amount in a sentence, from left to right: written with a sign or word for money, or a bare number that
    stands by itself. Numbers inside words, codes, dates, times and percentages are none."""
    folded = fold(sentence)
    found = []
    for match in _pattern(alone=False).finditer(folded):
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


def _either(words: Iterable[str]) -> str:
    """Any of the words; of Latin ones none that goes on."""
    return "|".join(
        re.escape(word) + (r"(?![a-z])" if word[-1].isascii() and word[-1].isalpha() else "")
        for word in sorted(words, key=len, reverse=True)
    )


@cache
def _pattern(*, alone: bool) -> re.Pattern[str]:
    """An amount in a sentence, or one that stands ``alone``, where more can be nothing else."""
    certain = [word for word, code in WORDS.items() if code and len(word) > 1 and word not in ENGLISH_NAMES]
    front = _signs([*SYMBOLS, *(WORDS if alone else (word for word in certain if word not in NAMES_WITH_COUNTRY))])
    behind: dict[str, str] = {
        **WORDS,
        **dict.fromkeys((sign for sign in SYMBOLS if len(sign) == 1 and sign != "\\"), ""),
        **MINORS,
    }
    numeral = NUMERAL
    if alone:
        behind |= {**BARE_MINORS, **TENTHS}
        numeral = rf"(?:a )?(?:{_either(FRACTIONS)})|{IN_KANA}|{NUMERAL}"
    iso = _either({each.lower() for each in CODES} - (set() if alone else CODES_LIKE_WORDS))
    code = rf"(?:[mk])?(?:{iso})|(?:{_either(CODE_LIKE)})" if alone else iso
    amount = (
        rf"(?P<sign>(?<![a-z])(?:{front})\s*)?(?P<code>(?<![a-z])(?:{code})(?![a-z])\s*)?"
        rf"(?P<number>{numeral})"
        rf"(?:\s*(?:個)?(?:of )?(?:a )?(?P<scale>(?:{_either(SCALES)})(?:[萬億])?)(?P<rest>[1-9半](?![\d.,]))?)?"
        rf"(?P<word>{r'[ -]?' if alone else ''}\s*(?:{_either(behind)}))?"
    )
    code2 = rf"(?P<code2>\s*(?<![a-z])(?:{code})(?![a-z]))?"
    if not alone:
        return re.compile(amount + _small(bare=False) + code2)
    late = rf"(?:\s+(?P<late>{_either(word for word in SCALES if word.isascii())}))?"
    return re.compile(rf"(?:(?:{_either(LEAD)})\s*)?{amount}{_small(bare=True)}{code2}{late}\s*(?:{_either(TAIL)})?")


def _signs(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _small(*, bare: bool) -> str:
    """The small change behind the whole: 5毛, 3角5分, and 43 cents; where it stands ``bare`` also 塊五, 塊半, 43."""
    tenths = rf"\s*(?:and )?(?P<tenth>{DIGIT})\s*(?P<tenths>[角毛毫]|mao|jiao)"
    if not bare:
        cents = rf"\s*(?:and\s+)?(?P<cents>\d{{1,2}})\s*(?P<cent>{_either([*MINORS, 'c'])})"
        return rf"(?:{tenths}(?:(?P<hundredth>{DIGIT})分)?錢?|{cents})?"
    hundredths = rf"(?:\s*(?P<hundredth>{DIGIT})(?:分|\s*fen)?)?"
    cents = (
        rf"\s*(?P<and>(?:and|又|と|กับ)\s*)?(?P<cents>\d{{1,2}}|{ENGLISH}|[{''.join(HAN_DIGITS)}十]{{1,3}})"
        rf"\s*(?P<cent>{_either([*MINORS, *BARE_MINORS])})?"
    )
    return rf"(?:{tenths}{hundredths}錢?|(?P<half>半|ครึ่ง)|(?P<spoken>{DIGIT})|{cents})?"


_NUMBER_BEFORE = re.compile(r"[\d.,:/#a-z-]")
_GOES_ON = re.compile(r"[.,]?\d")
_NUMBER_AFTER = re.compile(
    r"\s*(?:%|度|點|時|月|日|號|年|歲|分|秒|小時|個|週|天|人|件|本|กก|โมง|ทุ่ม|น\.|วัน|ชั่วโมง|นาที)|[.,:/-]?\d|(?!and\b)[a-z]|-"
)


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """A bare number counts only where nothing joins it to a word or to another number."""
    number = match["number"]
    if _NUMBER_BEFORE.match(text[max(match.start() - 1, 0) : match.start()]):
        return False
    if match["word"] or match["tenth"]:
        return True
    if match["sign"] or match["code"]:
        return not _GOES_ON.match(text, match.end())
    return number[0].isdigit() and not _NUMBER_AFTER.match(text, match.end())


# ── the value ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _amount(match: re.Match[str]) -> Amount:
    said = match.groupdict()
    word = (said["word"] or "").strip(" -")
    try:
        value = _whole(said, spoken=word != "円") * _size(word) + _change(said, word)
    except NotANumber as error:
        raise NotMoney(str(error)) from None
    names = [*_stated(said, word)] or [name for name in (TENTHS.get(said["tenths"] or ""),) if name]
    certain = {name for name in names if name not in SHARED}
    shared = [name for name in names if name in SHARED]
    if len(certain) > 1 or any(code not in SHARED[name] for code in certain for name in shared):
        raise NotMoney("two currencies are named")
    return Amount(value, certain.pop()) if certain else Amount(value, None, shared[0] if shared else "")


def _stated(said: Mapping[str, str | None], word: str) -> Iterator[str]:
    """The currencies that word, sign and codes name. Raises NotMoney for a code that is none."""
    for name in (_BEHIND.get(word), _BEHIND.get((said["sign"] or "").strip())):
        if name:
            yield name
    for code in map(_bare, (said["code"], said["code2"])):
        if code:
            yield _iso(code)


def _bare(code: str | None) -> str:
    return (code or "").strip()


def _iso(code: str) -> str:
    if code in CODE_LIKE or code in SYMBOLS:
        return CODE_LIKE.get(code) or SYMBOLS[code]
    code = code[-3:]
    if not known(code.upper()):
        raise NotMoney("no such currency")
    return code.upper()


def _whole(said: Mapping[str, str | None], *, spoken: bool) -> Decimal:
    number = (said["number"] or "").removeprefix("a ") if said["scale"] else said["number"] or ""
    scale = _scale(said["scale"]) * _scale(said.get("late"))
    if number in FRACTIONS:
        if scale == 1:
            raise NotMoney("a part of what is not said")
        return Decimal(FRACTIONS[number]) * scale
    value = numeral(number, spoken=spoken) * scale
    if rest := said["rest"]:
        value += Decimal(5 if rest == "半" else rest) * scale / 10
    prefix = next((code[0] for code in map(_bare, (said["code"], said["code2"])) if len(code) == _PREFIXED), "")
    return value * SCALES.get(prefix, 1)


def _size(word: str) -> Decimal:
    """What one of the unit is worth in whole ones."""
    if word in MINORS or word in BARE_MINORS:
        return Decimal("0.01")
    return Decimal("0.1") if word in TENTHS else Decimal(1)


def _change(said: Mapping[str, str | None], word: str) -> Decimal:
    """What stands behind the whole ones."""
    if tenth := said["tenth"]:
        return numeral(tenth) / 10 + numeral(said["hundredth"] or "0") / 100
    if said.get("half"):
        return Decimal("0.5") * _size(word)
    if spoken := said.get("spoken"):
        if word not in _SPOKEN:
            raise NotMoney("small change of what is not said")
        return numeral(spoken) / 10
    return _cents(said, word) if said["cents"] else Decimal(0)


def _cents(said: Mapping[str, str | None], word: str) -> Decimal:
    """With their unit, or where English says a second number behind the first: 20 dollars 43."""
    cents = numeral(said["cents"] or "")
    whole_said = bool(said["sign"]) or (word in _BEHIND and _size(word) == 1)
    told = said["cent"] or (cents >= _LEAST_SPOKEN_CENTS and (said.get("and") or (word and word.isascii())))
    if not whole_said or not told or not 0 < cents < _HUNDRED:
        raise NotMoney("cents of what is not said")
    return cents / 100


def _scale(text: str | None) -> int:
    if not text:
        return 1
    if text in SCALES:
        return SCALES[text]
    return SCALES[text[:-1]] * SCALES[text[-1]]
