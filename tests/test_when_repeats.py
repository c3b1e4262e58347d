"""What people say repeats, in every language at once: the rule it means and its first time, or a refusal; and the times
after it."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.when import NotUnderstood, ending, next_after, occurrences, pattern_of, read_rule, without

TAIPEI = ZoneInfo("Asia/Taipei")
LONDON = ZoneInfo("Europe/London")
NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 11, 30, 9, 30, tzinfo=TAIPEI)
"""A Monday."""

RULES = {
    "FREQ=DAILY": "每天|毎日|ทุกวัน|every day|daily|天天|每日|RRULE:FREQ=DAILY;INTERVAL=1|everyday|once a day",
    "FREQ=DAILY;INTERVAL=2": "每隔一天|隔日|วันเว้นวัน|every other day|each two days|每兩天",
    "FREQ=DAILY;INTERVAL=3": "每3天|每三天|3日ごと|ทุก 3 วัน|ทุก ๆ 3 วัน|every 3 days|3日毎に",
    "FREQ=WEEKLY": "每週|每个星期|毎週|ทุกสัปดาห์|every week|weekly|once a week|週に1回|สัปดาห์ละครั้ง",
    "FREQ=WEEKLY;BYDAY=FR": (
        "每週五|每个星期五|逢星期五|毎週金曜日|毎週金曜|毎金曜|金曜ごとに|ทุกวันศุกร์|"
        "every Friday|on Fridays|Fridays|each fri"
    ),
    "FREQ=WEEKLY;BYDAY=MO,WE": (
        "每週一、三|每週一和週三|每周一三|毎週月・水|毎週月曜と水曜|毎週月水|ทุกวันจันทร์ พุธ|ทุกวันจันทร์และวันพุธ|"
        "every Monday and Wednesday|Mondays and Wednesdays|every Mon/Wed|FREQ=WEEKLY;BYDAY=MO,WE"
    ),
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR": (
        "平日|每個工作天|週一到週五|每週一至五|毎週月曜から金曜|月〜金|平日は毎日|วันธรรมดา|ทุกวันจันทร์ถึงศุกร์|ทุกวันทำงาน|"
        "weekdays|every weekday|Monday to Friday|Mon-Fri|從週一到週五每天|月曜から金曜まで毎日"
    ),
    "FREQ=WEEKLY;BYDAY=SA,SU": "每週末|每週六日|毎週末|土日|ทุกสุดสัปดาห์|weekends|every weekend|on weekends",
    "FREQ=WEEKLY;INTERVAL=2": (
        "每兩週|隔週|每隔一週|雙週|ทุก 2 สัปดาห์|สัปดาห์เว้นสัปดาห์|every other week|biweekly|every fortnight"
    ),
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR": (
        "隔週五|隔週金曜|每兩週的週五|every other Friday|every two weeks on Friday|2週間ごとの金曜"
    ),
    "FREQ=MONTHLY;BYMONTHDAY=25": (
        "每月25日|每個月二十五號|毎月25日|ทุกวันที่ 25|"
        "วันที่ 25 ของทุกเดือน|the 25th of every month|every 25th|monthly on the 25th"
    ),
    "FREQ=MONTHLY;BYMONTHDAY=5,20": (
        "每月5號和20號|每月5、20號|毎月5日と20日|on the 5th and 20th of every month|毎月5・20日"
    ),
    "FREQ=MONTHLY;BYMONTHDAY=-1": (
        "每月底|每個月月底|每月31號|毎月末|毎月31日|ทุกสิ้นเดือน|last day of every month|monthly on the 31st|每月最後一天"
    ),
    "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1": ("每月30號|毎月30日|ทุกวันที่ 30|the 30th of each month|every month"),
    "FREQ=MONTHLY;BYDAY=1MO": (
        "每月第一個週一|毎月第1月曜|毎月第一月曜日|"
        "วันจันทร์แรกของทุกเดือน|first Monday of the month|the first Monday of every month|"
        "every first Monday"
    ),
    "FREQ=MONTHLY;BYDAY=2SA,4SA": (
        "每月第二、四個週六|毎月第2・第4土曜日|毎月第2・4土曜|second and fourth Saturday of the month"
    ),
    "FREQ=MONTHLY;BYDAY=-1FR": "每個月最後一個週五|毎月最終金曜日|วันศุกร์สุดท้ายของทุกเดือน|last Friday of every month",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1": (
        "每月最後一個工作天|毎月最終営業日|"
        "วันทำงานสุดท้ายของทุกเดือน|last workday of the month|the last business day of each month"
    ),
    "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25": (
        "每年12/25|每年12月25日|毎年12月25日|ทุกปี 25 ธันวาคม|"
        "every year on December 25|yearly on 25 Dec|every 12/25|每年聖誕節"
    ),
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1": "每年2月29日|毎年2月29日|every year on Feb 29",
    "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU": "每年5月第二個星期日|毎年5月第2日曜日",
    "FREQ=HOURLY;INTERVAL=2": "每兩小時|每隔2小時|2時間おき|2時間ごとに|ทุก 2 ชั่วโมง|every 2 hours|every two hours",
    "FREQ=WEEKLY;BYDAY=FR;UNTIL=20261231": (
        "每週五到12/31|每週五直到12/31為止|毎週金曜、12月31日まで|ทุกวันศุกร์จนถึง 31 ธันวาคม|every Friday until Dec 31"
    ),
    "FREQ=WEEKLY;BYDAY=FR;COUNT=10": "每週五共10次|毎週金曜10回|ทุกวันศุกร์ 10 ครั้ง|every Friday for 10 times",
    "FREQ=WEEKLY;BYDAY=FR\nEXDATE:20261225": (
        "每週五，12/25除外|每週五除了12/25|毎週金曜、12月25日を除く|ทุกวันศุกร์ ยกเว้น 25 ธันวาคม|every Friday except Dec 25"
    ),
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA": ("每天除了週日|毎日、日曜以外|ทุกวันยกเว้นวันอาทิตย์|every day except Sundays"),
    "FREQ=DAILY;UNTIL=20261206": "每天連續七天|daily for 7 days",
}


@pytest.mark.parametrize(("rule", "text"), [(want, t) for want, several in RULES.items() for t in several.split("|")])
def test_what_repeats_is_read_in_every_language(rule, text):
    assert read_rule(text, NOW).rule == rule


FIRST = {
    "每週一、三 08:00": "2026-12-02T08:00",
    "毎週月水金の朝7時": "2026-12-02T07:00",
    "ทุกวันศุกร์ 8:00": "2026-12-04T08:00",
    "every Friday at 8": "2026-12-04T08:00",
    "每天早上8點": "2026-12-01T08:00",
    "每天下午三點": "2026-11-30T15:00",
    "毎晩9時": "2026-11-30T21:00",
    "ทุกคืน 3 ทุ่ม": "2026-11-30T21:00",
    "every night at 9": "2026-11-30T21:00",
    "every day at 3": "2026-11-30T15:00",
    "每天半夜2點": "2026-12-01T02:00",
    "every day at midnight": "2026-12-01T00:00",
    "從下週一開始每天早上8點": "2026-12-07T08:00",
    "来週月曜から毎日7時": "2026-12-07T07:00",
    "ตั้งแต่วันจันทร์หน้า ทุกวัน 8 โมง": "2026-12-07T08:00",
    "every day starting next Monday at 8am": "2026-12-07T08:00",
    "12/1到12/31每天8點": "2026-12-01T08:00",
    "每兩小時": "2026-11-30T11:30",
    "每個月25號": "2026-12-25",
    "每週": "2026-11-30",
    "每月第一個週一早上10點": "2026-12-07T10:00",
    "隔週五下午三點": "2026-12-04T15:00",
    "每週五，12/4除外": "2026-12-11",
    "每天八點和晚上八點": "2026-11-30T20:00",
}


@pytest.mark.parametrize(("text", "first"), FIRST.items())
def test_the_first_time_is_the_first_that_is_still_to_come(text, first):
    expected = datetime.fromisoformat(first)
    found = read_rule(text, NOW).first
    assert found == (expected.replace(tzinfo=TAIPEI) if "T" in first else expected.date())
    assert isinstance(found, datetime) == ("T" in first)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "明天",
            "週一",
            "5分鐘",
            "每",
            "每天買牛奶",
            "every Friday and buy milk",
            "every few days",
            "twice a day",
            "每月32號",
        ),
        *(
            "每天25點",
            "毎月第1",
            "every Monday 12/25",
            "每天8點和9點半",
            "每週五到昨天",
            "每年2月30日",
            "隔天",
            "ทุก",
            "1",
            "",
        ),
        *("every day except Monday to Sunday", "每天明天"),
        *("FREQ=SECONDLY", "FREQ=DAILY;BYHOUR=25", "FREQ=WEEKLY;BYWEEKNO=3"),
    ],
)
def test_what_is_no_rule_or_not_only_one_is_refused(text):
    with pytest.raises(NotUnderstood):
        read_rule(text, NOW)


def test_several_hours_a_day_are_one_rule():
    found = read_rule("每天早上八點、晚上八點", NOW)
    assert found.rule == "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0"
    times = [each.hour for each in islice(occurrences(found.rule, found.first, NOW), 3) if isinstance(each, datetime)]
    assert times == [20, 8, 20]


@pytest.mark.parametrize("text", ["每週一10點到11點半", "毎週月曜10時から11時半まで", "every Monday from 10 to 11:30"])
def test_from_one_hour_to_another_is_how_long_it_takes(text):
    found = read_rule(text, NOW)
    assert (found.rule, found.lasts) == ("FREQ=WEEKLY;BYDAY=MO", timedelta(hours=1, minutes=30))
    assert found.first.hour == 10  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "part"), [("每天早上", "morning"), ("毎朝", "morning"), ("ทุกเย็น", "late"), ("every evening", "evening")]
)
def test_a_part_of_the_day_without_an_hour_is_left_to_the_persons_own_hours(text, part):
    found = read_rule(text, NOW)
    assert (found.rule, found.first, found.part) == ("FREQ=DAILY", NOW.date(), part)


@pytest.mark.parametrize(
    ("text", "sure"), [("每隔三天", False), ("3日おき", False), ("每三天", True), ("每隔兩小時", True)]
)
def test_days_between_are_a_guess(text, sure):
    assert read_rule(text, NOW).sure is sure


# ── the times after ──────────────────────────────────────────────────────────────────────────────────────────────────


def days(text: str, count: int, now: datetime = NOW) -> list[str]:
    found = read_rule(text, now)
    return [f"{each:%m-%d}" for each in islice(occurrences(found.rule, found.first, now - timedelta(days=1)), count)]


def test_the_31st_is_the_last_day_of_a_shorter_month():
    assert days("每月31號", 4) == ["11-30", "12-31", "01-31", "02-28"]
    assert days("每月30號", 4) == ["11-30", "12-30", "01-30", "02-28"]
    assert days("每月15、30號", 5) == ["11-30", "12-15", "12-30", "01-15", "01-30"]


def test_29_february_is_the_28th_where_there_is_none():
    assert days("每年2/29", 3) == ["02-28", "02-29", "02-28"]


def test_every_other_week_counts_from_its_first():
    assert days("每兩週的週五", 3) == ["12-04", "12-18", "01-01"]


def test_the_last_workday_is_no_weekend():
    assert days("每月最後一個工作天", 3) == ["11-30", "12-31", "01-29"]


def test_called_off_once_or_from_a_day_on():
    rule = without("FREQ=DAILY", date(2026, 12, 2))
    assert rule == "FREQ=DAILY\nEXDATE:20261202"
    rule = ending(without(rule, date(2026, 12, 3)), date(2026, 12, 5))
    found = list(occurrences(rule, date(2026, 12, 1), NOW))
    assert found == [date(2026, 12, 1), date(2026, 12, 4), date(2026, 12, 5)]
    assert next_after(rule, date(2026, 12, 1), datetime(2026, 12, 5, tzinfo=TAIPEI)) is None
    assert pattern_of(rule).rule == rule


@pytest.mark.parametrize(
    "rule", ["", "FREQ=DAILY;", "FREQ=DAILY;BYMONTH=13", "FREQ=DAILY\n", "RRULE:FREQ=DAILY", "x" * 9_999]
)
def test_what_is_no_stored_rule_is_an_error(rule):
    with pytest.raises(ValueError, match="rule"):
        pattern_of(rule)


def test_a_skipped_hour_moves_forward_and_the_next_day_is_on_time():
    now = datetime(2027, 3, 26, 12, tzinfo=LONDON)
    found = read_rule("every day at 01:30", now)
    times = [f"{each:%m-%d %H:%M}" for each in islice(occurrences(found.rule, found.first, now), 3)]
    assert times == ["03-27 01:30", "03-28 02:30", "03-29 01:30"]


def test_a_rule_that_begins_in_a_skipped_hour_keeps_the_hour_that_was_said():
    now = datetime(2027, 3, 27, 12, tzinfo=LONDON)
    found = read_rule("every day at 01:30", now)
    times = [f"{each:%m-%d %H:%M}" for each in islice(occurrences(found.rule, found.first, now), 2)]
    assert times == ["03-28 02:30", "03-29 01:30"]


def test_of_a_doubled_hour_it_is_the_first_and_only_once():
    now = datetime(2026, 10, 31, 12, tzinfo=NEW_YORK)
    found = read_rule("every day at 01:30", now)
    times = [each.isoformat() for each in islice(occurrences(found.rule, found.first, now), 2)]
    assert times == ["2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00"]


def test_what_repeats_by_hours_keeps_its_distance_through_a_change_of_the_clock():
    now = datetime(2027, 3, 28, 0, 15, tzinfo=LONDON)
    found = read_rule("every 2 hours", now)
    assert [f"{each:%H:%M}" for each in islice(occurrences(found.rule, found.first, now), 2)] == ["03:15", "05:15"]


def test_after_years_the_next_time_is_found_without_going_through_them():
    first = datetime(1999, 12, 31, 8, tzinfo=TAIPEI)
    assert next_after("FREQ=DAILY;INTERVAL=3", first, NOW) == datetime(2026, 12, 3, 8, tzinfo=TAIPEI)


TEXTS = sorted(text for several in RULES.values() for text in several.split("|"))


@given(
    text=st.sampled_from(TEXTS),
    now=st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001 - the zone is drawn apart
    zone=st.sampled_from(["Asia/Taipei", "Asia/Bangkok", "Europe/London", "America/New_York", "Australia/Lord_Howe"]),
)
def test_what_is_read_can_be_stored_and_goes_on_from_its_first(text, now, zone):
    here = now.replace(tzinfo=ZoneInfo(zone))
    try:
        found = read_rule(text, here)
    except NotUnderstood:
        return
    assert found.pattern.rule == found.rule
    following = list(islice(occurrences(found.rule, found.first, here - timedelta(days=1)), 3))
    assert found.first in following
    assert following == sorted(set(following), key=str) or isinstance(found.first, datetime)
    assert all(here.date() <= (each.date() if isinstance(each, datetime) else each) for each in following[1:])
