"""Who works what, as rows: one claim per lane, with a lease and a fence, on the store's own clock.

Two processes never hold a lane at once; one that slept past its lease finds another's fence on its turn. Must not know
what is in a lane.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Exists,
    Integer,
    String,
    Table,
    bindparam,
    delete,
    select,
    text,
    update,
)

from bot.ports import LaneId
from tools.database import insert_new, metadata, micros

LEASE_SECONDS = 10.0
"""A claim outlives its worker by so much at most. It is renewed long before."""

CLAIM = Table(
    "claim",
    metadata,
    Column("lane", String(66), primary_key=True),
    Column("worker", String(80), nullable=False),
    Column("fence", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("at_work", Integer, nullable=False),
)
"""``fence`` is never given twice; ``until`` in microseconds, UTC. A worker that ends in order takes its claims back, so
that a claim which has run out tells of a death; ``at_work`` says whether the turn had a part in it, or only waited."""


def name_of_this_process() -> str:
    """Unlike that of any other, on this machine or another, before or after."""
    return f"{socket.gethostname()[:40]}:{os.getpid()}:{secrets.token_hex(4)}"


class Claims:
    """The claims of all processes, as ``worker`` sees them. Every method runs in the transaction it is handed."""

    def __init__(self, worker: str, lease_seconds: float, now: Callable[[], datetime]) -> None:
        self._worker = worker
        self._lease = int(lease_seconds * 1_000_000)
        self._now = now

    def take(self, connection: Connection, lane: LaneId) -> tuple[int, bool] | None:
        """The fence of our claim on the lane, and whether its last worker died; None while it is another's."""
        clock, fence = self.clock(connection), secrets.randbits(62)
        held = connection.execute(_HELD, {"of": lane}).one_or_none()
        until = clock["now"] + self._lease
        ours = {"lane": lane, "worker": self._worker, "fence": fence, "until": until, "at_work": 1}
        if held is None:
            return (fence, False) if insert_new(connection, CLAIM, ours) else None
        if held.worker == self._worker:
            return held.fence, False
        if clock["now"] < held.until <= clock["far"]:
            return None
        connection.execute(_TAKE_OVER, {"of": lane, **ours})
        return fence, bool(held.at_work)

    def at_work(self, connection: Connection, lane: LaneId, *, begins: bool) -> None:
        """Work begins in a lane that we hold, or has to wait."""
        connection.execute(_AT_WORK, {"of": lane, "me": self._worker, "begins": int(begins)})

    def give_back(self, connection: Connection, lane: LaneId) -> None:
        """A lane that we hold, in which nothing waits."""
        connection.execute(_GIVE_BACK, {"of": lane})

    def renew(self, connection: Connection) -> None:
        """Hold everything that is ours for another lease."""
        connection.execute(_RENEW, {"me": self._worker, "later": self.clock(connection)["now"] + self._lease})

    def let_go(self, connection: Connection) -> None:
        """Give everything back: what was begun is not done, but nobody died."""
        connection.execute(_LET_GO, {"me": self._worker})

    def end_all(self, connection: Connection) -> None:
        """Whoever held one is dead."""
        connection.execute(_END_ALL)

    def clock(self, connection: Connection) -> dict[str, int]:
        """A claim lives until after ``now``, but not after ``far``: that one was given before the clock was set back.
        On the store's own clock where it has one."""
        if connection.dialect.name == "postgresql":
            now = int(connection.execute(_CLOCK).scalar_one())
        else:
            now = micros(self._now())
        return {"now": now, "far": now + 2 * self._lease}


def claimed(lane: Column[str]) -> Exists:
    """Whether somebody works the lane now; ``clock`` gives the parameters."""
    living = CLAIM.c.until.between(bindparam("now") + 1, bindparam("far"))
    return select(CLAIM.c.lane).where(CLAIM.c.lane == lane, living).exists()


_CLOCK = select(text("CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"))

_HELD = select(CLAIM).where(CLAIM.c.lane == bindparam("of")).with_for_update()
"""On PostgreSQL, who takes or gives back a lane waits for whoever is at it."""

_TAKE_OVER = update(CLAIM).where(CLAIM.c.lane == bindparam("of"))
"""Sets the columns it is handed."""

_GIVE_BACK = delete(CLAIM).where(CLAIM.c.lane == bindparam("of"))
_AT_WORK = (
    update(CLAIM)
    .where(CLAIM.c.lane == bindparam("of"), CLAIM.c.worker == bindparam("me"))
    .values(at_work=bindparam("begins"))
)
_LET_GO = delete(CLAIM).where(CLAIM.c.worker == bindparam("me"))
_RENEW = update(CLAIM).where(CLAIM.c.worker == bindparam("me")).values(until=bindparam("later"))
_END_ALL = update(CLAIM).values(until=0)
