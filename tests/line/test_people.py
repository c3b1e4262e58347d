"""Who is who on LINE, asked over real HTTP of the local LINE."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import httpx
import pytest

from bot.line.channel import LineChannel
from bot.line.people import LinePeople
from bot.local_line import FIRST_PERSON
from bot.local_line.platform import LocalLine
from bot.ports import ChatId, Refused, Unsure
from tests.fakes import Calendar
from tests.serving import served
from tools.record import PersonId


@pytest.fixture
async def world():
    """LINE with a group in it, the bot's view of it, and a way to let it misbehave."""
    async with at_line() as (people, http, group):
        yield people, http, group


@asynccontextmanager
async def at_line():
    line = LocalLine(None, webhook_url="http://127.0.0.1:9/callback", now=Calendar())
    async with served(line.app) as base, httpx.AsyncClient(base_url=base, trust_env=False, verify=False) as http:
        channel = LineChannel(base, line.access_token, now=Calendar())
        made = await http.post("/local/groups", json={"name": "我們家", "people": [FIRST_PERSON]})
        try:
            yield LinePeople(channel), http, ChatId(made.json()["id"])
        finally:
            await channel.close()
            await line.close()


async def fault(http, **how):
    assert (await http.post("/local/faults", json=how)).status_code == 200


async def test_the_bot_learns_its_own_name_once(world):
    people, http, _ = world
    assert people.names == ()

    me = await asyncio.gather(people.me(), people.me())

    assert [(each.name, each.basic_id) for each in me] == [("Secretary", "@local")] * 2
    assert people.names == ("Secretary",)
    asked = (await http.get("/local/log")).json()["requests"]
    assert [each["path"] for each in asked].count("/v2/bot/info") == 1


async def test_where_line_does_not_say_it_is_not_asked_at_every_turn(world):
    people, http, _ = world
    await fault(http, path="/v2/bot/info", status=500, times=5)

    assert [await people.me() for _ in range(3)] == [None] * 3
    asked = (await http.get("/local/log")).json()["requests"]
    assert [each["path"] for each in asked].count("/v2/bot/info") == 1


async def test_people_and_groups_have_names_where_line_tells_them(world):
    people, _, group = world
    me, nobody = PersonId(FIRST_PERSON), PersonId("U" + "0" * 32)

    assert await people.name_of(me, ChatId(FIRST_PERSON)) == "你"
    assert await people.name_of(me, group) == "你"
    assert await people.name_of(nobody, group) is None
    assert await people.name_of(nobody, ChatId(nobody)) is None
    assert await people.name_of_group(group) == "我們家"
    assert await people.name_of_group(ChatId("R" + "0" * 32)) is None
    assert await people.name_of_group(ChatId("C" + "0" * 32)) is None


async def test_a_group_is_left_and_left_again_without_harm(world):
    people, http, group = world
    await people.leave(group)
    await people.leave(group)

    groups = (await http.get("/local/groups")).json()["groups"]
    assert [each["bot"] for each in groups] == [False]


@pytest.mark.parametrize(("status", "problem"), [(500, Unsure), (429, Unsure), (401, Refused), (403, Refused)])
async def test_a_group_that_could_not_be_left_is_told_of(world, status, problem):
    people, http, group = world
    await fault(http, path=f"/v2/bot/group/{group}/leave", status=status)

    with pytest.raises(problem):
        await people.leave(group)


async def test_without_a_network_nobody_has_a_name_and_nothing_breaks():
    people = LinePeople(LineChannel("http://127.0.0.1:9", "token", now=Calendar()))

    assert await people.me() is None
    assert await people.name_of(PersonId(FIRST_PERSON), ChatId(FIRST_PERSON)) is None
    with pytest.raises(Unsure):
        await people.leave(ChatId("C" + "1" * 32))
    await people._channel.close()
