"""Bots are born here already knowing their libraries: a process that has imported everything, and forks.

A bot takes two seconds to import its SDKs, and dies hundreds of times in these tests. ``Nursery`` is the side of the
tests; as a program it is the process that forks. Must not know what is tested.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import sys
import traceback
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = (
    *("bot.line.channel", "linebot.v3.messaging", "linebot.v3.webhooks", "openai", "bot.engines.openai_transport"),
    *("notion_client", "httpx", "alembic.command", "alembic.config", "psycopg", "uvicorn.lifespan.off"),
    *("uvicorn.protocols.http.h11_impl", "uvicorn.loops.asyncio", "sqlalchemy.dialects.postgresql"),
)


class Process(Protocol):
    """A bot, however it was started."""

    @property
    def returncode(self) -> int | None: ...

    async def wait(self) -> int: ...

    def kill(self) -> None: ...

    def send_signal(self, number: int) -> None: ...


class Born:
    """A bot that was forked."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @property
    def returncode(self) -> int | None:
        return self._ended.result() if self._ended.done() else None

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def ended(self, code: int) -> None:
        self._ended.set_result(code)


class Nursery:
    """Starts bots by forking."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._born: dict[int, Born] = {}
        self._expected: list[asyncio.Future[Born]] = []

    async def start(self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path) -> Process:
        assert self._process.stdin is not None
        born: asyncio.Future[Born] = asyncio.get_running_loop().create_future()
        self._expected.append(born)
        asked = {"arguments": arguments, "folder": str(folder), "environment": dict(environment), "log": str(log)}
        self._process.stdin.write(json.dumps(asked).encode() + b"\n")
        return await born

    async def listen(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            what, pid, *code = line.decode().split()
            if what == "born":
                self._born[int(pid)] = Born(int(pid))
                self._expected.pop(0).set_result(self._born[int(pid)])
            else:
                self._born.pop(int(pid)).ended(os.waitstatus_to_exitcode(int(code[0])))
        for each in self._expected:
            each.set_exception(ConnectionError("the nursery is closed"))
        for one in self._born.values():
            one.ended(-signal.SIGKILL)  # nobody leaves it alive


@asynccontextmanager
async def nursery() -> AsyncIterator[Nursery]:
    """A process that forks, until the block ends."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__),
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    one = Nursery(process)
    listening = asyncio.create_task(one.listen())
    try:
        yield one
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()
        await listening


# ── the process that forks ────────────────────────────────────────────────────────────────────────────────────────


def main() -> None:
    import gc
    import importlib

    for each in LIBRARIES:
        importlib.import_module(each)
    from tests.crash import child

    gc.freeze()
    waking, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    unread = b""
    alive: set[int] = set()
    while True:
        ready, _, _ = select.select([0, waking], [], [])
        if waking in ready:
            os.read(waking, 4096)
            alive.difference_update(_tell_of_the_dead())
        if 0 in ready:
            more = os.read(0, 65536)
            if not more:
                break
            *whole, unread = (unread + more).split(b"\n")
            for line in whole:
                alive.add(_give_birth(json.loads(line), child.main, (waking, woken)))
    for pid in alive:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _give_birth(asked: dict[str, Any], live: Any, ours: Sequence[int]) -> int:
    if pid := os.fork():
        print("born", pid, flush=True)
        return pid
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for each in ours:
            os.close(each)
        log = os.open(asked["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        live(asked["arguments"])
        code = 0
    except BaseException:  # noqa: BLE001 - whatever it is, the log is told and the process ends
        traceback.print_exc()
    finally:
        os._exit(code)


def _tell_of_the_dead() -> Iterator[int]:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            print("dead", *ended, flush=True)
            yield ended[0]


if __name__ == "__main__":
    main()
