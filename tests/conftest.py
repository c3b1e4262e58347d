"""Fixtures that every test may ask for: real parts, on loopback ports and temporary files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.database import Database

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded material; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("SECRETARY_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip("no folder of recorded material (SECRETARY_SHARED)")
    return folder


@pytest.fixture
async def database(tmp_path: Path):
    """An open store of this test's own."""
    opened = Database(f"sqlite:///{tmp_path / 'secretary.db'}")
    await opened.start()
    yield opened
    await opened.close()
