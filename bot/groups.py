"""The secretary in groups: off until the owner says so there, then with a list that is the group's own.

What is settled here needs no model: coming, enabling, leaving, who is known, who owes whom. In a group every turn works
on the group's records and on no others. Must not know how a group is stored, or what a model says.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bot.gate import Gate
from bot.household_ports import CompanyPort, Group, GroupsPort, SharesPort
from bot.links import only_known_links
from bot.plain_text import legible
from bot.ports import Bubble, Button, ChatId, NotSent, PeoplePort, Tap, Turn
from bot.voice.household_commands import IN_A_GROUP, HouseholdCommand, household_command_of
from bot.voice.household_words import HouseholdWords, household_words
from bot.voice.invitation_words import invitation_words
from bot.voice.phrases import phrases_of
from bot.voice.settling import settlement_text
from tools.definition import Caller
from tools.household import Household, tidy_name
from tools.record import OPEN, TO_DO, MemoryPort, PersonId, RecordQuery

log = logging.getLogger(__name__)

UNASKED = timedelta(days=1)
"""So long the bot waits in a group for the owner's word."""

MOST_LISTED = 20

_MOMENT = re.compile("[0-9]{1,17}")
"""Microseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Answers what happens in groups. ``memory_of`` opens the records of a group."""

    gate: Gate
    groups: GroupsPort
    shares: SharesPort
    people: PeoplePort
    company: CompanyPort
    memory_of: Callable[[PersonId], MemoryPort]

    # ── whose turn it is

    async def bound(self, turn: Turn, caller: Caller) -> Caller:
        """The caller as a turn of this group knows them: whoever speaks, on the group's records."""
        if turn.last.chat_kind == "user":
            return caller
        speaker = turn.last.person or PersonId(turn.chat)
        group = await self.groups.find(turn.chat)
        if group and group.is_enabled and turn.last.person:
            group = await self._known(group, turn, turn.last.person)
        household = group.household if group else Household(PersonId(turn.chat))
        return replace(caller, person=PersonId(turn.chat), author=speaker, household=household)

    async def _known(self, group: Group, turn: Turn, person: PersonId) -> Group:
        """The group, in which this person is known by name from now on."""
        await self.groups.heard(turn.chat, person, turn.id)
        if group.household.names.get(person):
            return group
        if name := tidy_name(await self.company.name_of(person, turn.chat)):
            await self.groups.call(turn.chat, person, name)
        return await self.groups.find(turn.chat) or group

    # ── what is settled without a model

    async def answer(self, turn: Turn, caller: Caller) -> Sequence[Bubble] | None:
        """None if it is something to be answered as in any chat."""
        message, words = turn.last, household_words(caller.language)
        if turn.last.chat_kind == "user":
            return await self._in_ones_own_chat(turn, caller, words)
        if message.kind == "join":
            return await self._joined(turn, words)
        command = _command_in(turn)
        if command == "enable" or message.data.startswith(Tap.ENABLE.on("")):
            return await self._enable(turn, words)
        group = await self.groups.find(turn.chat)
        if group is None or not group.is_enabled:
            return await self._not_enabled(turn, words)
        return await self._on_the_list(turn, group, caller, command)

    async def _on_the_list(
        self, turn: Turn, group: Group, caller: Caller, command: HouseholdCommand | None
    ) -> Sequence[Bubble] | None:
        words = household_words(caller.language)
        if turn.last.person is None and not turn.last.data.startswith(Tap.SHOW.on("")):
            return [Bubble(words.unnamed)]
        if turn.last.kind == "postback":
            return await self._tapped(turn, group, caller, words)
        match command:
            case "leave":
                return await self._leave(turn, caller, words)
            case "members":
                names = "\n".join(f"・{name or words.nameless}" for name in _present(group))
                return [Bubble(words.group_members(names))]
            case "settle":
                return [await self._settle(group, caller, words)]
        return None

    async def behind(self, turn: Turn, caller: Caller) -> Sequence[Bubble]:
        """What somebody is told who came into the group when the others had been told already: once."""
        person = turn.last.person
        if turn.last.chat_kind == "user" or person is None or turn.last.kind == "postponed":
            return []
        told_now = await self.groups.heard(turn.chat, person, turn.id)
        return [Bubble(household_words(caller.language).what_is_kept)] if told_now else []

    async def afterwards(self, turn: Turn) -> None:
        """When the goodbye is said, go."""
        if turn.last.chat_kind == "user" or not (turn.last.kind == "join" or _command_in(turn) == "leave"):
            return
        group = await self.groups.find(turn.chat)
        if group and group.state == "leaving":
            await self._go(turn.chat)

    # ── coming and going

    async def _joined(self, turn: Turn, words: HouseholdWords) -> Sequence[Bubble]:
        await self.groups.asks(turn.chat)
        group = await self.groups.find(turn.chat)
        if group and group.is_enabled:
            return [Bubble(words.already_enabled)]
        if await self.gate.owner() is None:
            await self.groups.leaves(turn.chat)  # nobody could ever enable it
            return []
        return [Bubble(words.joined, (Button(words.enable, Tap.ENABLE.on("list")),))]

    async def _enable(self, turn: Turn, words: HouseholdWords) -> Sequence[Bubble]:
        """Told in the turn that did it, also if that was interrupted behind it."""
        person = turn.last.person
        if person is None or await self.gate.owner() != person:
            return await self._not_enabled(turn, words)
        name = tidy_name(await self.company.name_of_group(turn.chat))
        is_new = await self.groups.enable(turn.chat, person, turn.id, name)
        if group := await self.groups.find(turn.chat):
            await self._known(group, turn, person)
        return [Bubble(words.enabled if is_new else words.already_enabled)]

    async def _not_enabled(self, turn: Turn, words: HouseholdWords) -> Sequence[Bubble]:
        """Once a day; the owner is told every time."""
        if turn.last.kind == "postponed":
            return []
        await self.groups.asks(turn.chat)
        is_owner = turn.last.person is not None and await self.gate.owner() == turn.last.person
        told_now = is_owner or await self.people.first_today(PersonId(turn.chat), turn.id)
        group = await self.groups.find(turn.chat)
        if group and group.is_enabled:
            return [Bubble(words.already_enabled)]
        return [Bubble(words.only_owner_enables)] if told_now else []

    async def _leave(self, turn: Turn, caller: Caller, words: HouseholdWords) -> Sequence[Bubble]:
        if await self.gate.owner() != caller.author:
            return [Bubble(invitation_words(caller.language).only_owner)]
        await self.groups.leaves(turn.chat)
        return [Bubble(words.goodbye)]

    async def _go(self, chat: ChatId) -> None:
        try:
            await self.company.leave(chat)
        except NotSent as problem:
            log.warning("a group could not be left, and is tried again: %s", problem.reason)
        else:
            await self.groups.left(chat)

    async def leave_forgotten(self, now: datetime) -> None:
        """Go from where nobody enabled the bot within a day."""
        for chat in await self.groups.to_leave(now - UNASKED):
            await self._go(chat)

    # ── money

    async def _settle(self, group: Group, caller: Caller, words: HouseholdWords) -> Bubble:
        paid = await self.shares.paid(group.household.id, group.settled_at)
        text = settlement_text(paid, group.household, caller.language)
        if not text:
            return Bubble(words.nothing_to_settle)
        until = int(caller.now.timestamp() * 1_000_000)
        return Bubble(text, (Button(words.all_paid, Tap.SETTLED.on(until)),))

    async def _tapped(self, turn: Turn, group: Group, caller: Caller, words: HouseholdWords) -> Sequence[Bubble] | None:
        tap, _, moment = turn.last.data.partition(":")
        if tap != Tap.SETTLED:
            return None
        if caller.role == "guest":
            return [Bubble(phrases_of(caller.language).only_looks)]
        until = datetime.fromtimestamp(int(moment) / 1_000_000, UTC) if _MOMENT.fullmatch(moment) else None
        if until is None or until > caller.now:
            return [Bubble(phrases_of(caller.language).button_too_old)]
        is_new = await self.groups.settled(group.chat, until)
        return [Bubble(words.settled if is_new else phrases_of(caller.language).already_handled)]

    # ── in one's own chat

    async def _in_ones_own_chat(self, turn: Turn, caller: Caller, words: HouseholdWords) -> Sequence[Bubble] | None:
        """What is still to be done on the lists that are shared, by name."""
        if turn.last.kind != "text" or caller.role == "stranger" or len(turn.messages) > 1:
            return None
        if household_command_of(turn.last.text) != ("shared", ""):
            return None
        lists = [await self._open(each.household, words) for each in await self.groups.of_person(caller.person)]
        return [Bubble("\n".join(lists) or words.no_shared_list)]

    async def _open(self, shared: Household, words: HouseholdWords) -> str:
        query = RecordQuery(types=TO_DO, sort="-created", limit=MOST_LISTED)
        found = (await self.memory_of(shared.id).query(query)).records
        name = shared.name or words.a_group
        lines = [f"・{only_known_links(legible(each.content), [])}" for each in found if each.status in OPEN]
        return words.shared_list(name, "\n".join(lines)) if lines else words.shared_empty(name)


def _command_in(turn: Turn) -> HouseholdCommand | None:
    found = household_command_of(turn.last.text) if turn.last.kind == "text" else None
    return found[0] if found and found[0] in IN_A_GROUP else None


def _present(group: Group) -> list[str]:
    names = group.household.names
    return [names[each.id] for each in group.household.members]
