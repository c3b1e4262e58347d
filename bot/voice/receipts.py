"""What was really changed, said by the program itself, from the stored records.

Pure. A receipt is the only word on what was saved: it is made of changes that are done, never of what a model says.
Must not know which tool or turn made a change, or how the text is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Final

from bot.voice.household_words import household_words
from bot.voice.neighbours import Neighbours, neighbour_lines
from bot.voice.next_times import comes_again, ring_notes, rule_moved, went_on, went_on_text
from bot.voice.phrases import phrases_of
from bot.voice.receipt_words import ReceiptWords, receipt_words
from bot.voice.record_text import (
    ROOM_IN_LIST,
    at,
    bare_money,
    enumeration,
    money,
    refs_text,
    ring_text,
    row_of,
    short,
    title,
    when_text,
)
from bot.voice.revisions import revision_text
from tools.moments import Hours
from tools.record import MONEY_TYPES, TO_DO, Change, Language, MirrorState, PersonId, Record

MOST_LISTED: Final = 10
"""Records named one by one in one receipt; the rest is an ellipsis."""


@dataclass(frozen=True, slots=True)
class SpendingSoFar:
    """Running totals after this turn, in one currency. ``today`` counts every category, ``month`` this one alone
    (every one if it is None). ``earned`` says that both are income. ``today`` is None where not all of it is
    today's."""

    today: Decimal | None
    month: Decimal
    category: str | None
    currency: str
    earned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptContext:
    """What a receipt needs besides the changes.

    ``now`` is aware, in the person's zone. ``pushes``: reminders are spoken unasked. ``spending`` holds the totals for
    the currencies and categories of this turn's money records. ``remaining_today`` counts what is still open today.
    ``neighbours``: what lies across these records, or is equal. ``mirror`` is how the place outside stands after this
    turn; None if there is none. ``names`` are those of the people who share the list, ``hours``
    the person's own.
    """

    language: Language
    now: datetime
    pushes: bool = True
    spending: Sequence[SpendingSoFar] = ()
    remaining_today: int | None = None
    neighbours: Sequence[Neighbours] = ()
    mirror: MirrorState | None = None
    names: Mapping[PersonId, str] = field(default_factory=dict)
    hours: Hours = field(default_factory=Hours)

    @property
    def words(self) -> ReceiptWords:
        return receipt_words(self.language)


def receipt(changes: Sequence[Change], context: ReceiptContext) -> str:
    """Everything that was done, in the order: new, done, edited, deleted, taken back. Changes that only wait for a
    confirmation are not in it; "" if nothing was done."""
    told = _last_word({change.id: change for change in changes if change.state == "done"}.values())
    done = [change for change in told if _only_completes(change)]
    goes_on = [change for change in told if went_on(change)]
    finished = {change.id for change in (*done, *goes_on)}
    edits = [change for change in told if change.kind == "update" and change.id not in finished]
    lines = [
        _created([change.record for change in told if change.kind == "create"], context),
        _completed([change.record for change in done], context),
        *(went_on_text(change, context.now, context.language) for change in goes_on),
        _edited(edits, context),
        _deleted([change.record for change in told if change.kind == "delete"], context),
        *_undone([change for change in told if change.kind == "undo"], context),
    ]
    if not any(lines):
        return ""
    return "\n".join(filter(None, [*lines, *_neighbours(told, context), _mirrored(context)]))


def _neighbours(told: Sequence[Change | Record], context: ReceiptContext) -> list[str]:
    return neighbour_lines(context.neighbours, context.now, context.language, alone=len(told) == 1)


def created_alone(changes: Sequence[Change]) -> list[Record]:
    """The new records, if nothing else was done; in the order of their calls."""
    told = _last_word({change.id: change for change in changes if change.state == "done"}.values())
    return [change.record for change in told] if all(change.kind == "create" for change in told) else []


def total_text(records: Sequence[Record], context: ReceiptContext) -> str:
    """What the amounts of new records come to; "" if there are not several."""
    return _sum([each for each in records if each.type in MONEY_TYPES and each.amount is not None], context)


def side_notes(records: Sequence[Record], context: ReceiptContext) -> list[str]:
    """What a receipt of new records says besides them: the running totals, and if the mirror comes later. A link that
    is told once is no note: it is opened by a button."""
    late = _mirrored(context) if context.mirror and not context.mirror.link else ""
    return [note for note in (_tally(records, context), *_neighbours(records, context), late) if note]


