"""What the members of a group have paid, added up in the store.

Must not know who has to pay whom, or what anybody is called.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import case, func, select

from tools.database import Database, micros
from tools.record import MONEY_TYPES, PersonId
from tools.sql.record import RECORD


class SqlShares:
    """SharesPort over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def paid(self, group: PersonId, since: datetime) -> dict[str, dict[PersonId, int]]:
        who = func.coalesce(RECORD.c.payer, RECORD.c.author, RECORD.c.owner)
        spent = func.sum(case((RECORD.c.type == "income", -RECORD.c.amount), else_=RECORD.c.amount))
        asked = (
            select(RECORD.c.currency, who, spent)
            .where(RECORD.c.owner == group, RECORD.c.deleted_at.is_(None), RECORD.c.created_at > micros(since))
            .where(RECORD.c.type.in_(sorted(MONEY_TYPES)), RECORD.c.amount.is_not(None))
            .where(RECORD.c.status != "cancelled")
            .group_by(RECORD.c.currency, who)
            .order_by(RECORD.c.currency, who)
        )
        found: dict[str, dict[PersonId, int]] = {}
        for currency, person, units in await self._database.read(lambda c: c.execute(asked).all()):
            found.setdefault(currency, {})[PersonId(person)] = int(units)
        return found
