"""What was learned of each model at each endpoint."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "endpoint",
        sa.Column("name", sa.String(400), primary_key=True),
        sa.Column("learned", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
