"""What LINE would refuse in a message of ours, found before it is sent.

Pure. It knows the few kinds of messages, components and actions that are made here, and nothing else passes. Limits:
https://developers.line.biz/en/reference/messaging-api/#message-objects . Must not know what a message says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.line.buttons import ADDRESS_LIMIT, DATA_LIMIT, DISPLAY_LIMIT, FLEX_LABEL, address_of
from bot.line.cutting import utf16
from bot.plain_text import ILLEGIBLE
from tools.cleaning import is_blank

BUBBLE_BYTES: Final = 30 * 1024
CAROUSEL_BYTES: Final = 50 * 1024
MOST_BUBBLES: Final = 12
ALT_LIMIT: Final = 1_500
FLEX_TEXT_LIMIT: Final = 2_000
PICTURE_LIMIT: Final = 2_000

_PLACED: Final = frozenset({"type", "flex", "margin", "action"})
_PARTS: Final[Mapping[str, frozenset[str]]] = {
    "bubble": frozenset({"type", "size", "hero", "body", "footer", "styles"}),
    "carousel": frozenset({"type", "contents"}),
    "box": _PLACED
    | {"layout", "contents", "spacing", "width", "height", "backgroundColor", "cornerRadius", "alignItems"}
    | {"justifyContent", "paddingAll", "paddingTop", "paddingBottom", "paddingStart", "paddingEnd"},
    "text": _PLACED
    | {"text", "size", "color", "weight", "decoration", "wrap", "maxLines", "align", "gravity", "adjustMode"},
    "image": _PLACED | {"url", "size", "aspectRatio", "aspectMode"},
    "separator": frozenset({"type", "margin", "color"}),
    "filler": frozenset({"type"}),
    "postback": frozenset({"type", "label", "data", "displayText"}),
    "datetimepicker": frozenset({"type", "label", "data", "mode", "initial"}),
    "uri": frozenset({"type", "label", "uri"}),
}
_NEEDED: Final[Mapping[str, frozenset[str]]] = {
    "bubble": frozenset({"body"}),
    "carousel": frozenset({"contents"}),
    "box": frozenset({"layout", "contents"}),
    "text": frozenset({"text"}),
    "image": frozenset({"url"}),
    "postback": frozenset({"label", "data"}),
    "datetimepicker": frozenset({"label", "data", "mode"}),
    "uri": frozenset({"label", "uri"}),
}
_LONGEST: Final[Mapping[str, int]] = {
    "text": FLEX_TEXT_LIMIT,
    "label": FLEX_LABEL,
    "data": DATA_LIMIT,
    "displayText": DISPLAY_LIMIT,
    "uri": ADDRESS_LIMIT,
    "url": PICTURE_LIMIT,
}


def fault_in(message: Mapping[str, Any]) -> str:
    """The first thing in a Flex Message for which LINE would refuse it; "" if there is none."""
    return next(_faults(message), "")


def _faults(message: Mapping[str, Any]) -> Iterator[str]:
    alt, contents = message.get("altText"), message.get("contents")
    if not isinstance(alt, str) or is_blank(alt) or utf16(alt) > ALT_LIMIT:
        yield "altText"
    if not isinstance(contents, Mapping) or contents.get("type") not in {"bubble", "carousel"}:
        yield "contents"
        return
    yield from _in_part(contents, "contents")
    yield from _in_sizes(contents)


def _in_sizes(contents: Mapping[str, Any]) -> Iterator[str]:
    bubbles = contents.get("contents", []) if contents["type"] == "carousel" else [contents]
    if not 1 <= len(bubbles) <= MOST_BUBBLES:
        yield "contents: 1 to 12 bubbles"
    if any(weight(bubble) > BUBBLE_BYTES for bubble in bubbles):
        yield "contents: a bubble is too large"
    if weight(contents) > CAROUSEL_BYTES:
        yield "contents: too large"


def weight(value: object) -> int:
    """Bytes as they are sent: escapes, with which a sign of Chinese takes six, are the most that LINE could count."""
    return len(json.dumps(value))


def _in_part(part: Mapping[str, Any], where: str) -> Iterator[str]:
    """What is wrong with an object that has a ``type``, and inside it."""
    known = _PARTS.get(str(part.get("type")))
    if known is None:
        yield f"{where}: unknown type"
        return
    if odd := part.keys() - known:
        yield f"{where}: unknown property {min(odd)}"
    if missing := _NEEDED.get(part["type"], frozenset()) - part.keys():
        yield f"{where}: without {min(missing)}"
    for name, value in part.items():
        yield from _in_value(name, value, f"{where}/{name}")


def _in_value(name: str, value: Any, where: str) -> Iterator[str]:
    match value:
        case str():
            yield from _in_text(name, value, where)
        case {"type": _}:
            yield from _in_part(value, where)
        case dict():
            for key, each in value.items():
                yield from _in_value(key, each, f"{where}/{key}")
        case list():
            for place, each in enumerate(value):
                yield from _in_value(name, each, f"{where}/{place}")
        case None:
            yield f"{where}: nothing"


def _in_text(name: str, value: str, where: str) -> Iterator[str]:
    if is_blank(value) or ILLEGIBLE.search(value):
        yield f"{where}: empty or illegible"
    if utf16(value) > _LONGEST.get(name, FLEX_TEXT_LIMIT):
        yield f"{where}: too long"
    if name == "uri" and address_of(value) != value:
        yield f"{where}: no address"
    if name == "url" and not (value.startswith("https://") and value.isascii()):
        yield f"{where}: no https address"
