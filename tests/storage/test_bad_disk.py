"""A disk that fails under the store: nothing acknowledged is lost, nothing is doubled, and work goes on afterwards."""

# ruff: noqa: ASYNC240 - a test may make its loop wait for a small file

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.storage.bad_disk import FAILING, FOR_EVER, NO_ROOM, BadDisk
from tests.thorough import THOROUGH

ROOT = Path(__file__).resolve().parent.parent.parent

AT_ONCE = 2 if THOROUGH else 1
"""Processes that share the tries; to start one takes longer than a few tries."""

SHARE = 1 if THOROUGH else 10
"""One call in so many is tried, each time others."""


async def tried(
    folder: Path, blank: Path, number: int, times: int, first: int, step: int, *how: str
) -> list[dict[str, Any]]:
    folder.mkdir()
    disk = BadDisk(folder, Path(f"{folder}.control"))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.storage.work_on_a_bad_disk"),
        *(str(folder), str(blank), str(number), str(times), str(first), str(step), *how),
        cwd=ROOT,
        env={**os.environ, **disk.environment},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 300)
    assert process.returncode == 0, err.decode()
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def memory_disk(tmp_path: Path) -> Iterator[Path]:
    """Where pressing onto the disk costs nothing, if there is such a place: hundreds of stores are made here."""
    shm = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(dir=shm if os.access(shm, os.W_OK) else tmp_path))
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("times", [1, FOR_EVER], ids=["once", "from then on"])
@pytest.mark.parametrize(
    ("number", "reasons"), [(NO_ROOM, {"full", "failing"}), (FAILING, {"failing"})], ids=["full", "failing"]
)
async def test_whichever_call_fails_what_was_acknowledged_is_there_and_work_goes_on(
    memory_disk: Path, blank: Path, number: int, reasons: set[str], times: int
):
    begin, step = 1 + AT_ONCE * random.SystemRandom().randrange(SHARE), AT_ONCE * SHARE
    shares = [tried(memory_disk / f"disk{n}", blank, number, times, begin + n, step) for n in range(AT_ONCE)]
    tries = [each for share in await asyncio.gather(*shares) for each in share]
    assert {each["at"]: each["wrong"] for each in tries if each["wrong"]} == {}
    assert len(tries) > 100 / SHARE
    refused = [each for each in tries if each["refused"]]
    assert len(refused) > len(tries) * 0.8, "the disk hardly failed"
    assert {reason for each in refused for reason in each["refused"]} <= reasons
    assert [each["at"] for each in tries if each["unreadable"]] == []
    if times == FOR_EVER:
        assert [each["at"] for each in refused if each["trouble"] not in reasons] == []


async def test_a_bot_that_acknowledges_before_it_stores_is_caught(memory_disk: Path, blank: Path):
    tries = await tried(memory_disk / "disk", blank, NO_ROOM, FOR_EVER, 1, 10, "careless")
    assert tries[0]["wrong"]["closed"] == ["lost event-00000", "lost event-00001"]
