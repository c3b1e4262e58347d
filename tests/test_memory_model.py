"""The store of records against the plainest store there could be: lists in memory, compared after every step."""

from __future__ import annotations

import asyncio
import unicodedata
from collections import defaultdict
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.thorough import THOROUGH
from tools.database import Database
from tools.record import (
    CallKey,
    Change,
    Draft,
    Moment,
    NothingChanged,
    NothingToUndo,
    PersonId,
    Record,
    RecordNotFound,
    RecordQuery,
    Span,
)
from tools.sql.memory import SqlMemory
from tools.sql.reminders import SqlReminders

ZONES = [ZoneInfo("Asia/Taipei"), ZoneInfo("America/New_York"), ZoneInfo("Pacific/Kiritimati")]
OWNERS = [PersonId("mei"), PersonId("ken")]
NOON = datetime(2026, 10, 31, 12, 0, tzinfo=UTC)
"""The clocks of New York go back on the next day."""

owners = st.sampled_from(OWNERS)
texts = st.text("ab咖啡豆ＡÅ %_'", min_size=1, max_size=8)
days = st.dates(date(2026, 10, 29), date(2026, 11, 4))
clocks = st.builds(lambda minutes, zone: (NOON + timedelta(minutes=minutes)).astimezone(zone),
                   st.integers(-3000, 3000), st.sampled_from(ZONES))  # fmt: skip
moments = st.none() | days | clocks
money = st.none() | st.integers(0, 500).map(Decimal)
fields = {
    "content": texts,
    "type": st.sampled_from(["task", "event", "expense", "income"]),
    "status": st.sampled_from(["open", "doing", "done", "cancelled"]),
    "when": moments,
    "remind_at": st.none() | clocks,
    "amount": money,
    "currency": st.sampled_from(["TWD", "JPY", "KWD"]),
    "category": st.none() | st.sampled_from(["飲食", "交通"]),
    "tags": st.lists(st.sampled_from(["x", "咖啡", "z"]), max_size=2, unique=True).map(tuple),
}
drafts = st.builds(Draft, **fields)
revisions = st.fixed_dictionaries({}, optional=fields)
refs = st.integers(1, 6)
spans = st.builds(
    lambda start, hours, zone: Span(*((start + timedelta(hours=each)).astimezone(zone) for each in (0, hours))),
    clocks,
    st.integers(0, 72),
    st.sampled_from(ZONES),
)
queries = st.builds(
    RecordQuery,
    keyword=st.none() | texts.filter(lambda text: text.strip()),
    type=st.none() | fields["type"],
    status=st.none() | fields["status"],
    span=st.none() | spans,
    category=fields["category"],
    tags=fields["tags"],
    sort=st.sampled_from(["when", "-when", "created", "-created", "-amount"]),
    limit=st.integers(0, 8),
    total=st.sampled_from([None, "count", "amount", "net"]),
    group_by=st.sampled_from([None, "type", "status", "category", "tag", "day", "month", "person"]),
)


# ── the model ─────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(eq=False)
class Step:
    """A change, as the model remembers it."""

    id: str
    turn: str
    kind: str
    before: Record | None
    after: Record | None
    state: str = "done"
    at: datetime = NOON
    day: date | None = None
    """The local day of the record's time before the change."""
    new_day: date | None = None
    """The same after it, of an update that waits."""


@dataclass
class Book:
    """One owner's records and changes."""

    records: dict[int, Record] = field(default_factory=dict)
    days: dict[int, date | None] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    def living(self) -> list[Record]:
        return [record for record in self.records.values() if record.deleted_at is None]


def plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def says(record: Record, keyword: str) -> bool:
    return any(plain(keyword) in plain(text) for text in (record.content, record.category or "", *record.tags))


def overlaps(record: Record, span: Span) -> bool:
    if record.when is None:
        return False
    begin, end = bounds(record.when, span)
    return span.start < span.end and begin < span.end and (begin >= span.start or end > span.start)


