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

from bot.ports import BACK, TYPED, ChatId, ChatKind, IncomingMessage, Media, MessageKind
from tools.record import PersonId

NOWHERE: Final = ChatId("unknown")
"""The chat of an event that does not say where it happened: never answered."""

TEXT_LIMIT: Final = 10_000
FILE_NAME_LIMIT: Final = 200
DATA_LIMIT: Final = 1_000
PARAMS_LIMIT: Final = 16
SET_LIMIT: Final = 50
"""Pictures that are sent together: who says more is not believed, or a turn would wait for them in vain."""

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

PEOPLE_LIMIT: Final = 100
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
    kind, knowing = _kind(happening, token, chat_kind)
    answerable = (
        knowing and chat != NOWHERE and happening.get("mode", "active") == "active" and not _is_dummy(person, token)
    )
    said = _said(happening, kind)
    if kind == "text" and said.get("text") == "" and (names := _emojis(_object(happening, "message"))):
        kind, said = "sticker", {**said, "text": _joined([name for _, name in names])}
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
        quote_token=_id(_object(happening, "message"), "quoteToken", _TOKEN_LIMIT),
        redelivered=_object(happening, "deliveryContext").get("isRedelivery") is True,
        answerable=answerable,
        **said,
    )


def _kind(event: _Json, token: str | None, chat_kind: ChatKind) -> tuple[MessageKind, bool]:
    """What it is, and whether a person meant to say or do it. Kinds of message LINE may add later are such, too, as
    long as they can be answered at all."""
    happened = event.get("type")
    if happened == "message":
        sort = _object(event, "message").get("type")
        known = _MESSAGE_KINDS.get(sort) if isinstance(sort, str) else None
        return (known, True) if known else ("other", token is not None)
    if not isinstance(happened, str):
        return "other", False
    if happened in _COMING_AND_GOING:
        return _COMING_AND_GOING[happened] if chat_kind != "user" else ("other", False)
    return _HAPPENINGS.get(happened, ("other", False))


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
    if kind in {"members_came", "members_left"}:
        return {"data": _people(event)}
    message = _object(event, "message")
    if kind == "follow":
        return {"data": BACK if _object(event, "follow").get("isUnblocked") is True else ""}
    if kind in {"text", "edited"}:
        spans = _self_mentions(event)
        words = _spoken(message.get("text"), [*spans, *(span for span, _ in _emojis(message))])
        return {"text": words, "mentions_me": bool(spans)}
    if kind == "sticker":
        typed = _words(message.get("text"), TEXT_LIMIT).strip()
        keywords = _joined([message.get("text"), *_list(message, "keywords")])
        return {"text": keywords, "params": {TYPED: typed} if typed else {}}
    if kind == "location":
        words = _joined([message.get("title"), message.get("address")]) or _coordinates(message)
        return {"text": words, "media": _media(message)}
    name = {"text": _file_name(message.get("fileName"))} if kind == "file" else {}
    return {**name, "media": _media(message)} if kind in {"image", "video", "audio", "file"} else {}


def _media(message: _Json) -> Media:
    """https://developers.line.biz/en/reference/messaging-api/#wh-image and what follows there."""
    together = _object(message, "imageSet")
    set_id, index, total = _id(together, "id"), _count(together, "index"), _count(together, "total")
    is_set = bool(set_id) and 0 < index <= total <= SET_LIMIT
    return Media(
        size=_count(message, "fileSize"),
        duration=_count(message, "duration"),
        set_id=set_id or "" if is_set else "",
        index=index if is_set else 0,
        total=total if is_set else 0,
        elsewhere=_object(message, "contentProvider").get("type", "line") != "line",
        latitude=_degrees(message, "latitude", 90),
        longitude=_degrees(message, "longitude", 180),
    )


def _count(outer: _Json, key: str) -> int:
    """A whole number from 0 on; 0 where there is none."""
    value = outer.get(key)
    return value if type(value) is int and value > 0 else 0


def _degrees(message: _Json, key: str, most: int) -> float | None:
    value = message.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if -most <= value <= most else None


def _people(event: _Json) -> str:
    """The ids of those who came or went, with a blank between."""
    moved = [*_list(_object(event, "joined"), "members"), *_list(_object(event, "left"), "members")]
    found = (_id(each, "userId") for each in moved[:PEOPLE_LIMIT] if _is_object(each))
    return " ".join(each for each in found if each and " " not in each)


def _self_mentions(event: _Json) -> list[tuple[int, int]]:
    """Where this bot is mentioned, as (start, end) in UTF-16 units of the text."""
    mentioned = _list(_object(_object(event, "message"), "mention"), "mentionees")
    return [_span(one) for one in mentioned if _is_object(one) and one.get("isSelf") is True]


def _emojis(message: _Json) -> list[tuple[tuple[int, int], str]]:
    """Where LINE's own emoji stand in the text, and their names: ``(love)``, or a bare ``()``. They are no words.

    https://developers.line.biz/en/reference/messaging-api/#wh-text
    """
    text = message.get("text")
    units = text.encode("utf-16-le", "surrogatepass") if isinstance(text, str) else b""
    found = []
    for span in (_span(one) for one in _list(message, "emojis") if _is_object(one)):
        name = units[2 * span[0] : 2 * span[1]].decode("utf-16-le", "replace")
        if name.startswith("(") and name.endswith(")"):
            found.append((span, name[1:-1]))
    return found


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
