"""Bots for the tests of deaths. They are forked, for they are many; one loop is for all these tests."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
import pytest_asyncio

from tests.crash.world import around_a_bot
from tests.nursery import Nursery, nursery


@pytest.fixture
def born() -> Nursery:
    return nursery()


@pytest_asyncio.fixture(loop_scope="session")
async def world(born: Nursery, tmp_path: Path, blank: Path):
    """A bot that is not started yet, on SQLite, and everything around it."""
    url = f"sqlite:///{shutil.copy(blank, tmp_path / 'bot.db')}"
    async with around_a_bot(tmp_path, url, random.Random(1), born) as world:
        yield world
