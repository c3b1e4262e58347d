"""How a day and a moment are written in each language: always with the weekday, with the year only if it is another.

Pure. Must not know what happens at that moment, nor read any clock: "now" is given, in the person's own zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

from tools.record import Language, Moment

_BUDDHIST_ERA: Final = 543

WEEKDAYS: Final[Mapping[Language, tuple[str, ...]]] = {
    "zh-TW": tuple("一二三四五六日"),
    "ja": tuple("月火水木金土日"),
    "th": ("จ.", "อ.", "พ.", "พฤ.", "ศ.", "ส.", "อา."),
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}
"""Short names, Monday first."""

THAI_MONTHS: Final = (
    *("ม.ค.", "ก.พ.", "มี.ค.", "เม.ย.", "พ.ค.", "มิ.ย."),
    *("ก.ค.", "ส.ค.", "ก.ย.", "ต.ค.", "พ.ย.", "ธ.ค."),
)
ENGLISH_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day_text(day: date, today: date, language: Language) -> str:
    """``12/1（二）``, ``อ. 1 ธ.ค.``, ``Tue Dec 1``; with the year (Thai: Buddhist era) unless it is this year."""
    weekday = WEEKDAYS[language][day.weekday()]
    elsewhen = day.year != today.year
    if language == "th":
        year = f" {day.year + _BUDDHIST_ERA}" if elsewhen else ""
        return f"{weekday} {day.day} {THAI_MONTHS[day.month - 1]}{year}"
    if language == "en":
        year = f", {day.year}" if elsewhen else ""
        return f"{weekday} {ENGLISH_MONTHS[day.month - 1]} {day.day}{year}"
    year = f"{day.year}/" if elsewhen else ""
    return f"{year}{day.month}/{day.day}（{weekday}）"


def clock_text(moment: datetime, language: Language) -> str:
    """The time of day as it stands on the moment's own clock: ``09:30``, ja ``9:30``, th ``09:30 น.``."""
    if language == "ja":
        return f"{moment.hour}:{moment:%M}"
    return f"{moment:%H:%M} น." if language == "th" else f"{moment:%H:%M}"


def moment_text(moment: Moment, now: datetime, language: Language) -> str:
    """Day and time in the zone of ``now``: ``12/1（二）15:00``; a whole day is the day alone."""
    if not isinstance(moment, datetime):
        return day_text(moment, now.date(), language)
    local = moment.astimezone(now.tzinfo)
    day = day_text(local.date(), now.date(), language)
    return f"{day}{' ' if language in {'th', 'en'} else ''}{clock_text(local, language)}"


def span_text(when: Moment, until: Moment | None, now: datetime, language: Language) -> str:
    """From ``when`` to ``until``: the second day is said only if it is another one."""
    start = moment_text(when, now, language)
    if until is None or until == when:
        return start
    if isinstance(when, datetime) and isinstance(until, datetime):
        first, last = when.astimezone(now.tzinfo), until.astimezone(now.tzinfo)
        if first.date() == last.date():
            return f"{start.removesuffix(' น.')}–{clock_text(last, language)}"
    return f"{start}–{moment_text(until, now, language)}"


def day_of(moment: Moment, now: datetime) -> date:
    """The calendar day of a moment in the zone of ``now``."""
    return moment.astimezone(now.tzinfo).date() if isinstance(moment, datetime) else moment
