"""The words for what repeats, in four languages.

Data only. Must not know which rule is said. Most of these sentences are read by ``tools.when`` as they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.voice.dates import ENGLISH_MONTHS, THAI_MONTHS
from tools.record import Language

Count = Callable[[int], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWords:
    """One language's words. ``week``, ``month`` and ``year`` are given how many of them, and which day."""

    plain: Mapping[str, Count]
    """By DAILY, HOURLY, MINUTELY: each so many."""
    week: Callable[[int, str], str]
    month: Callable[[int, str], str]
    year: Callable[[int, str], str]
    workdays: str
    weekend: str
    weekdays: tuple[str, ...]
    months: tuple[str, ...]
    number: Count
    dom: Callable[[str], str]
    last_day: str
    both: Callable[[str, str], str]
    or_last: str
    """Where a month has no such day."""
    workday: Mapping[int, str]
    ordinals: Mapping[int, str]
    nth: Callable[[Sequence[str], str], str]
    """Which ones, of which weekday."""
    of_month: Callable[[str, str], str]
    date: Callable[[int, int], str]
    joined: Callable[[str, str], str]
    """The rule, and its hours, which may be "" ."""
    until: Callable[[str], str]
    excepted: Callable[[str], str]
    times: Count
    mark: str
    last_mark: str
    comma: str = "、"


def _spaced(rule: str, hours: str) -> str:
    return f"{rule} {hours}".rstrip()


def _one_or(one: str, many: str) -> Count:
    return lambda count: one if count == 1 else many.format(count)


def _one_two_or(one: str, two: str, many: str) -> Callable[[int, str], str]:
    """``{0}`` is how many, ``{1}`` which day."""
    return lambda count, day: {1: one, 2: two}.get(count, many).format(count, day)


_FIFTH: Final = (1, 2, 3, 4, 5, -1)

_CHINESE: Final = RuleWords(
    plain={
        "DAILY": _one_or("每天", "每 {} 天"), "HOURLY": _one_or("每小時", "每 {} 小時"),
        "MINUTELY": _one_or("每分鐘", "每 {} 分鐘"),
    },
    week=_one_two_or("每週{1}", "每兩週的週{1}", "每 {0} 週的週{1}"),
    month=_one_two_or("每月{1}", "每兩個月的{1}", "每 {0} 個月的{1}"),
    year=_one_two_or("每年 {1}", "每兩年 {1}", "每 {0} 年 {1}"),
    workdays="平日",
    weekend="每週末",
    weekdays=tuple("一二三四五六日"),
    months=tuple(f"{month} 月" for month in range(1, 13)),
    number=str,
    dom=" {} 號".format,
    last_day="最後一天",
    both="{}和{}".format,
    or_last="（沒有這天就是最後一天）",
    workday={1: "第一個工作天", -1: "最後一個工作天"},
    ordinals=dict(zip(_FIFTH, (*"一二三四五", "最後"), strict=True)),
    nth=lambda nths, day: ("最後一個週" if nths == ["最後"] else f"第{'、'.join(nths)}個週") + day,
    of_month="{}{}".format,
    date="{}/{}".format,
    joined=_spaced,
    until="，到{}為止".format,
    excepted="，{}除外".format,
    times="，共 {} 次".format,
    mark="、",
    last_mark="、",
)  # fmt: skip

_JAPANESE: Final = RuleWords(
    plain={
        "DAILY": _one_or("毎日", "{}日ごと"), "HOURLY": _one_or("毎時", "{}時間ごと"),
        "MINUTELY": _one_or("毎分", "{}分ごと"),
    },
    week=_one_two_or("毎週{1}曜", "隔週{1}曜", "{0}週間ごとの{1}曜"),
    month=_one_two_or("毎月{1}", "隔月{1}", "{0}か月ごとの{1}"),
    year=_one_two_or("毎年{1}", "隔年{1}", "{0}年ごとの{1}"),
    workdays="平日",
    weekend="毎週末",
    weekdays=tuple("月火水木金土日"),
    months=tuple(f"{month}月" for month in range(1, 13)),
    number=str,
    dom="{}日".format,
    last_day="最終日",
    both="{}と{}".format,
    or_last="（ない月は末日）",
    workday={1: "最初の営業日", -1: "最終営業日"},
    ordinals=dict(zip(_FIFTH, (*(f"第{nth}" for nth in range(1, 6)), "最終"), strict=True)),
    nth=lambda nths, day: f"{'・'.join(nths)}{day}曜",
    of_month="{}{}".format,
    date="{}月{}日".format,
    joined=_spaced,
    until="、{}まで".format,
    excepted="、{}を除く".format,
    times="、{}回".format,
    mark="・",
    last_mark="・",
)  # fmt: skip

