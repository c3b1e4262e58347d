"""What one person may ask of a model in one day, as rows: requests and tokens, counted before they are used.

They are counted a few at a time and given out of memory: most requests write nothing, and what one really cost is
settled there. What is in hand when a process ends is lost to the person: a hundredth of the day at most, or what one
request was reserved as. Nothing is given twice. Must not know what is asked, or what a token costs.
"""

from __future__ import annotations

from dataclasses import dataclass
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


PARTS = 100
"""Of a day, one is counted at once: enough for some turns of talk, and no loss that anybody would see."""


@dataclass(slots=True)
class _InHand:
    """What is counted on a day and not used yet. Fewer tokens than none were used and are not counted yet."""

    day: date
    calls: int = 0
    tokens: int = 0


class SqlAllowance:
    """An AllowancePort that gives each person so many requests (``calls``) and ``tokens`` a day."""

    def __init__(self, database: Database, *, calls: int, tokens: int) -> None:
        self._database = database
        self._calls = calls
        self._tokens = tokens
        self._in_hand: dict[PersonId, _InHand] = {}

    async def reserve(self, person: PersonId, day: date, tokens: int) -> bool:
        held = self._in_hand.pop(person, None)  # by nobody else while more is counted
        if held is None or held.day != day:
            held = _InHand(day)
        try:
            if not await self._covered(person, held, tokens):
                return False
            held.calls -= 1
            held.tokens -= tokens
            return True
        finally:
            self._hold(person, held)

    async def settle(self, person: PersonId, day: date, tokens: int) -> None:
        self._hold(person, _InHand(day, tokens=-tokens))

    def _hold(self, person: PersonId, more: _InHand) -> None:
        """A day that is over takes nothing from the next one, and leaves it nothing."""
        held = self._in_hand.get(person)
        if held is None or held.day < more.day:
            self._in_hand[person] = more
        elif held.day == more.day:
            held.calls += more.calls
            held.tokens += more.tokens

    async def left(self, person: PersonId, day: date) -> float:
        asked = {"of": person, "on": day.isoformat(), "ahead": (day + timedelta(days=DAYS_AHEAD)).isoformat()}
        row = await self._database.read(lambda connection: connection.execute(_NEWEST, asked).one_or_none())
        if row is None:
            return 1.0
        held = self._in_hand.get(person)
        unused = held if held and held.day == day else _InHand(day)
        used: float = max((row.calls - unused.calls) / self._calls, (row.tokens - unused.tokens) / self._tokens)
        return min(max(0.0, 1 - used), 1.0)

    async def _covered(self, person: PersonId, held: _InHand, tokens: int) -> bool:
        """Whether one request of so many tokens is in hand, or could be counted: with some more, or where the day has
        no more than that, alone."""
        if held.calls and held.tokens >= tokens:
            return True
        calls, tokens = 0 if held.calls else 1, max(tokens - held.tokens, 0)
        part = max(calls, calls * self._calls // PARTS), max(tokens, self._tokens // PARTS) if tokens else 0
        for more in dict.fromkeys((part, (calls, tokens))):
            if await self._counted(person, held.day, *more):
                held.calls += more[0]
                held.tokens += more[1]
                return True
        return False

    async def _counted(self, person: PersonId, day: date, calls: int, tokens: int) -> bool:
        """Whether so many more requests and tokens were within what the day gives."""
        if tokens > self._tokens:
            return False
        counted = {
            "of": person,
            "on": day.isoformat(),
            "ahead": (day + timedelta(days=DAYS_AHEAD)).isoformat(),
            "more_calls": calls,
            "more_tokens": tokens,
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
    """One statement: the day that is counted on, and so much more on it, unless that is too much. Each store has its
    own words for it."""
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
        "calls": bindparam("more_calls"),
        "tokens": bindparam("more_tokens"),
    }
    calls, tokens = own.calls + bindparam("more_calls"), own.tokens + bindparam("more_tokens")
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
