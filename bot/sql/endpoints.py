"""What was learned of each model at each endpoint, as rows of JSON.

Must not know what a lesson means.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, String, Table, Text, select, update

from tools.database import Database, insert_new, metadata, micros

NAME_CHARS = 400

ENDPOINT = Table(
    "endpoint",
    metadata,
    Column("name", String(NAME_CHARS), primary_key=True),
    Column("learned", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)
"""``learned`` is a JSON object; ``at`` in microseconds, UTC: when it last changed."""


class SqlEndpoints:
    """An EndpointsPort. Processes that learn at the same moment lose nothing of each other's."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def learned(self, name: str) -> Mapping[str, Any]:
        return await self._database.read(lambda connection: _kept(connection, name[:NAME_CHARS]))

    async def keep(self, name: str, learned: Mapping[str, Any]) -> None:
        key, at = name[:NAME_CHARS], micros(self._now())

        def work(connection: Connection) -> None:
            if insert_new(connection, ENDPOINT, {"name": key, "learned": _written(learned), "at": at}):
                return
            both = {**_kept(connection, key, alone=True), **learned}
            connection.execute(update(ENDPOINT).where(ENDPOINT.c.name == key).values(learned=_written(both), at=at))

        await self._database.write(work, durable=False)


def _kept(connection: Connection, name: str, *, alone: bool = False) -> dict[str, Any]:
    """The row, locked if it will be changed; what is no JSON object is nothing."""
    asked = select(ENDPOINT.c.learned).where(ENDPOINT.c.name == name)
    text = connection.execute(asked.with_for_update() if alone else asked).scalar_one_or_none()
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _written(learned: Mapping[str, Any]) -> str:
    return json.dumps(learned, ensure_ascii=False, sort_keys=True)
