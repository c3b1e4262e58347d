"""The event loop on which a door opens while many are at work: what may wait runs in short stretches between the rest.

A machine that has more turns than it can work makes their answers late; whoever brings a new message must not stand
behind them, for LINE waits two seconds for its 200. Must not know what is run.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import TypeVarTuple, Unpack

from tools.patience import HURRIED, MAY_WAIT

STRETCH_SECONDS = 0.002
"""What may wait runs so long until it is looked whether anything else is to be done. It gets its stretch each time, so
it goes on however much comes in."""

HOLD_SECONDS = 0.01
"""Between two stretches that long at most is waited for threads that work for those who may not wait."""

LOOK_SECONDS = 0.001
"""How often it is looked whether they are done."""

SWITCH_SECONDS = 0.001
"""A thread that waits to run Python asks for its turn after so long: a commit does so many times, each time behind
whatever computes. Python's own 5 ms would make many commits wait for one long thought."""

T = TypeVarTuple("T")

_NOBODYS = Context()


class EventLoop(asyncio.SelectorEventLoop):
    """Runs first what may not wait. Among those who may, as among the others, the order stays as it is."""

    def __init__(self) -> None:
        super().__init__()
        sys.setswitchinterval(SWITCH_SECONDS)
        self._patient: deque[asyncio.Handle] = deque()
        self._goes_on = False
        self._held_until = 0.0

    def call_soon(
        self, callback: Callable[[Unpack[T]], object], *args: *T, context: Context | None = None
    ) -> asyncio.Handle:
        may_wait = MAY_WAIT.get() if context is None else context.get(MAY_WAIT, False)
        if not may_wait:
            return super().call_soon(callback, *args, context=context)
        handle = asyncio.Handle(callback, args, self, context or copy_context())
        self._patient.append(handle)
        self._see_to_it()
        return handle

    def _see_to_it(self) -> None:
        if self._patient and not self._goes_on:
            self._goes_on = True
            super().call_soon(self._run_a_stretch, context=_NOBODYS)

    def _run_a_stretch(self) -> None:
        """What is there now, as far as the time goes; what comes of it waits for the next."""
        now = self.time()
        if HURRIED and now < self._held_until:
            self.call_later(LOOK_SECONDS, self._run_a_stretch, context=_NOBODYS)
            return
        until = now + STRETCH_SECONDS
        self._goes_on = False
        try:
            for _ in range(len(self._patient)):
                handle = self._patient.popleft()
                if not handle.cancelled():
                    handle._run()  # noqa: SLF001 - as the loop itself does: it tells of what is raised
                if self.time() > until:
                    break
        finally:
            self._held_until = self.time() + HOLD_SECONDS
            self._see_to_it()

    def close(self) -> None:
        super().close()
        self._patient.clear()
