"""A disk that fails when it is told to: the shim, how it is built, and how it is told.

Must not know what is tested.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("io_faults.c")

NO_ROOM, FAILING = errno.ENOSPC, errno.EIO

FOR_EVER = 0


@functools.cache
def shim() -> Path:
    """The compiled shim; the test skips where nothing compiles it."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or os.name != "posix" or not Path("/proc/self/fd").exists():
        pytest.skip("no C compiler for a disk that fails")
    library = Path(tempfile.mkdtemp()) / "io_faults.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, SOURCE, "-ldl", "-lpthread"],
        check=True,
    )
    return library


class BadDisk:
    """Everything below a folder is on it, for processes that were started with ``environment``."""

    def __init__(self, folder: Path, control: Path) -> None:
        self.folder = folder
        self.control = control

    @property
    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": str(shim()), "IO_FAULTS": str(self.control)}

    def fails(self, at: int = 1, number: int = NO_ROOM, times: int = FOR_EVER, calls: str = "wst") -> None:
        """From now on the ``at``-th call fails, and ``times - 1`` more."""
        written = self.control.with_name(f"{self.control.name}.new")
        written.write_text(f"{self.folder} {at} {number} {times} {calls}")
        written.replace(self.control)

    def recovers(self) -> None:
        self.control.unlink(missing_ok=True)


def calls_counted() -> int:
    """In a process with the shim: calls since it was last told."""
    return int(ctypes.CDLL(str(os.environ["LD_PRELOAD"])).io_faults_calls())
