"""Words that wait for the model to come back, and how long it has been away."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_WAITING = sa.text("settled_by IS NULL")


def upgrade() -> None:
    """Add both tables."""
    op.create_table(
        "postponed",
        sa.Column("turn", sa.String(80), primary_key=True),
        sa.Column("said_in", sa.String(80), nullable=False, unique=True),
        sa.Column("chat", sa.String(64), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("done", sa.Text, nullable=False),
        sa.Column("told", sa.Integer, nullable=False),
        sa.Column("said_at", sa.BigInteger, nullable=False),
        sa.Column("kept_at", sa.BigInteger, nullable=False),
        sa.Column("handed", sa.Integer, nullable=False),
        sa.Column("handed_at", sa.BigInteger),
        sa.Column("rests_until", sa.BigInteger),
        sa.Column("settled_by", sa.String(80)),
        sa.Column("settled_at", sa.BigInteger),
        sa.Column("outcome", sa.String(10)),
    )
    op.create_index("postponed_chat", "postponed", ["chat"])
    op.create_index(
        "postponed_waiting",
        "postponed",
        ["chat", "said_at"],
        sqlite_where=_WAITING,
        postgresql_where=_WAITING,
    )
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("try_at", sa.BigInteger, nullable=False),
    )
