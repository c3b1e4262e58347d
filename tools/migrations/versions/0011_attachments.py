"""What is kept beside records, what it came from, and the links that show it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "attachment",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("media_type", sa.String(40), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("kept_at", sa.BigInteger, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_index("ix_attachment_kept", "attachment", ["kept_at"])
    op.create_table(
        "fetched",
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("message", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64)),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("failure", sa.String(20)),
        sa.Column("heard", sa.Text),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_fetched_at", "fetched", ["at"])
    op.create_table(
        "attached",
        sa.Column("record_id", sa.String(32), sa.ForeignKey("record.id"), primary_key=True),
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_attached_digest", "attached", ["owner", "digest"])
    _add_links()


def _add_links() -> None:
    op.create_table(
        "media_link",
        sa.Column("secret", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("record_id", sa.String(32), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("ends_at", sa.BigInteger, nullable=False, index=True),
    )
