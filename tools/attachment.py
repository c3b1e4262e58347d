"""The words for what is kept beside records: pictures, voice, films, files; and the port of where they lie.

Pure vocabulary. Must not know SQL, LINE, HTTP, or what is to be seen in a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from tools.record import Record

Failure = Literal["gone", "unknown", "not ready", "too large", "empty", "elsewhere", "unreachable"]
"""Why nothing could be fetched: taken back by its sender; never there, or not any more; not prepared in time; more than
is kept; nothing in it; not at the network; no answer."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something that was sent, without its bytes. ``digest`` is the SHA-256 of these (64 hex), ``media_type`` what they
    are by how they begin, ``name`` what a sender called it, safe to show."""

    digest: str
    media_type: str
    size: int
    name: str = ""

    @property
    def is_picture(self) -> bool:
        return self.media_type.startswith("image/")


@dataclass(frozen=True, slots=True)
class Fetched:
    """What became of one message's content. ``heard`` is what was said in it, as a model wrote it down; None as long as
    nobody has listened."""

    attachment: Attachment | None
    failure: Failure | None = None
    heard: str | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """An attachment and the living record that holds it."""

    record: Record
    attachment: Attachment


class AttachmentsPort(Protocol):
    """The attachments of one owner, who is bound when it is built. Repeating any of it does nothing."""

    async def fetched(self, message_id: str) -> Fetched | None:
        """What became of a message's content; None if that is not known yet."""

    async def keep(self, message_id: str, name: str, content: bytes) -> Fetched:
        """Store what a message held."""

    async def note_failure(self, message_id: str, failure: Failure) -> Fetched:
        """Store that a message's content cannot be had."""

    async def note_heard(self, message_id: str, heard: str) -> None:
        """Store what was said in it."""

    async def drop(self, message_id: str) -> None:
        """A message was taken back: what it held goes, also from the records that were made of it, and is never fetched
        again. What came with another message too, or was held before, stays."""

    async def forget(self) -> None:
        """All of it goes, whoever holds it."""

    async def content(self, digest: str) -> bytes | None:
        """The bytes; None if they are gone."""

    async def attach(self, record_id: str, attachments: Sequence[Attachment]) -> None:
        """Let a record of this owner hold these, in this order, behind what it holds already."""

    async def held(self, ref: int | None = None, limit: int = 5, *, pictures: bool = False) -> list[Held]:
        """What living records hold: of this ref, in its order; without one, of the newest such records. ``pictures``:
        nothing else."""

    async def link(self, held: Held) -> str:
        """A new secret (URL-safe) by which anyone may see this for a while, as long as its record lives."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a link shows."""

    attachment: Attachment
    content: bytes


class LinksPort(Protocol):
    """What secret links show, over all owners. Only the pages may ask."""

    async def shown(self, secret: str) -> Shown | None:
        """What this link shows; None if it never was one, has ended, or its record is gone."""
