"""What is said, in LINE's own form: texts within LINE's lengths, cards as Flex, at most five messages, and buttons
under the last.

Pure, and quick to import. Must not know the SDK, the network, who is spoken to, or whose words these are. LINE counts
text in UTF-16 units, and refuses a whole reply for one message that is empty, too long or malformed: so each is looked
at before it goes, and what is not as LINE wants it is said as plain text.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from bot.line.buttons import QUICK_REPLY_LABEL, action_of
from bot.line.cards import flex_of
from bot.line.cutting import ELLIPSIS, clipped, cut_at, utf16
from bot.line.form import fault_in
from bot.plain_text import legible
from bot.ports import Bubble

TEXT_LIMIT: Final = 5_000
ALT_LIMIT: Final = 1_500
MESSAGES_LIMIT: Final = 5
BUTTONS_LIMIT: Final = 13
TEMPLATE_TEXT_LIMIT: Final = 160
TEMPLATE_BUTTONS_LIMIT: Final = 4

_STANDING: Final = 2
"""Messages of a reply that stay: the others are needed for words."""

LineMessage = dict[str, Any]
"""A message object: https://developers.line.biz/en/reference/messaging-api/#message-objects."""

log = logging.getLogger(__name__)


def messages(bubbles: Sequence[Bubble]) -> list[LineMessage]:
    """At most five messages that LINE will take; none if there is nothing to be seen in any bubble.

    A card that would not pass, or for which there is no room, is said in words. Texts longer than five messages end
    with "…". What stays stands behind all words. The buttons of the last bubble that has any stand under the last
    message, but for those in a message; what the first bubble quotes is quoted by the first.
    """
    ordered = _standing_last(bubbles)
    found = _laid_out([piece for bubble in ordered for piece in _pieces(bubble)])
    if len(found) > MESSAGES_LIMIT:
        found = _in_few([piece for bubble in ordered for piece in _pieces(replace(bubble, card=None))])
    items = _quick_replies(bubbles, _tappable(found))
    if found and items:
        found[-1]["quickReply"] = {"items": items}
    if found and bubbles[0].quote and found[0]["type"] == "text":
        found[0]["quoteToken"] = bubbles[0].quote
    return found


def _standing_last(bubbles: Sequence[Bubble]) -> list[Bubble]:
    """What stays behind the rest, two at most: what is more of it is said in words."""
    standing = [bubble for bubble in bubbles if bubble.stays]
    passing = [bubble for bubble in bubbles if not bubble.stays]
    return [*passing, *(replace(bubble, stays=False) for bubble in standing[_STANDING:]), *standing[:_STANDING]]


def _pieces(bubble: Bubble) -> Iterator[str | LineMessage]:
    """A text, or a card with what is said beside it in front, or a text with buttons that stay; and a picture, where
    no card shows it."""
    text = legible(bubble.text)
    flex = _flex(bubble, text) if bubble.card and text else None
    if bubble.card and flex:
        if beside := legible(bubble.card.beside):
            yield beside
        yield flex
    elif template := _template(bubble, text):
        yield template
    elif text:
        yield text
    if bubble.image and not flex:
        yield {  # https://developers.line.biz/en/reference/messaging-api/#image-message
            "type": "image",
            "originalContentUrl": bubble.image.original,
            "previewImageUrl": bubble.image.preview,
        }


def _flex(bubble: Bubble, text: str) -> LineMessage | None:
    """None if LINE would not take it."""
    assert bubble.card is not None, "only a card is drawn"
    try:
        message = {"type": "flex", "altText": clipped(text, ALT_LIMIT), "contents": flex_of(bubble.card)}
        fault = fault_in(message)
    except Exception:  # an answer in plain words is better than none
        log.exception("a card could not be drawn and is said in words")
        return None
    if fault:
        log.error("a card would be refused and is said in words: %s", fault)
    return None if fault else message


