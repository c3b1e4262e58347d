"""Every call of a tool as a row: who, which tool, when, what came of it, how long it took. Never what was asked.

A row is written in the transaction that stores the call's result in the transcript: it costs no commit of its own, and
after a crash there is one exactly where a result is. Of the arguments a keyed hash is kept: it tells equal calls, and
whether a call was a certain one, to whoever has the key. Must not know how a tool works, or what its arguments mean.
"""

from __future__ import annotations

import hmac
import json
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Integer, Row, String, Table, func, select

from bot.log_command import AuditedCall
from bot.ports import TurnId
from bot.thinking.tool_arguments import canonical, parse_arguments
from bot.thinking.tool_loop import ToolEvent
from tools.database import Database, Work, insert_new, instant, metadata, micros
from tools.definition import ToolError
from tools.record import PersonId

TOOL_CALL = Table(
    "tool_call",
    metadata,
    Column("turn", String(80), primary_key=True),
    Column("call", Integer, primary_key=True, autoincrement=False),
    Column("person", String(64), nullable=False),
    Column("tool", String(64), nullable=False),
    Column("outcome", String(40), nullable=False),
    Column("milliseconds", Integer, nullable=False),
    Column("arguments", String(64), nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
)
"""``arguments`` as HMAC-SHA256 in hex; ``at`` in microseconds, UTC."""

AUDIT_KEY = Table(
    "audit_key",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("key", String(64), nullable=False),
)
"""One row, made with the first call. Rows that are shown or handed on give away nothing that could be guessed and tried
without it; whoever has the whole store has the records themselves."""

TURNS_UNDER_WAY = 1_000
"""Turns whose calls wait for their row: one that broke off may go on in another process, and is forgotten here."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")

log = logging.getLogger(__name__)


class SqlAudit:
    """Notes calls while they are made; their rows are written beside the transcript. ``mask`` takes secrets out of what
    a model called a tool."""

    def __init__(self, now: Callable[[], datetime], mask: Callable[[str], str] = str) -> None:
        self._now = now
        self._mask = mask
        self._key: bytes | None = None
        self._waiting: OrderedDict[TurnId, dict[int, tuple[ToolEvent, int]]] = OrderedDict()

    def note(self, event: ToolEvent) -> None:
        """Note what came of a call; told again after an interruption, the last word counts."""
        if event.state == "started":
            return
        self._waiting.setdefault(event.turn, {})[event.call] = (event, micros(self._now()))
        while len(self._waiting) > TURNS_UNDER_WAY:
            self._waiting.popitem(last=False)

    def beside(self, turn: TurnId) -> Work[None] | None:
        """What is to be written in the transaction that stores the turn's results; None if nothing is."""
        noted = self._waiting.pop(turn, None)
        if noted is None:
            return None

        def work(connection: Connection) -> None:
            key = self._key_in(connection)
            for event, at in noted.values():
                if row := self._row(event, at, key):
                    insert_new(connection, TOOL_CALL, row)

        return work

    def _key_in(self, connection: Connection) -> bytes:
        if self._key is None and (found := connection.execute(_KEY).scalar()):
            self._key = bytes.fromhex(found)
        if self._key is not None:
            return self._key
        insert_new(connection, AUDIT_KEY, {"id": 1, "key": secrets.token_hex(32)})
        return bytes.fromhex(connection.execute(_KEY).scalar_one())  # and remembered once it is there for certain

    def _row(self, event: ToolEvent, at: int, key: bytes) -> dict[str, str | int] | None:
        """None for what cannot be put in a row: an audit never breaks a turn."""
        try:
            return {
                "turn": event.turn,
                "call": event.call,
                "person": event.person,
                "tool": event.tool if _NAME.fullmatch(self._mask(event.tool)) else "?",
                "outcome": event.outcome[:40],
                "milliseconds": min(round(event.seconds * 1000), 2**31 - 1),
                "arguments": hash_of(event.tool, event.arguments, key),
                "at": at,
            }
        except Exception as odd:  # noqa: BLE001 - whatever a model sent is masked and hashed here
            log.warning("turn %s: a call is not in the audit (%s)", event.turn, type(odd).__name__)
            return None


@asynccontextmanager
async def audit_of(url: str) -> AsyncIterator[SqlAuditTrail]:
    """The calls in a store that is there and up to date; nothing is created, changed or started. Raises
    DatabaseUnavailable."""
    database = Database(url)
    try:
        await database.join()
        yield SqlAuditTrail(database)
    finally:
        await database.close()


class SqlAuditTrail:
    """The AuditPort, and the CallsPort."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def calls(self, *, turn: str, person: str, last: int) -> list[AuditedCall]:
        newest = (
            select(TOOL_CALL.c.turn)
            .where(TOOL_CALL.c.turn.startswith(turn, autoescape=True))
            .where(TOOL_CALL.c.person.startswith(person, autoescape=True))
            .group_by(TOOL_CALL.c.turn)
            .order_by(func.max(TOOL_CALL.c.at).desc())
            .limit(last)
            .subquery()
        )
        query = select(TOOL_CALL).join(newest, newest.c.turn == TOOL_CALL.c.turn).order_by(*_IN_ORDER)
        return await self._database.read(lambda connection: [_call(row) for row in connection.execute(query)])

    async def newest(self, *, person: str, most: int, skip: int) -> list[AuditedCall]:
        """Call by call, for the operator's pages."""
        query = select(TOOL_CALL).order_by(*(each.desc() for each in _IN_ORDER)).limit(most).offset(skip)
        if person:
            query = query.where(TOOL_CALL.c.person.startswith(person, autoescape=True))
        return await self._database.read(lambda connection: [_call(row) for row in connection.execute(query)])


_KEY = select(AUDIT_KEY.c.key)
_IN_ORDER = (TOOL_CALL.c.at, TOOL_CALL.c.turn, TOOL_CALL.c.call)


def _call(row: Row[Any]) -> AuditedCall:
    return AuditedCall(
        turn=TurnId(row.turn),
        call=row.call,
        person=PersonId(row.person),
        tool=row.tool,
        outcome=row.outcome,
        seconds=row.milliseconds / 1000,
        hash=row.arguments,
        at=instant(row.at),
    )


def hash_of(tool: str, arguments: object, key: bytes) -> str:
    """The keyed hash of a call: equal for equal arguments, however they were written."""
    try:
        said = canonical(parse_arguments(arguments))
    except ToolError:
        said = arguments if isinstance(arguments, str) else json.dumps(arguments, default=repr)
    return hmac.digest(key, f"{tool}\n{said}".encode("utf-8", "surrogatepass"), "sha256").hex()
