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
    assert [await day.reserve(MEI, TODAY, 400 - 100 * n) for n in range(5)] == [True, True, True, False, False]
    assert await counted(database) == [("2026-11-30", 3, 900)]


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
    given = await asyncio.gather(*(side.reserve(MEI, TODAY, 10) for side in sides for _ in range(10)))
    assert sum(given) == 7
    assert await counted(database) == [("2026-11-30", 7, 70)]


# ── a hundredth at once ───────────────────────────────────────────────────────────────────────────────────────────


async def test_a_hundredth_of_the_day_is_counted_at_once_and_given_from_memory(database):
    day = allowance(database, calls=1000, tokens=100_000)
    for _ in range(10):
        await day.reserve(MEI, TODAY, 100)
        assert await counted(database) == [("2026-11-30", 10, 1000)]
    await day.reserve(MEI, TODAY, 1)
    assert await counted(database) == [("2026-11-30", 20, 2000)]


async def test_what_was_reserved_and_not_used_is_given_again(database):
    day = allowance(database, calls=1000, tokens=100_000)
    for _ in range(10):
        await day.reserve(MEI, TODAY, 1000)
        await day.settle(MEI, TODAY, -900)
    assert await counted(database) == [("2026-11-30", 10, 2000)]


async def test_whoever_uses_much_of_one_thing_is_not_charged_with_the_other(database):
    day = allowance(database, calls=1000, tokens=100_000)
    for _ in range(10):
        await day.reserve(MEI, TODAY, 5000)
    assert await counted(database) == [("2026-11-30", 10, 50_000)]
    few = allowance(database, calls=1000, tokens=100_000)
    for _ in range(20):
        await few.reserve(EMMA, TODAY, 1)
    assert (await counted(database))[-1] == ("2026-11-30", 20, 1000)


@pytest.mark.parametrize(("calls", "tokens"), [(250, 10**9), (10**6, 250)])
async def test_the_last_hundredth_is_given_to_the_last_one(database, calls, tokens):
    day = allowance(database, calls=calls, tokens=tokens)
    given = [await day.reserve(MEI, TODAY, 1) for _ in range(260)]
    assert given == [True] * 250 + [False] * 10


async def test_an_end_loses_a_hundredth_and_no_more(database):
    for _ in range(3):
        assert await allowance(database, calls=300, tokens=10**6).reserve(MEI, TODAY, 1)
    assert await counted(database) == [("2026-11-30", 9, 30_000)]


async def test_a_flood_of_one_person_gets_the_whole_day_and_no_more(database):
    day = allowance(database, calls=205, tokens=10**6)
    given = await asyncio.gather(*(day.reserve(MEI, TODAY, 10) for _ in range(23)))
    left = [await day.reserve(MEI, TODAY, 10) for _ in range(230)]
    assert sum(given) + sum(left) == 205


async def test_a_request_that_is_given_up_while_it_is_counted_loses_nothing_else(database):
    day = allowance(database, calls=10_000, tokens=10**6)
    await day.reserve(MEI, TODAY, 10)
    waiting = asyncio.create_task(day.reserve(MEI, TODAY, 500_000))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert [await day.reserve(MEI, TODAY, 10) for _ in range(99)] == [True] * 99
    assert (await counted(database))[0][1] == 100


async def test_what_yesterday_left_is_no_part_of_today(database):
    day = allowance(database, calls=1000, tokens=100_000)
    await day.reserve(MEI, TODAY, 1)
    await day.reserve(MEI, TOMORROW, 1)
    await day.settle(MEI, TODAY, 50_000)
    await day.reserve(MEI, TOMORROW, 1)
    assert await counted(database) == [("2026-11-30", 10, 1000), ("2026-12-01", 10, 1000)]


async def test_days_that_are_over_are_not_kept_for_ever(database):
    day = allowance(database)
    days = [TODAY - timedelta(days=ago) for ago in (40, 31, 30, 0)]
    for each in days:
        await day.reserve(MEI, each, 1)
    await SqlHousekeeping(database, Calendar(), retention_days=30, pause_seconds=0).clean()
    assert [each for each, _, _ in await counted(database)] == ["2026-10-31", "2026-11-30"]
