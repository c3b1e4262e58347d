"""What a day gives, on both stores: counted before it is used, and not given back by a restart or a clock."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta

import pytest
from sqlalchemy import select

from bot.sql.allowance import ALLOWANCE, DAYS_AHEAD, SqlAllowance
from bot.sql.housekeeping import SqlHousekeeping
from tests.fakes import ANNA, BEN, Calendar
from tools.database import Database
from tools.record import PersonId

MEI, EMMA = PersonId(ANNA), PersonId(BEN)
TODAY = date(2026, 11, 30)
TOMORROW = TODAY + timedelta(days=1)


def allowance(database: Database, *, calls: int = 3, tokens: int = 1000) -> SqlAllowance:
    return SqlAllowance(database, calls=calls, tokens=tokens)


async def counted(database: Database) -> list[tuple[str, int, int]]:
    columns = select(ALLOWANCE.c.day, ALLOWANCE.c.calls, ALLOWANCE.c.tokens).order_by(ALLOWANCE.c.day)
    return [tuple(row) for row in await database.read(lambda connection: connection.execute(columns).all())]


async def test_a_day_gives_so_many_calls_and_not_one_more(database):
    day = allowance(database)
    assert [await day.reserve(MEI, TODAY, 1) for _ in range(5)] == [True, True, True, False, False]
    assert await counted(database) == [("2026-11-30", 3, 3)]


@pytest.mark.parametrize(("last", "given"), [(400, True), (401, False)])
async def test_a_day_gives_so_many_tokens_and_not_one_more(database, last, given):
    day = allowance(database)
    assert await day.reserve(MEI, TODAY, 600)
    assert await day.reserve(MEI, TODAY, last) is given
    assert await day.reserve(MEI, TODAY, 400) is not given, "what was refused was not counted"


@pytest.mark.parametrize(("tokens", "given"), [(1000, True), (1001, False)])
async def test_the_first_call_of_a_day_is_no_exception(database, tokens, given):
    assert await allowance(database).reserve(MEI, TODAY, tokens) is given
    assert await counted(database) == ([("2026-11-30", 1, 1000)] if given else [])


async def test_people_and_days_are_counted_apart(database):
    day = allowance(database, calls=1)
    assert [await day.reserve(each, TODAY, 1) for each in (MEI, EMMA, MEI)] == [True, True, False]
    assert await day.reserve(MEI, TOMORROW, 1)


async def test_what_a_call_really_cost_counts_with_the_next_one(database):
    day = allowance(database)
    await day.reserve(MEI, TODAY, 100)
    await day.settle(MEI, TODAY, 500)
    await day.settle(MEI, TODAY, -50)
    await day.reserve(MEI, TODAY, 100)
    assert await counted(database) == [("2026-11-30", 2, 650)]


async def test_what_is_still_to_be_counted_is_not_forgotten_when_a_call_is_refused(database):
    day = allowance(database)
    await day.reserve(MEI, TODAY, 100)
    await day.settle(MEI, TODAY, 850)
    assert not await day.reserve(MEI, TODAY, 100)
    assert not await day.reserve(MEI, TODAY, 100)
    assert await day.reserve(MEI, TODAY, 50)


async def test_what_a_day_could_not_take_is_not_held_against_the_next_one(database):
    day = allowance(database)
    await day.reserve(MEI, TODAY, 100)
    await day.settle(MEI, TODAY, 10**9)
    assert [await day.reserve(MEI, each, 100) for each in (TODAY, TOMORROW, TOMORROW)] == [False, True, True]
    assert await counted(database) == [("2026-11-30", 1, 100), ("2026-12-01", 2, 200)]


async def test_a_restart_gives_nothing_back(database):
    assert await allowance(database, calls=2).reserve(MEI, TODAY, 1)
    assert await allowance(database, calls=2).reserve(MEI, TODAY, 1)
    assert not await allowance(database, calls=2).reserve(MEI, TODAY, 1)


@pytest.mark.parametrize("days", [1, 2, DAYS_AHEAD])
async def test_a_clock_set_back_gives_nothing_again(database, days):
    day = allowance(database)
    earlier = TODAY - timedelta(days=days)
    given = [await day.reserve(MEI, each, 1) for each in (TODAY, TODAY, earlier, earlier, TODAY, earlier)]
    assert given == [True, True, True, False, False, False]


async def test_nobody_is_made_to_wait_for_a_day_that_a_broken_clock_was_in(database):
    day = allowance(database)
    for _ in range(3):
        await day.reserve(MEI, TODAY + timedelta(days=DAYS_AHEAD + 1), 1)
    assert [await day.reserve(MEI, TODAY, 1) for _ in range(4)] == [True, True, True, False]


async def test_a_flood_from_many_sides_gets_what_the_day_gives(database):
    sides = [allowance(database, calls=7) for _ in range(3)]
    given = await asyncio.gather(*(side.reserve(MEI, TODAY, 1) for side in sides for _ in range(10)))
    assert sum(given) == 7
    assert await counted(database) == [("2026-11-30", 7, 7)]


async def test_days_that_are_over_are_not_kept_for_ever(database):
    day = allowance(database)
    days = [TODAY - timedelta(days=ago) for ago in (40, 31, 30, 0)]
    for each in days:
        await day.reserve(MEI, each, 1)
    await SqlHousekeeping(database, Calendar(), retention_days=30, pause_seconds=0).clean()
    assert [each for each, _, _ in await counted(database)] == ["2026-10-31", "2026-11-30"]
