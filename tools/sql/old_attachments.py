"""Attachments that nobody needs any more: what housekeeping lets go, a batch at a time.

Must not know when it is done, or what was taken back by its sender.
"""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import ColumnElement, Delete, Table, bindparam, delete, select, tuple_

from tools.sql.attachments import ATTACHED, ATTACHMENT, FETCHED, MEDIA_LINK
from tools.sql.record import RECORD

UNHELD_DAYS = timedelta(days=7)
"""What no record holds stays for so long: a turn may still be about to make one."""

UNDO_DAYS = timedelta(days=31)
"""A deletion can be taken back for thirty days: until then what the record holds stays."""


def batch_of(table: Table, old: ColumnElement[bool]) -> Delete:
    """Delete one batch of these rows; what another locks is skipped."""
    key = table.primary_key.columns
    batch = select(*key).where(old).limit(bindparam("most")).with_for_update(of=table, skip_locked=True)
    return delete(table).where(tuple_(*key).in_(batch))


DROP_FETCHED = batch_of(FETCHED, FETCHED.c.at < bindparam("before"))
DROP_LINKS = batch_of(MEDIA_LINK, MEDIA_LINK.c.ends_at <= bindparam("now"))
DROP_HOLDS = batch_of(
    ATTACHED,
    ATTACHED.c.record_id.in_(select(RECORD.c.id).where(RECORD.c.deleted_at < bindparam("before"))),
)
DROP_UNHELD = batch_of(
    ATTACHMENT,
    (ATTACHMENT.c.kept_at < bindparam("before"))
    & ~select(ATTACHED.c.digest)
    .where(ATTACHED.c.owner == ATTACHMENT.c.owner, ATTACHED.c.digest == ATTACHMENT.c.digest)
    .exists(),
)
