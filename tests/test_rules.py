"""What repeats, said back in four languages; and what is said back is understood again."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.voice.rules import rule_text
from tools.record import Language
from tools.when import read_rule

NOW = datetime(2026, 11, 30, 9, 30, tzinfo=ZoneInfo("Asia/Taipei"))
EIGHT = datetime(2026, 12, 2, 8, tzinfo=NOW.tzinfo)
LANGUAGES: tuple[Language, ...] = ("zh-TW", "ja", "th", "en")

SAID = {
    "FREQ=DAILY": ("每天 08:00", "毎日 8:00", "ทุกวัน 08:00 น.", "every day 08:00"),
    "FREQ=DAILY;INTERVAL=3": ("每 3 天 08:00", "3日ごと 8:00", "ทุก 3 วัน 08:00 น.", "every 3 days 08:00"),
    "FREQ=WEEKLY;BYDAY=MO,WE": (
        "每週一、三 08:00", "毎週月・水曜 8:00", "ทุกวันจันทร์ และพุธ 08:00 น.", "every Monday and Wednesday 08:00",
    ),
    "FREQ=WEEKLY": ("每週三 08:00", "毎週水曜 8:00", "ทุกวันพุธ 08:00 น.", "every Wednesday 08:00"),
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR": ("平日 08:00", "平日 8:00", "วันธรรมดา 08:00 น.", "weekdays 08:00"),
    "FREQ=WEEKLY;BYDAY=SA,SU": ("每週末 08:00", "毎週末 8:00", "ทุกสุดสัปดาห์ 08:00 น.", "weekends 08:00"),
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR": (
        "每兩週的週五 08:00", "隔週金曜 8:00", "ทุก 2 สัปดาห์ วันศุกร์ 08:00 น.", "every other Friday 08:00",
    ),
    "FREQ=MONTHLY;BYMONTHDAY=5,25": (
        "每月 5、25 號 08:00", "毎月5・25日 8:00", "วันที่ 5 และ 25 ของทุกเดือน 08:00 น.",
        "the 5th and 25th of every month 08:00",
    ),
    "FREQ=MONTHLY;BYMONTHDAY=-1": (
        "每月最後一天 08:00", "毎月最終日 8:00", "วันสุดท้ายของทุกเดือน 08:00 น.", "the last day of every month 08:00",
    ),
    "FREQ=MONTHLY;BYDAY=1MO": (
        "每月第一個週一 08:00", "毎月第1月曜 8:00", "วันจันทร์ที่ 1 ของทุกเดือน 08:00 น.",
        "the first Monday of every month 08:00",
    ),
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1": (
        "每月最後一個工作天 08:00", "毎月最終営業日 8:00", "วันทำงานสุดท้ายของทุกเดือน 08:00 น.",
        "the last workday of every month 08:00",
    ),
    "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25": (
        "每年 12/25 08:00", "毎年12月25日 8:00", "ทุกปี 25 ธ.ค. 08:00 น.", "every year on Dec 25 08:00",
    ),
    "FREQ=HOURLY;INTERVAL=2": ("每 2 小時", "2時間ごと", "ทุก 2 ชั่วโมง", "every 2 hours"),
    "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0": (
        "每天 08:00、20:00", "毎日 8:00、20:00", "ทุกวัน 08:00 น., 20:00 น.", "every day 08:00, 20:00",
    ),
    "FREQ=WEEKLY;BYDAY=FR;UNTIL=20261231\nEXDATE:20261225": (
        "每週五 08:00，到12/31（四）為止，12/25（五）除外",
        "毎週金曜 8:00、12/31（木）まで、12/25（金）を除く",
        "ทุกวันศุกร์ 08:00 น. ถึง พฤ. 31 ธ.ค. ยกเว้น ศ. 25 ธ.ค.",
        "every Friday 08:00 until Thu Dec 31 except Fri Dec 25",
    ),
}  # fmt: skip

ALSO = [
    "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU", "FREQ=MONTHLY;BYDAY=2SA,4SA", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=DAILY;COUNT=10",
    "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=25", "FREQ=YEARLY;INTERVAL=2;BYMONTH=3;BYMONTHDAY=4",
    "FREQ=MINUTELY;INTERVAL=30",
    "FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TH", "FREQ=HOURLY", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1",
]  # fmt: skip


@pytest.mark.parametrize(("rule", "texts"), SAID.items())
def test_a_rule_is_said_back_in_every_language(rule, texts):
    assert tuple(rule_text(rule, EIGHT, NOW.date(), language) for language in LANGUAGES) == texts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", [*SAID, *ALSO])
def test_what_is_said_back_is_understood_again(rule, language):
    said = rule_text(rule, EIGHT, NOW.date(), language)
    again = read_rule(said, NOW)
    assert again.rule == ("FREQ=WEEKLY;BYDAY=WE" if rule == "FREQ=WEEKLY" else rule), said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_that_not_every_month_has_is_said_to_be_its_last(language):
    said = rule_text("FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1", date(2026, 11, 30), NOW.date(), language)
    assert "30" in said
    assert any(word in said for word in ("最後一天", "末日", "วันสุดท้าย", "last day"))
    leap = rule_text("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1", date(2027, 2, 28), NOW.date(), language)
    assert "29" in leap


def test_exceptions_that_are_over_are_not_said():
    assert rule_text("FREQ=DAILY\nEXDATE:20261101", date(2026, 10, 1), NOW.date(), "en") == "every day"
