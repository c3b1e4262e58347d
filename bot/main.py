"""The composition root: settings to a running application. Every concrete class is named here, and nowhere else.

Must hold no rule of behaviour: no ``if`` about a message. Tests and the demo use this same root with other settings.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from fastapi import FastAPI

from bot.delivery import Delivery
from bot.engines.offline.engine import OfflineEngine
from bot.engines.openai_chat import OpenAIChat
from bot.fault_points import (
    CHANNEL,
    DELIVERY,
    INBOX,
    MEMORY,
    MIRROR,
    MODEL,
    RECEPTION,
    REMINDERS,
    TRANSCRIPT,
    At,
    WatchedDatabase,
    WatchedNotion,
    watched,
)
from bot.gate import Gate
from bot.lanes import MANY, Lanes, ring
from bot.line.channel import LineChannel
from bot.local_line import FIRST_PERSON
from bot.model_ports import ChatModelPort
from bot.outage import Outage
from bot.ports import LaneId
from bot.process_incoming_message import Manners, ProcessIncomingMessageUseCase
from bot.reception import Reception
from bot.redaction import Masked, Redactor
from bot.secretary import Secretary
from bot.settings import Settings, on_a_hosting_platform, public_url
from bot.sql_claims import name_of_this_process
from bot.sql_housekeeping import SqlHousekeeping, keep_house
from bot.sql_inbox import SqlInbox
from bot.sql_people import SqlPeople
from bot.sql_transcript import SqlTranscript
from bot.taps import Taps
from bot.tool_loop import ToolEvent, ToolLoop
from bot.web import create_web
from tools.database import Database, sqlite_file
from tools.database.sqlite_copies import keep_copies
from tools.database.trouble import DatabaseUnavailable
from tools.notion.carrier import Show
from tools.notion.client import NotionClient
from tools.notion.sync import NotionSync, Owner
from tools.record import Language, PersonId, RemindersPort
from tools.sql_memory import SqlMemory, SqlReminders

if TYPE_CHECKING:  # only who needs them pays for their import
    from bot.local_line.platform import LocalLine
    from bot.procrastinate_bell import ProcrastinateBell

STOP_SECONDS = 15.0
"""Running turns may finish for so long after SIGTERM; with what has to be closed it ends within twenty, and hosts kill
after thirty."""

PROBE_SECONDS = 1.2
"""So long a store may take to show that it takes something; whoever asks for the state waits a little longer."""

Now = Callable[[], datetime]


def utc_now() -> datetime:
    """The clock of production."""
    return datetime.now(UTC)


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
    lanes: Lanes
    bell: ProcrastinateBell | None
    wake: Callable[[LaneId], None]
    people: SqlPeople
    gate: Gate
    inbox: SqlInbox
    reminders: RemindersPort
    now: Now

    async def start(self) -> None:
        """What must stand before the port opens: the store, the local LINE's ledger, and who is welcome."""
        await self.database.start()
        if not self.settings.many_processes:
            await self.inbox.end_claims()  # the lock of the file is ours: whoever held one is dead
        if self.local_line:
            await self.local_line.start()
        if self.settings.line_is_on and not self.settings.secretary_owners:
            await self.people.offer(f"{secrets.randbelow(10**8):08}")

    async def work(self) -> None:
        """Import the SDKs (in threads, now that the port is open), then work until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._import_sdks())
            await self.lanes.start()
            group.create_task(self.lanes.watch())
            group.create_task(keep_copies(sqlite_file(self.settings.database_url), self.now))
            group.create_task(keep_house(SqlHousekeeping(self.database, self.now, self.settings.retention_days)))
            group.create_task(ring(self.reminders, self.inbox, self.wake, self.now))
            if self.bell:
                group.create_task(self.bell.keep())
            if self.mirror:
                group.create_task(self.mirror.keep_pushing())

    async def _import_sdks(self) -> None:
        """One after the other: at import they touch the same global warning filters."""
        await self.channel.start()
        if self.engine:
            await self.engine.start()

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
            for part in (self.database, self.local_line, self.notion, self.mirror, self.engine, self.channel):
                if part:
                    stack.push_async_callback(part.close)


def build(settings: Settings, now: Now = utc_now, *, at: At | None = None) -> Application:
    """Wire everything; nothing is started, opened or sent. ``at`` is told of every fault point that is passed."""
    database = WatchedDatabase(settings.database_url, at) if at else Database(settings.database_url)
    local_line = None if settings.line_is_on else _local_line(settings, now)
    channel = watched(_channel(settings, local_line), CHANNEL, at)
    engine = watched(_engine(settings), MODEL, at)
    process = name_of_this_process()
    inbox = watched(SqlInbox(database, now, worker=process), INBOX, at)
    people = SqlPeople(database, now, at_home=[PersonId(FIRST_PERSON)])
    gate = _gate(settings, people)
    notion = notion_client(settings, at) if settings.notion_is_on else None
    mirror = watched(_mirror(settings, database, notion, people, gate, process, now), MIRROR, at) if notion else None
    secretary = _secretary(settings, database, engine, mirror, local_line, now, at)
    use_case = ProcessIncomingMessageUseCase(
        inbox=inbox,
        people=people,
        channel=channel,
        delivery=watched(Delivery(inbox, channel, settings.secretary_push, now), DELIVERY, at),
        gate=gate,
        secretary=secretary,
        taps=Taps(inbox, secretary),
        manners=_manners(settings),
        now=now,
    )
    lanes = Lanes(inbox, use_case.run)
    bell = _bell(settings, lanes)
    wake = bell.ring if bell else lanes.wake
    reception = Reception(inbox, gate, wake, Outage(gate, channel, _fixed_language(settings)))
    web = _web(settings, local_line, database, inbox, watched(reception, RECEPTION, at), now)
    reminders = watched(SqlReminders(database), REMINDERS, at)
    return Application(
        settings, web, local_line, database, channel, engine, notion, mirror, lanes, bell, wake, people, gate, inbox,
        reminders, now
    )  # fmt: skip


def notion_client(settings: Settings, at: At | None = None) -> NotionClient:
    """Notion, as the operator's token sees it."""
    token, address = settings.notion_token.get_secret_value(), settings.notion_base_url or None
    return WatchedNotion(token, address, at) if at else NotionClient(token, address)


