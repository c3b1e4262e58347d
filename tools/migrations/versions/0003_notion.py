"""What stands in Notion of each record."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Tables only: nothing has been sent before."""
    op.create_table(
        "notion_page",
        sa.Column("record_id", sa.String(32), primary_key=True),
        sa.Column("page_id", sa.String(36)),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("pushed_rev", sa.Integer, nullable=False),
        sa.Column("url", sa.Text),
        sa.Column("sent", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_at", sa.BigInteger),
        sa.Column("check_at", sa.BigInteger),
        sa.Column("pushed_at", sa.BigInteger),
        sa.Column("last_error", sa.Text),
    )
    op.create_table(
        "notion_state",
        sa.Column("key", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
