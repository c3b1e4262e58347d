"""The pairing code of the house, and the turn in which a stranger was told."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add both; who has paired before is known from the people."""
    op.create_table(
        "pairing",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("used_by", sa.String(64)),
    )
    op.add_column("stranger", sa.Column("told_in", sa.String(80)))
