"""People's words for when to be reminded that hang on something else: on what it is about ("half an hour before",
前日の夜), or on the person's own day (睡前).

Pure. What counts from now, and every other time, is read by ``tools.when``. Must not know records, or who asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Final

from tools.alphabet import fold, fold_pattern
from tools.moments import Hours, Moment, in_its_zone
from tools.when import NotUnderstood, read_moment, read_time

_PARTS: Final = {
    "morning": time(9),
    "noon": time(12),
    "afternoon": time(15),
    "evening": time(20),
}


def _said(pattern: str) -> re.Pattern[str]:
    """In the spelling of ``fold``; around it only what asks for the reminder."""
    ask = r"(?:請|再|要|會)?(?:提醒|叫|通知|告訴)(?:我|一下)*"
    ask += r"|に?(?:お知らせ|リマインド|通知|教え)(?:して|て)?(?:ください)?"
    ask += r"|(?:ช่วย)?เตือน(?:ฉัน|ด้วย|ที)*|(?:please )?(?:remind|tell|alert) me"
    return re.compile(fold_pattern(rf"(?:(?:{ask})[,、 ]*)?(?:{pattern})(?:[,、 ]*(?:{ask}))?"))


_BEFORE: Final = (
    _said(r"(?:提前|提早|預先|早|前)(?P<length>.+?)"),
    _said(r"(?:在|於)?(?:開始|活動|會議|出發|它|那)?(?:之)?(?P<length>\S+?)(?:之)?前"),
    _said(r"(?:開始|予定|イベント)?の?(?P<length>\S+?)前(?:に)?"),
    _said(r"(?:ก่อน|ล่วงหน้า)(?:เวลา|เริ่ม|ถึง|นัด)?\s*(?P<length>.+?)"),
    _said(r"(?P<length>.+?)\s*(?:ก่อน|ล่วงหน้า)(?:เวลา|เริ่ม|ถึง|นัด|หน้า)*"),
    _said(
        r"(?P<length>.+?) (?:before|earlier|ahead|in advance|prior)(?: (?:it|that|then|the \w+|it (?:starts|begins)))?"
    ),
)
_DAY_BEFORE: Final = (
    _said(r"(?:前一天|前一日|前天|前一(?=晚)|前(?=晚)|前日)(?:的|の)?(?P<part>[^\d點時]*?)(?:に)?"),
    _said(r"(?:the )?(?P<part>day|evening|night|morning|afternoon) before"),
    _said(r"(?P<part>evening|night|morning|afternoon) (?:of|on) the day before"),
    _said(r"(?P<part>คืน|เย็น|เช้า|บ่าย|ค่ำ)?(?:วัน)?ก่อน(?:หน้า)?(?:หนึ่งวัน|1 ?วัน)?(?P<part2>ตอน(?:เย็น|เช้า|ค่ำ|บ่าย))?"),
)
_SAME_DAY: Final = (
    _said(r"(?:當天|当天|那天|当日)(?:的|の)?(?P<part>[^\d點時]*?)(?:に)?"),
    _said(r"(?:on )?(?:the|that) (?:same )?(?P<part>day|morning|afternoon|evening)(?: of)?"),
    _said(r"(?P<part>เช้า|บ่าย|เย็น)?(?:ของ)?วันนั้น"),
)
_ON_TIME: Final = _said(
    r"準時|到時|到時候|時間到|當下|時間になったら|その時間(?:に)?|時間通り(?:に)?|ตรงเวลา|ถึงเวลา"
    r"|(?:at|on) (?:the |that )?time"
    r"|when it (?:starts|begins)"
)
_BEDTIME: Final = _said(
    r"(?P<day>.*?)(?:的|の)?(?:睡覺前|睡前|上床前|臨睡前|就寝前|寝る前|ก่อนนอน|ก่อนเข้านอน"
    r"|(?:at |before )?(?:bedtime|going to bed|bed|i go to bed|sleep))(?:に)?"
    r"(?P<behind>.*?)"
)
_PART_SAID: Final = (
    ("morning", r"早|朝|morning|เช้า"),
    ("noon", r"中午|昼|noon|เที่ยง"),
    ("afternoon", r"下午|午後|afternoon|บ่าย"),
    ("evening", r"晚|夜|夕|evening|night|คืน|เย็น|ค่ำ"),
)
_SMALL_HOURS: Final = time(5)


def read_reminder(text: str, now: datetime, when: Moment | None, hours: Hours) -> Moment:
    """When to remind: a day, or a clock time in the zone of ``now``. ``when`` is that which it reminds of. Raises
    NotUnderstood."""
    line = " ".join(fold(text).split())
    if bed := _BEDTIME.fullmatch(line):
        return _at_bedtime(f"{bed['day']} {bed['behind']}".strip(), now, hours)
    if when is not None:
        start = when.astimezone(now.tzinfo) if isinstance(when, datetime) else when
        if (moment := next(_hanging_on(line, start, now), None)) is not None:
            return moment
    return read_moment(text, now)


def hangs(text: str, now: datetime, when: Moment) -> bool:
    """Whether these words are a time only beside the other, or by the person's own day."""
    line = " ".join(fold(text).split())
    start = when.astimezone(now.tzinfo) if isinstance(when, datetime) else when
    return bool(_BEDTIME.fullmatch(line)) or next(_hanging_on(line, start, now), None) is not None


