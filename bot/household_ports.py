"""The words for who else may talk to the bot, and for the groups it is in: the edges of a household.

Plain frozen dataclasses and one-purpose protocols. Must not know any library, any network, or any store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from bot.ports import ChatId, TurnId
from tools.household import Household
from tools.record import PersonId

Invited = Literal["member", "guest"]
"""What somebody comes in as: a guest only looks."""

Guess = Literal["open", "stale", "wrong"]
"""What a code is that somebody says: one that lets in, one that did once, or none."""


@dataclass(frozen=True, slots=True)
class Invitee:
    """Somebody who came by an invitation. ``key`` names them on a button."""

    person: PersonId
    key: str
    role: Invited
    name: str


class MembersPort(Protocol):
    """Who came by the owner's invitation, for every process that shares the store."""

    async def invite(self, turn: TurnId, role: Invited, code: str, expires_at: datetime) -> None:
        """Let this code bring in one person until then. Of a turn that is repeated the newest code stands."""

    async def guess(self, code: str, person: PersonId) -> Guess:
        """Whether this code lets the person in, or did, and they are here yet. A wrong one counts against every open
        one."""

    async def join(self, person: PersonId, code: str, name: str) -> Invited | None:
        """Use the code; said again by the same person it still does, unless they were removed. None if it lets nobody
        in, or another."""

    async def role_of(self, person: PersonId) -> Invited | None:
        """What somebody came in as; None for whoever did not, or was removed."""

    async def everyone(self) -> list[Invitee]:
        """Who came and is still here, in the order of their coming."""

    async def of_key(self, key: str) -> Invitee | None:
        """Whom a button names, unless they were removed."""

    async def remove(self, key: str) -> None:
        """They are a stranger from now on, whom the codes they used and the link to their records serve no more; their
        records leave the mirror."""

    async def was_removed(self, person: PersonId) -> bool:
        """Whether this person came once, and was removed."""

    async def mirror(self, person: PersonId, *, wanted: bool) -> None:
        """Whether this person wants their records in the owner's Notion."""

    async def in_the_mirror(self, *, still: bool) -> dict[PersonId, str]:
        """Whose own records stand in the mirror because they said so, or did and shall not any more: their names."""


HouseholdState = Literal["asked", "enabled", "leaving", "left"]
"""It waits for the owner's word; it has a list; the bot goes as soon as it has said goodbye; it is not there."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group the bot is in. ``since``: when it came into this state. ``settled_at``: up to then all debts are paid."""

    chat: ChatId
    state: HouseholdState
    household: Household
    since: datetime
    settled_at: datetime
    enabled_by: PersonId | None = None
    enabled_in: TurnId | None = None

    @property
    def is_enabled(self) -> bool:
        return self.state == "enabled"


class SharesPort(Protocol):
    """What the members of a group have paid."""

    async def paid(self, group: PersonId, since: datetime) -> dict[str, dict[PersonId, int]]:
        """For each currency who paid how much of what was noted after that moment, in minor units; what somebody
        received is taken off. Money whose payer nobody knows is under the group itself."""


class GroupsPort(Protocol):
    """The groups the bot is in, for every process that shares the store."""

    async def find(self, chat: ChatId) -> Group | None:
        """The group with everyone who is known in it; None if the bot never heard of it."""

    async def asks(self, chat: ChatId) -> None:
        """The bot came into this group, and waits for the owner's word. One that has a list keeps it."""

    async def enable(self, chat: ChatId, by: PersonId, turn: TurnId, name: str) -> bool:
        """The list begins, or goes on. Whether it was this very turn that enabled it."""

    async def leaves(self, chat: ChatId) -> None:
        """The bot is about to go."""

    async def left(self, chat: ChatId) -> None:
        """The bot is not there any more."""

    async def comes(self, chat: ChatId, people: Sequence[PersonId]) -> None:
        """These came into a group that has a list, and were not told yet what is kept."""

    async def goes(self, chat: ChatId, people: Sequence[PersonId]) -> None:
        """These are not in the group any more; what they wrote stays."""

    async def heard(self, chat: ChatId, person: PersonId, turn: TurnId) -> bool:
        """Somebody speaks to the bot there. Whether they are to be told what is kept: once, in this very turn."""

    async def call(self, chat: ChatId, person: PersonId, name: str) -> None:
        """What somebody is called in the group."""

    async def settled(self, chat: ChatId, at: datetime) -> bool:
        """All that was paid until then is even. False if that was said before."""

    async def of_person(self, person: PersonId) -> list[Group]:
        """The groups with a list in which this person is known to be."""

    async def enabled(self) -> list[Group]:
        """All with a list."""

    async def to_leave(self, asked_before: datetime) -> list[ChatId]:
        """Groups that nobody enabled, or that were said goodbye to."""


@dataclass(frozen=True, slots=True)
class Account:
    """The bot itself as its network shows it. ``basic_id`` is what one adds it by (``@…``)."""

    name: str
    basic_id: str


class CompanyPort(Protocol):
    """Who is who on the network, and the way out of a group. Whatever is only asked never raises, and is None where the
    network does not say."""

    async def me(self) -> Account | None:
        """The bot itself; asked once."""

    async def name_of(self, person: PersonId, chat: ChatId) -> str | None:
        """What somebody is called in a chat."""

    async def name_of_group(self, chat: ChatId) -> str | None:
        """What a group is called."""

    async def leave(self, chat: ChatId) -> None:
        """Go; done also where the bot is not in the group any more. Raises Refused, Unsure."""
