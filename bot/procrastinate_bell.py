"""The bell between processes that share one PostgreSQL: "this lane has work", rung by one, heard by another.

Procrastinate carries it and nothing more: a job says nothing that the inbox does not say, so every job may be lost, and
none is ever retried. Must not know what a lane's work is, or who may do it: the inbox's claim decides that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.jobs import DeleteJobCondition, Status
from procrastinate.schema import SchemaManager
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier
from psycopg_pool import AsyncConnectionPool

from bot.ports import LaneId
from tools.database import MIGRATION_LOCK, address_of

QUEUE = "lanes"

POLL_SECONDS = 10.0
"""How often the queue is looked at unasked: PostgreSQL's NOTIFY says when there is something."""

NEVER = 86_400.0
"""Nobody asks for a job to be aborted."""

DEAF_SECONDS = 30.0
"""A process whose heart has not beaten for so long is gone, and what it was called to is forgotten."""

LET_GO_SECONDS = 1.0
"""At the end a job waits so long for its lane; the lane goes on without it."""

PAUSE_SECONDS = 1.0
"""Before the bell is hung up anew."""

CONNECTIONS = 2
"""To ring, to fetch and to finish; one more listens."""

log = logging.getLogger(__name__)


class BellSilent(Exception):
    """The bell has stopped by itself."""


class ProcrastinateBell:
    """One process's end of the bell. ``url`` is a PostgreSQL database that is up to date; ``work`` returns when this
    process has nothing more to do for the lane; ``many`` lanes are worked at once."""

    def __init__(self, url: str, work: Callable[[LaneId], Awaitable[None]], *, many: int) -> None:
        self._url = url
        self._work = work
        self._many = many
        self._rung: dict[LaneId, None] = {}
        self._moved = asyncio.Event()
        self._hearing: asyncio.Task[None] | None = None
        self._resting = False

    def ring(self, lane: LaneId) -> None:
        """Say that the lane has work, soon: call it after the commit. Never fails; a ring may be lost."""
        self._rung[lane] = None
        self._moved.set()

    async def keep(self) -> None:
        """Ring and hear until cancelled. What breaks is hung up anew."""
        told = False
        while True:
            try:
                async with self._hung_up() as app, asyncio.TaskGroup() as group:
                    told = False
                    group.create_task(self._keep_ringing(app))
                    if not self._resting:
                        self._hearing = group.create_task(self._hear(app))
            except Exception as trouble:  # noqa: BLE001 - without the bell, work is found by looking for it
                if not told:
                    log.warning("the bell between processes is silent for now (%s)", _first_of(trouble))
                told = True
            await asyncio.sleep(PAUSE_SECONDS)

    def rest(self) -> None:
        """Hear no more; what comes in here is still rung for others."""
        self._resting = True
        if self._hearing:
            self._hearing.cancel()

    async def _keep_ringing(self, app: App) -> None:
        while True:
            await self._moved.wait()
            self._moved.clear()
            while self._rung:
                lane = next(iter(self._rung))
                del self._rung[lane]
                try:
                    await app.configure_task("work", queue=QUEUE, queueing_lock=lane).defer_async(lane=lane)
                except AlreadyEnqueued:
                    continue  # who hears that one will find this work too: it is committed

    async def _hear(self, app: App) -> None:
        await app.run_worker_async(
            queues=[QUEUE],
            concurrency=self._many,
            delete_jobs=DeleteJobCondition.ALWAYS,
            fetch_job_polling_interval=POLL_SECONDS,
            abort_job_polling_interval=NEVER,
            stalled_worker_timeout=DEAF_SECONDS,
            shutdown_graceful_timeout=LET_GO_SECONDS,
            install_signal_handlers=False,
        )
        raise BellSilent("the worker has stopped")

    @asynccontextmanager
    async def _hung_up(self) -> AsyncIterator[App]:
        """The application, open, with its tables in place."""
        conninfo = _conninfo(self._url)
        path = await _made(conninfo)
        app = self._app(conninfo, path)
        async with app.open_async():
            yield app

    def _app(self, conninfo: str, path: str) -> App:
        async def configure(connection: AsyncConnection[Any]) -> None:
            await connection.set_autocommit(True)
            await connection.execute(SQL("SET search_path TO {}").format(Identifier(path)))
            await connection.execute("SET synchronous_commit TO off")  # a lost ring costs seconds, not an answer

        app = App(
            connector=PsycopgConnector(
                pool_factory=_pool, conninfo=conninfo, configure=configure, min_size=1, max_size=CONNECTIONS
            )
        )

        @app.task(name="work", queue=QUEUE)
        async def work(lane: str) -> None:
            await self._work(LaneId(lane))

        # Procrastinate looks after its own listener only as long as there is something periodic.
        @app.periodic(cron="* * * * *")
        @app.task(name="forget", queue=QUEUE, queueing_lock="forget")
        async def forget(timestamp: int) -> None:  # noqa: ARG001 - the library hands over when it was due
            await forget_the_dead(app)

        return app


async def forget_the_dead(app: App) -> None:
    """Delete what processes that died had been called to. It is not called again: whoever sweeps the inbox finds it."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=DEAF_SECONDS):
        assert job.id is not None
        await app.job_manager.finish_job_by_id_async(job.id, Status.FAILED, delete_job=True)


def _pool(*, check: object = None, **given: Any) -> AsyncConnectionPool[Any]:  # noqa: ARG001 - left out
    """The library would ask each connection before each use whether it lives: two ways instead of one."""
    return AsyncConnectionPool(**given)


async def _made(conninfo: str) -> str:
    """The bell's schema, beside the house's own; made if it is not there.

    Its name holds the tables' fingerprint: another version of the library has other tables, and none is ever migrated.
    """
    tables = SchemaManager.get_schema()
    async with await AsyncConnection.connect(conninfo) as connection:
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        home = await _one(connection, "SELECT current_schema()")
        path = f"{home}_bell_{sha256(tables.encode()).hexdigest()[:8]}"
        if await _one(connection, "SELECT to_regnamespace(%s)::text", f'"{path}"') is None:
            await connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(path)))
            await connection.execute(SQL("SET LOCAL search_path TO {}").format(Identifier(path)))
            await connection.execute(tables)
    return path


async def _one(connection: AsyncConnection[Any], query: Any, *values: object) -> str | None:
    row = await (await connection.execute(query, values)).fetchone()
    return row and row[0]


def _conninfo(url: str) -> str:
    """The address as the driver takes it: what stands in it is read as it is for the store itself."""
    address = address_of(url)
    _, words = address.get_dialect()().create_connect_args(address)
    return make_conninfo("", **words)


def _first_of(trouble: BaseException) -> BaseException:
    while isinstance(trouble, BaseExceptionGroup):
        trouble = trouble.exceptions[0]
    return trouble
