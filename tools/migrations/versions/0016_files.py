"""Which files stand in the pages of Notion."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """A table only: no file has been sent before."""
    op.create_table(
        "notion_file",
        sa.Column("record_id", sa.String(32), primary_key=True),
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("page_id", sa.String(36)),
        sa.Column("block_id", sa.String(36)),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_at", sa.BigInteger),
        sa.Column("check_at", sa.BigInteger),
    )
