"""Which tool was called, by whom, and what came of it; and the key of the arguments' hashes."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "tool_call",
        sa.Column("turn", sa.String(80), primary_key=True),
        sa.Column("call", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("tool", sa.String(64), nullable=False),
        sa.Column("outcome", sa.String(40), nullable=False),
        sa.Column("milliseconds", sa.Integer, nullable=False),
        sa.Column("arguments", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, index=True),
    )
    op.create_table(
        "audit_key",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(64), nullable=False),
    )
