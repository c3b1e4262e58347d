"""What a value of a setting must look like, whichever setting it is: told in words an operator can act on.

Must not know any setting.
"""

from __future__ import annotations

import os
import re
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
