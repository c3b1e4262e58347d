"""What stands on a card: records that were made or found, a total with its parts, reminders that ring at once.

Pure, and made of stored records alone, never of what a model says. Must not know which answer a card belongs to, or how
it is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final

from bot.card import Card, CardBar, CardRow
from bot.ports import Button, Tap
from bot.voice.card_words import CardWords, card_words
from bot.voice.dates import clock_text, day_of, day_text, moment_text, span_text
from bot.voice.phrases import phrases_of
from bot.voice.receipt_words import receipt_words
from bot.voice.record_text import at, enumeration, money, ring_text, when_text
from tools.record import MONEY_TYPES, OPEN, TO_DO, Figure, Group, Language, Record, RecordQuery, Ring, Span

LEAST_ROWS: Final = 3
"""Records that are shown as a card; fewer are said in words, which can be copied."""

MOST_ROWS: Final = 24
BARS: Final = 8
LONGEST: Final = 500
"""Characters of a record's words on a card: far more than are drawn, so that what is masked is seen whole."""

_LAST_SECOND: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Who looks at a card, and when: ``now`` is in the person's zone. ``pages`` are the addresses of records' pages by
    their id."""

    language: Language
    now: datetime
    pages: Mapping[str, str]

    @property
    def words(self) -> CardWords:
        return card_words(self.language)

    def day(self, day: date) -> str:
        """``今天 11/30（一）``; a day further away has its date alone."""
        away = (day - self.now.date()).days
        dated = day_text(day, self.now.date(), self.language)
        return f"{self.words.days[away + 1]} {dated}" if -1 <= away <= 1 else dated


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────────────


def saved_card(
    records: Sequence[Record], scene: Scene, *, total: str, notes: Sequence[str], buttons: tuple[Button, ...]
) -> Card:
    """New records: ``total`` is what they come to, ``notes`` what the receipt says besides."""
    return Card(
        title=scene.words.saved(len(records)),
        aside=total,
        rows=_rows(records, scene),
        notes=(*_left_out(len(records), scene), *notes),
        buttons=buttons,
    )


def picture_card(
    record: Record, scene: Scene, *, saved: bool = False, notes: Sequence[str] = (), buttons: tuple[Button, ...] = ()
) -> Card:
    """One record, to stand under the picture that it holds. ``saved``: it is new. The lines of a receipt are notes."""
    row, (first, *lines) = _row(record, scene), _lines(record)
    return Card(
        title=first,
        figure=row.amount,
        aside=" · ".join(filter(None, [scene.words.saved_one if saved else "", _dated(record, row, scene), row.about])),
        notes=tuple(filter(None, ["\n".join(lines)[:LONGEST], *notes])),
        buttons=(*buttons, *row.buttons),
    )


def picture_text(record: Record, scene: Scene) -> str:
    """What such a card says, in words."""
    row, (first, *lines) = _row(record, scene), _lines(record)
    number, _, about = row.about.partition(" · ")
    head = " ".join(filter(None, [at(_dated(record, row, scene), first), row.amount, number]))
    return "\n".join(filter(None, [head, *lines, about]))


def _lines(record: Record) -> list[str]:
    return [line[:LONGEST] for line in record.content.strip().splitlines() if line.strip()] or ["…"]


def _dated(record: Record, row: CardRow, scene: Scene) -> str:
    """When it is, also of money of today: a picture is looked for by its day."""
    is_money = record.type in MONEY_TYPES and record.when is not None
    return scene.day(day_of(record.when, scene.now)) if is_money and record.when else row.when


def found_card(records: Sequence[Record], matched: int, scene: Scene, *, title: str = "") -> Card:
    """Records that were asked for; ``matched`` counts all there are. What has no time stands under what has one. They
    are named by their day or their kind where they have no ``title``."""
    days = {record.when and day_of(record.when, scene.now) for record in records}
    only = next(iter(days - {None}), None) if len(days - {None}) == 1 else None
    kinds = {record.type for record in records}
    name = receipt_words(scene.language).types[records[0].type] if len(kinds) == 1 else ""
    count = scene.words.count(len(records))
    named = (scene.day(only) if only else "") or name
    return Card(
        title=title or named or count,
        aside=count if named and not title else "",
        rows=_rows(records, scene, clock_only=only is not None and not title),
        notes=_left_out(matched - min(len(records), MOST_ROWS) + MOST_ROWS, scene),
    )


def rings_card(rings: Sequence[Ring], title: str, scene: Scene) -> Card:
    """Reminders that ring together: each can be finished or put off."""
    phrases = phrases_of(scene.language)
    rows = []
    for ring in rings[:MOST_ROWS]:
        row, ref = _row(ring.record, scene), ring.record.ref
        later = Button(phrases.snooze, Tap.SNOOZE.on(ref), said=f"{phrases.snooze} #{ref}")
        rows.append(
            CardRow(what=row.what, when=row.when, amount=row.amount, about=row.about, buttons=(*row.buttons, later))
        )
    return Card(title=title, rows=tuple(rows), notes=_left_out(len(rings), scene))


def _left_out(count: int, scene: Scene) -> tuple[str, ...]:
    return (scene.words.more(count - MOST_ROWS),) if count > MOST_ROWS else ()


def _rows(records: Sequence[Record], scene: Scene, *, clock_only: bool = False) -> tuple[CardRow, ...]:
    return tuple(_row(record, scene, clock_only=clock_only) for record in records[:MOST_ROWS])


def _row(record: Record, scene: Scene, *, clock_only: bool = False) -> CardRow:
    receipts = receipt_words(scene.language)
    ring = scene.words.reminds(_ring(record, scene)) if record.remind_at and record.status in OPEN else ""
    status = "" if record.status == "open" else receipts.statuses[record.status]
    parts = [f"#{record.ref}", record.category, enumeration(record.tags, receipts.comma), ring, status]
    return CardRow(
        what=" ".join(record.content.split())[:LONGEST],
        when=_when(record, scene, clock_only=clock_only),
        amount="" if record.amount is None else money(record.amount, record.currency, scene.language),
        about=" · ".join(filter(None, parts)),
        is_done=record.status in {"done", "cancelled"},
        buttons=_row_buttons(record, scene),
    )


def _row_buttons(record: Record, scene: Scene) -> tuple[Button, ...]:
    """What makes sense for it: a page is opened where there is one, and only what is to be done can be done."""
    buttons = []
    if record.type in TO_DO and record.status in OPEN:
        said = scene.words.done(f"#{record.ref}")
        buttons.append(Button(phrases_of(scene.language).done, Tap.DONE.on(record.ref), said=said))
    if page := scene.pages.get(record.id):
        buttons.append(Button(scene.words.page, page, "link"))
    return tuple(buttons)


def _ring(record: Record, scene: Scene) -> str:
    assert record.remind_at is not None, "asked only of what rings"
    return ring_text(record.remind_at, record.when, scene.now, scene.language)


def _when(record: Record, scene: Scene, *, clock_only: bool) -> str:
    """With ``clock_only`` the day stands above."""
    if record.when is None:
        return scene.words.untimed if clock_only else ""
    if record.type in MONEY_TYPES:
        return when_text(record, scene.now, scene.language)
    if not clock_only:
        return span_text(record.when, record.until, scene.now, scene.language)
    if not isinstance(record.when, datetime):
        return scene.words.untimed
    return clock_text(record.when.astimezone(scene.now.tzinfo), scene.language)


# ── totals ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Parts:
    """What a total is made of: figures of groups, or the largest of its records."""

    figures: Sequence[Figure] = ()
    group_by: Group | None = None
    records: Sequence[Record] = ()


def total_card(
    query: RecordQuery, value: Decimal | None, count: int, currency: str | None, parts: Parts, scene: Scene
) -> Card:
    """A total and a bar for each part of it. ``value`` is None where the parts are not to be added up."""
    bars = _record_bars(parts.records, scene) if parts.records else _figure_bars(parts, currency, scene)
    return Card(
        title=" · ".join(filter(None, [period_text(query.span, scene) if query.span else "", _subject(query, scene)])),
        figure="" if value is None else _amount(value, currency, scene),
        aside=scene.words.count(count),
        bars=bars,
    )


def period_text(span: Span, scene: Scene) -> str:
    """``11 月``, ``2025 年 11 月``, ``今天 11/30（一）``, ``11/23（一）–11/29（日）``."""
    first, last = span.start.date(), (span.end - _LAST_SECOND).date()
    if first == last:
        return scene.day(first)
    if first.day == 1 and last == _end_of_month(first):
        return month_text(first, scene)
    return span_text(first, last, scene.now, scene.language)


def month_text(day: date, scene: Scene) -> str:
    """The month of a day, with its year (Thai: Buddhist era) if that is another."""
    name = scene.words.months[day.month - 1]
    if day.year == scene.now.year:
        return name
    return scene.words.month_of(name, day.year + 543 if scene.language == "th" else day.year)


def _end_of_month(first: date) -> date:
    return (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)


def _subject(query: RecordQuery, scene: Scene) -> str:
    words = receipt_words(scene.language)
    if query.category or query.keyword:
        return " · ".join(filter(None, [query.category, query.keyword and words.quote(query.keyword)]))
    if query.tags:
        return enumeration(query.tags, words.comma)
    if query.total == "net":
        return scene.words.balance
    return words.types[query.type] if query.type else ""


def _figure_bars(parts: Parts, currency: str | None, scene: Scene) -> tuple[CardBar, ...]:
    """In their own order; where there are too many, the smallest together at the end."""
    figures = list(parts.figures)
    kept = figures
    if len(figures) > BARS:
        largest = sorted(figures, key=lambda figure: -abs(figure.value))[: BARS - 1]
        kept = [figure for figure in figures if figure in largest]
    named = [(_group(figure.group, parts.group_by, scene), figure.value) for figure in kept]
    if len(figures) > len(kept):
        rest = sum((figure.value for figure in figures if figure not in kept), Decimal(0))
        named.append((scene.words.rest(len(figures) - len(kept)), rest))
    return _bars([(name, value, _amount(value, currency, scene)) for name, value in named])


def _record_bars(records: Sequence[Record], scene: Scene) -> tuple[CardBar, ...]:
    named = []
    for record in records:
        day = moment_text(day_of(record.when, scene.now), scene.now, scene.language) if record.when else ""
        what = " ".join(filter(None, [day, " ".join(record.content.split())[:LONGEST]]))
        value = record.amount or Decimal(0)
        named.append((what, value, _amount(value, record.currency, scene)))
    return _bars(named)


def _bars(named: Sequence[tuple[str, Decimal, str]]) -> tuple[CardBar, ...]:
    longest = max((abs(value) for _, value, _ in named), default=Decimal(0)) or Decimal(1)
    return tuple(CardBar(what=name, amount=amount, share=float(abs(value) / longest)) for name, value, amount in named)


def _amount(value: Decimal, currency: str | None, scene: Scene) -> str:
    return money(value, currency, scene.language) if currency else scene.words.count(f"{value:,}")


def _group(name: str | None, group_by: Group | None, scene: Scene) -> str:
    words = receipt_words(scene.language)
    if name is None:
        return scene.words.untimed if group_by in {"day", "month"} else scene.words.uncategorised
    match group_by:
        case "day":
            return day_text(date.fromisoformat(name), scene.now.date(), scene.language)
        case "month":
            return month_text(date.fromisoformat(f"{name}-01"), scene)
        case "type":
            return next((said for kind, said in words.types.items() if kind == name), name)
        case "status":
            return next((said for status, said in words.statuses.items() if status == name), name)
    return name
