"""Who works what: claims with a lease and a fence; rows that only make the moves they may."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

UNSETTLED = sa.text("state IN ('received', 'working', 'answered', 'sending')")
CARRIED = sa.text("carried_by IS NOT NULL")

MOVES = (
    "'received>working', 'received>failed', "
    "'working>answered', 'working>failed', "
    "'answered>sending', 'answered>delivered', 'answered>failed', "
    "'sending>answered', 'sending>delivered', 'sending>failed', "
    "'delivered>received', 'failed>received'"
)
FORBIDDEN = f"OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN ({MOVES})"


def upgrade() -> None:
    """Add the claims, what a row knows of them, the horizon, and the guard."""
    op.create_table(
        "claim",
        sa.Column("lane", sa.String(66), primary_key=True),
        sa.Column("worker", sa.String(80), nullable=False),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("at_work", sa.Integer, nullable=False),
    )
    op.create_table(
        "horizon",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.add_column("inbox", sa.Column("fence", sa.BigInteger))
    op.add_column("inbox", sa.Column("deaths", sa.Integer, nullable=False, server_default="0"))
    op.add_column("inbox", sa.Column("carried_by", sa.String(80)))
    op.add_column("inbox", sa.Column("set_aside_at", sa.BigInteger))
    op.add_column("inbox", sa.Column("tried_token", sa.String(200)))
    op.execute(
        "UPDATE inbox SET tried_token = (SELECT other.reply_token FROM inbox AS other WHERE other.turn = inbox.turn "
        "AND other.reply_token IS NOT NULL ORDER BY other.token_at DESC LIMIT 1) WHERE state = 'sending' AND id = turn"
    )
    op.drop_index("inbox_lane_state", "inbox")
    op.create_index(
        "inbox_unsettled", "inbox", ["lane", "occurred_at"], sqlite_where=UNSETTLED, postgresql_where=UNSETTLED
    )
    op.create_index("inbox_carried", "inbox", ["carried_by"], sqlite_where=CARRIED, postgresql_where=CARRIED)
    op.create_index("inbox_moved", "inbox", ["moved_at"])
    _guard(op.get_bind().dialect.name)


def _guard(dialect: str) -> None:
    """A row that would make a move it may not is refused, whoever asks."""
    if dialect == "sqlite":
        op.execute(
            f"CREATE TRIGGER inbox_moves BEFORE UPDATE OF state ON inbox WHEN {FORBIDDEN} "
            "BEGIN SELECT RAISE(ABORT, 'an inbox row may not move so'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION inbox_refuse_move() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'an inbox row may not move so' USING ERRCODE = 'check_violation'; END $$"
    )
    op.execute(
        f"CREATE TRIGGER inbox_moves BEFORE UPDATE OF state ON inbox FOR EACH ROW WHEN ({FORBIDDEN}) "
        "EXECUTE FUNCTION inbox_refuse_move()"
    )
