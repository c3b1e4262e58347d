"""Many runs at once: which deaths are died in which, each on a store of its own, and the table of what became of them.

Must not know how a run goes.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from bot.fault_points import POINTS
from tests.crash.harness import Death, Outcome, run
from tests.nursery import Nursery
from tests.postgres.schema import database_of_its_own

IN_A_RUN = 6
"""Deaths of one bot; a few runs at once are done sooner than one long one."""

PASSINGS = {"receive": 3, "work": 3, "deliver": 2, "notion": 4}
"""How often the points of a room are surely passed while a portion of talk is answered; elsewhere once."""

STATEMENTS = 20
"""At least so many has the way from nothing to the newest schema."""

SAME_TALK = (
    {"interim"},
    {"later"},
    {"second thoughts"},
    {"push", "reminder"},
    {"notion"},
    {"receive", "work", "deliver"},
)
"""Rooms that the same kind of talk leads through."""


def plan(chance: random.Random, laps: int, blind: int, in_a_run: int = IN_A_RUN) -> list[list[Death]]:
    """Every point ``laps`` times and so many blind deaths, as runs. Those of a migration open a run, for it happens
    once."""
    blindly = [[Death()] * min(in_a_run, blind - start) for start in range(0, blind, in_a_run)]
    return [*blindly, *(one for _ in range(laps) for one in _lap(chance, in_a_run))]


def _lap(chance: random.Random, in_a_run: int) -> list[list[Death]]:
    runs: list[list[Death]] = []
    for rooms in SAME_TALK:
        points = [each for each in POINTS if each.partition(":")[0] in rooms]
        chance.shuffle(points)
        deaths = [_death(chance, each) for each in points]
        runs += [deaths[start : start + in_a_run] for start in range(0, len(deaths), in_a_run)]
    openings = [_death(chance, each) for each in POINTS if each.startswith("migrate:")]
    if in_a_run == 1:
        return [*runs, *([each] for each in openings)]
    for one, opening in zip(runs, openings, strict=False):
        one.insert(0, opening)
    return runs


def _death(chance: random.Random, point: str) -> Death:
    passings = STATEMENTS if point == "migrate: before statement" else PASSINGS.get(point.partition(":")[0], 1)
    return Death(point, chance.randint(1, passings))


@asynccontextmanager
async def new_store(folder: Path, server: str | None) -> AsyncIterator[str]:
    """The URL of an empty store: a file in the folder, or a database of its own on a PostgreSQL server."""
    if server is None:
        yield f"sqlite:///{folder / 'bot.db'}"
        return
    with ExitStack() as stack:
        url = await asyncio.to_thread(stack.enter_context, database_of_its_own(server))
        try:
            yield url
        finally:
            await asyncio.to_thread(stack.close)


async def run_all(
    folder: Path,
    runs: Sequence[Sequence[Death]],
    *,
    server: str | None,
    seed: int,
    nursery: Nursery | None = None,
    at_once: int = 4,
) -> list[Outcome]:
    """All of them, so many at a time."""
    room = asyncio.Semaphore(at_once)

    async def one(number: int, deaths: Sequence[Death]) -> Outcome:
        async with room:
            own = folder / f"run-{number}"
            await asyncio.to_thread(os.makedirs, own)
            async with new_store(own, server) as url:
                return await run(own, url, deaths, seed=seed + number, nursery=nursery)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(number, deaths)) for number, deaths in enumerate(runs)]
    return [each.result() for each in tasks]


def table(outcomes: Sequence[Outcome]) -> str:
    """Per point: how often it was died at, what was lost and doubled, and how soon the first answer came again."""
    runs = Counter(death.point for each in outcomes for death in each.deaths)
    problems: defaultdict[str, Counter[str]] = defaultdict(Counter)
    recoveries: defaultdict[str, list[float]] = defaultdict(list)
    for each in outcomes:
        for problem in each.problems:
            problems[each.deaths[problem.round or 0].point][problem.kind] += 1
        for point, seconds in each.recoveries:
            if seconds is not None:
                recoveries[point].append(seconds)
    lines = [f"{'point':34} {'runs':>5} {'lost':>5} {'doubled':>8} {'other':>6} {'median recovery':>16}"]
    for point in sorted(runs, key=lambda each: POINTS.index(each) if each in POINTS else len(POINTS)):
        found = problems[point]
        other = found.total() - found["lost"] - found["doubled"]
        soon = f"{statistics.median(recoveries[point]):.2f} s" if recoveries[point] else "-"
        lines.append(f"{point:34} {runs[point]:>5} {found['lost']:>5} {found['doubled']:>8} {other:>6} {soon:>16}")
    wishes = sum(each.wishes for each in outcomes)
    return "\n".join([*lines, f"{runs.total()} deaths, {wishes} wishes"])
