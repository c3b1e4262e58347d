"""A bot in a process of its own, configured for LINE, which hostile callers share."""

from __future__ import annotations

import pytest_asyncio

from tests.bot_process import running
from tests.hostile.malformed import SECRET

OWNER = "U" + "0123456789abcdef" * 2
LINE_ON = {
    "LINE_CHANNEL_SECRET": SECRET,
    "LINE_CHANNEL_ACCESS_TOKEN": "token-of-the-test",
    "LINE_API_BASE": "http://127.0.0.1:9",
    "SECRETARY_OWNERS": OWNER,
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(tmp_path_factory):
    async with running(tmp_path_factory.mktemp("bot"), **LINE_ON) as bot:
        yield bot
