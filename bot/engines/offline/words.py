"""The words the offline engine knows, one table for each language, and how they are looked for.

Messages are tried against every language. Must not know what is done with what is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from bot.engines.offline.vocabulary import Words
from bot.engines.offline.words_en import EN
from bot.engines.offline.words_ja import JA
from bot.engines.offline.words_th import TH
from bot.engines.offline.words_zh import ZH
from tools.alphabet import fold_pattern
from tools.record import Language

WORDS: Final[Mapping[Language, Words]] = {"zh-TW": ZH, "ja": JA, "th": TH, "en": EN}

INCOME_PLACE: Final = 7
"""Where income stands among the standard categories."""


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The pattern of that name of every language, to be searched for; none of its groups are named."""
    return _any_of(getattr(words, name) for words in WORDS.values())


@cache
def patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """The pattern of that name, language by language, with named groups."""
    return tuple(re.compile(fold_pattern(getattr(words, name))) for words in WORDS.values())


@cache
def pattern_of(expression: str) -> re.Pattern[str]:
    """One language's expression, to be searched for in folded text."""
    return re.compile(fold_pattern(expression))


@cache
def categories() -> tuple[re.Pattern[str], ...]:
    """What names a thing of each standard category that is not income, in their order."""
    return tuple(map(_any_of, zip(*(words.categories for words in WORDS.values()), strict=True)))


def group(match: re.Match[str], name: str) -> str:
    """What a named part of a pattern took, whichever of its forms matched (``rest``, ``rest2``)."""
    return next((text for key, text in match.groupdict().items() if key.startswith(name) and text is not None), "")


def _any_of(expressions: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{_nameless(fold_pattern(each))})" for each in expressions))


def _nameless(expression: str) -> str:
    return re.sub(r"\?P<\w+>", "?:", expression)
