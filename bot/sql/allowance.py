"""What one person may ask of a model in one day, as rows: requests and tokens, counted before they are made.

One small write for each request. What a request really cost is added with the person's next one: in between it stands
in memory alone, so that an end of the process loses at most the difference of one. Must not know what is asked, or what
a token costs.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Column,
    Connection,
    Insert,
    Integer,
    String,
    Table,
    bindparam,
    func,
    select,
)
from sqlalchemy.dialects import sqlite

from tools.database import Database, metadata
from tools.record import PersonId

ALLOWANCE = Table(
    "allowance",
    metadata,
    Column("person", String(64), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("calls", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
)
"""``day`` as ``2026-11-30``, on the person's own calendar."""

DAYS_AHEAD = 7
"""A clock set back, or a journey westward, gives no day again: what was counted up to so many days ahead is counted on.
Further ahead a clock must have been wrong, and nobody is made to wait for that day."""


class SqlAllowance:
    """An AllowancePort that gives each person so many requests (``calls``) and ``tokens`` a day."""

    def __init__(self, database: Database, *, calls: int, tokens: int) -> None:
        self._database = database
        self._calls = calls
        self._tokens = tokens
        self._owed: dict[PersonId, tuple[date, int]] = {}

    async def reserve(self, person: PersonId, day: date, tokens: int) -> bool:
        owed = self._owed_on(day, person)
        self._owed.pop(person, None)
        if await self._counted(person, day, tokens + owed):
            return True
        await self.settle(person, day, owed)
        return False

    async def settle(self, person: PersonId, day: date, tokens: int) -> None:
        if tokens:
            self._owed[person] = day, self._owed_on(day, person) + tokens

    async def left(self, person: PersonId, day: date) -> float:
        asked = {"of": person, "on": day.isoformat(), "ahead": (day + timedelta(days=DAYS_AHEAD)).isoformat()}
        row = await self._database.read(lambda connection: connection.execute(_NEWEST, asked).one_or_none())
        if row is None:
            return 1.0
        tokens = row.tokens + self._owed_on(day, person)
        used: float = max(row.calls / self._calls, tokens / self._tokens)
        return max(0.0, 1 - used)

    def _owed_on(self, day: date, person: PersonId) -> int:
        """What is still to be counted on this day. A day that is over takes nothing from the next one."""
        of, tokens = self._owed.get(person, (day, 0))
        return tokens if of == day else 0

    async def _counted(self, person: PersonId, day: date, tokens: int) -> bool:
        """Whether one more request of so many tokens was within what the day gives."""
        if tokens > self._tokens:
            return False
        counted = {
            "of": person,
            "on": day.isoformat(),
            "ahead": (day + timedelta(days=DAYS_AHEAD)).isoformat(),
            "more": tokens,
            "most_calls": self._calls,
            "most_tokens": self._tokens,
        }

        def work(connection: Connection) -> bool:
            count = _count(connection.dialect.name)
            return connection.execute(count, counted, execution_options={"preserve_rowcount": True}).rowcount == 1

        return await self._database.write(work, durable=False)


_NEWEST = (
    select(ALLOWANCE.c.calls, ALLOWANCE.c.tokens)
    .where(ALLOWANCE.c.person == bindparam("of"), ALLOWANCE.c.day.between(bindparam("on"), bindparam("ahead")))
    .order_by(ALLOWANCE.c.day.desc())
    .limit(1)
)
"""The day that is counted on."""


@cache
def _count(dialect: str) -> Insert:
    """One statement: the day that is counted on, and one request more on it, unless that is too much. Each store has
    its own words for it."""
    if dialect == "sqlite":
        insert: Any = sqlite.insert
    else:
        from sqlalchemy.dialects import postgresql

        insert = postgresql.insert
    own = ALLOWANCE.c
    on: BindParameter[str] = bindparam("on")
    latest = select(func.max(own.day)).where(own.person == bindparam("of"), own.day.between(on, bindparam("ahead")))
    row = {
        "person": bindparam("of"),
        "day": func.coalesce(latest.scalar_subquery(), on),
        "calls": 1,
        "tokens": bindparam("more"),
    }
    calls, tokens = own.calls + 1, own.tokens + bindparam("more")
    statement: Insert = (
        insert(ALLOWANCE)
        .inline()  # the row is not read back: it would be returned, and not counted
        .values(row)
        .on_conflict_do_update(
            index_elements=[own.person, own.day],
            set_={"calls": calls, "tokens": tokens},
            where=(calls <= bindparam("most_calls")) & (tokens <= bindparam("most_tokens")),
        )
    )
    return statement
