"""Pictures and files that a record holds, at the end of its page in Notion: each once, and gone when it is let go of.

A page is looked at before anything is put there: what an attempt left that ended unclear is found by whom it is from,
and not put there again. Must not know records, or what is to be seen in a picture.
"""

from __future__ import annotations

import asyncio
import logging
import mimetypes
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tools.attachment import Attachment
from tools.database import Database
from tools.media_type import ENDINGS, UNKNOWN
from tools.notion import file_ledger, ledger
from tools.notion.account import FREE_UPLOAD, account_of
from tools.notion.client import NotionClient
from tools.notion.editors import who
from tools.notion.fields import mapping
from tools.notion.file_ledger import Album
from tools.notion.from_markdown import paragraph
from tools.notion.pace import LATE
from tools.notion.pieces import plain_text
from tools.notion.schema import Json
from tools.notion.trouble import NotionDown, NotionRefused, NotionUnsure

ONE_PART = 20 * 1024 * 1024
"""Bytes of a file that is sent at once; Notion takes larger ones in parts, from workspaces that pay."""
EVERY = 10.0
"""Seconds between two looks for files that have to go there: nobody waits for them."""
LONGEST_REST = 300.0
LEASE = timedelta(minutes=2)
BATCH = 20
NAME = 100

_ONLY_HERE = {
    "zh-TW": "📎 {what}：只留在秘書那裡，Notion 放不下。",
    "ja": "📎 {what}：Notion には入らないので、秘書だけが持っています。",
    "th": "📎 {what}: เก็บไว้ที่เลขาเท่านั้น Notion รับไฟล์นี้ไม่ได้",
    "en": "📎 {what}: kept by your secretary alone; Notion does not take it.",
}
_MEDIA = {"image", "video", "audio", "pdf", "file"}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Placed:
    """A block that stands in a page and is ours."""

    id: str
    kind: str
    text: str


