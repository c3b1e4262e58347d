"""A time that may mean two things, asked about: the words, how they were read, and what the two buttons say.

Pure. Must not know which record it is about, or what a tap does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from bot.voice.dates import clock_text, day_of, day_text, moment_text
from bot.voice.record_text import short
from tools.doubt import Doubt
from tools.record import Language, Moment, Record

ROOM: Final = 24
_LABEL: Final = 20
"""https://developers.line.biz/en/reference/messaging-api/#postback-action"""


@dataclass(frozen=True, slots=True)
class DoubtWords:
    """One language's words."""

    asked: Callable[[str, str], str]
    """What was said, and how it was read."""
    confirmed: Callable[[str], str]


def doubt_text(doubt: Doubt, now: datetime, language: Language) -> str:
    """The question: 「下週五」是 12/11（五） 嗎？ with what was said and how it was read."""
    return _WORDS[language].asked(short(doubt.said, ROOM), reading_text(doubt.read, now, language))


def confirmed_text(chosen: str, now: datetime, language: Language) -> str:
    """What is said to a yes: nothing had to be changed."""
    return _WORDS[language].confirmed(reading_text(chosen, now, language))


def label(doubt: Doubt, choice: int, record: Record | None, now: datetime, language: Language) -> str:
    """The day, or the hour where the day is the same; with the record's words where several are asked about."""
    read, other = (_start(each, now) for each in (doubt.read, doubt.other))
    chosen = other if choice else read
    if day_of(read, now) != day_of(other, now):
        said = day_text(day_of(chosen, now), now.date(), language)
    else:
        said = clock_text(chosen, language) if isinstance(chosen, datetime) else moment_text(chosen, now, language)
    room = _LABEL - len(said) - 1
    return f"{said} {short(record.content, room)}" if record and room > 3 else said  # noqa: PLR2004 - a word at least


def reading_text(written: str, now: datetime, language: Language) -> str:
    """The time as it stands in a receipt, with its weekday."""
    return moment_text(_start(written, now), now, language)


def _start(written: str, now: datetime) -> Moment:
    start = written.partition("/")[0]
    if "T" not in start:
        return date.fromisoformat(start)
    return datetime.fromisoformat(start).replace(tzinfo=now.tzinfo)


_WORDS: Final[Mapping[Language, DoubtWords]] = {
    "zh-TW": DoubtWords("「{}」是 {} 嗎？".format, "好，就 {}。".format),
    "ja": DoubtWords("「{}」は{}でいいですか？".format, "はい、{}ですね。".format),
    "th": DoubtWords("“{}” คือ {} ใช่ไหม".format, "ได้ ตามนี้ {}".format),
    "en": DoubtWords("Does “{}” mean {}?".format, "Good, {} it is.".format),
}
