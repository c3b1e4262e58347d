"""Lists of categories that are somebody's own, and what was done to them."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Tables only: every list so far is the usual one of its language."""
    op.create_table(
        "category_list",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("taste", sa.Text, nullable=False),
    )
    op.create_table(
        "category_edit",
        sa.Column("turn", sa.String(80), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False, index=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("old", sa.Text, nullable=False),
        sa.Column("new", sa.Text, nullable=False),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("moved", sa.Text, nullable=False),
        sa.Column("undone_in", sa.String(80)),
    )
