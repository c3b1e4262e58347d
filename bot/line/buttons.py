"""Buttons as LINE's actions, with labels that fit where they stand.

Pure. Must not know what a button is about, or which message it belongs to.
"""

from __future__ import annotations

import logging
from typing import Any, Final
from urllib.parse import quote, urlsplit

from bot.card import Button
from bot.line.cutting import clipped, utf16
from bot.plain_text import ILLEGIBLE, legible

QUICK_REPLY_LABEL: Final = 20
FLEX_LABEL: Final = 40
DISPLAY_LIMIT: Final = 300
DATA_LIMIT: Final = 300
ADDRESS_LIMIT: Final = 1_000

Action = dict[str, Any]
"""An action object: https://developers.line.biz/en/reference/messaging-api/#action-objects ."""

_PLAIN: Final = "%/:?#[]@!$&'()*+,;=-._~"
"""Signs of an address that mean something where they stand."""

log = logging.getLogger(__name__)


def action_of(button: Button, label_limit: int) -> Action | None:
    """What a tap does; None for a button that LINE would refuse, or on which nothing could be read. A label is cut to
    fit, data never: it is the program's own."""
    label = " ".join(legible(button.label).split())
    if not label:
        return None
    shown = clipped(label, label_limit)
    if button.kind == "link":
        address = address_of(button.data)
        return {"type": "uri", "label": shown, "uri": address} if address else None
    if not 0 < utf16(button.data) <= DATA_LIMIT or ILLEGIBLE.search(button.data):
        log.error("a button was left out: its data must be 1 to %d UTF-16 units of sendable text", DATA_LIMIT)
        return None
    if button.kind == "picker":
        initial = {"initial": button.initial} if button.initial else {}
        return {"type": "datetimepicker", "label": shown, "data": button.data, "mode": "datetime", **initial}
    said = clipped(" ".join(legible(button.said).split()) or label, DISPLAY_LIMIT)
    return {"type": "postback", "label": shown, "data": button.data, "displayText": said}


def address_of(address: str) -> str:
    """The address as LINE takes it, percent-encoded; "" for one that it would refuse.

    https://developers.line.biz/en/reference/messaging-api/#uri-action
    """
    try:
        encoded = quote(address, safe=_PLAIN)
        parts = urlsplit(encoded)
        leads = bool(parts.hostname) if parts.scheme in {"http", "https"} else bool(parts.netloc or parts.path)
    except ValueError:
        return ""
    known = parts.scheme in {"http", "https", "line", "tel"}
    return encoded if known and leads and len(encoded) <= ADDRESS_LIMIT else ""
