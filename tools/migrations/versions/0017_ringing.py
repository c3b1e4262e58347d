"""Reminders know the wall they were set on, records come again, and people have hours of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """What was set before keeps its moment; nothing has come again yet, and nobody has said when they sleep."""
    op.add_column("record", sa.Column("remind_local", sa.String(100)))
    op.add_column("record", sa.Column("repeat", sa.Text))
    op.add_column("person", sa.Column("quiet", sa.String(11)))
    op.add_column("person", sa.Column("bedtime", sa.String(5)))
