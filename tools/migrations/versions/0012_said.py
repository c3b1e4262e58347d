"""What was said on the network, and what was thought better of: taken back, edited, stopped, blocked."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_NAMED = sa.text("message_id IS NOT NULL")


def upgrade() -> None:
    """Add the tables, and what a row of the inbox knows of its message and of second thoughts."""
    op.add_column("inbox", sa.Column("message_id", sa.String(64)))
    op.add_column("inbox", sa.Column("stop", sa.String(10)))
    op.add_column("inbox", sa.Column("stopped", sa.String(10)))
    op.add_column("inbox", sa.Column("restarts", sa.Integer, nullable=False, server_default="0"))
    op.create_index("inbox_message", "inbox", ["message_id"], sqlite_where=_NAMED, postgresql_where=_NAMED)
    op.create_table(
        "said",
        sa.Column("message_id", sa.String(64), primary_key=True),
        sa.Column("chat", sa.String(64), nullable=False),
        sa.Column("turn", sa.String(80), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("said_turn", "said", ["turn"])
    op.create_index("said_at", "said", ["at"])
    op.create_table(
        "unsent",
        sa.Column("message_id", sa.String(64), primary_key=True),
        sa.Column("chat", sa.String(64), nullable=False),
        sa.Column("turn", sa.String(80)),
        sa.Column("offered_in", sa.String(80)),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("unsent_chat", "unsent", ["chat"])
    op.create_index("unsent_at", "unsent", ["at"])
    op.create_table(
        "away",
        sa.Column("chat", sa.String(64), primary_key=True),
        sa.Column("is_away", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
