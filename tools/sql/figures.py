"""Figures over everything that matches a question: counted and added up in the store, one for each group and currency.

Must not know what matches: it is handed the conditions, and the columns in the form that suits them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Select, and_, case, func, literal, null, select

from tools.currency import THOUSANDTHS, WHOLE, major
from tools.record import MONEY_TYPES, Figure, Group, Total
from tools.sql.record import OWNER, RECORD, Values
from tools.sql.terms import TAG

Column = Callable[[str], ColumnElement[str]]
"""A column of the record by its name, in the form that suits what is asked."""


PARTS = 1_000
"""Of a whole unit of money, in the finest currency."""


def worth() -> ColumnElement[int]:
    """An amount in thousandths of its currency's unit, so that amounts of several are put in order by their figures."""
    record = RECORD.c
    parts = case((record.currency.in_(WHOLE), PARTS), (record.currency.in_(THOUSANDTHS), 1), else_=10)
    return record.amount * parts


def figures_asked(
    where: Sequence[ColumnElement[bool]], total: Total, group_by: Group | None, column: Column
) -> Select[Any]:
    """The statement: for each group and currency its name, its code, the sum in minor units and the count."""
    money = total != "count"
    group, name = _group(group_by, column)
    currency: ColumnElement[Any] = RECORD.c.currency if money else null()
    asked = select(name, currency, _value(total), func.count()).select_from(_tables(group_by)).where(*where)
    if money:
        types = [literal(kind) for kind in sorted(MONEY_TYPES)]
        asked = asked.where(column("type").in_(types), RECORD.c.amount.is_not(None))
    keys = ([] if group_by is None else [group]) + ([currency] if money else [])
    return asked.group_by(*keys)


def figures(
    connection: Connection, asked: Select[Any], values: Values, total: Total, group_by: Group | None
) -> tuple[Figure, ...]:
    """Lines in the order of their groups; of categories and tags the largest first. What is in no group comes last."""
    money = total != "count"
    lines = [
        Figure(major(int(units), code) if money else Decimal(units), count, code, named)
        for named, code, units, count in connection.execute(asked, values)
    ]
    by_size = group_by in {"category", "tag"}
    return tuple(sorted(lines, key=_largest_first if by_size else _in_order))


def _value(total: Total) -> ColumnElement[Any]:
    amount = RECORD.c.amount
    if total == "count":
        return func.count()
    return func.sum(amount if total == "amount" else case((RECORD.c.type == "income", amount), else_=-amount))


def _group(group_by: Group | None, column: Column) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """What lines are grouped by, and what a group is called."""
    if group_by is None:
        return null(), null()
    if group_by == "tag":
        return TAG.c.tag, func.min(TAG.c.name)
    if group_by == "month":
        month = func.substr(RECORD.c.when_day, 1, len("2026-11"))
        return month, month
    if group_by == "person":
        paid = func.coalesce(RECORD.c.payer, RECORD.c.author, RECORD.c.owner)
        return paid, paid
    each = column({"day": "when_day"}.get(group_by, group_by))
    return each, each


def _tables(group_by: Group | None) -> FromClause:
    """A record with two tags stands in both groups, one without in none."""
    if group_by != "tag":
        return RECORD
    numbered = RECORD.join(OWNER, OWNER.c.person == RECORD.c.owner)
    return numbered.outerjoin(TAG, and_(TAG.c.owner == OWNER.c.no, TAG.c.ref == RECORD.c.ref))


def _in_order(line: Figure) -> tuple[bool, str, str]:
    return line.group is None, line.group or "", line.currency or ""


def _largest_first(line: Figure) -> tuple[bool, Decimal, str, str]:
    return line.group is None, -line.value, line.group or "", line.currency or ""
