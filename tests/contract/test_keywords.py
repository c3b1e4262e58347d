"""What a keyword finds together with anything else, on both stores: what reading every record would find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import product
from typing import Any, get_args

import pytest
from sqlalchemy import Connection, insert

from tools.database import Database
from tools.record import Draft, Group, PersonId, Record, RecordQuery, Span
from tools.sql.memory import SqlMemory
from tools.sql.record import OWNER, RECORD, columns_of, record_of, words_of
from tools.sql.terms import TAG, TERM, WORDS
from tools.words import normalised, terms

MEI = PersonId("mei")
FIRST = date(2026, 1, 1)
NOVEMBER = Span(datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC))
YEAR = Span(datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
KEYWORDS = ("牛", "牛奶", "牛肉麵", "review", "nowhere")
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"type": "expense"},
    {"types": frozenset({"expense", "task"})},
    {"status": "open"},
    {"category": "飲食"},
    {"tags": ("家",)},
    {"tags": ("家", "車"), "status": "open", "type": "expense"},
    {"span": NOVEMBER},
    {"span": YEAR, "type": "expense", "tags": ("家",)},
)
SORTS = ("created", "-created", "when", "-when", "-amount")


@dataclass(frozen=True)
class Filled:
    """A store that is full, and what is in it."""

    database: Database
    records: list[Record]

    async def ask(self, query: RecordQuery) -> list[int]:
        found = await SqlMemory(self.database, MEI, lambda: datetime.now(UTC)).query(query)
        assert found.matched == len(found.records)
        return [record.ref for record in found.records]


def _draft(number: int) -> Draft:
    """One of many: words, their pairs of characters without the word, and a character in two places."""
    what = ("買牛奶", "吃牛肉麵", "牛肉加肉麵", "review", "rev vie view", "return re view", "牛、牛奶", "散步")[
        number % 8
    ]
    kind = ("expense", "task", "note")[number % 3]
    return Draft(
        content=f"{what} {number % 50}",
        type=kind,  # type: ignore[arg-type]
        status="open" if number % 5 else "done",
        when=None if kind == "note" else FIRST + timedelta(days=number * 7 % 365),
        category="飲食" if number % 4 == 0 else None,
        tags=tuple(tag for tag, each in (("家", 2), ("車", 7)) if number % each == 0),
    )


def _fill(connection: Connection, drafts: list[Draft]) -> list[Record]:
    rows, words, found_by, tags = [], [], [], []
    for ref, draft in enumerate(drafts, 1):
        stamp = {"created_at": ref, "updated_at": ref, "deleted_at": None, "next_ring": None, "rev": 1}
        rows.append({"id": f"{ref:032x}", "key": f"{ref:032x}", "owner": MEI, "ref": ref, **stamp, **columns_of(draft)})
        words.append({"owner": 1, "ref": ref, "words": words_of(rows[-1])})
        found_by += [{"owner": 1, "term": term, "ref": ref} for term in terms(words[-1]["words"])]
        tags += [{"owner": 1, "ref": ref, "tag": normalised(tag), "name": tag} for tag in draft.tags]
    connection.execute(insert(OWNER), {"no": 1, "person": MEI, "last_ref": len(drafts)})
    for table, content in ((RECORD, rows), (WORDS, words), (TERM, found_by), (TAG, tags)):
        connection.execute(insert(table), content)
    return [record_of(row) for row in rows]


@pytest.fixture
async def filled(database: Database) -> Filled:
    return Filled(database, await database.write(lambda connection: _fill(connection, [*map(_draft, range(200))])))


def _matches(record: Record, query: RecordQuery) -> bool:
    words = "\n".join(map(normalised, (record.content, record.category or "", *record.tags)))
    span = query.span
    return (
        normalised(query.keyword or "") in words
        and query.type in {None, record.type}
        and (not query.types or record.type in query.types)
        and query.status in {None, record.status}
        and query.category in {None, record.category}
        and set(query.tags) <= set(record.tags)
        and (span is None or (record.when is not None and span.start.date() <= _day(record) < span.end.date()))
    )


def _day(record: Record) -> date:
    assert type(record.when) is date
    return record.when


def _in_order(records: list[Record], sort: str) -> list[int]:
    backwards = sort.startswith("-")
    timed = [record for record in records if record.when or "when" not in sort]
    keys: dict[str, Callable[[Record], Any]] = {"when": lambda record: (_day(record), record.ref)}
    ordered = sorted(timed, key=keys.get(sort.strip("-"), lambda record: record.ref), reverse=backwards)
    rest = sorted((record for record in records if record not in timed), key=lambda record: record.ref)
    return [record.ref for record in ordered + rest[:: -1 if backwards else 1]]


async def test_a_keyword_with_anything_else_finds_what_reading_every_record_would(filled: Filled):
    for keyword, filters, sort in product(KEYWORDS, FILTERS, SORTS):
        query = RecordQuery(keyword=keyword, sort=sort, limit=1_000, **filters)  # type: ignore[arg-type]
        there = [record for record in filled.records if _matches(record, query)]
        assert await filled.ask(query) == _in_order(there, sort), query


async def test_a_keyword_is_counted_in_every_kind_of_group(filled: Filled):
    names: dict[str, Callable[[Record], list[Any]]] = {
        "tag": lambda record: [*record.tags] or [None],
        "day": lambda record: [record.when and _day(record).isoformat()],
        "month": lambda record: [record.when and _day(record).isoformat()[:7]],
        "person": lambda record: [record.owner],
    }
    memory = SqlMemory(filled.database, MEI, lambda: datetime.now(UTC))
    for keyword, group, span in product(KEYWORDS, get_args(Group), (None, YEAR)):
        query = RecordQuery(keyword=keyword, group_by=group, span=span, limit=0)
        name = names.get(group, lambda record, group=group: [getattr(record, group)])
        there = Counter(each for record in filled.records if _matches(record, query) for each in name(record))
        assert {line.group: line.count for line in (await memory.query(query)).figures} == there, query


async def test_the_limit_and_the_count_hold_for_every_length_of_keyword(filled: Filled):
    memory = SqlMemory(filled.database, MEI, lambda: datetime.now(UTC))
    for keyword, limit, sort in product(KEYWORDS, (0, 1, 5), ("created", "-created", "when")):
        query = RecordQuery(keyword=keyword, limit=limit, sort=sort)  # type: ignore[arg-type]
        there = [record for record in filled.records if _matches(record, query)]
        found = await memory.query(query)
        assert [record.ref for record in found.records] == _in_order(there, sort)[:limit]
        assert found.matched == len(there)
