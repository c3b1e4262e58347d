"""Sessions of the operator's pages."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the table: nobody is in."""
    op.create_table(
        "admin_session",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("began_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )
