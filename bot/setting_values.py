"""What a value of a setting must look like, whichever setting it is, and what a name nearly is: told in words an
operator can act on.

Must not know any setting.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import urlsplit


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


OURS = ("LINE_", "OPENAI_", "NOTION_", "SECRETARY_")
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
