"""Programs are born here already knowing their libraries: a process that has imported everything, and forks.

A bot takes two seconds of a processor to import its SDKs, and is started hundreds of times in these tests. ``Nursery``
is the side of the tests; as a program it is the process that forks. What is born runs a module as ``python -m`` does,
and ends as Python ends. It has only not imported by itself: what is tested of that is started ``cold``. Must not know
what is tested.
"""

from __future__ import annotations

import asyncio
import atexit
import functools
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).resolve().parents[1]
APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT
LIBRARIES = (
    *("bot.serve", "bot.chat", "bot.demo", "bot.inbox_command", "bot.log_command", "bot.ai_log_file"),
    *("bot.line.channel", "linebot.v3.messaging", "linebot.v3.webhooks", "openai", "bot.engines.openai_transport"),
    *("notion_client", "httpx", "alembic.command", "alembic.config", "psycopg", "bot.procrastinate_bell"),
    *("uvicorn.lifespan.off", "uvicorn.protocols.http.h11_impl", "uvicorn.loops.asyncio"),
    *("sqlalchemy.dialects.postgresql", "tools.database.copying", "tools.database.sqlite_backup", "bot.fault_points"),
)
STREAMS = (os.O_RDONLY, APPENDING, APPENDING)


class Process(Protocol):
    """A program, however it was started."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    async def wait(self) -> int: ...

    def kill(self) -> None: ...

    def send_signal(self, number: int) -> None: ...


class Born:
    """A program that was forked."""

    def __init__(self, pid: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = pid
        self._end = asyncio.create_task(_end_of(reader, writer))

    @property
    def returncode(self) -> int | None:
        return self._end.result() if self._end.done() else None

    async def wait(self) -> int:
        return await asyncio.shield(self._end)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            if self.returncode is None:
                os.kill(self.pid, number)


async def _end_of(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
    """The exit code, once there is one. A nursery that closes leaves nobody alive."""
    told = await reader.readline()
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return os.waitstatus_to_exitcode(int(told)) if told else -signal.SIGKILL


class Nursery:
    """Starts programs by forking: from any loop, each on a connection of its own."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="nursery-")
        self._address = f"{self._folder.name}/socket"
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(self._address)
            door.listen()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.nursery", str(door.fileno())],
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"},
                stdin=subprocess.PIPE,
                pass_fds=[door.fileno()],
            )

    async def start(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        *,
        reads: Path = Path(os.devnull),
        writes: Path,
        complains: Path,
    ) -> Born:
        """Run ``python -m`` these words in a folder, with nothing else in its environment. Its output and its errors
        are appended to files."""
        for each in {writes, complains}:
            each.touch()
        reader, writer = await asyncio.open_unix_connection(self._address)
        asked = {
            "command": list(command),
            "folder": str(folder),
            "environment": dict(environment),
            "streams": [str(reads), str(writes), str(complains)],
        }
        writer.write(json.dumps(asked).encode() + b"\n")
        return Born(int(await reader.readline()), reader, writer)

    def close(self) -> None:
        """And end all who were born here."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()


@functools.cache
def nursery() -> Nursery:
    """The one of this process. It ends with it."""
    one = Nursery()
    atexit.register(one.close)
    return one


# ── the process that forks ────────────────────────────────────────────────────────────────────────────────────────


def main(door: socket.socket) -> dict[str, Any] | None:
    """Until standard input ends. In a process that was forked: what it is to do."""
    for each in LIBRARIES:
        importlib.import_module(each)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever waits for the tests may interrupt them
    signal.signal(signal.SIGCHLD, lambda *_: None)
    waking, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    alive: dict[int, socket.socket] = {}
    while 0 not in (ready := select.select([0, waking, door, *alive.values()], [], [])[0]):
        _end([pid for pid, parent in alive.items() if parent in ready])  # nobody waits for them any more
        if waking in ready:
            os.read(waking, 4096)
            _tell_of_the_dead(alive)
        if door in ready:
            asked, parent = _asked(door)
            if not (pid := os.fork()):
                signal.set_wakeup_fd(-1)
                for each in (parent, *alive.values()):
                    each.close()
                os.close(waking)
                os.close(woken)
                return asked
            alive[pid] = parent
            parent.sendall(b"%d\n" % pid)
    _end(alive)
    return None


def _end(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _asked(door: socket.socket) -> tuple[dict[str, Any], socket.socket]:
    parent, _ = door.accept()
    with parent.makefile("rb") as lines:
        return json.loads(lines.readline()), parent


def _tell_of_the_dead(alive: dict[int, socket.socket]) -> None:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            with alive.pop(ended[0]) as parent, suppress(OSError):
                parent.sendall(b"%d\n" % ended[1])


def live(asked: dict[str, Any]) -> None:
    """As a program that was started like this."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, (place, how) in enumerate(zip(asked["streams"], STREAMS, strict=True)):
        opened = os.open(place, how)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    module, *arguments = asked["command"]
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as door:
        asked = main(door)
    if asked:
        live(asked)
