"""A store that somebody has lived in: rows in every table, of every kind that matters.

Must not know what is tested.
"""

from __future__ import annotations

import importlib
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import insert

from bot.ports import Bubble, ChatId, IncomingMessage, Person
from bot.sql.inbox import SqlInbox
from bot.sql.people import SqlPeople
from bot.sql.transcript import SqlTranscript
from tests.fakes import NOON
from tools.database import Database, metadata
from tools.record import CallKey, Draft, PersonId, Record, Result
from tools.sql.attachments import SqlAttachments
from tools.sql.memory import SqlMemory

ROOT = Path(__file__).resolve().parent.parent.parent

MEI = PersonId("U" + "1" * 32)


def every_table_is_loaded() -> None:
    """Tables are put on the one metadata by the modules that use them, wherever these are."""
    for folder in ("bot", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            if "import" in (source := path.read_text()) and "metadata" in source and "migrations" not in path.parts:
                importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def message(number: int, **fields: Any) -> IncomingMessage:
    """One thing that Mei says."""
    at = NOON + timedelta(seconds=number)
    given = {"id": f"event-{number:05}", "text": f"午餐 {number}", "occurred_at": at, "received_at": at} | fields
    return IncomingMessage(kind="text", chat=ChatId(MEI), chat_kind="user", person=MEI, **given)


def draft(number: int) -> Draft:
    """One record of hers."""
    return Draft(type="expense", content=f"第{number}筆 🍜\u200b", tags=("餐", "x"), category="food")


def told(record: Record) -> Result:
    """What a tool returns."""
    return {"ref": record.ref}


SOME = {int: 7, bool: True}
"""Values of columns that hold no text."""


async def live_in(database: Database, records: int = 20) -> None:
    """Fill it."""
    inbox, memory = SqlInbox(database, lambda: NOON), SqlMemory(database, MEI, lambda: NOON)
    await SqlPeople(database, lambda: NOON).keep(Person(MEI, "zh-TW", "zh-TW", ZoneInfo("Asia/Taipei"), "TWD", "owner"))
    await inbox.put([message(number) for number in range(3)])
    turn = await inbox.take(message(0).lane)
    assert turn is not None
    await SqlTranscript(database, lambda: NOON).append(turn.id, turn.chat, 0, [{"role": "user", "content": "午餐"}])
    for number in range(records):
        await memory.record(draft(number), CallKey(turn.id, number), told)
    await memory.remove([1], CallKey(turn.id, records), told)
    await _with_a_photo(SqlAttachments(database, MEI, lambda: NOON), await memory.get(2))
    await inbox.answered(turn, [Bubble("好")])
    await inbox.put([message(9)])
    await database.write(_the_rest)


async def _with_a_photo(attachments: SqlAttachments, record: Record | None) -> None:
    kept = await attachments.keep("1", "a.jpg", b"\xff\xd8\xff\x00\x80")
    if record and kept.attachment:
        await attachments.attach(record.id, [kept.attachment])
        await attachments.link((await attachments.held())[0])


def _the_rest(connection: Any) -> None:
    """Tables that nothing above wrote to get a row of their own, so that none is forgotten."""
    every_table_is_loaded()
    for table in metadata.sorted_tables:
        if connection.execute(table.select().limit(1)).first() is None:
            row = {c.name: SOME.get(c.type.python_type, c.name[:8]) for c in table.columns if not c.nullable}
            connection.execute(insert(table).values(row))


async def contents(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    every_table_is_loaded()

    def work(connection: Any) -> dict[str, list[tuple[Any, ...]]]:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(table.select())), key=repr)
            for table in metadata.sorted_tables
        }

    return await database.read(work)
