"""What was said in words becomes an answer: the model's text, and the receipts of what was really changed.

The model proposes; what a person is told about their records comes from the store. Must not know which engine answers,
how a record is kept, or how an answer travels.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from decimal import Decimal

from bot.budget import within_budget
from bot.links import names_an_address, only_known_links, own_words, texts_of
from bot.model_ports import LlmPort, Message, ModelUnavailable, Prompt, TranscriptPort
from bot.plain_text import plain
from bot.ports import Bubble, Button, ClaimLost, Tap, Turn
from bot.prompt import SYSTEM, Stamp, stamped
from bot.redaction import Redactor
from bot.voice.claims import beyond_receipt, without_claims
from bot.voice.phrases import Phrases, command_of, phrases_of
from bot.voice.receipts import ReceiptContext, SpendingSoFar, receipt, titles
from tools.definition import Caller
from tools.record import (
    MONEY_TYPES,
    OPEN,
    CallKey,
    Change,
    MemoryPort,
    MirrorPort,
    MirrorState,
    NothingToUndo,
    PersonId,
    Record,
    RecordQuery,
    Span,
    StoreUnavailable,
)
from tools.toolbox import toolbox

log = logging.getLogger(__name__)

EXCHANGES = 20
"""Earlier exchanges a model is shown at most: what must be kept is in the records."""

MIRROR_SECONDS = 4.0
"""A mirror's share of the time to answer: a page takes a third of a second when the place is well."""


@dataclass(frozen=True, slots=True)
class Secretary:
    """Answers what is said. ``fallback`` answers when the model cannot be reached; ``pushes`` says whether reminders
    are spoken unasked."""

    llm: LlmPort
    fallback: LlmPort | None
    transcript: TranscriptPort
    memory_of: Callable[[PersonId], MemoryPort]
    mirror: MirrorPort | None
    redactor: Redactor
    context_tokens: int
    pushes: bool

    async def answer(self, turn: Turn, caller: Caller, words: str) -> list[Bubble]:
        """What is said to ``words``: by code where they are a command, else by the model and its tools."""
        phrases = phrases_of(caller.language)
        match command_of(words):
            case "help":
                return [Bubble(phrases.help)]
            case "undo":
                return await self.undo_last(turn, caller)
        memory = self.memory_of(caller.person)
        history = await self.transcript.history(turn.chat, turn.id, EXCHANGES)
        try:
            text = await self._thought(turn, caller, words, history)
        except (ClaimLost, StoreUnavailable):
            raise  # the turn goes on later, or elsewhere
        except Exception:
            if not await memory.changes(turn.id):
                raise
            log.exception("turn %s broke off; what it changed is told", turn.id)
            text = ""
        changes = await memory.changes(turn.id)
        if text is None and not changes:
            return [Bubble(phrases.model_down)]
        said = self.redactor.without_secrets(plain(text or ""))
        known: list[str] = []
        if names_an_address([said, *texts_of(changes)]):
            known = own_words(words, history, await self.transcript.of_turn(turn.id), changes)
        # In this order: what is taken out of a text can join what is then to be found in it.
        return await self._composed(turn, caller, only_known_links(said, known), changes, known)

    async def done_by(self, turn: Turn, caller: Caller) -> list[Bubble]:
        """What a turn that was given up changed before."""
        told = await self.receipt(await self.memory_of(caller.person).changes(turn.id), caller)
        return [Bubble(told, _undo_button(turn, phrases_of(caller.language)))] if told else []

    async def undo_last(self, turn: Turn, caller: Caller) -> list[Bubble]:
        """Take back the last change, whichever turn made it."""
        try:
            undone = await self.memory_of(caller.person).undo(CallKey(turn.id, 1))
        except NothingToUndo:
            return [Bubble(phrases_of(caller.language).nothing_to_undo)]
        return [Bubble(await self.receipt([undone], caller))]

    async def receipt(self, changes: Sequence[Change], caller: Caller, known: Sequence[str] | None = None) -> str:
        """What really became of these changes, with how the mirror stands; "" if nothing was done. Of what a model
        wrote into them, only addresses that stand in ``known`` are live; None where no model was asked."""
        done = [change for change in changes if change.state == "done"]
        if not done:
            return ""
        memory = self.memory_of(caller.person)
        context = ReceiptContext(
            language=caller.language,
            now=caller.now,
            pushes=self.pushes,
            spending=await _spending(memory, [change.record for change in done], caller.now),
            remaining_today=await _left_today(memory, done, caller.now),
            mirror=await self._mirrored(caller),
        )
        told = receipt(done, context)
        if known is None:
            return told
        ours = [context.mirror.link] if context.mirror and context.mirror.link else []
        return only_known_links(told, [*known, *ours])

    async def _mirrored(self, caller: Caller) -> MirrorState | None:
        return await self.mirror.push(caller.person, MIRROR_SECONDS) if self.mirror else None

    async def _thought(self, turn: Turn, caller: Caller, words: str, history: Sequence[Message]) -> str | None:
        """The model's text, the fallback's if it understood, or None if there is none."""
        stamp = Stamp(caller.now, caller.zone, caller.language, caller.currency)
        prompt = Prompt(
            turn=turn.id,
            chat=turn.chat,
            person=caller.person,
            day=caller.now.date(),
            system=SYSTEM,
            history=within_budget(history, self.context_tokens),
            user={"role": "user", "content": stamped(stamp, words)},
            resumed=turn.resumed,
        )
        tools = toolbox(caller, self.memory_of(caller.person))
        try:
            return await self.llm.llm(prompt, tools)
        except ModelUnavailable as down:
            log.warning("the model cannot be reached: %s", down.reason)
        if self.fallback is None:
            return None
        text = await self.fallback.llm(replace(prompt, resumed=True), tools)
        return text if await self._used_a_tool(turn) else None

    async def _used_a_tool(self, turn: Turn) -> bool:
        return any(message["role"] == "tool" for message in await self.transcript.of_turn(turn.id))

    async def _composed(
        self, turn: Turn, caller: Caller, said: str, changes: Sequence[Change], known: Sequence[str]
    ) -> list[Bubble]:
        """The receipt first, then what the model adds, then what waits for a tap."""
        phrases = phrases_of(caller.language)
        told = await self.receipt(changes, caller, known)
        question = self._question(turn, caller, changes, phrases)
        if told:
            added = beyond_receipt(without_claims(said), told)  # what is true of a claim stands in the receipt
        elif question:
            added = beyond_receipt(without_claims(said), question[0].text)
        else:
            added = _honest(said, phrases)
        bubbles = []
        if body := "\n".join(filter(None, [told, added])) or ("" if question else phrases.no_answer):
            bubbles.append(Bubble(body, _undo_button(turn, phrases) if told else ()))
        return [*bubbles, *question]

    def _question(self, turn: Turn, caller: Caller, changes: Sequence[Change], phrases: Phrases) -> list[Bubble]:
        """Deletions that wait: named from the store, confirmed by a tap on what code built."""
        waiting = [change.record for change in changes if change.state == "proposed"]
        if not waiting:
            return []
        named = titles(waiting, ReceiptContext(language=caller.language, now=caller.now))
        buttons = (
            Button(phrases.delete, Tap.CONFIRM.on(turn.id)),
            Button(phrases.keep, Tap.KEEP.on(turn.id)),
        )
        return [Bubble(phrases.confirm_delete(named, len(waiting)), buttons)]


