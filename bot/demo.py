"""A short conversation through the whole path, printed as it happens, each answer and each stored record checked.

A bot of its own is started as a process with a temporary database and without the operator's settings; it is killed in
the middle and started again. Must not reach into the bot: it talks to the local LINE, and reads the database.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
import tempfile
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.edges import utc_now
from bot.local_line import FIRST_PERSON
from bot.local_line.phone import NoAnswer, Phone, Refused, reachable
from bot.settings import Settings
from tools.database import Database
from tools.record import PersonId, Record, RecordQuery
from tools.sql.memory import SqlMemory

START_SECONDS = 30.0
END_SECONDS = 30.0
ROOT = Path(__file__).resolve().parent.parent
TAIPEI = ZoneInfo("Asia/Taipei")
"""The zone of someone who writes Chinese and has not said another."""


class Wrong(Exception):
    """A step did not come out right."""


async def demo() -> int:
    """Run it; 0 if every step came out right."""
    with tempfile.TemporaryDirectory(prefix="secretary-demo-") as folder:
        stage = Stage(Path(folder))
        try:
            await stage.play()
        except (Wrong, NoAnswer, Refused) as problem:
            print(f"\n✗ {problem}")
            return 1
        finally:
            await stage.stop()
    print("\n✓ every step came out right")
    return 0


class Stage:
    """The demo's own bot, and the steps that are played in front of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = two_free_ports()
        self._address = f"http://127.0.0.1:{self._port + 1}"
        self._bot: asyncio.subprocess.Process | None = None

    async def play(self) -> None:
        """All steps. Raises Wrong or NoAnswer at the first that fails."""
        await self.start()
        await self._in_chinese()
        await self._in_english()

    async def start(self) -> None:
        """Start the bot as its own process and wait until it can be talked to."""
        self._bot = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot"),
            cwd=self._folder,
            env=self._environment(),
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        if not await reachable(self._address, START_SECONDS):
            raise Wrong("the bot did not start")

    async def stop(self) -> None:
        """End the bot, by force if it does not end by itself; a killed one is already gone."""
        if self._bot and self._bot.returncode is None:
            self._bot.terminate()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._bot.wait(), END_SECONDS)
                return
            self._bot.kill()
            await self._bot.wait()

    def _environment(self) -> dict[str, str]:
        """Ours without any setting of the operator's; the working directory has no ``.env`` either."""
        settings = {name.upper() for name in Settings.model_fields}
        kept = {name: value for name, value in os.environ.items() if name.upper() not in settings}
        return kept | {
            "DATABASE_URL": f"sqlite:///{self._folder / 'demo.db'}",
            "PORT": str(self._port),
            "HOST": "127.0.0.1",
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        }

    async def _in_chinese(self) -> None:
        phone = Phone(self._address, FIRST_PERSON)
        tomorrow = utc_now().astimezone(TAIPEI).date() + timedelta(days=1)
        await self._step(phone, "明天下午三點跟陳醫師回診", "15:00", "跟陳醫師回診", "#1")
        await self._step(phone, "買牛奶 明天", "買牛奶", "#2")
        lunch = await self._step(phone, "午餐 120", "午餐", "120", "#3")
        _say("（LINE 又送了一次同樣的訊息）")
        await phone.redeliver(lunch)
        await self._killed_while_hearing(phone, "早餐 60", "早餐", "60", "#4")
        await self._step(phone, "明天有什麼事？", "15:00", "跟陳醫師回診", "買牛奶")
        await self._step(phone, "這個月吃飯花了多少？", "180")
        records = await self._records(PersonId(FIRST_PERSON))
        _check(
            [each.content for each in records] == ["跟陳醫師回診", "買牛奶", "午餐", "早餐"], "four records, none twice"
        )
        _check(_day(records[0]) == _day(records[1]) == tomorrow, "both are for tomorrow")
        _check([each.amount for each in records[2:]] == [Decimal(120), Decimal(60)], "both amounts are right")
        _check(not await phone.unread(), "nothing was answered twice")

    async def _in_english(self) -> None:
        phone = Phone(self._address, await Phone(self._address).add_person("Emma", "en"))
        await self._step(phone, "buy milk tomorrow", "buy milk", "#1")
        await self._step(phone, "lunch 12.50", "$12.50", "#2")
        await self._step(phone, "coffee 4", "$4", "#3")
        await self._step(phone, "what's due tomorrow?", "buy milk")
        await self._step(phone, "how much did I spend this month?", "$16.50")
        records = await self._records(PersonId(phone.person))
        _check([each.amount for each in records] == [None, Decimal("12.5"), Decimal(4)], "her records are her own")

    async def _step(self, phone: Phone, words: str, *expected: str) -> str:
        """Say something and check that the answer holds what it must; returns the event's id."""
        _say(f"🙂 {words}")
        event = await phone.say(words)
        await self._heard(phone, expected)
        return event

    async def _heard(self, phone: Phone, expected: tuple[str, ...]) -> None:
        """Listen until everything expected has been said; a greeting may come first."""
        heard = ""
        while missing := [each for each in expected if each not in heard]:
            try:
                answer = "\n".join(await phone.answer())
            except NoAnswer:
                raise Wrong(f"the answer lacks {missing}") from None
            _say("\n".join(f"   📒 {line}" for line in answer.splitlines()))
            heard += answer

    async def _killed_while_hearing(self, phone: Phone, words: str, *expected: str) -> None:
        """The process dies the moment the words are out; after the restart they are answered, once."""
        _say(f"🙂 {words}")
        bot = self._bot
        await asyncio.gather(phone.say(words), return_exceptions=True)
        if bot:
            bot.kill()
            await bot.wait()
        _say("（機器人在這裡被強制結束，再啟動）")
        await self.start()
        await self._heard(phone, expected)

    async def _records(self, person: PersonId) -> list[Record]:
        """What this person has stored, oldest first, read from the database itself."""
        database = Database(f"sqlite:///{self._folder / 'demo.db'}")
        await database.start()
        try:
            found = await SqlMemory(database, person, utc_now).query(RecordQuery(sort="created", limit=20))
            return list(found.records)
        finally:
            await database.close()


def two_free_ports() -> int:
    """The first of two neighbouring ports that are free now; below those the system gives to clients, for a client
    that waits for such a port can get connected to itself."""
    while True:
        port = 10_000 + secrets.randbelow(20_000)  # whoever else asks now, with the same seed too, gets another
        with socket.socket() as first, socket.socket() as second, suppress(OSError):
            first.bind(("127.0.0.1", port))
            second.bind(("127.0.0.1", port + 1))
            return port


def _say(line: str) -> None:
    print(line, flush=True)


def _check(holds: object, what: str) -> None:
    if not holds:
        raise Wrong(f"not so: {what}")
    _say(f"   ✓ {what}")


def _day(record: Record) -> date | None:
    return record.when.astimezone(TAIPEI).date() if isinstance(record.when, datetime) else record.when
