"""Who may wait lets go first whoever may not, on the event loop and before the store's threads, and is worked all the
same."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.event_loop import HOLD_SECONDS, STRETCH_SECONDS, EventLoop
from tools.database import Database
from tools.patience import HURRIED, MAY_WAIT


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(20):
            return await work()

    with asyncio.Runner(loop_factory=EventLoop) as runner:
        return runner.run(bounded())


def patiently(work: Callable[[], Awaitable[Any]]) -> asyncio.Task[Any]:
    async def waiting() -> Any:
        MAY_WAIT.set(True)
        await asyncio.sleep(0)
        return await work()

    return asyncio.create_task(waiting())


def burn(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


def test_whoever_may_not_wait_stands_behind_one_stretch_and_not_behind_everybody():
    steps = 0

    async def thinks() -> None:
        nonlocal steps
        while True:
            burn(1.5 * STRETCH_SECONDS)
            steps += 1
            await asyncio.sleep(0)

    async def work() -> int:
        thinking = [patiently(thinks) for _ in range(20)]
        await asyncio.sleep(0.05)
        before = steps
        for _ in range(10):
            await asyncio.sleep(0)
        for each in thinking:
            each.cancel()
        return steps - before

    assert run(work) <= 11


def test_what_may_wait_goes_on_however_much_comes_in():
    coming = True

    async def comes_in() -> None:
        while coming:  # noqa: ASYNC110 - it is there to keep the loop busy
            await asyncio.sleep(0)

    async def thinks() -> str:
        for _ in range(50):
            await asyncio.sleep(0)
        return "done"

    async def work() -> str:
        nonlocal coming
        arriving = asyncio.create_task(comes_in())
        try:
            return await patiently(thinks)
        finally:
            coming = False
            await arriving

    assert run(work) == "done"


def test_those_who_wait_keep_their_order():
    order: list[int] = []

    async def work() -> None:
        MAY_WAIT.set(True)
        for number in range(100):
            asyncio.get_running_loop().call_soon(order.append, number)
        await asyncio.sleep(0)
        await asyncio.sleep(0.05)

    run(work)
    assert order == list(range(100))


def test_what_is_called_off_is_not_run_and_what_fails_is_told():
    told: list[Any] = []
    done: list[int] = []

    async def work() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: told.append(context["exception"]))
        MAY_WAIT.set(True)
        loop.call_soon(done.append, 1).cancel()
        loop.call_soon(int, "no number")
        loop.call_soon(done.append, 2)
        await asyncio.sleep(0.05)

    run(work)
    assert done == [2]
    assert [type(each) for each in told] == [ValueError]


@pytest.mark.parametrize("ends", [True, False], ids=["until it is done", "but not for ever"])
def test_what_may_wait_lets_a_thread_finish_that_works_for_who_may_not(ends: bool):
    class Work:
        """Something under way."""

    async def work() -> int:
        steps = 0

        async def thinks() -> None:
            nonlocal steps
            while True:
                steps += 1
                await asyncio.sleep(0)

        thinking = patiently(thinks)
        await asyncio.sleep(0.01)
        under_way = Work()
        HURRIED.add(under_way)
        await asyncio.sleep(0)
        before = steps
        await asyncio.sleep(HOLD_SECONDS / 2 if ends else 5 * HOLD_SECONDS)
        gone_on = steps - before
        HURRIED.discard(under_way)
        await asyncio.sleep(0.02)
        thinking.cancel()
        assert steps > before + gone_on
        return gone_on

    assert (run(work) == 0) is ends


async def test_the_store_takes_first_what_may_not_wait(database: Database):
    order: list[str] = []
    held, go_on = threading.Event(), threading.Event()

    def holds(_: Any) -> None:
        held.set()
        assert go_on.wait(10)

    async def write(name: str, *, may_wait: bool) -> None:
        MAY_WAIT.set(may_wait)
        await database.write(lambda _: order.append(name))

    holding = asyncio.create_task(database.write(holds))
    await asyncio.to_thread(held.wait)
    waiting = [asyncio.create_task(write(f"turn {number}", may_wait=True)) for number in range(3)]
    await asyncio.sleep(0)
    waiting.append(asyncio.create_task(write("what comes in", may_wait=False)))
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(holding, *waiting)

    assert order == ["what comes in", "turn 0", "turn 1", "turn 2"]
    assert not HURRIED
