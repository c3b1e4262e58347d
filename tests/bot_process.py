"""The whole bot as a process, on loopback ports and a temporary database, with the local LINE in front of it.

It is forked from a process that knows its libraries already, unless it is to start ``cold``, as an operator starts it.
Must not know what is tested.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

from bot.demo import two_free_ports
from bot.local_line.phone import NoAnswer, Phone, Unreachable, reachable
from bot.main import utc_now
from bot.settings import Settings
from tests.emulators.openapi import line_judge
from tests.nursery import Process, nursery
from tools.database import Database
from tools.record import PersonId, Record, RecordQuery
from tools.sql.memory import SqlMemory

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("SECRETARY_SHARED", ROOT.parent / "shared"))

SECRET = "8c570fa6dd201bb328f1c1eac23a96d8"
OWNER = "U" + "0123456789abcdef" * 2
LINE_ON = {
    "LINE_CHANNEL_SECRET": SECRET,
    "LINE_CHANNEL_ACCESS_TOKEN": "token-of-the-test",
    "LINE_API_BASE": "http://127.0.0.1:9",
    "SECRETARY_OWNERS": OWNER,
}
"""A bot that is configured for LINE, and never reaches it."""


def clean_environment() -> dict[str, str]:
    """Ours without any setting of a bot, and without a language; a warning in it ends the process."""
    settings = {name.upper() for name in Settings.model_fields} | {"LANG", "LC_ALL", "LC_MESSAGES"}
    kept = {name: value for name, value in os.environ.items() if name.upper() not in settings}
    return kept | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


class BotProcess:
    """``python -m bot`` with a clean environment, its log kept."""

    def __init__(self, folder: Path, *, cold: bool = False, **settings: str) -> None:
        self.folder = folder
        self.cold = cold
        self.port = two_free_ports()
        self.base = f"http://127.0.0.1:{self.port}"
        self.line = f"http://127.0.0.1:{self.port + 1}"
        self.log = folder / "bot.log"
        self.settings = settings
        self.process: Process | None = None

    @property
    def environment(self) -> dict[str, str]:
        return clean_environment() | {
            "DATABASE_URL": f"sqlite:///{self.folder / 'bot.db'}",
            "PORT": str(self.port),
            "HOST": "127.0.0.1",
            **self.settings,
        }

    async def command(self, *arguments: str, talk: str | bytes = "", cwd: Path | None = None) -> tuple[int, str, str]:
        """Run a command to its end: exit code, output, errors."""
        said = talk if isinstance(talk, bytes) else talk.encode()
        if self.cold:
            return await self._cold_command(arguments, said, cwd or self.folder)
        with tempfile.TemporaryDirectory() as place:
            reads, writes, complains = (Path(place, each) for each in ("reads", "writes", "complains"))
            reads.write_bytes(said)
            process = await nursery().start(
                ["bot", *arguments],
                cwd or self.folder,
                self.environment,
                reads=reads,
                writes=writes,
                complains=complains,
            )
            code = await asyncio.wait_for(process.wait(), 60)
            return code, writes.read_text("utf-8"), complains.read_text("utf-8")

    async def _cold_command(self, arguments: Sequence[str], talk: bytes, cwd: Path) -> tuple[int, str, str]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", *arguments),
            cwd=cwd,
            env=self.environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(talk), 60)
        return process.returncode or 0, out.decode(), err.decode()

    async def unread(self, *arguments: str) -> tuple[int, str]:
        """Run a command whose output nobody reads: exit code, errors."""
        reading, writing = os.pipe()
        os.close(reading)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", *arguments),
            cwd=self.folder,
            env=self.environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=writing,
            stderr=asyncio.subprocess.PIPE,
        )
        os.close(writing)
        _, err = await asyncio.wait_for(process.communicate(), 60)
        return process.returncode or 0, err.decode()

    async def start(self) -> None:
        await self._launch()
        if "LINE_CHANNEL_SECRET" in self.settings:
            await self._open()
        else:
            assert await reachable(self.line, 20), self.log.read_text()

    async def _launch(self, *arguments: str) -> None:
        if not self.cold:
            command = ["bot", *arguments]
            self.process = await nursery().start(
                command, self.folder, self.environment, writes=self.log, complains=self.log
            )
            return
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", *arguments),
                cwd=self.folder,
                env=self.environment,
                stdin=asyncio.subprocess.DEVNULL,
                stderr=log,
                stdout=log,
            )

    async def _open(self) -> None:
        async with asyncio.timeout(20):
            while True:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                    writer.close()
                    await writer.wait_closed()
                    return
                await asyncio.sleep(0.02)

    async def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        await self.process.wait()

    async def stop(self) -> int:
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), 30)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What its store answers, which is SQLite."""
        with closing(sqlite3.connect(self.folder / "bot.db")) as store:
            return store.execute(query, values).fetchall()

    async def asked(self) -> list[dict[str, Any]]:
        """What it asked of the local LINE lately, with what it was answered; nothing while it is down."""
        with suppress(Unreachable):
            return await Phone(self.line).log()
        return []

    async def refused(self) -> list[str]:
        """What is wrong with that by LINE's own description and limits. A token may have died on the way."""
        asked = await self.asked()
        found = [
            f"{each['path']}: {each['answer']}"
            for each in asked
            if each["status"] == HTTPStatus.BAD_REQUEST and "Invalid reply token" not in str(each["answer"])
        ]
        return [*found, *(f"{each['path']}: {problem}" for each in asked for problem in problems(each))]

    async def records(self, person: str) -> list[Record]:
        """What a person has stored, oldest first."""
        database = Database(f"sqlite:///{self.folder / 'bot.db'}")
        await database.start()
        try:
            found = await SqlMemory(database, PersonId(person), utc_now).query(RecordQuery(sort="created", limit=20))
            return list(found.records)
        finally:
            await database.close()


def problems(asked: dict[str, Any]) -> list[str]:
    """What LINE's own description has against a request, where it is at hand."""
    if not SHARED.is_dir():
        return []
    body = b"" if asked["body"] is None else json.dumps(asked["body"]).encode()
    headers = {"authorization": "Bearer known", "content-type": "application/json"}
    return line_judge(SHARED)(asked["method"], asked["path"], headers, body)


@asynccontextmanager
async def running(folder: Path, *, cold: bool = False, **settings: str) -> AsyncIterator[BotProcess]:
    """A bot with these settings; it is stopped. Its log must hold no traceback, and LINE's own description nothing
    against what it asked of LINE."""
    bot = BotProcess(folder, cold=cold, **settings)
    await bot.start()
    try:
        yield bot
        assert await bot.refused() == []
    finally:
        code = await bot.stop()
        assert "Traceback" not in bot.log.read_text(), bot.log.read_text()
        assert code in {0, -signal.SIGKILL}


async def somebody(bot: BotProcess) -> Phone:
    """The phone of somebody new, in Chinese."""
    phone = Phone(bot.line)
    return replace(phone, person=await phone.add_person("Anna", "zh-TW"))


async def heard(phone: Phone, *expected: str, seconds: float = 15) -> str:
    """Listen until everything expected has been said."""
    said = ""
    while missing := [each for each in expected if each not in said]:
        try:
            said += "\n".join(await phone.answer(seconds)) + "\n"
        except NoAnswer as silence:
            raise NoAnswer(f"{silence}: {missing} was not said, only\n{said}") from None
    return said
