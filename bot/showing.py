"""What is kept beside records, shown again: a picture on a card of its record where the network can show one, else as a
secret link; and pictures hung on the cards of records that were just made of them.

Must not know how a link is stored or served, or how a bubble looks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.card import Card, CardRow
from bot.cards import Cards
from bot.links import only_known_links, own_texts
from bot.model_ports import Message
from bot.plain_text import legible
from bot.ports import Bubble, ImageLink, Tap, Turn, TurnId
from bot.secretary import Secretary
from bot.voice.attachment_words import Wanted, attachment_words
from bot.voice.cards import LEAST_ROWS
from bot.voice.receipts import created_alone
from bot.voice.record_text import row_of, title
from tools.attachment import AttachmentsPort, Held
from tools.attachments import SHOWING
from tools.definition import Caller
from tools.record import PersonId, Record

AT_ONCE: Final = 4
"""Pictures in one reply, which has five messages at LINE, and one of them is words."""

VIEWABLE: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})

PATH: Final = "/media"


@dataclass(frozen=True, slots=True)
class Showing:
    """Shows. ``address`` is where people reach the bot, without a slash at its end; empty if nobody knows."""

    store_of: Callable[[PersonId], AttachmentsPort]
    secretary: Secretary
    address: str

    # ── asked for

    async def can(self, caller: Caller, wanted: Wanted) -> bool:
        """Whether it is this that is asked for: a number alone may as well mean a record that holds nothing."""
        return not wanted.bare or bool(await self.store_of(caller.person).held(wanted.ref, 1))

    async def bubbles(self, caller: Caller, wanted: Wanted) -> list[Bubble]:
        """What the record with this ref holds, or the last one that holds something of the kind."""
        words, store = attachment_words(caller.language), self.store_of(caller.person)
        held = await self._held(store, wanted)
        if not held and wanted.ref is not None:
            return [Bubble(words.nothing_held_by(wanted.ref))]
        if not held:
            return [Bubble(words.no_picture if wanted.picture else words.nothing_held)]
        if not self.address:
            return [Bubble(words.no_address)]
        first, *rest = held[:AT_ONCE]
        shown = [
            await self._on_a_card(store, first, caller),
            *[await self._bubble(store, each, caller) for each in rest],
        ]
        return [*shown, *([Bubble(words.more_of_them(AT_ONCE))] if len(held) > AT_ONCE else [])]

    async def asked_for(self, turn: TurnId, caller: Caller) -> list[Bubble]:
        """What the model let be shown in this turn."""
        refs = _shown_in(await self.secretary.transcript.of_turn(turn))
        return [bubble for ref in refs for bubble in await self.bubbles(caller, Wanted(ref))]

    async def _held(self, store: AttachmentsPort, wanted: Wanted) -> list[Held]:
        """Of a record that holds no picture, what it does hold."""
        held = await store.held(wanted.ref, AT_ONCE + 1, pictures=wanted.picture)
        if not held and wanted.picture and wanted.ref is not None:
            held = await store.held(wanted.ref, AT_ONCE + 1)
        return [each for each in held if each.record.id == held[0].record.id]

    async def _on_a_card(self, store: AttachmentsPort, held: Held, caller: Caller) -> Bubble:
        """With its record, where the network can draw; else alone, with all of it in words."""
        bubble = await self._bubble(store, held, caller)
        if bubble.image is None:
            return bubble
        own = own_texts([held.record])
        card, told = await Cards(self.secretary.memory_of(caller.person), self.secretary.mirror, caller).of_picture(
            held.record
        )
        drawn = card.reworded(lambda text: only_known_links(legible(text), own))
        text = only_known_links(legible(told), own)
        return replace(bubble, text=text, card=_hung(drawn, bubble.image))

    async def _bubble(self, store: AttachmentsPort, held: Held, caller: Caller) -> Bubble:
        name = only_known_links(legible(_name(held, caller)), own_texts([held.record]))
        image = await self._image(store, held)
        return Bubble(name, image=image) if image else Bubble(f"{name}\n{await self._link(store, held)}")

    # ── hung on the cards of what was made

    async def hung(self, turn: Turn, caller: Caller, bubbles: Sequence[Bubble]) -> list[Bubble]:
        """The answer of a turn that brought pictures: those that the new records hold stand on their card. A card that
        was only framed for one and got none is said in words."""
        changes = await self.secretary.memory_of(caller.person).changes(turn.id)
        records, store = created_alone(changes), self.store_of(caller.person)
        undo = Tap.UNDO.on(turn.id)
        found = []
        for bubble in bubbles:
            card = bubble.card
            if card and any(button.data == undo for button in card.buttons):
                card = await self._with_pictures(card, records, store)
            found.append(replace(bubble, card=card if card and _is_worth_it(card) else None))
        return found

    async def _with_pictures(self, card: Card, records: Sequence[Record], store: AttachmentsPort) -> Card:
        """Of one record large at the head, of several small beside each."""
        images = [await self._image_of(store, record) for record in records[: max(1, len(card.rows))]]
        if not card.rows:
            return _hung(card, images[0]) if images and images[0] else card
        rows = [_with_thumb(row, image) for row, image in zip(card.rows, images, strict=False)]
        return replace(card, rows=(*rows, *card.rows[len(rows) :]))

    async def _image_of(self, store: AttachmentsPort, record: Record) -> ImageLink | None:
        held = await store.held(record.ref, 1, pictures=True)
        return await self._image(store, held[0]) if held else None

    # ── addresses

    async def _image(self, store: AttachmentsPort, held: Held) -> ImageLink | None:
        """Where the network can fetch it; None if it cannot, or cannot show it."""
        if held.attachment.media_type not in VIEWABLE or not self.address.startswith("https://"):
            return None
        link = await self._link(store, held)
        return ImageLink(f"{link}/picture", f"{link}/preview", f"{link}/card")

    async def _link(self, store: AttachmentsPort, held: Held) -> str:
        return f"{self.address}{PATH}/{await store.link(held)}"


def _hung(card: Card, image: ImageLink) -> Card:
    return replace(card, picture=image.on_card, whole=image.original)


def _with_thumb(row: CardRow, image: ImageLink | None) -> CardRow:
    return replace(row, picture=image.preview) if image else row


def _is_worth_it(card: Card) -> bool:
    return bool(card.picture or card.bars) or len(card.rows) >= LEAST_ROWS or any(row.picture for row in card.rows)


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
