"""A bot in a process of its own, configured for LINE, which hostile callers share."""

from __future__ import annotations

import pytest_asyncio

from tests.bot_process import LINE_ON, running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(tmp_path_factory):
    async with running(tmp_path_factory.mktemp("bot"), **LINE_ON) as bot:
        yield bot
