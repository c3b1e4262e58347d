"""Small things about text that reading a message needs: folding, cutting, and what a pattern finds.

Pure. Must not know what a message means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from bot.engines.offline.words import pattern, patterns
from tools.alphabet import fold, fold_pattern

_EDGES = " \t　,，、。.;；:：!！-–—~"


def plain(text: str) -> str:
    """The text as it is compared: in one alphabet, without space around it."""
    return fold(text).strip()


def bulletless(line: str) -> str:
    """A line without the mark of a list in front."""
    return re.sub(r"^\s*(?:[-*・•●]|\d{1,2}[.)、](?=\s*\D))\s*", "", line).strip()


def letters(plain: str) -> bool:
    """Nothing but letters and the marks that belong to them (Thai vowels are marks)."""
    return bool(plain) and all(unicodedata.category(char)[0] in "LM" for char in plain)


def first(name: str, plain: str) -> re.Match[str] | None:
    """The match of that name's pattern in the first language that has one."""
    return next((match for each in patterns(name) if (match := each.search(plain))), None)


def says(name: str, plain: str) -> bool:
    """Whether that name's pattern is found, in any language."""
    return pattern(name).search(plain) is not None


def numbers(refs: str) -> list[int]:
    """The numbers of records, each once."""
    return list(dict.fromkeys(int(each) for each in re.findall(r"\d+", refs)))


def own_words(line: str, plain: str, rest: str) -> str:
    """The words as they were written, not as they were compared."""
    at = plain.rfind(rest)
    return line[at : at + len(rest)] if len(line) == len(plain) else rest


def trimmed(text: str) -> str:
    """Single spaces, and no punctuation at either end."""
    return " ".join(text.split()).strip(_EDGES)


def without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text without these stretches; Latin words on both sides keep a space between them."""
    return trimmed(blanked(text, spans)) if text.isascii() else trimmed(_cut(text, spans))


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    out, at = [], 0
    for start, end in spans:
        out.append(text[at:start])
        at = end
    return "".join([*out, text[at:]])


def leaving_out(name: str, text: str) -> str:
    """The text without what that name's pattern finds in it."""
    return _cut(text, [match.span() for match in pattern(name).finditer(fold(text))])


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The same length, with spaces where the stretches were."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


_CLOCK = re.compile(r"(?<![\d:.])(\d{1,3}):(\d{2})(?![\d:])")
_CLOCK_BEHIND = re.compile(
    fold_pattern(
        r"[\s,，、]?(?:at |の|在|於|ตอน|เวลา)?\s?\d{1,3}\s?(?:[:：]\d|點(?!數)|時(?!間)|นาฬิกา|โมง|ทุ่ม|o'clock|[ap]m\b)"
    )
)
_YEAR_IN_FRONT = re.compile(r"\d\s?(?:年|[/-])\s?$")
_MONTH_AND_DAY = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?![\d/])|(?<!\d)(\d{1,2})月(\d{1,2})[日號号]")
_LAST_HOUR, _LAST_MINUTE, _MONTHS = 24, 59, 12
_LONGEST_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def misread(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether the times at these places are only a part of what was meant: beside them stands a clock or a year that
    could not be read (明天25點, 10000年1月1日), or somewhere a clock that no day has."""
    rest = fold(blanked(text, spans))
    if any(int(hour) > _LAST_HOUR or int(minute) > _LAST_MINUTE for hour, minute in _CLOCK.findall(rest)):
        return True
    at = spans if len(rest) == len(text) else ()
    return any(_CLOCK_BEHIND.match(rest, end) or _YEAR_IN_FRONT.search(rest[:start]) for start, end in at)


def names_no_day(plain: str) -> bool:
    """Whether a month and a day are named that no year has: 2/30."""
    for found in _MONTH_AND_DAY.finditer(plain):
        month, day = (int(each) for each in found.groups() if each)
        if not 1 <= month <= _MONTHS or not 1 <= day <= _LONGEST_MONTHS[month - 1]:
            return True
    return False


_PAUSE = re.compile(r"\s*(?=[,、])")


def with_particles(text: str, start: int, end: int) -> tuple[int, int]:
    """The time with the small words that bind it: "at 3pm", "15時に"."""
    in_front, behind = fold(text[:start]), fold(text[end:])
    before = pattern("before_time").search(in_front)
    after = pattern("after_time").match(behind) or _PAUSE.match(behind)
    return (before.start() if before else start), (end + after.end() if after else end)
