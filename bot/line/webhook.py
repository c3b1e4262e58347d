"""What LINE sends: signed bytes to incoming messages, every event alone, nothing trusted to be there.

Pure, and quick to import. Must not know the SDK (whose models drop whatever they do not expect), the network, a store,
or what anybody is answered.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NoReturn

from bot.ports import TYPED, ChatId, ChatKind, IncomingMessage, MessageKind
from tools.record import PersonId

NOWHERE: Final = ChatId("unknown")
"""The chat of an event that does not say where it happened: never answered."""

TEXT_LIMIT: Final = 10_000
FILE_NAME_LIMIT: Final = 200
DATA_LIMIT: Final = 1_000
PARAMS_LIMIT: Final = 16
EVENTS_LIMIT: Final = 1_000
"""Ten times what LINE puts into one delivery; each costs some 13 µs here and more in the store."""

_ID_LIMIT: Final = 64
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
_CHAT_IDS: Final[Mapping[str, tuple[ChatKind, str]]] = {
    "user": ("user", "userId"),
    "group": ("group", "groupId"),
    "room": ("room", "roomId"),
}
_DUMMY_TOKENS: Final = (frozenset("0"), frozenset("f"))
_DUMMY_PERSON: Final = "Udeadbeef"
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")

_Json = dict[str, Any]


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
    as a whole is not what LINE sends. ``received_at`` must be aware; it also stands in for a missing time.
    https://developers.line.biz/en/reference/messaging-api/#webhook-event-objects
    """
    return [_incoming(event, received_at) for event in _events(body)]


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
    source = _object(happening, "source")
    chat_kind, chat = _chat(source)
    person = _id(source, "userId")
    token = _id(happening, "replyToken", _TOKEN_LIMIT)
    kind, knowing = _kind(happening, token)
    answerable = (
        knowing
        and chat_kind == "user"
        and chat != NOWHERE
        and happening.get("mode", "active") == "active"
        and not _is_dummy(person, token)
    )
    said = _said(happening, kind) if chat_kind == "user" else {"mentions_me": bool(_self_mentions(happening))}
    return IncomingMessage(
        id=_id(happening, "webhookEventId") or _own_key(event),
        kind=kind,
        chat=chat,
        chat_kind=chat_kind,
        person=None if person is None else PersonId(person),
        occurred_at=_moment(happening.get("timestamp"), received_at),
        received_at=received_at,
        reply_token=token if answerable else None,
        message_id=_id(_object(happening, "message"), "id") or _id(_object(happening, "unsend"), "messageId"),
        quoted_message_id=_id(_object(happening, "message"), "quotedMessageId"),
        redelivered=_object(happening, "deliveryContext").get("isRedelivery") is True,
        answerable=answerable,
        **said,
    )


def _kind(event: _Json, token: str | None) -> tuple[MessageKind, bool]:
    """What it is, and whether a person meant to say or do it. Kinds of message LINE may add later are such, too, as
    long as they can be answered at all."""
    happened = event.get("type")
    if happened == "message":
        sort = _object(event, "message").get("type")
        known = _MESSAGE_KINDS.get(sort) if isinstance(sort, str) else None
        return (known, True) if known else ("other", token is not None)
    if happened == "postback":
        return "postback", True
    return ("follow", True) if happened == "follow" else ("other", False)


def _chat(source: _Json) -> tuple[ChatKind, ChatId]:
    sort = source.get("type")
    if not isinstance(sort, str) or sort not in _CHAT_IDS:
        return "user", NOWHERE
    kind, key = _CHAT_IDS[sort]
    return kind, ChatId(_id(source, key) or NOWHERE)


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
    said = {key: value for key, value in event.items() if key != "deliveryContext"} if _is_object(event) else event
    own = json.dumps(said, sort_keys=True, separators=(",", ":")).encode("ascii")
    return f"x-{hashlib.sha256(own).hexdigest()[:32]}"


# ── what was said ─────────────────────────────────────────────────────────────────────────────────────────────────


