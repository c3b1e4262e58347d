"""The people the bot has met, on a real SQLite file."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from bot.ports import Person, TurnId
from bot.sql.people import SqlPeople
from tests.fakes import ANNA, BEN, Calendar
from tools.database import Database
from tools.record import PersonId

MEI = Person(PersonId(ANNA), "zh-TW", "zh-TW", ZoneInfo("Asia/Taipei"), "TWD", "owner")
EMMA = Person(PersonId(BEN), "en", "en", ZoneInfo("America/New_York"), "USD", "member")


@pytest.fixture
def clock() -> Calendar:
    return Calendar()


@pytest.fixture
def people(database: Database, clock: Calendar) -> SqlPeople:
    return SqlPeople(database, clock)


async def test_someone_kept_is_found_as_they_were(people):
    await people.keep(MEI)
    await people.keep(EMMA)

    assert await people.find(MEI.id) == MEI
    assert await people.find(EMMA.id) == EMMA


async def test_someone_never_met_is_not_found(people):
    assert await people.find(MEI.id) is None


async def test_keeping_again_replaces_how_someone_is_spoken_to(people):
    await people.keep(MEI)
    changed = replace(MEI, language="ja", zone=ZoneInfo("Asia/Tokyo"), currency="JPY", role="member")
    await people.keep(changed)

    assert await people.find(MEI.id) == changed


async def test_owners_come_in_the_order_of_their_coming(people, clock):
    await people.keep(replace(EMMA, role="owner"))
    clock.move(days=-1)
    await people.keep(MEI)
    clock.move(days=-1)
    await people.keep(replace(EMMA, role="owner", language="ja"))

    assert await people.owners() == [MEI.id, EMMA.id]


async def test_a_member_is_no_owner(people):
    await people.keep(EMMA)
    assert await people.owners() == []


async def test_a_stranger_is_told_once_a_day_each(people, clock):
    assert await people.first_today(MEI.id, TurnId("1"))
    assert not await people.first_today(MEI.id, TurnId("2"))
    assert await people.first_today(EMMA.id, TurnId("3"))
    clock.move(days=1)
    assert await people.first_today(MEI.id, TurnId("4"))
    assert not await people.first_today(MEI.id, TurnId("5"))


async def test_a_turn_that_was_interrupted_tells_its_stranger_again(people):
    assert await people.first_today(MEI.id, TurnId("1"))
    assert await people.first_today(MEI.id, TurnId("1"))


async def test_people_outlive_the_process(people, database, clock):
    await people.keep(MEI)
    assert await SqlPeople(database, clock).find(MEI.id) == MEI
