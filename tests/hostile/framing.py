"""The items about HTTP itself: lengths, chunks, methods, paths, versions, and senders who stop half-way.

Must not know how they are sent, or what answers them.
"""

from __future__ import annotations

import gzip
import itertools

from tests.hostile.malformed import CLOSED, Draft, Malformed, chunked, head, ids_of, item, signature, signed, whole

OK = frozenset({200})
BIG = 210_000_000


@item("content type")
def _content_type(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    said = draft.one_of(
        b"text/plain", b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=x", b"\xff"
    )
    lines = [b"Content-Type: " + said] if draft.dice.random() < 0.8 else []
    return Malformed(pieces=(whole(body, signed(body), *lines),), allowed=OK, ids=ids_of(event))


@item("gzip")
def _gzip(draft: Draft) -> Malformed:
    event = draft.event()
    plain = draft.batch(event)
    body = gzip.compress(plain, mtime=0)
    over = draft.one_of(plain, body)
    lines = [b"X-Line-Signature: " + signature(over), b"Content-Encoding: gzip"]
    allowed = frozenset({400, 415} if over == body else {401, 415})
    return Malformed(pieces=(whole(body, *lines),), allowed=allowed, ids=ids_of(event), signed=False)


@item("chunked")
def _chunked(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    lines = [signed(body), b"Transfer-Encoding: chunked"]
    if draft.dice.random() < 0.5:
        return Malformed(pieces=(head(*lines) + chunked(body, draft.dice),), allowed=OK, ids=ids_of(event))
    wrong = draft.one_of(b"zz\r\n{}\r\n", b"-1\r\n{}\r\n", b"fffffffffffffffffff\r\n", b"2\r\n{}xx0\r\n\r\n")
    if draft.dice.random() < 0.5:
        lines = lines[1:]  # answered before the chunk is seen
    return Malformed(pieces=(head(*lines), wrong), allowed=frozenset({400, CLOSED}), alone=True, half_close=True)


@item("chunked with a length")
def _chunked_with_length(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    length = b"Content-Length: %d" % draft.one_of(0, 5, len(body))
    lines = [signed(body), length, b"Transfer-Encoding: chunked"]
    draft.dice.shuffle(lines)
    pieces = (head(*lines) + chunked(body, draft.dice),)
    return Malformed(pieces=pieces, allowed=frozenset({400}), ids=ids_of(event), signed=False, alone=True)


@item("wrong length")
def _wrong_length(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    length, allowed = draft.one_of(
        (b"%d" % (len(body) - 7), {401}),
        (b"%d" % (len(body) + 7), {CLOSED, 408}),
        (b"-1", {400}),
        (b"abc", {400}),
        (b"", {400}),
        (b"1" * 30, {400, 413}),
        (b"%d\r\nContent-Length: 5" % len(body), {400}),
        (b"0x10", {400}),
    )
    pieces = (head(signed(body), b"Content-Length: " + length), body)
    ids = ids_of(event)
    return Malformed(
        pieces=pieces, allowed=frozenset(allowed), ids=ids, signed=False, alone=True, half_close=True
    )  # fmt: skip


@item("Expect: 100-continue")
def _expect(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    lines = [signed(body), b"Expect: " + draft.one_of(b"100-continue", b"100-Continue")]
    if draft.dice.random() < 0.7:
        pieces = (head(*lines, b"Content-Length: %d" % len(body)), body)
        return Malformed(pieces=pieces, allowed=OK, ids=ids_of(event))
    too_large = head(*lines, b"Content-Length: %d" % BIG)
    return Malformed(pieces=(too_large,), allowed=frozenset({413}), alone=True)


@item("method")
def _method(draft: Draft) -> Malformed:
    body = draft.batch(draft.event())
    method, status = draft.one_of(
        (b"GET", 200),
        (b"HEAD", 200),
        (b"PUT", 405),
        (b"OPTIONS", 405),
        (b"DELETE", 405),
        (b"BREW", 405),
        (b"post", 405),
    )
    ask = method + b" /callback HTTP/1.1"
    pieces = (whole(body, signed(body), ask=ask) if draft.dice.random() < 0.5 else head(ask=ask),)
    return Malformed(pieces=pieces, allowed=frozenset({status}), bodiless=method == b"HEAD")


@item("path")
def _path(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    path, allowed = draft.one_of(
        (b"//callback", {404}),
        (b"/callback/", {200}),
        (b"/callback%00", {404}),
        (b"/callback%0a", {200, 404}),
        (b"/callback?a=%ff&b", {200}),
        (b"/Callback", {404}),
        (b"/callback/..", {404}),
        (b"/../callback", {404}),
        (b"/callback;x", {404}),
        (b"http://elsewhere.example/callback", {404}),
        (b"*", {404}),
        (b"/" + b"x" * 8_000, {404}),
        (b"/%ff%fe", {404}),
        (b"/\xff", {400}),
        (b"/a b", {400}),
    )
    pieces = (whole(body, signed(body), ask=b"POST " + path + b" HTTP/1.1"),)
    return Malformed(pieces=pieces, allowed=frozenset(allowed), ids=ids_of(event) if allowed == {200} else ())


@item("pipelined")
def _pipelined(draft: Draft) -> Malformed:
    events = [draft.event() for _ in range(draft.dice.randint(2, 6))]
    asked = b"".join(whole(body, signed(body)) for body in map(draft.batch, events))
    at = draft.dice.randrange(len(asked))
    pieces = (asked[:at], asked[at:])
    return Malformed(pieces=pieces, allowed=OK, ids=ids_of(*events), answers=len(events))


@item("version")
def _version(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    version, allowed = draft.one_of(
        (b" HTTP/1.0", {200}), (b" HTTP/2.0", {200, 400}), (b" HTTP/9", {400}), (b"", {400})
    )
    pieces = (whole(body, signed(body), ask=b"POST /callback" + version),)
    return Malformed(pieces=pieces, allowed=frozenset(allowed), ids=ids_of(event), alone=True)


@item("header of 100 KB")
def _large_header(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    pieces = (whole(body, signed(body), b"X-Large: " + b"x" * 100_000),)
    return Malformed(pieces=pieces, allowed=frozenset({200, 400, 431, CLOSED}), ids=ids_of(event), alone=True)


@item("200 headers")
def _many_headers(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    lines = [b"X-%d: %d" % (each, draft.dice.randrange(10**6)) for each in range(200)]
    return Malformed(pieces=(whole(body, signed(body), *lines),), allowed=OK, ids=ids_of(event))


def _dripping(draft: Draft, asked: bytes, first: int, last: int) -> tuple[tuple[bytes, ...], bool]:
    """The request in small pieces between two places; and whether it stops there."""
    cuts = sorted(draft.dice.sample(range(first, last), 8))
    stops = draft.dice.random() < 0.5
    edges = [0, *cuts] if stops else [0, *cuts, len(asked)]
    return tuple(asked[begin:end] for begin, end in itertools.pairwise(edges)), stops


@item("slow head")
def _slow_head(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    asked = whole(body, signed(body))
    pieces, stops = _dripping(draft, asked, 1, len(asked) - len(body) - 4)
    allowed = frozenset({CLOSED, 400} if stops else {200})
    return Malformed(pieces=pieces, allowed=allowed, ids=ids_of(event), signed=not stops, alone=True, half_close=stops)


@item("slow body")
def _slow_body(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    asked = whole(body, signed(body))
    pieces, stops = _dripping(draft, asked, len(asked) - len(body) + 1, len(asked) - 1)
    allowed = frozenset({CLOSED, 408} if stops else {200})
    return Malformed(pieces=pieces, allowed=allowed, ids=ids_of(event), signed=not stops, alone=True, half_close=stops)


@item("half-close")
def _half_close(draft: Draft) -> Malformed:
    event = draft.event()
    body = draft.batch(event)
    return Malformed(
        pieces=(whole(body, signed(body)),), allowed=OK, ids=ids_of(event), alone=True, half_close=True
    )  # fmt: skip


@item("210 MB body")
def _large_body(draft: Draft) -> Malformed:
    lines = [b"X-Line-Signature: x"]
    framed = draft.one_of(b"Content-Length: %d" % BIG, b"Transfer-Encoding: chunked")
    chunk = b"%x\r\n" % BIG if b"chunked" in framed else b""
    pieces = (head(*lines, framed) + chunk,)
    return Malformed(pieces=pieces, allowed=frozenset({413, CLOSED}), signed=False, alone=True, filler=BIG)