def _secretary(
    settings: Settings,
    database: Database,
    engine: OpenAIChat | None,
    mirror: NotionSync | None,
    local_line: LocalLine | None,
    now: Now,
    at: At | None,
) -> Secretary:
    transcript = watched(SqlTranscript(database, now), TRANSCRIPT, at)
    redactor = Redactor(settings.secrets)

    def loop(model: ChatModelPort) -> ToolLoop:
        return ToolLoop(
            Masked(model, redactor),
            transcript,
            max_rounds=settings.max_rounds,
            turn_seconds=settings.turn_seconds,
            observe=_observer(local_line),
        )

    return Secretary(
        llm=loop(engine or OfflineEngine()),
        fallback=loop(OfflineEngine()) if engine else None,
        transcript=transcript,
        memory_of=lambda person: watched(SqlMemory(database, person, now), MEMORY, at),
        mirror=mirror,
        redactor=redactor,
        context_tokens=settings.context_tokens,
        pushes=settings.secretary_push != "off",
    )


def _web(
    settings: Settings,
    local_line: LocalLine | None,
    database: Database,
    inbox: SqlInbox,
    reception: Reception,
    now: Now,
) -> FastAPI:
    async def health() -> dict[str, Any]:
        try:
            await asyncio.wait_for(database.probe(), PROBE_SECONDS)
        except TimeoutError:
            raise DatabaseUnavailable("nothing could be stored in time", database.trouble or "slow") from None
        oldest = await inbox.oldest_waiting()
        return {"status": "ok", "oldest_waiting_seconds": oldest and round((now() - oldest).total_seconds(), 1)}

    signed_with = [each.get_secret_value() for each in settings.line_channel_secret]
    return create_web(
        secrets=[local_line.secret] if local_line else signed_with,
        receive=reception.receive,
        health=health,
        home=_home(settings),
        now=now,
    )


