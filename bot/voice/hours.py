"""What people say of their own hours: when nothing may disturb them, and when they go to bed.

Pure. The whole of a message must say it, or it is none. Must not know who says it, or what is kept.
"""

from __future__ import annotations

import re
from datetime import datetime, time
from typing import Final, Literal
from zoneinfo import ZoneInfo

from tools.alphabet import fold, fold_pattern
from tools.when import Found, find_times

OwnHours = tuple[Literal["quiet", "bedtime"], str]
"""Which, and what: ``22:00-07:00``, ``23:00``, ``off``, or "" to be told."""

LONGEST: Final = 60
_ANY_DAY: Final = datetime(2026, 1, 5, 12, tzinfo=ZoneInfo("UTC"))
_GAP: Final = "◷"
"""Stands where a time was."""


def _said(pattern: str) -> re.Pattern[str]:
    return re.compile(fold_pattern(pattern.replace("<t>", _GAP)))


_QUIET: Final = _said(
    r"(?:我|請|在|從|每天|晚上)*<t>(?:之間|期間|這段時間|的時候|都)?"
    r"(?:請)?(?:不要|別|勿|唔好)(?:再)?(?:吵|打擾|提醒|叫|通知|煩)(?:到)?(?:我)?"
    r"|(?:請)?(?:不要|別|勿|唔好)(?:在)?<t>(?:之間|期間)?(?:吵|打擾|提醒|叫|通知)(?:我)?"
    r"|(?:請勿打擾|勿擾|安靜)(?:時段|時間|模式)?(?:是|為|設為|設成|改成|改為|:)? ?<t>"
    r"|(?:毎日)?<t>(?:まで)?(?:の間)?は?(?:、)?(?:お知らせ|通知|リマインド)?(?:を|は)?"
    r"(?:しないで|鳴らさないで|静かにして|邪魔しないで|オフにして|止めて)(?:ください)?"
    r"|(?:おやすみ|静かな)(?:モード|時間)?(?:は|:)? ?<t>"
    r"|(?:งดรบกวน|อย่ารบกวน|ไม่ต้องเตือน|งดเตือน)(?: ?(?:ช่วง|ตั้งแต่|เวลา|ตอน))? ?<t>"
    r"|(?:ช่วง|ตั้งแต่|เวลา)? ?<t> ?(?:งดรบกวน|อย่ารบกวน|ไม่ต้องเตือน|งดเตือน)"
    r"|(?:please )?(?:do not|don't|never) (?:disturb|bother|ping|notify|remind|wake)(?: me)?(?: from| between)? ?<t>"
    r"|(?:my )?quiet(?: hours| time)?(?: are| is| from| between|:)*? ?<t>"
    r"|no (?:reminders|notifications)(?: from| between)? ?<t>"
)
_LOUD: Final = _said(
    r"(?:取消|關掉|關閉|解除|不要)(?:請勿打擾|勿擾|安靜)(?:時段|模式|時間)?|可以吵我(?:了)?|隨時都?可以(?:提醒|吵)我?"
    r"|(?:おやすみ|静かな)(?:モード|時間)?(?:を|は)?(?:解除|なし|やめる|やめて|オフ)|いつでも(?:お知らせ|通知)して(?:いい|ください)?"
    r"|ยกเลิกงดรบกวน|เตือนได้(?:ตลอด|ทุกเวลา)"
    r"|(?:turn off |stop |no )quiet hours|quiet hours off|you (?:can|may) disturb me(?: any ?time| again)?"
)
_ASKED_QUIET: Final = _said(
    r"(?:我的)?(?:請勿打擾|勿擾|安靜)(?:時段|時間)?|(?:静かな|おやすみ)時間(?:は)?"
    r"|(?:เวลา|ช่วง)?งดรบกวน|(?:my )?quiet hours"
)
_BEDTIME: Final = _said(
    r"(?:我)?(?:都|通常|平常|一般|大概|每天)*(?:在)?<t>(?:就|才)?(?:睡覺|睡|上床|就寢)"
    r"|(?:我的)?(?:睡覺|就寢|睡前|睡|上床)(?:時間)?(?:是|在|為|設為|設成|改成|:)? ?<t>"
    r"|(?:私の)?(?:就寝|寝る|寝るの)(?:時刻|時間)?(?:は|:)? ?<t>(?:です|にして)?"
    r"|(?:私は|毎日|いつも)*<t>に(?:寝る|寝ます|就寝)"
    r"|(?:ฉัน|ผม|เรา|หนู)?(?:เข้า)?นอน(?:ตอน)? ?<t>|เวลา(?:เข้า)?นอน(?:คือ|เป็น)? ?<t>"
    r"|(?:my )?bedtime(?: is| at|:)? ?<t>|i (?:usually )?(?:go to (?:bed|sleep)|sleep)(?: at)? <t>"
)
_ASKED_BEDTIME: Final = _said(
    r"(?:我的)?(?:睡覺|就寢|上床)時間|(?:就寝|寝る)時間(?:は)?|เวลา(?:เข้า)?นอน|(?:my )?bedtime"
)
_HALF: Final = _said(r"[上下]午|早|晚|夜|凌晨|中午|午前|午後|朝|夕|\d ?[ap]\.?m|โมง|ทุ่ม|ตี|น\.")
_MARKED: Final = _said(r"\d\d:\d\d|(?<![\d:點時])(?:1[3-9]|2[0-4])(?!\d)(?!分)")
"""Besides, a written clock says of which half of the day both hours are, and so does one hour behind noon."""
_OF_A_DAY: Final = _said(
    r"今[天日晚夜早朝]|[昨琴尋]|[明聽][天日早晚]|[前後][天日]|(?:週|周|星期|禮拜)[一二三四五六日天]|[月火水木金土日]曜|さっき"
    r"|วันนี้|คืนนี้|พรุ่งนี้|เมื่อ(?:วาน|คืน|เช้า)|มะรืน"
    r"|\b(?:to(?:day|night|morrow)|yesterday|last night|this \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
"""What happens once, or happened, is no habit."""


def own_hours(line: str) -> OwnHours | None:
    """What the line says of the person's hours; None if it says something else."""
    line = fold(line).replace("ห้าม", "งด")  # the same, and no five is in it
    if len(line) > LONGEST:
        return None
    if _LOUD.fullmatch(line):
        return "quiet", "off"
    if _ASKED_QUIET.fullmatch(line):
        return "quiet", ""
    if _ASKED_BEDTIME.fullmatch(line):
        return "bedtime", ""
    return _with_times(line, find_times(line, _ANY_DAY))


def _with_times(line: str, found: tuple[Found, ...]) -> OwnHours | None:
    """One stretch, or two times, is when it is quiet; one time alone is bedtime."""
    if not 0 < len(found) <= 2 or _OF_A_DAY.search(line):  # noqa: PLR2004 - from and to
        return None
    start, end = found[0].start, found[-1].end
    around = f"{line[:start].rstrip()}{' ' if line[:start].endswith(' ') else ''}{_GAP}{line[end:]}".strip()
    times = [each for one in found for each in (one.value if isinstance(one.value, tuple) else (one.value,))]
    clocks = [each.time() for each in times if isinstance(each, datetime)]
    is_half = bool(_HALF.search(line[start:end])) or any(each.hour > 12 for each in clocks[:1])  # noqa: PLR2004 - noon
    is_marked = is_half or bool(_MARKED.search(line[start:end]))
    match clocks:
        case [begin, until] if len(times) == 2 and _QUIET.fullmatch(around):  # noqa: PLR2004 - the same
            begin, until = (begin, until) if is_marked else (_at_night(begin), _in_the_morning(until))
            return ("quiet", f"{begin:%H:%M}-{until:%H:%M}") if begin != until else None
        case [at] if len(times) == 1 and _BEDTIME.fullmatch(around):
            return "bedtime", f"{at if is_half else _at_night(at):%H:%M}"
    return None


def _at_night(clock: time) -> time:
    """An hour to which nobody said of which half of the day it is: of the evening, or right after midnight."""
    return clock.replace(hour=(clock.hour + 12) % 24) if 6 <= clock.hour <= 12 else clock  # noqa: PLR2004 - half a day


def _in_the_morning(clock: time) -> time:
    return clock.replace(hour=clock.hour % 12)
