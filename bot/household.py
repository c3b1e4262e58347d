"""What is not one person's own chat with the secretary: who else comes in, and what several people share.

One door for the use case, behind which members and groups are each their own. Must not know how either is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from bot.gate import Gate
from bot.groups import Groups
from bot.household_ports import Group
from bot.invitations import Invitations
from bot.ports import Bubble, PeoplePort, Person, Turn
from bot.voice.language import CURRENCIES, ZONES, language_of
from tools.definition import Caller, Role
from tools.record import Language, PersonId


@dataclass(frozen=True, slots=True)
class HouseholdDoor:
    """Answers what concerns members and groups."""

    gate: Gate
    people: PeoplePort
    invitations: Invitations
    groups: Groups

    async def speaker(self, turn: Turn, fixed: Language | None) -> Person:
        """Who speaks in a group. Nothing is kept of how they are spoken to: zone, currency and the language of lists
        are those of the person who enabled the group, and the language of the answer is that of what they write."""
        id_ = turn.last.person or PersonId(turn.chat)
        group = await self.groups.groups.find(turn.chat)
        owner = await self.gate.owner()
        host = await self.people.find((group and group.enabled_by) or owner or id_)
        words = turn.last.text if turn.last.kind == "text" else ""
        home = host.home if host else language_of(words, None)
        language = fixed or language_of(words, home)
        zone, currency = (host.zone, host.currency) if host else (ZoneInfo(ZONES[home]), CURRENCIES[home])
        return Person(id_, language, home, zone, currency, await self._role(turn.last.person, group, owner))

    async def _role(self, person: PersonId | None, group: Group | None, owner: PersonId | None) -> Role:
        """Whom LINE does not name may be anybody, a guest too."""
        if person and person == owner:
            return "owner"
        if group is None or not group.is_enabled:
            return "stranger"
        return "guest" if person is None or await self.gate.only_looks(person) else "member"

    async def bound(self, turn: Turn, caller: Caller) -> Caller:
        """The caller, on the records that this turn is about."""
        return await self.groups.bound(turn, caller)

    async def answer(self, turn: Turn, caller: Caller) -> Sequence[Bubble] | None:
        """What is settled without a model; None if the turn is to be answered as any other."""
        if turn.last.chat_kind == "user":
            said = await self.invitations.answer(turn, caller)
            return await self.groups.answer(turn, caller) if said is None else said
        return await self.groups.answer(turn, caller)

    async def behind(self, turn: Turn, caller: Caller) -> Sequence[Bubble]:
        """What is said behind an answer, to somebody who is new in a group."""
        return await self.groups.behind(turn, caller)

    async def afterwards(self, turn: Turn) -> None:
        """What is done when the answer has been sent."""
        await self.groups.afterwards(turn)
