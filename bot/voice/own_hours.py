"""What is said of a person's own hours, and of what is still to ring.

Pure. Must not know how any of it was found or set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.voice.dates import moment_text
from bot.voice.next_times import repeats_text
from bot.voice.receipt_words import Fill
from bot.voice.record_text import ROOM_IN_LIST, at, short
from tools.record import Language, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class RhythmWords:
    """One language's sentences."""

    quiet_is: Fill
    never_quiet: str
    quiet_set: Fill
    quiet_off: str
    bedtime_is: Fill
    bedtime_set: Fill
    reminders: Callable[[int, str], str]
    no_reminders: str
    more: Fill


def rhythm_words(language: Language) -> RhythmWords:
    """The sentences of a language."""
    return _WORDS[language]


def reminders_text(coming: Sequence[tuple[datetime, Record]], count: int, now: datetime, language: Language) -> str:
    """Each with its hour, and how it comes again; ``count`` is how many there are in all."""
    words = _WORDS[language]
    if not coming:
        return words.no_reminders
    lines = [f"・{_line(moment, record, now, language)}" for moment, record in coming]
    if count > len(coming):
        lines.append(words.more(count - len(coming)))
    return words.reminders(count, "\n".join(lines))


def _line(moment: datetime, record: Record, now: datetime, language: Language) -> str:
    what = at(moment_text(moment, now, language), f"{short(record.content, ROOM_IN_LIST)} #{record.ref}")
    return f"{what} ↻ {repeats_text(record.repeat, now, language)}" if record.repeat else what


_WORDS: Final[Mapping[Language, RhythmWords]] = {
    "zh-TW": RhythmWords(
        quiet_is="{} 不吵你，這段時間的提醒等過後再說。要取消就說「取消勿擾」。".format,
        never_quiet="沒有設勿擾時段，提醒隨時會響。像「22點到7點不要吵我」這樣說就會設。",
        quiet_set="好，{} 不吵你，這段時間的提醒等過後再說。".format,
        quiet_off="好，取消勿擾，提醒隨時會響。",
        bedtime_is="「睡前」我當作 {}。要改就說「我 23:30 睡」。".format,
        bedtime_set="好，「睡前」就是 {}。".format,
        reminders="{} 個提醒：\n{}".format,
        no_reminders="沒有要響的提醒。像「明天九點提醒我打電話」這樣說就會設。",
        more="…還有 {} 個".format,
    ),
    "ja": RhythmWords(
        quiet_is="{}はお知らせしません。その間の分はあとでまとめます。やめるときは「おやすみモード解除」。".format,
        never_quiet="静かな時間は決めていません。「22時から7時は通知しないで」で決められます。",
        quiet_set="はい、{}はお知らせしません。その間の分はあとでまとめます。".format,
        quiet_off="はい、いつでもお知らせします。",
        bedtime_is="「寝る前」は{}と考えています。変えるときは「就寝は23時30分」。".format,
        bedtime_set="はい、「寝る前」は{}にします。".format,
        reminders="リマインダーは{}件：\n{}".format,
        no_reminders="これから鳴るリマインダーはありません。「明日9時に電話をリマインド」で入れられます。",
        more="…ほか{}件".format,
    ),
    "th": RhythmWords(
        quiet_is="ช่วง {} จะไม่รบกวน ถ้ามีอะไรจะบอกหลังจากนั้น ยกเลิกได้โดยพิมพ์ “ยกเลิกห้ามรบกวน”".format,
        never_quiet="ยังไม่ได้ตั้งเวลาห้ามรบกวน พิมพ์ เช่น “ห้ามรบกวน 22:00-07:00”",
        quiet_set="ได้ ช่วง {} จะไม่รบกวน ถ้ามีอะไรจะบอกหลังจากนั้น".format,
        quiet_off="ได้ เตือนได้ตลอดเวลาแล้ว",
        bedtime_is="“ก่อนนอน” คือ {} จะเปลี่ยนพิมพ์ “เวลานอน 23:30”".format,
        bedtime_set="ได้ “ก่อนนอน” คือ {}".format,
        reminders="เตือนไว้ {} เรื่อง:\n{}".format,
        no_reminders="ไม่มีอะไรที่ต้องเตือน พิมพ์ เช่น “เตือนโทรหาแม่พรุ่งนี้ 9 โมง”",
        more="…อีก {} เรื่อง".format,
    ),
    "en": RhythmWords(
        quiet_is="Nothing disturbs you {}; what falls due then comes afterwards. “Quiet hours off” ends it.".format,
        never_quiet="No quiet hours are set. Say “do not disturb from 10pm to 7am”, for example.",
        quiet_set="OK, nothing disturbs you {}; what falls due then comes afterwards.".format,
        quiet_off="OK, reminders come at any hour.",
        bedtime_is="“Before bed” is {} for me. To change it, say “bedtime 23:30”.".format,
        bedtime_set="OK, “before bed” is {}.".format,
        reminders="{} reminders:\n{}".format,
        no_reminders="Nothing is set to ring. Say “remind me at 9 tomorrow to call mum”, for example.",
        more="…{} more".format,
    ),
}
