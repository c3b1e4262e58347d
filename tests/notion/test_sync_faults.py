"""Records on their way to a Notion that fails: every day ends as one without a fault."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest

from tests.notion.house import OWNER, SOON, START, House
from tests.thorough import THOROUGH
from tools.notion.client import NotionClient
from tools.notion.sync import NotionSync
from tools.record import Note

FAULTS = [
    ("429", {"retry_after": 1}), ("529", {}), ("409", {}), ("409", {"times": 4}), ("500", {}), ("502", {}),
    ("504", {}), ("504", {"saved": True}), ("dropped", {}), ("dropped", {"saved": True}), ("200 html", {"saved": True}),
    ("dropped", {"saved": True, "times": 3}), ("504", {"times": 7}), ("502", {"saved": True, "times": 7}),
]  # fmt: skip


async def a_day(house: House, sync: NotionSync) -> list[tuple[Any, ...]]:
    """A creation, a change, notes, a deletion and its undoing, with Notion asked after each; what stands there."""
    first = await house.add("買牛奶", notes=(Note(START, "兩瓶"),))
    second = await house.add("午餐", type="expense", amount=Decimal(120), currency="TWD")
    for step in (
        lambda: house.revise(first, content="買豆漿", notes=(Note(START, "兩瓶"), Note(START, "無糖"))),
        lambda: house.remove(second),
        house.undo,
        lambda: house.revise(second, amount=Decimal(130)),
    ):
        await sync.push(OWNER, SOON)
        await step()
    for _ in range(12):
        if (await sync.push(OWNER, SOON)).waiting == 0:
            break
        house.clock.seconds += 400
    house.clock.seconds += 400
    await house.add("last")
    await sync.push(OWNER, SOON)
    await house.notion.quiet()
    return [
        (
            row["properties"]["Ref"]["number"],
            title,
            row["properties"]["Amount"]["number"],
            house.notion.texts(row["id"]),
        )
        for row, title in zip(sorted(house.rows(), key=lambda row: row["_order"]), house.titles(), strict=True)
    ]


DAY = [
    (1, "買豆漿", None, ["2026-11-30 12:00 兩瓶", "2026-11-30 12:00 無糖"]),
    (2, "午餐", 130, []),
    (3, "last", None, []),
]


ON = ["POST /v1/pages", "PATCH", "GET|DELETE|POST /v1/data"]
CASES = [(kind, how, on) for kind, how in FAULTS for on in ON]


@pytest.mark.parametrize(("kind", "how", "on"), CASES if THOROUGH else CASES[::2])
async def test_a_day_with_any_fault_ends_as_a_day_without(house, kind, how, on):
    house.notion.fail(kind, on, **how)
    assert sorted(await a_day(house, house.sync())) == DAY


async def test_a_day_on_postgresql_with_two_processes_ends_as_any_other(house_on_postgresql):
    house = house_on_postgresql
    house.notion.fail("504", "POST /v1/pages", saved=True, times=2)
    house.notion.fail("dropped", "PATCH", times=4)
    one, other = house.sync(process="one"), house.sync(process="other")
    assert sorted(await a_day(house, one)) == DAY
    await house.add("more")
    house.clock.seconds += 400
    await asyncio.gather(one.push(OWNER, SOON), other.push(OWNER, SOON))
    assert len(house.rows()) == 4


async def test_a_day_on_which_everything_fails_now_and_then_ends_as_a_day_without(house):
    for number in range(40):
        kind, how = FAULTS[number % len(FAULTS)]
        house.notion.fail(kind, "POST|PATCH", **(how | {"times": 1}))
    sync = house.sync()
    await a_day(house, sync)
    house.notion.faults.clear()
    house.clock.seconds += 400
    await sync.push(OWNER, SOON)
    assert len(house.rows()) == 3
    assert house.titles()[0] == "買豆漿"


async def test_a_process_that_dies_after_a_creation_finds_the_page_again(house):
    ref = await house.add()
    house.notion.fail("slow", "POST /v1/pages", seconds=0.2, saved=True)
    dying = house.sync()
    assert (await dying.push(OWNER, 0.1)).waiting == 1
    await dying.close()
    await house.notion.quiet()
    await house.revise(ref, content="買豆漿")
    assert (await house.sync().push(OWNER, SOON)).waiting == 0
    assert house.titles() == ["買豆漿"]


async def test_a_copy_that_lands_late_is_trashed_a_minute_and_a_half_later(house, address, clock):
    client = NotionClient("ntn_emulated", address, now=clock.now, sleep=clock.sleep, timeout=0.1)
    house.client = client
    house.notion.fail("slow", "POST /v1/pages", seconds=0.5, saved=True)
    await house.add()
    sync = house.sync()
    assert (await sync.push(OWNER, SOON)).waiting == 0
    await house.notion.quiet()
    assert len(house.rows()) == 2
    clock.seconds += 91
    await house.add("next")
    await sync.push(OWNER, SOON)
    assert sorted(house.titles()) == ["next", "買牛奶"]
    await sync.close()
    await client.close()


async def test_a_push_returns_in_time_and_the_rest_arrives_by_itself(house):
    await house.add()
    house.notion.fail("slow", "POST /v1/pages", seconds=0.3, saved=True)
    sync = house.sync()
    started = asyncio.get_running_loop().time()
    assert (await sync.push(OWNER, 0.05)).waiting == 1
    assert asyncio.get_running_loop().time() - started < 0.25
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert len(house.rows(trashed=None)) == 1
