"""What is on today, and what is still to be done, as it is told to a person.

Pure. Must not know how the records were found, or who is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.ports import Bubble
from bot.voice.record_text import enumeration, row_of, timed_title
from tools.record import Language, Record

MOST_LISTED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaWords:
    """The words of one language."""

    today: Callable[[int, str], str]
    nothing_today: str
    untimed: Callable[[str], str]
    open: Callable[[int, str], str]
    nothing_open: str
    more: Callable[[int], str]
    comma: str = "、"
    stop: str = "。"
    gap: str = ""
    end: str = "。"


def agenda_bubble(timed: Sequence[Record], untimed: Sequence[Record], now: datetime, language: Language) -> Bubble:
    """``timed`` are the records of today, in their order; ``untimed`` what is to be done some day."""
    words = _WORDS[language]
    rest = words.untimed(_row(untimed, now, words, language)) if untimed else ""
    first = words.nothing_today
    if timed:
        what = _row(timed, now, words, language, clock_only=True)
        first = words.today(len(timed), what) + ("" if rest else words.end)
    between = words.stop if timed else words.gap
    return Bubble(f"{first}{between}{rest}{words.end}" if rest else first)


def nothing_today(language: Language) -> str:
    """In front of what has no time."""
    return _WORDS[language].nothing_today


def list_bubble(records: Sequence[Record], matched: int, now: datetime, language: Language) -> Bubble:
    """The first of ``matched`` records that are open."""
    words = _WORDS[language]
    if not records:
        return Bubble(words.nothing_open)
    return Bubble(words.open(matched, _row(records, now, words, language, matched=matched)) + words.end)


def list_title(matched: int, language: Language) -> str:
    """What such a list is, and how long: ``還沒做的 3 件``."""
    return _WORDS[language].open(matched, "").rstrip("：: ")


def _row(
    records: Sequence[Record],
    now: datetime,
    words: AgendaWords,
    language: Language,
    *,
    clock_only: bool = False,
    matched: int = 0,
) -> str:
    shown = [timed_title(row_of(each), now, language, clock_only=clock_only) for each in records[:MOST_LISTED]]
    left = max(matched, len(records)) - len(shown)
    return enumeration([*shown, *([words.more(left)] if left else [])], words.comma, MOST_LISTED + 1)


_WORDS: Final[Mapping[Language, AgendaWords]] = {
    "zh-TW": AgendaWords(
        today="今天 {} 件：{}".format,
        nothing_today="今天沒有安排。",
        untimed="沒定時間：{}".format,
        open="還沒做的 {} 件：{}".format,
        nothing_open="沒有還沒做的事。",
        more="還有 {} 件".format,
    ),
    "ja": AgendaWords(
        today="今日は{}件：{}".format,
        nothing_today="今日の予定はありません。",
        untimed="時間なし：{}".format,
        open="残りは{}件：{}".format,
        nothing_open="残っているやることはありません。",
        more="ほか{}件".format,
    ),
    "th": AgendaWords(
        today="วันนี้ {} รายการ: {}".format,
        nothing_today="วันนี้ไม่มีนัด",
        untimed="ไม่ระบุเวลา: {}".format,
        open="ยังไม่เสร็จ {} รายการ: {}".format,
        nothing_open="ไม่มีงานค้าง",
        more="อีก {} รายการ".format,
        comma=", ",
        stop="\n",
        gap="\n",
        end="",
    ),
    "en": AgendaWords(
        today="{} today: {}".format,
        nothing_today="Nothing planned today.",
        untimed="No time set: {}".format,
        open="{} left to do: {}".format,
        nothing_open="Nothing left to do.",
        more="{} more".format,
        comma=", ",
        stop=". ",
        gap=" ",
        end=".",
    ),
}
