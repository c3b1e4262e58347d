"""Single deaths, followed to the end: the moment in which nobody knows whether an answer arrived, and a message that
kills whoever works on it."""

from __future__ import annotations

import asyncio
import signal

import pytest

from bot.voice.phrases import phrases_of
from tests.crash.model import SLOW
from tests.crash.world import World, eventually

pytestmark = pytest.mark.asyncio(loop_scope="session")

SECONDS = 30.0
PHRASES = phrases_of("zh-TW")


async def start_and_die(world: World, point: str, *arguments: str) -> None:
    await world.start("--at", point, *arguments)
    assert world.process is not None
    assert await asyncio.wait_for(world.process.wait(), SECONDS) == -signal.SIGKILL


def naming(world: World, words: str) -> list[str]:
    """The replies and pushes that LINE took and that say this."""
    return [each.text for each in world.line.accepted() if words in each.text]


async def says(world: World, words: str) -> bool:
    return await eventually(lambda: bool(naming(world, words)), SECONDS)


def states(world: World) -> list[str]:
    return [row.state for row in world.store.rows("SELECT state FROM inbox WHERE kind = 'text'")]


async def test_an_answer_that_arrived_before_the_death_is_not_said_again(world: World):
    person = world.line.people[1]
    world.line.say(person, "W0001 買牛奶")
    await start_and_die(world, "deliver: after send", "--nth", "2")  # the first is the greeting
    assert len(naming(world, "W0001")) == 1
    await world.start()
    assert await eventually(lambda: states(world) == ["delivered"], SECONDS)
    world.line.say(person, "W0002 買麵包")
    assert await says(world, "W0002")
    assert len(naming(world, "W0001")) == 1


async def test_an_answer_that_may_have_arrived_on_a_token_that_died_since_is_said_again_and_marked(world: World):
    person = world.line.people[1]
    world.line.say(person, "W0001 買牛奶")
    await start_and_die(world, "deliver: after send", "--nth", "2")
    await world.start("--later", "70")
    assert await eventually(lambda: states(world) == ["answered"], SECONDS)
    world.line.say(person, "W0002 買麵包")
    assert await says(world, "W0002")
    first, again = naming(world, "W0001")
    assert PHRASES.maybe_sent_prefix not in first
    assert PHRASES.maybe_sent_prefix in again
    assert "W0002" in again
    assert await eventually(lambda: states(world) == ["delivered", "delivered"], SECONDS)


async def test_an_answer_that_was_never_sent_on_a_token_that_died_since_is_said_late_and_not_marked_as_sent(
    world: World,
):
    person = world.line.people[1]
    world.line.say(person, "W0001 買牛奶")
    await start_and_die(world, "work: after answering commit", "--nth", "2")
    await world.start("--later", "70")
    assert await eventually(lambda: states(world) == ["answered"], SECONDS)
    world.line.say(person, "W0002 買麵包")
    assert await says(world, "W0002")
    (late,) = naming(world, "W0001")
    assert PHRASES.owed_prefix in late


async def test_a_message_that_kills_whoever_works_on_it_is_set_aside_and_what_comes_behind_it_is_answered(world: World):
    person = world.line.people[1]
    world.line.say(person, "W0001 買牛奶")
    for _ in range(3):
        await start_and_die(world, "work: before model")
    await world.start()
    assert await says(world, PHRASES.set_aside)
    world.line.say(person, "W0002 買麵包")
    assert await says(world, "W0002")
    assert len(naming(world, PHRASES.set_aside)) == 1
    assert [row.content for row in world.store.rows("SELECT content FROM record")] == ["W0002 買麵包"]
    marked = world.store.rows("SELECT deaths FROM inbox WHERE set_aside_at IS NOT NULL")
    assert [row.deaths for row in marked] == [3]


async def test_a_turn_that_is_at_work_when_the_bot_is_told_to_stop_is_finished_first(world: World):
    await world.start()
    world.line.say(world.line.people[1], "W0001 買牛奶")
    assert await eventually(lambda: bool(world.line.accepted()), SECONDS)  # the greeting: its lane goes on
    assert await world.stop() == 0
    told = len(naming(world, "W0001"))
    await world.start()
    assert await says(world, "W0001")
    assert await eventually(lambda: states(world) == ["delivered"], SECONDS)
    assert len(naming(world, "W0001")) == 1
    assert told in {0, 1}


async def test_a_redelivery_while_its_turn_is_answered_does_not_bring_a_second_answer_on_its_token(world: World):
    """The answer goes out on the newest token; the redelivery makes another one the newest before the bot dies."""
    person = world.line.people[1]
    await world.start("--at", "deliver: after send", "--nth", "3")  # the greeting, the first turn, the second one
    world.line.say(person, f"W0001 {SLOW}")
    assert await eventually(lambda: states(world) == ["working"], SECONDS)
    older = world.line.say(person, f"W0002 {SLOW}")
    await asyncio.sleep(0.01)
    world.line.say(person, "W0003 買麵包")
    assert await eventually(lambda: states(world).count("working") == 2, SECONDS)
    await world.line.deliver_again(older)
    assert world.process is not None
    assert await asyncio.wait_for(world.process.wait(), SECONDS) == -signal.SIGKILL
    assert len(naming(world, "W0003")) == 1
    await world.start()
    assert await eventually(lambda: set(states(world)) == {"delivered"}, SECONDS)
    assert len(naming(world, "W0003")) == 1


async def test_a_death_between_a_token_that_was_dead_and_the_next_one_does_not_count_as_an_answer(world: World):
    person = world.line.people[1]
    await world.start("--at", "deliver: before send", "--nth", "4")  # the greeting, the first turn, two tokens
    world.line.say(person, f"W0001 {SLOW}")
    assert await eventually(lambda: states(world) == ["working"], SECONDS)
    world.line.say(person, "W0002 買麵包")
    await asyncio.sleep(0.01)
    newest = world.line.say(person, "W0003 買麵包")
    world.line.use_up(newest)
    assert world.process is not None
    assert await asyncio.wait_for(world.process.wait(), SECONDS) == -signal.SIGKILL
    assert not naming(world, "W0003")
    await world.start()
    assert await says(world, "W0003")
