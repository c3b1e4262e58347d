"""What three versions of one record come to: as it stood at the last agreement, as it is here, as it stands in Notion.

Pure. A field that was changed only there is taken; one that was changed on both sides keeps the value of the chat, and
the other is told; what cannot be a value of ours is left where it is. Must not know rows, pages, or who is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from typing import Any

from tools.currency import known, minor
from tools.notion.page import TAGS, TITLE, option, retitled, shown_title
from tools.notion.pieces import cut
from tools.record import MONEY_TYPES, Draft, Moment, Record

Fields = Mapping[str, Any]
"""Fields of Draft by name, as they can be read from a page; one that cannot be read is not among them."""

UNITS = (
    ("content",),
    ("type",),
    ("status",),
    ("when", "until"),
    ("remind_at",),
    ("amount", "currency"),
    ("category",),
    ("tags",),
)
"""What is decided together: half a range, or an amount in another currency, is what nobody has said."""

RANGE = frozenset({"when", "until"})
"""These stand in one column."""

NEVER_EMPTY = frozenset({"content", "type", "status", "currency"})
"""What a record always has (the currency, if it has an amount): emptied there it stays as it is here."""


@dataclass(frozen=True, slots=True)
class Here:
    """What goes without saying: the zone that days are counted in, the currency of amounts without one, and the day it
    is."""

    zone: tzinfo
    currency: str
    today: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """``taken``: what the record becomes, by field of Draft. ``kept``: what was changed there and on this side too, as
    it stands there. ``unfit``: what was changed there and cannot be. ``agreed``: the fields in which both sides say the
    same again."""

    taken: Fields = field(default_factory=dict)
    kept: Fields = field(default_factory=dict)
    unfit: Fields = field(default_factory=dict)
    agreed: frozenset[str] = frozenset()


def merged(record: Record, base: Fields, shown: Fields, theirs: Fields, here: Here) -> Merged:
    """``base``: what stood there when both sides last agreed. ``shown``: what this record would show there. ``theirs``:
    what stands there. A field that ``base`` lacks has never been there: it is compared with what is shown."""
    base = {**shown, **base}
    theirs = {name: value for name, value in theirs.items() if name in shown and not _emptied(name, value)}
    changed = {name for name, value in theirs.items() if not same(value, base[name])}
    agreed = frozenset(name for name in theirs if same(theirs[name], shown[name]))
    candidates: dict[str, Any] = {}
    kept: dict[str, Any] = {}
    for unit in UNITS:
        news = {name: theirs[name] for name in unit if name in changed - agreed}
        if not news:
            continue
        if unit != ("tags",) and any(name in shown and not same(shown[name], base[name]) for name in unit):
            kept |= news
        else:
            candidates |= {name: _as_ours(name, record, base, theirs, here.zone) for name in news}
    taken, unfit = _fitting(record, candidates, theirs, here)
    settled = agreed | taken.keys()
    if not RANGE & theirs.keys() <= settled:
        settled -= RANGE
    return Merged(
        taken={name: value for name, value in taken.items() if not same(value, getattr(record, name))},
        kept=kept,
        unfit=unfit,
        agreed=settled,
    )


def as_it_became(found: Merged, record: Record) -> Merged:
    """What was taken and became something else here, such as the end of one time of what comes again, is still to be
    said there."""
    other = {name: value for name, value in found.taken.items() if not same(value, getattr(record, name))}
    return replace(found, kept={**found.kept, **other}, agreed=found.agreed - other.keys()) if other else found


def _emptied(name: str, value: object) -> bool:
    return name in NEVER_EMPTY and value in (None, "")


def same(one: object, other: object) -> bool:
    """Equal to a reader: instants whatever their zone (Python holds an hour that comes twice on a day unequal to itself
    in another zone, PEP 495), tags whatever their order."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one.astimezone(UTC) == other.astimezone(UTC)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return sorted(one) == sorted(other)
    return type(one) is type(other) and one == other


# ── one field ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _as_ours(name: str, record: Record, base: Fields, theirs: Fields, zone: tzinfo) -> Any:
    """The value of theirs as a record holds it."""
    value = theirs[name]
    if name == "content":
        return _content(record.content, str(value))
    if name == "tags":
        return _tags(record.tags, base["tags"], value)
    return value.astimezone(zone) if isinstance(value, datetime) else value


def _content(ours: str, title: str) -> str:
    """A title is one line, and cut where the content is long: as long as its mark of omission stands, what was cut off
    still belongs to it."""
    if (known := retitled(ours, title)) is not None:
        return known
    line = " ".join(ours.split())
    if shown_title(ours) == line or not title.endswith("…"):
        return title
    rest = line[len(cut(line, TITLE - 1)[0]) :]
    return title.removesuffix("…") + rest


def _tags(ours: tuple[str, ...], base: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """What was added and taken away there, done to the tags here: not all of them need stand there, nor as they are
    said."""
    gone, new = set(base) - set(theirs), [each for each in theirs if each not in base]
    left = [each for each in ours if option(each) not in gone]
    there = set(map(option, left))
    return tuple([*left, *(each for each in new if each not in there)][:TAGS])


# ── whether it can be ─────────────────────────────────────────────────────────────────────────────────────────────


def _fitting(record: Record, candidates: Fields, theirs: Fields, here: Here) -> tuple[dict[str, Any], dict[str, Any]]:
    """What of these the record can become, and what not."""
    taken, unfit = dict(candidates), dict[str, Any]()
    checks: tuple[tuple[Callable[[Draft], bool], frozenset[str]], ...] = (
        (_rings, frozenset({"remind_at"})),
        (money_fits, frozenset({"type", "amount", "currency"})),
        (range_fits, frozenset({"when", "until"})),
    )
    for fits, names in checks:
        concerned = names & taken.keys()
        if concerned and not fits(replace(record, **(taken | following(record, taken, here)))):
            unfit |= {name: theirs[name] for name in concerned}
            taken = {name: value for name, value in taken.items() if name not in names}
    return taken | following(record, taken, here), unfit


def following(record: Draft, taken: Fields, here: Here) -> dict[str, Any]:
    """What goes with an amount without being said: its currency, and that money is spent on a day."""
    becomes = replace(record, **taken)
    if becomes.type not in MONEY_TYPES:
        return {"currency": None} if becomes.amount is None and becomes.currency else {}
    follows: dict[str, Any] = {} if becomes.currency else {"currency": here.currency}
    return follows if becomes.when else follows | {"when": record.when or here.today}


def _rings(record: Draft) -> bool:
    return record.remind_at is None or isinstance(record.remind_at, datetime)


def money_fits(record: Draft) -> bool:
    """Expenses and income have an amount that their currency can express, and nothing else has one."""
    if record.type not in MONEY_TYPES:
        return record.amount is None
    return record.amount is not None and known(record.currency or "") and _expressible(record.amount, record.currency)


def _expressible(amount: Decimal, currency: str | None) -> bool:
    try:
        return minor(amount, currency) > 0
    except ValueError:
        return False


def range_fits(record: Draft) -> bool:
    """It does not end before it begins: as far as Notion tells, which is to the minute."""
    start, end = record.when, record.until
    if start is None or end is None:
        return True
    if isinstance(start, datetime) and isinstance(end, datetime):
        return start.replace(second=0, microsecond=0) <= end
    return _day(start) <= _day(end)


def _day(moment: Moment) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
