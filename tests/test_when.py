"""What people say for a time, in every language at once: the day or moment it means, or a refusal."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from types import ModuleType
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.record import Span
from tools.when import Found, NotUnderstood, find_times, read_moment, read_range, read_span
from tools.when.numbers import number

TAIPEI = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 11, 30, 9, 30, tzinfo=TAIPEI)
"""A Monday."""


def day(text: str) -> date:
    return date.fromisoformat(text)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=TAIPEI)


DAYS = {
    "2026-12-01": (
        "明天 明日 あした พรุ่งนี้ วันพรุ่งนี้ tomorrow 聽日 12/1 12月1日 十二月一日 115/12/1 民國115年12月1日 "
        "令和8年12月1日 2026-12-01 20261201 1号"
    ),
    "2026-12-02": (
        "後天 后天 明後日 あさって มะรืนนี้ 2天後 2日後 วันที่|2 the|day|after|tomorrow in|2|days 這週三 週三 "
        "禮拜三 水曜日 วันพุธ Wednesday"
    ),
    "2026-12-03": "大後天 しあさって อีก|3|วัน 3|days|from|now 三天後 大后天",
    "2026-11-29": "昨天 昨日 きのう เมื่อวาน yesterday 琴日 一天前 1日前 1|day|ago",
    "2026-11-28": "前天 おととい เมื่อวานซืน the|day|before|yesterday 11/28 11月28日 上週六",
    "2026-12-09": (
        "下週三 下星期三 下禮拜三 下个星期三 来週の水曜日 来週水曜 วันพุธหน้า next|Wednesday Wednesday|next|week"
    ),
    "2026-11-25": "上週三 先週の水曜日 พุธที่แล้ว last|Wednesday",
    "2026-12-14": "兩週後 2週間後 อีก|2|สัปดาห์ in|two|weeks 下下週一",
    "2027-01-30": "兩個月後 2か月後 อีก|2|เดือน in|2|months",
    "2027-02-05": "2/5 2月5日 5|กุมภาพันธ์|2570 Feb|5 5th|of|February",
    "2026-12-31": "下個月底 来月末 สิ้นเดือนหน้า end|of|next|month 31號",
    "2026-11-30": "今天 今日 วันนี้ today 週一 月曜 วันจันทร์ Monday 月底 月末 end|of|the|month 這週一",
}


@pytest.mark.parametrize(("expected", "text"), [(want, t) for want, several in DAYS.items() for t in several.split()])
def test_days_are_read_in_every_language(expected, text):
    assert read_moment(text.replace("|", " "), NOW) == day(expected)


MOMENTS = {
    "2026-12-01T15:00": (
        "明天下午三點 明天15:00 明天三點 明日15時 明日の午後3時 พรุ่งนี้บ่ายสามโมง พรุ่งนี้|บ่าย|3|โมง พรุ่งนี้|15:00|น. "
        "tomorrow|3pm tomorrow|at|3|in|the|afternoon 3pm|tomorrow 下午三點明天 12/1|15:00 2026-12-01T15:00 "
        "2026-12-01T07:00:00Z 2026-12-01T15:00:00+08:00"
    ),
    "2026-12-01T10:30": (
        "明天早上十點半 明天上午10點30分 明日10時半 明日の午前10時半 พรุ่งนี้|10|โมงครึ่ง พรุ่งนี้สิบโมงครึ่ง "
        "tomorrow|half|past|10|am tomorrow|10:30am"
    ),
    "2026-12-01T08:00": (
        "明天早上8點 明早八點 明早上8點 "
        "明日の朝8時 พรุ่งนี้|8|โมงเช้า พรุ่งนี้สองโมงเช้า tomorrow|at|8 tomorrow|8|in|the|morning 明天8點"
    ),
    "2026-11-30T20:00": (
        "今晚8點 今天晚上八點 今天晚8點 今晚上八點 今天夜裡8點 晚上八點 "
        "20:00 今夜8時 夜8時 สองทุ่ม คืนนี้|2|ทุ่ม tonight|at|8 8|pm 8點 8時"
    ),
    "2026-11-30T12:00": "正午 เที่ยง noon 中午12點 12點",
    "2026-12-01T00:00": "今晚12點 midnight 24:00",
    "2026-12-01T02:00": "凌晨兩點 ตีสอง 明天凌晨2點 半夜兩點 2am",
    "2026-11-30T10:00": "半小時後 30分後 30分鐘後 อีกครึ่งชั่วโมง in|half|an|hour in|30|minutes",
    "2026-11-30T11:00": "一個半小時後 1時間半後 in|an|hour|and|a|half",
    "2026-12-01T07:15": "明天早上七點一刻 明天早上七點十五分 明日の朝7時15分 quarter|past|7|am|tomorrow",
    "2026-12-01T06:45": "quarter|to|7|am|tomorrow",
    "2026-12-04T18:00": "週五晚上六點 金曜の18時 วันศุกร์|6|โมงเย็น Friday|6pm 這週五晚上6點",
}


@pytest.mark.parametrize(
    ("expected", "text"), [(want, t) for want, several in MOMENTS.items() for t in several.split()]
)
def test_clock_times_are_read_in_every_language(expected, text):
    assert read_moment(text.replace("|", " "), NOW) == moment(expected)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("12/1-12/3", day("2026-12-01"), day("2026-12-03")),
        ("12/1到3號", day("2026-12-01"), day("2026-12-03")),
        ("12月1日から3日まで", day("2026-12-01"), day("2026-12-03")),
        ("週一到週三", day("2026-11-30"), day("2026-12-02")),
        ("下週二到週四", day("2026-12-08"), day("2026-12-10")),
        ("13th to 15th of December", day("2026-12-13"), day("2026-12-15")),
        ("12/30-1/2", day("2026-12-30"), day("2027-01-02")),
        ("明天3點到5點", moment("2026-12-01T15:00"), moment("2026-12-01T17:00")),
        ("下午5點到凌晨1點", moment("2026-11-30T17:00"), moment("2026-12-01T01:00")),
        ("明日10時から12時", moment("2026-12-01T10:00"), moment("2026-12-01T12:00")),
        ("from 3 to 5pm tomorrow", moment("2026-12-01T15:00"), moment("2026-12-01T17:00")),
        ("tomorrow 11 to 1pm", moment("2026-12-01T11:00"), moment("2026-12-01T13:00")),
        ("พรุ่งนี้ 10:00 น. ถึง 12:00 น.", moment("2026-12-01T10:00"), moment("2026-12-01T12:00")),
        ("9:00-18:00", moment("2026-11-30T09:00"), moment("2026-11-30T18:00")),
        ("明天", day("2026-12-01"), None),
        ("明天下午", day("2026-12-01"), None),
    ],
)
def test_a_range_has_the_two_ends_that_were_named(text, start, end):
    assert read_range(text, NOW) == (start, end)


@pytest.mark.parametrize(
    ("texts", "first", "last"),
    [
        ("這週 本週 今週 สัปดาห์นี้ this|week", "2026-11-30", "2026-12-06"),
        ("上個月 先月 เดือนที่แล้ว last|month 10月 2026年10月 ต.ค.|2569", "2026-10-01", "2026-10-31"),
        ("這個月 今月 เดือนนี้ this|month 2026-11-01/2026-11-30 2026-11", "2026-11-01", "2026-11-30"),
        ("今年 ปีนี้ this|year 2026年 115年 2026", "2026-01-01", "2026-12-31"),
        ("最近7天 直近7日", "2026-11-24", "2026-11-30"),
        ("last|7|days 過去7天", "2026-11-23", "2026-11-29"),
        ("週末 今週末 this|weekend", "2026-12-05", "2026-12-06"),
        ("明天 พรุ่งนี้ 明天三點", "2026-12-01", "2026-12-01"),
        ("下一季 next|quarter 来四半期", "2027-01-01", "2027-03-31"),
    ],
)
def test_a_stretch_to_look_in_covers_whole_days(texts, first, last):
    end = datetime.combine(day(last) + timedelta(days=1), datetime.min.time(), TAIPEI)
    for text in texts.split():
        assert read_span(text.replace("|", " "), NOW) == Span(moment(f"{first}T00:00"), end), text


def test_a_part_of_a_day_is_a_stretch_to_look_in_but_as_a_moment_the_day():
    assert read_span("明天下午", NOW) == Span(moment("2026-12-01T12:00"), moment("2026-12-01T18:00"))
    assert read_moment("明天下午", NOW) == day("2026-12-01")


@pytest.mark.parametrize(
    "text",
    [
        "2/30",
        "25:00",
        "13月1日",
        "2026-02-29",
        "29時",
        "午前15時",
        "明天或後天",
        "大概明天",
        "每天",
        "毎日",
        "every|day",
        "ทุกวัน",
        "5分鐘",
        "2時間",
        "有空",
        "下次",
        "改天",
        "12a",
        "3|30",
        "192.168.1.1",
        "may|i",
        "1/2/2026",
        "明天24時間",
        "上午十五點",
        "99/99",
        "tomorrow|midnight",
        "明天後天",
        "十二月三十二日",
        "12/1/26",
        "昨天明天",
        "週八",
        "30|febuary",
        "中午",
        "早上",
        "x",
        "明天三點四點",
    ],
)
def test_what_is_no_certain_time_is_refused(text):
    with pytest.raises(NotUnderstood):
        read_moment(text.replace("|", " "), NOW)


@pytest.mark.parametrize("text", ["", "   ", "。", "的", "から", "to", "明天" * 200])
def test_nothing_and_too_much_are_refused(text):
    for read in (read_moment, read_range, read_span):
        with pytest.raises(NotUnderstood):
            read(text, NOW)


def test_now_without_a_zone_is_the_callers_mistake():
    with pytest.raises(ValueError, match="zone"):
        read_moment("明天", datetime(2026, 11, 30))  # noqa: DTZ001 - the mistake


def test_a_time_that_has_passed_today_is_tomorrows_but_not_on_a_named_day():
    assert read_moment("早上8點", NOW) == moment("2026-12-01T08:00")
    assert read_moment("今天早上8點", NOW) == moment("2026-11-30T08:00")


def test_what_was_spent_lies_in_the_past():
    assert read_moment("12/25", NOW, past=True) == day("2025-12-25")
    assert read_moment("25號", NOW, past=True) == day("2026-11-25")
    assert read_moment("週五", NOW, past=True) == day("2026-11-27")
    assert read_moment("8點", NOW, past=True) == moment("2026-11-30T08:00")
    assert read_moment("明天", NOW, past=True) == day("2026-12-01")


def test_day_and_month_stand_in_the_order_of_the_persons_country():
    bangkok = NOW.astimezone(ZoneInfo("Asia/Bangkok"))

    assert read_moment("1/12", bangkok) == day("2026-12-01")
    assert read_moment("1/12", NOW) == day("2027-01-12")
    assert read_moment("1/12/2569", NOW) == day("2026-12-01")
    assert read_moment("25/12", NOW) == day("2026-12-25")


def test_a_skipped_hour_moves_forward_and_a_day_has_its_own_length():
    berlin = datetime(2027, 3, 27, 12, tzinfo=ZoneInfo("Europe/Berlin"))

    assert read_moment("tomorrow 02:30", berlin).isoformat() == "2027-03-28T03:30:00+02:00"
    span = read_span("tomorrow", berlin)
    assert span.end.astimezone(ZoneInfo("UTC")) - span.start.astimezone(ZoneInfo("UTC")) == timedelta(hours=23)
    assert read_moment("in 24 hours", berlin).isoformat() == "2027-03-28T13:00:00+02:00"


def test_months_later_end_where_the_month_ends():
    january = datetime(2027, 1, 31, 9, tzinfo=TAIPEI)

    assert read_moment("一個月後", january) == day("2027-02-28")
    assert read_moment("in a year", datetime(2028, 2, 29, 9, tzinfo=TAIPEI)) == day("2029-02-28")
    assert read_moment("2/29", january) == day("2028-02-29")


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("明天下午三點跟陳醫師回診", ["明天下午三點"]),
        ("明天三點開會，兩點提醒我", ["明天三點", "兩點"]),
        ("買牛奶 明天", ["明天"]),
        ("来週の木曜10時から12時 会議", ["来週の木曜10時から12時"]),
        ("พรุ่งนี้ 10 โมง ประชุม", ["พรุ่งนี้ 10 โมง"]),
        ("lunch with Bob on Friday at 12:30, room 5", ["Friday at 12:30"]),
        ("11:30 lunch 120", ["11:30"]),
        ("午餐 120", []),
        ("12/1 房租 15000", ["12/1"]),
        ("吃一點東西", []),
        ("you may not", []),
        ("版本 1.2.3 在 192.168.0.1", []),
        ("NT$1,200 鞋子", []),
        ("打五折", []),
        ("沒有時間", []),
    ],
)
def test_times_are_found_inside_a_sentence(sentence, words):
    assert [sentence[each.start : each.end] for each in find_times(sentence, NOW)] == words


def test_a_found_time_has_its_value():
    assert find_times("開會 12/1-12/3", NOW) == (Found(3, 12, (day("2026-12-01"), day("2026-12-03"))),)
    assert find_times("ｔｏｍｏｒｒｏｗ ３ｐｍ call", NOW) == (Found(0, 12, moment("2026-12-01T15:00")),)


PIECES = st.sampled_from(
    [
        "明天",
        "後天",
        "下週",
        "三",
        "點",
        "半",
        "下午",
        "12",
        "/",
        "-",
        "到",
        "月",
        "日",
        "年",
        "前",
        "後",
        "2",
        "30",
        ":",
        "来週",
        "の",
        "木曜",
        "時",
        "พรุ่งนี้",
        "โมง",
        "บ่าย",
        "อีก",
        "วัน",
        "in",
        "at",
        "next",
        "Friday",
        "3pm",
        "to",
        "last",
        "days",
        "99999999",
        "0",
        "個",
        "週",
        "一",
        "底",
        "今",
        "ที่แล้ว",
        "令和",
        "民國",
        "from",
    ]
)


@given(st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    for read in (read_moment, read_range, read_span):
        with suppress(NotUnderstood):
            read(text, NOW)
    for each in find_times(text, NOW):
        assert 0 <= each.start < each.end <= len(text)


@given(st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)))  # noqa: DTZ001 - the zone is added below
def test_iso_is_read_as_it_stands(when):
    minute = when.replace(second=0, microsecond=0)
    assert read_moment(f"{minute:%Y-%m-%d %H:%M}", NOW) == minute.replace(tzinfo=TAIPEI)
    assert read_moment(f"{minute:%Y-%m-%d}", NOW) == minute.date()


def bench() -> ModuleType:
    path = Path(__file__).parent / "bench" / "dates.py"
    spec = importlib.util.spec_from_file_location("dates_bench", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("language", ["zh-TW", "ja", "th", "en"])
def test_other_peoples_expressions_are_read_right_or_refused(shared: Path, language):
    dates = bench()
    verdicts = Counter(
        (case["kind"] == "range", dates.verdict(case)[0])
        for _, case in dates.cases(shared / "data" / "dates", f"{language}.jsonl")
        if case["kind"] in dates.MOMENTS
    )

    for is_range, right in ((False, 0.96), (True, 0.9)):
        total = sum(count for (kind, _), count in verdicts.items() if kind == is_range)
        assert verdicts[is_range, "right"] >= right * total
        assert verdicts[is_range, "wrong"] <= 0.01 * total


@pytest.mark.parametrize(
    ("text", "value"),
    [("二十五", 25), ("十", 10), ("廿五", 25), ("二〇二六", 2026), ("二千二", 2002), ("百〇五", 105)],
)
def test_a_number_in_characters_is_read_in_whole_forms(text: str, value: int):
    assert number(text) == value


@pytest.mark.parametrize("text", ["一百五", "二千三百五", "三十二五", ""])
def test_a_number_that_can_be_two_is_not_guessed(text: str):
    with pytest.raises(NotUnderstood):
        number(text)


@pytest.mark.parametrize("text", ["0001-01-01T00:00+14:00", "9999-12-31T23:59-12:00"])
def test_a_moment_beyond_the_calendar_of_the_zone_is_no_time(text: str):
    assert find_times(text, NOW) == ()
