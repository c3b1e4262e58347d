"""A small vocabulary for saying what JSON may look like: each check yields the problems it finds, and where.

Pure. Must not know which messages there are, HTTP, or how a refusal is worded around the problems.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import regex  # type: ignore[import-untyped]  # ships no types of its own

Path = tuple[str | int, ...]
"""Where a value stands: ``("messages", 0, "text")``."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not fit."""

    path: Path
    message: str


Check = Callable[[Any, Path], Iterator[Problem]]
Unit = Callable[[str], int]


def utf16_units(text: str) -> int:
    """Length in UTF-16 units, as LINE counts texts.

    https://developers.line.biz/en/docs/messaging-api/text-character-count/
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def code_points(text: str) -> int:
    """Length as the platform was seen to count labels and what a tap says; never less than in graphemes."""
    return len(text)


def graphemes(text: str) -> int:
    """Length in characters as a person sees them."""
    return len(regex.findall(r"\X", text))


_SURROGATE = re.compile("[\ud800-\udfff]")


def text(limit: int, unit: Unit = utf16_units, *, empty: bool = False) -> Check:
    """A string of at most ``limit`` units, not blank unless ``empty``."""

    def check(value: Any, path: Path) -> Iterator[Problem]:
        if not isinstance(value, str):
            yield Problem(path, "Must be a string")
        elif _SURROGATE.search(value):
            yield Problem(path, "May not contain a lone surrogate")
        elif not empty and not value.strip():
            yield Problem(path, "May not be empty")
        elif unit(value) > limit:
            yield Problem(path, f"Length must be between 0 and {limit}")

    return check


def pattern(form: str, words: str) -> Check:
    """A string of that form; ``words`` says what is wanted."""
    compiled = re.compile(form, re.ASCII)

    def check(value: Any, path: Path) -> Iterator[Problem]:
        if not isinstance(value, str) or not compiled.fullmatch(value):
            yield Problem(path, words)

    return check


def one_of(*allowed: str) -> Check:
    """One of these words."""

    def check(value: Any, path: Path) -> Iterator[Problem]:
        if value not in allowed:
            yield Problem(path, f"Must be one of the following values: [{', '.join(allowed)}]")

    return check


def flag(value: Any, path: Path) -> Iterator[Problem]:
    """A yes or no."""
    if not isinstance(value, bool):
        yield Problem(path, "Must be a boolean")


def whole(low: int, high: int, *, step: int = 1) -> Check:
    """A whole number in a range, in steps."""

    def check(value: Any, path: Path) -> Iterator[Problem]:
        if not isinstance(value, int) or isinstance(value, bool):
            yield Problem(path, "Must be an integer")
        elif not low <= value <= high:
            yield Problem(path, f"Must be between {low} and {high}")
        elif value % step:
            yield Problem(path, f"Must be a multiple of {step}")

    return check


def number(low: float, high: float) -> Check:
    """A number in a range."""

    def check(value: Any, path: Path) -> Iterator[Problem]:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            yield Problem(path, "Must be a number")
        elif not low <= value <= high:
            yield Problem(path, f"Must be between {low} and {high}")

    return check


def address(limit: int, *schemes: str) -> Check:
    """An address of one of these schemes; with https or http it names a host; percent-encoded ASCII."""

    def check(value: Any, path: Path) -> Iterator[Problem]:
        wrong = next(text(limit)(value, path), None)
        if wrong:
            yield wrong
        elif not _is_address(value, schemes):
            yield Problem(path, "invalid uri scheme" if ":" not in value else "invalid uri")

    return check


def _is_address(value: str, schemes: Sequence[str]) -> bool:
    if not value.isascii() or re.search(r"[\s<>\"\\^`{|}]", value):
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    if parts.scheme not in schemes:
        return False
    return bool(parts.hostname) if parts.scheme in {"http", "https"} else len(value) > len(parts.scheme) + 1


def array(item: Check, low: int, high: int) -> Check:
    """A list of so many such items, none of them null."""

    def check(value: Any, path: Path) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield Problem(path, "Must be an array")
        elif len(value) > high:
            yield Problem(path, f"size must be between {low} and {high}")
        elif len(value) < low:
            yield Problem(path, "May not be empty" if not value else f"size must be between {low} and {high}")
        elif None in value:
            yield Problem(path, "cannot contain null elements")
        else:
            for place, each in enumerate(value):
                yield from item(each, (*path, place))

    return check


def shape(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """An object with these properties and no other; null stands for absent nowhere."""
    known = {**required, **(optional or {})}

    def check(value: Any, path: Path) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield Problem(path, "Must be an object")
            return
        for name in required:
            if name not in value:
                yield Problem((*path, name), "May not be empty")
        for name, each in value.items():
            if name not in known:
                yield Problem((*path, name), "invalid property")
            else:
                yield from known[name](each, (*path, name))

    return check


def by_type(kinds: Mapping[str, Check]) -> Check:
    """An object whose ``type`` decides which check it must pass."""

    def check(value: Any, path: Path) -> Iterator[Problem]:
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(value, dict):
            yield Problem(path, "Must be an object")
        elif not isinstance(kind, str) or kind not in kinds:
            yield Problem((*path, "type"), f"Must be one of the following values: [{', '.join(kinds)}]")
        else:
            yield from kinds[kind](value, path)

    return check


def every(*checks: Check) -> Check:
    """All of these; the later ones are asked only if the earlier ones found nothing."""

    def check(value: Any, path: Path) -> Iterator[Problem]:
        for each in checks:
            found = list(each(value, path))
            yield from found
            if found:
                return

    return check


def later(find: Callable[[], Check]) -> Check:
    """A check that is looked up when it is used, for shapes that contain themselves."""

    def check(value: Any, path: Path) -> Iterator[Problem]:
        yield from find()(value, path)

    return check


def dotted(path: Iterable[str | int]) -> str:
    """The way to a value as LINE writes it: ``messages[0].text``."""
    written = ""
    for step in path:
        written += f"[{step}]" if isinstance(step, int) else f".{step}"
    return written.removeprefix(".")


def pointer(path: Iterable[str | int]) -> str:
    """The way to a value inside a Flex container: ``/body/contents/0/text``."""
    return "".join(f"/{step}" for step in path)
