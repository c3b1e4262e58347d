"""What was said in words becomes an answer: the model's text, and the receipts of what was really changed.

The model proposes; what a person is told about their records comes from the store. Must not know which engine answers,
how a record is kept, or how an answer travels.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot import doubts
from bot.cards import Cards, Found, scope_buttons
from bot.categories import list_of
from bot.household_ports import Group
from bot.links import names_an_address, only_known_links, opened_links, own_texts, own_words, texts_of
from bot.model_ports import LlmPort, Message, ModelUnavailable, Prompt, TranscriptPort
from bot.plain_text import legible, plain
from bot.ports import HEARD, Bubble, Button, ClaimLost, Tap, Turn
from bot.redaction import Redactor
from bot.so_far import left_today, neighbours, spending
from bot.strange_addresses import watching
from bot.thinking.budget import EXCHANGES
from bot.thinking.foreign import foreign_in, heard_in, is_callers, remembered
from bot.thinking.prompt import SYSTEM, Stamp, stamped
from bot.voice.claims import beyond_receipt, without_claims
from bot.voice.phrases import Phrases, phrases_of
from bot.voice.questions import question_about
from bot.voice.receipts import ReceiptContext, receipt
from tools.attachment import AttachmentsPort
from tools.categories import Categories, CategoriesPort
from tools.collections import OpenCollection
from tools.definition import Caller, ToolDefinition
from tools.filing import Learn
from tools.meanings import described
from tools.record import (
    Answer,
    Change,
    MemoryPort,
    MirrorPort,
    MirrorState,
    PersonId,
    RecordQuery,
    StoreUnavailable,
)
from tools.shared_lists import SharedList
from tools.toolbox import toolbox

log = logging.getLogger(__name__)

MIRROR_SECONDS = 4.0
"""A mirror's share of the time to answer: a page takes a third of a second when the place is well."""


