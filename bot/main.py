"""The composition root: settings to a running application. Every concrete class is named here or at its edges, and
nowhere else.

Must hold no rule of behaviour: no ``if`` about a message. Tests and the demo use this same root with other settings.
"""

from __future__ import annotations

import asyncio
import secrets
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from fastapi import FastAPI

from bot.ai_log import Witnessed
from bot.answering import Answering
from bot.application import Application, Now
from bot.attachment_parts import AttachmentParts, attachment_parts, attachments_of
from bot.commands import Commands
from bot.delivery import Delivery
from bot.edges import (
    Onlookers,
    Wake,
    bell_of,
    collections_of,
    engine_of,
    fixed_language,
    home_of,
    line_address,
    line_channel,
    line_tokens,
    local_line_of,
    notion_client,
    rebuild_of,
    transcription_of,
    utc_now,
)
from bot.engines.offline.engine import OfflineEngine
from bot.engines.openai_chat import OpenAIChat
from bot.export_pages import ExportPages
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
    SECOND_THOUGHTS,
    TRANSCRIPT,
    At,
    WatchedDatabase,
    watched,
)
from bot.gate import Gate
from bot.groups import Groups
from bot.household import HouseholdDoor
from bot.invitations import Invitations
from bot.lanes import Lanes
from bot.line.channel import LineChannel
from bot.line.content import LineContent
from bot.line.people import LinePeople
from bot.line.tokens import AccessTokens, GivenToken
from bot.local_line import FIRST_PERSON
from bot.meanwhile import Meanwhile
from bot.mirrored import MirroredPeople
from bot.model_ports import AllowancePort, ChatModelPort
from bot.notion_webhook import add_notion_webhook
from bot.outage import Outage
from bot.pictures import Gallery
from bot.postponed import Recovery
from bot.process_incoming_message import ProcessIncomingMessageUseCase
from bot.pushes import worth_a_push
from bot.quotes import Quotes
from bot.reception import Reception
from bot.redaction import Masked, Redactor
from bot.rung import Rung
from bot.second_thoughts import SecondThoughts
from bot.secretary import Secretary
from bot.settings import Settings, public_url
from bot.sql.admin_sessions import SqlAdminSessions
from bot.sql.allowance import SqlAllowance
from bot.sql.claims import name_of_this_process
from bot.sql.endpoints import SqlEndpoints
from bot.sql.exports import SqlExports
from bot.sql.forgetting import SqlForgetting
from bot.sql.groups import SqlGroups
from bot.sql.housekeeping import SqlHousekeeping
from bot.sql.inbox import SqlInbox
from bot.sql.last_said import SqlLastSaid
from bot.sql.members import SqlMembers
from bot.sql.people import SqlPeople
from bot.sql.postponed import SqlPostponed
from bot.sql.said import SqlSaid
from bot.sql.second_thoughts import SqlSecondThoughts
from bot.sql.transcript import SqlTranscript
from bot.taps import Taps
from bot.thinking.tool_loop import ToolLoop
from bot.voice.language import Fixed
from bot.web import create_web
from bot.web_media import add_media
from tools.database import Database
from tools.database.trouble import DatabaseUnavailable
from tools.notion import trash
from tools.notion.client import NotionClient
from tools.notion.files import NotionFiles
from tools.notion.hook import Hook
from tools.notion.meanings import Meanings
from tools.notion.rebuilding import Rebuilding
from tools.notion.show import Show
from tools.notion.sync import NotionSync
from tools.record import PersonId
from tools.sql.attachments import SqlLinks
from tools.sql.categories import SqlCategories
from tools.sql.memory import SqlMemory
from tools.sql.reminders import SqlReminders
from tools.sql.shares import SqlShares

if TYPE_CHECKING:  # only who needs them pays for their import
    from bot.local_line.platform import LocalLine
    from bot.procrastinate_bell import ProcrastinateBell

PROBE_SECONDS = 1.2
"""So long a store may take to show that it takes something; whoever asks for the state waits a little longer."""


def build(settings: Settings, now: Now = utc_now, *, at: At | None = None, mask: Redactor | None = None) -> Application:
    """Wire everything; nothing is started, opened or sent. ``at`` is told of every fault point that is passed, and
    ``mask``, which stands before the log, of secrets that are issued later."""
    return _Parts(settings, now, at, mask or Redactor(settings.secrets)).application


