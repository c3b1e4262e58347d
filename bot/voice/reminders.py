"""What is due, said by the program itself.

Pure. Must not know how it was found, or whether it is pushed or rides on a reply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.voice.dates import clock_text, day_of, moment_text
from bot.voice.receipt_words import Fill
from bot.voice.record_text import row_of, timed_title, title
from tools.record import Language, Ring

LATE: Final = timedelta(minutes=5)
"""A reminder that is said later than this says so."""


def reminder_text(rings: Sequence[Ring], now: datetime, language: Language, *, rides: bool = False) -> str:
    """What is due: each with its own time if it has one; one that comes late says when it should have come, and so does
    one that ``rides`` on a reply, whenever that is. Of what came due again and again the last is told."""
    words = _WORDS[language]
    last = list({ring.record.id: ring for ring in sorted(rings, key=lambda ring: ring.due)}.values())
    lines = [
        _line(ring, [each.due for each in rings if each.record.id == ring.record.id], now, language, rides=rides)
        for ring in last
    ]
    if len(lines) == 1:
        return words.reminder(lines[0])
    return words.reminders(len(lines), "\n".join(f"・{line}" for line in lines))


def _line(ring: Ring, due: Sequence[datetime], now: datetime, language: Language, *, rides: bool) -> str:
    what, first = _due(ring, now, language), min(due)
    if now - first <= LATE and (not rides or _tells(ring, now)):
        return what
    moments = dict.fromkeys(_meant(each, now, language) for each in (first, max(due)))
    return _WORDS[language].meant("–".join(moments), what)


def _tells(ring: Ring, now: datetime) -> bool:
    """Whether the hour of the reminder stands in the line anyway: it is that of the record."""
    when = ring.record.when
    return isinstance(when, datetime) and when == ring.due and ring.due.astimezone(now.tzinfo).date() == now.date()


def _meant(due: datetime, now: datetime, language: Language) -> str:
    due = due.astimezone(now.tzinfo)
    return clock_text(due, language) if due.date() == now.date() else moment_text(due, now, language)


def _due(ring: Ring, now: datetime, language: Language) -> str:
    row = row_of(ring.record)
    if row.when is None:
        return title(row, language)
    return timed_title(row, now, language, clock_only=day_of(row.when, now) == now.date())


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderWords:
    """One language's words around what is due."""

    reminder: Fill
    meant: Fill
    """The hour it was meant for, what."""
    reminders: Fill
    """How many, what."""


_WORDS: Final[Mapping[Language, ReminderWords]] = {
    "zh-TW": ReminderWords(
        reminder="⏰ {}".format,
        meant="（原定 {}）{}".format,
        reminders="⏰ {} 件事：\n{}".format,
    ),
    "ja": ReminderWords(
        reminder="⏰ {}".format,
        meant="（{}の予定）{}".format,
        reminders="⏰ {}件のお知らせ：\n{}".format,
    ),
    "th": ReminderWords(
        reminder="⏰ {}".format,
        meant="(ตั้งไว้ {}) {}".format,
        reminders="⏰ {} เรื่อง:\n{}".format,
    ),
    "en": ReminderWords(
        reminder="⏰ {}".format,
        meant="(meant for {}) {}".format,
        reminders="⏰ {} reminders:\n{}".format,
    ),
}
