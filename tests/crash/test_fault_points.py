from __future__ import annotations

import pytest

from bot import fault_points
from bot.fault_points import POINTS, Step, kill_at, watched


class Part:
    def __init__(self) -> None:
        self.open = True

    async def send(self, text: str) -> str:
        return text.upper()

    async def look(self) -> list[str]:
        return []


def tables() -> list[fault_points.Steps]:
    return [each for name, each in vars(fault_points).items() if name.isupper() and isinstance(each, dict)]


def test_every_step_passes_points_that_are_named_in_the_list():
    steps = [step for table in tables() for step in table.values()]
    named = [
        f"{step.room}: {moment}"
        for step in steps
        if step.room
        for moment in (step.before, step.begun, step.ready, step.committed, step.after)
        if moment
    ]
    assert len(tables()) == 11
    assert set(named) <= set(POINTS)
    assert len(set(POINTS)) == len(POINTS)


def test_where_nobody_watches_a_part_stays_the_very_same():
    part = Part()
    assert watched(part, {"send": Step("deliver", before="before send")}, None) is part


async def test_a_watched_part_passes_its_points_and_does_what_it_did():
    passed: list[str] = []
    step = Step("deliver", before="before send", after="after send")
    part = watched(Part(), {"send": step}, passed.append)
    assert await part.send("a") == "A"
    assert part.open
    assert passed == ["deliver: before send", "deliver: after send"]


async def test_a_point_is_of_the_room_it_is_passed_in():
    passed: list[str] = []
    inner = watched(Part(), {"send": Step(before="before send")}, passed.append)

    class Outer:
        async def interim(self) -> str:
            return await inner.send("a")

    await watched(Outer(), {"interim": Step("interim")}, passed.append).interim()
    assert passed == ["interim: before send"]


async def test_what_sought_and_found_nothing_passes_no_point():
    passed: list[str] = []
    await watched(Part(), {"look": Step("work", after="after claim", sought=True)}, passed.append).look()
    assert passed == []


def test_only_a_point_that_exists_can_be_died_at():
    with pytest.raises(ValueError, match="no fault point"):
        kill_at("somewhere")
