"""Records, what they are found by, and every change to them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables of the memory."""
    _owners()
    _records()
    _index_of_words()
    _changes()


def _owners() -> None:
    op.create_table(
        "owner",
        sa.Column("no", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(64), nullable=False, unique=True),
        sa.Column("last_ref", sa.Integer, nullable=False),
    )


def _records() -> None:
    op.create_table(
        "record",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String(64), sa.ForeignKey("owner.person"), nullable=False),
        sa.Column("ref", sa.Integer, nullable=False),
        sa.Column("key", sa.String(32), nullable=False, unique=True),
        sa.Column("rev", sa.Integer, nullable=False),
        sa.Column("type", sa.String(10), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("when_day", sa.String(10)),
        sa.Column("when_at", sa.BigInteger),
        sa.Column("until_day", sa.String(10)),
        sa.Column("until_at", sa.BigInteger),
        sa.Column("remind_at", sa.BigInteger),
        sa.Column("next_ring", sa.BigInteger),
        sa.Column("amount", sa.BigInteger),
        sa.Column("currency", sa.String(3)),
        sa.Column("category", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("deleted_at", sa.BigInteger),
        sa.Column("tags", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("notes", sa.Text, nullable=False),
        sa.UniqueConstraint("owner", "ref"),
    )
    times = ["when_day", "when_at", "until_day", "until_at"]
    added_up = ["owner", *times, "type", "status", "category", "currency", "amount", "ref", "deleted_at"]
    _partial("ix_record_when", "record", added_up, "deleted_at IS NULL")
    named = ["owner", "ref", "deleted_at", "type", "status", "category", "currency", "amount", "when_day", "when_at"]
    _partial("ix_record_ref", "record", named, "deleted_at IS NULL")
    counted = ["owner", "status", "type", "when_day", "when_at", "ref", "deleted_at"]
    _partial("ix_record_kind", "record", counted, "deleted_at IS NULL")
    _partial(
        "ix_record_until", "record", ["owner", "until_day", "when_day"], "deleted_at IS NULL AND until_day IS NOT NULL"
    )
    _partial("ix_record_ring", "record", ["next_ring"], "next_ring IS NOT NULL")


def _index_of_words() -> None:
    code_points = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    op.create_table(
        "term",
        sa.Column("owner", sa.Integer, nullable=False),
        sa.Column("term", code_points, nullable=False),
        sa.Column("ref", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("owner", "term", "ref"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "words",
        sa.Column("owner", sa.Integer, nullable=False),
        sa.Column("ref", sa.Integer, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("owner", "ref"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "record_tag",
        sa.Column("owner", sa.Integer, nullable=False),
        sa.Column("ref", sa.Integer, nullable=False),
        sa.Column("tag", code_points, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("owner", "ref", "tag"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_record_tag_tag", "record_tag", ["owner", "tag", "ref"])


def _changes() -> None:
    op.create_table(
        "change",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        sa.Column("owner", sa.String(64), sa.ForeignKey("owner.person"), nullable=False),
        sa.Column("turn", sa.String(80), nullable=False),
        sa.Column("call", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("record_id", sa.String(32), sa.ForeignKey("record.id"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger),
        sa.Column("undoes", sa.String(32)),
        sa.Column("confirmed_turn", sa.String(80)),
        sa.Column("confirmed_call", sa.Integer),
        sa.Column("before", sa.Text),
        sa.Column("after", sa.Text),
        sa.Column("result", sa.Text, nullable=False),
        sa.UniqueConstraint("turn", "call", "kind", "record_id"),
    )
    op.create_index("ix_change_at", "change", ["owner", "at", "seq"])
    op.create_index("ix_change_record", "change", ["record_id"])
    _partial("ix_change_confirmed", "change", ["confirmed_turn"], "confirmed_turn IS NOT NULL")


def _partial(name: str, table: str, columns: list[str], where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)
