"""A bot with the operator's pages on each kind of store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.admin.house import a_house


@pytest.fixture
async def house(url: str, tmp_path: Path):
    async with a_house(url, other_store=f"sqlite:///{tmp_path / 'another.db'}") as opened:
        yield opened
