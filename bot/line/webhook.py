"""What LINE sends: signed bytes to incoming messages, every event alone, nothing trusted to be there.

Pure, and quick to import. Must not know the SDK (whose models drop whatever they do not expect), the network, a store,
or what anybody is answered.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NoReturn

from bot.line.loose_json import Json, id_in, is_object, object_in
from bot.line.words import emoji_names, said_in
from bot.ports import ChatId, ChatKind, IncomingMessage, MessageKind
from tools.record import PersonId

NOWHERE: Final = ChatId("unknown")
"""The chat of an event that does not say where it happened: never answered."""


EVENTS_LIMIT: Final = 1_000
"""Ten times what LINE puts into one delivery; each costs some 13 µs here and more in the store."""

_TOKEN_LIMIT: Final = 200
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MESSAGE_KINDS: Final[Mapping[str, MessageKind]] = {
    "text": "text",
    "image": "image",
    "video": "video",
    "audio": "audio",
    "file": "file",
    "location": "location",
    "sticker": "sticker",
}
_HAPPENINGS: Final[Mapping[str, tuple[MessageKind, bool]]] = {
    "postback": ("postback", True),
    "messageEdited": ("edited", True),
    "follow": ("follow", True),
    "unfollow": ("unfollow", False),
    "unsend": ("unsend", False),
}
"""What else happens, and whether it can be answered."""

_COMING_AND_GOING: Final[Mapping[str, tuple[MessageKind, bool]]] = {
    "join": ("join", True),
    "leave": ("leave", False),
    "memberJoined": ("members_came", False),
    "memberLeft": ("members_left", False),
}
"""What happens in a group, and whether anything is said to it."""

_CHAT_IDS: Final[Mapping[str, tuple[ChatKind, str]]] = {
    "user": ("user", "userId"),
    "group": ("group", "groupId"),
    "room": ("room", "roomId"),
}
_DUMMY_TOKENS: Final = (frozenset("0"), frozenset("f"))
_DUMMY_PERSON: Final = "Udeadbeef"


class BadBody(Exception):
    """The body is not a JSON object with a list of events, or the list is too long."""


def verified(body: bytes, signatures: Sequence[bytes | str], secrets: Sequence[str]) -> bool:
    """Whether the body was signed by LINE: base64 of HMAC-SHA256 over the raw bytes, with any of the secrets.

    ``signatures`` are all values of the ``x-line-signature`` header; there must be exactly one. Several secrets are
    for a rotation; an empty one never verifies. Takes the same time for every wrong signature and never raises.
    https://developers.line.biz/en/reference/messaging-api/#signature-validation
    """
    if len(signatures) != 1:
        return False
    given = signatures[0]
    sent = given.encode("utf-8", "surrogatepass") if isinstance(given, str) else bytes(given)
    matches = [hmac.compare_digest(sent, _signature(body, secret)) for secret in secrets if secret]
    return any(matches)


def _signature(body: bytes, secret: str) -> bytes:
    return base64.b64encode(hmac.digest(secret.encode("utf-8", "surrogatepass"), body, "sha256"))


def read_delivery(body: bytes, received_at: datetime) -> list[IncomingMessage]:
    """Every event of a delivery, in its order, as one incoming message each.

    An event that cannot be understood becomes kind ``other`` and costs the others nothing. Raises BadBody if the body
    as a whole is not what LINE sends. ``received_at`` must be aware; it also stands in for a missing time. Each event
    is received a microsecond after the one before it: of what happened at once that tells the order.
    https://developers.line.biz/en/reference/messaging-api/#webhook-event-objects
    """
    return [_incoming(event, received_at + timedelta(microseconds=n)) for n, event in enumerate(_events(body))]


def _events(body: bytes) -> list[Any]:
    try:
        delivery = json.loads(body.decode("utf-8"), parse_int=_bounded_int, parse_constant=_no_constant)
    except (ValueError, RecursionError) as problem:
        raise BadBody(f"not JSON: {type(problem).__name__}") from None
    events = delivery.get("events") if isinstance(delivery, dict) else None
    if not isinstance(events, list):
        raise BadBody("not an object with a list of events")
    if len(events) > EVENTS_LIMIT:
        raise BadBody(f"too many events: {len(events)}")
    return events


def _bounded_int(digits: str) -> int | None:
    """Numbers beyond 64 bits mean nothing here, and very long ones cost quadratic time."""
    return int(digits) if len(digits) <= len("-9223372036854775808") else None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


# ── one event ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _incoming(event: Any, received_at: datetime) -> IncomingMessage:
    happening = event if isinstance(event, dict) else {}
    source = object_in(happening, "source")
    chat_kind, chat = _chat(source)
    person = id_in(source, "userId")
    token = id_in(happening, "replyToken", _TOKEN_LIMIT)
    kind, knowing = _kind(happening, token, chat_kind)
    answerable = (
        knowing and chat != NOWHERE and happening.get("mode", "active") == "active" and not _is_dummy(person, token)
    )
    said = said_in(happening, kind)
    if kind == "text" and said.get("text") == "" and (names := emoji_names(object_in(happening, "message"))):
        kind, said = "sticker", {**said, "text": names}
    return IncomingMessage(
        id=id_in(happening, "webhookEventId") or _own_key(event),
        kind=kind,
        chat=chat,
        chat_kind=chat_kind,
        person=None if person is None else PersonId(person),
        occurred_at=_moment(happening.get("timestamp"), received_at),
        received_at=received_at,
        reply_token=token if answerable else None,
        message_id=id_in(object_in(happening, "message"), "id") or id_in(object_in(happening, "unsend"), "messageId"),
        quoted_message_id=id_in(object_in(happening, "message"), "quotedMessageId"),
        quote_token=id_in(object_in(happening, "message"), "quoteToken", _TOKEN_LIMIT),
        redelivered=object_in(happening, "deliveryContext").get("isRedelivery") is True,
        answerable=answerable,
        **said,
    )


def _kind(event: Json, token: str | None, chat_kind: ChatKind) -> tuple[MessageKind, bool]:
    """What it is, and whether a person meant to say or do it. Kinds of message LINE may add later are such, too, as
    long as they can be answered at all."""
    happened = event.get("type")
    if happened == "message":
        sort = object_in(event, "message").get("type")
        known = _MESSAGE_KINDS.get(sort) if isinstance(sort, str) else None
        return (known, True) if known else ("other", token is not None)
    if not isinstance(happened, str):
        return "other", False
    if happened in _COMING_AND_GOING:
        return _COMING_AND_GOING[happened] if chat_kind != "user" else ("other", False)
    return _HAPPENINGS.get(happened, ("other", False))


def _chat(source: Json) -> tuple[ChatKind, ChatId]:
    sort = source.get("type")
    if not isinstance(sort, str) or sort not in _CHAT_IDS:
        return "user", NOWHERE
    kind, key = _CHAT_IDS[sort]
    return kind, ChatId(id_in(source, key) or NOWHERE)


def _is_dummy(person: str | None, token: str | None) -> bool:
    """The console's Verify button once sent events that look real but may not be answered."""
    return (person or "").startswith(_DUMMY_PERSON) or (token is not None and frozenset(token) in _DUMMY_TOKENS)


def _moment(timestamp: Any, received_at: datetime) -> datetime:
    """LINE's milliseconds since 1970; the time of receipt where they are missing or impossible."""
    if isinstance(timestamp, bool) or not isinstance(timestamp, int | float) or not timestamp >= 0:
        return received_at
    try:
        return _EPOCH + timedelta(milliseconds=timestamp)
    except OverflowError:
        return received_at


def _own_key(event: Any) -> str:
    """The key of an event without a usable id: a hash of what it says, the same for its redelivery."""
    said = {key: value for key, value in event.items() if key != "deliveryContext"} if is_object(event) else event
    own = json.dumps(said, sort_keys=True, separators=(",", ":")).encode("ascii")
    return f"x-{hashlib.sha256(own).hexdigest()[:32]}"
