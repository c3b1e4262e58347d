"""Questions about records as SQL: which match, in what order, and how many.

Every statement is of one owner and of living records. Must not know how a record is changed, or who asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    String,
    and_,
    case,
    exists,
    false,
    func,
    literal,
    or_,
    select,
)

from tools.currency import THOUSANDTHS, WHOLE
from tools.record import Answer, PersonId, Record, RecordQuery, Sort, Span
from tools.sql_figures import figures
from tools.sql_record import OWNER, RECORD, micros, record_of
from tools.sql_terms import TAG, TERM, WORDS
from tools.words import normalised, pairs

Condition = ColumnElement[bool]

_PROVED = 2
"""Keywords up to this length are proved by the index alone."""

_PAIRS = 6
"""Pairs of a long keyword among which the rarest is sought."""

_ENOUGH = 2_000
"""A pair is common if so many records have it; how common beyond that does not matter."""

_FAR = 2
"""The same instant can bear local days that are so many apart (UTC-12 and UTC+14)."""

_LAST = "\U0010ffff"


def answer(connection: Connection, owner: PersonId, query: RecordQuery) -> Answer:
    """What the store knows about the question."""
    if (alone := _found_by_words_alone(connection, owner, query)) is not None:
        refs, matched = alone
        return Answer(_records(connection, owner, refs), matched)
    where = _conditions(connection, owner, query)
    counted = query.total or query.group_by
    lines = figures(connection, where, query.total or "count", query.group_by) if counted else ()
    if query.limit == 0 and counted:
        return Answer((), sum(line.count for line in lines), lines)
    found = select(RECORD.c.ref).where(*where)
    refs = _first(connection, _ordered(found, query.sort), query.limit)
    return Answer(_records(connection, owner, refs), _count(connection, found), lines)


def _count(connection: Connection, found: Select[int]) -> int:
    return connection.execute(select(func.count()).select_from(found.subquery())).scalar_one()


def _first(connection: Connection, parts: Sequence[Select[int]], limit: int) -> list[int]:
    """The first refs of several ordered questions, asked one after the other while there is room."""
    refs: list[int] = []
    for part in parts:
        if len(refs) < limit:
            refs += connection.execute(part.limit(limit - len(refs))).scalars()
    return refs


def _records(connection: Connection, owner: PersonId, refs: Sequence[int]) -> tuple[Record, ...]:
    if not refs:
        return ()
    rows = connection.execute(select(RECORD).where(RECORD.c.owner == owner, RECORD.c.ref.in_(refs)))
    by_ref = {row.ref: record_of(row._asdict()) for row in rows}
    return tuple(by_ref[ref] for ref in refs)


def _ordered(found: Select[int], sort: Sort) -> list[Select[int]]:
    """Refs in order. What has no time, or no amount, comes last either way; ties go by creation."""
    record = RECORD.c
    if sort in {"created", "-created"}:
        return [found.order_by(record.ref if sort == "created" else record.ref.desc())]
    if sort == "-amount":
        dear = case((record.currency.in_(WHOLE), 1_000), (record.currency.in_(THOUSANDTHS), 1), else_=10)
        return [found.order_by(record.amount.is_(None), (record.amount * dear).desc(), record.ref.desc())]
    timed, timeless = found.where(record.when_day.is_not(None)), found.where(record.when_day.is_(None))
    if sort == "when":
        timed = timed.order_by(record.when_day, record.when_at.nulls_first(), record.ref)
        return [timed, timeless.order_by(record.ref)]
    timed = timed.order_by(record.when_day.desc(), record.when_at.desc().nulls_last(), record.ref.desc())
    return [timed, timeless.order_by(record.ref.desc())]


# ── conditions ────────────────────────────────────────────────────────────────────────────────────────────────────


def _conditions(connection: Connection, owner: PersonId, query: RecordQuery) -> list[Condition]:
    record = RECORD.c
    where: list[Condition] = [record.owner == owner, record.deleted_at.is_(None)]
    kinds = query.types | ({query.type} if query.type else frozenset())
    if query.type and query.types:
        kinds = query.types & {query.type}
    if query.type or query.types:
        where.append(record.type.in_(sorted(kinds)))
    if query.status:
        where.append(record.status == query.status)
    if query.category is not None:
        where.append(record.category == query.category)
    for tag in query.tags:
        tagged = select(TAG.c.ref).where(TAG.c.owner == _number(owner), TAG.c.tag == normalised(tag))
        where.append(record.ref.in_(tagged))
    if query.span:
        where.append(_inside(connection, owner, query.span))
    if query.keyword is not None:
        where.append(_matching(connection, owner, normalised(query.keyword), narrow=query.span is not None))
    return where


def _matching(connection: Connection, owner: PersonId, keyword: str, *, narrow: bool) -> Condition:
    """``narrow``: a span leaves few records, so that each is looked into instead of looking the keyword up."""
    if not keyword:
        return false()
    if narrow:
        return _has(RECORD.c.ref, _number(owner), keyword)
    return RECORD.c.ref.in_(_containing(connection, owner, keyword))


def _number(owner: PersonId) -> ScalarSelect[int]:
    return select(OWNER.c.no).where(OWNER.c.person == owner).scalar_subquery()


def _found_by_words_alone(
    connection: Connection, owner: PersonId, query: RecordQuery
) -> tuple[Sequence[int], int] | None:
    """The first refs, and how many, if a keyword is all that was asked: the index stands in the order of creation, so
    that no record need be read."""
    keyword = normalised(query.keyword or "")
    asked = RecordQuery(keyword=query.keyword, sort=query.sort, limit=query.limit)
    if not keyword or query != asked or query.sort not in {"created", "-created"}:
        return None
    found = _containing(connection, owner, keyword)
    ordered = found.order_by(TERM.c.ref.desc() if query.sort == "-created" else TERM.c.ref)
    if len(keyword) <= _PROVED:
        return _first(connection, [ordered], query.limit), _count(connection, found)
    refs = connection.execute(ordered).scalars().all()  # proving costs more than fetching: once is enough
    return refs[: max(query.limit, 0)], len(refs)


def _containing(connection: Connection, owner: PersonId, keyword: str) -> Select[int]:
    """Refs of the records that contain the keyword: looked up by its rarest pair of characters, then proved."""
    number, choice = _number(owner), pairs(keyword)[:_PAIRS]
    rarest = min(choice, key=lambda pair: _how_many(connection, number, pair)) if len(choice) > 1 else choice[0]
    found = select(TERM.c.ref).where(TERM.c.owner == number)
    if len(keyword) == 1:
        first, last = literal(keyword, String()), literal(keyword + _LAST, String())
        return found.where(TERM.c.term.between(first, last)).distinct()
    found = found.where(TERM.c.term == rarest)
    return found if len(keyword) <= _PROVED else found.where(_has(TERM.c.ref, number, keyword))


def _how_many(connection: Connection, owner_no: ScalarSelect[int], pair: str) -> int:
    """Records under the pair, counted no further than matters."""
    some = select(TERM.c.ref).where(TERM.c.owner == owner_no, TERM.c.term == pair).limit(_ENOUGH)
    return _count(connection, some)


def _has(ref: ColumnElement[int], owner_no: ScalarSelect[int], keyword: str) -> Condition:
    proof = WORDS.c.words.contains(keyword, autoescape=True)
    return exists().where(WORDS.c.owner == owner_no, WORDS.c.ref == ref, proof)


def _inside(connection: Connection, owner: PersonId, span: Span) -> Condition:
    """See Span. Days are compared as days of the span's own zone, clock times as instants."""
    start, end = micros(span.start), micros(span.end)
    if end <= start:
        return false()
    last_moment = (span.end.astimezone(UTC) - timedelta(microseconds=1)).astimezone(span.end.tzinfo)
    first, last = span.start.date().isoformat(), last_moment.date().isoformat()
    day, at, until_day, until_at = (RECORD.c[name] for name in ("when_day", "when_at", "until_day", "until_at"))
    begins_before_end = or_(and_(at.is_(None), day <= last), at < end)
    begins_after_start = or_(and_(at.is_(None), day >= first), at >= start)
    ends_after_start = or_(and_(until_at.is_(None), until_day >= first), until_at > start)
    earliest, latest = _shifted(span.start.date(), -_FAR), _shifted(last_moment.date(), _FAR)
    near = day.between(_first_day(connection, owner, earliest), latest)
    return and_(near, begins_before_end, or_(begins_after_start, ends_after_start))


def _first_day(connection: Connection, owner: PersonId, earliest: str) -> str:
    """The day from which on records can reach into the span: something that lasts may have begun long before it.

    Asked beforehand, so that the question itself is one stretch of the index.
    """
    lasting = RECORD.c.deleted_at.is_(None), RECORD.c.until_day.is_not(None), RECORD.c.until_day >= earliest
    first = select(func.min(func.coalesce(RECORD.c.when_day, earliest))).where(RECORD.c.owner == owner, *lasting)
    return min(connection.execute(first).scalar_one() or earliest, earliest)


def _shifted(day: date, days: int) -> str:
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal())).isoformat()