class NotionFiles:
    """Brings files to the pages that are there. ``language`` is that of the house; ``process`` must differ between
    processes that share a database: one of them is at it at a time."""

    def __init__(
        self,
        database: Database,
        client: NotionClient,
        *,
        now: Callable[[], datetime],
        language: str = "en",
        process: str = "embedded",
    ) -> None:
        self._database = database
        self._client = client
        self._now = now
        self._language = language
        self._process = process
        self._us = ""
        self._most = 0
        self._rests = 0

    async def keep(self) -> None:
        """Bring what there is to bring, for ever."""
        while True:
            seconds = await self.bring()
            await asyncio.sleep(seconds)

    async def bring(self) -> float:
        """Everything that has to go there or away now; seconds until one should look again. Never raises."""
        try:
            await self._bring()
        except NotionDown as down:
            _log.info("files wait for Notion: %s", down.reason)
            return self._rest(down.wait)
        except NotionRefused as refusal:
            _log.warning("Notion takes no files: %s %s", refusal.reason, refusal.next_step)
            return LONGEST_REST
        except Exception:  # noqa: BLE001 - a mirror never takes its house down
            _log.exception("files cannot be brought to Notion now")
            return self._rest(None)
        finally:
            with suppress(Exception):  # a lease that is not given back ends by itself
                await self._hold(timedelta(0))
        self._rests = 0
        return EVERY

    def _rest(self, wait: float | None) -> float:
        self._rests += 1
        return min(max(wait or 0.0, EVERY * 2.0 ** min(self._rests, 10)), LONGEST_REST)

    async def _hold(self, lease: timedelta) -> bool:
        now = self._now()
        return await self._database.write(
            lambda c: ledger.hold(c, self._process, now, now + lease, "filer"), durable=False
        )

    async def _bring(self) -> None:
        while records := await self._database.read(lambda c: file_ledger.due(c, self._now(), BATCH)):
            await self._meet()
            for record_id in records:
                if not await self._hold(LEASE):
                    return
                await self._one(record_id)

    async def _meet(self) -> None:
        """Find out who we are, and how much this workspace takes."""
        if self._us:
            return
        me = await self._client.me()
        # Every workspace takes what a free one does, if it does not say how much it takes.
        self._most = min(account_of(me).upload or FREE_UPLOAD, ONE_PART)
        self._us = str(me.get("id", ""))

    # ── one page

    async def _one(self, record_id: str) -> None:
        album = await self._database.read(lambda c: file_ledger.album(c, record_id, self._now()))
        if album is None:
            return
        try:
            await self._fill(album)
        except NotionRefused as refusal:
            if refusal.everything:
                raise
            _log.info("files of #%d are not taken by Notion now: %s", album.ref, refusal.reason)
            waits = [*(each.digest for each in album.missing), *album.withdrawn]
            await self._database.write(lambda c: file_ledger.put_off(c, record_id, waits, self._now()))
            await self._database.write(lambda c: file_ledger.looked(c, record_id, self._now()))

    async def _fill(self, album: Album) -> None:
        spare = [each for each in await self._ours(album.page_id) if each.id not in album.placed]
        for each in album.missing:
            fitting = next((block for block in spare if self._fits(block, each)), None)
            if fitting is None:
                await self._put(album, each)
            else:
                spare.remove(fitting)
                await self._placed(album, each, fitting.id)
        for digest, block_id in album.withdrawn.items():
            await self._take_away(album, digest, block_id)
        if album.is_unsure:
            await self._clear(album, [each for each in spare if each.kind in _MEDIA])

    async def _take_away(self, album: Album, digest: str, block_id: str) -> None:
        if block_id:
            await self._client.delete_block(block_id)
        await self._database.write(lambda c: file_ledger.gone(c, album.record_id, digest))

    async def _clear(self, album: Album, left: list[Placed]) -> None:
        """Away with what an unclear attempt left beside the one that counts."""
        for block in left:
            await self._client.delete_block(block.id)
        await self._database.write(lambda c: file_ledger.looked(c, album.record_id, self._now()))

    async def _ours(self, page_id: str) -> list[Placed]:
        blocks = await self._client.children(page_id)
        ours = [each for each in blocks if who(each, "created_by") == self._us]
        return [
            Placed(each["id"], each["type"], plain_text(mapping(each.get(each["type"])).get("rich_text") or []))
            for each in ours
        ]

    def _fits(self, block: Placed, attachment: Attachment) -> bool:
        return block.kind == kind_of(attachment) or block.text == only_here(attachment, self._language)

    async def _put(self, album: Album, attachment: Attachment) -> None:
        """At the end of the page."""
        block = await self._block(album, attachment)
        if block is None:
            return
        try:
            made = await self._client.add_last(album.page_id, block)
        except NotionUnsure:
            late = self._now() + LATE
            await self._database.write(lambda c: file_ledger.unsure(c, album.record_id, attachment.digest, late))
            raise
        await self._placed(album, attachment, str(made["id"]))

    async def _placed(self, album: Album, attachment: Attachment, block_id: str) -> None:
        await self._database.write(lambda c: file_ledger.placed(c, album, attachment.digest, block_id))

    async def _block(self, album: Album, attachment: Attachment) -> Json | None:
        """What shall stand there: the file, or a line where Notion does not take it. None if it is gone."""
        if attachment.size <= self._most:
            content = await self._database.read(lambda c: file_ledger.content(c, album.owner, attachment.digest))
            if content is None:
                return None
            upload_id = await self._upload(attachment, content)
            if upload_id is not None:
                kind = kind_of(attachment)
                return {"type": kind, kind: {"type": "file_upload", "file_upload": {"id": upload_id}}}
        _log.warning("a file of #%d (%s) is kept here only: Notion does not take it", album.ref, _size(attachment))
        return paragraph(only_here(attachment, self._language))

    async def _upload(self, attachment: Attachment, content: bytes) -> str | None:
        """The bytes, on their way: what is never attached Notion lets go of after an hour. None if it refuses them."""
        name, media_type = name_of(attachment)
        try:
            upload = await self._client.create_upload(name, media_type)
            await self._client.send_upload(str(upload["id"]), name, media_type, content)
        except NotionRefused as refusal:
            if refusal.everything or refusal.status not in {400, 413}:
                raise
            _log.info("Notion refuses a file: %s", refusal.reason)
            return None
        return str(upload["id"])


def kind_of(attachment: Attachment) -> str:
    """The type of the block that shows it."""
    family, _, rest = name_of(attachment)[1].partition("/")
    if family in {"image", "video", "audio"}:
        return family
    return "pdf" if rest == "pdf" else "file"


def name_of(attachment: Attachment) -> tuple[str, str]:
    """What the file is called there, and its media type: the two must agree. Of what does not say what it is by how it
    begins, the name does."""
    name = " ".join(attachment.name.split())[-NAME:].strip(". ")
    named = mimetypes.guess_type(name)[0]
    if attachment.media_type in {UNKNOWN, "application/zip"} and named:
        return name, named
    if named == attachment.media_type:
        return name, named
    ending = ENDINGS.get(attachment.media_type, ENDINGS[UNKNOWN])
    return f"{name or attachment.media_type.partition('/')[0]}.{ending}", attachment.media_type


def only_here(attachment: Attachment, language: str) -> str:
    """The line in the place of a file that Notion does not take."""
    words: Mapping[str, str] = _ONLY_HERE
    return words.get(language, words["en"]).format(what=f"{name_of(attachment)[0]} ({_size(attachment)})")


def _size(attachment: Attachment) -> str:
    size: Any = attachment.size / 1024 / 1024
    return f"{size:.1f} MB" if size >= 1 else f"{attachment.size / 1024:.0f} KB"