def titles(records: Iterable[Record], context: ReceiptContext, most: int = MOST_LISTED) -> str:
    """The records by name: ``買牛奶 #15、午餐 120 元 #13``; at most so many."""
    named = [title(row_of(record), context.language, ROOM_IN_LIST) for record in records]
    return enumeration(named, context.words.comma, most)


def _last_word(changes: Iterable[Change]) -> list[Change]:
    """Several changes of one record in a turn read as one, from its first state to its last."""
    told: dict[str, Change] = {}
    for change in changes:
        earlier = told.get(change.record.id)
        if earlier and earlier.kind in {"create", "update"} and change.kind == "update":
            merged = replace(earlier, after=change.after)
            told[change.record.id] = merged
        else:
            told[change.record.id if not earlier else change.id] = change
    return list(told.values())


def _only_completes(change: Change) -> bool:
    before, after = change.before, change.after
    if change.kind != "update" or before is None or after is None or after.status != "done":
        return False
    return before.status != "done" and _same_but_status(before, after)


def _same_but_status(before: Record, after: Record) -> bool:
    moved = replace(after, status=before.status, rev=before.rev, updated_at=before.updated_at)
    return moved == before


def _created(records: Sequence[Record], context: ReceiptContext) -> str:
    if not records:
        return ""
    if len(records) == 1:
        return _one_created(records[0], context)
    return _many_created(records, context)


def _one_created(record: Record, context: ReceiptContext) -> str:
    words = context.words
    again = comes_again(record, context.now, context.language)
    reminder = context.words.glue.join(filter(None, [again, _reminder(record, context)]))
    if record.type not in MONEY_TYPES:
        return words.glue.join(filter(None, [words.created[record.type](whole(record, context)), reminder]))
    tally = _tally([record], context)
    line = words.created[record.type](whole(record, context))
    return words.gap.join(filter(None, [line, tally or reminder])) + (f"\n{reminder}" if tally and reminder else "")


def whole(record: Record, context: ReceiptContext) -> str:
    """Everything about a new record: time, words, amount, category, tags, number."""
    words, language = context.words, context.language
    amount = "" if record.amount is None else f" {money(record.amount, record.currency, language)}"
    category = words.dot + short(record.category, ROOM_IN_LIST) if record.category else ""
    tags = words.tags(enumeration(record.tags, words.comma, MOST_LISTED)) if record.tags else ""
    payer = _payer(record, context)
    paid = words.dot + payer if payer else ""
    what = f"{short(record.content)}{amount}{category}{paid}{tags} #{record.ref}"
    return at(when_text(record, context.now, language), what)


def reminder_moved(change: Change, context: ReceiptContext) -> str:
    """When it is reminded of from now on, "" if that stays as it was."""
    if change.before is None or change.before.remind_at == change.record.remind_at:
        return ""
    return _reminder(change.record, context) or context.words.reminds_no_more


def payer_moved(change: Change, context: ReceiptContext) -> str:
    """Who paid from now on, "" if that stays as it was."""
    if change.before is None or change.before.payer == change.record.payer:
        return ""
    return _payer(change.record, context)


def _payer(record: Record, context: ReceiptContext) -> str:
    """Who paid, where that is not who wrote it."""
    if record.payer is None:
        return ""
    words = household_words(context.language)
    return words.paid_by(short(context.names.get(record.payer) or words.nameless, ROOM_IN_LIST))


def _reminder(record: Record, context: ReceiptContext) -> str:
    if record.remind_at is None:
        return ""
    moment = ring_text(record.remind_at, record.when, context.now, context.language)
    said = context.words.reminds(moment) if context.pushes else context.words.reminds_quietly(moment)
    return context.words.glue.join([said, *ring_notes(record.remind_at, context.now, context.hours, context.language)])


def _many_created(records: Sequence[Record], context: ReceiptContext) -> str:
    words = context.words
    spent = [record for record in records if record.type in MONEY_TYPES and record.amount is not None]
    bare = len({record.currency for record in spent}) == 1 and len(spent) == len(records)
    refs = refs_text([record.ref for record in records])
    together = "–" in refs
    items = enumeration(
        (_item(record, context, bare=bare, ref=not together) for record in records), words.comma, MOST_LISTED
    )
    what = f"{items} {refs}" if together else items
    count, total = len(records), _sum(spent, context)
    line = words.created_sum(count, total, what) if total else words.created_many(count, what)
    tally = _tally(records, context) if bare else ""
    return words.gap.join(filter(None, [line, tally]))


