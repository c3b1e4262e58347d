"""Voice messages become words: written down by a model once, and stored, so that nobody pays for them twice.

Must not know which endpoint writes them down, how a recording was fetched, or what is done with the words.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final

from bot.fetching import Thing
from bot.model_ports import AllowancePort, AllowanceSpent, CannotHear, ModelUnavailable, TranscriptionPort
from bot.voice.attachment_words import attachment_words
from tools.attachment import Attachment, AttachmentsPort
from tools.definition import Caller
from tools.record import PersonId

TOKENS_PER_SECOND: Final = 10
"""Of voice, as endpoints charge it; it counts towards a person's day like what is read."""

_BYTES_PER_SECOND: Final = 4_000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hearing:
    """Listens. ``transcription`` is None without a model."""

    store_of: Callable[[PersonId], AttachmentsPort]
    transcription: TranscriptionPort | None
    allowance: AllowancePort | None

    async def heard(self, caller: Caller, thing: Thing) -> tuple[str, str]:
        """The words of a voice message that was fetched, or none and the sentence that says why."""
        words, attachment, message_id = attachment_words(caller.language), thing.attachment, thing.message.message_id
        assert attachment, "whoever asks has seen it"
        assert message_id, "it was fetched by its id"
        if thing.fetched.heard is not None:
            return thing.fetched.heard, words.nothing_heard
        try:
            text = await self._transcribed(caller, thing, attachment)
        except AllowanceSpent:
            return "", words.spent
        except CannotHear as why:
            log.info("a voice message is only kept: %s", why.reason)
            return "", words.cannot_hear
        except ModelUnavailable as why:
            log.warning("a voice message is only kept: %s", why.reason)
            return "", words.not_heard_now
        await self.store_of(caller.person).note_heard(message_id, text)
        return text, words.nothing_heard

    async def _transcribed(self, caller: Caller, thing: Thing, attachment: Attachment) -> str:
        if self.transcription is None:
            raise CannotHear("there is no model")
        seconds = thing.message.media.duration / 1000 if thing.message.media else 0
        tokens = ceil(TOKENS_PER_SECOND * (seconds or attachment.size / _BYTES_PER_SECOND))
        if self.allowance and not await self.allowance.reserve(caller.speaker, caller.now.date(), tokens):
            raise AllowanceSpent("the person has used up the model calls or tokens of the day")
        content = await self.store_of(caller.person).content(attachment.digest)
        if content is None:
            raise CannotHear("the recording is gone")
        kind = attachment.media_type
        return await self.transcription.transcribe(content, "audio/mp4" if kind == "video/mp4" else kind)
