"""Whose records stand in the owner's Notion: the owner's, those of members who said so, and those of groups.

Must not know what a mirror is made of, or how anybody is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.gate import Gate
from bot.household_ports import GroupsPort, MembersPort
from bot.ports import PeoplePort
from tools.record import Mirrored, PersonId


@dataclass(frozen=True, slots=True)
class MirroredPeople:
    """Asked before each pass: who says no is taken away by the next."""

    gate: Gate
    people: PeoplePort
    members: MembersPort
    groups: GroupsPort

    async def all(self) -> list[Mirrored]:
        """The owner first; nobody before there is one."""
        paired = await self.gate.owner()
        owner = await self.people.find(paired) if paired else None
        if owner is None:
            return []
        found = [Mirrored(owner.id, owner.zone, currency=owner.currency)]
        for person, name in (await self.members.in_the_mirror(still=True)).items():
            member = await self.people.find(person)
            named: dict[PersonId, str] = {person: name}
            counts = member or owner
            found.append(Mirrored(person, counts.zone, named, currency=counts.currency))
        for group in await self.groups.enabled():
            household = group.household
            of_group = Mirrored(household.id, owner.zone, household.names, household.name, currency=owner.currency)
            found.append(of_group)
        gone = await self.members.in_the_mirror(still=False)
        return [*found, *(Mirrored(person, owner.zone, withdrawn=True) for person in gone)]
