"""A wired bot and its life: started, at work, at rest, closed.

Must not build anything (the composition root does), nor open a port.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from fastapi import FastAPI

from bot.ai_log_file import AiLogFile
from bot.attachment_parts import AttachmentParts
from bot.engines.openai_chat import OpenAIChat
from bot.gate import Gate
from bot.groups import Groups
from bot.hosting import WAYS_OUT, WIPED, loses
from bot.lanes import Lanes, bring_back, leave_groups, tell_news, warn_of_disk, watch_quota
from bot.line.channel import LineChannel
from bot.mirror_news import MirrorNews
from bot.ports import LaneId
from bot.postponed import PostponedPort, Recovery
from bot.ringing import Ringing, quiet_hours
from bot.settings import ENVIRONMENT, Settings
from bot.sql.housekeeping import SqlHousekeeping, keep_house
from bot.sql.inbox import SqlInbox
from bot.sql.people import SqlPeople
from tools.database import Database, sqlite_file
from tools.database.sqlite_copies import keep_copies
from tools.notion.client import NotionClient
from tools.notion.files import NotionFiles
from tools.notion.rebuilding import Rebuilding
from tools.notion.sync import NotionSync
from tools.patience import MAY_WAIT
from tools.record import RemindersPort

if TYPE_CHECKING:  # only who needs them pays for their import
    from bot.local_line.platform import LocalLine
    from bot.procrastinate_bell import ProcrastinateBell

log = logging.getLogger(__name__)

STOP_SECONDS = 15.0
"""Running turns may finish for so long after SIGTERM; with what has to be closed it ends within twenty, and hosts kill
after thirty."""

Now = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Application:
    """A bot that is wired and not yet started, with the local LINE beside it where LINE is not configured."""

    settings: Settings
    web: FastAPI
    local_line: LocalLine | None
    database: Database
    channel: LineChannel
    engine: OpenAIChat | None
    notion: NotionClient | None
    mirror: NotionSync | None
    rebuilding: Rebuilding | None
    files: NotionFiles | None
    lanes: Lanes
    bell: ProcrastinateBell | None
    wake: Callable[[LaneId], None]
    people: SqlPeople
    gate: Gate
    inbox: SqlInbox
    reminders: RemindersPort
    postponed: PostponedPort
    recovery: Recovery
    house: SqlHousekeeping
    ai_log_file: AiLogFile | None
    now: Now
    beside: AttachmentParts
    groups: Groups

    async def start(self) -> None:
        """What must stand before the port opens: the store, the local LINE's ledger, and who is welcome."""
        if self.ai_log_file:
            self.ai_log_file.prove()
        await self.database.start()
        if not self.settings.many_processes:
            await self.inbox.end_claims()  # the lock of the file is ours: whoever held one is dead
        if self.local_line:
            await self.local_line.start()
        if self.settings.line_is_on and not self.settings.secretary_owners:
            await self.people.offer(f"{secrets.randbelow(10**8):08}")

    async def work(self) -> None:
        """Import the SDKs (in threads, now that the port is open), then work until cancelled."""
        MAY_WAIT.set(True)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._import_sdks())
            if self.rebuilding:
                group.create_task(self.rebuilding.keep())
                group.create_task(self._begin_when(self.rebuilding.ready))
            await self.lanes.start()
            group.create_task(self.lanes.watch())
            group.create_task(keep_copies(sqlite_file(self.settings.database_url), self.now))
            group.create_task(keep_house(self.house))
            quiet = quiet_hours(self.people)
            group.create_task(Ringing(self.reminders, self.inbox, self.wake, self.now, quiet).keep())
            group.create_task(leave_groups(self.groups.leave_forgotten, self.now))
            group.create_task(bring_back(self.recovery, self.postponed, self.inbox, self.wake, self.now))
            if self.settings.secretary_push != "off":
                group.create_task(watch_quota(self.channel, self.gate.owner, self.inbox, self.wake, self.now))
            if platform := loses(sqlite_file(self.settings.database_url), ENVIRONMENT):
                log.warning("the store is a file on %s: %s. %s", platform, WIPED, WAYS_OUT)
                group.create_task(warn_of_disk(platform, self.gate.owner, self.inbox, self.wake, self.now))
            if self.bell:
                group.create_task(self.bell.keep())
            if self.mirror:
                group.create_task(self._mirror_what_is_here(self.mirror))
                news = MirrorNews(self.mirror, self.gate.owner, self.inbox)
                group.create_task(tell_news(news.hand_over, self.wake, self.now))

    async def _import_sdks(self) -> None:
        """One after the other: at import they touch the same global warning filters."""
        await self.channel.start()
        await self.groups.company.me()  # by its name it is called in groups
        if self.engine:
            await self.engine.start()

    async def _begin_when(self, ready: Callable[[], Awaitable[None]]) -> None:
        await ready()
        self.lanes.release()

    async def _mirror_what_is_here(self, mirror: NotionSync) -> None:
        """Once it is here again, if it had gone: what only Notion has is not looked at as if people had added it."""
        if self.rebuilding:
            await self.rebuilding.ready()
        async with asyncio.TaskGroup() as group:
            group.create_task(mirror.keep_pushing())
            if self.files:
                group.create_task(self.files.keep())

    async def rest(self) -> None:
        """Begin no more turns, and let running ones finish or be left safely; what comes in is still stored."""
        if self.bell:
            self.bell.rest()
        await self.lanes.close(STOP_SECONDS)
        if self.local_line:
            self.local_line.hang_up()

    async def close(self) -> None:
        """Let go of everything, the store last."""
        async with AsyncExitStack() as stack:
            for part in (
                self.database,
                self.local_line,
                self.notion,
                self.mirror,
                self.engine,
                self.channel,
                self.beside,
            ):
                if part:
                    stack.push_async_callback(part.close)
