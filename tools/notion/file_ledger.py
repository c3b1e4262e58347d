"""Which of the files that records hold stand in their pages in Notion, and which have to go there or away.

Plain functions of a Connection. Must not know how a file is sent, or what is shown in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    String,
    Table,
    Update,
    and_,
    delete,
    func,
    or_,
    select,
    union,
    update,
)

from tools.attachment import Attachment
from tools.database import insert_new, metadata, micros
from tools.notion.ledger import NOTION_PAGE
from tools.notion.pace import after_refusals
from tools.record import PersonId
from tools.sql.attachments import ATTACHED, ATTACHMENT
from tools.sql.record import RECORD

NOTION_FILE = Table(
    "notion_file",
    metadata,
    Column("record_id", String(32), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("page_id", String(36)),
    Column("block_id", String(36)),
    Column("attempts", Integer, nullable=False),
    Column("next_at", BigInteger),
    Column("check_at", BigInteger),
)
"""``block_id``: where it stands, and in which page; None until it does, and another page is another matter.
``next_at``: not tried again before then. ``check_at``: when to look for a second one that an unclear attempt may have
left. Times are microseconds since 1970 UTC."""


@dataclass(frozen=True, slots=True)
class Album:
    """What a record holds, and what stands in its page. ``missing`` is in the order in which it is held; ``withdrawn``
    are blocks, by digest, of what it does not hold any more; ``placed`` all blocks that are known. ``is_unsure``:
    it is time to look for what an unclear attempt left."""

    record_id: str
    owner: PersonId
    ref: int
    page_id: str
    missing: tuple[Attachment, ...]
    withdrawn: dict[str, str]
    placed: frozenset[str]
    is_unsure: bool


_HELD = and_(NOTION_FILE.c.record_id == ATTACHED.c.record_id, NOTION_FILE.c.digest == ATTACHED.c.digest)
_SHOWN = and_(NOTION_PAGE.c.state == "there", RECORD.c.deleted_at.is_(None))
_ELSEWHERE = NOTION_FILE.c.page_id != NOTION_PAGE.c.page_id
_WITH_BYTES = and_(ATTACHMENT.c.owner == ATTACHED.c.owner, ATTACHMENT.c.digest == ATTACHED.c.digest)


def waiting(connection: Connection) -> int:
    """How many files still have to go to pages that are there."""
    found = (
        select(func.count())
        .select_from(ATTACHED)
        .join(RECORD, RECORD.c.id == ATTACHED.c.record_id)
        .join(NOTION_PAGE, NOTION_PAGE.c.record_id == ATTACHED.c.record_id)
        .join(ATTACHMENT, _WITH_BYTES)
        .outerjoin(NOTION_FILE, _HELD)
        .where(_SHOWN, or_(NOTION_FILE.c.block_id.is_(None), _ELSEWHERE))
    )
    return int(connection.execute(found).scalar_one())


def due(connection: Connection, now: datetime, limit: int) -> list[str]:
    """Records in whose pages something has to be done now."""
    ready = or_(NOTION_FILE.c.next_at.is_(None), NOTION_FILE.c.next_at <= micros(now))
    missing = (
        select(ATTACHED.c.record_id)
        .join(RECORD, RECORD.c.id == ATTACHED.c.record_id)
        .join(NOTION_PAGE, NOTION_PAGE.c.record_id == ATTACHED.c.record_id)
        .join(ATTACHMENT, _WITH_BYTES)
        .outerjoin(NOTION_FILE, _HELD)
        .where(_SHOWN, or_(NOTION_FILE.c.block_id.is_(None), _ELSEWHERE), ready)
    )
    left = (
        select(NOTION_FILE.c.record_id)
        .join(RECORD, RECORD.c.id == NOTION_FILE.c.record_id)
        .join(NOTION_PAGE, NOTION_PAGE.c.record_id == NOTION_FILE.c.record_id)
        .outerjoin(ATTACHED, _HELD)
        .where(_SHOWN, or_(and_(ATTACHED.c.digest.is_(None), ready), NOTION_FILE.c.check_at <= micros(now)))
    )
    return list(connection.execute(union(missing, left).limit(limit)).scalars())


def album(connection: Connection, record_id: str, now: datetime) -> Album | None:
    """What is to be done in a record's page; None if it has none now."""
    this = select(RECORD.c.owner, RECORD.c.ref, NOTION_PAGE.c.page_id).join(
        NOTION_PAGE, NOTION_PAGE.c.record_id == RECORD.c.id
    )
    page = connection.execute(this.where(RECORD.c.id == record_id, _SHOWN)).one_or_none()
    if page is None:
        return None
    rows = connection.execute(select(NOTION_FILE).where(NOTION_FILE.c.record_id == record_id)).all()
    held = (
        select(ATTACHED.c.digest, ATTACHED.c.name, ATTACHMENT.c.media_type, ATTACHMENT.c.size)
        .outerjoin(ATTACHMENT, _WITH_BYTES)
        .where(ATTACHED.c.record_id == record_id)
        .order_by(ATTACHED.c.place)
    )
    holds = {each.digest: each for each in connection.execute(held)}
    here = {each.digest: each.block_id for each in rows if each.block_id and each.page_id == page.page_id}
    done = here.keys() | {each.digest for each in rows if (each.next_at or 0) > micros(now)}
    return Album(
        record_id=record_id,
        owner=PersonId(page.owner),
        ref=page.ref,
        page_id=page.page_id,
        missing=tuple(
            Attachment(each.digest, each.media_type, each.size, each.name)
            for each in holds.values()
            if each.digest not in done and each.media_type is not None
        ),
        withdrawn={each.digest: here.get(each.digest, "") for each in rows if each.digest not in holds},
        placed=frozenset(here.values()),
        is_unsure=any(each.check_at is not None and each.check_at <= micros(now) for each in rows),
    )


