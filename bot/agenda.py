"""What is on today and what is left to do, found without a model and shown as any other answer: a card where there is
more than a line takes, and the likely next steps under it.

Must not know who asked by which word, or how an answer travels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.cards import Cards, Found
from bot.links import only_known_links, own_texts
from bot.plain_text import legible
from bot.ports import Bubble
from bot.secretary import Secretary
from bot.so_far import midnight
from bot.voice.agenda import agenda_bubble, list_bubble, list_title, nothing_today
from tools.definition import Caller
from tools.record import OPEN, TO_DO, Answer, Record, RecordQuery, Span

MOST: Final = 20
"""Records of one kind that are looked at for a list; of more only the number is told."""

FAR: Final = 3650
"""Days: events further ahead are no news."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """Tells a person what is before them."""

    secretary: Secretary

    async def today(self, caller: Caller) -> list[Bubble]:
        """First what has its hour, then what is of the day, then what has no time at all."""
        query = RecordQuery(types=TO_DO, span=_days(caller, 1), sort="when")
        today = await self._open(caller, query)
        some_day = await self._open(caller, RecordQuery(type="task", sort="when"))
        timed = sorted(today.records, key=_whole_days_last)
        untimed = [record for record in some_day.records if record.when is None]
        bubble = agenda_bubble(timed, untimed, caller.now, caller.language)
        beside = "" if timed else nothing_today(caller.language)
        found = Found(query, Answer((*timed, *untimed), len(timed) + len(untimed)))
        return [await self._shown(bubble, found, caller, beside=beside)]

    async def to_do(self, caller: Caller) -> list[Bubble]:
        """Tasks of whatever day, and events from today on: one that has passed is nothing to be done."""
        tasks = await self._open(caller, RecordQuery(type="task", sort="when"))
        events = await self._open(caller, RecordQuery(type="event", span=_days(caller, FAR), sort="when"))
        records = sorted([*tasks.records, *events.records], key=lambda record: _in_time(record, caller))
        matched = tasks.matched + events.matched
        bubble = list_bubble(records, matched, caller.now, caller.language)
        found = Found(RecordQuery(types=TO_DO, sort="when"), Answer(tuple(records), matched))
        return [await self._shown(bubble, found, caller, title=list_title(matched, caller.language))]

    async def _open(self, caller: Caller, query: RecordQuery) -> Answer:
        memory = self.secretary.memory_of(caller.person)
        answers = [await memory.query(replace(query, status=status, limit=MOST)) for status in sorted(OPEN)]
        records = tuple(record for answer in answers for record in answer.records)
        return Answer(records, sum(answer.matched for answer in answers))

    async def _shown(
        self, bubble: Bubble, found: Found, caller: Caller, *, title: str = "", beside: str = ""
    ) -> Bubble:
        cards = Cards(self.secretary.memory_of(caller.person), self.secretary.mirror, caller)
        known = own_texts(found.answer.records)

        def word(text: str) -> str:
            return only_known_links(legible(text), known)

        card = await cards.of_list(found.answer, title=title, beside=beside)
        buttons = cards.next_steps((), [found], bubble.text)
        return replace(bubble, text=word(bubble.text), buttons=buttons, card=card and card.reworded(word))


def _days(caller: Caller, days: int) -> Span:
    """From the person's own midnight."""
    first = midnight(caller.now)
    return Span(first, first + timedelta(days=days))


def _whole_days_last(record: Record) -> tuple[bool, str]:
    clock = isinstance(record.when, datetime)
    return not clock, record.when.isoformat() if isinstance(record.when, datetime) else ""


def _in_time(record: Record, caller: Caller) -> tuple[bool, str, str, int]:
    """By day, then by clock; what has no time last."""
    if record.when is None:
        return True, "", "", record.ref
    local = record.when.astimezone(caller.zone) if isinstance(record.when, datetime) else None
    day = (local.date() if local else record.when).isoformat()
    return False, day, local.isoformat() if local else "", record.ref
