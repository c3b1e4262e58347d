"""How the tables that are opened for reading are written down in one setting: as a list in JSON.

Every mistake in it is told at once, in words an operator can act on. Must not know Notion, or what is found there.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_settings import NoDecode

from tools.collection import Collection

MOST = 8
"""Collections: each is a tool, which every request to the model carries."""

EXAMPLE = '[{"name":"faq","about":"…","source":"https://www.notion.so/…","published":{"Status":"Published"}}]'

_ID = re.compile(r"[0-9a-f]{32}")
_ColumnName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


def _place(given: object) -> object:
    """Whether there is an id in it at all; which kind of id it is, Notion knows."""
    if isinstance(given, str) and not _ID.search(re.split("[?#]", given.lower())[0].replace("-", "")):
        raise ValueError("is no Notion id and no Notion link")
    return given


class _Entry(BaseModel):
    """One collection, as it is written down."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    about: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=160, pattern=r"^[^{}\n]*$")]
    source: Annotated[str, BeforeValidator(_place)]
    published: Annotated[dict[_ColumnName, bool | _ColumnName], Field(min_length=1, max_length=1)]
    title: _ColumnName = ""
    summary: _ColumnName = ""
    link: _ColumnName = ""
    date: _ColumnName = ""
    kind: _ColumnName = ""

    def collection(self) -> Collection:
        """The same, as it is used."""
        ((column, value),) = self.published.items()
        return Collection(**{**self.model_dump(), "published": column, "value": value})


def read_collections(given: object) -> object:
    """The collections that a text describes. Raises ValueError that names every mistake."""
    if not isinstance(given, str):
        return given
    try:
        entries = json.loads(given, object_pairs_hook=_once)
    except json.JSONDecodeError as problem:
        raise ValueError(f"is no JSON ({problem.msg}, at character {problem.pos + 1}): write {EXAMPLE}") from None
    if not isinstance(entries, list) or not 1 <= len(entries) <= MOST:
        raise ValueError(f"must be a list of 1 to {MOST} collections: {EXAMPLE}")
    found: list[Collection] = []
    wrong: list[str] = []
    for number, entry in enumerate(entries, start=1):
        try:
            found.append(_Entry.model_validate(entry).collection())
        except ValidationError as error:
            wrong += _in_words(error, number, entry)
    twice = [name for name, count in Counter(each.name for each in found).items() if count > 1]
    wrong += [f'there are several collections named "{name}"' for name in twice]
    if wrong:
        raise ValueError("; ".join(wrong))
    return tuple(found)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON that says each thing once."""
    if twice := [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]:
        raise ValueError(f'says "{twice[0]}" twice in one place')
    return dict(pairs)


_SENTENCES = {
    "missing": "is missing",
    "extra_forbidden": f"is not known; known are {', '.join(_Entry.model_fields)}",
    "string_type": "must be text",
    "string_too_short": "is empty",
    "string_too_long": "is longer than {max_length} characters",
    "too_short": 'names no column: write {{"Column": value}}',
    "too_long": 'names several columns: write {{"Column": value}}',
    "dict_type": 'must be {{"Column": value}}',
    "bool_type": "must be true, false or the name of an option",
    "model_type": "must be {{…}}",
}
_PATTERNS = {
    "name": "must be a-z, 0-9 and _, begin with a letter, and have at most 32 characters",
    "about": "must stand on one line, without braces",
}


def _in_words(error: ValidationError, number: int, entry: object) -> Iterator[str]:
    called = entry.get("name") if isinstance(entry, dict) else None
    which = f"collection {number}" + (f" ({called})" if isinstance(called, str) else "")
    told: dict[str, str] = {}
    for problem in error.errors(include_url=False, include_input=False):
        field = str(problem["loc"][0]) if problem["loc"] else ""
        limits = {name: str(value) for name, value in problem.get("ctx", {}).items()}
        sentence = _SENTENCES.get(problem["type"], "") or problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "string_pattern_mismatch":
            sentence = _PATTERNS[field]
        told.setdefault(field, sentence.format(**limits) if problem["type"] in _SENTENCES else sentence)
    return (f"{which}: {field}{' ' if field else ''}{sentence}" for field, sentence in told.items())


Collections = Annotated[tuple[Collection, ...], NoDecode, BeforeValidator(read_collections)]
"""Several tables in one variable."""
