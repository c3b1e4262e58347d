"""Somebody's list of categories as a row, and what was done to it for as long as it can be taken back.

An edit that moves records does so in the same transaction, through their books, so that a mirror hears of each. Must
not know what a list means, or which words ask for a change.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Row, String, Table, Text, delete, func, insert, select, update

from tools.categories import Categories, CategoryEdit, Learnt, ListChangedSince, Taste, key
from tools.consent import UNDO_LASTS
from tools.database import Database, insert_new, metadata, micros
from tools.record import PersonId
from tools.sql.books import Books
from tools.sql.record import RECORD

CATEGORY_LIST = Table(
    "category_list",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("taste", Text, nullable=False),
)

CATEGORY_EDIT = Table(
    "category_edit",
    metadata,
    Column("turn", String(80), primary_key=True),
    Column("owner", String(64), nullable=False, index=True),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("old", Text, nullable=False),
    Column("new", Text, nullable=False),
    Column("before", Text, nullable=False),
    Column("moved", Text, nullable=False),
    Column("undone_in", String(80)),
)
"""``before`` is the taste as it was, ``moved`` the refs of the records that were given another category."""


class SqlCategories:
    """The CategoriesPort over a database."""

    def __init__(self, database: Database, owner: PersonId, now: Callable[[], datetime]) -> None:
        self._database = database
        self._owner = owner
        self._now = now

    async def of(self, standard: tuple[str, ...]) -> Categories:
        return Categories(standard, await self._database.read(self._taste))

    async def learn(self, word: str, category: str, ref: int) -> None:
        def work(connection: Connection) -> None:
            taste = self._taste(connection)
            said = taste.words.get(key(word))
            if said is None or said.ref is not None or said.category != category:
                self._keep(connection, Categories((), taste).taught(word, category, ref).taste)

        await self._database.write(work, durable=False)

    async def edit(self, turn: str, edit: CategoryEdit, becomes: Taste) -> CategoryEdit:
        def work(connection: Connection) -> CategoryEdit:
            done = connection.execute(select(CATEGORY_EDIT).where(CATEGORY_EDIT.c.turn == turn)).one_or_none()
            if done is not None:
                return _edit(done)
            before, moved = self._taste(connection), []
            if edit.kind in {"rename", "merge"}:
                moved = self._moved(connection, edit.old, edit.new)
            self._keep(connection, becomes)
            row = {"turn": turn, "owner": self._owner, "at": micros(self._now()), "kind": edit.kind}
            row |= {"old": edit.old, "new": edit.new, "before": taste_to_json(before), "moved": json.dumps(moved)}
            connection.execute(delete(CATEGORY_EDIT).where(self._mine, CATEGORY_EDIT.c.at < self._since))
            connection.execute(insert(CATEGORY_EDIT).values(row))
            return _edit(connection.execute(select(CATEGORY_EDIT).where(CATEGORY_EDIT.c.turn == turn)).one())

        return await self._database.write(work, durable=False)

    async def undo(
        self, turn: str, of_turn: str | None = None, *, since: datetime | None = None
    ) -> CategoryEdit | None:
        def work(connection: Connection) -> CategoryEdit | None:
            again = select(CATEGORY_EDIT).where(self._mine, CATEGORY_EDIT.c.undone_in == turn)
            if done := connection.execute(again).first():
                return _edit(done)
            last = connection.execute(self._last(of_turn)).first()
            if last is None or (since is not None and last.at < micros(since)):
                return None
            if of_turn is not None and connection.execute(self._last(None)).one().turn != last.turn:
                raise ListChangedSince
            moved = json.loads(last.moved)
            if moved:
                self._moved(connection, last.new, last.old, frozenset(moved))
            self._keep(connection, _taken_back(taste_of_json(last.before), self._taste(connection), last))
            undone = update(CATEGORY_EDIT).where(CATEGORY_EDIT.c.turn == last.turn).values(undone_in=turn)
            connection.execute(undone)
            return _edit(last)

        return await self._database.write(work, durable=False)

    async def borne(self, name: str) -> int:
        mine = (RECORD.c.owner == self._owner, RECORD.c.deleted_at.is_(None), RECORD.c.category == name)
        asked = select(func.count()).select_from(RECORD).where(*mine)
        return int(await self._database.read(lambda connection: connection.execute(asked).scalar_one()))

    # ── in a transaction ──────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _mine(self) -> Any:
        return CATEGORY_EDIT.c.owner == self._owner

    @property
    def _since(self) -> int:
        return micros(self._now() - UNDO_LASTS)

    def _last(self, of_turn: str | None) -> Any:
        """Edits are taken back in turn, the last one first."""
        open_yet = select(CATEGORY_EDIT).where(
            self._mine, CATEGORY_EDIT.c.undone_in.is_(None), CATEGORY_EDIT.c.at >= self._since
        )
        if of_turn is not None:
            return open_yet.where(CATEGORY_EDIT.c.turn == of_turn)
        return open_yet.order_by(CATEGORY_EDIT.c.at.desc(), CATEGORY_EDIT.c.turn.desc()).limit(1)

    def _taste(self, connection: Connection) -> Taste:
        mine = select(CATEGORY_LIST.c.taste).where(CATEGORY_LIST.c.owner == self._owner)
        found = connection.execute(mine).scalar_one_or_none()
        return taste_of_json(found) if found else Taste()

    def _keep(self, connection: Connection, taste: Taste) -> None:
        row = {"owner": self._owner, "taste": taste_to_json(taste)}
        if not insert_new(connection, CATEGORY_LIST, row):
            mine = update(CATEGORY_LIST).where(CATEGORY_LIST.c.owner == self._owner)
            connection.execute(mine.values(taste=row["taste"]))

    def _moved(self, connection: Connection, old: str, new: str, refs: frozenset[int] | None = None) -> list[int]:
        """Give the living records of one category another; of only some if ``refs`` names them."""
        books = Books(connection, self._owner, self._now())
        mine = (RECORD.c.owner == self._owner, RECORD.c.deleted_at.is_(None), RECORD.c.category == old)
        rows = connection.execute(select(RECORD).where(*mine).order_by(RECORD.c.ref)).all()
        moving = [row._asdict() for row in rows if refs is None or row.ref in refs]
        for row in moving:
            books.alter(row, {"category": new})
        return [row["ref"] for row in moving]


def _edit(row: Row[Any]) -> CategoryEdit:
    return CategoryEdit(kind=row.kind, old=row.old, new=row.new, moved=len(json.loads(row.moved)))


def _taken_back(before: Taste, now: Taste, edit: Row[Any]) -> Taste:
    """As it was, with what was learnt since of what is still there."""
    since = {
        word: learnt
        for word, learnt in now.words.items()
        if word not in before.words and word != key(edit.old) and learnt.category != edit.new
    }
    return replace(before, words={**before.words, **since})


def taste_to_json(taste: Taste) -> str:
    """What of a list is stored."""
    return json.dumps(asdict(taste), ensure_ascii=False)


def taste_of_json(text: str) -> Taste:
    """The same as it was."""
    kept = json.loads(text)
    return Taste(
        named={int(place): name for place, name in kept["named"].items()},
        gone={int(place): name for place, name in kept["gone"].items()},
        more=tuple(kept["more"]),
        once=kept["once"],
        words={word: Learnt(**learnt) for word, learnt in kept["words"].items()},
    )
