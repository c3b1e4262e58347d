"""What was last seen in Notion of each record, and what is to be said of it."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Nothing has been looked at before: the first look compares everything."""
    op.add_column("notion_page", sa.Column("seen", sa.String(32)))
    op.add_column("notion_page", sa.Column("looked_at", sa.BigInteger))
    op.create_index("ix_notion_page_page_id", "notion_page", ["page_id"])
    op.create_table(
        "notion_news",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("told", sa.Text, nullable=False),
    )
