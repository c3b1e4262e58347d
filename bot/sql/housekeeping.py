"""Housekeeping in the store: words that are settled and old go, ids stay longer, and nothing grows for ever.

In small transactions, so that no turn waits behind one. What is remembered for people (records, and every change to
them) is theirs and never touched. Must not know what a message means, or when it is cleaned up.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Connection,
    Executable,
    Row,
    bindparam,
    delete,
    select,
    tuple_,
    update,
)

from bot.sql.allowance import ALLOWANCE
from bot.sql.audit import TOOL_CALL
from bot.sql.inbox_rows import HORIZON, INBOX, message_to_json, only_the_id, turn_of
from bot.sql.members import INVITATION
from bot.sql.people import STRANGER
from bot.sql.postponed import POSTPONED
from bot.sql.said import SAID
from bot.sql.taking_back import UNSENT
from bot.sql.transcript import FORGET_THOUGHTS, TRANSCRIPT
from tools.database import Database, Work, insert_new, micros
from tools.sql.old_attachments import (
    DROP_FETCHED,
    DROP_HOLDS,
    DROP_LINKS,
    DROP_UNHELD,
    UNDO_DAYS,
    UNHELD_DAYS,
    batch_of,
)

log = logging.getLogger(__name__)

ID_DAYS = 400
"""So long the id of a message outlives it at least, so that a repeat is known. When it goes, the horizon moves past it:
what happened before that is not heard any more."""

BATCH = 200
"""Rows in one transaction: some milliseconds, in which nobody else writes to a SQLite store."""

PAUSE_SECONDS = 0.05
"""Between two of them, for whoever waits."""

HOUR_SECONDS = 3600.0

FIRST_SECONDS = 60.0
"""After a start there is more urgent work."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What went: messages that lost their words, rows of transcripts, ids, strangers who had been told, words that had
    waited for the model, and attachments that no record holds."""

    messages: int = 0
    transcript: int = 0
    ids: int = 0
    strangers: int = 0
    postponed: int = 0
    attachments: int = 0


async def keep_house(
    house: SqlHousekeeping, *, first_seconds: float = FIRST_SECONDS, every_seconds: float = HOUR_SECONDS
) -> None:
    """Clean up every hour, for ever. Several processes on one store may do so at once."""
    await asyncio.sleep(first_seconds)
    while True:
        try:
            if (cleaned := await house.clean()) != Cleaned():
                log.info("what was settled and old is gone: %s", cleaned)
        except Exception:
            log.exception("the house could not be kept; trying again in an hour")
        await asyncio.sleep(every_seconds)


class SqlHousekeeping:
    """What is kept of settled messages, and for how many days."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], datetime],
        retention_days: int,
        *,
        batch: int = BATCH,
        pause_seconds: float = PAUSE_SECONDS,
        also: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._database = database
        self._now = now
        self._words = timedelta(days=retention_days)
        self._ids = timedelta(days=max(ID_DAYS, retention_days))
        self._batch = batch
        self._pause_seconds = pause_seconds
        self._also = also
        self._seen = (0, "")

    async def clean(self) -> Cleaned:
        """Let go of everything that is old enough by now, and of who wished to be forgotten."""
        if self._also:
            await self._also()
        messages, transcript = await self._forget_words()
        ids = await self._drop_ids()
        day = f"{self._now() - self._words:%Y-%m-%d}"
        await self._repeat(self._deletion(_DROP_ALLOWANCES, day=day))
        for drop in (_DROP_SAID, _DROP_UNSENT, _DROP_INVITATIONS):
            await self._repeat(self._deletion(drop, before=self._before(self._words)))
        await self._repeat(self._deletion(_DROP_CALLS, before=self._before(self._ids)))
        strangers = await self._repeat(self._deletion(_DROP_STRANGERS, day=day))
        postponed = await self._repeat(self._forget_postponed)
        return Cleaned(messages, transcript, ids, strangers, postponed, await self._drop_attachments())

    def _before(self, age: timedelta) -> int:
        return micros(self._now() - age)

    async def _forget_words(self) -> tuple[int, int]:
        """Messages and rows of transcripts that went. What was seen once is not looked at again by this process: a
        row that moves gets another place."""
        messages = transcript = 0
        before = self._before(self._words)
        while rows := await self._settled_before(before):
            wordy = [row for row in rows if _has_words(row)]
            turns = {row.turn for row in wordy if row.turn}
            if turns:  # before the messages, whose words say that this is still to be done
                gone = self._deletion(_FORGET_TRANSCRIPT, turns=sorted(turns), before=before)
                transcript += await self._repeat(gone)
            if wordy:
                messages += await self._reduce(wordy, before)
            self._seen = rows[-1].moved_at, rows[-1].id
            await asyncio.sleep(self._pause_seconds)
        return messages, transcript

    async def _settled_before(self, before: int) -> Sequence[Row[Any]]:
        seen = {"moved": self._seen[0], "id": self._seen[1], "before": before, "most": self._batch}
        return await self._database.read(lambda connection: connection.execute(_SETTLED, seen).all())

    async def _reduce(self, rows: Sequence[Row[Any]], before: int) -> int:
        in_order = sorted(rows, key=lambda row: str(row.id))
        reduced = [{"this": row.id, "left": _without_words(row), "before": before} for row in in_order]

        def work(connection: Connection) -> int:
            return sum(connection.execute(_REDUCE, each).rowcount for each in reduced)

        return await self._database.write(work, durable=False)

    async def _drop_ids(self) -> int:
        """How many ids went; the horizon moves with them, in the same transactions."""
        old = {"before": self._before(self._ids), "most": self._batch}

        def work(connection: Connection) -> int:
            rows = connection.execute(_OLD_IDS, old).all()
            if rows:
                newest = max(row.occurred_at for row in rows)
                insert_new(connection, HORIZON, {"id": 1, "at": newest})
                connection.execute(_MOVE_HORIZON, {"newest": newest})
                connection.execute(_DROP_IDS, {"ids": [row.id for row in rows]})
            return len(rows)

        return await self._repeat(work)

    async def _drop_attachments(self) -> int:
        """What no record holds, or only such as were deleted so long ago that nobody can take that back; and what is
        known of messages whose words are gone, and links that have ended."""
        await self._repeat(self._deletion(DROP_FETCHED, before=self._before(self._words)))
        await self._repeat(self._deletion(DROP_LINKS, now=micros(self._now())))
        await self._repeat(self._deletion(DROP_HOLDS, before=self._before(UNDO_DAYS)))
        return await self._repeat(self._deletion(DROP_UNHELD, before=self._before(UNHELD_DAYS)))

    def _forget_postponed(self, connection: Connection) -> int:
        """Words that waited go with what was thought about them: a transcript of their own is no message's."""
        old = {"before": self._before(self._words), "most": self._batch}
        turns = connection.execute(_OLD_POSTPONED, old).scalars().all()
        if turns:
            connection.execute(FORGET_THOUGHTS, {"turns": turns})
            connection.execute(_DROP_POSTPONED, {"turns": turns})
        return len(turns)

    def _deletion(self, statement: Executable, **which: Any) -> Work[int]:
        """Delete one batch of these; how many rows that were."""
        bound = {**which, "most": self._batch}
        return lambda connection: connection.execute(statement, bound).rowcount

    async def _repeat(self, delete_batch: Work[int]) -> int:
        """A batch in each transaction until nothing is left to delete; how many rows that were."""
        deleted, last = 0, self._batch
        while last == self._batch:
            last = await self._database.write(delete_batch, durable=False)
            deleted += last
            await asyncio.sleep(self._pause_seconds)
        return deleted