def _honest(text: str, phrases: Phrases) -> str:
    """Nothing was changed in this turn: a claim that something was is taken out, and the truth said instead."""
    kept = without_claims(text)
    return text if kept == text else "\n".join(filter(None, [kept, phrases.nothing_saved]))


def _undo_button(turn: Turn, phrases: Phrases) -> tuple[Button, ...]:
    return (Button(phrases.undo, Tap.UNDO.on(turn.id)),)


async def _spending(memory: MemoryPort, records: Sequence[Record], now: datetime) -> list[SpendingSoFar]:
    """Today's and the month's totals for each currency and category among these records."""
    kinds = {
        (record.currency, record.category, record.type)
        for record in records
        if record.type in MONEY_TYPES and record.currency
    }
    today = _midnight(now)
    first = today.replace(day=1)
    day, month = (
        Span(today, today + timedelta(days=1)),
        Span(first, _midnight(first + timedelta(days=32)).replace(day=1)),
    )
    found = []
    for currency, category, kind in kinds:
        per_day = RecordQuery(type=kind, span=day, total="amount", limit=0)
        per_month = RecordQuery(type=kind, span=month, category=category, total="amount", limit=0)
        found.append(
            SpendingSoFar(
                today=await _sum(memory, per_day, currency),
                month=await _sum(memory, per_month, currency),
                category=category,
                currency=str(currency),
                earned=kind == "income",
            )
        )
    return found


async def _sum(memory: MemoryPort, query: RecordQuery, currency: str | None) -> Decimal:
    figures = (await memory.query(query)).figures
    return next((figure.value for figure in figures if figure.currency == currency), Decimal(0))


async def _left_today(memory: MemoryPort, changes: Sequence[Change], now: datetime) -> int | None:
    """How many tasks and events of today are still open; asked only after something was finished."""
    if not any(change.kind == "update" and change.record.status == "done" for change in changes):
        return None
    today = _midnight(now)
    query = RecordQuery(
        types=frozenset({"task", "event"}),
        span=Span(today, today + timedelta(days=1)),
        total="count",
        group_by="status",
        limit=0,
    )
    return sum(figure.count for figure in (await memory.query(query)).figures if figure.group in OPEN)


def _midnight(now: datetime) -> datetime:
    """The start of the day on the person's own clock."""
    return datetime.combine(now.date(), time.min, now.tzinfo)
