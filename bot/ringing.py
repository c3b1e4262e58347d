"""What is due by the clock becomes a row of the inbox, once: keyed by record and hour, found twice it rings once.

In somebody's quiet hours it waits until these are over. Must not know what a reminder says, or how it travels.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.inbox_ports import InboxPort
from bot.lanes import TICK_SECONDS, for_ever
from bot.ports import RINGING, ChatId, IncomingMessage, LaneId, PeoplePort
from tools.record import PersonId, RemindersPort, Ring

log = logging.getLogger(__name__)

QuietUntil = Callable[[PersonId, datetime], Awaitable[datetime | None]]
"""When the quiet is over in which a person does not want to be disturbed at that moment; None if they may be."""


def quiet_hours(people: PeoplePort) -> QuietUntil:
    """As each has said, on their own clock."""

    async def until(id_: PersonId, now: datetime) -> datetime | None:
        person = await people.find(id_)
        return person.hours.quiet_until(now.astimezone(person.zone)) if person else None

    return until


@dataclass(slots=True)
class Ringing:
    """Looks at the clock."""

    reminders: RemindersPort
    inbox: InboxPort
    wake: Callable[[LaneId], None]
    now: Callable[[], datetime]
    quiet_until: QuietUntil
    tick_seconds: float = TICK_SECONDS
    _aligned: bool = False

    async def keep(self) -> None:
        """For ever."""
        await for_ever(self.look, self.tick_seconds, "reminders could not be looked at")

    async def look(self) -> None:
        """Put what is due into the inbox. Nobody is woken before all of it is there: what is late after an outage is
        told in one message."""
        if not self._aligned:
            if moved := await self.reminders.realign():
                log.info("%d reminders keep their hour in a zone whose rules have changed", moved)
            self._aligned = True
        woken: dict[LaneId, None] = {}
        try:
            while due := await self.reminders.due(self.now()):
                await self._hand_over(due, woken)
        finally:
            for lane in woken:
                self.wake(lane)

    async def _hand_over(self, due: Sequence[Ring], woken: dict[LaneId, None]) -> None:
        now = self.now()
        owners = {each.record.owner for each in due}
        quiet = {owner: until for owner in owners if (until := await self.quiet_until(owner, now))}
        loud = [_as_message(each, now) for each in due if each.rings and each.record.owner not in quiet]
        woken |= dict.fromkeys(await self.inbox.put(loud) if loud else [])
        for each in due:
            if each.rings and (until := quiet.get(each.record.owner)):
                await self.reminders.hold(each.record.id, each.due, until)
            else:
                await self.reminders.rung(each.record.id, each.due)


def _as_message(ring: Ring, now: datetime) -> IncomingMessage:
    owner = ring.record.owner
    return IncomingMessage(
        id=f"{RINGING}{ring.record.id}:{ring.due:%Y%m%dT%H%M%SZ}",
        kind="reminder",
        chat=ChatId(owner),
        chat_kind="user",
        person=owner,
        occurred_at=ring.record.remind_at or ring.due,
        received_at=now,
        data=str(ring.record.ref),
    )
