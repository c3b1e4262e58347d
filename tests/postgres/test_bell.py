"""The bell between processes, on a real PostgreSQL: each bell here stands for a process."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from sqlalchemy import NullPool, create_engine, make_url, text

from bot.demo import two_free_ports
from bot.ports import LaneId
from bot.procrastinate_bell import ProcrastinateBell, forget_the_dead
from tests.postgres.house import until
from tools.database import address_of

A, B = LaneId("Ua"), LaneId("Ub")


class Ear:
    """What a process was called to, and until when it stays there."""

    def __init__(self) -> None:
        self.heard: list[LaneId] = []
        self.called = asyncio.Event()
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def work(self, lane: LaneId) -> None:
        self.heard.append(lane)
        self.called.set()
        await self.may_end.wait()


@asynccontextmanager
async def hung_up(url: str, work: Callable[[LaneId], Awaitable[None]], *, many: int = 4):
    bell = ProcrastinateBell(url, work, many=many)
    keeping = asyncio.create_task(bell.keep())
    try:
        yield bell
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})


def sql(url: str, words: str) -> list[tuple]:
    """What the server says, asked in the bell's own schema."""
    engine = create_engine(address_of(url), poolclass=NullPool)
    with engine.begin() as connection:
        home = connection.execute(text("SELECT current_schema()")).scalar_one()
        schema = connection.execute(
            text("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, :name)"), {"name": f"{home}_bell_"}
        ).scalar_one_or_none()
        if schema is None:
            return []
        connection.execute(text(f"SET LOCAL search_path TO {schema}"))
        found = connection.execute(text(words))
        return [tuple(row) for row in found] if found.returns_rows else []


def listening(url: str, processes: int = 1) -> bool:
    return len(sql(url, "SELECT id FROM procrastinate_workers")) == processes


DEFERRED = "SELECT id FROM procrastinate_periodic_defers"
"""A bell that has just been hung up forgets the dead at once; then not before the next minute."""

JOBS = "SELECT queueing_lock, status::text FROM procrastinate_jobs WHERE queueing_lock <> 'forget'"


async def test_a_lane_that_is_rung_is_worked_by_one_process_and_leaves_nothing_behind(url: str):
    ears = [Ear(), Ear(), Ear()]
    async with AsyncExitStack() as stack:
        bells = [await stack.enter_async_context(hung_up(url, ear.work)) for ear in ears]
        await until(lambda: listening(url, 3))
        for number in range(30):
            bells[number % 3].ring(LaneId(f"U{number}"))

        await until(lambda: sum(len(ear.heard) for ear in ears) >= 30 and not sql(url, JOBS))

    heard = Counter(lane for ear in ears for lane in ear.heard)
    assert heard == Counter(LaneId(f"U{number}") for number in range(30))


async def test_the_way_from_one_process_to_another_is_short(url: str):
    ear = Ear()
    async with hung_up(url, ear.work) as bell:
        await until(lambda: listening(url))
        took = []
        for number in range(20):
            ear.called.clear()
            began = time.perf_counter()
            bell.ring(LaneId(f"U{number}"))
            await asyncio.wait_for(ear.called.wait(), 20)
            took.append(time.perf_counter() - began)

    assert sorted(took)[10] < 0.25, took


async def test_ringing_for_a_lane_that_waits_already_adds_nothing(url: str):
    ear = Ear()
    ear.may_end.clear()
    async with hung_up(url, ear.work, many=1) as bell:
        await until(lambda: listening(url))
        bell.ring(A)
        await ear.called.wait()
        for _ in range(5):
            bell.ring(B)
            await until(lambda: (B, "todo") in sql(url, JOBS))
        assert sorted(sql(url, JOBS)) == [(A, "doing"), (B, "todo")]
        ear.may_end.set()
        await until(lambda: not sql(url, JOBS))

    assert ear.heard == [A, B]


async def test_a_lane_rung_while_it_is_worked_is_rung_for_others_too(url: str):
    first, second = Ear(), Ear()
    first.may_end.clear()
    async with hung_up(url, first.work, many=1) as bell:
        await until(lambda: listening(url))
        bell.ring(A)
        await first.called.wait()
        async with hung_up(url, second.work):
            bell.ring(A)
            await asyncio.wait_for(second.called.wait(), 20)
        first.may_end.set()
        await until(lambda: not sql(url, JOBS))

    assert (first.heard, second.heard) == ([A], [A])


