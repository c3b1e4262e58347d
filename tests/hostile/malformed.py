"""Requests that no honest sender makes, from a seed: sixty-one items, each a generator of its own.

Must not know how they are sent, or what answers them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.bot_process import SECRET

STRANGER, GROUP = "U" + "f" * 32, "C" + "e" * 32
CLOSED = 0
"""The status of a connection that is closed without an answer."""

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """One request, or what looks like one.

    ``pieces`` are sent one after the other, then ``filler`` more bytes. ``allowed`` are the statuses of every answer.
    ``ids`` are events that must be stored if it is answered with 200, and must never be if it is not ``signed``.
    ``alone`` requests leave a connection behind on which nothing more can be asked.
    """

    pieces: tuple[bytes, ...]
    allowed: frozenset[int]
    item: str = ""
    ids: tuple[str, ...] = ()
    signed: bool = True
    alone: bool = False
    half_close: bool = False
    filler: int = 0
    answers: int = 1
    bodiless: bool = False


class Draft:
    """What one request is made of: its own randomness, and ids that nobody else uses."""

    def __init__(self, seed: int, number: int) -> None:
        self.dice = random.Random(f"{seed}/{number}")
        self._prefix = f"01H{number:07d}"
        self._events = 0

    def one_of(self, *choices: Any) -> Any:
        return self.dice.choice(choices)

    def event(self, **changes: Any) -> Fields:
        """A message that LINE could have sent."""
        self._events += 1
        source = {"type": "group", "groupId": GROUP, "userId": STRANGER}
        return {
            "type": "message",
            "mode": "active",
            "timestamp": 1_796_000_000_000 + self._events,
            "source": source if self.dice.random() < 0.9 else {"type": "user", "userId": STRANGER},
            "webhookEventId": f"{self._prefix}-{self._events}",
            "deliveryContext": {"isRedelivery": False},
            "replyToken": f"{self._prefix}-token-{self._events}",
            "message": {"id": str(self._events), "type": "text", "text": "午餐 120", "quoteToken": "q"},
        } | changes

    def batch(self, *events: object) -> bytes:
        return json.dumps({"destination": "U0", "events": list(events)}).encode()


def ids_of(*events: Fields) -> tuple[str, ...]:
    return tuple(each["webhookEventId"] for each in events)


def signature(body: bytes, secret: str = SECRET) -> bytes:
    return base64.b64encode(hmac.digest(secret.encode(), body, "sha256"))


def signed(body: bytes) -> bytes:
    return b"X-Line-Signature: " + signature(body)


def head(*lines: bytes, ask: bytes = b"POST /callback HTTP/1.1") -> bytes:
    return b"\r\n".join([ask, b"Host: bot.example", *lines, b"", b""])


def whole(body: bytes, *lines: bytes, ask: bytes = b"POST /callback HTTP/1.1") -> bytes:
    """A request with the length of its body."""
    return head(*lines, b"Content-Length: %d" % len(body), ask=ask) + body


def chunked(body: bytes, dice: random.Random) -> bytes:
    """The body in chunks of any size, now and then with what a chunk may also carry."""
    said, at = b"", 0
    while at < len(body):
        size = dice.randint(1, max(1, len(body) // 3))
        extension = dice.choice([b"", b";x=y"])
        said += b"%x%s\r\n%s\r\n" % (len(body[at : at + size]), extension, body[at : at + size])
        at += size
    return said + b"0\r\n" + dice.choice([b"", b"X-Trailer: 1\r\n"]) + b"\r\n"


Generator = Callable[[Draft], Malformed]
ITEMS: dict[str, Generator] = {}
HEAVY = {"a signature of 1 MB", "1,000 events", "depth of arrays", "210 MB body", "header of 100 KB"}
"""Items that cost so much that they come up less often."""


def item(name: str) -> Callable[[Generator], Generator]:
    def keep(generator: Generator) -> Generator:
        ITEMS[name] = generator
        return generator

    return keep


# ── signatures ────────────────────────────────────────────────────────────────────────────────────────────────────


def _respaced(body: bytes) -> bytes:
    return signature(json.dumps(json.loads(body), separators=(",", ":")).encode())


def _hexadecimal(body: bytes) -> bytes:
    return hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest().encode()


def _base64url(body: bytes) -> bytes:
    return base64.urlsafe_b64encode(b"\xfb\xff" + hmac.digest(SECRET.encode(), body, "sha256"))


SIGNATURES: dict[str, tuple[Callable[[bytes], list[bytes]], set[int]]] = {
    "no signature": (lambda _: [], {400}),
    "an empty signature": (lambda _: [b"X-Line-Signature:"], {401}),
    "two signature headers": (lambda body: [signed(body)] * 2, {400}),
    "a signature of 1 MB": (lambda _: [b"X-Line-Signature: " + b"A" * 2**20], {400, 431, CLOSED}),
    "a non-ASCII signature": (lambda _: ["X-Line-Signature: é".encode("latin-1")], {400, 401}),
    "hexadecimal for base64": (lambda body: [b"X-Line-Signature: " + _hexadecimal(body)], {401}),
    "base64url": (lambda body: [b"X-Line-Signature: " + _base64url(body)], {401}),
    "of JSON written anew": (lambda body: [b"X-Line-Signature: " + _respaced(body)], {401}),
    "of the body and a newline": (lambda body: [b"X-Line-Signature: " + signature(body + b"\n")], {401}),
    "another channel's secret": (lambda body: [b"X-Line-Signature: " + signature(body, "0" * 32)], {401}),
    "CRLF in the value": (lambda body: [b"X-Line-Signature: x\r\n y\r\nX-A: " + signature(body)], {400, 401}),
}


def _wrongly_signed(lines_for: Callable[[bytes], list[bytes]], allowed: set[int]) -> Generator:
    def generate(draft: Draft) -> Malformed:
        event = draft.event()
        body = draft.batch(event)
        huge = sum(map(len, lines_for(body))) > 2**16
        pieces = (whole(body, *lines_for(body)),)
        return Malformed(pieces=pieces, allowed=frozenset(allowed), ids=ids_of(event), signed=False, alone=huge)

    return generate


ITEMS.update({name: _wrongly_signed(*rest) for name, rest in SIGNATURES.items()})


@item("lower-case header")
def _lower_case(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    name = draft.one_of(b"x-line-signature", b"X-LINE-SIGNATURE", b"x-Line-sIGNATURE")
    lines = [name + b":" + signature(body)]
    return Malformed(pieces=(whole(body, *lines),), allowed=frozenset({200}), ids=ids_of(event))


@item("folded header")
def _folded(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    fold = draft.one_of(b"\r\n ", b"\r\n\t", b"\t", b" \t ")
    lines = [b"X-Line-Signature:" + fold + signature(body) + draft.one_of(b"", b"\t", b" ")]
    return Malformed(pieces=(whole(body, *lines),), allowed=frozenset({200, 400}), ids=ids_of(event))


# ── bodies: rightly signed, and not what LINE sends ───────────────────────────────────────────────────────────────


def _truncated(draft: Draft) -> bytes:
    body = draft.batch(draft.event())
    return body[: draft.dice.randrange(1, len(body) // 50 + 1) * 50 - 1]


def _deep(draft: Draft) -> bytes:
    depth = draft.one_of(900, 1_100, 100_000)
    nest = b"[" * depth + b"]" * depth
    event = json.dumps(draft.event(deep="@")).encode()
    if draft.dice.random() < 0.5:
        event = event.replace(b"webhookEventId", b"another")
    around = draft.one_of(nest, b'{"events":[' + event.replace(b'"@"', nest) + b"]}", b'{"events":' + nest + b"}")
    return bytes(around)


def _deep_objects(draft: Draft) -> bytes:
    depth = draft.one_of(900, 1_100, 50_000)
    nest = b'{"a":' * depth + b"1" + b"}" * depth
    inside = b'{"events":[{"type":"message","x":' + nest + b"}]}"
    return bytes(draft.one_of(nest, inside, b'{"events":[' + nest + b"]}"))


def _events_are(*kinds: str) -> Callable[[Draft], bytes]:
    return lambda draft: b'{"destination":"U0","events":%s}' % draft.one_of(*kinds).encode()


BODIES: dict[str, tuple[Callable[[Draft], bytes], set[int]]] = {
    "empty body": (lambda _: b"", {400}),
    "null": (lambda _: b"null", {400}),
    "a list": (lambda _: b"[]", {400}),
    "a string": (lambda _: b'"x"', {400}),
    "a number": (lambda _: b"1", {400}),
    "NaN": (lambda draft: draft.one_of(b"NaN", b'{"events":[NaN]}', b'{"events":[],"x":-Infinity}'), {400}),
    "truncated": (_truncated, {400}),
    "a byte order mark": (lambda draft: b"\xef\xbb\xbf" + draft.batch(draft.event()), {400}),
    "UTF-16": (lambda draft: draft.batch(draft.event()).decode().encode("utf-16"), {400}),
    "invalid UTF-8": (lambda draft: draft.batch(draft.event()).replace(b"message", b"\xff\xfe", 1), {400}),
    "garbage behind": (lambda draft: draft.batch(draft.event()) + draft.one_of(b"x", b"{}", b"\x00"), {400}),
    "depth of arrays": (_deep, {200, 400}),
    "depth of objects": (_deep_objects, {200, 400}),
    "events that are no list": (_events_are("null", "{}", '"x"', "1", "true"), {400}),
}


def _strange_body(body_of: Callable[[Draft], bytes], allowed: set[int]) -> Generator:
    def generate(draft: Draft) -> Malformed:
        body = body_of(draft)
        return Malformed(pieces=(whole(body, signed(body)),), allowed=frozenset(allowed))

    return generate


ITEMS.update({name: _strange_body(*rest) for name, rest in BODIES.items()})


@item("events twice")
def _twice(draft: Draft) -> Malformed:
    first, second = draft.event(), draft.event()
    body = b'{"events":[%s],"events":[%s]}' % (json.dumps(first).encode(), json.dumps(second).encode())
    return Malformed(pieces=(whole(body, signed(body)),), allowed=frozenset({200}), ids=ids_of(second))


@item("1,000 events")
def _a_thousand(draft: Draft) -> Malformed:
    events = [draft.event() for _ in range(draft.one_of(1_000, 1_000, 1_001))]
    body = draft.batch(*events)
    allowed = frozenset({200} if len(events) == 1_000 else {400})
    return Malformed(pieces=(whole(body, signed(body)),), allowed=allowed, ids=ids_of(*events))


# ── one strange event among good ones ─────────────────────────────────────────────────────────────────────────────

Strange = Callable[[Draft], object]
"""Makes an event; text between ``<<`` and ``>>`` stands in the JSON as it is."""

EVENTS: dict[str, Strange] = {
    "half a surrogate pair": lambda draft: draft.event(message={"type": "text", "text": "\ud800", "\udfff": "\ud800"}),
    "NUL": lambda draft: draft.event(message={"type": "text", "text": "\x00", "id": "\x00"}),
    "5,000 digits": lambda draft: draft.event(timestamp="<<" + "9" * 5_000 + ">>"),
    "1e999": lambda draft: draft.event(timestamp=draft.one_of("<<1e999>>", "<<-1e999>>")),
    "an event that is none": lambda draft: draft.one_of(None, "x", [], [[]], 1, True),
    "a type that is none": lambda draft: draft.event(type=draft.one_of(None, 1, "x" * 10_000, [], {})),
    "an unknown type": lambda draft: draft.event(type=draft.one_of("module", "", "MESSAGE", "😀")),
    "no id": lambda draft: {key: value for key, value in draft.event().items() if key != "webhookEventId"},
    "an id that is no string": lambda draft: draft.event(webhookEventId=draft.one_of(1, None, [], {}, True, 1.5)),
    "an id of 10,000 signs": lambda draft: draft.event(webhookEventId=draft.one_of("x", "é", "\x00") * 10_000),
    "one id, two bodies": lambda draft: draft.event(webhookEventId="01HSAME", x=draft.dice.random()),
    "a time that is none": lambda draft: draft.event(
        timestamp=draft.one_of("now", 1.5, -1, "<<1" + "0" * 400 + ">>", "<<1e308>>", None, [], True, 2**63)
    ),
    "an unknown source": lambda draft: draft.event(
        source=draft.one_of(None, [], {}, {"type": "moon"}, {"type": "user"}, {"type": [], "userId": 5}, "U0")
    ),
    "no reply token": lambda draft: {key: value for key, value in draft.event().items() if key != "replyToken"},
    "another mode": lambda draft: draft.event(mode=draft.one_of("standby", "unknown", None, 1, [])),
    "__proto__": lambda draft: draft.event(__proto__={"admin": True}, __class__="x", constructor={}),
}


def _among_good_ones(strange: Strange) -> Generator:
    def generate(draft: Draft) -> Malformed:
        good = [draft.event() for _ in range(draft.dice.randint(1, 3))]
        events = [*good, strange(draft)]
        draft.dice.shuffle(events)
        body = draft.batch(*events).replace(b'"<<', b"").replace(b'>>"', b"")
        return Malformed(pieces=(whole(body, signed(body)),), allowed=frozenset({200}), ids=ids_of(*good))

    return generate


ITEMS.update({name: _among_good_ones(strange) for name, strange in EVENTS.items()})


def requests(seed: int, count: int) -> Iterator[Malformed]:
    """Every item once, then any of them; the same for the same seed."""
    names = list(ITEMS)
    weights = [0.1 if name in HEAVY else 1 for name in names]
    for number in range(count):
        draft = Draft(seed, number)
        name = names[number] if number < len(names) else draft.dice.choices(names, weights)[0]
        yield replace(ITEMS[name](draft), item=name)