def _local_line(settings: Settings, now: Now) -> LocalLine:
    from bot.local_line.platform import LocalLine

    file = sqlite_file(settings.database_url)
    store = file.with_name(f"{file.stem}-local-line.db") if file else Path("local-line.db")
    return LocalLine(store, webhook_url=f"http://127.0.0.1:{settings.port}/callback", now=now)


def _channel(settings: Settings, local_line: LocalLine | None) -> LineChannel:
    if local_line:
        return LineChannel(settings.local_line_url, local_line.access_token)
    return LineChannel(settings.line_api_base or None, settings.line_channel_access_token.get_secret_value())


def _engine(settings: Settings) -> OpenAIChat | None:
    if not settings.model_is_on:
        return None
    return OpenAIChat(
        settings.openai_base_url or "https://api.openai.com/v1",
        settings.openai_api_key.get_secret_value(),
        settings.openai_model,
    )


def _bell(settings: Settings, lanes: Lanes) -> ProcrastinateBell | None:
    if not settings.many_processes:
        return None
    try:
        from bot.procrastinate_bell import ProcrastinateBell
    except ImportError as missing:
        told = f"PostgreSQL needs what is not installed here ({missing}): install the `postgres` extra"
        raise DatabaseUnavailable(told) from missing
    return ProcrastinateBell(settings.database_url, lanes.work, many=MANY)


def _gate(settings: Settings, people: SqlPeople) -> Gate:
    if not settings.line_is_on:
        return Gate(everyone=True, welcome=[PersonId(FIRST_PERSON)])
    owners = [PersonId(each) for each in settings.secretary_owners]
    return Gate(everyone=False, welcome=owners, door=None if owners else people)


def _manners(settings: Settings) -> Manners:
    return Manners(
        language=_fixed_language(settings),
        zone=ZoneInfo(settings.secretary_timezone) if settings.secretary_timezone else None,
        currency=settings.secretary_currency or None,
        answer_seconds=settings.answer_seconds,
    )


def _fixed_language(settings: Settings) -> Language | None:
    return None if settings.secretary_language == "auto" else settings.secretary_language


def _mirror(
    settings: Settings,
    database: Database,
    notion: NotionClient,
    people: SqlPeople,
    gate: Gate,
    process: str,
    now: Now,
) -> NotionSync:
    async def owner() -> Owner | None:
        paired = await gate.owner()
        person = await people.find(paired) if paired else None
        return Owner(person.id, person.zone) if person else None

    redactor = Redactor(settings.secrets)
    show = Show(language=settings.secretary_language, redact=redactor.without_secrets)
    one = process if settings.many_processes else "embedded"  # alone, it goes on with the lease of the one that died
    return NotionSync(database, notion, settings.notion_data_source_id, owner, now=now, show=show, process=one)


def _observer(local_line: LocalLine | None) -> Callable[[ToolEvent], None]:
    """The chat page shows the tool at work; LINE itself has no place for that."""
    if local_line is None:
        return lambda _: None
    return lambda event: local_line.note(event.chat, {"tool": event.tool, "state": event.state})


def _home(settings: Settings) -> str:
    if not settings.line_is_on:
        if on_a_hosting_platform():
            return "The secretary runs. Still to be set: LINE_CHANNEL_SECRET and LINE_CHANNEL_ACCESS_TOKEN."
        return f"{settings.local_line_url}/"
    return f"The secretary runs. LINE posts to {public_url(settings) or 'this address'}/callback."
