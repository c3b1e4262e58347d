"""Small things about text that reading a message needs: folding, cutting, and what a pattern finds.

Pure. Must not know what a message means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from bot.engines.offline.words import SIMPLIFIED, pattern, patterns

_EDGES = " \t　,，、。.;；:：!！-–—~"


def plain(text: str) -> str:
    """Half width, lower case, traditional: character by character."""
    return "".join(map(_folded, text)).strip()


def _folded(char: str) -> str:
    normal = unicodedata.normalize("NFKC", char).lower()
    return SIMPLIFIED.get(normal, normal) if len(normal) == 1 else char


def bulletless(line: str) -> str:
    """A line without the mark of a list in front."""
    return re.sub(r"^\s*(?:[-*・•●]|\d{1,2}[.)、](?=\s*\D))\s*", "", line).strip()


def letters(plain: str) -> bool:
    """Nothing but letters and the marks that belong to them (Thai vowels are marks)."""
    return bool(plain) and all(unicodedata.category(char)[0] in "LM" for char in plain)


def first(name: str, plain: str) -> re.Match[str] | None:
    """The match of that name's pattern in the first language that has one."""
    return next((match for each in patterns(name) if (match := each.search(plain))), None)


def says(name: str, plain: str) -> bool:
    """Whether that name's pattern is found, in any language."""
    return pattern(name).search(plain) is not None


def numbers(refs: str) -> list[int]:
    """The numbers of records, each once."""
    return list(dict.fromkeys(int(each) for each in re.findall(r"\d+", refs)))


def own_words(line: str, plain: str, rest: str) -> str:
    """The words as they were written, not as they were compared."""
    at = plain.rfind(rest)
    return line[at : at + len(rest)] if len(line) == len(plain) else rest


def trimmed(text: str) -> str:
    """Single spaces, and no punctuation at either end."""
    return " ".join(text.split()).strip(_EDGES)


def without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text without these stretches; Latin words on both sides keep a space between them."""
    return trimmed(blanked(text, spans)) if text.isascii() else trimmed(_cut(text, spans))


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    out, at = [], 0
    for start, end in spans:
        out.append(text[at:start])
        at = end
    return "".join([*out, text[at:]])


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The same length, with spaces where the stretches were."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


_BEFORE = re.compile(
    r"(?:(?:\b(?:on|at|by|from|for|until|due|in)\s+)+(?:the\s+)?|在|於|(?:ตอน|เวลา|ใน)\s*)$", re.IGNORECASE
)
_AFTER = re.compile(r"^(?:に|の|から|は|までに?|的時候|時要|之前|前|ให้|\s*(?=[,，、]))")


def with_particles(text: str, start: int, end: int) -> tuple[int, int]:
    """The time with the small words that bind it: "at 3pm", "15時に"."""
    before, after = _BEFORE.search(text[:start]), _AFTER.match(text[end:])
    return (before.start() if before else start), (end + after.end() if after else end)
