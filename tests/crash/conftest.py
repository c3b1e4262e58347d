"""Bots for the tests of deaths. They are forked, for they are many: one nursery, and one loop, for all these tests."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest_asyncio

from tests.crash.nursery import Nursery, nursery
from tests.crash.world import around_a_bot


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def born():
    async with nursery() as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def world(born: Nursery, tmp_path: Path, blank: Path):
    """A bot that is not started yet, on SQLite, and everything around it."""
    url = f"sqlite:///{shutil.copy(blank, tmp_path / 'bot.db')}"
    async with around_a_bot(tmp_path, url, random.Random(1), born) as world:
        yield world
