"""What people say for how long, in every language at once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tools.when import NotUnderstood, read_length, read_steps

MINUTES = {
    30: "半小時|半个小时|提前半小時|再半小時|30分鐘|30分|30分前|あと30分|ครึ่งชั่วโมง|อีกครึ่งชั่วโมง|"
    "half an hour|half an hour earlier|PT30M|30 min",
    90: "一個半小時|90分鐘|1.5小時|1時間半|90分|1時間30分|หนึ่งชั่วโมงครึ่ง|90 นาที|"
    "an hour and a half|one and a half hours|PT1H30M|1h30m|個半鐘",
    120: "兩小時|兩個鐘頭|2時間|2 ชั่วโมง|two hours|for two hours|for 2h|PT2H|2時間前",
    150: "兩個半小時|2時間半|2 ชั่วโมงครึ่ง|two and a half hours|2h30|2 hours 30 minutes|2 hours and thirty",
    10: "十分鐘|10分|10分後|再十分鐘|อีก 10 นาที|ten minutes|in 10 minutes|10 more minutes|10'",
    45: "三刻鐘|45分鐘|three quarters of an hour|45 นาที",
    1440: "一天|1日間|1 วัน|a day|24小時|P1D",
    10080: "一週|1週間|หนึ่งสัปดาห์|a week|7天|P1W",
}


@pytest.mark.parametrize(
    ("minutes", "text"), [(n, text) for n, several in MINUTES.items() for text in several.split("|")]
)
def test_lengths_are_read_in_every_language(minutes, text):
    assert read_length(text) == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "半",
        "5",
        "明天",
        "半小時買牛奶",
        "two hours of rain",
        "0分鐘",
        "每半小時",
        "for",
        "九千年",
        "P",
        "三個月",
        "1年",
    ],
)
def test_what_is_no_length_of_the_clock_is_refused(text):
    with pytest.raises(NotUnderstood):
        read_length(text)


def test_months_and_years_are_kept_as_they_are_said():
    assert read_steps("一年半") == ((18.0, "month"),)
    assert read_steps("P1Y2M") == ((1.0, "year"), (2.0, "month"))
