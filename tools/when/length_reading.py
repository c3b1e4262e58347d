"""People's words for how long → so many of each unit, or a ``timedelta``; or a refusal.

Chinese, Japanese, Thai, English and ISO 8601 (PT1H30M), all tried whatever the language of the screen. The whole text
must be used up. The words around a length that say what it is for (提前半小時, 再半小時, for two hours, อีกครึ่งชั่วโมง,
30分前) may stand with it; what they mean is the caller's. Refused: half a month, no length at all, anything left over.

Pure. Must not know what day it is.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import timedelta
from functools import cache
from typing import Final

from tools.alphabet import fold, fold_pattern
from tools.when.facts import Steps
from tools.when.lengths import amounts
from tools.when.numbers import NotUnderstood
from tools.when.rules import Language
from tools.when.tokens import token_at
from tools.when.words import LANGUAGES

_LONGEST: Final = 100
_SECONDS: Final = {"week": 604_800, "day": 86_400, "hour": 3_600, "minute": 60, "second": 1}
_FRONT: Final = re.compile(
    r"(?:提前|提早|再過?|持續|一?共|總共|為期|あと|もう|さらに|อีก|ล่วงหน้า|เป็นเวลา|ประมาณ|นาน|ก่อน|"
    r"for|in|only|the next|lasting)\s*"
)
_BACK: Final = re.compile(
    r"\s*(?:之前|以前|前に?|ほど|くらい|ぐらい|だけ|後に?|之後|ล่วงหน้า|ก่อน|"
    r"earlier|early|before(?:hand)?|ahead|in advance|more|long|later)$"
)
_SHORT: Final = (
    (re.compile(r"(?<=\dh)\s*(\d{1,2})\s*m?$"), r"\1 min"),
    (re.compile(r"(?<=\d)\s?['′]$"), " min"),
    (re.compile(r"(?<=\d)\s?[\"″]$"), " sec"),
    (re.compile(r"(?<=hour|.hrs)s? (?:and )?(\d{1,2}|fifteen|twenty|thirty|forty-five|forty five)$"), r" \1 minutes"),
)
"""Minutes behind hours are often left without their unit."""


def read_steps(text: str) -> Steps:
    """So many of each unit, as said: 一年半 → ((1, "year"), (6, "month")). Raises NotUnderstood."""
    if len(text) > _LONGEST:
        raise NotUnderstood("this is longer than any length")
    folded = fold(text).strip().rstrip("。.!")
    whole = _whole(folded)
    if whole is not None:
        return whole
    bare = _BACK.sub("", folded)
    while (front := _FRONT.match(bare)) is not None:
        bare = bare[front.end() :]
    found = _whole(bare)
    if found is None:
        raise NotUnderstood("this is not only a length")
    return found


def read_length(text: str) -> timedelta:
    """How long, by the clock that never skips: a day is 24 hours. A month is no certain length and refused. Raises
    NotUnderstood."""
    seconds = 0.0
    for count, unit in read_steps(text):
        if unit not in _SECONDS:
            raise NotUnderstood("a month is no certain length")
        seconds += count * _SECONDS[unit]
    if not 0 < seconds < 10**9:
        raise NotUnderstood("that is no length")
    return timedelta(seconds=seconds)


def _whole(folded: str) -> Steps | None:
    """The text as a length and nothing else; None if it is not that."""
    for pattern, full in () if folded.startswith("p") else _SHORT:
        folded = pattern.sub(full, folded)
    for pattern, language in _patterns():
        if pattern.fullmatch(folded):
            with suppress(NotUnderstood):
                return amounts(folded, language)
    with suppress(NotUnderstood):
        token = token_at(folded, 0) if folded.startswith("p") else None
        if token is not None and token.end == len(folded) and token.facts.lasting is not None:
            return token.facts.lasting
    return None


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Language], ...]:
    nameless = ((re.sub(r"\?P<\w+>", "?:", language.amount), language) for language in LANGUAGES)
    return tuple((re.compile(fold_pattern(f"(?>(?:{amount})+)")), language) for amount, language in nameless)
