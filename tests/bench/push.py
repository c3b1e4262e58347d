"""How records reach Notion when much waits: a burst, by the clock on the wall or a shifted one, and a day without it.

python tests/bench/push.py [--records 200] [--real] [--changes 200] [--hours 24]
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.notion.bad_days import a_house, flood, outage  # noqa: E402 - run as a script
from tests.notion.shifted_clock import Clock  # noqa: E402 - run as a script


class Wall:
    """The clock on the wall, as seconds that began to pass at its making; what is added to it is waited for."""

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.shift = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start + self.shift

    @seconds.setter
    def seconds(self, to: float) -> None:
        self.shift += to - self.seconds

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=200)
    parser.add_argument("--real", action="store_true", help="measure the burst by the clock on the wall")
    parser.add_argument("--changes", type=int, default=200)
    parser.add_argument("--hours", type=float, default=24)
    options = parser.parse_args()
    logging.disable(logging.ERROR)  # that Notion is down is what is tried here
    with tempfile.TemporaryDirectory() as burst, tempfile.TemporaryDirectory() as day:
        async with a_house(Path(burst), Wall() if options.real else Clock()) as house:
            told = await flood(house, options.records)
            print(f"burst of {told.records} records: {told.requests} requests in {told.seconds:.1f} s, ")
            print(f"{told.rate:.2f} a second, {told.busiest} in the busiest ten seconds, {told.refused} refused")
        async with a_house(Path(day), Clock()) as house:
            out = await outage(house, options.changes, options.hours)
            print(f"{options.hours:g} hours without Notion, {out.changes} changes: {out.asked} requests meanwhile, "
                  f"{out.waiting} records waited, all there {out.caught_up:.0f} s after it was back with "
                  f"{out.requests} requests; in order: {out.ordered}, honest: {out.honest}, "
                  f"problems: {out.problems or 'none'}")  # fmt: skip


if __name__ == "__main__":
    asyncio.run(main())
