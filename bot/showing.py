"""What is kept beside records, shown again: as a picture where the network can show one, else as a secret link.

Must not know how a link is stored or served, or how a bubble looks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.links import only_known_links, own_texts
from bot.model_ports import Message, TranscriptPort
from bot.plain_text import legible
from bot.ports import Bubble, ImageLink, TurnId
from bot.voice.attachment_words import Wanted, attachment_words
from bot.voice.record_text import row_of, title
from tools.attachment import AttachmentsPort, Held
from tools.attachments import SHOWING
from tools.definition import Caller
from tools.record import PersonId

AT_ONCE: Final = 4
"""Pictures in one reply, which has five messages at LINE, and one of them is words."""

VIEWABLE: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})

PATH: Final = "/media"


@dataclass(frozen=True, slots=True)
class Showing:
    """Shows. ``address`` is where people reach the bot, without a slash at its end; empty if nobody knows."""

    store_of: Callable[[PersonId], AttachmentsPort]
    transcript: TranscriptPort
    address: str

    async def can(self, caller: Caller, wanted: Wanted) -> bool:
        """Whether it is this that is asked for: a number alone may as well mean a record that holds nothing."""
        return not wanted.bare or bool(await self.store_of(caller.person).held(wanted.ref, 1))

    async def bubbles(self, caller: Caller, ref: int | None) -> list[Bubble]:
        """What the record with this ref holds, or the last one that holds something."""
        words, store = attachment_words(caller.language), self.store_of(caller.person)
        held = await store.held(ref, AT_ONCE + 1)
        held = [each for each in held if each.record.id == held[0].record.id]
        if not held:
            return [Bubble(words.nothing_held if ref is None else words.nothing_held_by(ref))]
        if not self.address:
            return [Bubble(words.no_address)]
        shown = [await self._bubble(store, each, caller) for each in held[:AT_ONCE]]
        return [*shown, *([Bubble(words.more_of_them(AT_ONCE))] if len(held) > AT_ONCE else [])]

    async def asked_for(self, turn: TurnId, caller: Caller) -> list[Bubble]:
        """What the model let be shown in this turn."""
        refs = _shown_in(await self.transcript.of_turn(turn))
        return [bubble for ref in refs for bubble in await self.bubbles(caller, ref)]

    async def _bubble(self, store: AttachmentsPort, held: Held, caller: Caller) -> Bubble:
        name = only_known_links(legible(_name(held, caller)), own_texts([held.record]))
        link = f"{self.address}{PATH}/{await store.link(held)}"
        if held.attachment.media_type in VIEWABLE and link.startswith("https://"):
            return Bubble(name, image=ImageLink(f"{link}/picture", f"{link}/preview"))
        return Bubble(f"{name}\n{link}")


def _name(held: Held, caller: Caller) -> str:
    record = title(row_of(held.record), caller.language)
    return record if not held.attachment.name or held.attachment.name in record else f"{record}\n{held.attachment.name}"


def _shown_in(turn: Sequence[Message]) -> list[int]:
    refs = []
    for message in turn:
        content = message.get("content") if message["role"] == "tool" else None
        if isinstance(content, str) and content.startswith(f'{{"{SHOWING}"'):
            refs.append(json.loads(content)[SHOWING]["ref"])
    return list(dict.fromkeys(refs))
