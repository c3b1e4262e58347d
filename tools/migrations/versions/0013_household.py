"""Who else may talk to the bot, the groups with lists of their own, and who wrote and paid what."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add all of it: what is there already was written, and paid, by its owner."""
    op.add_column("record", sa.Column("author", sa.String(64)))
    op.add_column("record", sa.Column("payer", sa.String(64)))
    _people()
    _groups()


def _people() -> None:
    op.create_table(
        "invitation",
        sa.Column("made_in", sa.String(80), primary_key=True),
        sa.Column("code_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("used_by", sa.String(64)),
    )
    op.create_table(
        "member",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(16), nullable=False, unique=True),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("came_at", sa.BigInteger, nullable=False),
        sa.Column("removed_at", sa.BigInteger),
    )
    op.create_table(
        "consent",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("mirrored", sa.Boolean, nullable=False),
    )


def _groups() -> None:
    op.create_table(
        "household",
        sa.Column("chat", sa.String(64), primary_key=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("enabled_by", sa.String(64)),
        sa.Column("enabled_in", sa.String(80)),
        sa.Column("settled_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "household_member",
        sa.Column("chat", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("came_at", sa.BigInteger, nullable=False),
        sa.Column("left_at", sa.BigInteger),
        sa.Column("told_in", sa.String(80)),
    )
