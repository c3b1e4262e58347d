"""The core of the bot on a real store, with doubles at its edges: a conversation without any network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.answering import Answering, Certain
from bot.attachments import Attachments
from bot.commands import Commands
from bot.delivery import Delivery, Pushes
from bot.engines.offline.engine import OfflineEngine
from bot.fetching import Fetching, NotFetched
from bot.gate import Gate
from bot.groups import Groups
from bot.hearing import Hearing
from bot.household import HouseholdDoor
from bot.invitations import Invitations
from bot.meanwhile import Meanwhile
from bot.model_ports import AllowancePort, AskPort, ChatModelPort, TranscriptionPort
from bot.pictures import Darkroom, Gallery
from bot.ports import Bubble, Button, ChatId, LaneId, Turn
from bot.postponed import Recovery
from bot.process_incoming_message import ProcessIncomingMessageUseCase
from bot.pushes import worth_a_push
from bot.quotes import Quotes
from bot.redaction import Redactor
from bot.rung import Rung
from bot.second_thoughts import SecondThoughts
from bot.secretary import Secretary
from bot.seeing import Seeing
from bot.showing import Showing
from bot.sql.exports import SqlExports
from bot.sql.forgetting import SqlForgetting
from bot.sql.groups import SqlGroups
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
from bot.voice.phrases import phrases_of
from tests.fakes import ANNA, Calendar, ScriptedChannel, ScriptedCompany, ScriptedModel, said
from tools.attachment import Failure
from tools.collections import OpenCollection
from tools.database import Database
from tools.notion import trash
from tools.record import CallKey, Draft, MirrorPort, PersonId, Record, RecordQuery
from tools.sql.attachments import SqlAttachments
from tools.sql.categories import SqlCategories
from tools.sql.memory import SqlMemory
from tools.sql.shares import SqlShares

ZH = phrases_of("zh-TW")
FAMILY = ChatId("C" + "1" * 32)
"""A group."""

FREE = Fixed()
"""Nothing is fixed by the operator."""


class Talk:
    """People talk, and the core answers. Everything heard has a token of its own; ``channel`` holds what was sent."""

    def __init__(
        self,
        database: Database,
        model: ChatModelPort | None = None,
        *,
        fallback: ChatModelPort | None = None,
        gate: Gate | None = None,
        channel: ScriptedChannel | None = None,
        fixed: Fixed = FREE,
        mirror: MirrorPort | None = None,
        secrets: Sequence[str] = (),
        pushes: Pushes = "reminders",
        certain: Certain | None = None,
        allowance: AllowancePort | None = None,
        company: ScriptedCompany | None = None,
        public_url: str = "",
        collections: Sequence[OpenCollection] = (),
        eyes: AskPort | None = None,
        ears: TranscriptionPort | None = None,
        address: str = "",
        spent: AllowancePort | None = None,
    ) -> None:
        self.contents: dict[str, bytes | Failure] = {}
        self.clock = Calendar()
        self.database = database
        self.channel = channel or ScriptedChannel()
        self.members, self.circles = SqlMembers(database, self.clock), SqlGroups(database, self.clock)
        self.company = company or ScriptedCompany()
        self.gate = gate or Gate(
            everyone=True,
            welcome=[PersonId(ANNA)],
            members=self.members,
            groups=self.circles,
            names=lambda: ["秘書"],
            quoted=SqlSaid(database, self.clock).is_ours,
            heard=SqlSaid(database, self.clock).is_known,
        )
        self.inbox = SqlInbox(database, self.clock, worker="the only one")
        self.people = SqlPeople(database, self.clock)
        self.transcript = SqlTranscript(database, self.clock)
        self.secretary = Secretary(
            llm=ToolLoop(
                model or ScriptedModel(),
                self.transcript,
                allowance=allowance,
                is_to_stop=SqlSecondThoughts(database).is_to_stop,
            ),
            fallback=ToolLoop(fallback, self.transcript) if fallback else None,
            transcript=self.transcript,
            memory_of=self.memory,
            mirror=mirror,
            redactor=Redactor(secrets),
            pushes=lambda: worth_a_push(self.channel.pushes_known(), reminder=True),
            attachments_of=self.store,
            groups_of=self.circles.of_person,
            collections=collections,
            categories_of=self.list_of,
        )
        self.postponed = SqlPostponed(database, self.clock, alone=True)
        self.recovery = Recovery(self.postponed)
        known = fallback.certain if isinstance(fallback, OfflineEngine) else certain
        self.forgetting = SqlForgetting(database, self.clock, trash.give_up)
        self.commands = Commands(
            self.secretary,
            SqlLastSaid(database),
            self.people,
            fixed,
            allowance,
            retention_days=30,
            forgetting=self.forgetting,
            exports=SqlExports(database, self.clock, lambda: f"secret{self._heard}"),
            public_url=public_url,
            has_model=not isinstance(model, OfflineEngine),
        )
        self.answering = Answering(self.secretary, self.postponed, self.recovery, known, self.commands)
        self.attachments = Attachments(
            Fetching(self, self.store),
            self.store,
            Hearing(self.store, ears, spent),
            Seeing(self.store, Darkroom(), Gallery(), eyes, self.answering),
            Showing(self.store, self.secretary, address),
            self.answering,
        )
        self.thoughts = SqlSecondThoughts(database)
        self.said = SqlSaid(database, self.clock)
        lacks_ref = OfflineEngine().lacks_ref if isinstance(model, OfflineEngine) else None
        self.quotes = Quotes(self.said, self.memory, lacks_ref)
        self.taps_alone = Taps(
            self.inbox,
            self.secretary,
            self.answering,
            self.quotes,
            self.forgetting,
            SqlLastSaid(database),
            Rung(self.secretary, SqlLastSaid(database)),
            self.gate.welcomes,
        )
        self.delivery = Delivery(
            self.inbox,
            self.channel,
            pushes,
            self.clock,
            said=self.said,
            is_away=self.thoughts.is_away,
            again_seconds=0,
        )
        self.groups = Groups(
            self.gate, self.circles, SqlShares(database), self.people, self.company, self.secretary.memory_of
        )
        self.invitations = Invitations(
            self.gate, self.members, self.people, self.company, has_mirror=mirror is not None
        )
        self.use_case = ProcessIncomingMessageUseCase(
            inbox=self.inbox,
            people=self.people,
            channel=self.channel,
            delivery=self.delivery,
            gate=self.gate,
            secretary=self.secretary,
            answering=self.answering,
            taps=self.taps_alone,
            second_thoughts=SecondThoughts(self.thoughts, self.secretary, self.answering),
            meanwhile=Meanwhile(self.thoughts, self.channel, self.delivery, 45, self.clock, tick_seconds=0.05),
            household=HouseholdDoor(self.gate, self.people, self.invitations, self.groups),
            attachments=self.attachments,
            fixed=fixed,
            now=self.clock,
        )
        self._heard = 0

    def gated_by(self, gate: Gate) -> None:
        """Somebody else decides from now on who may come in, wherever that is asked."""
        core = self.use_case
        self.gate = core._gate = gate
        core._acquaintance = replace(core._acquaintance, gate=gate)
        self.groups, self.invitations = replace(self.groups, gate=gate), replace(self.invitations, gate=gate)
        core._household = replace(core._household, gate=gate, groups=self.groups, invitations=self.invitations)
        self.taps_alone = core._taps = replace(self.taps_alone, welcomes=gate.welcomes)

    def memory(self, person: str = ANNA) -> SqlMemory:
        return SqlMemory(self.database, PersonId(person), self.clock)

    def list_of(self, person: str = ANNA) -> SqlCategories:
        return SqlCategories(self.database, PersonId(person), self.clock)

    def store(self, person: str = ANNA) -> SqlAttachments:
        return SqlAttachments(self.database, PersonId(person), self.clock)

    async def content(self, message_id: str, most: int) -> bytes:
        """What the network holds of a message."""
        found = self.contents.get(message_id, "unknown")
        if isinstance(found, bytes):
            return found
        raise NotFetched(found)

    async def records(self, person: str = ANNA) -> list[Record]:
        """What a person has stored, oldest first."""
        return list((await self.memory(person).query(RecordQuery(sort="created", limit=20))).records)

    async def hears(self, text: str = "", *, by: ChatId = ANNA, **fields: Any) -> LaneId:
        """Something is said or done, and waits."""
        self._heard += 1
        self.clock.move(seconds=1)
        at = {"occurred_at": self.clock.now, "received_at": self.clock.now}
        message = said(self._heard, text, **({"chat": by, "person": PersonId(by)} | at | fields))
        await self.inbox.put([await self.gate.admit(message)])
        return message.lane

    async def takes(self, lane: LaneId = LaneId(ANNA)) -> Turn:  # noqa: B008 - a name, not a thing that changes
        turn = await self.inbox.take(lane)
        assert turn is not None, "nothing waits"
        return turn

    async def says(self, text: str = "", *, by: ChatId = ANNA, **fields: Any) -> list[str]:
        """Something is said or done, and answered: the texts of the reply."""
        sent = len(self.channel.sent)
        await self.use_case.run(await self.takes(await self.hears(text, by=by, **fields)))
        return [bubble.text for _, bubbles in self.channel.sent[sent:] for bubble in bubbles]

    async def hears_in_the_group(self, text: str = "", *, by: ChatId | None = ANNA, **fields: Any) -> LaneId:
        """Somebody speaks to the bot in a group, by mentioning it, or with these fields."""
        person = None if by is None else PersonId(by)
        group = {"chat": FAMILY, "chat_kind": "group", "person": person, "mentions_me": True, "quote_token": "quote"}
        return await self.hears(text, **(group | fields))

    async def says_in_the_group(self, text: str = "", *, by: ChatId | None = ANNA, **fields: Any) -> list[str]:
        """The same, and answered: the texts of the reply."""
        sent = len(self.channel.sent)
        await self.use_case.run(await self.takes(await self.hears_in_the_group(text, by=by, **fields)))
        return [bubble.text for _, bubbles in self.channel.sent[sent:] for bubble in bubbles]

    async def taps_in_the_group(self, label: str, *, by: ChatId | None = ANNA) -> list[str]:
        """The newest button with this label is tapped."""
        data = self.button(label).data
        return await self.says_in_the_group(by=by, kind="postback", data=data, mentions_me=False, quote_token=None)

    async def enables(self) -> None:
        """The owner gives the group its list."""
        await self.says_in_the_group("啟用")

    async def taps(self, data: str, *, by: ChatId = ANNA) -> list[str]:
        """Any button at all is tapped."""
        return await self.says(by=by, kind="postback", data=data)

    def button(self, label: str) -> Button:
        """The newest button with this label."""
        shown = [button for _, bubbles in self.channel.sent for each in bubbles for button in each.buttons]
        return next(button for button in reversed(shown) if button.label == label)

    async def taps_on(self, label: str, *, by: ChatId = ANNA) -> list[str]:
        """The newest button with this label is tapped."""
        return await self.taps(self.button(label).data, by=by)

    @property
    def last(self) -> list[Bubble]:
        return self.channel.sent[-1][1]


# ── what a model asks for, and what was there before ──────────────────────────────────────────────────────────────


def create(content: str, type_: str = "note", **fields: object) -> tuple[str, str]:
    return "create_record", json.dumps({"content": content, "type": type_, **fields}, ensure_ascii=False)


def call(tool: str, **arguments: object) -> tuple[str, str]:
    return tool, json.dumps(arguments, ensure_ascii=False)


async def remember(talk: Talk, *contents: str, **fields: object) -> None:
    """Records that were there before; their refs count from 1."""
    for number, content in enumerate(contents, start=1):
        draft = Draft(content=content, **({"type": "task"} | fields))
        await talk.memory().record(draft, CallKey("before", number), lambda _: {})
