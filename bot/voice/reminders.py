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
from bot.voice.record_text import enumeration, row_of, timed_title, title
from tools.record import Language, Ring

LATE: Final = timedelta(minutes=5)
"""A reminder that is said later than this says so."""


def reminder_text(rings: Sequence[Ring], now: datetime, language: Language) -> str:
    """What is due: each with its own time if it has one; one that comes late says when it should have come."""
    words = _WORDS[language]
    if len(rings) == 1:
        ring, what = rings[0], _due(rings[0], now, language)
        if now - ring.due <= LATE:
            return words.reminder(what)
        due = ring.due.astimezone(now.tzinfo)
        same_day = due.date() == now.date()
        return words.late(clock_text(due, language) if same_day else moment_text(due, now, language), what)
    return words.reminders(len(rings), enumeration((f"・{_due(ring, now, language)}" for ring in rings), "\n"))


def _due(ring: Ring, now: datetime, language: Language) -> str:
    row = row_of(ring.record)
    if row.when is None:
        return title(row, language)
    return timed_title(row, now, language, clock_only=day_of(row.when, now) == now.date())


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderWords:
    """One language's words around what is due."""

    reminder: Fill
    late: Fill
    """When it was due, what."""
    reminders: Fill
    """How many, what."""


_WORDS: Final[Mapping[Language, ReminderWords]] = {
    "zh-TW": ReminderWords(
        reminder="⏰ {}".format,
        late="⏰ 本來 {} 要提醒你：{}".format,
        reminders="⏰ {} 件事：\n{}".format,
    ),
    "ja": ReminderWords(
        reminder="⏰ {}".format,
        late="⏰ {}にお知らせする予定でした：{}".format,
        reminders="⏰ {}件のお知らせ：\n{}".format,
    ),
    "th": ReminderWords(
        reminder="⏰ {}".format,
        late="⏰ ตั้งใจจะเตือนตอน {}: {}".format,
        reminders="⏰ {} เรื่อง:\n{}".format,
    ),
    "en": ReminderWords(
        reminder="⏰ {}".format,
        late="⏰ I meant to remind you at {}: {}".format,
        reminders="⏰ {} reminders:\n{}".format,
    ),
}
