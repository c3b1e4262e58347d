"""The use case: the waiting messages of one chat become one reply.

It decides who speaks, in which language, and whether code or the model answers. Must not know HTTP, SQL, any SDK, which
tools exist, or how an answer travels.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import cast, get_args
from zoneinfo import ZoneInfo

from bot.answering import Answering
from bot.attachments import Attachments
from bot.delivery import Delivery
from bot.fetching import KINDS
from bot.gate import Gate, code_in
from bot.ports import Bubble, Button, ChannelPort, ClaimLost, InboxPort, PeoplePort, Person, Tap, Turn
from bot.secretary import Secretary
from bot.taps import Taps
from bot.thinking.foreign import is_callers
from bot.voice.attachment_words import wanted_in
from bot.voice.language import CURRENCIES, ZONES, language_of
from bot.voice.phrases import Phrases, Unreadable, phrases_of
from tools.definition import Caller
from tools.record import Language, PersonId, StoreUnavailable

log = logging.getLogger(__name__)

MOST_DEATHS = 3
"""Processes that may die over one turn: what kills three is the turn itself. One whose answer is ready gets as many
again, to be sent."""


@dataclass(frozen=True, slots=True)
class Manners:
    """What the operator fixed for everyone; None is taken from the person."""

    language: Language | None
    zone: ZoneInfo | None
    currency: str | None
    answer_seconds: float


class ProcessIncomingMessageUseCase:
    """Answers turns."""

    def __init__(  # noqa: PLR0913 - the parts of the one use case, named at the composition root
        self,
        *,
        inbox: InboxPort,
        people: PeoplePort,
        channel: ChannelPort,
        delivery: Delivery,
        gate: Gate,
        secretary: Secretary,
        answering: Answering,
        taps: Taps,
        manners: Manners,
        now: Callable[[], datetime],
        attachments: Attachments | None = None,
    ) -> None:
        self._attachments = attachments
        self._inbox = inbox
        self._people = people
        self._channel = channel
        self._delivery = delivery
        self._gate = gate
        self._secretary = secretary
        self._answering = answering
        self._taps = taps
        self._manners = manners
        self._now = now

    async def run(self, turn: Turn) -> None:
        """Answer one turn, or go on with it where it was interrupted. Raises ClaimLost, StoreUnavailable."""
        if turn.deaths >= (MOST_DEATHS if turn.answer is None else 2 * MOST_DEATHS):
            log.error("turn %s: %d processes died while they worked on it; it is set aside", turn.id, turn.deaths)
            await self._set_aside(turn)
            return
        person = await self._person(turn)
        phrases = phrases_of(person.language)
        if turn.answer is None:
            turn = await self._answered(turn, person, phrases)
            await self._inbox.answered(turn, turn.answer or ())
        await self._delivery.deliver(turn, phrases)

    async def _set_aside(self, turn: Turn) -> None:
        """Say so, with what was done before; where that is not survived either, in one plain sentence, and at last in
        silence."""
        if turn.answer is not None:
            await self._inbox.fail(turn)
            return
        person = await self._person(turn)
        phrases = phrases_of(person.language)
        done: list[Bubble] = []
        if turn.deaths == MOST_DEATHS:
            done += await self._answering.given_up(turn, self._caller(person))
            done += await self._secretary.done_by(turn, self._caller(person))
        sorry = [Bubble(phrases.set_aside)] if turn.last.kind != "postponed" else []
        turn = replace(turn, answer=(*done, *sorry))
        await self._inbox.answered(turn, turn.answer or (), set_aside=True)
        await self._delivery.deliver(turn, phrases)

    async def _answered(self, turn: Turn, person: Person, phrases: Phrases) -> Turn:
        """The turn with its answer. If that takes long, the reply token is spent on an interim sentence before it
        dies, and the turn is without it."""
        answering = asyncio.create_task(self._answer_or_apology(turn, person, phrases))
        try:
            done, _ = await asyncio.wait({answering}, timeout=self._patience(turn))
            if not done:
                turn = await self._delivery.interim(turn, phrases)
            return replace(turn, answer=tuple(await answering))
        finally:
            answering.cancel()
            await asyncio.wait({answering})

    def _patience(self, turn: Turn) -> float:
        """Seconds until the newest token must be spent."""
        newest = max(message.received_at for message in turn.messages)
        left = newest + timedelta(seconds=self._manners.answer_seconds) - self._now()
        return max(left.total_seconds(), 0)

    async def _answer_or_apology(self, turn: Turn, person: Person, phrases: Phrases) -> Sequence[Bubble]:
        try:
            return await self._answer(turn, person, phrases)
        except (ClaimLost, StoreUnavailable):
            raise  # the turn goes on later, or elsewhere
        except Exception:
            log.exception("turn %s failed", turn.id)
            return (Bubble(phrases.failed),)

    async def _answer(self, turn: Turn, person: Person, phrases: Phrases) -> Sequence[Bubble]:
        caller = self._caller(person)
        if await self._pairs(turn, person):
            return (Bubble(phrases.paired),)
        if person.role == "stranger":
            return await self._to_a_stranger(turn, person, phrases)
        match turn.last.kind:
            case "reminder":
                return await self._taps.ring(turn, caller)
            case "postback":
                return await self._taps.tap(turn, caller)
            case "postponed":
                return await self._answering.later(turn, caller)
            case "follow":
                return (self._greeting(person, phrases),)
        await self._channel.show_working(turn.chat)
        return await self._what_was_said(turn, caller, phrases)

    def _caller(self, person: Person) -> Caller:
        return Caller(
            person=person.id,
            role=person.role,
            language=person.language,
            home=person.home,
            zone=person.zone,
            currency=person.currency,
            now=self._now().astimezone(person.zone),
        )

    async def _what_was_said(self, turn: Turn, caller: Caller, phrases: Phrases) -> Sequence[Bubble]:
        if self._attachments and self._attachments.concern(turn, caller):
            rest = [each.kind for each in turn.messages if each.kind not in {*KINDS, "text", "location"}]
            notes = [Bubble(phrases.not_supported[_unreadable(kind)]) for kind in dict.fromkeys(rest)]
            answered = await self._attachments.answer(turn, caller)
            return [*notes, *answered, *await self._shown(turn, caller)]
        own = [each.text for each in turn.messages if each.kind == "text" and is_callers(each, caller.person)]
        words = "\n".join(text for text in own if text.strip())
        if self._attachments and (wanted := wanted_in(words)):
            return await self._attachments.showing.bubbles(caller, wanted.ref)
        shown = {"text", "location"} if words else {"text"}  # a place is read along with words, not for itself
        unread = [_unreadable(message.kind) for message in turn.messages if message.kind not in shown]
        notes = [Bubble(phrases.not_supported[kind]) for kind in dict.fromkeys(unread)]
        if not words:
            return notes or [Bubble(phrases.no_answer)]
        answered = await self._answering.answer(turn, caller, words)
        return [*notes, *answered, *await self._shown(turn, caller)]

    async def _shown(self, turn: Turn, caller: Caller) -> Sequence[Bubble]:
        """The pictures that the answer is about."""
        return await self._attachments.showing.asked_for(turn.id, caller) if self._attachments else ()

    async def _to_a_stranger(self, turn: Turn, person: Person, phrases: Phrases) -> Sequence[Bubble]:
        if turn.last.kind in {"reminder", "postponed"}:  # of someone who was welcome once: nothing is said unasked
            await self._answering.forget(turn, person.id)
            return ()
        sentence = phrases.not_paired if await self._gate.code() else phrases.stranger
        return (Bubble(sentence),) if await self._people.first_today(person.id, turn.id) else ()

    async def _pairs(self, turn: Turn, person: Person) -> bool:
        """Whether the code was said by this very person: others may speak in the same turn."""
        for message in turn.messages:
            if message.person == person.id and await self._gate.pairs(person, message.text):
                return True
        return False

    def _greeting(self, person: Person, phrases: Phrases) -> Bubble:
        tries = tuple(Button(example, Tap.SAY.on(example)) for example in phrases.examples)
        return Bubble(phrases.greeting(person.zone.key, person.currency), tries)

    async def _person(self, turn: Turn) -> Person:
        """Who speaks: zone and currency stay as they were taken, the language follows what is written."""
        id_ = turn.last.person or PersonId(turn.chat)
        known = await self._people.find(id_)
        texts = [each.text for each in turn.messages if each.kind == "text" and is_callers(each, id_)]
        words = " ".join(text for text in texts if not code_in(text))  # a code is in no language
        language = await self._language(id_, known, words)
        person = self._as_fixed(replace(known or self._new(id_, language), language=language))
        if not await self._gate.welcomes(id_):
            return replace(person, role="stranger")
        if person.role == "stranger":
            person = replace(person, role="owner" if await self._gate.owner() == id_ else "member")
        if person != known:
            await self._people.keep(person)
        return person

    async def _language(self, id_: PersonId, known: Person | None, words: str) -> Language:
        if self._manners.language:
            return self._manners.language
        if known:
            # Han alone does not tell Japanese from Chinese, and one Japanese line makes nobody at home in it.
            usual = known.home if known.home in {"zh-TW", "ja"} else known.language
            return language_of(words, usual)
        return language_of(words, await self._channel.language_of(id_))

    def _as_fixed(self, person: Person) -> Person:
        """What the operator fixed holds for everyone, also for those who were met before."""
        zone, currency = self._manners.zone or person.zone, self._manners.currency or person.currency
        return replace(person, zone=zone, currency=currency)

    def _new(self, id_: PersonId, language: Language) -> Person:
        return Person(id_, language, language, ZoneInfo(ZONES[language]), CURRENCIES[language])


def _unreadable(kind: str) -> Unreadable:
    return cast("Unreadable", kind if kind in get_args(Unreadable) else "other")
