"""One inbox, two stores of it that are written at once, as by two processes."""

from __future__ import annotations

import asyncio
import random

from bot.main import utc_now
from bot.sql.inbox import SqlInbox
from tests.fakes import said
from tools.database import Database


async def test_the_same_events_in_another_order_from_two_senders_do_not_lock_each_other(url: str):
    stores = [Database(url), Database(url)]
    chance = random.Random(7)
    for store in stores:
        await store.start()
    try:
        inboxes = [SqlInbox(store, utc_now) for store in stores for _ in range(2)]
        for round_ in range(8):
            events = [said(1000 * round_ + number) for number in range(40)]
            await asyncio.gather(*(inbox.put(chance.sample(events, 40)) for inbox in inboxes))
        lanes = await inboxes[0].lanes_with_work()
    finally:
        for store in stores:
            await store.close()

    assert len(lanes) == 1
