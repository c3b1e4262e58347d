"""Pieces of the calendar that people name: weeks and quarters, eras and holidays, days counted from other days."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, timedelta
from time import thread_time
from zoneinfo import ZoneInfo

import pytest

from tools.when import NotUnderstood, find_times, read_moment, read_range, read_span

TAIPEI = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 11, 30, 9, 30, tzinfo=TAIPEI)
"""A Monday."""


def cases(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(want, text.replace("|", " ")) for want, texts in table.items() for text in texts.split()]


STRETCHES = {
    "2026-12-14 2026-12-20": (
        "下個月第二週 12月第二個星期 2026-W51 2026W51 week|51|of|2026 今年第51週 今年の第51週 สัปดาห์ที่|51|ปีนี้"
    ),
    "2026-12-28 2027-01-03": (
        "今年最後一週 今年の最終週 the|last|week|of|this|year last|week|of|2026 สัปดาห์สุดท้ายของปีนี้ 2026-W53 "
        "2026年最後一個星期 the|week|of|January|1st"
    ),
    "2026-10-01 2026-12-31": (
        "第四季 今年第4季 2026年第四季度 第4四半期 2026年第4四半期 ไตรมาสที่|4 ไตรมาส|4|ปี|2569 Q4 Q4|2026 2026Q4 2026|Q4 "
        "the|4th|quarter|of|2026 fourth|quarter|2026 4th|qtr|of|2026 這一季 本季 今四半期 当四半期 "
        "ไตรมาสนี้ this|quarter 今QTR"
    ),
    "2026-07-01 2026-12-31": (
        "下半年 2026年下半年 今年下半年 下半期 ครึ่งปีหลัง the|second|half|of|2026 the|second|half|of|the|year 2026H2"
    ),
    "2026-12-11 2026-12-20": "12月中旬 十二月中旬 下個月中旬 来月中旬",
    "2026-12-21 2026-12-31": "12月下旬 来月下旬",
    "2025-11-01 2025-11-30": "去年這個月 去年の今月 this|month|last|year เดือนนี้ปีที่แล้ว",
    "2026-01-01 2027-12-31": "2026年、2027年 2026年・2027年 2026、2027年 2026年和2027年 2026|and|2027 2026年と2027年",
    "2026-12-05 2026-12-06": (
        "這週六日 週六日 12/5、12/6 12/5和12/6 12月5日と6日 5日・6日 Saturday|and|Sunday Dec|5|and|6 5|/|6|December "
        "วันที่|5|และ|6|ธันวาคม between|Dec|5|and|6"
    ),
    "2026-12-07 2026-12-09": (
        "下週一開始三天 下週一起三天 来週の月曜から3日間 3|days|starting|next|Monday for|3|days|from|next|Monday "
        "12/7起三天 12月7日から3日間 3|วันเริ่มวันจันทร์หน้า 7|ธันวาคม|เป็นเวลา|3|วัน 2026-12-07/P3D Dec|7|for|3|days"
    ),
    "2026-12-07 2026-12-13": (
        "สัปดาห์ที่|2|ของเดือนหน้า the|second|week|of|next|month 2nd|week|of|December 12月9日那週 "
        "12/9の週 the|week|of|Dec|9 the|week|of|the|9th สัปดาห์ของ|9|ธันวาคม"
    ),
    "2026-12-21 2026-12-22": (
        "between|21|and|22.12.2026 from|21.12.|to|22.12. 21.12.|-|22.12. 12/21-22 December|21|-|22"
    ),
    "2021-07-01 2021-07-31": "令和3.7 令和3年7月 R3年7月 西暦2021/7 2021年/7月 2021/7月 07/2021 民國110年7月 2021-07",
    "2026-01-01 2026-12-31": "calendar|year|2026 this|calendar|year 2026|AD 令和8年 民國115年 พ.ศ.|2569",
}


@pytest.mark.parametrize(("ends", "text"), cases(STRETCHES))
def test_a_piece_of_the_calendar_covers_its_days(ends, text):
    first, last = (date.fromisoformat(each) for each in ends.split())
    end = datetime.combine(last + timedelta(days=1), datetime.min.time(), TAIPEI)
    span = read_span(text, NOW)
    assert (span.start, span.end) == (datetime.combine(first, datetime.min.time(), TAIPEI), end)


DAYS = {
    "2026-12-31": (
        "今年最後一天 今年の最終日 the|last|day|of|this|year last|day|of|2026 วันสุดท้ายของปีนี้ "
        "last|day|in|December 12月最後一天 "
        "跨年 大晦日 New|Year's|Eve วันสิ้นปี 2026-365 2026年第365天 令和8年12月31日 R8.12.31 民國115.12.31 115.12.31"
    ),
    "2026-12-01": (
        "下個月第一天 来月の初日 วันแรกของเดือนหน้า the|first|day|of|next|month 明天12/1 "
        "明天（12/1） 明天(二) 明日12月1日 "
        "tomorrow|1|Dec 明日一日 明天一整天 明天全天 tomorrow|all|day พรุ่งนี้ทั้งวัน 12/1(二) "
        "一天後(12/1) ๑|ธันวาคม|๒๕๖๙ １２／１ "
        "R8年12月1日 2026.12-01 2026|12|01 2026,12,1 十二月一號 tomorrow's 2026/1/Dec december-2026-1"
    ),
    "2026-12-04": (
        "明天起三天後 明天的三天後 明日から3日後 明日の3日後 3|วันหลังจากพรุ่งนี้ "
        "3|days|after|tomorrow three|days|from|tomorrow "
        "十二月第一個星期五 12月の第1金曜日 the|first|Friday|of|December วันศุกร์แรกของเดือนธันวาคม 12/1の3日後"
    ),
    "2026-12-25": (
        "聖誕節 圣诞节 クリスマス คริสต์มาส Christmas 十二月最後一個星期五 last|Friday|of|December 12月最後の金曜日"
    ),
    "2026-12-03": "三天內 三日內 3日以内 3日で ภายใน|3|วัน within|3|days in|the|next|3|days 三天过后 +3d 3日経過後",
    "2026-11-28": "-2d now|-|2|days 2日前 前天",
    "2027-03-01": "さんがつついたち 三月一日 Mar|1",
    "2026-12-09": "下週三前 下週三之前 来週の水曜までに 下週三(12/9) by|Wednesday|next|week 12/9前 9|ธ.ค. 下週三12/9",
    "2026-12-21": "Monday|21 21.12. 21.12 12月21日(月) 12/21（一）",
}


@pytest.mark.parametrize(("expected", "text"), cases(DAYS))
def test_a_day_is_named_in_many_ways(expected, text):
    assert read_moment(text, NOW) == date.fromisoformat(expected)


MOMENTS = {
    "2026-12-01T19:30": (
        "12/1(二)晚上7:30 12/1（二）晚上7點半 明天晚上七點半 12月1日(火)19時30分 12月1日午後7時半 พรุ่งนี้หนึ่งทุ่มครึ่ง "
        "1|Dec|-|7:30pm Dec|1,|730pm tomorrow|seven|thirty|p|m tomorrow|at|half|past|7|in|the|evening 12-01|19:30 "
        "tomorrow|1|Dec|7:30pm １２月１日１９時３０分"
    ),
    "2026-12-03T15:00": "3日後の15時 三天後下午三點 3|days|from|now|at|3pm อีก|3|วัน|บ่ายสาม",
    "2026-11-30T12:15": "a|quarter|past|noon 15|minutes|past|noon 中午十二點一刻",
    "2026-11-30T10:15": (
        "in|three-quarters|of|an|hour 三刻鐘後 45分後 อีก|45|นาที today|in|45|minutes now|+|45minutes 今天45分鐘後"
    ),
    "2026-11-30T11:40": "1140|a.m. 11.40am",
    "2026-11-30T23:45": "quarter|to|midnight 晚上十一點三刻 夜11時45分",
    "2026-12-11T15:00": "วันศุกร์หน้า|บ่ายสาม วันศุกร์หน้า|15.00|น. 下週五下午三點 来週金曜15時",
}


@pytest.mark.parametrize(("expected", "text"), cases(MOMENTS))
def test_a_clock_time_stands_with_any_day(expected, text):
    assert read_moment(text, NOW) == datetime.fromisoformat(expected).replace(tzinfo=TAIPEI)


RANGES = {
    "2026-12-01T15:00 2026-12-01T17:00": (
        "明天下午三點開始兩小時 明日15時から2時間 tomorrow|3pm|for|2|hours พรุ่งนี้|15:00|น.|นาน|2|ชั่วโมง "
        "2026-12-01T15:00/PT2H 2026-12-01T15:00/2026-12-01T17:00 20261201T1500/20261201T1700 PT2H/2026-12-01T17:00 "
        "tomorrow|between|3|and|5pm tomorrow|from|3|to|5|in|the|pm"
    ),
    "2026-12-01T23:00 2026-12-02T03:00": "tomorrow|11|to|3am tomorrow|from|11pm|to|3am 明天晚上11點到凌晨3點",
    "2026-12-01T10:00 2026-12-03T07:00": "from|12/1|10:00|to|12/3|07:00 12/1|10:00-12/3|07:00",
}


@pytest.mark.parametrize(("ends", "text"), cases(RANGES))
def test_a_range_of_clock_times_has_its_two_ends(ends, text):
    start, end = (datetime.fromisoformat(each).replace(tzinfo=TAIPEI) for each in ends.split())
    assert read_range(text, NOW) == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "明天12/2", "下週三(12/10)", "12/1和12/3", "Monday and Friday", "12/1、12/3", "第六十週",
        "今年第60週", "第五季",
        "十二月第六個星期五", "2月30日那週", "明天三點開始三", "R8.13.1", "2026-W54", "2026-W49-8",
        "2026-366", "P3D", "三天",
        "3 days starting", "3 days from", "2026 第四季 12月", "99.12.", "0.5", "12.53", "1/2/2026-3/4/2026",
        "明天 12月", "最後一天", "last day", "the quarter", "下旬下旬三", "1 d", "3y", "2020年で三",
    ],
)  # fmt: skip
def test_what_names_no_one_day_or_two_is_refused(text):
    with pytest.raises(NotUnderstood):
        assert read_moment(text, NOW) is None


def test_what_must_be_done_before_a_day_is_due_on_it_but_is_no_stretch_to_look_in():
    assert read_moment("下週三前", NOW) == date(2026, 12, 9)
    with pytest.raises(NotUnderstood):
        read_span("下週三前", NOW)


@pytest.mark.parametrize(
    ("zone", "day"), [("Asia/Tokyo", "2026-11-29"), ("Asia/Taipei", "2026-11-28"), ("Asia/Hong_Kong", "2026-11-28")]
)
def test_a_word_of_two_languages_is_read_where_its_people_live(zone, day):
    assert read_moment("前日", NOW.astimezone(ZoneInfo(zone))) == date.fromisoformat(day)


def test_a_word_of_two_languages_is_refused_elsewhere():
    with pytest.raises(NotUnderstood):
        read_moment("前日", NOW.astimezone(ZoneInfo("Asia/Bangkok")))


@pytest.mark.parametrize(
    "piece",
    [
        "one hour and ",
        "half an hour and a half ",
        "三個半",
        "1年",
        "1時間と",
        "หนึ่งชั่วโมง ",
        "3 days ",
        "12/",
        "-",
        "1",
        "p1d",
        " ",
    ],
)
def test_the_longest_text_of_one_word_over_and_over_takes_no_time(piece):
    text = (piece * 200)[:200]
    began = thread_time()
    with suppress(NotUnderstood):
        read_moment(text, NOW)
    find_times(text, NOW)
    assert thread_time() - began < 0.5
