"""What the operator's pages ask of the store: who is in, and figures, people and plans at a glance.

Plain frozen dataclasses and protocols. Must not know any library, any page, or any store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from bot.log_command import AuditedCall
from tools.record import PersonId


@dataclass(frozen=True, slots=True)
class SessionRow:
    """When a session began, and was last used."""

    began_at: datetime
    seen_at: datetime


class SessionsPort(Protocol):
    """Sessions by the hash of their id, for every process that shares the store. Raises StoreUnavailable."""

    async def begin(self, hash_: str, now: datetime, ended_before: datetime) -> None:
        """A new one; what began before that has ended, and goes."""

    async def find(self, hash_: str) -> SessionRow | None:
        """One that was not ended."""

    async def touch(self, hash_: str, now: datetime) -> None:
        """It is used."""

    async def end(self, hash_: str) -> None:
        """It is over."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A turn that was answered: when its first message was heard, and when the person had the answer."""

    heard_at: datetime
    delivered_at: datetime

    @property
    def seconds(self) -> float:
        return max(0.0, (self.delivered_at - self.heard_at).total_seconds())


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What happened since a moment: turns that were answered, the newest first, and how many were not; calls of tools,
    and how many of them failed; answers that wait for their chat's next reply, messages that wait for the bot, words
    that wait for the model, and turns that were set aside, whenever that was."""

    answered: Sequence[Answered]
    failed: int
    calls: int
    failed_calls: int
    owed: int
    waiting: int
    postponed: int
    set_aside: int


@dataclass(frozen=True, slots=True)
class ModelDay:
    """What was counted of the model's use on a day, of all people: requests, and tokens sent and answered."""

    day: date
    calls: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """Somebody the bot knows. ``key`` names who came by an invitation and is here; ``name`` is "" where nobody said
    one."""

    id: PersonId
    role: str
    name: str = ""
    key: str = ""
    language: str = ""
    zone: str = ""
    since: datetime | None = None
    removed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group the bot is in, or was, and the names of who is known there."""

    name: str
    state: str
    since: datetime
    members: Sequence[str]


@dataclass(frozen=True, slots=True)
class Company:
    """Everyone, as far as is shown: people, groups, open invitations (what for, until when), and how many strangers
    knocked."""

    people: Sequence[PersonRow]
    groups: Sequence[GroupRow]
    invitations: Sequence[tuple[str, datetime]]
    strangers: int


@dataclass(frozen=True, slots=True)
class ReminderRow:
    """What will ring. ``person`` is whose list it is on."""

    at: datetime
    person: PersonId
    ref: int
    type: str
    content: str


class FiguresPort(Protocol):
    """Reads alone, and only so many rows. Raises StoreUnavailable."""

    async def since(self, moment: datetime) -> Figures:
        """What happened since then."""

    async def model_days(self, first: date) -> list[ModelDay]:
        """The model's days from that one on, in order."""

    async def noted(self, since: datetime) -> list[datetime]:
        """When each record was made that was made since then; the newest, if they are too many."""

    async def company(self) -> Company:
        """Everyone there is."""

    async def reminders(self, *, most: int, skip: int) -> list[ReminderRow]:
        """What will ring, the next one first."""


class CallsPort(Protocol):
    """The calls of all turns, newest first. Raises StoreUnavailable."""

    async def newest(self, *, person: str, most: int, skip: int) -> list[AuditedCall]:
        """So many calls, only of people whose ids begin so."""