_THAI: Final = RuleWords(
    plain={
        "DAILY": _one_or("ทุกวัน", "ทุก {} วัน"), "HOURLY": _one_or("ทุกชั่วโมง", "ทุก {} ชั่วโมง"),
        "MINUTELY": _one_or("ทุกนาที", "ทุก {} นาที"),
    },
    week=_one_two_or("ทุกวัน{1}", "ทุก 2 สัปดาห์ วัน{1}", "ทุก {0} สัปดาห์ วัน{1}"),
    month=_one_two_or("{1}ของทุกเดือน", "{1}ของทุก 2 เดือน", "{1}ของทุก {0} เดือน"),
    year=_one_two_or("ทุกปี {1}", "ทุก 2 ปี {1}", "ทุก {0} ปี {1}"),
    workdays="วันธรรมดา",
    weekend="ทุกสุดสัปดาห์",
    weekdays=("จันทร์", "อังคาร", "พุธ", "พฤหัสบดี", "ศุกร์", "เสาร์", "อาทิตย์"),
    months=THAI_MONTHS,
    number=str,
    dom=lambda doms: f"วันที่ {doms.replace('และ', 'และ ')} ",
    last_day="วันสุดท้าย",
    both="{}และ{}".format,
    or_last="(เดือนที่ไม่มีคือวันสุดท้าย) ",
    workday={1: "วันทำงานแรก", -1: "วันทำงานสุดท้าย"},
    ordinals=dict(zip(_FIFTH, (*(str(nth) for nth in range(1, 6)), "สุดท้าย"), strict=True)),
    nth=lambda nths, day: f"วัน{day}" + ("สุดท้าย" if nths == ["สุดท้าย"] else f"ที่ {' และ '.join(nths)} "),
    of_month="{1}ของเดือน {0}".format,
    date=lambda month, dom: f"{dom} {THAI_MONTHS[month - 1]}",
    joined=lambda rule, hours: f"{rule.rstrip()} {hours}".rstrip(),
    until=" ถึง {}".format,
    excepted=" ยกเว้น {}".format,
    times=" รวม {} ครั้ง".format,
    mark=" ",
    last_mark=" และ",
    comma=", ",
)  # fmt: skip

_ENGLISH: Final = RuleWords(
    plain={
        "DAILY": lambda count: {1: "every day", 2: "every other day"}.get(count, f"every {count} days"),
        "HOURLY": _one_or("every hour", "every {} hours"), "MINUTELY": _one_or("every minute", "every {} minutes"),
    },
    week=_one_two_or("every {1}", "every other {1}", "every {0} weeks on {1}"),
    month=_one_two_or("the {1} of every month", "the {1} of every other month", "the {1} of every {0} months"),
    year=_one_two_or("every year on {1}", "every other year on {1}", "every {0} years on {1}"),
    workdays="weekdays",
    weekend="weekends",
    weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    months=ENGLISH_MONTHS,
    number=lambda dom: f"{dom}{'th' if 10 < dom < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(dom % 10, 'th')}",  # noqa: PLR2004 - eleventh to thirteenth
    dom=str,
    last_day="last day",
    both="{} and {}".format,
    or_last=" (or the last day)",
    workday={1: "first workday", -1: "last workday"},
    ordinals=dict(zip(_FIFTH, ("first", "second", "third", "fourth", "fifth", "last"), strict=True)),
    nth=lambda nths, day: f"{' and '.join(nths)} {day}",
    of_month="the {1} of {0}".format,
    date=lambda month, dom: f"{ENGLISH_MONTHS[month - 1]} {dom}",
    joined=_spaced,
    until=" until {}".format,
    excepted=" except {}".format,
    times=", {} times".format,
    mark=", ",
    last_mark=" and ",
    comma=", ",
)  # fmt: skip

RULE_WORDS: Final[Mapping[Language, RuleWords]] = {
    "zh-TW": _CHINESE,
    "ja": _JAPANESE,
    "th": _THAI,
    "en": _ENGLISH,
}
