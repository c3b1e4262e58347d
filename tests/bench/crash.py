"""The long night: every fault point many times, and deaths at random times, until something is lost or doubled.

``python tests/bench/crash.py --runs 20 --blind 100`` prints one table for SQLite, and with ``--postgres URL`` one for
PostgreSQL; ``--cold`` starts every bot as an operator would, imports and all, so that recovery takes what it takes in
life. Exit code 1 if anything was wrong; the seed that is printed brings the same plan again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.crash.harness import Outcome
from tests.crash.many import IN_A_RUN, plan, run_all, table
from tests.nursery import nursery


async def on_one_store(asked: argparse.Namespace, server: str | None) -> list[Outcome]:
    runs = plan(random.Random(asked.seed), asked.runs, asked.blind, asked.in_a_run)
    born = None if asked.cold else nursery()
    with tempfile.TemporaryDirectory(prefix="crash-") as folder:
        began = time.monotonic()
        outcomes = await run_all(
            Path(folder), runs, server=server, seed=asked.seed, nursery=born, at_once=asked.at_once
        )
    where = "PostgreSQL" if server else "SQLite"
    print(f"\n{where}, seed {asked.seed}, {time.monotonic() - began:.0f} s\n{table(outcomes)}")
    for each in outcomes:
        if each.problems:
            print(each.told())
    return outcomes


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20, help="deaths at each point")
    parser.add_argument("--blind", type=int, default=100, help="deaths at random times")
    parser.add_argument("--postgres", metavar="URL", help="a server on which databases may be made")
    parser.add_argument("--at-once", type=int, default=4, help="bots at a time")
    parser.add_argument("--in-a-run", type=int, default=IN_A_RUN, help="deaths of one bot; 1 tells them well apart")
    parser.add_argument("--cold", action="store_true", help="start each bot as its own program")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    asked = parser.parse_args()
    outcomes = await on_one_store(asked, None)
    if asked.postgres:
        outcomes += await on_one_store(asked, asked.postgres)
    return int(any(each.problems for each in outcomes))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
