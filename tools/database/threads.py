"""Threads that work on the store, and the waiting for them: work begins in time, or it is withdrawn and never begins.

What has begun is not interrupted, whoever stops waiting for it; only a connection to a server that no longer answers is
hung up. Must not know what the work is.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tools.database.trouble import DatabaseUnavailable, Reason

T = TypeVar("T")

EVER = 1e8
"""Seconds: for work that waits as long as it must."""

FINISH_SECONDS = 5.0
"""So long the end waits for work; then what has not begun is withdrawn, and a server that is silent is left."""

log = logging.getLogger(__name__)


class Attempt:
    """One piece of work, seen from the event loop that waits for it and from the thread that does it."""

    def __init__(
        self,
        seconds: float = EVER,
        late: Reason = "slow",
        hang_up: Callable[[Any], None] = lambda _: None,
    ) -> None:
        self.late = DatabaseUnavailable(f"the store is {late}: nothing could be begun in {seconds:g} seconds", late)
        self._asked = time.monotonic()
        self.seconds = seconds
        self._hang_up = hang_up
        self._lock = threading.Lock()
        self._begun = self._withdrawn = self._given_up = False
        self._driver: Any = None

    def begin(self) -> None:
        """On the thread, before anything is done. Raises DatabaseUnavailable if nobody waits for it any more."""
        with self._lock:
            if self._withdrawn or self.remaining <= 0:
                raise self.late
            self._begun = True

    def withdraw(self) -> bool:
        """On the event loop: from now on it never begins. False if it has begun."""
        with self._lock:
            self._withdrawn = not self._begun
            return self._withdrawn

    @property
    def remaining(self) -> float:
        """Seconds in which it may still begin."""
        return 0 if self._withdrawn else self._asked + self.seconds - time.monotonic()

    def waits_since(self, seconds: float) -> bool:
        """Whether it was asked for so long ago, and has not begun."""
        return not self._begun and time.monotonic() - self._asked > seconds

    def watch(self, driver_connection: Any) -> None:
        """The connection that the thread is about to wait on; None when it no longer does."""
        with self._lock:
            self._driver = driver_connection

    def go_on(self) -> None:
        """On the thread, before it waits for the same thing once more. Raises DatabaseUnavailable if it is given up."""
        with self._lock:
            if self._given_up:
                raise self.late

    def give_up(self) -> None:
        """Withdraw it, or end the connection it waits on."""
        if not self.withdraw():
            with self._lock:
                self._given_up = True
                if self._driver is not None:
                    self._hang_up(self._driver)


class Threads:
    """Threads for one kind of work."""

    def __init__(self, name: str, count: int) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._under_way: dict[Attempt, asyncio.Future[Any]] = {}

    async def run(self, attempt: Attempt, call: Callable[[], T]) -> T:
        """Hand it to a thread, and wait for its outcome or for its being withdrawn. Raises DatabaseUnavailable."""
        loop = asyncio.get_running_loop()
        try:
            running = loop.run_in_executor(self._pool, _without_stop, call)
        except RuntimeError as closed:
            raise DatabaseUnavailable("the database has been closed", "closed") from closed
        outcome: asyncio.Future[T] = loop.create_future()
        self._under_way[attempt] = running
        late = loop.call_later(attempt.seconds, _late, attempt, outcome)

        def finished(_: asyncio.Future[T]) -> None:
            late.cancel()
            del self._under_way[attempt]
            _hand_over(running, outcome)

        running.add_done_callback(finished)
        try:
            return await asyncio.shield(outcome)
        except asyncio.CancelledError:
            outcome.add_done_callback(_tell_of_failure)
            raise

    def wait_since(self, seconds: float) -> bool:
        """Whether something was asked for so long ago, and has not begun."""
        return any(attempt.waits_since(seconds) for attempt in self._under_way)

    async def finish(self) -> None:
        """Wait for what is under way; nothing more is taken."""
        self._pool.shutdown(wait=False)
        if self._under_way:
            await asyncio.wait(self._under_way.values(), timeout=FINISH_SECONDS)
        for late in list(self._under_way):
            late.give_up()
        await asyncio.to_thread(self._pool.shutdown)


def _late(attempt: Attempt, outcome: asyncio.Future[Any]) -> None:
    """What has not begun never does; what has may finish, unless its server is silent for as long again."""
    if not attempt.withdraw():
        asyncio.get_running_loop().call_later(attempt.seconds, attempt.give_up)
    elif not outcome.done():
        outcome.set_exception(attempt.late)


def _without_stop(call: Callable[[], T]) -> T:
    """No future can carry StopIteration: whoever waits for it would wait for ever."""
    try:
        return call()
    except StopIteration as stop:
        raise RuntimeError("work on the store raised StopIteration") from stop


def _hand_over(running: asyncio.Future[T], outcome: asyncio.Future[T]) -> None:
    """To whoever still waits."""
    failure = running.exception()
    if outcome.done():
        return
    if failure:
        outcome.set_exception(failure)
    else:
        outcome.set_result(running.result())


def _tell_of_failure(outcome: asyncio.Future[Any]) -> None:
    """Nobody waits for this any more: if it failed, the log is the only one to hear it."""
    if not outcome.cancelled() and (failure := outcome.exception()):
        log.error("work on the store failed after its caller had been cancelled", exc_info=failure)