def _laid_out(pieces: Sequence[str | LineMessage]) -> list[LineMessage]:
    """The pieces in order; texts that stand together are fitted into as few messages as a reply has."""
    found: list[LineMessage] = []
    for are_texts, together in groupby(pieces, lambda piece: isinstance(piece, str)):
        if are_texts:
            texts = _fitted([piece for piece in together if isinstance(piece, str)], MESSAGES_LIMIT)
            found += [{"type": "text", "text": text} for text in texts]
        else:
            found += [piece for piece in together if not isinstance(piece, str)]
    return found


def _in_few(pieces: Sequence[str | LineMessage]) -> list[LineMessage]:
    """Five messages of pieces that take more: the words, and behind them what there is room for of the rest. What there
    is none for is said, a picture by its address."""
    rest = [piece for piece in pieces if not isinstance(piece, str)]
    most = MESSAGES_LIMIT - 1
    kept, lost = rest[:most], [piece.get("altText") or piece["originalContentUrl"] for piece in rest[most:]]
    texts = _fitted([*(piece for piece in pieces if isinstance(piece, str)), *lost], MESSAGES_LIMIT - len(kept))
    return [*({"type": "text", "text": text} for text in texts), *kept]


# ── texts ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_FILLS: Final = (0.5, 0.9, 1.0)
"""How full a message must be before a nicer place to cut counts: tried in turn until five messages are enough."""


def _fitted(texts: Sequence[str], most: int) -> list[str]:
    """The texts in at most so many parts within the limit. Many short ones are put together before anything is lost."""
    parts: list[str] = []
    joined = "\n\n".join(texts)
    hopeless = utf16(joined) > most * (TEXT_LIMIT + len("\n\n"))
    for fill in _FILLS[-1:] if hopeless else _FILLS:
        for whole in [texts, [joined]] if len(texts) > 1 else [texts]:
            parts = [part for text in whole for part in _split(text, fill)]
            if len(parts) <= most:
                return parts
    last = parts[most - 1]
    return [*parts[: most - 1], last[: cut_at(last, TEXT_LIMIT - 1, 1.0)].rstrip() + ELLIPSIS]


def _split(text: str, fill: float) -> Iterator[str]:
    """Parts within the limit; after one more than a reply can carry, the rest in one piece."""
    for _ in range(MESSAGES_LIMIT + 1):
        if utf16(text) <= TEXT_LIMIT:
            break
        at = cut_at(text, TEXT_LIMIT, fill)
        part, text = text[:at].rstrip(), text[at:].lstrip()
        if part:
            yield part
    if text:
        yield text


# ── buttons ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _quick_replies(bubbles: Sequence[Bubble], on_cards: frozenset[str]) -> list[dict[str, Any]]:
    """Shown under the last message only: https://developers.line.biz/en/reference/messaging-api/#quick-reply ."""
    found = ([each for each in bubble.buttons if each.data not in on_cards] for bubble in reversed(bubbles))
    actions = [action_of(button, QUICK_REPLY_LABEL) for button in next(filter(None, found), ())]
    return [{"type": "action", "action": action} for action in actions if action][:BUTTONS_LIMIT]


def _template(bubble: Bubble, text: str) -> LineMessage | None:
    """A bubble whose buttons stay, as LINE's buttons template; None for any other, and for what is too long for one.

    https://developers.line.biz/en/reference/messaging-api/#buttons
    """
    if not bubble.stays or not text or utf16(text) > TEMPLATE_TEXT_LIMIT:
        return None
    actions = [action for button in bubble.buttons if (action := action_of(button, QUICK_REPLY_LABEL))]
    if not actions:
        return None
    shown = {"type": "buttons", "text": text, "actions": actions[:TEMPLATE_BUTTONS_LIMIT]}
    return {"type": "template", "altText": text, "template": shown}


def _tappable(value: Any) -> frozenset[str]:
    """The data of what can be tapped in these messages."""
    match value:
        case {"type": "postback" | "datetimepicker", "data": str() as data}:
            return frozenset({data})
        case dict():
            return frozenset().union(*map(_tappable, value.values()))
        case list():
            return frozenset().union(*map(_tappable, value))
    return frozenset()