@dataclass(frozen=True, slots=True)
class Secretary:
    """Answers what is said. ``fallback`` does so without the model; ``pushes`` says whether reminders are spoken
    unasked; ``collections`` may be read on the way."""

    llm: LlmPort
    fallback: LlmPort | None
    transcript: TranscriptPort
    memory_of: Callable[[PersonId], MemoryPort]
    mirror: MirrorPort | None
    redactor: Redactor
    pushes: Callable[[], bool]
    attachments_of: Callable[[PersonId], AttachmentsPort] | None = None
    groups_of: Callable[[PersonId], Awaitable[Sequence[Group]]] | None = None
    collections: Sequence[OpenCollection] = ()
    meanings_of: Callable[[PersonId], Awaitable[Mapping[str, str]]] | None = None
    categories_of: Callable[[PersonId], CategoriesPort] | None = None

    async def answer(self, turn: Turn, caller: Caller, words: str) -> list[Bubble]:
        """What the model and its tools say to ``words``. Raises ModelUnavailable: what was done before that is for
        ``done_so_far`` to tell."""
        return await self._answered_by(self.llm, turn, caller, words, said_at=caller.now)

    async def go_on(self, turn: Turn, caller: Caller, words: str, *, said_at: datetime, told: int) -> list[Bubble]:
        """What the model and its tools say to words of an earlier moment, as of then. What the first ``told`` calls did
        is not told again; nothing is said if there is nothing else. Raises ModelUnavailable."""
        resumed, said_at = replace(turn, resumed=True), said_at.astimezone(caller.zone)
        return await self._answered_by(self.llm, resumed, caller, words, said_at=said_at, told=told)

    async def answer_without_model(self, turn: Turn, caller: Caller, words: str) -> list[Bubble]:
        """What is said to words whose reading is certain without one."""
        assert self.fallback is not None, "whoever knows what is certain reads it too"
        resumed = replace(turn, resumed=True)
        return await self._answered_by(self.fallback, resumed, caller, words, said_at=caller.now)

    async def _answered_by(
        self, llm: LlmPort, turn: Turn, caller: Caller, words: str, *, said_at: datetime, told: int = 0
    ) -> list[Bubble]:
        memory = self.memory_of(caller.person)
        if self.mirror:
            await self.mirror.refresh(caller.person, 0)  # begun now, it is over when the model has thought
        history, follows = remembered(await self._history(turn))
        prompt = self._prompt(turn, caller, words, history, said_at, follows=follows)
        found: list[Found] = []
        try:
            tools = await self._tools(turn, replace(caller, now=said_at), words, history, found)
            text = await llm.llm(prompt, tools)
        except (ClaimLost, StoreUnavailable, ModelUnavailable):
            raise  # the turn goes on later, or elsewhere
        except Exception:
            if not await memory.changes(turn.id):
                raise
            log.exception("turn %s broke off; what it changed is told", turn.id)
            text = ""
        changes = await memory.changes(turn.id)
        said = self.redactor.without_secrets(plain(text))
        known: list[str] = []
        if names_an_address([said, *texts_of(changes)]):
            known = await self._known(turn, caller, words, history, changes)
            known += await self._opened(turn, history)
        new = [change for change in changes if change.key.call > told]
        if told and not new:
            said = beyond_receipt(without_claims(said), await self.receipt(changes, caller, known))
            if not said:
                return []
        # In this order: what is taken out of a text can join what is then to be found in it.
        return await self._composed(turn, caller, only_known_links(said, known), new, known, found)

    async def done_so_far(self, turn: Turn, caller: Caller, words: str, *, told: int = 0) -> list[Bubble]:
        """What a turn changed, or asks about, before the model went away; nothing if it did not come to that. What the
        first ``told`` calls did is not told again."""
        changes = [each for each in await self.memory_of(caller.person).changes(turn.id) if each.key.call > told]
        known = await self._known(turn, caller, words, [], changes)
        return await self._composed(turn, caller, "", changes, known) if changes else []

    async def done_by(self, turn: Turn, caller: Caller) -> list[Bubble]:
        """What a turn that was given up changed before."""
        told = await self.receipt(await self.memory_of(caller.person).changes(turn.id), caller)
        return [Bubble(told, (undo_button(turn, phrases_of(caller.language)),))] if told else []

    async def noted(self, turn: Turn, caller: Caller, changes: Sequence[Change]) -> Bubble:
        """The receipt of what the program itself noted in a turn, with its way back; on a card where that brought
        pictures."""
        told, context = await self._told(changes, caller, None)
        undo = undo_button(turn, phrases_of(caller.language))
        if not _brings_pictures(turn, caller):
            return Bubble(told, (undo,))
        cards = Cards(self.memory_of(caller.person), self.mirror, caller)
        card = await cards.of_changes(changes, context, undo, "", framed=True)
        known = own_texts(change.record for change in _of_speaker(changes, caller))
        shown = card and card.reworded(lambda text: only_known_links(legible(text), known))
        return Bubble(told, (undo,), card=shown)

    async def receipt(self, changes: Sequence[Change], caller: Caller, known: Sequence[str] | None = None) -> str:
        """What really became of these changes, with how the mirror stands; "" if nothing was done. Of the addresses in
        them only those that stand in ``known`` are live; None where no model was asked: then all that are not in words
        of others."""
        return (await self._told(changes, caller, known))[0]

    async def _told(
        self, changes: Sequence[Change], caller: Caller, known: Sequence[str] | None
    ) -> tuple[str, ReceiptContext]:
        """The receipt, and what it was made with."""
        done = [change for change in changes if change.state == "done"]
        if not done:
            return "", ReceiptContext(language=caller.language, now=caller.now, pushes=self.pushes())
        memory = self.memory_of(caller.person)
        context = ReceiptContext(
            language=caller.language,
            now=caller.now,
            pushes=self.pushes(),
            spending=await spending(memory, [change.record for change in done], caller.now),
            remaining_today=await left_today(memory, done, caller.now),
            neighbours=await neighbours(memory, done, caller.now, caller.zone),
            mirror=await self._mirrored(caller),
            names=caller.household.names if caller.household else {},
            hours=caller.hours,
        )
        if known is None:
            theirs = _of_speaker(done, caller)
            known = own_texts(record for change in theirs for record in (change.before, change.after))
        ours = [context.mirror.link] if context.mirror and context.mirror.link else []
        return only_known_links(legible(receipt(done, context)), [*known, *ours]), context

    async def _mirrored(self, caller: Caller) -> MirrorState | None:
        return await self.mirror.push(caller.person, MIRROR_SECONDS) if self.mirror else None

    async def _history(self, turn: Turn) -> list[Message]:
        """Earlier exchanges of the chat. Where several people talk there are none: the words of one would pass for
        another's."""
        alone = all(message.chat_kind == "user" for message in turn.messages)
        return await self.transcript.history(turn.chat, turn.id, EXCHANGES) if alone else []

    async def _known(
        self, turn: Turn, caller: Caller, words: str, history: Sequence[Message], changes: Sequence[Change]
    ) -> list[str]:
        """The texts whose addresses are live. In a group the list is everybody's: what a tool shows of it may be
        another's."""
        shown = await self.transcript.of_turn(turn.id) if caller.household is None else []
        return own_words(words, history, shown, _of_speaker(changes, caller))

    async def _opened(self, turn: Turn, history: Sequence[Message]) -> list[str]:
        """The links found in collections, which the operator has opened for whoever may ask: live in a group too."""
        tools = {each.tool for each in self.collections}
        return opened_links([*history, *await self.transcript.of_turn(turn.id)], tools) if tools else []

    async def _tools(
        self, turn: Turn, caller: Caller, words: str, history: Sequence[Message], found: list[Found]
    ) -> list[ToolDefinition]:
        """What may be used in this turn; what shows attachments only by who has some."""
        memory = self.memory_of(caller.person)

        async def own() -> list[str]:
            return await self._known(turn, caller, words, history, await memory.changes(turn.id))

        def seen(query: RecordQuery, answer: Answer) -> None:
            found.append(Found(query, answer))

        attachments = self.attachments_of(caller.person) if self.attachments_of else None
        has_some = attachments is not None and bool(await attachments.held(limit=1))
        groups = await self.groups_of(caller.person) if self.groups_of and caller.household is None else []
        shared = [SharedList(each.household, self.memory_of(each.household.id)) for each in groups]
        held = attachments if has_some else None
        categories, learn = await self.categories(caller, words)
        tools = toolbox(caller, memory, held, shared, seen, self.collections, categories, learn)
        said = await self.meanings_of(caller.person) if self.meanings_of else {}
        meanings = {name: self.redactor.without_secrets(words) for name, words in said.items()}
        return watching(described(tools, meanings), own)

    async def categories(self, caller: Caller, words: str = "") -> tuple[Categories, Learn]:
        """The list of whom this is about, in a turn with these words, and how it learns."""
        return await list_of(caller, words, self.categories_of)

    def _prompt(
        self, turn: Turn, caller: Caller, words: str, history: Sequence[Message], said_at: datetime, *, follows: bool
    ) -> Prompt:
        """``follows``: words of others stand right before this. What was heard in a voice message is the person's wish,
        but nobody can be sure of each word. Where a turn goes on in another one, what is heard with
        that is no part of it."""
        is_its_own = any(each.id == turn.id for each in turn.messages)
        foreign = foreign_in(turn.messages, caller.speaker) if is_its_own else ()
        spoken = turn.id.startswith(HEARD) or heard_in(turn.messages)
        doubtful = follows or spoken or bool(foreign)
        stamp = Stamp(said_at, caller.zone, caller.language, caller.currency, untrusted=doubtful)
        return Prompt(
            turn=turn.id,
            chat=turn.chat,
            person=caller.speaker,
            day=caller.now.date(),
            system=SYSTEM,
            history=tuple(history),
            user={"role": "user", "content": stamped(stamp, words, foreign)},
            untrusted=stamp.untrusted,
            resumed=turn.resumed,
        )

    async def _composed(
        self,
        turn: Turn,
        caller: Caller,
        said: str,
        changes: Sequence[Change],
        known: Sequence[str],
        found: Sequence[Found] = (),
    ) -> list[Bubble]:
        """The receipt first, then what the model adds, then what waits for a tap; as a card where that shows it
        better."""
        phrases = phrases_of(caller.language)
        told, context = await self._told(changes, caller, known)
        question = self._question(turn, caller, changes, known)
        asked, choices = doubts.question(turn.id, changes, caller)
        if told:
            added = beyond_receipt(without_claims(said), told)  # what is true of a claim stands in the receipt
        elif question:
            added = beyond_receipt(without_claims(said), question[0].text)
        else:
            added = _honest(said, phrases)
        bubbles = []
        added = "\n".join(filter(None, [only_known_links(legible(asked), known), added]))
        if body := "\n".join(filter(None, [told, added])) or ("" if question else phrases.no_answer):
            cards, undo = Cards(self.memory_of(caller.person), self.mirror, caller), undo_button(turn, phrases)
            if told:
                card = await cards.of_changes(changes, context, undo, added, framed=_brings_pictures(turn, caller))
            else:
                card = None if changes else await cards.of_found(found, added)
            scope = scope_buttons(turn.id, changes, caller.language)
            steps = cards.next_steps(changes, found, added)
            buttons = (*choices, *([undo] if told else []), *scope, *steps)
            ours = [context.mirror.link] if context.mirror and context.mirror.link else []
            shown = card and card.reworded(lambda text: only_known_links(legible(text), [*known, *ours]))
            bubbles.append(Bubble(body, buttons, card=shown))
        return [*bubbles, *question]

    def _question(self, turn: Turn, caller: Caller, changes: Sequence[Change], known: Sequence[str]) -> list[Bubble]:
        """Changes that wait: told from the store, confirmed by a tap on what code built."""
        waiting = [change for change in changes if change.state == "proposed"]
        if not waiting:
            return []
        context = ReceiptContext(language=caller.language, now=caller.now, pushes=self.pushes())
        asked = question_about(waiting, context)
        yes, no = Button(asked.yes, Tap.CONFIRM.on(turn.id)), Button(asked.no, Tap.KEEP.on(turn.id))
        buttons = (no, yes) if asked.no_first else (yes, no)
        return [Bubble(only_known_links(legible(asked.text), known), buttons)]


def _brings_pictures(turn: Turn, caller: Caller) -> bool:
    return any(each.kind == "image" and is_callers(each, caller.speaker) for each in turn.messages)


def _of_speaker(changes: Sequence[Change], caller: Caller) -> list[Change]:
    """In a group, those of records that the speaker wrote."""
    return [each for each in changes if caller.household is None or each.record.author == caller.author]


def _honest(text: str, phrases: Phrases) -> str:
    """Nothing was changed in this turn: a claim that something was is taken out, and the truth said instead."""
    kept = without_claims(text)
    return text if kept == text else "\n".join(filter(None, [kept, phrases.nothing_saved]))


def undo_button(turn: Turn, phrases: Phrases) -> Button:
    """What takes back all that this turn did."""
    return Button(phrases.undo, Tap.UNDO.on(turn.id))