def _hanging_on(line: str, when: Moment, now: datetime) -> Iterator[Moment]:
    if _ON_TIME.fullmatch(line):
        yield when
    for days, ways in ((1, _DAY_BEFORE), (0, _SAME_DAY)):
        for found in filter(None, (way.fullmatch(line) for way in ways)):
            said = "".join(each or "" for each in found.groupdict().values())
            if (part := _part(said)) is not None or said in {"", "day"}:
                yield _on_the_day(when, days, part, now)
    for found in filter(None, (way.fullmatch(line) for way in _BEFORE)):
        if (moment := _earlier(when, found["length"].strip(), now)) is not None:
            yield moment


def _part(said: str) -> time | None:
    return next((_PARTS[name] for name, words in _PART_SAID if re.search(fold_pattern(words), said)), None)


def _on_the_day(when: Moment, days: int, part: time | None, now: datetime) -> Moment:
    """So many days before: at that part of it, else at the same hour, or the day itself."""
    day = (when.date() if isinstance(when, datetime) else when) - timedelta(days=days)
    clock = part or (when.time() if isinstance(when, datetime) else None)
    return day if clock is None else _at(day, clock, now)


def _earlier(when: Moment, length: str, now: datetime) -> Moment | None:
    """By a length: whole days on the wall, hours by the clock. Before a whole day, whole days only."""
    for said in (f"{length}後", f"in {length}", f"อีก {length}"):
        try:
            reading = read_time(said, now)
        except (NotUnderstood, OverflowError):
            continue
        if reading.end is not None:
            continue
        if not isinstance(reading.start, datetime):
            days = reading.start - now.date()
            return in_its_zone(when - days) if isinstance(when, datetime) else when - days
        if isinstance(when, datetime):
            return (when - (reading.start - now)).astimezone(when.tzinfo)
    return None


def _at_bedtime(day: str, now: datetime, hours: Hours) -> datetime:
    """Of the day that is named, else the next that comes."""
    named = None
    if day:
        moment = read_moment(day, now)
        if isinstance(moment, datetime):
            raise NotUnderstood("a clock time beside bedtime")
        named = moment
    at = _at(named or now.date(), hours.bedtime, now)
    if hours.bedtime < _SMALL_HOURS:
        at = _at((named or now.date()) + timedelta(days=1), hours.bedtime, now)
    if named is None and at <= now:
        at = _at(at.date() + timedelta(days=1), hours.bedtime, now)
    return at


def _at(day: date, clock: time, now: datetime) -> datetime:
    return in_its_zone(datetime.combine(day, clock, now.tzinfo))
