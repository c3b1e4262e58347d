"""What every contract is kept on: both kinds of store."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tools.database import Database


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = Database(url)
    await opened.start()
    yield opened
    await opened.close()
