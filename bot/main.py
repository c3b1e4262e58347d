"""The composition root: settings to a running application. Every concrete class is named here, and nowhere else.

Must hold no rule of behaviour: no ``if`` about a message. Tests and the demo use this same root with other settings.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from fastapi import FastAPI

from bot.ai_log import AiLog, Witnessed
from bot.ai_log_file import AiLogFile
from bot.answering import Answering
from bot.application import Application, Now
from bot.attachment_parts import attachment_parts, attachments_of
from bot.delivery import Delivery
from bot.engines.offline.engine import OfflineEngine
from bot.engines.openai_chat import ANSWER_TIMEOUT, OpenAIChat
from bot.fault_points import (
    CHANNEL,
    DELIVERY,
    INBOX,
    MEMORY,
    MIRROR,
    MODEL,
    POSTPONED,
    RECEPTION,
    REMINDERS,
    TRANSCRIPT,
    At,
    WatchedDatabase,
    WatchedNotion,
    watched,
)
from bot.gate import Gate
from bot.lanes import MANY, Lanes
from bot.line.channel import LineChannel
from bot.line.last_look import LastLook
from bot.local_line import FIRST_PERSON
from bot.model_ports import AllowancePort, ChatModelPort
from bot.outage import Outage
from bot.pictures import Gallery
from bot.ports import LaneId
from bot.postponed import Recovery
from bot.process_incoming_message import Manners, ProcessIncomingMessageUseCase
from bot.reception import Reception
from bot.redaction import Masked, Redactor
from bot.secretary import Secretary
from bot.settings import Settings, on_a_hosting_platform, public_url
from bot.sql.allowance import SqlAllowance
from bot.sql.audit import SqlAudit
from bot.sql.claims import name_of_this_process
from bot.sql.endpoints import SqlEndpoints
from bot.sql.housekeeping import SqlHousekeeping
from bot.sql.inbox import SqlInbox
from bot.sql.people import SqlPeople
from bot.sql.postponed import SqlPostponed
from bot.sql.transcript import SqlTranscript
from bot.taps import Taps
from bot.thinking.tool_loop import ToolEvent, ToolLoop
from bot.web import create_web
from bot.web_media import add_media
from tools.database import Database, sqlite_file
from tools.database.trouble import DatabaseUnavailable
from tools.notion.carrier import Show
from tools.notion.client import NotionClient
from tools.notion.sync import NotionSync, Owner
from tools.record import Language, PersonId
from tools.sql.attachments import SqlLinks
from tools.sql.memory import SqlMemory, SqlReminders

if TYPE_CHECKING:  # only who needs them pays for their import
    from bot.local_line.platform import LocalLine
    from bot.procrastinate_bell import ProcrastinateBell

PROBE_SECONDS = 1.2
"""So long a store may take to show that it takes something; whoever asks for the state waits a little longer."""


def utc_now() -> datetime:
    """The clock of production."""
    return datetime.now(UTC)


def build(settings: Settings, now: Now = utc_now, *, at: At | None = None) -> Application:
    """Wire everything; nothing is started, opened or sent. ``at`` is told of every fault point that is passed."""
    database = WatchedDatabase(settings.database_url, at) if at else Database(settings.database_url)
    local_line = None if settings.line_is_on else _local_line(settings, now)
    onlookers = _Onlookers(settings, now, local_line)
    channel = watched(_channel(settings, local_line, onlookers.redactor), CHANNEL, at)
    engine = watched(_engine(settings, SqlEndpoints(database, now), onlookers), MODEL, at)
    process = name_of_this_process()
    inbox = watched(SqlInbox(database, now, worker=process), INBOX, at)
    people = SqlPeople(database, now, at_home=[PersonId(FIRST_PERSON)])
    gate = _gate(settings, people)
    notion = notion_client(settings, at) if settings.notion_is_on else None
    mirror = watched(_mirror(settings, database, notion, people, gate, process, now), MIRROR, at) if notion else None
    secretary = _secretary(settings, database, engine, mirror, onlookers, now, at)
    postponed = watched(SqlPostponed(database, now), POSTPONED, at)
    recovery = Recovery(postponed)
    answering = Answering(secretary, postponed, recovery, OfflineEngine().certain if engine else None)
    beside = attachment_parts(settings, database, local_line, answering, onlookers.ai_log, onlookers.gallery, now)
    use_case = ProcessIncomingMessageUseCase(
        inbox=inbox,
        people=people,
        channel=channel,
        delivery=watched(Delivery(inbox, channel, settings.secretary_push, now), DELIVERY, at),
        gate=gate,
        secretary=secretary,
        answering=answering,
        taps=Taps(inbox, secretary, answering),
        manners=_manners(settings),
        now=now,
        attachments=beside.attachments,
    )
    lanes, bell, wake = _lanes(settings, inbox, use_case)
    reception = Reception(inbox, gate, wake, Outage(gate, channel, _fixed_language(settings)), beside.fetching.soon)
    web = _web(settings, local_line, database, inbox, watched(reception, RECEPTION, at), now)
    reminders = watched(SqlReminders(database), REMINDERS, at)
    house = SqlHousekeeping(database, now, settings.retention_days)
    return Application(
        settings, web, local_line, database, channel, engine, notion, mirror, lanes, bell, wake, people, gate, inbox,
        reminders, postponed, recovery, house, onlookers.file, now, beside
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
    onlookers: _Onlookers,
    now: Now,
    at: At | None,
) -> Secretary:
    transcript = watched(SqlTranscript(database, now, onlookers.audit.beside), TRANSCRIPT, at)

    def thinking(model: ChatModelPort, allowance: AllowancePort | None = None) -> Witnessed:
        loop = ToolLoop(
            Masked(model, onlookers.redactor),
            transcript,
            max_rounds=settings.max_rounds,
            turn_seconds=settings.turn_seconds,
            context_tokens=settings.context_tokens,
            allowance=allowance,
            observe=onlookers.saw,
        )
        return Witnessed(loop)

    allowance = SqlAllowance(database, calls=settings.model_calls_per_day, tokens=settings.model_tokens_per_day)
    return Secretary(
        llm=thinking(engine, allowance) if engine else thinking(OfflineEngine()),
        fallback=thinking(OfflineEngine()) if engine else None,
        transcript=transcript,
        memory_of=lambda person: watched(SqlMemory(database, person, now), MEMORY, at),
        mirror=mirror,
        redactor=onlookers.redactor,
        pushes=settings.secretary_push != "off",
        attachments_of=attachments_of(database, now),
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
    web = create_web(
        secrets=[local_line.secret] if local_line else signed_with,
        receive=reception.receive,
        health=health,
        home=_home(settings),
        now=now,
    )
    add_media(web, SqlLinks(database, now).shown)
    return web


def _local_line(settings: Settings, now: Now) -> LocalLine:
    from bot.local_line.platform import LocalLine

    file = sqlite_file(settings.database_url)
    store = file.with_name(f"{file.stem}-local-line.db") if file else Path("local-line.db")
    return LocalLine(store, webhook_url=f"http://127.0.0.1:{settings.port}/callback", now=now)


def _channel(settings: Settings, local_line: LocalLine | None, redactor: Redactor) -> LineChannel:
    look = LastLook(redactor.veiled, _fixed_language(settings))
    if local_line:
        return LineChannel(settings.local_line_url, local_line.access_token, look=look)
    token = settings.line_channel_access_token.get_secret_value()
    return LineChannel(settings.line_api_base or None, token, look=look)


def _engine(settings: Settings, endpoints: SqlEndpoints, onlookers: _Onlookers) -> OpenAIChat | None:
    if not settings.model_is_on:
        return None
    return OpenAIChat(
        settings.openai_base_url or "https://api.openai.com/v1",
        settings.openai_api_key.get_secret_value(),
        settings.openai_model,
        timeout=min(ANSWER_TIMEOUT, settings.turn_seconds),
        stream=settings.openai_stream,
        endpoints=endpoints,
        pictures=onlookers.gallery.address,
        observe=onlookers.ai_log.attempt,
    )


def _lanes(
    settings: Settings, inbox: SqlInbox, use_case: ProcessIncomingMessageUseCase
) -> tuple[Lanes, ProcrastinateBell | None, Callable[[LaneId], None]]:
    """Who works, who calls them from other processes, and how a lane is woken."""
    lanes = Lanes(inbox, use_case.run)
    bell = _bell(settings, lanes)
    return lanes, bell, bell.ring if bell else lanes.wake


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


class _Onlookers:
    """Who is told of every call of a tool and of every attempt, and what they must not see."""

    def __init__(self, settings: Settings, now: Now, local_line: LocalLine | None) -> None:
        self.redactor = Redactor(settings.secrets)
        self.file = AiLogFile(Path(settings.ai_log_file)) if settings.ai_log_file else None
        self.ai_log = AiLog(self.redactor, now, self.file.keep) if self.file else AiLog(self.redactor, now)
        self.gallery = Gallery()
        self.audit = SqlAudit(now, self.redactor.without_keys)
        self._local_line = local_line

    def saw(self, event: ToolEvent) -> None:
        """The chat page shows the tool at work; LINE itself has no place for that."""
        self.ai_log.call(event)
        self.audit.note(event)
        if self._local_line:
            self._local_line.note(event.chat, {"tool": event.tool, "state": event.state})


def _home(settings: Settings) -> str:
    if not settings.line_is_on:
        if on_a_hosting_platform():
            return "The secretary runs. Still to be set: LINE_CHANNEL_SECRET and LINE_CHANNEL_ACCESS_TOKEN."
        return f"{settings.local_line_url}/"
    return f"The secretary runs. LINE posts to {public_url(settings) or 'this address'}/callback."
