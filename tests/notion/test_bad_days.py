"""How fast Notion is asked when much waits, and what a day without Notion costs."""

from __future__ import annotations

import pytest

from tests.notion.bad_days import HOUR, STEP, a_house, flood, outage
from tests.thorough import THOROUGH
from tools.notion.pace import BURST, RATE


@pytest.fixture
async def empty_house(tmp_path, clock):
    async with a_house(tmp_path, clock) as house:
        yield house


async def test_a_burst_of_records_goes_out_at_three_requests_a_second(empty_house):
    told = await flood(empty_house, 200 if THOROUGH else 30)
    print(told, f"{told.rate:.2f} a second")
    assert told.refused == 0
    assert told.requests <= told.seconds * RATE + BURST + 1
    assert told.busiest <= 10 * RATE + BURST + 1
    if told.records > 100:
        assert told.rate <= 3


async def test_a_day_without_notion_loses_nothing_keeps_the_order_and_floods_nobody(empty_house):
    changes, hours = (200, 24) if THOROUGH else (9, 2)
    told = await outage(empty_house, changes, hours)
    print(told)
    assert told.honest
    assert told.ordered
    assert not told.problems
    assert told.waiting > changes / 3
    assert told.asked <= 7 * hours * HOUR / STEP  # a look and a record, each three times, every five minutes
    assert told.caught_up <= STEP + told.requests / RATE + 10
    assert {row["properties"]["Ref"]["number"] for row in empty_house.rows()} >= {1, 2}
