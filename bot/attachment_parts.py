"""The composition root's page about what is sent beside words: the parts that fetch, keep, read and show it.

Must hold no rule of behaviour.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from bot.ai_log import AiLog, Witnessed
from bot.answering import Answering
from bot.attachments import Attachments
from bot.engines.openai_transcription import OpenAITranscription
from bot.fetching import Fetching
from bot.hearing import Hearing
from bot.line.content import LineContent
from bot.pictures import Darkroom, Gallery
from bot.seeing import Seeing
from bot.settings import Settings, public_url
from bot.showing import Showing
from bot.sql.allowance import SqlAllowance
from bot.sql.endpoints import SqlEndpoints
from tools.attachment import AttachmentsPort
from tools.database import Database
from tools.record import PersonId
from tools.sql.attachments import SqlAttachments

if TYPE_CHECKING:  # only who needs it pays for its import
    from bot.local_line.platform import LocalLine

Now = Callable[[], datetime]


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


def attachments_of(database: Database, now: Now) -> Callable[[PersonId], AttachmentsPort]:
    """The attachments of each owner."""
    return lambda owner: SqlAttachments(database, owner, now)


def attachment_parts(
    settings: Settings,
    database: Database,
    local_line: LocalLine | None,
    answering: Answering,
    ai_log: AiLog,
    gallery: Gallery,
    now: Now,
) -> AttachmentParts:
    """Put them together; nothing is started."""
    store_of, llm = attachments_of(database, now), answering.secretary.llm
    allowance = SqlAllowance(database, calls=settings.model_calls_per_day, tokens=settings.model_tokens_per_day)
    content = _content(settings, local_line)
    transcription = _transcription(settings, SqlEndpoints(database, now), ai_log, now)
    ask = llm if settings.model_is_on and isinstance(llm, Witnessed) else None
    address = public_url(settings) or (f"http://127.0.0.1:{settings.port}" if local_line else "")
    fetching = Fetching(content, store_of)
    hearing = Hearing(store_of, transcription, allowance)
    seeing = Seeing(store_of, Darkroom(), gallery, ask, answering)
    showing = Showing(store_of, answering.secretary.transcript, address)
    attachments = Attachments(fetching, store_of, hearing, seeing, showing, answering)
    return AttachmentParts(attachments, fetching, content, transcription)


def _content(settings: Settings, local_line: LocalLine | None) -> LineContent:
    token = local_line.access_token if local_line else settings.line_channel_access_token.get_secret_value()

    async def current() -> str:
        return token

    return LineContent(settings.local_line_url if local_line else settings.line_api_base or None, current)


def _transcription(settings: Settings, endpoints: SqlEndpoints, ai_log: AiLog, now: Now) -> OpenAITranscription | None:
    if not settings.model_is_on:
        return None
    key, model = settings.openai_api_key.get_secret_value(), settings.openai_transcribe_model
    address = settings.openai_base_url or "https://api.openai.com/v1"
    return OpenAITranscription(address, key, model, endpoints=endpoints, now=now, observe=ai_log.attempt)