async def test_what_is_rung_before_the_bell_hangs_is_heard_once_it_does(url: str):
    ear = Ear()
    bell = ProcrastinateBell(url, ear.work, many=1)
    bell.ring(A)
    keeping = asyncio.create_task(bell.keep())
    await asyncio.wait_for(ear.called.wait(), 20)
    keeping.cancel()
    await asyncio.wait({keeping})

    assert ear.heard == [A]


async def test_several_processes_may_hang_it_up_at_once(url: str):
    ears = [Ear() for _ in range(4)]
    async with AsyncExitStack() as stack:
        for ear in ears:
            await stack.enter_async_context(hung_up(url, ear.work))
        await until(lambda: listening(url, 4))

    assert sql(url, "SELECT count(*) FROM procrastinate_jobs WHERE queueing_lock <> 'forget'") == [(0,)]


async def test_who_rests_hears_no_more_and_still_rings(url: str):
    resting, awake = Ear(), Ear()
    async with hung_up(url, resting.work) as bell:
        await until(lambda: listening(url) and sql(url, DEFERRED))  # it is at work, and not only about to be
        bell.rest()
        await until(lambda: listening(url, 0))
        bell.ring(A)
        await until(lambda: sql(url, JOBS) == [(A, "todo")])
        async with hung_up(url, awake.work):
            await asyncio.wait_for(awake.called.wait(), 20)

    assert (resting.heard, awake.heard) == ([], [A])


async def test_a_lane_that_does_not_end_does_not_hold_the_end_of_the_process(url: str):
    ear = Ear()
    ear.may_end.clear()
    async with hung_up(url, ear.work) as bell:
        await until(lambda: listening(url))
        bell.ring(A)
        await ear.called.wait()
        began = time.monotonic()
    assert time.monotonic() - began < 5
    assert sql(url, JOBS) == []


# ── what dies ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_a_killed_process_was_called_to_blocks_nothing_and_is_forgotten_and_not_called_again(url: str):
    ear = Ear()
    async with hung_up(url, ear.work) as bell:
        await until(lambda: sql(url, DEFERRED) and not sql(url, "SELECT id FROM procrastinate_jobs"))
        sql(
            url,
            "WITH dead AS (INSERT INTO procrastinate_workers (last_heartbeat) "
            "VALUES (now() - interval '1 minute') RETURNING id) "
            "INSERT INTO procrastinate_jobs (queue_name, task_name, queueing_lock, args, status, worker_id) "
            "SELECT 'lanes', 'work', 'Ua', '{\"lane\": \"Ua\"}', 'doing', id FROM dead",
        )
        bell.ring(A)
        await asyncio.wait_for(ear.called.wait(), 20)
        await until(lambda: sql(url, JOBS) == [(A, "doing")])

        async with bell._hung_up() as app:
            await forget_the_dead(app)

        assert sql(url, JOBS) == []
    assert ear.heard == [A]


async def test_work_that_fails_is_forgotten_like_any_other(url: str, caplog: pytest.LogCaptureFixture):
    heard = []

    async def fail(lane: LaneId) -> None:
        heard.append(lane)
        raise RuntimeError("no")

    with caplog.at_level(logging.CRITICAL, "procrastinate"):
        async with hung_up(url, fail) as bell:
            await until(lambda: listening(url))
            bell.ring(A)
            await until(lambda: heard and not sql(url, JOBS))
            bell.ring(B)
            await until(lambda: len(heard) == 2 and not sql(url, JOBS))

    assert heard == [A, B]


async def test_after_its_connections_were_cut_it_is_hung_up_anew(url: str, caplog: pytest.LogCaptureFixture):
    ear = Ear()
    name = f"bell-{uuid.uuid4().hex}"
    named = make_url(url).update_query_dict({"application_name": name}).render_as_string(hide_password=False)
    with caplog.at_level(logging.CRITICAL):
        async with hung_up(named, ear.work) as bell:
            await until(lambda: listening(url))
            bell.ring(A)
            await asyncio.wait_for(ear.called.wait(), 20)
            ear.called.clear()
            assert sql(url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'")
            async with asyncio.timeout(20):
                while not ear.called.is_set():
                    bell.ring(B)
                    await asyncio.sleep(0.2)

    assert B in ear.heard


async def test_without_a_server_ringing_fails_nobody_and_is_told_once(caplog: pytest.LogCaptureFixture):
    async with hung_up(f"postgresql://postgres@127.0.0.1:{two_free_ports()}/none", Ear().work) as bell:
        bell.ring(A)
        await until(lambda: "silent for now" in caplog.text)
        bell.ring(A)
        await asyncio.sleep(1.2)

    assert caplog.text.count("silent for now") == 1
