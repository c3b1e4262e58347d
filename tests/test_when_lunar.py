"""Festivals of the lunar calendar and solar terms, by name."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from tools.when import NotUnderstood, find_times, read_moment

NOW = datetime(2026, 11, 30, 9, 30, tzinfo=ZoneInfo("Asia/Taipei"))

DAYS = {
    "2027-02-06": "春節|春节|農曆新年|大年初一|明年春節|2027年春節|旧正月|ตรุษจีน|Chinese New Year|Lunar New Year",
    "2027-02-05": "除夕|大年夜|年三十",
    "2027-02-08": "大年初三",
    "2027-02-20": "元宵節|Lantern Festival",
    "2027-06-09": "端午節|端午|Dragon Boat Festival",
    "2027-09-15": "中秋節|中秋|农历八月十五|農曆8月15日|明年中秋|Mid-Autumn Festival|วันไหว้พระจันทร์",
    "2026-09-25": "今年中秋節|2026年中秋",
    "2027-10-08": "重陽節|重阳节",
    "2026-12-22": "冬至|今年冬至",
    "2027-04-05": "清明節|明年清明",
    "2027-01-15": "農曆十二月初八",
}


@pytest.mark.parametrize(("day", "text"), [(day, text) for day, several in DAYS.items() for text in several.split("|")])
def test_festivals_fall_on_their_day(day, text):
    assert read_moment(text, NOW) == date.fromisoformat(day)


def test_with_an_hour_and_in_a_sentence():
    assert read_moment("除夕晚上六點", NOW) == datetime(2027, 2, 5, 18, tzinfo=NOW.tzinfo)
    assert [each.value for each in find_times("中秋節烤肉買肉", NOW)] == [date(2027, 9, 15)]


@pytest.mark.parametrize("text", ["農曆十三月初一", "農曆二月三十一", "12月春節", "2200年春節", "ลอยกระทง"])
def test_what_no_calendar_has_is_refused(text):
    with pytest.raises(NotUnderstood):
        read_moment(text, NOW)
