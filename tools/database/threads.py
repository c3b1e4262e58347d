"""Threads that work on the store, and the waiting for them: work begins in time, or it is withdrawn and never begins.

What has begun is not interrupted, whoever stops waiting for it; only a connection to a server that no longer answers is
hung up. What may wait begins behind what may not. Must not know what the work is.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

from tools.database.trouble import DatabaseUnavailable, Reason
from tools.patience import HURRIED, MAY_WAIT

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
    """Threads for one kind of work, started as there is work for them."""

    def __init__(self, name: str, count: int) -> None:
        self._name = name
        self._count = count
        self._queue = _Queue()
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._under_way: dict[Attempt, asyncio.Future[None]] = {}
        weakref.finalize(self, self._queue.end, count)

    async def run(self, attempt: Attempt, call: Callable[[], T]) -> T:
        """Hand it to a thread, and wait for its outcome or for its being withdrawn. Raises DatabaseUnavailable."""
        if self._closed:
            raise DatabaseUnavailable("the database has been closed", "closed")
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[T] = loop.create_future()
        self._under_way[attempt] = loop.create_future()
        late = loop.call_later(attempt.seconds, _late, attempt, outcome)

        def ended(result: Any, failure: BaseException | None) -> None:
            late.cancel()
            HURRIED.discard(attempt)
            self._under_way.pop(attempt).set_result(None)
            if failure and not outcome.done():
                outcome.set_exception(failure)
            elif not outcome.done():
                outcome.set_result(result)

        def work() -> None:
            result, failure = _outcome_of(call)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(ended, result, failure)

        may_wait = MAY_WAIT.get()
        if not may_wait:
            HURRIED.add(attempt)
        self._queue.put(work, may_wait=may_wait)
        self._start_one_more()
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
        self._closed = True
        if self._under_way:
            await asyncio.wait(self._under_way.values(), timeout=FINISH_SECONDS)
        for late in list(self._under_way):
            late.give_up()
        self._queue.end(self._count)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    def _start_one_more(self) -> None:
        """As long as there is more to do at once than there are threads."""
        if len(self._threads) < min(self._count, len(self._under_way)):
            name = f"{self._name}_{len(self._threads)}"
            thread = threading.Thread(target=_work_off, args=(self._queue,), name=name, daemon=True)
            self._threads.append(thread)
            thread.start()


class _Queue:
    """Two queues before the same threads: who may wait, and who may not."""

    def __init__(self) -> None:
        self._bells: SimpleQueue[bool] = SimpleQueue()
        self._first: deque[Callable[[], None]] = deque()
        self._then: deque[Callable[[], None]] = deque()

    def put(self, work: Callable[[], None], *, may_wait: bool) -> None:
        (self._then if may_wait else self._first).append(work)
        self._bells.put(True)

    def end(self, count: int) -> None:
        """So many threads find no more work behind what is there."""
        for _ in range(count):
            self._bells.put(False)

    def next(self) -> Callable[[], None] | None:
        """Waits for work; None if none comes any more. For each ring there is a piece, though another thread may take
        the one that was just seen."""
        if not self._bells.get():
            return None
        while True:
            for each in (self._first, self._then):
                with suppress(IndexError):
                    return each.popleft()


def _work_off(queue: _Queue) -> None:
    while work := queue.next():
        work()
        del work  # what it holds is let go before the next is waited for


def _outcome_of(call: Callable[[], T]) -> tuple[T | None, BaseException | None]:
    """What it returns or raises."""
    try:
        return call(), None
    except StopIteration as stop:  # no future can carry it: whoever waits for it would wait for ever
        failure = RuntimeError("work on the store raised StopIteration")
        failure.__cause__ = stop
        return None, failure
    except BaseException as failure:  # noqa: BLE001 - whoever waits is told
        return None, failure


def _late(attempt: Attempt, outcome: asyncio.Future[Any]) -> None:
    """What has not begun never does; what has may finish, unless its server is silent for as long again."""
    if not attempt.withdraw():
        asyncio.get_running_loop().call_later(attempt.seconds, attempt.give_up)
    elif not outcome.done():
        outcome.set_exception(attempt.late)


def _tell_of_failure(outcome: asyncio.Future[Any]) -> None:
    """Nobody waits for this any more: if it failed, the log is the only one to hear it."""
    if not outcome.cancelled() and (failure := outcome.exception()):
        log.error("work on the store failed after its caller had been cancelled", exc_info=failure)
