"""The bot is killed at every named point and at random times, on both stores; asked from outside, nothing is missing.

A third of the points on SQLite, each time others; before anything lands each point, on PostgreSQL half of them, and
random times.
"""

from __future__ import annotations

import random

import pytest

from tests.crash.harness import Death, run
from tests.crash.many import new_store, plan, run_all, table
from tests.postgres.schema import server
from tests.thorough import THOROUGH, WHOLE

pytestmark = pytest.mark.asyncio(loop_scope="session")

LAPS = 2 if WHOLE else 1
BLIND, STORES = (6, ["sqlite", "postgresql"]) if THOROUGH else (0, ["sqlite"])


@pytest.mark.timeout(600)
@pytest.mark.parametrize("store", STORES)
async def test_wherever_it_dies_nothing_is_lost_and_nothing_is_doubled(store, born, tmp_path):
    seed, at = random.SystemRandom().randrange(10**6), server() if store == "postgresql" else None
    runs = plan(random.Random(seed), LAPS, BLIND)
    if not WHOLE:
        runs = [deaths[:: 3 if not THOROUGH else 2 if store == "postgresql" else 1] for deaths in runs]
    outcomes = await run_all(tmp_path, runs, server=at, seed=seed, nursery=born)
    print(table(outcomes))
    wrong = [each.told() for each in outcomes if each.problems]
    assert not wrong, f"seed {seed}\n" + "\n".join(wrong)


CONTROLS = {
    "call keys": ("work: after tool commit", "doubled"),
    "commit first": ("receive: before insert", "lost"),
    "ring keys": ("reminder: before rung", "doubled"),
    "retry keys": ("push: after send", "doubled"),
    "page keys": ("notion: before response", "doubled"),
    "settled words": ("later: after settle", "lost"),
}
"""Of each protection: where a bot without it dies, and what is then to be found."""


TRIES = 5
"""On a machine with much to do two rings may fall into one answer, which is none too many."""

BEFORE_A_PAGE = 10
"""What is asked of Notion before the first page is made: where they are, who we are, and what people did there. The
tries die at one answer after the other, for these may come in another order."""


@pytest.mark.parametrize("without", CONTROLS)
async def test_a_bot_that_lacks_a_protection_is_found_out(without, born, tmp_path):
    point, kind = CONTROLS[without]
    for seed in range(TRIES):
        nth = BEFORE_A_PAGE + seed if without == "page keys" else 1
        folder = tmp_path / f"{seed}"
        folder.mkdir()
        async with new_store(folder, None) as url:
            deaths = [Death(point, nth)]
            outcome = await run(folder, url, deaths, seed=seed, nursery=born, arguments=["--without", without])
        if kind in {each.kind for each in outcome.problems}:
            return
    pytest.fail(f"{without} are not missed")
