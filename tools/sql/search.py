"""Questions about records as SQL: which match, in what order, and how many.

A statement is built once for each shape a question can have; what is asked for by name, day or word goes in as
parameters. Every statement is of one owner and of living records. Must not know how a record is changed, or who asked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, date, timedelta
from functools import lru_cache, partial
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Connection,
    Integer,
    Select,
    String,
    and_,
    bindparam,
    case,
    false,
    func,
    literal_column,
    or_,
    select,
)

from tools.database import micros
from tools.record import Answer, Figure, Group, PersonId, Record, RecordQuery, RecordType, Sort, Span, Total
from tools.sql.figures import PARTS, figures, figures_asked, worth
from tools.sql.record import OWNER, RECORD, Values, of_owner, record_of
from tools.sql.terms import TAG, TERM, WORDS
from tools.words import normalised, pairs

Condition = ColumnElement[bool]
Refs = Select[int]

_PROVED = 2
"""Keywords up to this length are proved by the index alone."""

_PAIRS = 6
"""Pairs of a long keyword among which the rarest is sought."""

_DEEP = 1_000
"""How common a pair is shows in how far back one goes for so many records that have it: cheaper than counting all."""

_FAR = 2
"""The same instant can bear local days that are so many apart (UTC-12 and UTC+14)."""

_LAST = "\U0010ffff"

_BOUNDS = ("start", "end", "first_day", "last_day", "earliest", "latest")
"""A span as parameters: its instants, its days, and days beyond which nothing in it can begin."""

_SHAPES = 500
"""So many statements of a kind are kept; real questions have far fewer shapes."""


class Shape(NamedTuple):
    """What of a question decides its SQL. Everything else about it is values."""

    types: int = 0
    status: bool = False
    category: bool = False
    origin: bool = False
    tags: int = 0
    least: bool = False
    most: bool = False
    span: bool = False
    keyword: int = 0
    """How long it is: 0 for none, at most 3, beyond which length makes no difference."""

    impossible: bool = False
    """Nothing can match."""


def answer(connection: Connection, owner: PersonId, query: RecordQuery) -> Answer:
    """What the store knows about the question."""
    keyword = normalised(query.keyword or "")
    shape, values = _shape(query, keyword), _values(owner, query, keyword)
    if keyword:
        values["term"] = _rarest(connection, owner, keyword)
    counted = query.total or query.group_by
    lines = _lines(connection, shape, values, query) if counted else ()
    if query.limit == 0 and counted:
        return Answer((), sum(line.count for line in lines), lines)
    refs = _first(connection, _listed(shape, query.sort), values, query.limit)
    matched = len(refs) if len(refs) < query.limit else _scalar(connection, _counted(shape), values)
    return Answer(_records(connection, owner, refs), matched, lines)


def _lines(connection: Connection, shape: Shape, values: Values, query: RecordQuery) -> tuple[Figure, ...]:
    total = query.total or "count"
    return figures(connection, _summed(shape, total, query.group_by), values, total, query.group_by)


def _first(connection: Connection, parts: Sequence[Refs], values: Values, limit: int) -> list[int]:
    """The first refs of several ordered questions, asked one after the other while there is room."""
    refs: list[int] = []
    for part in parts:
        if len(refs) < limit:
            refs += connection.execute(part, {**values, "room": limit - len(refs)}).scalars()
    return refs


def _scalar(connection: Connection, asked: Select[int], values: Values) -> int:
    return connection.execute(asked, values).scalar_one()


_BY_REFS = select(RECORD).where(of_owner(RECORD), RECORD.c.ref.in_(bindparam("refs", expanding=True)))
"""Records, whole, in no order."""


def _records(connection: Connection, owner: PersonId, refs: Sequence[int]) -> tuple[Record, ...]:
    if not refs:
        return ()
    rows = connection.execute(_BY_REFS, {"owner": owner, "refs": refs})
    by_ref = {row.ref: record_of(row._asdict()) for row in rows}
    return tuple(by_ref[ref] for ref in refs)


# ── a question: its shape and its values ──────────────────────────────────────────────────────────────────────────


def _shape(query: RecordQuery, keyword: str) -> Shape:
    types = _types(query)
    nothing = (
        (types is not None and not types)
        or (query.keyword is not None and not keyword)
        or (query.span is not None and query.span.end <= query.span.start)
    )
    return Shape(
        types=len(types or ()),
        status=bool(query.status),
        category=query.category is not None,
        origin=query.origin is not None,
        tags=len(query.tags),
        least=query.amounts[0] is not None,
        most=query.amounts[1] is not None,
        span=query.span is not None,
        keyword=min(len(keyword), _PROVED + 1),
        impossible=nothing,
    )


def _types(query: RecordQuery) -> Sequence[RecordType] | None:
    """The types asked for; None for any."""
    if query.type and query.types:
        return sorted(query.types & {query.type})
    return [query.type] if query.type else sorted(query.types) or None


def _values(owner: PersonId, query: RecordQuery, keyword: str) -> dict[str, Any]:
    """The parameters of every statement of this question's shape."""
    values: dict[str, Any] = {"owner": owner, "status": query.status, "category": query.category}
    values["origin"] = query.origin
    least, most = query.amounts
    values |= {"least": least and math.ceil(least * PARTS), "most": most and math.floor(most * PARTS)}
    values |= {f"type_{number}": each for number, each in enumerate(_types(query) or ())}
    values |= {f"tag_{number}": normalised(tag) for number, tag in enumerate(query.tags)}
    if query.span and query.span.start < query.span.end:
        values |= _bounds(query.span)
    if len(keyword) == 1:
        values["term_end"] = keyword + _LAST
    if keyword:
        escaped = keyword.replace("/", "//").replace("%", "/%").replace("_", "/_")
        values["pattern"] = f"%{escaped}%"
    return values


