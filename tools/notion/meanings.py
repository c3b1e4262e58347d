"""What the owner wrote about the columns of their table, as it was last seen there.

Read from the store, and by nobody else's turn than the owner's. Must not know who reads it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from tools.database import Database
from tools.notion import table as tables
from tools.record import PersonId

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Meanings:
    """``owner`` tells whose table it is."""

    database: Database
    owner: Callable[[], Awaitable[PersonId | None]]

    async def of(self, person: PersonId) -> Mapping[str, str]:
        """By our words for columns; nothing for others than the owner. Never raises."""
        try:
            if await self.owner() != person:
                return {}
            table = await self.database.read(tables.known)
        except Exception:  # noqa: BLE001 - without it an answer is as good as before
            _log.exception("what columns mean cannot be told")
            return {}
        return table.meanings if table else {}
