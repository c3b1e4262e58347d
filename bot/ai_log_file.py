"""The AI log as a file of JSON lines, for the operator alone: bounded, and never in anybody's way.

What is opened is closed with each line: whoever moves or deletes the file meanwhile, or writes to the same one from
another process, does no harm. Must not know what is in a line.
"""

from __future__ import annotations

import json
import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FILE_BYTES = 10_000_000
"""Of one file: some thousand requests. What is older stands in one more file of that size, and then goes."""

_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
"""Without waiting, where it is a pipe that nobody reads."""

log = logging.getLogger(__name__)


class AiLogUnwritable(Exception):
    """AI_LOG_FILE names a file that cannot be written; the message says why, and what to do."""


class AiLogFile:
    """The file at this path, and the one before it with ``.1`` at its end, both made for their owner's eyes only."""

    def __init__(self, path: Path, most_bytes: int = FILE_BYTES) -> None:
        self._path = path
        self._most_bytes = most_bytes
        self._in_trouble = False

    def prove(self) -> None:
        """Make the file, if it is not there. Raises AiLogUnwritable."""
        try:
            with _opened(self._path):
                return
        except OSError as trouble:
            told = f"AI_LOG_FILE {self._path.absolute()} cannot be written ({trouble.strerror})"
            raise AiLogUnwritable(f"{told}: name a file in a folder that is there, or leave it empty.") from None

    def keep(self, line: str) -> None:
        """Add a line. One that finds no room is left out, which the log says once."""
        try:
            self._write(line.encode("utf-8", "backslashreplace") + b"\n")
        except OSError as trouble:
            if not self._in_trouble:
                log.warning("AI_LOG_FILE takes no lines (%s): turns go on without it", trouble.strerror)
            self._in_trouble = True
        else:
            self._in_trouble = False

    def _write(self, line: bytes) -> None:
        with _opened(self._path) as file:
            size = _size(file)
            if not size or size + len(line) <= self._most_bytes:
                _append(file, line, size)
                return
        self._path.replace(before(self._path))
        with _opened(self._path) as file:
            _append(file, line, _size(file))


def before(path: Path) -> Path:
    """Where older lines are."""
    return path.with_name(f"{path.name}.1")


def lines_of(path: Path, *, about: str = "", last_bytes: int = 0) -> Iterator[dict[str, Any]]:
    """The lines that are there, oldest first; what is no JSON object is passed over. Only those in which ``about``
    stands, and with ``last_bytes`` only those at the end of the newer file. Raises OSError for a file that may not be
    read."""
    for each in (path,) if last_bytes else (before(path), path):
        if not each.is_file():
            continue
        with each.open(encoding="utf-8", errors="replace") as file:
            if last_bytes:
                file.seek(max(0, each.stat().st_size - last_bytes))  # into a line, which is then none
            for line in file:
                if about in line and (found := _object(line)) is not None:
                    yield found


def _object(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    file = os.open(path, _APPEND, 0o600)
    try:
        yield file
    finally:
        os.close(file)


def _size(file: int) -> int:
    """Bytes in it; 0 for what is no plain file and does not fill up."""
    found = os.fstat(file)
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def _append(file: int, line: bytes, size: int) -> None:
    """All of it or nothing: half a line would spoil the next one. Raises OSError."""
    if os.write(file, line) < len(line):
        if stat.S_ISREG(os.fstat(file).st_mode):
            os.ftruncate(file, size)
        raise OSError(0, "no room for a whole line")