def _bounds(span: Span) -> dict[str, Any]:
    last_moment = (span.end.astimezone(UTC) - timedelta(microseconds=1)).astimezone(span.end.tzinfo)
    first, last = span.start.date(), last_moment.date()
    instants, days = (micros(span.start), micros(span.end)), (first.isoformat(), last.isoformat())
    return dict(zip(_BOUNDS, (*instants, *days, _shifted(first, -_FAR), _shifted(last, _FAR)), strict=True))


def _shifted(day: date, days: int) -> str:
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal())).isoformat()


# ── statements, one for each shape ────────────────────────────────────────────────────────────────────────────────


@lru_cache(_SHAPES)
def _summed(shape: Shape, total: Total, group_by: Group | None) -> Select[Any]:
    """The figures over everything that matches."""
    return figures_asked(_conditions(shape), total, group_by, partial(_column, shape))


@lru_cache(_SHAPES)
def _counted(shape: Shape) -> Select[int]:
    """How many match."""
    if _is_words_alone(shape):
        how_many = func.count(TERM.c.ref.distinct()) if shape.keyword == 1 else func.count()
        return _containing(shape.keyword).with_only_columns(how_many)
    return select(func.count()).select_from(RECORD).where(*_conditions(shape))


@lru_cache(_SHAPES)
def _listed(shape: Shape, sort: Sort) -> tuple[Refs, ...]:
    """The first refs in order, in as many parts as there is ``room`` for. What has no time, or no amount, comes last
    either way; ties go by creation."""
    record, room = RECORD.c, bindparam("room", type_=Integer())
    found = select(record.ref).where(*_conditions(shape)).limit(room)
    if sort in {"created", "-created"}:
        ref: ColumnElement[int] = record.ref
        if _is_words_alone(shape):
            found, ref = _containing(shape.keyword).group_by(TERM.c.ref).limit(room), TERM.c.ref
        return (found.order_by(ref if sort == "created" else ref.desc()),)
    if sort == "-amount":
        return (found.order_by(record.amount.is_(None), worth().desc(), record.ref.desc()),)
    day = _column(shape, "when_day")
    timed, timeless = found.where(day.is_not(None)), found.where(day.is_(None))
    if sort == "when":
        return timed.order_by(day, record.when_at.nulls_first(), record.ref), timeless.order_by(record.ref)
    timed = timed.order_by(day.desc(), record.when_at.desc().nulls_last(), record.ref.desc())
    return timed, timeless.order_by(record.ref.desc())


_LEAST, _MOST = (bindparam(name, type_=BigInteger()) for name in ("least", "most"))


def _conditions(shape: Shape) -> list[Condition]:
    record = RECORD.c
    if shape.impossible:
        return [false()]
    where: list[Condition] = [of_owner(RECORD), record.deleted_at.is_(None)]
    if shape.types:
        types: list[BindParameter[str]] = [bindparam(f"type_{number}") for number in range(shape.types)]
        where.append(_column(shape, "type").in_(types))
    if shape.status:
        where.append(_column(shape, "status") == bindparam("status"))
    if shape.category:
        where.append(record.category == bindparam("category"))
    if shape.origin:
        where.append(record.origin == bindparam("origin"))
    where += [worth() >= _LEAST] * shape.least + [worth() <= _MOST] * shape.most
    if shape.span:
        where.append(_inside())
    return where + _looked_up(shape)


# What leads to the records is chosen here: a span, else a keyword, else a tag. SQLite has not counted them and would
# choose by the look of the question; of the two ways to write a column, an index can be walked by the plain one only.


def _column(shape: Shape, name: str) -> ColumnElement[str]:
    """Text of a record, plain unless a keyword or a tag leads to the records."""
    column: ColumnElement[str] = RECORD.c[name]
    return column.concat(literal_column("''")) if (shape.keyword or shape.tags) and not shape.span else column


