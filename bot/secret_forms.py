"""The forms in which a secret could leave unnoticed: encoded, spelt out, turned round, spread over blanks and lines.

Pure. A text is read as somebody would who wants the secret out of it: escapes are undone, and only letters and digits
count, in any width and case; what is then looked for are the encodings of the secret. A homemade cipher or a part of a
secret is not found: this is a net, and no proof. Must not know where a text goes.
"""

from __future__ import annotations

import html
import re
import sys
import unicodedata
from base64 import b32encode, b64encode
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

Form = TypeVar("Form", str, bytes)

DEPTH = 2
"""So often escapes are undone: what was escaped on its way here, and may be once more."""

LEAST_LETTERS = 10
"""A secret with fewer letters and digits is looked for with its punctuation: ordinary words could spell the rest."""

SHORTEST_FORM = 6
"""Of an encoding with fewer letters and digits too little is left to be sure."""

_GRAM = 8
_LONG = 2 * _GRAM - 1
"""Whatever is at least so long holds a whole gram at some multiple of eight, wherever it stands."""

_WINDOW = 256
"""Signs that are looked at first when a form is to be located; then twice as many, and so on."""

_SWEEPS = 8
"""So deep a secret may stand in another."""

_REACH = 2048
"""Signs over which one is spread at most, as a rule: what is spread wider is found in the next sweep."""

_LOWER = bytes(range(256)).lower()
_NO_LETTER = bytes(each for each in range(256) if not (each < 128 and chr(each).isalnum()))  # noqa: PLR2004 - ASCII
_BLANKS = bytes(each for each in range(128) if not chr(each).isprintable() or chr(each).isspace())
_ROT13 = bytes.maketrans(b"abcdefghijklmnopqrstuvwxyz", b"nopqrstuvwxyzabcdefghijklm")

_ESCAPE = re.compile(
    r"([%&\\0](?:(?<=%)[0-9a-fA-F]{2}|(?<=0)x[0-9a-fA-F]{2}"
    r"|(?<=\\)(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{2,6}\}|U[0-9a-fA-F]{8}|[bfnrt]|(?=[\"\\/]))"
    r"|(?<=&)(?:#[0-9]{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[a-zA-Z][a-zA-Z0-9]{1,24};)))"
)
"""Of addresses, of JSON, of program text, of web pages."""

_CODE = re.compile(r"([0-9a-fA-F]{2,8})\}?$")

_GAP = re.compile(
    "[\\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
)
"""Blanks, and what shows nothing."""

_FOREIGN = re.compile("[\u0370-\u052f]")
_ALIKE = str.maketrans(
    "АаВЕеЅѕІіЈјКкМмНОоРрСсТтХхУуԁԛԝҺһАΑΒΕΖΗΙΚΜΝΟοΡρΤΥΧνα",
    "AaBEeSsIiJjKkMmHOoPpCcTtXxYydqwHhAABEZHIKMNOoPpTYXva",
)
"""Cyrillic and Greek letters that look like Latin ones."""


