"""Small things about text that reading a message needs: folding, cutting, and what a pattern finds.

Pure. Must not know what a message means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from functools import cache, lru_cache

from bot.engines.offline.words import pattern, patterns
from tools.alphabet import fold, fold_pattern
from tools.when import Found, find_times
from tools.when.numbers import NotUnderstood, number
from tools.when.words_th import THAI_MONTHS

_EDGES = " \t　,，、。.;；:：!！-–—~"


@lru_cache(maxsize=256)
def times_in(text: str, now: datetime, *, past: bool = False) -> tuple[Found, ...]:
    """The times that a text names: the readings of one message ask for the same again and again."""
    return find_times(text, now, past=past)


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
_RANGE_BEHIND = re.compile(fold_pattern(r"\s?[到至~](?:[一二三四五六日天](?![一-龥]?[點])|\d)"))
"""下週三到五 is a stretch, of which only the first day was read."""
_DAY_BEHIND = re.compile(fold_pattern(r"[\d零〇一二三四五六七八九十廿卅]{1,3}[日號](?![遊間])"))
_YEAR_IN_FRONT = re.compile(r"\d\s?(?:年|[/-])\s?$")
_HAN = "零〇一二三四五六七八九十廿卅"
_MONTH_WITH_DAY = re.compile(
    fold_pattern(rf"(?<![\d{_HAN}])(\d{{1,2}}|[{_HAN}]{{1,4}})月\s?(\d{{1,2}}|[{_HAN}]{{1,4}})[日號]")
)
_MONTH_SLASH_DAY = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?![\d/])")
_ISO_DAY = re.compile(r"(?<!\d)\d{4}[-/](\d{1,2})[-/](\d{1,2})(?!\d)")
_MONTH_NAME = re.compile(f"(?:เดือน)?(?:{'|'.join(THAI_MONTHS)})")
_DAY_IN_FRONT = re.compile(r"\d\s*$")
_MONTH_IN_FRONT = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.? (?:the )?$"
)
_LAST_HOUR, _LAST_MINUTE, _MONTHS = 24, 59, 12
_LONGEST_MONTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def misread(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether the times at these places are only a part of what was meant: beside them stands a clock, a year, a day
    of the month that could not be read with them (明天25點, 10000年1月1日, 31 มิถุนายน, 下週三十二號), or somewhere a
    clock that no day has, or a day that no month has."""
    rest, whole = fold(blanked(text, spans)), fold(text)
    if _names_no_day(_MONTH_WITH_DAY, whole) or _month_is_shorter(whole) or _names_no_clock(rest):
        return True
    at = spans if len(rest) == len(whole) == len(text) else ()
    return any(
        _CLOCK_BEHIND.match(rest, end)
        or _DAY_BEHIND.match(whole, end)
        or _RANGE_BEHIND.match(whole, end)
        or _is_half(rest[:start], whole[start:end])
        for start, end in at
    )


def _names_no_clock(plain: str) -> bool:
    return any(int(hour) > _LAST_HOUR or int(minute) > _LAST_MINUTE for hour, minute in _CLOCK.findall(plain))


def begins_with_hour(text: str) -> bool:
    """Whether an hour stands in front, be it one that a day has or not: "at 30pm to call mum", 26點喝水."""
    return _CLOCK_BEHIND.match(fold(text)) is not None


def _is_half(in_front: str, time: str) -> bool:
    """Whether the other half of a date stands in front of a time: a year, the day of a month, the month of a day."""
    if _MONTH_NAME.match(time):
        return _DAY_IN_FRONT.search(in_front) is not None
    month = _MONTH_IN_FRONT.search(in_front) if time[:1].isdigit() else None
    return (month or _YEAR_IN_FRONT.search(in_front)) is not None


def names_no_day(plain: str) -> bool:
    """Whether a month and a day are named that no year has: 2/30, April 31."""
    dates = (_MONTH_WITH_DAY, _MONTH_SLASH_DAY, _ISO_DAY)
    return any(_names_no_day(each, plain) for each in dates) or _month_is_shorter(plain)


def _month_is_shorter(plain: str) -> bool:
    return any(
        _LONGEST_MONTHS[month] < int(found["before"] or found["behind"]) <= max(_LONGEST_MONTHS)
        for month, each in enumerate(_named_months())
        for found in each.finditer(plain)
    )


_ENGLISH_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)


@cache
def _named_months() -> tuple[re.Pattern[str], ...]:
    """Each month by its name, in English and Thai, with a number from before or behind it."""
    names = zip(_ENGLISH_MONTHS, THAI_MONTHS, strict=True)
    named = [rf"(?:(?<![a-z]){name[:3]}(?:{name[3:]}|t)?(?![a-z])\.?|{thai})" for name, thai in names]
    behind = r"\s*(?:the )?(?P<behind>\d{1,2})(?:st|nd|rd|th)?(?![\d:.])"
    before = r"(?<![\d:.])(?P<before>\d{1,2})(?:st|nd|rd|th)?\s*(?:of )?"
    return tuple(re.compile(f"{before}{each}|{each}{behind}") for each in named)


def _names_no_day(dates: re.Pattern[str], plain: str) -> bool:
    for found in dates.finditer(plain):
        try:
            month, day = (number(each) for each in found.groups())
        except NotUnderstood:
            return True
        if not 1 <= month <= _MONTHS or not 1 <= day <= _LONGEST_MONTHS[month - 1]:
            return True
    return False


_HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MINUTES = {"ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50}
_HOUR_WORD = re.compile(
    rf"\b(at|by) ({'|'.join(_HOURS)})(?: ({'|'.join(_MINUTES)}|forty five))?"
    r"(?=\s*(?:$|[,.;!?]|-\s)|\s+(?:[ap]\.?m\b|sharp\b|tomorrow|today|tonight|this|next|on|in|with|for|about|and|please|"
    rf"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)|to (?!\d|(?:{'|'.join(_HOURS)})\b))\b)",
    re.IGNORECASE,
)
_MAYBE_HOUR = re.compile(rf"\b(?:at|by|around) (?:{'|'.join(_HOURS)})\b", re.IGNORECASE)


def with_hours(text: str) -> str:
    """The text with the English hours that end their phrase in digits: "at seven tomorrow", not "at one table"."""
    return _HOUR_WORD.sub(_in_digits, text)


def names_hour(text: str) -> bool:
    """Whether an English hour stands there in words, be it an hour or a part of a name: "at seven or eight"."""
    return _MAYBE_HOUR.search(text) is not None


def _in_digits(found: re.Match[str]) -> str:
    hour = _HOURS.index(found[2].lower()) + 1
    minute = _MINUTES[found[3].lower().replace(" ", "-")] if found[3] else 0
    return f"{found[1]} {hour}:{minute:02}" if minute else f"{found[1]} {hour}"


_PAUSE = re.compile(r"\s*(?=[,、])")


def with_particles(text: str, start: int, end: int) -> tuple[int, int]:
    """The time with the small words that bind it: "at 3pm", "15時に"."""
    in_front, behind = fold(text[:start]), fold(text[end:])
    before = pattern("before_time").search(in_front)
    after = pattern("after_time").match(behind) or _PAUSE.match(behind)
    return (before.start() if before else start), (end + after.end() if after else end)
