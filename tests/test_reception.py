"""What comes in: admitted, stored, and its lane woken, even if it was stored too late to be acknowledged."""

from __future__ import annotations

import asyncio

import pytest

from bot.gate import Gate
from bot.ports import LaneId
from bot.reception import Reception
from bot.sql_inbox import SqlInbox
from tests.fakes import ANNA, NOON, said


@pytest.fixture
def woken() -> list[LaneId]:
    return []


@pytest.fixture
def reception(database, woken) -> Reception:
    inbox = SqlInbox(database, lambda: NOON)
    return Reception(inbox, Gate(everyone=True, welcome=[], code=None), woken.append)


async def test_a_stored_message_wakes_its_lane_once(reception, woken):
    await reception.receive([said(1), said(2)])
    await reception.receive([said(1)])
    await asyncio.sleep(0)

    assert woken == [LaneId(ANNA)]


async def test_what_is_stored_too_late_to_be_acknowledged_wakes_its_lane_all_the_same(reception, database, woken):
    busy = asyncio.Event()
    loop = asyncio.get_running_loop()
    blocker = asyncio.create_task(
        database.write(lambda _: asyncio.run_coroutine_threadsafe(busy.wait(), loop).result(10))
    )
    await asyncio.sleep(0.05)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(reception.receive([said(1)]), 0.05)
    assert woken == []

    busy.set()
    await blocker
    await asyncio.wait_for(asyncio.gather(*reception._storing), 5)
    await asyncio.sleep(0)

    assert woken == [LaneId(ANNA)]