def _item(record: Record, context: ReceiptContext, *, bare: bool, ref: bool) -> str:
    words, language = context.words, context.language
    say = bare_money if bare else money
    amount = "" if record.amount is None else f" {say(record.amount, record.currency, language)}"
    mark = ""
    if record.remind_at is not None:
        mark = words.reminder_mark(ring_text(record.remind_at, record.when, context.now, language))
    payer = _payer(record, context)
    paid = words.dot + payer if payer else ""
    what = f"{short(record.content, ROOM_IN_LIST)}{amount}{paid}{mark}" + (f" #{record.ref}" if ref else "")
    return at(when_text(record, context.now, language), what)


def _sum(records: Sequence[Record], context: ReceiptContext) -> str:
    """What several amounts come to, per currency; spent and earned apart; "" for a single amount."""
    if len(records) < 2:  # noqa: PLR2004 - one amount is its own sum
        return ""
    spent = _sums((record for record in records if record.type == "expense"), context)
    earned = _sums((record for record in records if record.type == "income"), context)
    if spent and earned:
        return context.words.spent_and_earned(spent, earned)
    return context.words.sum_of(spent or earned)


def _sums(records: Iterable[Record], context: ReceiptContext) -> str:
    sums: dict[str | None, Decimal] = {}
    for record in records:
        sums[record.currency] = sums.get(record.currency, Decimal(0)) + (record.amount or Decimal(0))
    return " + ".join(money(value, currency, context.language) for currency, value in sums.items())


def _tally(records: Sequence[Record], context: ReceiptContext) -> str:
    """The running totals, if one pair of them fits all these records."""
    kinds = {(record.currency, record.category, record.type == "income") for record in records}
    by_kind: Mapping[tuple[str | None, str | None, bool], SpendingSoFar] = {
        (each.currency, each.category, each.earned): each for each in context.spending
    }
    found = by_kind.get(kinds.pop()) if len(kinds) == 1 else None
    if found is None:
        return ""
    words, category = context.words, short(found.category or "", ROOM_IN_LIST)
    if found.earned and category == words.types["income"]:
        category = ""  # the sentence has that word already
    say = bare_money if words.bare_totals else money
    month = say(found.month, found.currency, context.language)
    if found.earned:
        return words.income_month(category, month)
    today = "" if found.today is None else words.today(say(found.today, found.currency, context.language))
    return words.dot.join(filter(None, [today, words.month(category, month)]))


def _completed(records: Sequence[Record], context: ReceiptContext) -> str:
    if not records:
        return ""
    words = context.words
    names = enumeration((short(record.content, ROOM_IN_LIST) for record in records), words.comma, MOST_LISTED)
    line = words.done(short(records[0].content)) if len(records) == 1 else words.done_many(len(records), names)
    left = context.remaining_today
    if left is None or TO_DO.isdisjoint(record.type for record in records):
        return line
    return words.glue.join([line, words.left_today(left) if left else words.none_left_today])


def _edited(changes: Sequence[Change], context: ReceiptContext) -> str:
    if not changes:
        return ""
    words = context.words
    if len(changes) == 1:
        rule = rule_moved(changes[0], context.now, context.language)
        moved = [payer_moved(changes[0], context), rule, reminder_moved(changes[0], context)]
        return words.glue.join(filter(None, [words.edited(_revision(changes[0], context)), *moved]))
    lines = [f"・{_revision(change, context)}" for change in changes]
    return words.edited_many(len(changes), enumeration(lines, "\n", MOST_LISTED))


def _revision(change: Change, context: ReceiptContext) -> str:
    before = change.before or change.record
    return revision_text(before, change.record, context.now, context.language)


def _deleted(records: Sequence[Record], context: ReceiptContext) -> str:
    if not records:
        return ""
    what = titles(records, context)
    return context.words.deleted(what) if len(records) == 1 else context.words.deleted_many(len(records), what)


def _undone(changes: Sequence[Change], context: ReceiptContext) -> Iterator[str]:
    """What is gone again, what is there again, and what is as it was."""
    words = context.words
    gone = [change.record for change in changes if change.after is None]
    if gone:
        yield words.taken_back(titles(gone, context))
    back = [change.record for change in changes if _restored(change)]
    if back:
        yield words.restored(titles(back, context))
    for change in changes:
        if change.after is not None and not _restored(change):
            yield words.reverted(_revision(change, context))


def _restored(change: Change) -> bool:
    before, after = change.before, change.after
    return after is not None and (before is None or (before.deleted_at is not None and after.deleted_at is None))


def _mirrored(context: ReceiptContext) -> str:
    if context.mirror is None:
        return ""
    phrases = phrases_of(context.language)
    if context.mirror.link:
        return phrases.notion_first(context.mirror.link)
    return phrases.notion_late if context.mirror.waiting else ""
