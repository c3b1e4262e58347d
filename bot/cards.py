"""Which answers are shown as a card, and the buttons for what a person is likely to want next.

A card is made of what the store holds: of the changes that were done, or of what was found for the questions of this
turn. A model's words decide only which of the records found they are about. Must not know which model spoke, how a card
is drawn, or how an answer travels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from bot.card import Card
from bot.ports import Button, Tap, TurnId
from bot.voice.card_words import card_words
from bot.voice.cards import (
    LEAST_ROWS,
    Parts,
    Scene,
    found_card,
    picture_card,
    picture_text,
    rings_card,
    saved_card,
    total_card,
)
from bot.voice.claims import beyond
from bot.voice.next_times import moved_alone, scope_labels
from bot.voice.receipts import ReceiptContext, created_alone, side_notes, total_text
from tools.definition import Caller
from tools.record import (
    MONEY_TYPES,
    OPEN,
    TO_DO,
    Answer,
    Change,
    Figure,
    Group,
    Language,
    MemoryPort,
    MirrorPort,
    Record,
    RecordQuery,
    Ring,
)

TOP: Final = 5
"""Records that stand for a total which has no other parts."""

_LEAST_NAME: Final = 2
"""Characters of a record's words by which it is found in a text."""


@dataclass(frozen=True, slots=True)
class Found:
    """A question to the store in this turn, and its answer."""

    query: RecordQuery
    answer: Answer


@dataclass(frozen=True, slots=True)
class Cards:
    """Makes cards for one person in one turn."""

    memory: MemoryPort
    mirror: MirrorPort | None
    caller: Caller

    async def of_changes(
        self, changes: Sequence[Change], context: ReceiptContext, undo: Button, added: str, *, framed: bool = False
    ) -> Card | None:
        """Of three new records or more, and nothing else that was done; ``added`` is said beside it. Of fewer only
        where it is ``framed``: pictures are still to be hung on it."""
        records = created_alone(changes)
        if len(records) < (1 if framed else LEAST_ROWS):
            return None
        scene = await self._scene(records)
        total, notes = total_text(records, context), side_notes(records, context)
        if len(records) == 1:
            return replace(picture_card(records[0], scene, saved=True, notes=notes, buttons=(undo,)), beside=added)
        link = context.mirror.link if context.mirror else None
        foot = (undo, Button(scene.words.all_pages, link, "link")) if link else (undo,)
        return replace(saved_card(records, scene, total=total, notes=notes, buttons=foot), beside=added)

    async def of_picture(self, record: Record) -> tuple[Card, str]:
        """Of a record whose picture is shown again, and all of it in words."""
        scene = await self._scene([record])
        return picture_card(record, scene), picture_text(record, scene)

    async def of_rings(self, rings: Sequence[Ring], title: str) -> Card | None:
        """Of three reminders or more that ring at once."""
        if len(rings) < LEAST_ROWS:
            return None
        return rings_card(rings, title, await self._scene([ring.record for ring in rings]))

    async def of_list(self, answer: Answer, *, title: str, beside: str) -> Card | None:
        """Of a list that code tells, in its order; ``beside`` is what it says besides."""
        if len(answer.records) < LEAST_ROWS:
            return None
        scene = await self._scene(answer.records)
        return replace(found_card(answer.records, answer.matched, scene, title=title), beside=beside)

    async def of_found(self, found: Sequence[Found], said: str) -> Card | None:
        """Of what was found for an answer that is about it; what of the answer the card does not show stands beside.
        None where the words would only be said twice."""
        if not found:
            return None
        card = await self._of_total(found[-1], said)
        if card is not None:
            return replace(card, beside=self._beside(said, card, found[-1].answer.records))
        records = named_in(said, found)
        if len(records) < LEAST_ROWS:
            return None
        matched = _matched(found, records)
        card = found_card(records, matched, await self._scene(records))
        beside = self._beside(said, card)
        return None if len(named_in(beside, found)) >= LEAST_ROWS else replace(card, beside=beside)

    def _beside(self, said: str, card: Card, known: Sequence[Record] = ()) -> str:
        """The sentences that say what the card does not show; the numbers of what is ``known`` add nothing to it."""
        refs = " ".join(f"#{record.ref}" for record in known)
        return beyond(said, "\n".join(card.words), f"{card_words(self.caller.language).meant} {refs}")

    # ── totals

    async def _of_total(self, found: Found, said: str) -> Card | None:
        query, figures = found.query, found.answer.figures
        currencies = {figure.currency for figure in figures}
        if len(currencies) != 1 or not any(_says(said, figure.value) for figure in (*figures, *_sum_of(figures))):
            return None
        parts = await self._parts(found)
        if len(parts.figures or parts.records) < (LEAST_ROWS if parts.records else 2):
            return None
        adds_up = query.group_by != "tag" and (query.type is not None or query.total != "amount")
        value = sum((figure.value for figure in figures), Decimal(0)) if adds_up and query.total != "count" else None
        count = sum(figure.count for figure in figures) if query.group_by != "tag" else found.answer.matched
        return total_card(query, value, count, currencies.pop(), parts, await self._scene(parts.records))

    async def _parts(self, found: Found) -> Parts:
        """As they were asked for; else by category, of a balance by what came and went, of the rest the largest."""
        query = found.query
        if query.group_by is not None:
            return Parts(found.answer.figures, query.group_by)
        if query.total == "count":
            return Parts()
        group: Group = "type" if query.total == "net" else "category"
        is_narrow = query.category or query.keyword or query.tags
        if query.total == "net" or not is_narrow:
            again = await self.memory.query(replace(query, total="amount", group_by=group, limit=0))
            if len(again.figures) > 1:
                return Parts(again.figures, group)
        largest = await self.memory.query(replace(query, total=None, sort="-amount", limit=TOP))
        return Parts(records=[each for each in largest.records if each.amount is not None])

    async def _scene(self, records: Sequence[Record]) -> Scene:
        pages = await self.mirror.pages([record.id for record in records]) if self.mirror and records else {}
        return Scene(language=self.caller.language, now=self.caller.now, pages=pages)

    # ── what comes next

    def next_steps(self, changes: Sequence[Change], found: Sequence[Found], said: str) -> tuple[Button, ...]:
        """After a new record its time, after a list what is done of it and the next day, after a total the month
        before."""
        scene = Scene(language=self.caller.language, now=self.caller.now, pages={})
        if changes:
            return _time_for(created_alone(changes), scene)
        if not found:
            return ()
        if found[-1].answer.figures:
            return _month_before(found[-1].query, scene)
        return (*_done_first(named_in(said, found), scene), *_other_day(found[-1].query, scene))


