"""When the table is looked at, and how long anybody waits for that."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.notion.house import START
from tools.notion.looking import MOST_SIGNALLED, Looking
from tools.notion.trouble import NotionDown, NotionRefused, NotionUnfit


class Looks:
    """A Pull whose looks end as they are told to."""

    def __init__(self) -> None:
        self.now = START
        self.takes = timedelta(0)
        self.raises: Exception | None = None
        self.pages: list[str] = []
        self.slices = 0

    def clock(self) -> datetime:
        return self.now

    async def look(self, _owners: Any) -> None:
        self.now += self.takes
        if self.raises:
            raise self.raises

    async def look_at(self, pages: list[str], _owners: Any) -> None:
        self.pages += pages

    async def swept_at(self) -> None:
        return None

    async def sweep(self, _owners: Any) -> bool:
        self.slices += 1
        if self.raises:
            raise self.raises
        return self.slices < 3


@pytest.fixture
def looks() -> Looks:
    return Looks()


@pytest.fixture
def looking(looks: Looks) -> Looking:
    return Looking(looks, looks.clock)  # type: ignore[arg-type]


async def waited(looking: Looking, seconds: float) -> float:
    began = time.perf_counter()
    looking.ask()
    await looking.wait(seconds)
    return time.perf_counter() - began


async def test_whoever_asks_waits_their_share_and_the_next_one_not_at_all_before_a_look_was_quick(looks, looking):
    assert 1.9 < await waited(looking, 2.0) < 3
    assert await waited(looking, 2.0) < 0.1
    await looking.look([])
    assert looking.is_quick
    looks.now += timedelta(seconds=10)
    waiting = asyncio.create_task(waited(looking, 2.0))
    await asyncio.sleep(0)
    await looking.look([])
    assert await waiting < 0.5


async def test_a_look_that_took_long_is_followed_by_a_longer_pause(looks, looking):
    looks.takes = timedelta(seconds=20)
    await looking.look([])
    assert not looking.is_quick
    looks.now += timedelta(seconds=39)
    assert not looking.may_be_asked
    looks.now += timedelta(seconds=2)
    assert looking.may_be_asked


@pytest.mark.parametrize("raised", [NotionDown("down"), NotionRefused(401, "unauthorized", "no", "do"),
                                    NotionUnfit("trashed", "gone", "restore")])  # fmt: skip
async def test_what_nothing_else_would_survive_is_raised_and_nobody_waits_on(looks, looking, raised):
    looks.raises = raised
    looking.signal(("page",))
    with pytest.raises(type(raised)):
        await looking.look([])
    assert not looking.is_asked
    looks.raises = None
    looks.now += timedelta(minutes=10)
    await looking.look([])
    assert looks.pages == ["page"], "what was signalled is not lost"


@pytest.mark.parametrize("raised", [NotionRefused(400, "validation_error", "no", "do"), KeyError("odd")])
async def test_what_only_a_look_stumbles_over_holds_up_nothing_and_is_tried_ever_later(looks, looking, raised, caplog):
    looks.raises = raised
    for pause in (5, 10, 20):
        await looking.look([])
        looks.now += timedelta(seconds=pause - 1)
        assert not looking.may_be_asked
        looks.now += timedelta(seconds=1)
        assert looking.may_be_asked
    assert "Notion" in caplog.text


async def test_of_many_signals_the_newest_are_kept(looks, looking):
    looking.signal(tuple(str(number) for number in range(MOST_SIGNALLED + 5)))
    await looking.look([])
    assert (looks.pages[0], len(looks.pages)) == ("5", MOST_SIGNALLED)


async def test_a_sweep_goes_slowly_stops_for_a_notion_that_is_down_and_comes_again_the_next_day(looks, looking):
    await looking.sweep([])
    await looking.sweep([])
    assert looks.slices == 1
    looks.now += timedelta(seconds=3)
    looks.raises = NotionDown("down")
    await looking.sweep([])
    looks.raises = None
    looks.now += timedelta(minutes=4)
    await looking.sweep([])
    assert looks.slices == 2
    looks.now += timedelta(minutes=2)
    await looking.sweep([])
    looks.now += timedelta(hours=23)
    await looking.sweep([])
    assert looks.slices == 3
    assert looking.rest() == 0.0
