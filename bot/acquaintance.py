"""Who speaks: met before or not, welcome or not, and how they are spoken to.

Zone and currency stay as they were taken, the language follows what is written. Must not know what is said, or what is
answered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from bot.gate import Gate, is_a_code
from bot.ports import WORDS, ChannelPort, PeoplePort, Person, Turn
from bot.thinking.foreign import is_callers
from bot.voice.language import CURRENCIES, ZONES, Fixed, language_of, spoken_language
from tools.record import Language, PersonId


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """Knows people again, and keeps what is new of them."""

    people: PeoplePort
    gate: Gate
    channel: ChannelPort
    fixed: Fixed

    async def of(self, turn: Turn) -> Person:
        """Who speaks in a chat of their own."""
        id_ = turn.last.person or PersonId(turn.chat)
        known = await self.people.find(id_)
        texts = [each.text for each in turn.messages if each.kind in WORDS and is_callers(each, id_)]
        words = " ".join(text for text in texts if not is_a_code(text))  # which is in no language
        profile = None if known or self.fixed.language else await self.channel.language_of(id_)
        language = self._language(known, words, profile)
        person = self.as_fixed(replace(known or self._new(id_, language), language=language))
        if not await self.gate.welcomes(id_):
            return replace(person, role="stranger")
        if invited := await self.gate.invited_as(id_):
            person = replace(person, role=invited)
        elif person.role in {"stranger", "guest"}:
            person = replace(person, role="owner" if await self.gate.owner() == id_ else "member")
        if person != known:
            await self.people.keep(person)
        return replace(person, differs=spoken_language(profile) not in {None, language})

    def _language(self, known: Person | None, words: str, profile: str | None) -> Language:
        if self.fixed.language:
            return self.fixed.language
        if known and (known.keeps_language or not words.strip()):  # a tap is answered as what it was shown with
            return known.language
        if known:
            # Han alone does not tell Japanese from Chinese, and one Japanese line makes nobody at home in it.
            usual = known.home if known.home in {"zh-TW", "ja"} else known.language
            return language_of(words, usual)
        return language_of(words, profile)

    def as_fixed(self, person: Person) -> Person:
        """What the operator fixed holds for everyone, also for those who were met before."""
        zone, currency = self.fixed.zone or person.zone, self.fixed.currency or person.currency
        return replace(person, zone=zone, currency=currency)

    def _new(self, id_: PersonId, language: Language) -> Person:
        return Person(id_, language, language, ZoneInfo(ZONES[language]), CURRENCIES[language])