# ── what an answer is about ───────────────────────────────────────────────────────────────────────────────────────


def named_in(said: str, found: Sequence[Found]) -> list[Record]:
    """The records found that the text names, by number or by their words, in the order in which it does."""
    line = " ".join(said.split())
    records = {record.id: record for each in found for record in each.answer.records}
    places = {key: _place(record, line) for key, record in records.items()}
    return [records[key] for key in sorted(records, key=lambda key: places[key]) if places[key] >= 0]


def _place(record: Record, line: str) -> int:
    numbered = re.search(rf"#{record.ref}(?!\d)", line)
    if numbered:
        return numbered.start()
    words = " ".join(record.content.split())
    return line.find(words) if len(words) >= _LEAST_NAME else -1


def _matched(found: Sequence[Found], shown: Sequence[Record]) -> int:
    """How many there are, where the answer is about everything that was found; else how many it is about."""
    asked = {record.id for each in found for record in each.answer.records}
    whole = asked == {record.id for record in shown} and len({each.query for each in found}) == len(found)
    apart = sum(each.answer.matched for each in found)
    return (
        max(apart, len(shown))
        if whole and sum(len(each.answer.records) for each in found) == len(asked)
        else len(shown)
    )


def _says(said: str, value: Decimal) -> bool:
    digits = f"{value.normalize():f}"
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", said)
    return bool(re.search(rf"(?<![\d.]){re.escape(digits)}(?:\.0+)?(?!\d)", plain))


def _sum_of(figures: Sequence[Figure]) -> list[Figure]:
    return [Figure(sum((figure.value for figure in figures), Decimal(0)), 0)] if figures else []


# ── what comes next ───────────────────────────────────────────────────────────────────────────────────────────────


def scope_buttons(turn: TurnId, changes: Sequence[Change], language: Language) -> tuple[Button, ...]:
    """Of what comes again this time alone was moved or left out: perhaps all that follow are meant."""
    if not any(map(moved_alone, changes)):
        return ()
    only_this, all_following = scope_labels(language)
    return Button(all_following, Tap.FOLLOWING.on(turn)), Button(only_this, Tap.ONLY.on(turn))


def _time_for(records: Sequence[Record], scene: Scene) -> tuple[Button, ...]:
    """For one new record that could have a time of day and has none."""
    if len(records) != 1 or records[0].type not in TO_DO or isinstance(records[0].when, datetime):
        return ()
    record, now = records[0], scene.now
    day = record.when or now.date()
    hour = (now + timedelta(hours=1)).hour if day == now.date() and now.hour < 23 else 9  # noqa: PLR2004 - not past midnight
    label = scene.words.set_time if record.when is None else scene.words.move_time
    return (Button(label, Tap.WHEN.on(record.ref), "picker", f"{day.isoformat()}T{hour:02d}:00"),)


def _done_first(records: Sequence[Record], scene: Scene) -> tuple[Button, ...]:
    open_yet = [record for record in records if record.type in TO_DO and record.status in OPEN]
    return tuple(Button(scene.words.done(f"#{each.ref}"), Tap.DONE.on(each.ref)) for each in open_yet[:1])


def _other_day(query: RecordQuery, scene: Scene) -> tuple[Button, ...]:
    """After today tomorrow, after another day today."""
    if query.span is None or query.type not in {None, *TO_DO} or query.span.end - query.span.start > timedelta(days=2):
        return ()
    is_today = query.span.start.astimezone(scene.now.tzinfo).date() == scene.now.date()
    label, says = scene.words.tomorrow if is_today else scene.words.today
    return (Button(label, Tap.SAY.on(says)),)


def _month_before(query: RecordQuery, scene: Scene) -> tuple[Button, ...]:
    """After this month's spending."""
    if query.type != "expense" or query.keyword or query.tags or query.span is None:
        return ()
    start = query.span.start.astimezone(scene.now.tzinfo).date()
    if start != scene.now.date().replace(day=1) or query.type not in MONEY_TYPES:
        return ()
    label, says = scene.words.last_month
    if query.category:
        label, says = scene.words.last_month_of[0], scene.words.last_month_of[1](query.category)
    return (Button(label, Tap.SAY.on(says)),)
