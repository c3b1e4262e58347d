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
    last = max(due)
    moments = (
        [_meant(last, now, language)] if first == last else [moment_text(each, now, language) for each in (first, last)]
    )
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
    all_done: str
    ten_minutes: str
    an_hour: str
    tomorrow: str
    stop: str
    """Labels of buttons; of the last for what comes again."""
    which: str
    """Several rang, and one was finished."""
    stopped: Fill
    """Numbers that ring no more."""


def ring_words(language: Language) -> ReminderWords:
    """The words of a language."""
    return _WORDS[language]


_WORDS: Final[Mapping[Language, ReminderWords]] = {
    "zh-TW": ReminderWords(
        reminder="⏰ {}".format,
        meant="（原定 {}）{}".format,
        reminders="⏰ {} 件事：\n{}".format,
        all_done="都完成了",
        ten_minutes="10 分鐘後",
        an_hour="1 小時後",
        tomorrow="明天同一時間",
        stop="不再重複",
        which="哪一件做完了？",
        stopped="好，{} 不再提醒。".format,
    ),
    "ja": ReminderWords(
        reminder="⏰ {}".format,
        meant="（{}の予定）{}".format,
        reminders="⏰ {}件のお知らせ：\n{}".format,
        all_done="全部完了",
        ten_minutes="10分後",
        an_hour="1時間後",
        tomorrow="明日の同じ時刻",
        stop="繰り返さない",
        which="どれが終わりましたか？",
        stopped="はい、{} はもうお知らせしません。".format,
    ),
    "th": ReminderWords(
        reminder="⏰ {}".format,
        meant="(ตั้งไว้ {}) {}".format,
        reminders="⏰ {} เรื่อง:\n{}".format,
        all_done="เสร็จทั้งหมด",
        ten_minutes="อีก 10 นาที",
        an_hour="อีก 1 ชั่วโมง",
        tomorrow="พรุ่งนี้เวลาเดิม",
        stop="ไม่ต้องซ้ำแล้ว",
        which="อันไหนเสร็จแล้ว",
        stopped="ได้ จะไม่เตือน {} อีก".format,
    ),
    "en": ReminderWords(
        reminder="⏰ {}".format,
        meant="(meant for {}) {}".format,
        reminders="⏰ {} reminders:\n{}".format,
        all_done="All done",
        ten_minutes="In 10 minutes",
        an_hour="In an hour",
        tomorrow="Same time tomorrow",
        stop="Stop repeating",
        which="Which one is done?",
        stopped="OK, no more reminders for {}.".format,
    ),
}
