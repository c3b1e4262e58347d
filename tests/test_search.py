"""How the embedded store goes about a question with a keyword: by its indexes, and by few records."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import product
from typing import Any, get_args

import pytest
from sqlalchemy import Connection, event, insert

from tools.database import Database
from tools.record import Group, PersonId, RecordQuery, Sort, Span
from tools.sql.record import OWNER
from tools.sql.search import answer
from tools.sql.terms import TERM

MEI = PersonId("mei")
YEAR = Span(datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"type": "expense"},
    {"types": frozenset({"expense", "income"})},
    {"status": "open"},
    {"category": "飲食"},
    {"tags": ("家",)},
    {"tags": ("家", "車"), "status": "open", "type": "task", "category": "飲食"},
)
LISTED = [{"sort": sort, "limit": limit} for sort in get_args(Sort) for limit in (0, 5)]
ADDED_UP = [{"total": "amount", "group_by": group, "limit": 0} for group in (None, *get_args(Group))]
COUNTED = [{"group_by": group, "limit": 0} for group in get_args(Group)]


def _asked(connection: Connection, query: RecordQuery) -> list[tuple[str, Any]]:
    """The statements of a question, each with what it asked for."""
    heard: list[tuple[str, Any]] = []

    def hear(*said: Any) -> None:
        heard.append((said[2], said[3]))

    event.listen(connection, "before_cursor_execute", hear)
    answer(connection, MEI, query)
    event.remove(connection, "before_cursor_execute", hear)
    return heard


def _steps(connection: Connection, query: RecordQuery) -> list[str]:
    """How the store finds its way (https://www.sqlite.org/eqp.html)."""
    asked = _asked(connection, query)
    plans = [connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values).all() for text, values in asked]
    return [detail for plan in plans for *_, detail in plan if not detail.endswith("CONSTANT ROW")]


@pytest.mark.parametrize("span", [None, YEAR], ids=["ever", "in a span"])
@pytest.mark.parametrize("keyword", ["牛", "牛奶", "review"])
async def test_a_keyword_or_a_span_leads_to_the_records_whatever_else_is_asked(
    database: Database, keyword: str, span: Span | None
):
    """And to their words the record does; nothing is read from one end to the other."""
    lead = "ref=?" if span is None else "when_day>?"
    for filters, form in product(FILTERS, LISTED + ADDED_UP + COUNTED):
        query = RecordQuery(keyword=keyword, span=span, **filters | form)
        steps = await database.read(lambda connection, query=query: _steps(connection, query))
        assert steps
        assert [step for step in steps if step.startswith("SCAN")] == [], query
        assert [step for step in steps if step.startswith("SEARCH record ") and lead not in step] == [], query
        assert [step for step in steps if step.startswith("SEARCH words ") and "ref=?" not in step] == [], query


async def test_a_long_keyword_is_looked_up_by_the_pair_that_fewest_records_have(database: Database):
    """Also where all its pairs are common."""
    common = {"re": range(1, 3_001), "ev": range(1, 2_501), "vi": range(1, 3_001, 2), "ie": range(1, 3_001)}

    def fill(connection: Connection) -> None:
        connection.execute(insert(OWNER), {"no": 1, "person": MEI, "last_ref": 3_000})
        rows = [{"owner": 1, "term": term, "ref": ref} for term, refs in common.items() for ref in refs]
        connection.execute(insert(TERM), rows)

    await database.write(fill)
    for keyword, rarest in (("rev", "ev"), ("revi", "vi"), ("revie", "vi"), ("review", "ew")):
        asked = await database.read(lambda connection, word=keyword: _asked(connection, RecordQuery(keyword=word)))
        looked_up = set(asked[1][1])
        assert looked_up & {*common, "ew"} == {rarest}
