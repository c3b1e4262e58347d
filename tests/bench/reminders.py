"""What ten thousand reminders that wait cost: a minute in which nothing is due, and finding what is.

``python tests/bench/reminders.py [--waiting 10000] [--url postgresql://…]``; prints milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import insert

from bot.ringing import Ringing
from bot.sql.inbox import SqlInbox
from tools.database import Database
from tools.record import CallKey, Draft, PersonId
from tools.sql.memory import SqlMemory
from tools.sql.record import RECORD
from tools.sql.reminders import SqlReminders

NOW = datetime(2026, 11, 30, 4, tzinfo=UTC)
PEOPLE = 40
LOOKS = 60
"""One a second."""


async def never_quiet(_person: PersonId, _now: datetime) -> None:
    """Nobody minds being disturbed."""


async def filled(database: Database, waiting: int) -> None:
    """So many reminders of the next year, of several people."""
    for number in range(PEOPLE):
        memory = SqlMemory(database, PersonId(f"U{number:032x}"), lambda: NOW)
        first = Draft(content="r", type="task", remind_at=NOW + timedelta(hours=1))
        await memory.record(first, CallKey(f"b{number}", 1), lambda _: {})

    def work(connection) -> None:
        rows = [row._asdict() for row in connection.execute(RECORD.select())]
        copies = []
        for number in range(waiting - PEOPLE):
            row = dict(rows[number % PEOPLE])
            due = row["remind_at"] + (number * 3_000_000_000 % 31_000_000_000_000)
            again = {"remind_at": due, "next_ring": due, "ref": 2 + number // PEOPLE}
            copies.append(row | again | {"id": f"{number:032x}", "key": f"k{number:031x}"})
        connection.execute(insert(RECORD), copies)

    await database.write(work)


async def measured(url: str, waiting: int) -> None:
    database = Database(url)
    await database.start()
    await filled(database, waiting)
    moment = NOW
    ringing = Ringing(
        SqlReminders(database), SqlInbox(database, lambda: moment), lambda _: None, lambda: moment, never_quiet
    )
    await ringing.look()
    processor, clock = time.process_time(), time.perf_counter()
    for _ in range(LOOKS):
        await ringing.look()
    spent, took = time.process_time() - processor, time.perf_counter() - clock
    print(
        f"{waiting} waiting: a minute of looking costs {spent * 1000:.1f} ms of processor, {took * 1000:.1f} ms in all"
    )
    reminders = SqlReminders(database)
    for hours in (1, 2, 24):
        at = NOW + timedelta(hours=hours, seconds=1)
        begun = time.perf_counter()
        due = await reminders.due(at)
        print(f"{len(due):4} due are found in {(time.perf_counter() - begun) * 1000:.1f} ms")
    moment = NOW + timedelta(hours=1, seconds=1)
    begun, count = time.perf_counter(), len(await reminders.due(moment))
    await ringing.look()
    print(f"{count:4} due are handed over in {(time.perf_counter() - begun) * 1000:.1f} ms")
    await database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waiting", type=int, default=10_000)
    parser.add_argument("--url", default="")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        asyncio.run(measured(asked.url or f"sqlite:///{Path(folder) / 'bench.db'}", asked.waiting))


if __name__ == "__main__":
    main()
