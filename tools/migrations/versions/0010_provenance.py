"""Whose words a record holds."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column: what is there already was said by its owner."""
    op.add_column("record", sa.Column("origin", sa.String(10), nullable=False, server_default="own"))
