"""Attachments as rows: what was sent beside words, once for each owner, and which records hold it.

The owner is bound in the constructor; no statement leaves without it but the one that looks a secret link up. Must not
know LINE, or what is to be seen in a picture.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    bindparam,
    delete,
    func,
    select,
    update,
)

from tools.attachment import Attachment, Failure, Fetched, Held, Shown
from tools.database import Database, insert_new, metadata, micros
from tools.media_type import media_type
from tools.record import PersonId
from tools.sql.record import RECORD, of_owner, record_of, stored

LINK_DAYS = 7
"""A secret link ends after so long: who wants to see it again asks again."""

NAME_LENGTH = 200

ATTACHMENT = Table(
    "attachment",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("media_type", String(40), nullable=False),
    Column("size", Integer, nullable=False),
    Column("kept_at", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Index("ix_attachment_kept", "kept_at"),
)
"""The bytes, named by their SHA-256. The same ones of another owner are another row: nobody can find out what somebody
else has."""

FETCHED = Table(
    "fetched",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("message", String(64), primary_key=True),
    Column("digest", String(64)),
    Column("name", String(NAME_LENGTH), nullable=False),
    Column("failure", String(20)),
    Column("heard", Text),
    Column("at", BigInteger, nullable=False),
    Index("ix_fetched_at", "at"),
)
"""What became of the content of each message: a turn that goes on after a crash fetches nothing again."""

ATTACHED = Table(
    "attached",
    metadata,
    Column("record_id", String(32), ForeignKey("record.id"), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("place", Integer, nullable=False),
    Column("name", String(NAME_LENGTH), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_attached_digest", "owner", "digest"),
)
"""Which records hold what, in the order of ``place``."""

MEDIA_LINK = Table(
    "media_link",
    metadata,
    Column("secret", String(64), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("record_id", String(32), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("ends_at", BigInteger, nullable=False, index=True),
)
"""``secret`` is the SHA-256 of what stands in the link: who reads the store cannot follow it."""


class SqlAttachments:
    """AttachmentsPort over a database."""

    def __init__(self, database: Database, owner: PersonId, now: Callable[[], datetime]) -> None:
        self._database = database
        self._owner = owner
        self._now = now

    # ── what was sent ─────────────────────────────────────────────────────────────────────────────────────────────

    async def fetched(self, message_id: str) -> Fetched | None:
        this = {"owner": self._owner, "message": message_id}
        row = await self._database.read(lambda connection: connection.execute(_FETCHED, this).one_or_none())
        return _fetched(row) if row else None

    async def keep(self, message_id: str, name: str, content: bytes) -> Fetched:
        digest, at = sha256(content).hexdigest(), micros(self._now())
        mine = {"owner": self._owner, "digest": digest}
        about = {"media_type": media_type(content), "size": len(content), "kept_at": at, "content": content}
        safe = stored(name)[:NAME_LENGTH]

        def work(connection: Connection) -> Fetched:
            known = connection.execute(_FETCHED, {"owner": self._owner, "message": message_id}).one_or_none()
            if known and known.failure:  # it was taken back while it was under way
                return _fetched(known)
            if not insert_new(connection, ATTACHMENT, {**mine, **about}):
                connection.execute(_KEPT_AGAIN, {"of_owner": self._owner, "this": digest, "now": at})
            insert_new(connection, FETCHED, {**mine, "message": message_id, "name": safe, "at": at})
            return Fetched(Attachment(digest, media_type(content), len(content), safe))

        return await self._database.write(work, durable=False)

    async def note_failure(self, message_id: str, failure: Failure) -> Fetched:
        row = {"owner": self._owner, "message": message_id, "name": "", "failure": failure, "at": micros(self._now())}
        await self._database.write(lambda connection: insert_new(connection, FETCHED, row), durable=False)
        return Fetched(None, failure)

    async def note_heard(self, message_id: str, heard: str) -> None:
        said = {"of_owner": self._owner, "this": message_id, "said": stored(heard)}
        await self._database.write(lambda connection: connection.execute(_HEARD, said), durable=False)

    async def drop(self, message_id: str) -> None:
        now = micros(self._now())
        await self._database.write(lambda connection: drop_fetched(connection, self._owner, message_id, now))

    async def forget(self) -> None:
        mine = {"of_owner": self._owner}

        def work(connection: Connection) -> None:
            for statement in _FORGET:
                connection.execute(statement, mine)

        await self._database.write(work)

    async def content(self, digest: str) -> bytes | None:
        this = {"owner": self._owner, "digest": digest}
        return await self._database.read(lambda connection: connection.execute(_CONTENT, this).scalar_one_or_none())

    # ── who holds it ──────────────────────────────────────────────────────────────────────────────────────────────

    async def attach(self, record_id: str, attachments: Sequence[Attachment]) -> None:
        this = {"owner": self._owner, "record": record_id}

        def work(connection: Connection) -> None:
            if connection.execute(_IS_MINE, this).first() is None:
                return
            place: int = connection.execute(_LAST_PLACE, this).scalar_one()
            for number, each in enumerate(attachments, start=place + 1):
                row = {"record_id": record_id, "digest": each.digest, "owner": self._owner, "place": number}
                insert_new(connection, ATTACHED, {**row, "name": each.name[:NAME_LENGTH], "at": micros(self._now())})

        await self._database.write(work, durable=False)

    async def held(self, ref: int | None = None, limit: int = 5, *, pictures: bool = False) -> list[Held]:
        which = _HELD if ref is None else _HELD_BY
        which = which.where(ATTACHMENT.c.media_type.startswith("image/")) if pictures else which
        asked = {"owner": self._owner, "most": limit} | ({} if ref is None else {"ref": ref})
        rows = await self._database.read(lambda connection: connection.execute(which, asked).all())
        return [Held(record_of(row._asdict()), _attachment(row, row.held_name)) for row in rows]

    async def link(self, held: Held) -> str:
        secret = secrets.token_urlsafe(32)
        row = {
            "secret": _hashed(secret),
            "owner": self._owner,
            "record_id": held.record.id,
            "digest": held.attachment.digest,
            "ends_at": micros(self._now() + timedelta(days=LINK_DAYS)),
        }
        await self._database.write(lambda connection: insert_new(connection, MEDIA_LINK, row), durable=False)
        return secret


def drop_fetched(connection: Connection, owner: PersonId, message_id: str, now: int) -> None:
    """Let go of what was fetched for a message, and of what will be, also where a record holds it; ``now`` in
    microseconds."""
    this = {"owner": owner, "message": message_id}
    found = connection.execute(_FETCHED, this).one_or_none()
    if found is None:
        insert_new(connection, FETCHED, {**this, "name": "", "failure": "gone", "at": now})
        return
    connection.execute(_GONE, {"of_owner": owner, "this": message_id})
    if found.digest:
        mine = {"of_owner": owner, "this": found.digest}
        connection.execute(_UNHELD, {**mine, "since": found.at})
        connection.execute(_LET_GO, mine)


class SqlLinks:
    """LinksPort over a database."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def shown(self, secret: str) -> Shown | None:
        this = {"secret": _hashed(secret), "now": micros(self._now())}
        row = await self._database.read(lambda connection: connection.execute(_SHOWN, this).one_or_none())
        return Shown(_attachment(row, row.held_name), row.content) if row else None


