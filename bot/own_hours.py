"""A person's own hours and reminders, told and set without a model: quiet, bedtime, what is still to ring.

Must not know by which word it was asked for, or how an answer travels.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import time

from bot.ports import Bubble, PeoplePort
from bot.secretary import Secretary
from bot.voice.own_hours import reminders_text, rhythm_words
from tools.definition import Caller
from tools.repeating import upcoming_ring

MOST = 20
"""Reminders that are listed; of more only the first."""


async def still_to_ring(secretary: Secretary, caller: Caller) -> Bubble:
    """What is still to ring, by its hour."""
    records = await secretary.memory_of(caller.person).ringing()
    found = [(upcoming_ring(record, caller.now) or record.remind_at, record) for record in records]
    coming = sorted(((at, record) for at, record in found if at is not None), key=lambda each: each[0])
    return Bubble(reminders_text(coming[:MOST], len(coming), caller.now, caller.language))


async def quiet(people: PeoplePort, caller: Caller, about: str) -> Bubble:
    """When nothing may disturb: told, set as ``22:00-07:00``, or taken back by ``off``."""
    words, hours = rhythm_words(caller.language), caller.hours
    if not about:
        return Bubble(words.quiet_is(_stretch(hours.quiet)) if hours.quiet else words.never_quiet)
    begin, _, end = about.partition("-")
    between = None if about == "off" else (time.fromisoformat(begin), time.fromisoformat(end))
    person = await people.find(caller.speaker)
    assert person is not None, "who is answered has been kept"
    await people.keep(replace(person, hours=replace(person.hours, quiet=between)))
    return Bubble(words.quiet_set(_stretch(between)) if between else words.quiet_off)


async def bedtime(people: PeoplePort, caller: Caller, about: str) -> Bubble:
    """When "before bed" is: told, or set as ``23:00``."""
    words = rhythm_words(caller.language)
    if not about:
        return Bubble(words.bedtime_is(f"{caller.hours.bedtime:%H:%M}"))
    person = await people.find(caller.speaker)
    assert person is not None, "who is answered has been kept"
    await people.keep(replace(person, hours=replace(person.hours, bedtime=time.fromisoformat(about))))
    return Bubble(words.bedtime_set(about))


def _stretch(between: tuple[time, time]) -> str:
    return f"{between[0]:%H:%M}–{between[1]:%H:%M}"
