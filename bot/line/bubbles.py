"""What is said, in LINE's own form: plain text within LINE's lengths, at most five messages, buttons under the last.

Pure, and quick to import. Must not know the SDK, the network, who is spoken to, or whose words these are. LINE counts
text in UTF-16 units, and refuses a whole reply for one message that is empty or too long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import regex  # type: ignore[import-untyped]  # ships no types of its own

from bot.plain_text import ILLEGIBLE, legible
from bot.ports import Bubble, Button

TEXT_LIMIT: Final = 5_000
MESSAGES_LIMIT: Final = 5
BUTTONS_LIMIT: Final = 13
LABEL_LIMIT: Final = 20
DISPLAY_LIMIT: Final = 300
DATA_LIMIT: Final = 300
TEMPLATE_TEXT_LIMIT: Final = 160
TEMPLATE_BUTTONS_LIMIT: Final = 4

_STANDING: Final = 2
"""Messages of a reply whose buttons stay: the others are needed for words."""

LineMessage = dict[str, Any]
"""A message object: https://developers.line.biz/en/reference/messaging-api/#message-objects."""


def utf16(text: str) -> int:
    """The length as LINE counts it, in UTF-16 code units.

    https://developers.line.biz/en/docs/messaging-api/text-character-count/
    """
    return len(text) + sum(sign > "\uffff" for sign in text)


def messages(bubbles: Sequence[Bubble]) -> list[LineMessage]:
    """At most five text messages that LINE will take; none if there is nothing to be seen in any bubble.

    What is longer than five messages ends with "…". The buttons of the last bubble that has any stand under the last
    message. Raises ValueError for a button whose data LINE would refuse: data is the program's own and never cut.
    """
    stays = [bubble for bubble in bubbles if _template(bubble)][:_STANDING]
    standing = [template for bubble in stays if (template := _template(bubble))]
    passing = [bubble for bubble in bubbles if not any(bubble is each for each in stays)]
    items = _quick_replies(passing)
    texts = _fitted([text for bubble in passing if (text := legible(bubble.text))], MESSAGES_LIMIT - len(standing))
    found: list[LineMessage] = [*({"type": "text", "text": text} for text in texts), *standing]
    if found and items:
        found[-1]["quickReply"] = {"items": items}
    return found


# ── cutting ───────────────────────────────────────────────────────────────────────────────────────────────────────

_ELLIPSIS: Final = "…"
_GRAPHEME: Final = regex.compile(r"\X")
_ADDRESS: Final = re.compile(r"https?://[\x21-\x7e]+")
_LOOKAHEAD: Final = 64
_CUTS: Final = (
    re.compile(r"(?=\n[ \t]*\n)"),
    re.compile(r"(?=\n)"),
    re.compile(r"(?<=[。！？…])(?![。！？…」』）)])|(?<=[」』）])|(?<=[.!?])(?=\s)"),
    re.compile(r"(?=\s)"),
)
"""Where a text may be cut, best first: between paragraphs, lines, sentences, words."""

_FILLS: Final = (0.5, 0.9, 1.0)
"""How full a message must be before a nicer place to cut counts: tried in turn until five messages are enough."""


def _fitted(texts: Sequence[str], most: int = MESSAGES_LIMIT) -> list[str]:
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
    return [*parts[: most - 1], last[: _cut(last, TEXT_LIMIT - 1, 1.0)].rstrip() + _ELLIPSIS]


def _split(text: str, fill: float) -> Iterator[str]:
    """Parts within the limit; after one more than a reply can carry, the rest in one piece."""
    for _ in range(MESSAGES_LIMIT + 1):
        if utf16(text) <= TEXT_LIMIT:
            break
        at = _cut(text, TEXT_LIMIT, fill)
        part, text = text[:at].rstrip(), text[at:].lstrip()
        if part:
            yield part
    if text:
        yield text


def _cut(text: str, limit: int, fill: float) -> int:
    """Where to end a part of at most ``limit`` units: never inside what is read as one sign, nor inside a web address
    that would fit into a part of its own."""
    room = len(text[:limit].encode("utf-16-le")[: 2 * limit].decode("utf-16-le", "ignore"))
    window = text[: room + _LOOKAHEAD]
    signs: set[int] = {found.end() for found in _GRAPHEME.finditer(window) if found.end() <= room}
    whole = {here for found in _ADDRESS.finditer(text, 0, room + limit) for here in _inner(found, limit)}
    free = (signs - whole) or signs or {room}
    for nicer in _CUTS:
        places = [found.start() for found in nicer.finditer(window) if found.start() in free]
        if places and places[-1] >= fill * room:
            return places[-1]
    return max(free)


def _inner(address: re.Match[str], limit: int) -> range:
    short = address.end() - address.start() <= limit
    return range(address.start() + 1, address.end()) if short else range(0)


def clipped(text: str, limit: int) -> str:
    """At most ``limit`` UTF-16 units, ending with "…" where something was cut off."""
    return text if utf16(text) <= limit else text[: _cut(text, limit - 1, 1.0)].rstrip() + _ELLIPSIS


# ── buttons ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _quick_replies(bubbles: Sequence[Bubble]) -> list[dict[str, Any]]:
    """Shown under the last message only: https://developers.line.biz/en/reference/messaging-api/#quick-reply ."""
    last = next((bubble.buttons for bubble in reversed(bubbles) if bubble.buttons), ())
    return [item for button in last if (item := _quick_reply(button))][:BUTTONS_LIMIT]


def _template(bubble: Bubble) -> LineMessage | None:
    """A bubble whose buttons stay, as LINE's buttons template; None for any other, and for what is too long for one.

    https://developers.line.biz/en/reference/messaging-api/#buttons
    """
    text = legible(bubble.text)
    actions = [item["action"] for button in bubble.buttons if (item := _quick_reply(button))][:TEMPLATE_BUTTONS_LIMIT]
    if not bubble.stays or not actions or not text or utf16(text) > TEMPLATE_TEXT_LIMIT:
        return None
    return {"type": "template", "altText": text, "template": {"type": "buttons", "text": text, "actions": actions}}


def _quick_reply(button: Button) -> dict[str, Any] | None:
    if not 0 < utf16(button.data) <= DATA_LIMIT or ILLEGIBLE.search(button.data):
        raise ValueError(f"a button's data must be 1 to {DATA_LIMIT} UTF-16 units of sendable text")
    label = " ".join(legible(button.label).split())
    if not label:
        return None
    action = {
        "type": "postback",
        "label": clipped(label, LABEL_LIMIT),
        "data": button.data,
        "displayText": clipped(label, DISPLAY_LIMIT),
    }
    return {"type": "action", "action": action}
