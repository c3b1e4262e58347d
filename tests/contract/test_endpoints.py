"""What an EndpointsPort promises, on both kinds of store."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from bot.sql.endpoints import ENDPOINT, SqlEndpoints
from tools.database import Database
from tools.record import StoreUnavailable

NAME = "api.example/gpt"


@pytest.fixture
def endpoints(database: Database) -> SqlEndpoints:
    return SqlEndpoints(database, lambda: datetime(2026, 11, 30, tzinfo=UTC))


async def test_of_what_was_never_asked_nothing_is_known(endpoints: SqlEndpoints):
    assert await endpoints.learned(NAME) == {}


async def test_what_is_learned_is_added_to_what_is_known(endpoints: SqlEndpoints):
    await endpoints.keep(NAME, {"tool_choice": False, "unwanted": ["思考"]})
    await endpoints.keep("other", {"stream": True})
    await endpoints.keep(NAME, {"tool_choice": True, "bytes_per_token": 3.25})
    assert await endpoints.learned(NAME) == {"tool_choice": True, "unwanted": ["思考"], "bytes_per_token": 3.25}
    assert await endpoints.learned("other") == {"stream": True}


async def test_of_what_is_learned_at_once_nothing_is_lost(endpoints: SqlEndpoints):
    await asyncio.gather(*(endpoints.keep(NAME, {f"{number}": number}) for number in range(8)))
    assert await endpoints.learned(NAME) == {f"{number}": number for number in range(8)}


async def test_a_name_of_any_length_can_be_kept(endpoints: SqlEndpoints):
    await endpoints.keep("x" * 5000, {"stream": True})
    assert await endpoints.learned("x" * 5000) == {"stream": True}


@pytest.mark.parametrize("damaged", ["", "no", "[1]", "null"])
async def test_what_is_no_lesson_is_none_and_is_written_over(database: Database, endpoints: SqlEndpoints, damaged: str):
    await endpoints.keep(NAME, {"stream": True})
    await database.write(lambda connection: connection.execute(update(ENDPOINT).values(learned=damaged)))
    assert await endpoints.learned(NAME) == {}
    await endpoints.keep(NAME, {"stream": False})
    assert await endpoints.learned(NAME) == {"stream": False}


async def test_a_store_that_is_closed_is_unavailable(database: Database, endpoints: SqlEndpoints):
    await database.close()
    with pytest.raises(StoreUnavailable):
        await endpoints.learned(NAME)
    with pytest.raises(StoreUnavailable):
        await endpoints.keep(NAME, {})