def content(connection: Connection, owner: PersonId, digest: str) -> bytes | None:
    """The bytes; None if they are gone."""
    this = select(ATTACHMENT.c.content).where(ATTACHMENT.c.owner == owner, ATTACHMENT.c.digest == digest)
    return connection.execute(this).scalar_one_or_none()


def _row(connection: Connection, record_id: str, digest: str, **values: object) -> None:
    insert_new(connection, NOTION_FILE, {"record_id": record_id, "digest": digest, "attempts": 0})
    if values:
        connection.execute(_of(record_id, digest).values(**values))


def _of(record_id: str, digest: str) -> Update:
    return update(NOTION_FILE).where(NOTION_FILE.c.record_id == record_id, NOTION_FILE.c.digest == digest)


def placed(connection: Connection, album: Album, digest: str, block_id: str) -> None:
    """It stands there."""
    where = {"page_id": album.page_id, "block_id": block_id}
    _row(connection, album.record_id, digest, **where, attempts=0, next_at=None)


def unsure(connection: Connection, record_id: str, digest: str, check_at: datetime) -> None:
    """It may stand there: whoever tries again looks first, and once more later."""
    _row(connection, record_id, digest, check_at=micros(check_at))


def put_off(connection: Connection, record_id: str, digests: Sequence[str], now: datetime) -> None:
    """They cannot be put there now: after a minute they are tried again, after two, four, and at last once a day."""
    for digest in digests:
        _row(connection, record_id, digest)
        tried = select(NOTION_FILE.c.attempts).where(
            NOTION_FILE.c.record_id == record_id, NOTION_FILE.c.digest == digest
        )
        attempts = connection.execute(tried).scalar_one()
        connection.execute(
            _of(record_id, digest).values(attempts=attempts + 1, next_at=micros(now + after_refusals(attempts)))
        )


def looked(connection: Connection, record_id: str, now: datetime) -> None:
    """What unclear attempts may have left was looked for."""
    these = update(NOTION_FILE).where(NOTION_FILE.c.record_id == record_id, NOTION_FILE.c.check_at <= micros(now))
    connection.execute(these.values(check_at=None))


def gone(connection: Connection, record_id: str, digest: str) -> None:
    """It does not stand there any more."""
    this = delete(NOTION_FILE).where(NOTION_FILE.c.record_id == record_id, NOTION_FILE.c.digest == digest)
    connection.execute(this)
