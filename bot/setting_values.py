"""What a value of a setting must look like, whichever setting it is, and what a name nearly is: told in words an
operator can act on.

Must not know any setting.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, SecretStr, ValidationError


def meant(value: str) -> str:
    """The value trimmed; ValueError for what is pasted by mistake."""
    trimmed = value.strip()
    if not trimmed:
        raise ValueError("is blank: give it a value or remove it")
    if len(trimmed) > 1 and trimmed[0] in "\"'“‘" and trimmed[-1] in "\"'”’":
        raise ValueError("stands in quotes: remove them")
    if trimmed.lower() in {"null", "undefined"}:
        raise ValueError(f"says {trimmed!r}: give it a value or remove it")
    return trimmed


def objection_to_writing(file: Path) -> str | None:
    """Why no line can be added to this file, or the file not be made."""
    try:
        if file.is_dir():
            return "it is a folder"
        if file.exists():
            return None if os.access(file, os.W_OK) else "the file is not writable"
        if not file.parent.is_dir():
            return "there is no such folder"
    except OSError as trouble:
        return trouble.strerror
    return None if os.access(file.parent, os.W_OK | os.X_OK) else "the folder is not writable"


def objection_to_reading(file: Path) -> str | None:
    """Why this file of settings is of no use. Editors of Windows write UTF-16, which the library trips over or takes
    for nothing."""
    try:
        is_text = "\0" not in (file.read_text("utf-8-sig") if file.is_file() else "")
    except UnicodeDecodeError:
        is_text = False
    except OSError as trouble:
        return f"cannot be read ({trouble.strerror})."
    return None if is_text else "is no UTF-8 text: save .env as UTF-8."


SHORTEST_PASSWORD = 12


def _hard_to_guess(password: SecretStr) -> SecretStr:
    """It opens a door to the whole web."""
    signs = password.get_secret_value()
    if 0 < len(signs) < SHORTEST_PASSWORD or (signs and len(set(signs)) < SHORTEST_PASSWORD // 2):
        raise ValueError(f"is easily guessed: {SHORTEST_PASSWORD} signs or more, and different ones")
    return password


Password = Annotated[SecretStr, AfterValidator(_hard_to_guess)]
"""One that people think of; "" for none."""


def is_http(value: str) -> bool:
    """Whether it is an address on the web, or on this machine."""
    try:
        parts = urlsplit(value)
        well_placed = parts.port is None or parts.port > 0
    except ValueError:  # a port that is none, or brackets around no IPv6 address
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and well_placed and not re.search(r"\s", value)


def is_port(digits: str) -> bool:
    """Whether these digits name a port of TCP."""
    return digits.isascii() and digits.isdigit() and len(digits) <= 5 and 0 < int(digits) <= 65535  # noqa: PLR2004 - TCP's


def in_words(error: ValidationError) -> list[str]:
    """What is wrong with which settings, a line each, without the values."""
    lines = []
    for problem in error.errors(include_url=False, include_input=False, include_context=False):
        name = str(problem["loc"][0]).upper() if problem["loc"] else ""
        text = problem["msg"].removeprefix("Value error, ")
        lines.append(f"{name + ': ' if name else ''}{text}")
    return lines


@dataclass(frozen=True, slots=True)
class Seen:
    """A setting as an operator may see it: its name, its value in words (``•••`` for a secret, "" for nothing), and
    what it means."""

    name: str
    value: str
    is_default: bool
    about: str


def as_seen(settings: BaseModel) -> list[Seen]:
    """Every setting; no secret, and no password of an address, is in it."""
    found = []
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        is_default = value == field.get_default(call_default_factory=True)
        found.append(Seen(name.upper(), _shown(value), is_default, field.description or ""))
    return found


def _shown(value: object) -> str:
    match value:
        case SecretStr():
            return HIDDEN if value.get_secret_value() else ""
        case tuple():
            return ", ".join(_shown(each) for each in value)
    return _PASSWORD.sub(rf"\1{HIDDEN}@", str(value))


HIDDEN = "•••"

_PASSWORD = re.compile(r"(://[^:/?#]*:).*@")
"""Up to the last @, for a password may hold one; what else an address has before it is hidden with it."""

OURS = ("LINE_", "OPENAI_", "NOTION_", "SECRETARY_", "ADMIN_")
"""A name in the file that begins so is meant for the bot."""

NEARLY_OURS = ("LINE", "OPENAI", "NOTION", "SECRETARY")
"""A name in the environment, which is everybody's, that begins so may be."""

NEAR = 0.8
"""So much of two names is the same if one is the other, misspelt: 1 is all."""

NAMED = re.compile(r"^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=", re.MULTILINE)


def strange_names(known: Sequence[str], text: str, environment: Iterable[str]) -> list[tuple[str, str]]:
    """Names in the text of a ``.env`` that look like settings and are none, and names in the environment that are
    nearly one; each with the setting that was perhaps meant and is not there, or ""."""
    in_file = [name.upper() for name in NAMED.findall(text)]
    around = [name for each in environment if (name := each.upper()).startswith(NEARLY_OURS)]
    free = [name for name in known if name not in in_file and name not in around]
    near = {name: next(iter(get_close_matches(name, free, 1, NEAR)), "") for name in (*in_file, *around)}
    strange = [name for name in near if name not in known]
    return [(name, near[name]) for name in strange if near[name] or (name in in_file and name.startswith(OURS))]
