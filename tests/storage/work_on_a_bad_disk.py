"""A process that works on a disk that fails: what was acknowledged is there, whatever fails, and it goes on afterwards.

``python -m tests.storage.work_on_a_bad_disk FOLDER BLANK ERRNO TIMES FIRST STEP`` tries every call of the workload in
turn (FIRST, FIRST + STEP, …) and prints one line of JSON for each. With ``careless`` behind it a message is
acknowledged before it is stored. Must not know what is expected.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import sys
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from bot.ports import Bubble
from bot.sql.inbox import SqlInbox
from tests.fakes import NOON
from tests.storage.bad_disk import BadDisk, calls_counted
from tests.storage.lived_in import MEI, draft, message, told
from tools.database import Database
from tools.record import CallKey, StoreUnavailable
from tools.sql.memory import SqlMemory

MESSAGES = 2


@dataclass
class Seen:
    """What the bot was told by its store."""

    careless: bool = False
    acknowledged: list[str] = field(default_factory=list)
    recorded: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0


async def one_message(database: Database, number: int, seen: Seen) -> None:
    """Store a message, record what it says, answer it: each step as far as the store takes it."""
    inbox, memory = SqlInbox(database, lambda: NOON, worker="w"), SqlMemory(database, MEI, lambda: NOON)
    try:
        if seen.careless:
            seen.acknowledged.append(message(number).id)
        await inbox.put([message(number)])
        seen.acknowledged.append(message(number).id)
        await memory.record(draft(number), CallKey(message(number).id, 0), told)
        seen.recorded.append(message(number).id)
        while turn := await inbox.take(message(number).lane):
            if turn.state == "working":
                await inbox.answered(turn, [Bubble("好" * 500)])
            await inbox.delivered(turn)
    except StoreUnavailable as trouble:
        seen.refused[getattr(trouble, "reason", "none")] += 1
        try:
            await inbox.oldest_waiting()
        except StoreUnavailable:
            seen.unreadable += 1


def problems(file: Path, seen: Seen) -> list[str]:
    """What is not as it was acknowledged."""
    with closing(sqlite3.connect(file)) as store:
        found = [row[0] for row in store.execute("PRAGMA integrity_check").fetchall() if row[0] != "ok"]
        found += [str(row) for row in store.execute("PRAGMA foreign_key_check").fetchall()]
        heard = {row[0] for row in store.execute("SELECT id FROM inbox")}
        recorded = [row[0] for row in store.execute("SELECT turn FROM change")]
        records = store.execute("SELECT count(*) FROM record").fetchone()[0]
    found += [f"lost {each}" for each in seen.acknowledged if each not in heard]
    found += [f"record lost {each}" for each in seen.recorded if each not in recorded]
    if not len(recorded) == len(set(recorded)) == records:
        found.append(f"{records} records, {len(recorded)} changes of {len(set(recorded))} calls")
    return found


async def attempt(disk: BadDisk, blank: Path, at: int, number: int, times: int, seen: Seen) -> dict[str, Any]:
    """The workload with one fault; the disk recovers before its last message."""
    file = Path(shutil.copy(blank, disk.folder / f"{at}.db"))
    database = Database(f"sqlite:///{file}", busy_seconds=2)
    await database.start()
    disk.fails(at, number, times)
    for each in range(MESSAGES):
        await one_message(database, each, seen)
        if each == 0:
            await asyncio.to_thread(checkpoint, file)
    calls, refused = calls_counted(), Counter(seen.refused)
    trouble = database.trouble
    disk.recovers()
    await one_message(database, MESSAGES, seen)
    last = [] if message(MESSAGES).id in seen.recorded else ["it does not go on when the disk has recovered"]
    left = left_by_a_kill(file)
    await database.close()
    wrong = {"closed": problems(file, seen), "killed": problems(left, seen), "after": last}
    for each in (*disk.folder.glob(f"{at}.db*"), *disk.folder.glob(f"killed-{at}.db*")):
        each.unlink()
    return {
        "at": at,
        "calls": calls,
        "refused": refused,
        "trouble": trouble,
        "unreadable": seen.unreadable,
        "wrong": {name: found for name, found in wrong.items() if found},
    }


def checkpoint(file: Path) -> None:
    """What SQLite does by itself every thousand pages: the journal is moved into the file, and begun anew."""
    with closing(sqlite3.connect(file)) as store, suppress(sqlite3.Error):
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def left_by_a_kill(file: Path) -> Path:
    """The files as they would be found if the process died now."""
    for each in ("", "-wal"):
        shutil.copy(f"{file}{each}", file.with_name(f"killed-{file.name}{each}"))
    return file.with_name(f"killed-{file.name}")


async def main(folder: str, blank: str, number: str, times: str, first: str, step: str, *careless: str) -> None:
    """Until a workload ends before its fault is reached."""
    disk = BadDisk(Path(folder), Path(f"{folder}.control"))
    for at in count(int(first), int(step)):
        done = await attempt(disk, Path(blank), at, int(number), int(times), Seen(careless=bool(careless)))
        if done["calls"] < at:
            return
        print(json.dumps(done), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