def _has_words(row: Row[Any]) -> bool:
    return row.answer is not None or row.reply_token is not None or json.loads(row.message).get("answerable", True)


def _without_words(row: Row[Any]) -> str:
    return message_to_json(only_the_id(turn_of([row], fence=0, deaths=0).last))


# Whoever else cleans up at the same moment takes other rows: what is locked is skipped.

_IS_SETTLED = INBOX.c.state.in_(("delivered", "failed", "ignored"))

_OLD = (_IS_SETTLED, INBOX.c.moved_at < bindparam("before"))

_SETTLED = (
    select(INBOX)
    .where(*_OLD, tuple_(INBOX.c.moved_at, INBOX.c.id) > tuple_(bindparam("moved"), bindparam("id")))
    .order_by(INBOX.c.moved_at, INBOX.c.id)
    .limit(bindparam("most"))
)

_REDUCE = (
    update(INBOX)
    .where(INBOX.c.id == bindparam("this"), *_OLD)
    .values(message=bindparam("left"), reply_token=None, tried_token=None, answer=None, set_aside_at=None)
)
"""What had been set aside can be tried no more, and is not listed any longer."""

_FORGET_TRANSCRIPT = delete(TRANSCRIPT).where(
    tuple_(TRANSCRIPT.c.turn, TRANSCRIPT.c.seq).in_(
        select(TRANSCRIPT.c.turn, TRANSCRIPT.c.seq)
        .join(INBOX, INBOX.c.id == TRANSCRIPT.c.turn)
        .where(TRANSCRIPT.c.turn.in_(bindparam("turns", expanding=True)), *_OLD)
        .limit(bindparam("most"))
        .with_for_update(of=TRANSCRIPT, skip_locked=True)
    )
)

_OLD_IDS = (
    select(INBOX.c.id, INBOX.c.occurred_at)
    .where(*_OLD, INBOX.c.occurred_at < bindparam("before"))
    .order_by(INBOX.c.occurred_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)

_DROP_IDS = delete(INBOX).where(INBOX.c.id.in_(bindparam("ids", expanding=True)))

_MOVE_HORIZON = update(HORIZON).where(HORIZON.c.at < bindparam("newest")).values(at=bindparam("newest"))

_OLD_POSTPONED = (
    select(POSTPONED.c.turn)
    .where(POSTPONED.c.settled_at < bindparam("before"))
    .order_by(POSTPONED.c.settled_at)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
"""What still waits has no such moment."""

_DROP_POSTPONED = delete(POSTPONED).where(POSTPONED.c.turn.in_(bindparam("turns", expanding=True)))


_DROP_STRANGERS = batch_of(STRANGER, STRANGER.c.told_on < bindparam("day"))
"""Who was told is remembered for one day's sake."""

_DROP_CALLS = batch_of(TOOL_CALL, TOOL_CALL.c.at < bindparam("before"))
"""The audit holds no words: it stays as long as ids do."""

_DROP_ALLOWANCES = batch_of(ALLOWANCE, ALLOWANCE.c.day < bindparam("day"))
"""What was used is counted for one day's sake too."""

_DROP_INVITATIONS = batch_of(INVITATION, INVITATION.c.expires_at < bindparam("before"))
"""Until then whoever sends a code too late is told so, and is no stranger who guesses."""

_DROP_SAID = batch_of(SAID, SAID.c.at < bindparam("before"))

_DROP_UNSENT = batch_of(UNSENT, UNSENT.c.at < bindparam("before"))
"""By then the message can come no more, and what was made of it is past undoing."""