class _Parts:
    """Every part of one bot, each built once, when the first other part needs it."""

    def __init__(self, settings: Settings, now: Now, at: At | None, mask: Redactor) -> None:
        self.settings = settings
        self.now = now
        self.at = at
        self.mask = mask

    @cached_property
    def application(self) -> Application:
        bell, wake = self.woken
        return Application(
            self.settings, self.web, self.local_line, self.database, self.channel, self.engine, self.notion,
            self.mirror, self.rebuilding, self.files, self.lanes, bell, wake, self.people, self.gate, self.inbox,
            watched(SqlReminders(self.database, self.now), REMINDERS, self.at), self.postponed, self.recovery,
            self.house, self.onlookers.file, self.now, self.beside, self.groups,
        )  # fmt: skip

    # ── the store, and what is kept there

    @cached_property
    def database(self) -> Database:
        address = self.settings.database_url
        return WatchedDatabase(address, self.at) if self.at else Database(address)

    @cached_property
    def inbox(self) -> SqlInbox:
        return watched(SqlInbox(self.database, self.now, worker=self.process), INBOX, self.at)

    @cached_property
    def people(self) -> SqlPeople:
        return SqlPeople(self.database, self.now, at_home=[PersonId(FIRST_PERSON)])

    @cached_property
    def members(self) -> SqlMembers:
        return SqlMembers(self.database, self.now)

    @cached_property
    def circles(self) -> SqlGroups:
        return SqlGroups(self.database, self.now)

    @cached_property
    def said(self) -> SqlSaid:
        return SqlSaid(self.database, self.now)

    @cached_property
    def thoughts(self) -> SqlSecondThoughts:
        return watched(SqlSecondThoughts(self.database), SECOND_THOUGHTS, self.at)

    @cached_property
    def postponed(self) -> SqlPostponed:
        alone = not self.settings.many_processes
        return watched(SqlPostponed(self.database, self.now, alone=alone), POSTPONED, self.at)

    @cached_property
    def transcript(self) -> SqlTranscript:
        return watched(SqlTranscript(self.database, self.now, self.onlookers.audit.beside), TRANSCRIPT, self.at)

    @cached_property
    def allowance(self) -> SqlAllowance:
        calls, tokens = self.settings.model_calls_per_day, self.settings.model_tokens_per_day
        return SqlAllowance(self.database, calls=calls, tokens=tokens)

    @cached_property
    def exports(self) -> SqlExports:
        return SqlExports(self.database, self.now, partial(secrets.token_hex, 32))

    @cached_property
    def forgetting(self) -> SqlForgetting:
        return SqlForgetting(self.database, self.now, trash.give_up)

    @cached_property
    def house(self) -> SqlHousekeeping:
        return SqlHousekeeping(self.database, self.now, self.settings.retention_days, also=self.forgetting.finish)

    def memory_of(self, person: PersonId) -> SqlMemory:
        """The records of one owner."""
        return watched(SqlMemory(self.database, person, self.now, self.mirror), MEMORY, self.at)

    def categories_of(self, person: PersonId) -> SqlCategories:
        """The list of one owner."""
        return SqlCategories(self.database, person, self.now)

    # ── the edges

    @cached_property
    def process(self) -> str:
        return name_of_this_process()

    @cached_property
    def local_line(self) -> LocalLine | None:
        return None if self.settings.line_is_on else local_line_of(self.settings, self.now)

    @cached_property
    def onlookers(self) -> Onlookers:
        return Onlookers(self.settings, self.now, self.local_line, self.mask)

    @cached_property
    def tokens(self) -> AccessTokens:
        return GivenToken(self.local_line.access_token) if self.local_line else line_tokens(self.settings, self.mask)

    @cached_property
    def line(self) -> LineChannel:
        return line_channel(self.settings, self.tokens, self.mask, self.now)

    @cached_property
    def channel(self) -> LineChannel:
        return watched(self.line, CHANNEL, self.at)

    @cached_property
    def company(self) -> LinePeople:
        return LinePeople(self.line)

    @cached_property
    def gallery(self) -> Gallery:
        return Gallery()

    @cached_property
    def engine(self) -> OpenAIChat | None:
        endpoints = SqlEndpoints(self.database, self.now)
        return watched(engine_of(self.settings, endpoints, self.onlookers.ai_log, self.gallery), MODEL, self.at)

    @cached_property
    def notion(self) -> NotionClient | None:
        used = self.settings.notion_is_on or self.settings.secretary_collections
        return notion_client(self.settings, self.at) if used else None

    @cached_property
    def mirror(self) -> NotionSync | None:
        if self.notion is None or not self.settings.notion_is_on:
            return None
        owners = MirroredPeople(self.gate, self.people, self.members, self.circles).all
        show = Show(language=self.settings.secretary_language, redact=self.mask.without_secrets)
        one = self.process if self.settings.many_processes else "embedded"  # alone, it goes on with a dead one's lease
        place = self.settings.notion_data_source_id
        sync = NotionSync(self.database, self.notion, place, owners, now=self.now, show=show, process=one)
        return watched(sync, MIRROR, self.at)

    @cached_property
    def rebuilding(self) -> Rebuilding | None:
        if self.notion is None or not self.settings.notion_is_on:
            return None
        one = self.process if self.settings.many_processes else "embedded"  # alone, it goes on with a dead one's lease
        return Rebuilding(rebuild_of(self.settings, self.database, self.notion, self.mask, self.now, one))

    @cached_property
    def files(self) -> NotionFiles | None:
        if self.notion is None or not self.settings.notion_is_on:
            return None
        one = self.process if self.settings.many_processes else "embedded"
        language = self.settings.secretary_language
        return NotionFiles(self.database, self.notion, now=self.now, language=language, process=one)

    # ── the conversation

    @cached_property
    def gate(self) -> Gate:
        named = [PersonId(each) for each in self.settings.secretary_owners]
        line_is_on = self.settings.line_is_on
        return Gate(
            everyone=not line_is_on,
            welcome=named if line_is_on else [PersonId(FIRST_PERSON)],
            door=self.people if line_is_on and not named else None,
            members=self.members,
            groups=self.circles,
            names=lambda: (*self.settings.secretary_names, *self.company.names),
            quoted=self.said.is_ours,
            heard=self.said.is_known,
        )

    def _thinking(self, model: ChatModelPort, allowance: AllowancePort | None = None) -> Witnessed:
        loop = ToolLoop(
            Masked(model, self.mask),
            self.transcript,
            max_rounds=self.settings.max_rounds,
            turn_seconds=self.settings.turn_seconds,
            context_tokens=self.settings.context_tokens,
            allowance=allowance,
            is_to_stop=self.thoughts.is_to_stop,
            observe=self.onlookers.saw,
        )
        return Witnessed(loop)

    @cached_property
    def thinking(self) -> Witnessed:
        return self._thinking(self.engine, self.allowance) if self.engine else self._thinking(OfflineEngine())

    @cached_property
    def secretary(self) -> Secretary:
        may_push, left = self.settings.secretary_push != "off", self.channel.pushes_known
        return Secretary(
            llm=self.thinking,
            fallback=self._thinking(OfflineEngine()) if self.engine else None,
            transcript=self.transcript,
            memory_of=self.memory_of,
            mirror=self.mirror,
            redactor=self.mask,
            pushes=lambda: may_push and worth_a_push(left(), reminder=True),
            attachments_of=attachments_of(self.database, self.now),
            groups_of=self.circles.of_person,
            collections=collections_of(self.settings, self.notion, self.now) if self.notion else (),
            categories_of=self.categories_of,
            meanings_of=Meanings(self.database, self.gate.owner).of if self.mirror else None,
        )

    @cached_property
    def fixed(self) -> Fixed:
        zone = ZoneInfo(self.settings.secretary_timezone) if self.settings.secretary_timezone else None
        return Fixed(fixed_language(self.settings), zone, self.settings.secretary_currency or None)

    @cached_property
    def address(self) -> str:
        """Where people reach the bot; with the local LINE they are on this machine."""
        here = f"http://127.0.0.1:{self.settings.port}" if self.local_line else ""
        return public_url(self.settings) or here

    @cached_property
    def commands(self) -> Commands:
        return Commands(
            secretary=self.secretary,
            last_said=SqlLastSaid(self.database),
            people=self.people,
            fixed=self.fixed,
            allowance=self.allowance if self.engine else None,
            retention_days=self.settings.retention_days,
            forgetting=self.forgetting,
            exports=self.exports,
            public_url=self.address,
            pushes_left=self.channel.pushes_left,
            has_model=self.engine is not None,
        )

    @cached_property
    def recovery(self) -> Recovery:
        return Recovery(self.postponed)

    @cached_property
    def answering(self) -> Answering:
        certain = OfflineEngine().certain if self.engine else None
        return Answering(self.secretary, self.postponed, self.recovery, certain, self.commands)

    @cached_property
    def beside(self) -> AttachmentParts:
        return attachment_parts(
            self.answering,
            attachments_of(self.database, self.now),
            LineContent(line_address(self.settings), self.tokens),
            transcription_of(self.settings, SqlEndpoints(self.database, self.now), self.onlookers.ai_log, self.now),
            self.thinking if self.engine else None,
            self.allowance,
            self.gallery,
            self.address,
        )

    @cached_property
    def groups(self) -> Groups:
        shares = SqlShares(self.database)
        return Groups(self.gate, self.circles, shares, self.people, self.company, self.secretary.memory_of)

    @cached_property
    def delivery(self) -> Delivery:
        pushes, away = self.settings.secretary_push, self.thoughts.is_away
        delivery = Delivery(self.inbox, self.channel, pushes, self.now, said=self.said, is_away=away)
        return watched(delivery, DELIVERY, self.at)

    @cached_property
    def taps(self) -> Taps:
        quotes = Quotes(self.said, self.memory_of, None if self.engine else OfflineEngine().lacks_ref)
        last_said = SqlLastSaid(self.database)
        to_whom, rung = self.gate.welcomes, Rung(self.secretary, last_said)
        return Taps(self.inbox, self.secretary, self.answering, quotes, self.forgetting, last_said, rung, to_whom)

    @cached_property
    def household(self) -> HouseholdDoor:
        invitations = Invitations(self.gate, self.members, self.people, self.company, bool(self.mirror))
        return HouseholdDoor(self.gate, self.people, invitations, self.groups)

    @cached_property
    def use_case(self) -> ProcessIncomingMessageUseCase:
        seconds = self.settings.answer_seconds
        return ProcessIncomingMessageUseCase(
            inbox=self.inbox,
            people=self.people,
            channel=self.channel,
            delivery=self.delivery,
            gate=self.gate,
            secretary=self.secretary,
            answering=self.answering,
            taps=self.taps,
            second_thoughts=SecondThoughts(self.thoughts, self.secretary, self.answering),
            meanwhile=Meanwhile(self.thoughts, self.channel, self.delivery, seconds, self.now),
            household=self.household,
            fixed=self.fixed,
            now=self.now,
            attachments=self.beside.attachments,
        )

    # ── who hears, and who is woken

    @cached_property
    def lanes(self) -> Lanes:
        held = self.rebuilding is not None
        return Lanes(self.inbox, self.use_case.run, give_up=self.use_case.give_up, held=held)

    @cached_property
    def woken(self) -> tuple[ProcrastinateBell | None, Wake]:
        return bell_of(self.settings, self.lanes)

    @cached_property
    def reception(self) -> Reception:
        outage = Outage(self.gate, self.channel, fixed_language(self.settings))
        reception = Reception(self.inbox, self.gate, self.woken[1], outage, self.beside.fetching.soon)
        return watched(reception, RECEPTION, self.at)

    @cached_property
    def web(self) -> FastAPI:
        signed_with = [each.get_secret_value() for each in self.settings.line_channel_secret]
        web = create_web(
            secrets=[self.local_line.secret] if self.local_line else signed_with,
            receive=self.reception.receive,
            health=self.health,
            home=home_of(self.settings),
            now=self.now,
        )
        add_media(web, SqlLinks(self.database, self.now).shown)
        ExportPages(self.exports, self.people.find, self.now).add_to(web)
        if self.settings.admin_password.get_secret_value():
            from bot.admin_parts import add_admin  # who has no password pays nothing for them

            mirrored = MirroredPeople(self.gate, self.people, self.members, self.circles) if self.mirror else None
            add_admin(
                web, self.settings, self.database, self.now, self.onlookers, self.gate, self.people,
                self.household.invitations, self.channel.pushes_left, mirrored, SqlAdminSessions(self.database),
            )  # fmt: skip
        if self.mirror:
            given = self.settings.notion_webhook_token.get_secret_value()
            add_notion_webhook(web, Hook(self.database, self.mirror, given))
        return web

    async def health(self) -> dict[str, Any]:
        """Whether the store takes something, and how long the oldest message waits."""
        try:
            await asyncio.wait_for(self.database.probe(), PROBE_SECONDS)
        except TimeoutError:
            trouble = self.database.trouble or "slow"
            raise DatabaseUnavailable("nothing could be stored in time", trouble) from None
        oldest = await self.inbox.oldest_waiting()
        return {"status": "ok", "oldest_waiting_seconds": oldest and round((self.now() - oldest).total_seconds(), 1)}