def _said(event: _Json, kind: MessageKind) -> dict[str, Any]:
    """The fields that carry a person's words."""
    if kind == "postback":
        postback = _object(event, "postback")
        return {"data": _words(postback.get("data"), DATA_LIMIT), "params": _params(postback.get("params"))}
    message = _object(event, "message")
    if kind == "text":
        spans = _self_mentions(event)
        return {"text": _spoken(message.get("text"), spans or []), "mentions_me": bool(spans)}
    if kind == "sticker":
        typed = _words(message.get("text"), TEXT_LIMIT).strip()
        keywords = _joined([message.get("text"), *_list(message, "keywords")])
        return {"text": keywords, "params": {TYPED: typed} if typed else {}}
    if kind == "location":
        return {"text": _joined([message.get("title"), message.get("address")]) or _coordinates(message)}
    return {"text": _file_name(message.get("fileName"))} if kind == "file" else {}


def _self_mentions(event: _Json) -> list[tuple[int, int]]:
    """Where this bot is mentioned, as (start, end) in UTF-16 units of the text."""
    mentioned = _list(_object(_object(event, "message"), "mention"), "mentionees")
    return [_span(one) for one in mentioned if _is_object(one) and one.get("isSelf") is True]


def _span(mentionee: _Json) -> tuple[int, int]:
    start, length = mentionee.get("index"), mentionee.get("length")
    if type(start) is not int or type(length) is not int or start < 0 or length < 0:
        return (0, 0)
    return (start, start + length)


def _spoken(text: Any, mentions: Sequence[tuple[int, int]]) -> str:
    """The text without the mentions of the bot. LINE counts in UTF-16 units, before anything is removed."""
    if not isinstance(text, str) or not mentions:
        return _words(text, TEXT_LIMIT)
    units = text.encode("utf-16-le", "surrogatepass")
    kept, at = bytearray(), 0
    for start, end in sorted(mentions):
        kept += units[2 * at : 2 * start]
        at = max(at, end)
    kept += units[2 * at :]
    return _words(kept.decode("utf-16-le", "surrogatepass"), TEXT_LIMIT).strip()


def _params(given: Any) -> dict[str, str]:
    """What a date picker or a rich menu switch adds to a postback: text only."""
    if not _is_object(given):
        return {}
    pairs = [(key, value) for key, value in given.items() if isinstance(value, str) and len(key) <= _ID_LIMIT]
    return {_words(key, _ID_LIMIT): _words(value, DATA_LIMIT) for key, value in pairs[:PARAMS_LIMIT]}


def _joined(parts: Sequence[Any]) -> str:
    words = [_words(part, TEXT_LIMIT).strip() for part in parts[:PARAMS_LIMIT]]
    return ", ".join(dict.fromkeys(word for word in words if word))[:TEXT_LIMIT]


def _coordinates(message: _Json) -> str:
    point = [message.get("latitude"), message.get("longitude")]
    return ", ".join(str(axis) for axis in point) if all(type(axis) in (int, float) for axis in point) else ""


def _file_name(given: Any) -> str:
    """The last part of a file's name, without anything that steers a terminal, a path or the direction of writing."""
    name = re.split(r"[/\\]", _words(given, TEXT_LIMIT))[-1]
    seen = "".join(sign for sign in name if unicodedata.category(sign)[0] != "C").strip(" .")
    return seen[:FILE_NAME_LIMIT]


def _words(given: Any, limit: int) -> str:
    """Text as it was sent, minus what no store and no JSON can carry: NUL and halves of surrogate pairs."""
    return _UNSTORABLE.sub("", given)[:limit] if isinstance(given, str) else ""


# ── reading JSON that may hold anything ───────────────────────────────────────────────────────────────────────────


def _is_object(given: Any) -> bool:
    return isinstance(given, dict)


def _object(outer: _Json, key: str) -> _Json:
    inner = outer.get(key)
    return inner if isinstance(inner, dict) else {}


def _list(outer: _Json, key: str) -> list[Any]:
    inner = outer.get(key)
    return inner if isinstance(inner, list) else []


def _id(outer: _Json, key: str, limit: int = _ID_LIMIT) -> str | None:
    """A name given by LINE: a short word of printable ASCII, else None."""
    name = outer.get(key)
    usable = isinstance(name, str) and 0 < len(name) <= limit and name.isascii() and name.isprintable()
    return name if usable else None
