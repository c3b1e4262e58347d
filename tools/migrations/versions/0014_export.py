"""A language that was chosen; links to what a person takes along; and what is to be forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the column and the tables: nobody has chosen a language so far."""
    op.add_column("person", sa.Column("keeps_language", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "export_link",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(64), nullable=False, unique=True),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger),
    )
    op.create_table(
        "farewell",
        sa.Column("asked_in", sa.String(80), primary_key=True),
        sa.Column("person", sa.String(64)),
        sa.Column("asked_at", sa.BigInteger, nullable=False),
        sa.Column("agreed_in", sa.String(80)),
        sa.Column("agreed_at", sa.BigInteger),
        sa.Column("records", sa.Integer),
    )
    op.create_table(
        "notion_trash",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("page_id", sa.String(36)),
        sa.Column("next_at", sa.BigInteger, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
    )
