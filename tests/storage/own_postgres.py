"""A PostgreSQL of a test's own, that may be stopped and started, and a wire to it that may go silent.

Must not know what is tested.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest

from bot.demo import two_free_ports


class OwnPostgres:
    """A cluster in a folder, on a loopback port."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self.binaries = binaries
        self.folder = folder
        self.port = two_free_ports()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def run(self, command: str, *arguments: str) -> None:
        as_postgres = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        program = [*as_postgres, str(self.binaries / command), "-D", str(self.folder / "data"), *arguments]
        subprocess.run(program, check=True, stdout=subprocess.DEVNULL, timeout=60, cwd=self.folder)

    def start(self) -> None:
        options = f"-h 127.0.0.1 -p {self.port} -k {self.folder} -c fsync=off -c max_connections=40"
        self.run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, how: str) -> None:
        """``fast`` hangs up on everybody; ``immediate`` is a crash."""
        self.run("pg_ctl", "-w", "-m", how, "stop")


@contextmanager
def own_postgres() -> Iterator[OwnPostgres]:
    """A running one; the test skips where PostgreSQL is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not found or (os.geteuid() == 0 and not shutil.which("runuser")):
        pytest.skip("no PostgreSQL to start")
    folder = Path(tempfile.mkdtemp())
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    server = OwnPostgres(found[-1], folder)
    try:
        server.run("initdb", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "-U", "postgres")
        server.start()
        yield server
    finally:
        with suppress(subprocess.CalledProcessError):
            server.stop("immediate")
        shutil.rmtree(folder)


class Wire:
    """A TCP relay. ``open`` cleared: nothing passes, nothing is refused, as with a server that has stopped thinking."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.open = asyncio.Event()
        self.open.set()
        self.tasks: set[asyncio.Task[None]] = set()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.target)
        for source, sink in ((reader, there_writer), (there_reader, writer)):
            task = asyncio.create_task(self.relay(source, sink))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def relay(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                while some := await source.read(65536):
                    await self.open.wait()
                    sink.write(some)
                    await sink.drain()
        finally:
            sink.close()
            with suppress(OSError):
                await sink.wait_closed()


@asynccontextmanager
async def wire_to(server: OwnPostgres) -> AsyncIterator[tuple[Wire, str]]:
    """The wire and the URL of the server at its end."""
    wire = Wire(server.port)
    relaying = await asyncio.start_server(wire.connected, "127.0.0.1", 0)
    port = relaying.sockets[0].getsockname()[1]
    try:
        yield wire, server.url.replace(str(server.port), str(port))
    finally:
        relaying.close()
        for task in list(wire.tasks):
            task.cancel()
        await asyncio.gather(*wire.tasks, return_exceptions=True)
