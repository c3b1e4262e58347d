"""What records are found by, as rows: their words, the pairs of characters in them, and their tags.

Only living records are in here; all of it can be made anew from the records. Must not know how one searches.
"""

from __future__ import annotations

import json
from collections.abc import Set as AbstractSet

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    and_,
    bindparam,
    delete,
    insert,
    select,
)

from tools.database import metadata
from tools.sql.record import Values, words_of
from tools.words import normalised, terms

_CODE_POINTS = String().with_variant(String(collation="C"), "postgresql")
"""Text in the order of its code points, on both stores."""

TERM = Table(
    "term",
    metadata,
    Column("owner", Integer, nullable=False),
    Column("term", _CODE_POINTS, nullable=False),
    Column("ref", Integer, nullable=False),
    PrimaryKeyConstraint("owner", "term", "ref"),
    sqlite_with_rowid=False,
)
WORDS = Table(
    "words",
    metadata,
    Column("owner", Integer, nullable=False),
    Column("ref", Integer, nullable=False),
    Column("words", Text, nullable=False),
    PrimaryKeyConstraint("owner", "ref"),
    sqlite_with_rowid=False,
)
"""The searchable text of a record, apart from it: a keyword is proved here, close together and without the record."""

TAG = Table(
    "record_tag",
    metadata,
    Column("owner", Integer, nullable=False),
    Column("ref", Integer, nullable=False),
    Column("tag", _CODE_POINTS, nullable=False),
    Column("name", String, nullable=False),
    PrimaryKeyConstraint("owner", "ref", "tag"),
    Index("ix_record_tag_tag", "owner", "tag", "ref"),
    sqlite_with_rowid=False,
)
"""``tag`` is the name as it is compared, ``name`` as it was given."""


def _of_record(table: Table) -> ColumnElement[bool]:
    return and_(table.c.owner == bindparam("of_owner"), table.c.ref == bindparam("of_ref"))


_TAGGED_BY = frozenset({"tags", "deleted_at"})
_FOUND_BY = _TAGGED_BY | {"content", "category", "notes"}

_WORDS_THERE = select(WORDS.c.words).where(_of_record(WORDS))
"""The text a record is indexed under now."""

_DROP_WORDS = delete(WORDS).where(_of_record(WORDS))
_DROP_TERM = delete(TERM).where(_of_record(TERM), TERM.c.term == bindparam("gone"))
_DROP_TAGS = delete(TAG).where(_of_record(TAG))
_ADD_WORDS, _ADD_TERM, _ADD_TAG = insert(WORDS), insert(TERM), insert(TAG)


def index(connection: Connection, owner_no: int, row: Values) -> None:
    """Put a new record into the index."""
    words = words_of(row)
    if words:
        connection.execute(_ADD_WORDS, {"owner": owner_no, "ref": row["ref"], "words": words})
    _add_terms(connection, owner_no, row["ref"], terms(words))
    _add_tags(connection, owner_no, row)


def index_again(connection: Connection, owner_no: int, row: Values, changed: AbstractSet[str]) -> None:
    """Bring the index to what a record is after a change of these columns: a deleted one is not in it at all."""
    this, there = {"of_owner": owner_no, "of_ref": row["ref"]}, row["deleted_at"] is None
    if not _TAGGED_BY.isdisjoint(changed):
        connection.execute(_DROP_TAGS, this)
        if there:
            _add_tags(connection, owner_no, row)
    if _FOUND_BY.isdisjoint(changed):
        return
    words, before = words_of(row) if there else "", connection.execute(_WORDS_THERE, this).scalar() or ""
    if words == before:
        return
    connection.execute(_DROP_WORDS, this)
    if words:
        connection.execute(_ADD_WORDS, {"owner": owner_no, "ref": row["ref"], "words": words})
    old, new = terms(before), terms(words)
    if gone := old - new:
        connection.execute(_DROP_TERM, [{**this, "gone": term} for term in gone])
    _add_terms(connection, owner_no, row["ref"], new - old)


def _add_terms(connection: Connection, owner_no: int, ref: int, new: AbstractSet[str]) -> None:
    if new:
        connection.execute(_ADD_TERM, [{"owner": owner_no, "term": term, "ref": ref} for term in sorted(new)])


def _add_tags(connection: Connection, owner_no: int, row: Values) -> None:
    names = {normalised(tag): tag for tag in json.loads(row["tags"])}
    if names:
        this = {"owner": owner_no, "ref": row["ref"]}
        connection.execute(_ADD_TAG, [{**this, "tag": tag, "name": name} for tag, name in names.items()])
