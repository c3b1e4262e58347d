"""What a person says right after something rang: that it is done, that it shall ring later, not this time, or no more.

Pure. In doubt it is none of these, and whoever answers everything else reads it. Must not know what rang.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from bot.voice.commands import plain
from tools.when import NotUnderstood, read_time

A_WHILE: Final = timedelta(hours=1)
"""What "later" is, where no time is named."""

LONGEST: Final = 60
"""Characters of such an answer."""

_HOUR_OF: Final = {6: 9, 12: 14, 18: 19}
"""When it rings in a part of a day, by the hour in which that begins."""


@dataclass(frozen=True, slots=True)
class AfterRing:
    """``later``: until when it rests; ``same_hour``: the hour of that day is the one it rang at. ``every``: all that
    rang is meant."""

    what: Literal["done", "later", "skip", "stop"]
    later: datetime | None = None
    same_hour: bool = False
    every: bool = False


def _said(pattern: str) -> re.Pattern[str]:
    """Spelt as ``plain`` spells what people write: Thai has two ways for one vowel."""
    return re.compile(unicodedata.normalize("NFKC", pattern))


_EVERY: Final = _said(
    r"^(?:都|全部|全部都|兩個都|通通|all(?: of (?:them|it))?(?: is| are)?|both(?: are)?|everything(?: is|'s)?"
    r"|全部|ぜんぶ|どちらも|ทั้งหมด|ทุกอย่าง)\s*|\s*(?:ทั้งหมด(?:แล้ว)?|หมดแล้ว|ทุกอย่างแล้ว)$"
)
_DONE: Final = _said(
    r"(?:已經|我|已)?(?:做好|做完|完成|弄好|弄完|搞定|處理好|處理完|好|搞掂|做咗|吃完|吃|打完|繳|買|辦好|ok)了"
    r"|完成|已完成|搞定|搞掂|搞掂喇|做咗喇"
    r"|(?:もう)?(?:完了|終わった|終わり|終わりました|やった|やりました|できた|できました|済み|済んだ|済みました|飲んだ|飲みました)"
    r"(?:よ|です|しました)?"
    r"|(?:ทำ)?(?:เสร็จ|เรียบร้อย)(?:แล้ว)?|ทำ(?:ไป)?แล้ว|กินแล้ว|จ่ายแล้ว"
    r"|(?:i(?:'ve| have)? |already |just )*(?:done|did it|did that|finished|completed|done it|done that|handled)"
    r"(?: it| already| now)?"
    r"|(?:it's|its|that's) done|all set"
)
_STOP: Final = _said(
    r"(?:以後)?(?:不用|不要|別|唔使|唔好)(?:再)?(?:提醒|叫|響|吵)(?:我)?(?:了|喇)?|取消提醒|停止提醒|以後不用了|不用再響了"
    r"|(?:もう)?(?:お知らせ|リマインド|通知)?(?:は|を)?(?:もう)?(?:いらない|いりません|不要|やめて|しないで|止めて)(?:です|ください)?"
    r"|(?:ไม่ต้อง|เลิก|หยุด)เตือน(?:อีก)?(?:แล้ว)?"
    r"|(?:please )?(?:stop|don't|do not|no more) (?:reminding|remind|reminders?|repeating)(?: me)?"
    r"(?: (?:of|about) (?:this|it|that))?(?: any ?more| again)?|stop (?:this|it)"
)
_SKIP: Final = _said(
    r"(?:這次|這一次|這回|今次|今天|今晚|今日)(?:就|先)?(?:不用|不必|不要|唔使|跳過|略過|算了|免了|休息|不吃|不做)(?:提醒)?(?:了|吧|喇)?"
    r"|(?:跳過|略過)(?:這次|這一次|一次|今天)?(?:吧)?"
    r"|(?:今回|今日|今夜)(?:は|だけ)?(?:もう)?(?:いい|なし|不要|スキップ|パス|いらない|やらない|飲まない|休む|休み)(?:です|で|する|して)?"
    r"|スキップ(?:して|する)?|パス(?:する)?"
    r"|(?:ครั้งนี้|รอบนี้|วันนี้|คืนนี้)(?:ไม่ต้อง|ข้าม|ไม่เอา|งด)(?:เตือน|ไป|ก่อน)?(?:แล้ว)?|ข้าม(?:ครั้งนี้|รอบนี้|วันนี้|ไปก่อน|ไป)?"
    r"|(?:please )?skip(?: (?:it|this|this one|this time|today|tonight))?"
    r"|(?:not|no need|don't need (?:it|to)) (?:this time|today|tonight)"
)
_AGAIN: Final = _said(
    r"(?:請)?(?:再|到時(?:候)?再|到時)?(?:提醒|叫|通知|講|說|做|弄)(?:我)?(?:一次|一下)?(?:吧|好了|啦)?|再(?:吧|說)"
    r"|(?:に|は)?(?:もう(?:一度|一回)|また|再度|再び)?(?:に|で)?(?:お知らせ|リマインド|教え|言っ|通知|知らせ)(?:して|て)?(?:ください|くれる|ね)?"
    r"|もう(?:一度|一回)|また(?:後で|あとで)?|再通知|スヌーズ"
    r"|(?:ค่อย|ช่วย)?(?:เตือน|บอก)(?:ฉัน|ใหม่|อีก|ที|ครั้ง|อีกที|อีกครั้ง)*|เลื่อน(?:ไป)?|ค่อยทำ"
    r"|(?:please )?(?:remind|tell|ping|nudge|ask) me(?: again)?|snooze(?: it| this)?(?: for| until| till)?"
    r"|again|postpone(?: to| until)?"
    r"|(?:not now|later),?"
)
_LATER: Final = _said(
    r"等(?:一下|一會|會|等)(?:兒)?|晚(?:一)?點|稍後|待會(?:兒)?|遲啲|過一會|一陣"
    r"|(?:また)?(?:後|あと)で|後ほど|のちほど|ちょっと待って|スヌーズ|เดี๋ยวก่อน|เดี๋ยว|ทีหลัง|ไว้ก่อน|รอแป๊บ"
    r"|later|not now|snooze|in a (?:bit|while)|a bit later"
)
_MORE: Final = (
    (_said(r"^(?:再|再等|再過|過|等)(?P<rest>.+?)(?:後)?$"), "{}後"),
    (_said(r"^(?:あと|もう)(?P<rest>.+?)(?:後)?(?:に)?$"), "{}後"),
    (_said(r"^(?P<rest>.+分|.+時間|.+秒)(?:後)?(?:に)?$"), "{}後"),
    (_said(r"^(?:another|in|for|give me|after) (?P<rest>.+?)(?: more)?$"), "in {}"),
    (
        _said(r"^(?P<rest>(?:\d+|an?|half|one|two|three|five|ten|fifteen|twenty|thirty) .*?)(?: more| later)?$"),
        "in {}",
    ),
    (_said(r"^(?P<rest>[\d一二兩三四五六七八九十半]+個?半?(?:分鐘|小時|分|鐘頭|個鐘|鐘))$"), "{}後"),
    (_said(r"^(?:อีก|ขออีก)\s*(?P<rest>.+)$"), "อีก {}"),
)


def after_ring(words: str, now: datetime) -> AfterRing | None:
    """What is meant, if the whole of the words says it. ``now`` is in the person's zone."""
    line = plain(words)
    if len(line) > LONGEST or not line:
        return None
    bare = _EVERY.sub("", line).strip()
    every = bare != line
    if _DONE.fullmatch(line) or _DONE.fullmatch(bare):
        return AfterRing("done", every=every)
    if _STOP.fullmatch(line) or _STOP.fullmatch(bare):
        return AfterRing("stop", every=every)
    if _SKIP.fullmatch(line) or _SKIP.fullmatch(bare):
        return AfterRing("skip", every=every)
    later = _later(bare, now)
    return AfterRing("later", later[0], same_hour=later[1], every=every) if later else None


