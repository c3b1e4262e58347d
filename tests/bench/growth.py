"""How much a store grows: bytes per message, before and after housekeeping, on SQLite and PostgreSQL.

python tests/bench/growth.py [--turns 1000] [--months 3]

People say ordinary things to the core (the engine without a model, a scripted network, a clock in hand), month after
month; the house is kept with words for 30 days. PostgreSQL is the one that SECRETARY_TEST_POSTGRES names, if any; it is
vacuumed before it is measured, as it is by itself in its own time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import NullPool, create_engine, text

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bot.engines.offline.engine import OfflineEngine
from bot.sql.housekeeping import ID_DAYS, SqlHousekeeping
from tests.postgres.schema import database_of_its_own
from tests.talk import Talk
from tools.database import Database, address_of

SAID = (
    "明天下午三點跟陳醫師回診",
    "午餐 120",
    "這個月吃飯花了多少？",
    "提醒我明天早上九點打電話給媽媽",
    "昼ごはん 850",
    "buy milk and two dozen eggs tomorrow",
    "今天有什麼事？",
    "วันนี้มีอะไรบ้าง",
    "哈哈好啊",
    "晚餐跟同事吃火鍋 1280",
)
"""Six of ten leave a record."""

PARTS = {
    "inbox": ("inbox",),
    "transcript": ("transcript",),
    "memory": ("record", "change", "term", "owner"),
}
DAYS = 30

SIZES = {
    "sqlite": "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = '{0}')",
    "postgresql": "SELECT pg_total_relation_size('{0}')",
}
"""Bytes of a table with its indexes."""


async def measured(database: Database, backend: str) -> dict[str, int]:
    """Bytes of each part, and of the whole."""

    def work(connection) -> dict[str, int]:
        def of(table: str) -> int:
            return int(connection.exec_driver_sql(SIZES[backend].format(table)).scalar() or 0)

        return {part: sum(of(table) for table in tables) for part, tables in PARTS.items()}

    return await database.read(work)


async def a_month(talk: Talk, turns: int) -> None:
    """So many things are said, one after the other, under ids as LINE gives them: the newer, the greater."""
    for number in range(turns):
        talk.clock.move(days=DAYS / turns)
        id_ = f"01{int(talk.clock.now.timestamp() * 1000):X}".ljust(26, "Z").replace("Z" * 13, uuid.uuid4().hex[:13])
        said = SAID[number % len(SAID)]
        await talk.says(said, id=id_, reply_token=uuid.uuid4().hex, message_id=str(uuid.uuid4().int)[:18])


class Meter:
    """What the parts of a store weigh."""

    def __init__(self, database: Database, url: str, file: Path | None) -> None:
        self.database = database
        self.url = url
        self.file = file

    async def parts(self) -> list[int]:
        if not self.file:
            await vacuumed(self.url)
        return list((await measured(self.database, "sqlite" if self.file else "postgresql")).values())

    async def show(self, when: str) -> list[int]:
        sizes = await self.parts()
        size = f"   file {self.file.stat().st_size / 2**20:.1f} MiB" if self.file else ""
        print(f"  {when:<32}" + "".join(f"{each / 1024:>9,.0f} KiB" for each in sizes) + size)
        return sizes


def per_message(when: str, sizes: Sequence[int], empty: Sequence[int], messages: int) -> None:
    each = [(now - before) / messages for now, before in zip(sizes, empty, strict=True)]
    print(f"  {when:<32}" + "".join(f"{size:>9,.0f} B  " for size in each))


async def grow(url: str, turns: int, months: int, file: Path | None) -> None:
    database = Database(url)
    await database.start()
    talk, meter = Talk(database, OfflineEngine()), Meter(database, url, file)
    house = SqlHousekeeping(database, talk.clock, DAYS, pause_seconds=0)
    print(f"{'SQLite' if file else 'PostgreSQL'}\n  {'':<32}" + "".join(f"{part:>13}" for part in PARTS))
    empty = await meter.show("empty")
    await a_month(talk, turns)
    fresh = await meter.show(f"a month of {turns} turns")
    per_message("for each message", fresh, empty, turns)
    talk.clock.move(days=DAYS + 1)
    await house.clean()
    per_message("for each, its words gone", await meter.parts(), empty, turns)
    for month in range(2, months + 1):
        await a_month(talk, turns)
        began = time.perf_counter()
        cleaned = await house.clean()
        took = (time.perf_counter() - began) * 1000
        await meter.show(f"month {month:>2}; house kept in {took:,.0f} ms")
        print(f"    {cleaned}", file=sys.stderr)
    talk.clock.move(days=ID_DAYS + 1)
    await house.clean()
    await meter.show("after 400 days of silence")
    await database.close()


async def vacuumed(url: str) -> None:
    def work() -> None:
        engine = create_engine(address_of(url), isolation_level="AUTOCOMMIT", poolclass=NullPool)
        with engine.connect() as connection:
            connection.execute(text("VACUUM"))

    await asyncio.to_thread(work)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1000, help="in a month")
    parser.add_argument("--months", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "bot.db")
        asyncio.run(grow(f"sqlite:///{file}", options.turns, options.months, file))
    if server := os.environ.get("SECRETARY_TEST_POSTGRES"):
        with database_of_its_own(server) as url:
            asyncio.run(grow(url, options.turns, options.months, None))


if __name__ == "__main__":
    main()
