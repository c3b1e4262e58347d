"""Running bots: one of its own for a test that needs settings, and one that many people share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.local_line.phone import Phone
from tests.bot_process import BotProcess, running, somebody


@pytest.fixture
def start_bot(tmp_path: Path):
    """Start a bot with these settings."""
    return lambda **settings: running(tmp_path, **settings)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_bot(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[BotProcess]:
    """A bot without any setting. Those who ask for it share it: each talks as somebody new."""
    async with running(tmp_path_factory.mktemp("bot")) as bot:
        yield bot


@pytest.fixture
async def phone(shared_bot: BotProcess) -> Phone:
    return await somebody(shared_bot)
