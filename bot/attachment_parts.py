"""The composition root's page about what is sent beside words: the parts that fetch, keep, read and show it.

Must hold no rule of behaviour, and not know the settings: it is handed what they say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.answering import Answering
from bot.attachments import Attachments
from bot.engines.openai_transcription import OpenAITranscription
from bot.fetching import Fetching
from bot.hearing import Hearing
from bot.line.content import LineContent
from bot.model_ports import AllowancePort, AskPort
from bot.pictures import Darkroom, Gallery
from bot.seeing import Seeing
from bot.showing import Showing
from tools.attachment import AttachmentsPort
from tools.database import Database
from tools.record import PersonId
from tools.sql.attachments import SqlAttachments


@dataclass(frozen=True, slots=True)
class AttachmentParts:
    """All of them, and those that must be closed."""

    attachments: Attachments
    fetching: Fetching
    content: LineContent
    transcription: OpenAITranscription | None

    async def close(self) -> None:
        """End what is under way, and close the connections."""
        await self.fetching.close()
        await self.content.close()
        if self.transcription:
            await self.transcription.close()


def attachments_of(database: Database, now: Callable[[], datetime]) -> Callable[[PersonId], AttachmentsPort]:
    """The attachments of each owner."""
    return lambda owner: SqlAttachments(database, owner, now)


def attachment_parts(
    answering: Answering,
    store_of: Callable[[PersonId], AttachmentsPort],
    content: LineContent,
    transcription: OpenAITranscription | None,
    ask: AskPort | None,
    allowance: AllowancePort,
    gallery: Gallery,
    address: str,
) -> AttachmentParts:
    """Put them together; nothing is started. ``address`` is where people reach the bot, or empty."""
    fetching = Fetching(content, store_of)
    hearing = Hearing(store_of, transcription, allowance)
    seeing = Seeing(store_of, Darkroom(), gallery, ask, answering)
    showing = Showing(store_of, answering.secretary, address)
    attachments = Attachments(fetching, store_of, hearing, seeing, showing, answering)
    return AttachmentParts(attachments, fetching, content, transcription)