class Forms:
    """What is looked for: every form of these secrets."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = sorted(set(secrets))
        found = sorted({form for secret in known for form in _forms(secret)})
        self._long = [each for each in found if len(each) >= _LONG]
        self._short = [each for each in found if len(each) < _LONG]
        self._grams = frozenset(gram for each in self._long for gram in _grams(each))
        scant = [_closed(secret) for secret in known if _is_scant(secret)]
        self._closed = [form for each in scant if len(each) >= SHORTEST_FORM for form in _both_ways(each)]

    def shown_in(self, text: str) -> bool:
        """Whether one of them can be read in the text."""
        return any(self._stands_in(reading) for reading in _readings(text))

    def without(self, text: str, mark: str) -> str:
        """The text with the mark where one of them was. What moves together when something is taken out from between
        is looked at again. Raises ValueError if that has no end."""
        for sweep in range(_SWEEPS):
            if not self.shown_in(text):
                return text
            text = self._swept(text, mark, _REACH * 8**sweep)
        raise ValueError("a secret is still to be read in what was swept")

    def _stands_in(self, reading: str) -> bool:
        letters = _letters(reading)
        if any(each in letters for each in self._short):
            return True
        if self._perhaps_long(letters) and any(each in letters for each in self._long):
            return True
        if not self._closed:
            return False
        closed = _closed(reading)
        return any(each in closed for each in self._closed)

    def _perhaps_long(self, letters: bytes) -> bool:
        """Whether a part of a long form stands here: one look for all of them, which costs the same for few and many
        secrets."""
        whole = len(letters) // _GRAM * _GRAM
        return not self._grams.isdisjoint(memoryview(letters)[:whole].cast("Q"))

    def _swept(self, text: str, mark: str, reach: int) -> str:
        """Each one, first to last, in the smallest piece of the text that shows it; what is spread over more than
        ``reach`` signs is left."""
        kept: list[str] = []
        at = 0
        while at < len(text):
            piece = text[at : at + reach]
            if self.shown_in(piece):
                end = self._shortest(piece, lambda whole, size: whole[:size])
                size = self._shortest(piece[:end], lambda whole, size: whole[-size:])
                kept += [piece[: end - size], mark]
                at += end
            else:
                step = len(piece) if at + reach >= len(text) else reach // 2
                kept.append(piece[:step])
                at += step
        return "".join(kept)

    def _shortest(self, text: str, part: Callable[[str, int], str]) -> int:
        """The size of the smallest such part of the text that shows one; the whole does."""
        low, high = 1, _WINDOW
        while high < len(text) and not self.shown_in(part(text, high)):
            low, high = high, 2 * high
        sizes = range(low, min(high, len(text)))
        return low + bisect_left(sizes, True, key=lambda size: self.shown_in(part(text, size)))


# ── how a text is read ────────────────────────────────────────────────────────────────────────────────────────────


def _readings(text: str) -> Iterator[str]:
    """The text as it is, and with its escapes undone."""
    yield text
    for _ in range(DEPTH):
        read = _unescaped(text)
        if read == text:
            return
        yield read
        text = read


def _unescaped(text: str) -> str:
    parts = _ESCAPE.split(text)
    parts[1::2] = map(_sign, parts[1::2])
    return "".join(parts)


@lru_cache(4096)
def _sign(escape: str) -> str:
    if escape.startswith("&"):
        return html.unescape(escape)
    code = _CODE.search(escape)
    return chr(min(int(code[1], 16), sys.maxunicode)) if code else ""


def _letters(text: str) -> bytes:
    """Latin letters and digits alone, without width, accents and case."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        if _FOREIGN.search(text):
            text = text.translate(_ALIKE)
    return text.encode("ascii", "ignore").translate(_LOWER, _NO_LETTER)


def _closed(text: str) -> str:
    """The text without width, case and gaps."""
    if text.isascii():
        return text.encode().translate(_LOWER, _BLANKS).decode()
    return _GAP.sub("", unicodedata.normalize("NFKD", text).casefold())


# ── the forms of a secret ─────────────────────────────────────────────────────────────────────────────────────────


def _forms(secret: str) -> Iterator[bytes]:
    """What its forms leave of letters and digits."""
    letters, raw = _letters(secret), secret.encode("utf-8", "surrogatepass")
    if not _is_scant(secret):
        yield from _both_ways(letters)
        yield letters.translate(_ROT13)
    encoded = [raw.hex(), *("".join(format(each, how) for each in raw) for how in ("d", "o", "08b"))]
    encoded += _phases(raw, b64encode, 3, 6)
    encoded += _phases(b64encode(raw), b64encode, 3, 6)
    encoded += _phases(raw, b32encode, 5, 5)
    yield from (form for each in encoded if len(form := _letters(each)) >= SHORTEST_FORM)


def _phases(raw: bytes, encode: Callable[[bytes], bytes], group: int, bits: int) -> Iterator[str]:
    """What the encoding always holds, wherever in a longer text the bytes stand: signs that also depend on their
    neighbours are left out."""
    for before in range(group):
        signs = encode(bytes(before) + raw).decode()
        first, last = -(-8 * before // bits), 8 * (before + len(raw)) // bits
        yield signs[first:last]


def _both_ways(form: Form) -> tuple[Form, Form]:
    return form, form[::-1]


def _is_scant(secret: str) -> bool:
    return len(_letters(secret)) < LEAST_LETTERS


def _grams(form: bytes) -> Iterator[int]:
    return (int.from_bytes(form[at : at + _GRAM], sys.byteorder) for at in range(len(form) - _GRAM + 1))