def bounds(moment: Moment, span: Span) -> tuple[datetime, datetime]:
    if isinstance(moment, datetime):
        return moment, moment
    midnights = (datetime.combine(each, time(), span.start.tzinfo) for each in (moment, moment + timedelta(days=1)))
    begin, end = (each.astimezone(UTC) for each in midnights)
    return begin, end


def matches(record: Record, query: RecordQuery) -> bool:
    return (
        (query.keyword is None or says(record, query.keyword))
        and query.type in {None, record.type}
        and query.status in {None, record.status}
        and query.category in {None, record.category}
        and set(query.tags) <= set(record.tags)
        and (query.span is None or overlaps(record, query.span))
    )


def ordered(records: list[Record], book: Book, sort: str) -> list[int]:
    by_ref = sorted(records, key=lambda record: record.ref, reverse=sort.startswith("-"))
    if sort.endswith("created"):
        return [record.ref for record in by_ref]
    if sort == "-amount":
        known = [record for record in by_ref if record.amount is not None]
        unknown = [record for record in by_ref if record.amount is None]
        return [record.ref for record in [*sorted(known, key=lambda r: -r.amount), *unknown]]
    timed = [record for record in by_ref if record.when is not None]

    def begin(record: Record) -> tuple[date, bool, datetime]:
        clock = isinstance(record.when, datetime)
        return book.days[record.ref], clock, record.when if clock else NOON

    timed.sort(key=begin, reverse=sort == "-when")
    return [record.ref for record in [*timed, *(record for record in by_ref if record.when is None)]]


def groups(record: Record, book: Book, group_by: str | None) -> list[str | None]:
    if group_by == "tag":
        return list(record.tags) or [None]
    if group_by in {"day", "month"}:
        local = book.days[record.ref]
        return [local and local.isoformat()[: 10 if group_by == "day" else 7]]
    return [getattr(record, {"person": "owner"}.get(group_by, group_by)) if group_by else None]


def sums(
    records: list[Record], book: Book, query: RecordQuery
) -> dict[tuple[str | None, str | None], tuple[Decimal, int]]:
    total, found = query.total or "count", defaultdict(lambda: (Decimal(0), 0))
    for record in records:
        known = record.type in {"expense", "income"} and record.amount is not None
        if total != "count" and not known:
            continue
        value = Decimal(1) if total == "count" else record.amount
        value = -value if total == "net" and record.type == "expense" else value
        for group in groups(record, book, query.group_by):
            key = group, None if total == "count" else record.currency
            found[key] = found[key][0] + value, found[key][1] + 1
    if total == "count" and query.group_by is None and not found:
        found[None, None] = Decimal(0), 0
    return dict(found)


# ── the machine ───────────────────────────────────────────────────────────────────────────────────────────────────


class MemoryMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.database = Database("sqlite://")
        self.now = NOON
        self.books = {owner: Book() for owner in OWNERS}
        self.memories = {owner: SqlMemory(self.database, owner, lambda: self.now) for owner in OWNERS}
        self.calls = 0
        self.turn = "turn-0"

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(work)

    def refused(self, error: type[Exception], work: Coroutine[Any, Any, Any]) -> None:
        with pytest.raises(error):
            self.run(work)

    def key(self) -> CallKey:
        self.calls += 1
        return CallKey(self.turn, self.calls)

    def teardown(self) -> None:
        self.run(self.database.close())
        self.runner.close()

    @initialize()
    def start(self) -> None:
        self.run(self.database.start())

    @rule(minutes=st.integers(1, 8))
    def time_passes(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @rule()
    def another_turn_begins(self) -> None:
        self.turn = f"turn-{self.calls + 1}"

    @rule(owner=owners, draft=drafts, repeats=st.booleans())
    def create(self, owner: PersonId, draft: Draft, repeats: bool) -> None:
        key, book = self.key(), self.books[owner]
        change = self.run(self.memories[owner].record(draft, key, told))
        if repeats:
            again = self.run(self.memories[owner].record(draft, key, told))
            assert (again, again.repeated) == (change, True)
        record = change.after
        assert record.ref == len(book.records) + 1
        assert {name: getattr(record, name) for name in fields} == {name: kept(getattr(draft, name)) for name in fields}
        book.days[record.ref] = day_of(draft.when)
        self.done(owner, change, None, record)

    @rule(owner=owners, ref=refs, said=revisions, waits=st.booleans())
    def revise(self, owner: PersonId, ref: int, said: dict[str, Any], waits: bool) -> None:
        book, record = self.books[owner], self.books[owner].records.get(ref)
        revising = self.memories[owner].revise(ref, said, self.key(), told, proposed=waits)
        if record is None or record.deleted_at:
            self.refused(RecordNotFound, revising)
        elif all(getattr(record, name) == kept(value) for name, value in said.items()):
            self.refused(NothingChanged, revising)
        else:
            after = replace(record, **{name: kept(value) for name, value in said.items()})
            if waits:
                new_day = day_of(said["when"]) if after.when != record.when else book.days[ref]
                self.proposed(owner, self.run(revising), record, after, new_day)
                return
            after = replace(after, rev=record.rev + 1, updated_at=self.now)
            self.done(owner, self.run(revising), record, after)
            if after.when != record.when:
                book.days[ref] = day_of(said["when"])

    @rule(owner=owners, wanted=st.lists(refs, min_size=1, max_size=3, unique=True), waits=st.booleans())
    def remove(self, owner: PersonId, wanted: list[int], waits: bool) -> None:
        book = self.books[owner]
        removing = self.memories[owner].remove(wanted, self.key(), told, proposed=waits)
        before = [book.records.get(ref) for ref in wanted]
        if any(record is None or record.deleted_at for record in before):
            self.refused(RecordNotFound, removing)
            return
        for change, record in zip(self.run(removing), before, strict=True):
            if waits:
                self.proposed(owner, change, record, None, book.days.get(record.ref))
            else:
                gone = replace(record, rev=record.rev + 1, updated_at=self.now, deleted_at=self.now)
                self.done(owner, change, record, gone)

    @precondition(lambda self: any(step.state == "proposed" for book in self.books.values() for step in book.steps))
    @rule(owner=owners, pick=st.randoms(use_true_random=False))
    def confirm(self, owner: PersonId, pick: Any) -> None:
        everything = [step for book in self.books.values() for step in book.steps]
        chosen = pick.sample(everything, min(3, len(everything)))
        confirmed = {change.id for change in self.run(self.memories[owner].confirm([s.id for s in chosen], self.key()))}
        book, expected = self.books[owner], set()
        as_it_was = {ref: record.rev for ref, record in book.records.items()}
        for step in chosen:
            record = book.records[step.before.ref] if step in book.steps and step.before else None
            young = self.now - step.at < timedelta(minutes=10)
            if not (record and step.state == "proposed" and young and record.deleted_at is None):
                continue
            if step.kind == "delete":
                new, day = {"deleted_at": self.now}, book.days.get(record.ref)
            elif step.before.rev != as_it_was[record.ref]:
                continue
            else:
                new, day = differences(step.before, step.after), book.days.get(record.ref)
                if "when" in new:
                    book.days[record.ref] = step.new_day
            after = replace(record, **new, rev=record.rev + 1, updated_at=self.now)
            book.records[record.ref] = after
            step.state, step.before, step.after, step.at, step.day = "done", record, after, self.now, day
            expected.add(step.id)
        assert confirmed == expected

    @rule(owner=owners, pick=st.integers(0, 9))
    def undo(self, owner: PersonId, pick: int) -> None:
        """Mostly the last change; sometimes a named one, which may be another's."""
        everything = [step for book in self.books.values() for step in book.steps]
        named = everything[pick % len(everything)] if pick > 6 and everything else None
        step, key = self.undoable(owner, named), self.key()
        memory, name = self.memories[owner], named.id if named else None
        if step is None:
            self.refused(NothingToUndo, memory.undo(key, name))
            return
        change = self.run(memory.undo(key, name))
        assert (change.kind, change.undoes) == ("undo", step.id)
        step.state = "undone"
        book, current = self.books[owner], self.books[owner].records[(step.after or step.before).ref]
        back: dict[str, Any] = {"deleted_at": self.now if step.kind == "create" else None}
        if step.kind == "update":
            back = differences(step.after, step.before)
            changed = back.keys()
            if "when" in changed:
                book.days[current.ref] = step.day
        after = replace(current, **back, rev=current.rev + 1, updated_at=self.now)
        book.records[current.ref] = after
        assert (change.before, change.after) == (current, None if step.kind == "create" else after)

    def undoable(self, owner: PersonId, named: Step | None) -> Step | None:
        book = self.books[owner]
        by_time = sorted(enumerate(book.steps), key=lambda each: (each[1].at, each[0]), reverse=True)
        for _, step in by_time:
            deleted = book.records[(step.after or step.before).ref].deleted_at is not None
            if step.state == "done" and deleted == (step.kind == "delete") and named in {None, step}:
                return step if named is None or self.still_stands(step, book) else None
        return None

    def still_stands(self, step: Step, book: Book) -> bool:
        """A named one is taken back only if nothing of what it changed was changed since."""
        now = book.records[(step.after or step.before).ref]
        return step.kind != "update" or all(
            getattr(now, name) == getattr(step.after, name) for name in differences(step.after, step.before)
        )

    @rule(owner=owners, query=queries)
    def ask(self, owner: PersonId, query: RecordQuery) -> None:
        book = self.books[owner]
        found = [record for record in book.living() if matches(record, query)]
        answer = self.run(self.memories[owner].query(query))
        if query.limit == 0 and (query.total or query.group_by):
            assert answer.matched == sum(count for _, count in sums(found, book, query).values())
        else:
            assert answer.matched == len(found)
        assert [record.ref for record in answer.records] == ordered(found, book, query.sort)[: query.limit]
        if query.total or query.group_by:
            assert {(f.group, f.currency): (f.value, f.count) for f in answer.figures} == sums(found, book, query)

    @invariant()
    def both_remember_the_same(self) -> None:
        for owner, book in self.books.items():
            for ref, record in book.records.items():
                assert self.run(self.memories[owner].get(ref)) == (None if record.deleted_at else record)

    @invariant()
    def nobody_silent_rings(self) -> None:
        for ring in self.run(SqlReminders(self.database).due(self.now + timedelta(days=9))):
            record = self.books[ring.record.owner].records[ring.record.ref]
            assert record.deleted_at is None
            assert record.status in {"open", "doing"}
            assert ring.due == record.remind_at

    def done(self, owner: PersonId, change: Change, before: Record | None, after: Record | None) -> None:
        book = self.books[owner]
        assert (change.before, change.after, change.state) == (before, after, "done")
        if after:
            book.records[after.ref] = after
        day = book.days.get(change.record.ref)
        book.steps.append(Step(change.id, self.turn, change.kind, before, after, "done", self.now, day))

    def proposed(
        self, owner: PersonId, change: Change, before: Record, after: Record | None, new_day: date | None
    ) -> None:
        assert (change.before, change.after, change.state) == (before, after, "proposed")
        step = Step(change.id, self.turn, change.kind, before, after, "proposed", self.now, None, new_day)
        self.books[owner].steps.append(step)


def told(record: Record) -> dict[str, Any]:
    return {"ref": record.ref}


def differences(old: Record, new: Record) -> dict[str, Any]:
    """The fields that the new one has otherwise; an amount always together with its currency."""
    changed = {name for name in fields if getattr(old, name) != getattr(new, name)}
    changed |= {"amount", "currency"} if changed & {"amount", "currency"} else set()
    return {name: getattr(new, name) for name in changed}


def kept(value: Any) -> Any:
    """As the store gives it back. (Python holds an hour that the clock shows twice unequal to itself in UTC.)"""
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def day_of(moment: Moment | None) -> date | None:
    return moment.date() if isinstance(moment, datetime) else moment


MemoryMachine.TestCase.settings = settings(
    max_examples=40 if THOROUGH else 15, stateful_step_count=30, suppress_health_check=[HealthCheck.too_slow]
)
test_the_store_does_what_lists_in_memory_would_do = MemoryMachine.TestCase
