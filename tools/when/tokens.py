"""A text taken apart: at each place the longest words that state something about time.

Pure. Must not know what day it is, or what the statements come to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tools.alphabet import fold_pattern
from tools.when.facts import BUILDERS, Facts
from tools.when.numbers import NotUnderstood
from tools.when.rules import Language, Rule
from tools.when.words import LANGUAGES


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of the folded text and what it states; ``kind`` is ``facts``, ``to``, ``from`` or ``fill``."""

    start: int
    end: int
    kind: str
    facts: Facts
    weak: bool = False


@cache
def _rules() -> tuple[tuple[re.Pattern[str], Rule, Language], ...]:
    compiled = []
    for language in LANGUAGES:
        nameless = re.sub(r"\?P<\w+>", "?:", language.amount)
        for rule in language.rules:
            number = language.number.replace("\\", r"\\")  # it stands in for text, not for a template
            pattern = re.sub("(?<!P)<n>", number, rule.pattern)
            pattern = pattern.replace("<amounts>", f"(?:{nameless})+")
            compiled.append((re.compile(fold_pattern(pattern)), rule, language))
    return tuple(compiled)


def token_at(text: str, start: int) -> Token | None:
    """The longest statement that begins here; the first table wins between equals. Raises NotUnderstood if the words
    are those of a time and there is no such time (25:00)."""
    best: tuple[int, re.Match[str], Rule, Language] | None = None
    for pattern, rule, language in _rules():
        match = pattern.match(text, start)
        if match and match.end() > (best[0] if best else start) and _whole_words(text, start, match.end()):
            best = (match.end(), match, rule, language)
    if best is None:
        return None
    end, match, rule, language = best
    if rule.kind in ("to", "from", "fill"):
        return Token(start, end, rule.kind, Facts())
    groups = {name: value for name, value in match.groupdict().items() if value is not None} | {"all": match.group()}
    return Token(start, end, "facts", BUILDERS[rule.kind](groups, rule, language), rule.weak)


def _whole_words(text: str, start: int, end: int) -> bool:
    return not (_joined(text, start) or _joined(text, end))


def _joined(text: str, at: int) -> bool:
    """Inside a Latin word or inside a number."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isdigit() and after.isdigit():
        return True
    return before.isascii() and before.isalpha() and after.isascii() and after.isalpha()


def join(tokens: Iterable[Token]) -> Facts:
    """One ``Facts`` of many. Raises NotUnderstood if something is stated twice in two ways."""
    stated: dict[str, object] = {}
    for token in tokens:
        for name, value in token.facts.stated().items():
            stated[name] = _agreed(name, stated.get(name), value)
    return Facts(**stated)  # type: ignore[arg-type]  # names and values come from Facts


def _agreed(name: str, known: object, value: object) -> object:
    if known is None or known == value:
        return value
    if name == "part":
        return _closer(str(known), str(value))
    raise NotUnderstood("the text states two different times")


_HALVES = {
    "am": "am",
    "dawn": "am",
    "morning": "am",
    "pm": "pm",
    "afternoon": "pm",
    "late": "pm",
    "evening": "pm",
    "deep": "pm",
}


def _closer(known: str, other: str) -> str:
    if known == other or (_HALVES.get(known) == _HALVES.get(other) and other in ("am", "pm")):
        return known
    if _HALVES.get(known) == _HALVES.get(other) and known in ("am", "pm"):
        return other
    raise NotUnderstood("the text states two different parts of the day")
