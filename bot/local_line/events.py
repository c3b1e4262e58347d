"""What LINE tells a bot: events with their ids and tokens, and the signed body that carries them.

Pure but for the random ids. Shapes: https://developers.line.biz/en/reference/messaging-api/#webhook-event-objects
Must not know who sends them where.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

Event = dict[str, Any]

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

STICKERS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "ok": ("446", "1988", ("OK", "Good")),
    "thanks": ("446", "1993", ("Thank you", "Thanks")),
    "happy": ("446", "1989", ("Happy", "Great")),
    "tired": ("446", "2005", ("Tired", "Sleepy")),
}
"""The few stickers of the page: package, sticker, and the keywords that LINE would send along."""


def milliseconds(moment: datetime) -> int:
    """A moment as LINE writes it."""
    return int(moment.timestamp() * 1000)


def user_id() -> str:
    """A new id of a person or of the bot."""
    return "U" + secrets.token_hex(16)


def message_id(at: int) -> str:
    """A new message id: digits, growing with time."""
    return str((at << 18) | secrets.randbits(18))


def opaque_token() -> str:
    """A new reply token, quote token, or token to mark as read."""
    return secrets.token_hex(16)


def ulid(at: int) -> str:
    """A new ULID of that millisecond (https://github.com/ulid/spec)."""
    value = (at << 80) | secrets.randbits(80)
    return "".join(_CROCKFORD[(value >> shift) & 31] for shift in range(125, -1, -5))


def event(kind: str, person_id: str, at: int, *, answerable: bool = True, **parts: Any) -> Event:
    """An event of that type from that person's one-to-one chat."""
    token = {"replyToken": opaque_token()} if answerable else {}
    return {
        "type": kind,
        **parts,
        "webhookEventId": ulid(at),
        "deliveryContext": {"isRedelivery": False},
        "timestamp": at,
        "source": {"type": "user", "userId": person_id},
        **token,
        "mode": "active",
    }


def redelivery(first: Event) -> Event:
    """The same event, marked as sent again: id, token and time of occurrence stay."""
    return {**first, "deliveryContext": {"isRedelivery": True}}


def text_content(words: str) -> dict[str, Any]:
    """Something said in words."""
    return {"type": "text", "text": words}


def sticker_content(name: str) -> dict[str, Any]:
    """One of the page's stickers. Raises KeyError for another name."""
    package, sticker, keywords = STICKERS[name]
    return {
        "type": "sticker",
        "packageId": package,
        "stickerId": sticker,
        "stickerResourceType": "STATIC",
        "keywords": list(keywords),
    }


def image_content(set_id: str = "", index: int = 0, total: int = 0) -> dict[str, Any]:
    """A picture that the platform keeps; of those sent together the ``index``-th."""
    together = {"imageSet": {"id": set_id, "index": index, "total": total}} if set_id else {}
    return {"type": "image", "contentProvider": {"type": "line"}, **together}


def recording_content(kind: str, milliseconds: int) -> dict[str, Any]:
    """A voice message (``audio``) or a film (``video``) that the platform keeps."""
    return {"type": kind, "duration": milliseconds, "contentProvider": {"type": "line"}}


def file_content(name: str, size: int) -> dict[str, Any]:
    """A file that the platform keeps."""
    return {"type": "file", "fileName": name, "fileSize": size}


def webhook_body(destination: str, events: Sequence[Event]) -> bytes:
    """The bytes that are posted; they are what is signed."""
    return json.dumps(
        {"destination": destination, "events": list(events)}, ensure_ascii=False, separators=(",", ":")
    ).encode()


def signature(secret: str, body: bytes) -> str:
    """https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/ ."""
    return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()
