"""A text taken apart: at each place the longest words that state something about time.

Pure. Must not know what day it is, or what the statements come to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain

from tools.alphabet import fold_pattern
from tools.when.builders import BUILDERS
from tools.when.facts import Facts
from tools.when.numbers import NotUnderstood
from tools.when.repeat_words import LANGUAGES as REPEATING
from tools.when.rules import Language, Rule
from tools.when.words import LANGUAGES

JOINTS = frozenset({"to", "dash", "and", "list", "from", "between", "fill"})
"""Words that state nothing themselves: between the ends of a range, between equals, in front, or of no weight."""
CLAUSES = frozenset({"start", "start_", "until", "until_", "except", "except_"})
"""Of what repeats: from when, till when, when not. They stand in front of their day, or behind it."""


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of the folded text and what it states; ``kind`` is ``facts`` or one of ``JOINTS``."""

    start: int
    end: int
    kind: str
    facts: Facts
    weak: bool = False


def _script(char: str) -> str:
    return "latin" if "a" <= char <= "z" else "thai" if "ก" <= char <= "๛" else "han" if char >= "\u3041" else ""


_Rules = tuple[tuple[re.Pattern[str], Rule, Language], ...]


@cache
def _rules(script: str, repeats: bool) -> _Rules:
    """Those that can begin with a letter of a script; digits and signs begin words of any language."""
    compiled = []
    for language in (*(REPEATING if repeats else ()), *LANGUAGES):
        if script and language.scripts and script not in language.scripts:
            continue
        nameless = _nameless(language.amount)
        for rule in language.rules:
            number = language.number.replace("\\", r"\\")  # it stands in for text, not for a template
            pattern = re.sub("(?<!P)<n>", number, rule.pattern)
            pattern = pattern.replace("<amounts>", f"(?>{nameless}+)")  # atomic: no two ways through many
            compiled.append((re.compile(fold_pattern(pattern)), rule, language))
    return tuple(compiled)


_PORTION = 16
"""Rules that are asked at once whether any of them begins at a place: at most places none does."""


@cache
def _portions(script: str, repeats: bool) -> tuple[tuple[re.Pattern[str], _Rules], ...]:
    rules = _rules(script, repeats)
    portions = (rules[at : at + _PORTION] for at in range(0, len(rules), _PORTION))
    return tuple((re.compile("|".join(_nameless(each.pattern) for each, _, _ in some)), some) for some in portions)


def _nameless(pattern: str) -> str:
    return "(?:" + re.sub(r"\?P<\w+>", "?:", pattern) + ")"


def token_at(text: str, start: int, *, repeats: bool = False) -> Token | None:
    """The longest statement that begins here; the first table wins between equals. With ``repeats`` the words for that
    count too, and first. Raises NotUnderstood if the words are those of a time and there is no such time (25:00)."""
    if _joined(text, start):
        return None
    best: tuple[int, re.Match[str], Rule, Language] | None = None
    likely = (some for any_of, some in _portions(_script(text[start]), repeats) if any_of.match(text, start))
    for pattern, rule, language in chain.from_iterable(likely):
        match = pattern.match(text, start)
        if match and match.end() > (best[0] if best else start) and not _joined(text, match.end()):
            best = (match.end(), match, rule, language)
    if best is None:
        return None
    end, match, rule, language = best
    if rule.kind in JOINTS or rule.kind in CLAUSES:
        return Token(start, end, rule.kind, Facts())
    groups = {name: value for name, value in match.groupdict().items() if value is not None} | {"all": match.group()}
    return Token(start, end, "facts", BUILDERS[rule.kind](groups, rule, language), rule.weak)


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
    if name == "period":
        return _month_of_year(known, value)
    raise NotUnderstood("the text states two different times")


def _month_of_year(known: object, value: object) -> tuple[str, int]:
    """So many months from this one: “this month last year”."""
    offsets: dict[str, int] = dict(each for each in (known, value) if isinstance(each, tuple))
    if offsets.keys() != {"year", "month"}:
        raise NotUnderstood("the text states two different times")
    return "month", 12 * offsets["year"] + offsets["month"]


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
