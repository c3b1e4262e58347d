"""What a model sent as arguments, to one JSON object: what is certainly meant is taken, everything else is refused.

Pure. Nothing is ever repaired: a guess at broken JSON may be a wrong record. Must not know which tool is called or what
its arguments mean.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic_core import from_json

from tools.definition import FieldProblem, ToolError

Arguments = dict[str, Any]

_FENCE = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL | re.IGNORECASE)
MOST_PIECES = 64
"""Values in one text: as many as there may be calls in one answer."""

_SPACE = re.compile(r"\s*")
_POSITION = re.compile(r"line \d+ column \d+")


def parse_arguments(sent: Any) -> Arguments:
    """One object out of: an object, nothing at all, or text that holds an object (as it is, in one code fence, encoded
    twice, or several times the same). Raises ToolError ``invalid_json``."""
    found = _decoded(sent)
    if isinstance(found, str):
        found = _decoded(found)
    if not isinstance(found, dict):
        raise _refusal("must be one JSON object")
    canonical(found)
    return found


def canonical(arguments: Arguments) -> str:
    """The one way of writing these arguments: equal text means equal arguments. Raises ToolError for what JSON cannot
    say (an infinite number, which ``1e999`` becomes) or nobody means (nesting without end)."""
    try:
        return json.dumps(arguments, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    except (ValueError, TypeError, RecursionError):
        raise _refusal("holds a value that JSON does not have") from None


def unfenced(text: str) -> str:
    """What stands in a code fence that is the whole text; else the text."""
    fenced = _FENCE.fullmatch(text)
    return fenced[1] if fenced else text


def _decoded(sent: Any) -> Any:
    """The value that was sent: text is read as JSON, nothing at all is an empty object."""
    if sent is None:
        return {}
    if not isinstance(sent, str):
        return sent
    text = unfenced(sent.strip())
    return _read(text) if text else {}


def _read(text: str) -> Any:
    """What the text holds once, or several times the same."""
    try:
        return read_json(text)
    except ToolError:
        if len(pieces := _pieces(text)) > 1:
            return _the_same_object(pieces)
        raise


def read_json(text: str) -> Any:
    """One value of strict JSON: refuses NaN, half surrogate pairs, numbers without end and nesting without end in one
    way, and an object with two values for one name, of which any choice would be a guess. Raises ToolError."""
    try:
        found = from_json(text, allow_inf_nan=False)
    except TypeError:  # the text itself holds half a surrogate pair
        raise _refusal("not valid Unicode") from None
    except ValueError as error:
        position = _POSITION.search(str(error))
        raise _refusal(f"not valid JSON at {position[0]}" if position else "not valid JSON") from None
    json.loads(text, object_pairs_hook=_unambiguous)
    return found


def _unambiguous(pairs: list[tuple[str, Any]]) -> Arguments:
    found: Arguments = {}
    for name, value in pairs:
        if name in found and not _equal(found[name], value):
            raise _refusal("one name has two different values")
        found[name] = value
    return found


def _equal(one: Any, other: Any) -> bool:
    """Also in kind: JSON's 1 is not its true."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _pieces(text: str) -> list[str]:
    """The text cut into the JSON values that follow each other in it; none if anything else is there too, or more than
    anybody says."""
    decoder, start = json.JSONDecoder(), 0
    pieces: list[str] = []
    while start < len(text):
        if len(pieces) == MOST_PIECES:
            return []
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return []
        pieces.append(text[start:end])
        start = _SPACE.match(text, end).end()  # type: ignore[union-attr]  # matches always, maybe nothing
    return pieces


def _the_same_object(pieces: list[str]) -> Any:
    """Some endpoints send one object several times; several different ones are several calls, and none is run."""
    values = [read_json(each) for each in pieces]
    if all(isinstance(each, dict) for each in values) and len({canonical(each) for each in values}) == 1:
        return values[0]
    raise _refusal("several values: make one call for each object")


def _refusal(problem: str) -> ToolError:
    message = "Nothing was done: the arguments could not be read."
    return ToolError("invalid_json", message, (FieldProblem("arguments", problem),))