def _later(line: str, now: datetime) -> tuple[datetime, bool] | None:
    rest = " ".join(_AGAIN.sub(" ", line).split()).strip(" ,，、再")
    if _LATER.fullmatch(line) or (rest and _LATER.fullmatch(rest)) or (not rest and rest != line):
        return now + A_WHILE, False
    if length := _from_now(line, now) or _from_now(rest, now):
        return length, False
    return _on_another_day(rest, now) if rest != line else None


def _from_now(text: str, now: datetime) -> datetime | None:
    """Another 10 minutes, 再半小時, and what says itself that it counts from now."""
    for way, said in _MORE:
        if (found := way.fullmatch(text)) and (moment := _read(said.format(found["rest"].strip()), now)):
            return moment
    moment = _read(text, now)
    return moment if moment and _COUNTED.search(text) else None


_COUNTED: Final = _said(r"後|^in |^อีก|later$|from now$|過")


def _read(text: str, now: datetime) -> datetime | None:
    try:
        reading = read_time(text, now)
    except (NotUnderstood, OverflowError):
        return None
    start = reading.start
    return start if isinstance(start, datetime) and reading.end is None and start > now else None


def _on_another_day(text: str, now: datetime) -> tuple[datetime, bool] | None:
    try:
        reading = read_time(text, now)
    except (NotUnderstood, OverflowError):
        return None
    start = reading.start
    if not isinstance(start, datetime):
        return (datetime.combine(start, now.time(), now.tzinfo), True) if start > now.date() else None
    if reading.vague:
        start = start.replace(hour=_HOUR_OF.get(start.hour, start.hour), minute=0)
    return (start, False) if start > now and (reading.vague or reading.end is None) else None
