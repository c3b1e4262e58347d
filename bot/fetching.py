"""What people send beside words is fetched at once: a network keeps it for a while only, and several come side by side.

A message's content is fetched once, whoever asks how often, and what became of it is stored, so that a turn that goes
on after a crash finds it. Must not know which network it lies at, what is in it, or what is answered.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from bot.ports import IncomingMessage
from tools.attachment import Attachment, AttachmentsPort, Failure, Fetched
from tools.record import PersonId, StoreUnavailable

MOST_BYTES: Final = 20 * 1024 * 1024
"""Of one attachment: a photo is at most 10 MB at LINE, an hour of voice some 15. More would be a film, and every byte
lies in the one store of the records, and in each of its daily copies."""

AT_ONCE: Final = 3
"""Fetched at the same time, each in memory while it is: three times the above is what a small host can spare."""

_PASSING: Final = frozenset({"unreachable", "not ready"})
"""What may be otherwise the next time."""

KINDS: Final = frozenset({"image", "video", "audio", "file"})

log = logging.getLogger(__name__)


class NotFetched(Exception):
    """The content cannot be had, for good."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure: Failure = failure


class ContentPort(Protocol):
    """Where the content of messages lies."""

    async def content(self, message_id: str, most: int) -> bytes:
        """The bytes, at most so many. Raises NotFetched."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One message's content, and what became of it."""

    message: IncomingMessage
    fetched: Fetched

    @property
    def attachment(self) -> Attachment | None:
        return self.fetched.attachment

    @property
    def is_picture(self) -> bool:
        return self.message.kind == "image" and self.attachment is not None


class Fetching:
    """Fetches. ``store_of`` gives the attachments of an owner."""

    def __init__(self, content: ContentPort, store_of: Callable[[PersonId], AttachmentsPort]) -> None:
        self._content = content
        self._store_of = store_of
        self._room = asyncio.Semaphore(AT_ONCE)
        self._under_way: dict[str, asyncio.Task[Fetched]] = {}

    def soon(self, messages: Sequence[IncomingMessage]) -> None:
        """Begin with what these messages hold, and do not wait for it. What fails is tried again when it is needed."""
        for each in messages:
            if each.answerable and each.kind in KINDS and each.message_id and each.person:
                self._task(each.owner, each).add_done_callback(_seen)

    async def of(self, owner: PersonId, message: IncomingMessage) -> Fetched:
        """What became of it. Raises StoreUnavailable."""
        return await asyncio.shield(self._task(owner, message))

    async def close(self) -> None:
        """End what is under way: it is fetched when its turn goes on."""
        tasks = list(self._under_way.values())
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _task(self, owner: PersonId, message: IncomingMessage) -> asyncio.Task[Fetched]:
        key = f"{owner} {message.message_id}"
        if key not in self._under_way:
            task = asyncio.create_task(self._fetched(self._store_of(owner), message))
            self._under_way[key] = task
            task.add_done_callback(lambda _: self._under_way.pop(key, None))
        return self._under_way[key]

    async def _fetched(self, store: AttachmentsPort, message: IncomingMessage) -> Fetched:
        if message.message_id is None:
            return Fetched(None, "unknown")
        if known := await store.fetched(message.message_id):
            return known
        try:
            content = await self._brought(message.message_id, message)
        except NotFetched as why:
            log.warning("the content of a message (%s) is not kept: %s", message.kind, why)
            if why.failure in _PASSING:
                return Fetched(None, why.failure)
            return await store.note_failure(message.message_id, why.failure)
        return await store.keep(message.message_id, message.text if message.kind == "file" else "", content)

    async def _brought(self, message_id: str, message: IncomingMessage) -> bytes:
        media = message.media
        if media and media.elsewhere:
            raise NotFetched("elsewhere")
        if media and media.size > MOST_BYTES:
            raise NotFetched("too large")
        async with self._room:
            content = await self._content.content(message_id, MOST_BYTES)
        if not content:
            raise NotFetched("empty")
        return content


def _seen(task: asyncio.Task[Fetched]) -> None:
    """Whoever needs it asks again; nobody else hears of what went wrong."""
    if not task.cancelled() and (trouble := task.exception()):
        level = logging.WARNING if isinstance(trouble, StoreUnavailable) else logging.ERROR
        log.log(level, "what somebody sent could not be stored yet: %s", trouble)
