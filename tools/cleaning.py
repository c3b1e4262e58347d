"""What a model wrote for an argument -> what it certainly meant.

Widths, blanks, numbers and lists as text, a single thing for a list of one; anything doubtful is left for validation to
refuse. Pure. Must not know which tool is called.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pydantic_core import from_json

_WHOLE = re.compile(r"[+-]?\d{1,15}")
_DECIMAL = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?")
_UNSEEN = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show nothing: Hangul fillers and the empty Braille cell."""


def is_blank(text: str) -> bool:
    """Whether there is nothing to see in it: spaces, controls and invisible marks only."""
    return all(each in _FILLERS or unicodedata.category(each) in _UNSEEN for each in text)


def cleaned(value: object, schema: Mapping[str, Any]) -> object:
    """The value as it was certainly meant, by the JSON Schema of its place. Text is trimmed and loses NUL and lone
    surrogates, which nothing can store; choices and numbers are read in any width; other words stay as they are."""
    if isinstance(value, str):
        value = value.encode("utf-8", "ignore").decode().replace("\0", "").strip()
        value = "" if is_blank(value) else value
    match schema.get("type"):
        case "array":
            return [cleaned(each, schema["items"]) for each in _listed(value)] if value or value == [] else value
        case "object" if isinstance(value, dict):
            return {name: cleaned(each, schema["properties"].get(name, {})) for name, each in value.items()}
        case "integer" | "number" as kind:
            return _number(value, kind)
        case "boolean" if isinstance(value, str):
            return {"true": True, "false": False}.get(_folded(value), value)
        case "string" if "enum" in schema and isinstance(value, str):
            return next((each for each in schema["enum"] if each.casefold() == _folded(value)), value)
    return value


def _folded(text: str) -> str:
    """Width and case do not matter in a choice."""
    return unicodedata.normalize("NFKC", text).strip().casefold()


def _listed(value: object) -> list[object]:
    """A list; a list that came as JSON text; or the one thing that was wanted in a list."""
    if isinstance(value, str) and value.startswith("["):
        with suppress(ValueError):
            value = from_json(value)
    return value if isinstance(value, list) else [value]


def _number(value: object, kind: str) -> object:
    if isinstance(value, float) and kind == "integer" and value.is_integer():
        return int(value)
    if not isinstance(value, str):
        return value
    plain = unicodedata.normalize("NFKC", value).strip()
    if _WHOLE.fullmatch(plain):
        return int(plain)
    return float(plain) if kind == "number" and _DECIMAL.fullmatch(plain) else value
