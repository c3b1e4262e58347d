"""What is said of what comes again: its rule beside a receipt, and that it went on to its next time.

Pure. Must not know how the next time was found, or who is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.voice.dates import clock_text, moment_text
from bot.voice.receipt_words import Fill
from bot.voice.record_text import short
from bot.voice.rules import rule_text
from tools.moments import Hours, Repeat, in_its_zone
from tools.record import Change, Language, Record


def repeats_text(repeat: Repeat, now: datetime, language: Language) -> str:
    """``每週一、三 08:00``."""
    first = repeat.first
    local = first.astimezone(now.tzinfo) if isinstance(first, datetime) else first
    return rule_text(repeat.rule, local, now.date(), language)


def comes_again(record: Record, now: datetime, language: Language) -> str:
    """Beside the receipt of what is new, "" for what happens once."""
    return _WORDS[language].repeats(repeats_text(record.repeat, now, language)) if record.repeat else ""


def rule_moved(change: Change, now: datetime, language: Language) -> str:
    """How it comes again from now on, "" if that stays as it was."""
    before = change.before.repeat if change.before else None
    after = change.record.repeat
    if before is None and after is None:
        return ""
    if after is None:
        return _WORDS[language].once
    same = before is not None and (before.rule, before.first) == (after.rule, after.first)
    return "" if same else comes_again(change.record, now, language)


def ring_notes(ring: datetime, now: datetime, hours: Hours, language: Language) -> list[str]:
    """What somebody could be surprised by: that it waits until the quiet is over, that the hour comes twice, or that
    the clock has just skipped one."""
    words, notes = _WORDS[language], []
    local = ring.astimezone(now.tzinfo)
    if over := hours.quiet_until(local):
        notes.append(words.waits(clock_text(over, language)))
    if local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset() and not is_skipped(local):
        notes.append(words.twice[local.fold](clock_text(local, language)))
    earlier = local - timedelta(hours=1)
    if is_skipped(earlier):
        notes.append(words.skips(clock_text(earlier, language)))
    return notes


def is_skipped(local: datetime) -> bool:
    """Whether no clock on that wall ever shows this."""
    return in_its_zone(local).replace(tzinfo=None) != local.replace(tzinfo=None)


def went_on(change: Change) -> bool:
    """Whether one time of it was finished or left out, and it stands for the next now."""
    before, after = change.before, change.after
    if change.kind != "update" or before is None or after is None:
        return False
    return bool(before.repeat and after.repeat and before.repeat.at != after.repeat.at)


def went_on_text(change: Change, now: datetime, language: Language) -> str:
    """What was finished or left out, and when it is next."""
    words, record, before = _WORDS[language], change.record, change.before
    assert before is not None, "asked only of what went on"
    assert before.repeat is not None, "the same"
    assert record.repeat is not None, "the same"
    finished = before.repeat.done != record.repeat.done
    what = f"{short(record.content)} #{record.ref}"
    upcoming = moment_text(record.repeat.at, now, language)
    if finished:
        return words.finished(what, upcoming)
    return words.skipped(moment_text(before.repeat.at, now, language), what, upcoming)


def moved_alone(change: Change) -> bool:
    """Whether only this time of what comes again was moved or left out: all that follow may be meant."""
    before, after = change.before, change.after
    if change.state != "done" or change.kind != "update" or before is None or after is None:
        return False
    if not before.repeat or not after.repeat or before.repeat.rule != after.repeat.rule:
        return False
    skipped = before.repeat.at != after.repeat.at and before.repeat.done == after.repeat.done
    moved = before.when != after.when and before.repeat == after.repeat
    return skipped or moved


def scope_labels(language: Language) -> tuple[str, str]:
    """Only this one, all that follow."""
    return _WORDS[language].only_this, _WORDS[language].all_following


def scope_kept(language: Language) -> str:
    """It was this one alone."""
    return _WORDS[language].only_this_kept


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    repeats: Fill
    once: str
    waits: Fill
    """Until its hour, which is quiet, is over."""
    twice: tuple[Fill, Fill]
    """That hour comes twice: the first is meant, the second."""
    skips: Fill
    finished: Callable[[str, str], str]
    skipped: Callable[[str, str, str], str]
    """Which one, what, and when it is next."""
    only_this: str
    all_following: str
    only_this_kept: str


_WORDS: Final[Mapping[Language, _Words]] = {
    "zh-TW": _Words(
        repeats="{}重複。".format,
        once="不再重複。",
        waits="那時是勿擾時段，{} 再提醒你。".format,
        twice=("那天 {} 有兩次，取第一次。".format, "那天 {} 有兩次，取第二次。".format),
        skips="那天時鐘往前撥，沒有 {}。".format,
        finished="完成：{}。下次 {}。".format,
        skipped="{} 這次不算：{}。下次 {}。".format,
        only_this="只有這次",
        all_following="以後都這樣",
        only_this_kept="好，只有這次，之後照舊。",
    ),
    "ja": _Words(
        repeats="{}に繰り返します。".format,
        once="もう繰り返しません。",
        waits="静かな時間なので、{}にお知らせします。".format,
        twice=("その日の{}は2回あり、1回目です。".format, "その日の{}は2回あり、2回目です。".format),
        skips="その日は時計が進み、{}はありません。".format,
        finished="完了：{}。次は{}です。".format,
        skipped="{}の分はなし：{}。次は{}です。".format,
        only_this="今回だけ",
        all_following="これからずっと",
        only_this_kept="はい、今回だけにします。次からはいつも通りです。",
    ),
    "th": _Words(
        repeats="ซ้ำ{}".format,
        once="ไม่ซ้ำแล้ว",
        waits="ช่วงนั้นห้ามรบกวน จะเตือนตอน {}".format,
        twice=("วันนั้น {} มีสองครั้ง ใช้ครั้งแรก".format, "วันนั้น {} มีสองครั้ง ใช้ครั้งที่สอง".format),
        skips="วันนั้นนาฬิกาข้ามไป ไม่มี {}".format,
        finished="เสร็จแล้ว: {} ครั้งต่อไป {}".format,
        skipped="ข้ามของ {}: {} ครั้งต่อไป {}".format,
        only_this="แค่ครั้งนี้",
        all_following="ต่อจากนี้ทุกครั้ง",
        only_this_kept="ได้ แค่ครั้งนี้ ครั้งต่อไปเหมือนเดิม",
    ),
    "en": _Words(
        repeats="Repeats {}.".format,
        once="It does not repeat any more.",
        waits="Those are quiet hours, so it comes at {}.".format,
        twice=("{} comes twice that day; the first.".format, "{} comes twice that day; the second.".format),
        skips="The clock goes forward that day; there is no {}.".format,
        finished="Done: {}. Next: {}.".format,
        skipped="Left out {}: {}. Next: {}.".format,
        only_this="Only this one",
        all_following="All following",
        only_this_kept="OK, only this one. The rest stays as it is.",
    ),
}
