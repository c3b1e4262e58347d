"""Reading JSON that may hold anything: what is not there, or is something else, is nothing.

Pure. Must not know what any of it means.
"""

from __future__ import annotations

from typing import Any, Final

Json = dict[str, Any]

ID_LIMIT: Final = 64


def is_object(given: Any) -> bool:
    """Whether it is a JSON object."""
    return isinstance(given, dict)


def object_in(outer: Json, key: str) -> Json:
    """The object under this name, or an empty one."""
    inner = outer.get(key)
    return inner if isinstance(inner, dict) else {}


def list_in(outer: Json, key: str) -> list[Any]:
    """The list under this name, or an empty one."""
    inner = outer.get(key)
    return inner if isinstance(inner, list) else []


def id_in(outer: Json, key: str, limit: int = ID_LIMIT) -> str | None:
    """A name given by LINE: a short word of printable ASCII, else None."""
    name = outer.get(key)
    usable = isinstance(name, str) and 0 < len(name) <= limit and name.isascii() and name.isprintable()
    return name if usable else None
