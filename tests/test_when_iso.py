"""ISO 8601 in the forms that programs, calendars and models write."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from tools.when import NotUnderstood, read_moment, read_range

TAIPEI = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 11, 30, 9, 30, tzinfo=TAIPEI)


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-01T15:00", "2026-12-01t15:00", "2026-12-01 15:00", "20261201T1500", "20261201T150000", "2026-12-01T15",
        "2026-12-01T15:00:00", "2026-12-01T15:00:00.000", "2026-12-01T15:00:00,5", "2026-12-01T07:00Z",
        "2026-12-01t07:00z",
        "2026-12-01T15:00+08:00", "2026-12-01T15:00+0800", "2026-12-01T15:00+08", "2026-12-01T02:00−05:00",
        "20261201T070000Z", "20261201T150000+0800", "2026-12-01 15:00:00+08:00", "2026-12-01T15+08", "2026-W49-2T15:00",
        "2026-335T15:00",
    ],
)  # fmt: skip
def test_a_moment_is_read_in_every_form(text):
    assert read_moment(text, NOW) == datetime(2026, 12, 1, 15, tzinfo=TAIPEI)


@pytest.mark.parametrize("text", ["2026-12-01", "20261201", "2026-W49-2", "2026W492", "2026-335", "2026-w49-2"])
def test_a_day_is_read_in_every_form(text):
    assert read_moment(text, NOW) == date(2026, 12, 1)


@pytest.mark.parametrize(
    "text", ["2026-12", "2026-12-01/2026-12-31", "2026-12-01/P31D", "P1M/2026-12-31", "2026-12-01/P1M"]
)
def test_a_month_is_a_range(text):
    assert read_range(text, NOW) == (date(2026, 12, 1), date(2026, 12, 31))


@pytest.mark.parametrize(
    "text",
    [
        "2026-13-01", "2026-12-32", "2026-12-01T25:00", "2026-12-01T15:60", "1998-12-31T23:59:60Z",
        "2026-W54", "2026-W49-0",
        "2026-000", "2026-366", "P", "PT", "P1D", "PT1H", "2026-12-01T24:00Z",
        "2026-12-01T15:00+25:00", "20261301T0000",
        "2026-12-02/2026-12-01", "2026-12-01/PT", "T25",
    ],
)  # fmt: skip
def test_what_is_no_such_moment_is_refused(text):
    with pytest.raises(NotUnderstood):
        read_moment(text, NOW)


def test_an_hour_that_summer_time_skips_moves_forward():
    berlin = datetime(2027, 3, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    assert read_moment("2027-03-28T02:30", berlin).isoformat() == "2027-03-28T03:30:00+02:00"
    start, end = read_range("2027-03-28T01:30/PT1H", berlin)
    assert end is not None
    assert (start.isoformat(), end.isoformat()) == ("2027-03-28T01:30:00+01:00", "2027-03-28T03:30:00+02:00")
