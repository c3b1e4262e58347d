"""A bot of its own for every test."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.bot_process import BotProcess


@pytest.fixture
def start_bot(tmp_path: Path):
    """Start a bot with these settings; it is stopped, and its log must hold no traceback."""

    @asynccontextmanager
    async def start(**settings: str) -> AsyncIterator[BotProcess]:
        bot = BotProcess(tmp_path, **settings)
        await bot.start()
        try:
            yield bot
        finally:
            code = await bot.stop()
            assert "Traceback" not in bot.log.read_text(), bot.log.read_text()
            assert code in {0, -signal.SIGKILL}

    return start
