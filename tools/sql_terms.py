"""What records are found by, as rows: their words, the pairs of characters in them, and their tags.

Only living records are in here; all of it can be made anew from the records. Must not know how one searches.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import (
    Column,
    Connection,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    bindparam,
    delete,
    insert,
    select,
)

from tools.database import metadata
from tools.sql_record import Values, words_of
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


def index(connection: Connection, owner_no: int, row: Values) -> None:
    """Bring the index to what the record is now: a deleted one is not in it at all."""
    there = row["deleted_at"] is None
    words = words_of(row) if there else ""
    _index_words(connection, owner_no, row["ref"], words)
    tags = {normalised(tag): tag for tag in json.loads(row["tags"])} if there else {}
    _index_tags(connection, owner_no, row["ref"], tags)


def _index_words(connection: Connection, owner_no: int, ref: int, words: str) -> None:
    mine = WORDS.c.owner == owner_no, WORDS.c.ref == ref
    before = connection.execute(select(WORDS.c.words).where(*mine)).scalar_one_or_none() or ""
    if words == before:
        return
    if before:
        connection.execute(delete(WORDS).where(*mine))
    if words:
        connection.execute(insert(WORDS), {"owner": owner_no, "ref": ref, "words": words})
    old, new = terms(before), terms(words)
    if gone := old - new:
        this = delete(TERM).where(TERM.c.owner == owner_no, TERM.c.term == bindparam("gone"), TERM.c.ref == ref)
        connection.execute(this, [{"gone": term} for term in gone])
    if come := new - old:
        connection.execute(insert(TERM), [{"owner": owner_no, "term": term, "ref": ref} for term in sorted(come)])


def _index_tags(connection: Connection, owner_no: int, ref: int, tags: Mapping[str, str]) -> None:
    mine = TAG.c.owner == owner_no, TAG.c.ref == ref
    before = {row.tag: row.name for row in connection.execute(select(TAG.c.tag, TAG.c.name).where(*mine))}
    if tags == before:
        return
    connection.execute(delete(TAG).where(*mine))
    if tags:
        rows = [{"owner": owner_no, "ref": ref, "tag": tag, "name": name} for tag, name in tags.items()]
        connection.execute(insert(TAG), rows)
