"""What was heard, what was said about it, and who spoke."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables of the conversation."""
    op.create_table(
        "inbox",
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("chat", sa.String(64), nullable=False),
        sa.Column("lane", sa.String(66), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("turn", sa.String(80)),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("reply_token", sa.String(200)),
        sa.Column("token_at", sa.BigInteger, nullable=False),
        sa.Column("occurred_at", sa.BigInteger, nullable=False),
        sa.Column("answer", sa.Text),
        sa.Column("owed_at", sa.BigInteger),
        sa.Column("maybe_sent", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("moved_at", sa.BigInteger, nullable=False),
    )
    op.create_index("inbox_lane_state", "inbox", ["lane", "state"])
    op.create_index("inbox_chat_owed", "inbox", ["chat", "owed_at"])
    op.create_index("inbox_turn", "inbox", ["turn"])
    op.create_table(
        "transcript",
        sa.Column("turn", sa.String(80), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("chat", sa.String(64), nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("transcript_chat_at", "transcript", ["chat", "at"])
    op.create_table(
        "person",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("language", sa.String(10), nullable=False),
        sa.Column("home", sa.String(10), nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("met_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "stranger",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("told_on", sa.String(10), nullable=False),
    )
