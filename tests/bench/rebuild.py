"""What it takes to make a store of 20,000 records anew from Notion, and to take in 20,000 rows that people made.

python tests/bench/rebuild.py [--rows 20000]

The emulated Notion stands in this process and answers as fast as it can; the store is filled in a process of its own,
whose time and memory are told. Its clock does not wait for Notion's rate: what three requests a second make of it is
reckoned from the requests that were asked.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.emulators.notion import TOKEN, Notion, serving
from tools.database import Database
from tools.notion.client import NotionClient
from tools.notion.page import properties
from tools.notion.rebuild import Progress, Rebuild
from tools.notion.schema import bind, option_names
from tools.notion.show import Show
from tools.notion.sync import NotionSync
from tools.record import Mirrored, PersonId, Record

ROOT = Path(__file__).resolve().parents[2]
OWNER = PersonId("Uowner")
RATE = 3.0
SAID = ("明天下午三點跟陳醫師回診", "午餐 跟同事吃火鍋", "buy milk and two dozen eggs", "昼ごはん", "ซื้อกาแฟกับเพื่อน")


class Hasty:
    """A clock that passes by sleeping alone, and then at once."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.seconds += seconds
        await asyncio.sleep(0)


def now() -> datetime:
    return datetime.now(UTC)


def peak() -> int:
    """KiB of memory at most: what ``getrusage`` tells counts in the process that this one was started by."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


async def fill(what: str, url: str, address: str, source: str) -> None:
    """In the process that is measured: fill a store, and say what it took."""
    hasty, database = Hasty(), Database(url)
    await database.start()
    client = NotionClient(TOKEN, address, now=hasty.now, sleep=hasty.sleep)
    began, before = time.perf_counter(), peak()
    after_a_tenth: list[int] = []

    def told(progress: Progress) -> None:
        if not after_a_tenth and progress.rows > 2000:
            after_a_tenth.append(peak())

    if what == "rebuild":
        done = await Rebuild(database, client, source, now=now, show=Show(redact=str)).run(told=told)
        print(f"  {done.back:,} records are back")
    else:
        await take_in(database, client, source)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(
        f"  {time.perf_counter() - began:.0f} s, of which {usage.ru_utime + usage.ru_stime:.0f} s on the processor; "
        f"memory at most {peak() / 1024:.0f} MiB, {before / 1024:.0f} before"
        + (f", {after_a_tenth[0] / 1024:.0f} after 2,000 rows" if after_a_tenth else "")
    )
    await client.close()
    await database.close()


async def take_in(database: Database, client: NotionClient, source: str) -> None:
    """The rows that people made become records; what is written back to them is another matter."""

    async def owners() -> list[Mirrored]:
        return [Mirrored(OWNER, UTC)]

    sync = NotionSync(database, client, source, owners, now=now, show=Show(redact=str))
    while await sync._looking.pull.sweep(await owners()):
        pass
    await sync.close()


def record(number: int, at: datetime) -> Record:
    kind: Any = ("event", "expense", "task", "note")[number % 4]
    money = {"amount": Decimal(100 + number), "currency": "TWD", "category": "餐飲"} if kind == "expense" else {}
    when = at + timedelta(days=3) if kind in {"event", "task"} else at.date()
    return Record(
        content=f"{SAID[number % 5]} {number}", type=kind, when=when, tags=("家", "工作")[: number % 3], id=f"{number}",
        owner=OWNER, ref=number, key=f"{number:032x}", rev=1, created_at=at, updated_at=at, **money,
    )  # fmt: skip


def filled(rows: int, *, theirs: bool) -> tuple[Notion, str]:
    """A table of so many rows, seven in each minute; ``theirs``: as people make them, with nothing of ours."""
    clock = datetime(2025, 1, 1, 4, tzinfo=UTC)
    notion = Notion(now=lambda: clock)
    columns = {"title": "title", "type": "select", "status": "select", "when": "date", "remind": "date",
               "amount": "number", "category": "select", "currency": "select", "tags": "multi_select",
               "owner": "rich_text", "key": "rich_text", "ref": "number", "data": "rich_text"}  # fmt: skip
    wanted = {name: {"type": kind, kind: {}, "description": f"secretary:v1:{name}"} for name, kind in columns.items()}
    parent = {"type": "page_id", "page_id": notion.page()}
    made = notion.create_database({"parent": parent, "initial_data_source": {"properties": wanted}})
    source = str(made["data_sources"][0]["id"])
    binding = bind(notion.sources[source]["properties"])
    hidden = {binding.ids[name] for name in ("owner", "key", "ref", "data")} if theirs else set()
    for number in range(1, rows + 1):
        clock += timedelta(seconds=8)
        values = properties(record(number, clock), binding, option_names("en"), UTC)
        kept = {id_: value for id_, value in values.items() if id_ not in hidden}
        notion.create_page({"parent": {"data_source_id": source}, "properties": kept})
    notion.requests.clear()
    return notion, source


async def main(rows: int) -> None:
    for what, theirs in (("rebuild", False), ("import", True)):
        notion, source = filled(rows, theirs=theirs)
        if theirs:
            with notion.by_a_person():
                for page in notion.rows(source):
                    page["created_by"] = page["last_edited_by"] = notion.user()
        print(f"{what} of {rows:,} rows:")
        with tempfile.TemporaryDirectory() as folder:
            async with serving(notion) as address:
                url = f"sqlite:///{folder}/anew.db"
                child = await asyncio.create_subprocess_exec(
                    *(sys.executable, __file__, "--fill", what, url, address, source),
                    env={**os.environ, "PYTHONPATH": str(ROOT)},
                )
                if await child.wait():
                    sys.exit("it failed")
        asked = len(notion.requests)
        print(f"  {asked:,} requests: at {RATE:.0f} a second at least {asked / RATE:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--fill", nargs=4, default=None, help=argparse.SUPPRESS)
    options = parser.parse_args()
    asyncio.run(fill(*options.fill) if options.fill else main(options.rows))