def _looked_up(shape: Shape) -> list[Condition]:
    """That tags and keyword are those of the record."""
    tagged = select(TAG.c.ref).where(TAG.c.owner == _NUMBER)
    tags = (tagged.where(TAG.c.tag == bindparam(f"tag_{number}")) for number in range(shape.tags))
    where = [_among(refs, leading=not (shape.span or shape.keyword)) for refs in tags]
    if shape.keyword:
        where.append(_among(_with_term(shape.keyword), leading=not shape.span))
    if shape.keyword > _PROVED:  # last: only what all else has left need be proved
        where.append(_has(RECORD.c.ref))
    return where


def _among(refs: Refs, *, leading: bool) -> Condition:
    """The record is one of these: they lead to it, or it is looked up among them."""
    return (RECORD.c.ref if leading else RECORD.c.ref + literal_column("0")).in_(refs)


def _inside() -> Condition:
    """See Span. Days are compared as days of the span's own zone, clock times as instants.

    Something that lasts may have begun long before the span: from ``begun`` on, records can reach into it. It is found
    first, so that the question itself is one stretch of the index.
    """
    day, at, until_day, until_at = (RECORD.c[name] for name in ("when_day", "when_at", "until_day", "until_at"))
    bounds: list[BindParameter[Any]] = [bindparam(name) for name in _BOUNDS]
    start, end, first, last, earliest, latest = bounds
    lasting = RECORD.alias("lasting")
    reaches = lasting.c.until_day.is_not(None), lasting.c.until_day >= earliest
    long_before = func.min(case((lasting.c.when_day < earliest, lasting.c.when_day), else_=earliest))
    first_begun = select(long_before).where(of_owner(lasting), lasting.c.deleted_at.is_(None), *reaches)
    begun = func.coalesce(first_begun.scalar_subquery(), earliest)
    begins_before_end = or_(and_(at.is_(None), day <= last), at < end)
    begins_after_start = or_(and_(at.is_(None), day >= first), at >= start)
    ends_after_start = or_(and_(until_at.is_(None), until_day >= first), until_at > start)
    return and_(day.between(begun, latest), begins_before_end, or_(begins_after_start, ends_after_start))


# ── keywords ──────────────────────────────────────────────────────────────────────────────────────────────────────

_NUMBER = select(OWNER.c.no).where(OWNER.c.person == bindparam("owner")).scalar_subquery()
"""What stands for the owner in the index."""


def _with_term(length: int) -> Refs:
    """Refs of the records that can contain the keyword: looked up by one term. One that contains a single character in
    several places can come several times."""
    found = select(TERM.c.ref).where(TERM.c.owner == _NUMBER)
    if length == 1:
        first, last = (bindparam(name, type_=String()) for name in ("term", "term_end"))  # compared as the column is
        return found.where(TERM.c.term.between(first, last))
    return found.where(TERM.c.term == bindparam("term"))


def _is_words_alone(shape: Shape) -> bool:
    """A keyword is all that is asked. Its index holds the living in the order of creation: no record need be read."""
    return shape.keyword > 0 and shape == Shape(keyword=shape.keyword)


def _containing(length: int) -> Refs:
    """Refs of the records that contain the keyword."""
    found = _with_term(length)
    return found if length <= _PROVED else found.where(_has(TERM.c.ref))


def _has(ref: ColumnElement[int]) -> Condition:
    """The words are fetched one by one: of a join PostgreSQL might make a scan of everybody's."""
    words = select(WORDS.c.words).where(WORDS.c.owner == _NUMBER, WORDS.c.ref == ref).scalar_subquery()
    return words.like(bindparam("pattern"), escape="/")


def _rarest(connection: Connection, owner: PersonId, keyword: str) -> str:
    """The pair of characters that fewest records have, as far as the newest ones tell."""
    choice = pairs(keyword)[:_PAIRS]
    if len(choice) == 1:
        return choice[0]
    values = {f"pair_{number}": pair for number, pair in enumerate(choice)}
    depths = connection.execute(_how_far_back(len(choice)), {"owner": owner, **values}).one()
    return choice[min(range(len(choice)), key=lambda number: depths[number] or 0)]


@lru_cache(_PAIRS)
def _how_far_back(number: int) -> Select[Any]:
    """For each of so many pairs the ref that many newer records with it stand before; None if there are too few."""
    newest = select(TERM.c.ref).where(TERM.c.owner == _NUMBER).order_by(TERM.c.ref.desc()).offset(_DEEP).limit(1)
    under = (newest.where(TERM.c.term == bindparam(f"pair_{each}")) for each in range(number))
    return select(*(each.scalar_subquery() for each in under))
