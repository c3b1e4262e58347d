"""A flood of records, and hours in which Notion is down: told in figures, for tests that judge them and a bench."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.emulators.notion import TOKEN, Notion, serving
from tests.notion.house import OWNER, SOON, House, living
from tools.notion.client import NotionClient
from tools.notion.sync import NotionSync
from tools.record import RecordNotFound

HOUR = 3600.0
STEP = 300.0
"""Seconds after which a push is tried again at the latest, also when nobody says anything."""


@asynccontextmanager
async def a_house(folder: Path, clock: Any) -> AsyncIterator[House]:
    """A store and Notion on one clock, with an empty table."""
    notion = Notion(clock=clock.now)
    async with serving(notion) as address:
        client = NotionClient(TOKEN, address, now=clock.now, sleep=clock.sleep)
        async with living(f"sqlite:///{folder / 'house.db'}", notion, client, clock) as house:
            notion.now = house.now
            yield house
        await client.close()


@dataclass
class Flood:
    """Requests and the seconds they took; ``refused`` of them were too many for Notion."""

    records: int
    requests: int = 0
    refused: int = 0
    seconds: float = 0.0
    busiest: int = 0
    """Requests in the busiest ten seconds."""

    @property
    def rate(self) -> float:
        return self.requests / self.seconds if self.seconds else float(self.requests)


async def flood(house: House, records: int) -> Flood:
    """Many records at once, pushed until all are there, to a Notion that grants three requests a second."""
    notion = house.notion
    for number in range(records):
        await house.add(f"記錄 {number}")
    notion.requests.clear()
    notion.rate, notion.burst = 3.0, 4.0  # a whole one more than we allow ourselves: clocks are two
    started = house.clock.now()
    sync = house.sync()
    while (await sync.push(OWNER, 600.0)).waiting:
        house.clock.seconds += STEP
    times = [each.at for each in notion.requests]
    assert len(house.rows()) == records
    return Flood(
        records, len(times), sum(each.status == 429 for each in notion.requests), house.clock.now() - started,
        max(sum(start <= at < start + 10 for at in times) for start in times),
    )  # fmt: skip


@dataclass
class Outage:
    """Hours without Notion. ``asked`` requests were made while it was down; ``honest`` is whether nobody was told that
    all had arrived while it had not; ``ordered`` whether records arrived in the order they changed."""

    changes: int
    asked: int = 0
    waiting: int = 0
    caught_up: float = 0.0
    """Seconds from the moment Notion was back until nothing waited."""
    requests: int = 0
    honest: bool = True
    ordered: bool = False
    problems: list[str] = field(default_factory=list)


async def outage(house: House, changes: int, hours: float = 24, seed: int = 1) -> Outage:
    """Changes all through hours in which Notion answers nothing but 503, then Notion as ever."""
    dice, told = random.Random(seed), Outage(changes)
    sync = house.sync()
    for number in range(3):
        await house.add(f"before {number}")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    house.notion.requests.clear()
    house.notion.fail("503 database", times=10**9)
    began = house.clock.now()
    for number in range(changes):
        await _change(house, dice, number)
        while house.clock.now() - began < hours * HOUR * (number + 1) / changes:
            _judge(told, (await sync.push(OWNER, 1.0)).waiting, down=True)
            house.clock.seconds += STEP
    told.asked = len(house.notion.requests)
    house.notion.faults.clear()
    house.notion.requests.clear()
    await _catch_up(house, sync, told)
    return told


async def _catch_up(house: House, sync: NotionSync, told: Outage) -> None:
    back = house.clock.now()
    told.waiting = (await sync.push(OWNER, 0.0)).waiting
    while (waiting := (await sync.push(OWNER, 600.0)).waiting) and house.clock.now() - back < HOUR:
        _judge(told, waiting, down=False)
        house.clock.seconds += 1.0
    told.caught_up = house.clock.now() - back
    told.requests = len(house.notion.requests)
    made = [_title(each.body) for each in house.notion.asked("POST /v1/pages$")]
    numbers = [int(title.split()[-1]) for title in made]
    told.ordered = numbers == sorted(numbers)
    if waiting:
        told.problems.append(f"{waiting} still wait")


def _judge(told: Outage, waiting: int, *, down: bool) -> None:
    if down and not waiting:
        told.honest = False


async def _change(house: House, dice: random.Random, number: int) -> None:
    """Mostly something new; now and then an edit, a deletion, or its undoing."""
    what: Callable[[], Any] = dice.choices(
        [
            lambda: house.add(f"new {number}", type="expense", amount=Decimal(number), currency="TWD"),
            lambda: house.revise(dice.choice((1, 2)), amount=Decimal(number)),
            lambda: house.remove(3) if number % 2 else house.add(f"new {number}"),
        ],
        weights=(6, 3, 1),
    )[0]
    try:
        await what()
    except RecordNotFound:
        await house.undo()


def _title(body: Any) -> str:
    pieces = next(value["title"] for value in body["properties"].values() if "title" in value)
    return "".join(piece["text"]["content"] for piece in pieces)