def _hashed(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def _attachment(row: Any, name: str) -> Attachment:
    return Attachment(row.digest, row.media_type, row.size, name)


def _fetched(row: Any) -> Fetched:
    if row.failure or row.media_type is None:  # the bytes may have gone meanwhile
        return Fetched(None, row.failure or "gone")
    return Fetched(_attachment(row, row.name), None, row.heard)


_ABOUT = (ATTACHMENT.c.digest, ATTACHMENT.c.media_type, ATTACHMENT.c.size)

_FETCHED = (
    select(FETCHED.c.failure, FETCHED.c.name, FETCHED.c.heard, FETCHED.c.at, *_ABOUT)
    .outerjoin(ATTACHMENT, (ATTACHMENT.c.owner == FETCHED.c.owner) & (ATTACHMENT.c.digest == FETCHED.c.digest))
    .where(of_owner(FETCHED), FETCHED.c.message == bindparam("message"))
)

_THIS = (ATTACHMENT.c.owner == bindparam("of_owner"), ATTACHMENT.c.digest == bindparam("this"))
_OF_THIS = (FETCHED.c.owner == bindparam("of_owner"), FETCHED.c.message == bindparam("this"))

_KEPT_AGAIN = update(ATTACHMENT).where(*_THIS).values(kept_at=bindparam("now"))
"""What is sent once more stays as long as if it were new."""

_HEARD = update(FETCHED).where(*_OF_THIS).values(heard=bindparam("said"))
_GONE = update(FETCHED).where(*_OF_THIS).values(digest=None, name="", heard=None, failure="gone")


def _came_with_another(table: Table) -> ColumnElement[bool]:
    same = (FETCHED.c.owner == table.c.owner, FETCHED.c.digest == table.c.digest)
    return select(FETCHED.c.message).where(*same).exists()


_LET_GO = delete(ATTACHMENT).where(
    *_THIS,
    ~select(ATTACHED.c.digest)
    .where(ATTACHED.c.owner == ATTACHMENT.c.owner, ATTACHED.c.digest == ATTACHMENT.c.digest)
    .exists(),
    ~_came_with_another(ATTACHMENT),
)
"""Unless a record holds it, or the same came with another message."""

_UNHELD = delete(ATTACHED).where(
    ATTACHED.c.owner == bindparam("of_owner"),
    ATTACHED.c.digest == bindparam("this"),
    ATTACHED.c.at >= bindparam("since"),
    ~_came_with_another(ATTACHED),
)
"""What holds it since it was fetched."""

_FORGET = [
    delete(table).where(table.c.owner == bindparam("of_owner")) for table in (MEDIA_LINK, ATTACHED, FETCHED, ATTACHMENT)
]
"""What refers to records and bytes goes before these."""

_CONTENT = select(ATTACHMENT.c.content).where(of_owner(ATTACHMENT), ATTACHMENT.c.digest == bindparam("digest"))

_IS_MINE = select(RECORD.c.id).where(of_owner(RECORD), RECORD.c.id == bindparam("record"))

_LAST_PLACE = select(func.coalesce(func.max(ATTACHED.c.place), 0)).where(ATTACHED.c.record_id == bindparam("record"))

_JOINED = (
    select(RECORD, *_ABOUT, ATTACHED.c.name.label("held_name"))
    .join(ATTACHED, ATTACHED.c.record_id == RECORD.c.id)
    .join(ATTACHMENT, (ATTACHMENT.c.owner == ATTACHED.c.owner) & (ATTACHMENT.c.digest == ATTACHED.c.digest))
    .where(of_owner(RECORD), RECORD.c.deleted_at.is_(None))
    .limit(bindparam("most"))
)

_HELD = _JOINED.order_by(ATTACHED.c.at.desc(), RECORD.c.ref.desc(), ATTACHED.c.place)
_HELD_BY = _JOINED.where(RECORD.c.ref == bindparam("ref")).order_by(ATTACHED.c.place)

_SHOWN = (
    select(*_ABOUT, ATTACHMENT.c.content, ATTACHED.c.name.label("held_name"))
    .select_from(MEDIA_LINK)
    .join(
        ATTACHED,
        (ATTACHED.c.record_id == MEDIA_LINK.c.record_id)
        & (ATTACHED.c.digest == MEDIA_LINK.c.digest)
        & (ATTACHED.c.owner == MEDIA_LINK.c.owner),
    )
    .join(RECORD, (RECORD.c.id == ATTACHED.c.record_id) & (RECORD.c.owner == MEDIA_LINK.c.owner))
    .join(ATTACHMENT, (ATTACHMENT.c.owner == ATTACHED.c.owner) & (ATTACHMENT.c.digest == ATTACHED.c.digest))
    .where(
        MEDIA_LINK.c.secret == bindparam("secret"),
        MEDIA_LINK.c.ends_at > bindparam("now"),
        RECORD.c.deleted_at.is_(None),
    )
)

# ── what has to go ────────────────────────────────────────────────────────────────────────────────────────────────


def let_go(connection: Connection, messages: Sequence[str]) -> None:
    """What came with these messages goes, whoever's list it was sent to; what a record holds stays that list's."""
    for row in connection.execute(_CAME_WITH, {"messages": list(messages)}).all():
        connection.execute(_NEVER_CAME, {"of_owner": row.owner, "this": row.message})
        if row.digest:
            connection.execute(_LET_GO, {"of_owner": row.owner, "this": row.digest})


_CAME_WITH = select(FETCHED).where(FETCHED.c.message.in_(bindparam("messages", expanding=True)))

_NEVER_CAME = delete(FETCHED).where(FETCHED.c.owner == bindparam("of_owner"), FETCHED.c.message == bindparam("this"))
