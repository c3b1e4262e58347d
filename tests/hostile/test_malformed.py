"""Thousands of malformed requests against a bot in a process of its own, and against a receiver that is known to break.

The figures are printed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter

import pytest_asyncio

import tests.hostile.framing  # noqa: F401 - it adds its items
from tests.bot_process import OWNER, SECRET, BotProcess
from tests.hostile.barrage import Outcome, barrage
from tests.hostile.malformed import ITEMS, Draft, Malformed, requests, signed, whole
from tests.hostile.sample import create_sample
from tests.serving import served
from tests.thorough import THOROUGH

SEED = 20261130
REQUESTS = 10_000 if THOROUGH else 1_000


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def outcomes(bot: BotProcess) -> list[Outcome]:
    return await barrage(bot.port, requests(SEED, REQUESTS))


def stored(bot: BotProcess) -> set[str]:
    return {id_ for (id_,) in bot.rows("SELECT id FROM inbox")}


def summary(outcomes: list[Outcome]) -> Counter[tuple[str, tuple[int, ...]]]:
    return Counter((each.request.item, each.statuses) for each in outcomes)


def test_the_items_are_all_there():
    assert len(ITEMS) == 61


def test_the_same_seed_makes_the_same_requests():
    assert list(requests(7, 100)) == list(requests(7, 100))


def test_every_request_gets_an_answer_that_fits(outcomes):
    assert len(outcomes) == REQUESTS
    assert summary([each for each in outcomes if not each.as_allowed]) == {}
    assert [each for each in outcomes if max(each.statuses) >= 500] == []


def test_nothing_hangs_and_most_of_it_is_quick(outcomes):
    taken = sorted(each.seconds for each in outcomes)
    p50, p99 = taken[len(taken) // 2], taken[len(taken) * 99 // 100]
    print(f"\n{len(taken)} malformed requests: p50 {p50 * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms, max {taken[-1]:.2f} s")

    assert [each for each in outcomes if each.hung] == []
    assert p99 < 1  # on a machine that has nothing else to do it is some thirty milliseconds


def test_nothing_unsigned_is_accepted(bot, outcomes):
    unsigned = {each for outcome in outcomes if not outcome.request.signed for each in outcome.request.ids}
    assert len(unsigned) > REQUESTS / 10
    assert unsigned & stored(bot) == set()


def test_every_good_event_of_an_accepted_batch_is_stored(bot, outcomes):
    accepted = [each for each in outcomes if set(each.statuses) == {200}]
    good = {each for outcome in accepted for each in outcome.request.ids}
    assert len(good) > REQUESTS / 3
    assert good - stored(bot) == set()


async def test_what_a_person_says_among_broken_events_is_done(bot):
    draft = Draft(SEED, REQUESTS)
    said = draft.event(source={"type": "user", "userId": OWNER}, message={"id": "1", "type": "text", "text": "記 牛奶"})
    body = draft.batch(None, 7, {"type": "message"}, draft.event(source=5, message=[]), said, "x", {"events": []})
    (outcome,) = await barrage(bot.port, [Malformed(pieces=(whole(body, signed(body)),), allowed=frozenset({200}))])
    assert outcome.as_allowed

    for _ in range(200):
        if records := await bot.records(OWNER):
            break
        await asyncio.sleep(0.1)
    assert [each.content for each in records] == ["牛奶"]


async def test_a_receiver_in_the_samples_shape_breaks_under_the_same_requests():
    count = min(REQUESTS // 5, 1_000)
    logging.disable()
    try:
        async with served(create_sample(SECRET)) as address:
            sent = (each for each in requests(SEED, count) if not each.filler)  # it would take them in whole
            outcomes = await barrage(int(address.rsplit(":", 1)[1]), sent, patience=0.5)
    finally:
        logging.disable(logging.NOTSET)
    broken = sum(max(each.statuses, default=0) >= 500 for each in outcomes)
    print(f"\nthe sample: {broken} of {count} answered with 5xx")

    assert broken > count / 10
