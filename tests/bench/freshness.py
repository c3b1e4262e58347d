"""How long a question waits to be as fresh as Notion: python tests/bench/freshness.py [questions]

A store with 200 records and their pages, and a Notion that takes 300 ms for each call. A question is asked at once, or
after a model has thought for a second; of a Notion that is down, that never answers, or that asked for a pause. Prints
the median and the 95th percentile in milliseconds, with the same question asked of the store alone beside it.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.emulators.notion import TOKEN, Notion, serving
from tests.notion.house import OWNER, TAIPEI
from tools.database import Database
from tools.notion.client import NotionClient
from tools.notion.setup import set_up
from tools.notion.sync import NotionSync
from tools.record import CallKey, Draft, Mirrored, RecordQuery
from tools.sql.memory import SqlMemory

QUESTIONS = 25
RECORDS = 200
CALL_SECONDS = 0.3


class Clock:
    """The time of day, which can be put forward."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead


async def timed(
    ask: Callable[[], Awaitable[object]], clock: Clock, questions: int, thinks: float, sync: NotionSync
) -> str:
    took = []
    for _ in range(questions):
        clock.ahead += timedelta(seconds=20)  # the last look is a while ago
        await asyncio.sleep(1.2)  # and as many requests are free as are after a while
        if thinks:
            await sync.refresh(OWNER, 0)
            await asyncio.sleep(thinks)
        began = time.perf_counter()
        await ask()
        took.append((time.perf_counter() - began) * 1000)
        if sync._pass:
            await asyncio.wait({sync._pass, *sync._checks})
    return f"p50 {statistics.median(took):7.1f} ms   p95 {sorted(took)[int(len(took) * 0.95)]:7.1f} ms"


async def main(questions: int) -> None:
    notion, clock = Notion(), Clock()
    with TemporaryDirectory() as folder:
        async with serving(notion) as address:
            database = Database(f"sqlite:///{folder}/bench.db")
            await database.start()
            client = NotionClient(TOKEN, address, timeout=5)
            source = (await set_up(client, notion.page(), None))[-1].removeprefix("NOTION_DATA_SOURCE_ID=")

            async def owners() -> list[Mirrored]:
                return [Mirrored(OWNER, TAIPEI)]

            sync = NotionSync(database, client, source, owners, now=clock.now, first_rest=0.1)
            alone, fresh = (SqlMemory(database, OWNER, clock.now, mirror) for mirror in (None, sync))
            for number in range(RECORDS):
                draft = Draft(content=f"record {number}", type="task")
                await alone.record(draft, CallKey(f"t{number}", 1), lambda _: {})
            client._pace._rate = client._pace._burst = 10_000
            await sync.push(OWNER, 120)
            client._pace._rate = client._pace._burst = client._pace._tokens = 3.0
            query = RecordQuery(keyword="record", limit=5)
            print(f"{'the store alone':42}", await timed(lambda: alone.query(query), clock, questions, 0, sync))
            notion.fail("slow", "", times=10**9, seconds=CALL_SECONDS, saved=True)
            for thinks in (0.0, 1.0):
                what = f"300 ms a call, the model thinks {thinks:g} s"
                print(f"{what:42}", await timed(lambda: fresh.query(query), clock, questions, thinks, sync))
            for what, kind, more in (
                ("down (503)", "503", {}),
                ("never answers", "slow", {"seconds": 4.0, "saved": True}),
                ("asked for a pause of 90 s", "429", {"retry_after": 90}),
            ):
                notion.faults.clear()
                notion.fail(kind, "", times=10**9, **more)
                print(f"{what:42}", await timed(lambda: fresh.query(query), clock, min(questions, 8), 0, sync))
            await sync.close()
            await client.close()
            await database.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else QUESTIONS))
