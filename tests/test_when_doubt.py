"""How sure a reading is, and what else may have been meant: what a person can be asked about with two buttons."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from tools.when import read_time

TAIPEI = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 11, 30, 9, 30, tzinfo=TAIPEI)
"""A Monday."""


def moment(text: str) -> date | datetime:
    return datetime.fromisoformat(text).replace(tzinfo=TAIPEI) if "T" in text else date.fromisoformat(text)


@pytest.mark.parametrize(
    ("text", "read", "other"),
    [
        ("早上8點", "2026-12-01T08:00", "2026-11-30T08:00"),
        ("朝8時", "2026-12-01T08:00", "2026-11-30T08:00"),
        ("8am", "2026-12-01T08:00", "2026-11-30T08:00"),
        ("8 โมงเช้า", "2026-12-01T08:00", "2026-11-30T08:00"),
        ("週一", "2026-11-30", "2026-12-07"),
        ("月曜日", "2026-11-30", "2026-12-07"),
        ("Monday", "2026-11-30", "2026-12-07"),
        ("วันจันทร์", "2026-11-30", "2026-12-07"),
        ("Monday 8am", "2026-12-07T08:00", "2026-11-30T08:00"),
        ("next Friday", "2026-12-11", "2026-12-04"),
        ("วันศุกร์หน้า", "2026-12-11", "2026-12-04"),
        ("next Friday 3pm", "2026-12-11T15:00", "2026-12-04T15:00"),
        ("12月第一週", "2026-12-07", "2026-11-30"),
        ("the first week of December", "2026-11-30", "2026-12-07"),
        ("6am to 8am", "2026-12-01T06:00", "2026-11-30T06:00"),
    ],
)
def test_words_for_two_times_are_read_as_one_and_say_which_is_the_other(text, read, other):
    reading = read_time(text, NOW)
    assert reading.start == moment(read)
    assert not reading.sure
    assert reading.other is not None
    assert reading.other.start == moment(other)


@pytest.mark.parametrize(
    "text",
    [
        "明天下午三點", "明日15時", "พรุ่งนี้บ่ายสาม", "tomorrow 3pm", "下週五", "来週の金曜", "週五",
        "Friday", "8pm", "12/25",
        "下週",
        "12/1-12/3", "今天早上8點", "next month", "2026-W51", "3 days from now", "this Friday",
    ],
)  # fmt: skip
def test_what_means_one_time_is_sure(text):
    reading = read_time(text, NOW)
    assert reading.sure
    assert reading.other is None


def test_a_range_from_a_day_to_a_month_leaves_open_whether_the_month_is_in_it():
    reading = read_time("2026-12-01 to Feb 2027", NOW)
    assert (reading.start, reading.end) == (date(2026, 12, 1), date(2027, 2, 28))
    assert reading.other is not None
    assert reading.other.end == date(2027, 2, 1)


def test_what_is_past_is_not_doubted():
    assert read_time("早上8點", NOW, past=True).sure
    assert read_time("週一", NOW, past=True).sure
