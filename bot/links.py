"""Web addresses in a model's text: live only if the person wrote them or they stand in the person's own records.

Pure. A network fetches a preview of every address it shows, so one that a model made up, or was talked into, would
carry words out of the chat. Addresses that code builds never pass here, and nothing may be taken out of a text that
has passed: that could join what was parted. Must not know what an address is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_FILES = "pdf|jpe?g|png|gif|heic|txt|csv|docx?|xlsx?|pptx?|mp[34]|m4a"
"""Endings that name a file, never a host."""

_NAME = "a-z0-9_\u00c0-\u024f\u0370-\u052f-"
"""What a host's name is written with. Han, kana and Thai stand before an address without a space: they end it."""

_REST = r"[^\s<>\"'「」（）()]"
_TOP = rf"(?!(?:{_FILES})\b)(?:[a-z]{{2,24}}|xn--[a-z0-9-]+)(?![{_NAME}])(?:\.[{_NAME}]++)*+"
_HOST = rf"(?<![{_NAME}])(?:[{_NAME}]++\.){{1,10}}{_TOP}"
_ADDRESS = re.compile(
    rf"(?:[a-z][a-z0-9+.-]{{0,30}}://|www\.){_REST}+"
    rf"|(?<![\w.+-])(?P<mail>[\w.+-]++@(?:[{_NAME}]++\.)+[{_NAME}]++)(?!:\d|/)"
    rf"|(?<![\w.])(?P<numbered>\d{{1,2}}\.(?=[a-z])(?![{_NAME}.]*[:/])[{_NAME}]++)(?!\.\w)"
    rf"|{_HOST}(?!://)(?::\d+)?(?:/{_REST}*)?"
    rf"|(?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?::\d+)?/{_REST}*",
    re.IGNORECASE,
)
_SCHEMES = re.compile(r"(?:[a-z][a-z0-9+.-]{0,30}:/{2,}[:/]*)+", re.IGNORECASE)
_TAIL = ".,;:!?。，、；：！？…"


def only_known_links(text: str, known: Iterable[str]) -> str:
    """The text with every address that does not stand in ``known`` made into plain words (``example[.]com``)."""
    living = {address for source in known for address in _addresses(source)}

    def kept_or_dead(found: re.Match[str]) -> str:
        address = found[0].rstrip(_TAIL)
        # A mail address fetches nothing, and "1.milk" is the first thing of a list.
        if found["mail"] or found["numbered"] or address in living:
            return found[0]
        return _dead(address) + found[0][len(address) :]

    return _ADDRESS.sub(kept_or_dead, text)


def _addresses(source: str) -> Iterable[str]:
    """Byte for byte, and as a whole: a longer address is another one."""
    return (found[0].rstrip(_TAIL) for found in _ADDRESS.finditer(source))


def _dead(address: str) -> str:
    """Without any scheme, so that none is left to join what stands before it, and without a whole host."""
    return _SCHEMES.sub("", address).replace(".", "[.]")
