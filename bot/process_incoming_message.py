"""The use case: the waiting messages of one chat become one reply.

It decides who speaks, in which language, and whether code or the model answers. Must not know HTTP, SQL, any SDK, which
tools exist, or how an answer travels.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from bot.acquaintance import Acquaintance
from bot.answering import Answering
from bot.attachments import Attachments
from bot.delivery import Delivery
from bot.fetching import KINDS
from bot.gate import Gate
from bot.household import HouseholdDoor
from bot.inbox_ports import InboxPort
from bot.meanwhile import Meanwhile
from bot.mirror_news import news_bubble
from bot.ports import (
    BACK,
    TYPED,
    WORDS,
    Bubble,
    Button,
    ChannelPort,
    ClaimLost,
    IncomingMessage,
    PeoplePort,
    Person,
    Stopped,
    Tap,
    Turn,
)
from bot.pushes import RESERVE
from bot.quotes import behind
from bot.second_thoughts import SecondThoughts
from bot.secretary import Secretary
from bot.taps import Taps
from bot.thinking.foreign import is_callers
from bot.voice.attachment_words import wanted_in
from bot.voice.commands import commands_of
from bot.voice.hosting_words import wiped_text
from bot.voice.language import Fixed
from bot.voice.phrases import Phrases, Unreadable, phrases_of
from bot.voice.quota_words import quota_text
from bot.voice.second_thoughts import asks_to_stop, second_thought_words
from bot.voice.stickers import word_of_sticker
from tools.definition import Caller
from tools.record import PersonId, StoreUnavailable

log = logging.getLogger(__name__)

MOST_DEATHS = 3
"""Processes that may die over one turn: what kills three is the turn itself. One whose answer is ready gets as many
again, to be sent."""


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
        second_thoughts: SecondThoughts,
        meanwhile: Meanwhile,
        household: HouseholdDoor,
        attachments: Attachments,
        fixed: Fixed,
        now: Callable[[], datetime],
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
        self._quotes = taps.quotes
        self._second_thoughts = second_thoughts
        self._meanwhile = meanwhile
        self._household = household
        self._fixed = fixed
        self._acquaintance = Acquaintance(people, gate, channel, fixed)
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
            turn = await self._thought(turn, person, phrases)
        if turn.last.kind != "reminder" and self._delivery.can_reply(turn):
            await self._takes_along(turn, person)
        await self._delivery.deliver(turn, phrases)
        await self._household.afterwards(turn)

    async def _takes_along(self, turn: Turn, person: Person) -> None:
        """What is due meanwhile stands in front of the reply."""
        due = await self._inbox.take_rings(turn) if turn.last.chat_kind == "user" else None
        if due is None:
            return
        welcome = person.role != "stranger"
        bubbles = await self._taps.rung.told(due, await self._caller(person, due), rides=True) if welcome else ()
        await self._inbox.answered(due, bubbles)
        if bubbles:
            await self._inbox.owe(due, maybe_sent=False)
        else:
            await self._inbox.delivered(due)

    async def give_up(self, turn: Turn) -> None:
        """Set aside a turn that fails every time, in words if that is possible. Raises ClaimLost, StoreUnavailable."""
        await self._set_aside(replace(turn, deaths=MOST_DEATHS))

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
            caller = await self._caller(person, turn)
            done += await self._answering.given_up(turn, caller)
            done += await self._secretary.done_by(turn, caller)
        sorry = [Bubble(phrases.set_aside)] if turn.last.kind != "postponed" else []
        turn = replace(turn, answer=(*done, *sorry))
        await self._inbox.answered(turn, turn.answer or (), set_aside=True)
        await self._delivery.deliver(turn, phrases)

    async def _thought(self, turn: Turn, person: Person, phrases: Phrases) -> Turn:
        """The turn with its answer, committed. As often as the person thinks better of it meanwhile, it is looked at
        again: each time it is known why."""
        while True:
            try:
                if turn.stop:
                    turn = await self._second_thoughts.port.stopped(turn)
                turn = await self._answered(turn, person, phrases)
                await self._inbox.answered(turn, turn.answer or ())
            except Stopped:
                turn = await self._second_thoughts.port.stopped(turn)
            else:
                return turn

    async def _answered(self, turn: Turn, person: Person, phrases: Phrases) -> Turn:
        """The turn with its answer. If that takes long, the reply token is spent on an interim sentence before it
        dies, and the turn is without it."""
        answering = asyncio.create_task(self._answer_or_apology(turn, person, phrases))
        try:
            turn = await self._meanwhile.until_done(answering, turn, phrases)
            return replace(turn, answer=tuple(await answering))
        finally:
            answering.cancel()
            await asyncio.wait({answering})

    async def _answer_or_apology(self, turn: Turn, person: Person, phrases: Phrases) -> Sequence[Bubble]:
        try:
            return await self._answer(turn, person, phrases)
        except (ClaimLost, StoreUnavailable):
            raise  # the turn goes on later, or elsewhere
        except Exception:
            log.exception("turn %s failed", turn.id)
            return (Bubble(phrases.failed),)

    async def _answer(self, turn: Turn, person: Person, phrases: Phrases) -> Sequence[Bubble]:
        if await self._pairs(turn, person):
            return (Bubble(phrases.paired),)
        caller = await self._caller(person, turn)
        if (settled := await self._household.answer(turn, caller)) is not None:
            return settled
        bubbles = await self._answer_in_general(turn, person, caller, phrases)
        return [*bubbles, *await self._household.behind(turn, caller)]

    async def _answer_in_general(
        self, turn: Turn, person: Person, caller: Caller, phrases: Phrases
    ) -> Sequence[Bubble]:
        if person.role == "stranger":
            return await self._to_a_stranger(turn, person, phrases)
        if turn.last.kind == "reminder":
            return await self._taps.rung.told(turn, caller, rides=not await self._delivery.will_push(turn))
        if turn.stopped == "said":
            return await self._second_thoughts.stopped(turn, caller)
        if turn.restarts:
            turn = await self._second_thoughts.begun_anew(turn, caller)
        said = [*await self._said_to(turn, caller, phrases), *await self._second_thoughts.offers(turn, caller)]
        return [*self._taken(person, phrases), *said] if said else said

    def _taken(self, person: Person, phrases: Phrases) -> list[Bubble]:
        """Which zone and currency were taken, as the greeting tells it, where somebody may expect others."""
        is_news = person.differs and not (self._fixed.zone and self._fixed.currency)
        return [Bubble(phrases.greeting(person.zone.key, person.currency).rpartition("\n")[2])] if is_news else []

    async def _said_to(self, turn: Turn, caller: Caller, phrases: Phrases) -> Sequence[Bubble]:
        """What is said to what a person said or did, by its kind."""
        match turn.last.kind:
            case "postback":
                if turn.last.data.startswith((Tap.SAY.on(""), Tap.ABOUT.on(""))):
                    await self._channel.show_working(turn.chat)
                return await self._taps.tap(turn, caller)
            case "postponed":
                return await self._answering.later(turn, caller)
            case "quota" | "disk" | "news":
                return (_unasked(turn.last, caller),)
            case "follow":
                return (self._greeting(turn.last, caller, phrases),)
            case "edited":
                return await self._edited(turn, caller, phrases)
        await self._channel.show_working(turn.chat)
        return await self._what_was_said(turn, caller, phrases)

    async def _caller(self, person: Person, turn: Turn) -> Caller:
        caller = Caller(
            person=person.id,
            role=person.role,
            language=person.language,
            home=person.home,
            zone=person.zone,
            currency=person.currency,
            now=self._now().astimezone(person.zone),
            hours=person.hours,
        )
        return await self._household.bound(turn, caller)

    async def _what_was_said(self, turn: Turn, caller: Caller, phrases: Phrases) -> Sequence[Bubble]:
        if self._attachments.concern(turn, caller):
            rest = [each.kind for each in turn.messages if each.kind not in {*KINDS, *WORDS, "location"}]
            notes = [Bubble(phrases.not_supported[_unreadable(kind)]) for kind in dict.fromkeys(rest)]
            shown_and_said = await self._attachments.answer(await self._quotes.said_with(turn, caller), caller)
            return [*notes, *shown_and_said, *await self._shown(turn, caller)]
        written = [_as_written(each) for each in turn.messages if is_callers(each, caller.speaker)]
        own = [each for each in written if each.text.strip()]
        words = "\n".join(each.text for each in own) or _said_by_stickers(turn, caller.speaker)
        if (wanted := wanted_in(words)) and await self._attachments.showing.can(caller, wanted):
            return await self._attachments.showing.bubbles(caller, wanted)
        shown = {*WORDS, "location", "sticker"} if words else WORDS  # read along with words, not for themselves
        unread = [_unreadable(message.kind) for message in turn.messages if message.kind not in shown]
        notes = [Bubble(phrases.not_supported[kind]) for kind in dict.fromkeys(unread)]
        if not words:
            nothing_left = bool(turn.restarts) or turn.last.kind == "edited"
            return notes or ([] if nothing_left else [Bubble(phrases.no_answer)])
        said = await self._taps.spoken(turn, caller, words) or await self._words_answered(turn, caller, own, words)
        return [*notes, *said, *await self._shown(turn, caller)]

    async def _shown(self, turn: Turn, caller: Caller) -> Sequence[Bubble]:
        """The pictures that the answer is about."""
        return await self._attachments.showing.asked_for(turn.id, caller)

    async def _words_answered(
        self, turn: Turn, caller: Caller, own: Sequence[IncomingMessage], words: str
    ) -> Sequence[Bubble]:
        """What is said to the caller's own words, each with what it quotes."""
        if commands := [each.name for each in commands_of(words)]:
            quoted = await self._quotes.quoted(own[0], caller) if len(own) == 1 else None
            if commands == ["undo"] and quoted and quoted.turn:
                return await self._taps.tapped(turn, caller, Tap.UNDO, quoted.turn)
            return await self._answering.answer(turn, caller, words)
        quotations = {each.id: await self._quotes.quoted(each, caller) for each in own}
        if len(own) == 1 and (which := self._quotes.which(words, quotations[own[0].id], caller)):
            return (which,)
        said = {each.id: behind(quotations[each.id], each) for each in own}
        turn = replace(turn, messages=tuple(said.get(each.id, each) for each in turn.messages))
        return await self._answering.answer(turn, caller, "\n".join(each.text for each in said.values()))

    async def _to_a_stranger(self, turn: Turn, person: Person, phrases: Phrases) -> Sequence[Bubble]:
        if turn.last.kind in {"reminder", "postponed", "quota", "disk", "news"}:  # of one who was welcome once: silence
            await self._answering.forget(turn, person.id)
            return ()
        if turn.last.data.startswith(Tap.FORGET.on("")):  # a member when they tapped, who is told what came of it
            return await self._taps.tap(turn, await self._caller(person, turn))
        sentence = phrases.not_paired if await self._gate.code() else phrases.stranger
        return (Bubble(sentence),) if await self._people.first_today(person.id, turn.id) else ()

    async def _pairs(self, turn: Turn, person: Person) -> bool:
        """Whether the code was said by this very person: others may speak in the same turn."""
        for message in turn.messages:
            if message.person == person.id and await self._gate.pairs(person, message.text):
                return True
        return False

    async def _edited(self, turn: Turn, caller: Caller, phrases: Phrases) -> Sequence[Bubble]:
        """An edited message is said anew: what its first version had made is taken back before, or told."""
        told, line = await self._second_thoughts.edited(turn.last, turn, caller) if turn.last.data else ([], "")
        if told and asks_to_stop(turn.last.text):
            return told  # what it had made is taken back: that was the wish
        await self._channel.show_working(turn.chat)
        if line and not commands_of(turn.last.text):
            text = f"{line}\n{turn.last.text}"
            turn = replace(turn, messages=(*turn.messages[:-1], replace(turn.last, text=text)))
        return [*told, *await self._what_was_said(turn, caller, phrases)]

    def _greeting(self, message: IncomingMessage, caller: Caller, phrases: Phrases) -> Bubble:
        tries = tuple(Button(example, Tap.SAY.on(example)) for example in phrases.examples)
        words = second_thought_words(caller.language).welcome_back if message.data == BACK else phrases.greeting
        return Bubble(words(caller.zone.key, caller.currency), tries)

    async def _person(self, turn: Turn) -> Person:
        """Who speaks."""
        if turn.last.chat_kind == "user":
            return await self._acquaintance.of(turn)
        return self._acquaintance.as_fixed(await self._household.speaker(turn, self._fixed.language))


def _as_written(message: IncomingMessage) -> IncomingMessage:
    """With the words that somebody wrote, on a sticker too."""
    if message.kind in WORDS:
        return message
    return replace(message, text=message.params.get(TYPED, "") if message.kind == "sticker" else "")


def _said_by_stickers(turn: Turn, person: PersonId) -> str:
    """The words that stickers plainly say, if nothing else was shown."""
    own = [each for each in turn.messages if each.kind not in WORDS and is_callers(each, person)]
    said = [word_of_sticker(each.text) if each.kind == "sticker" else "" for each in own]
    return "\n".join(dict.fromkeys(said)) if all(said) else ""


def _unreadable(kind: str) -> Unreadable:
    return "sticker" if kind == "sticker" else "other"


def _unasked(message: IncomingMessage, caller: Caller) -> Bubble:
    """What people have to hear without having said anything."""
    match message.kind:
        case "quota":
            return Bubble(quota_text(caller.language, int(message.data), RESERVE))
        case "disk":
            return Bubble(wiped_text(caller.language, message.data))
    return news_bubble(message, caller)
