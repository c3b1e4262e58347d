"""A bot whose store takes nothing: it says so in time, loses nothing that it acknowledged, and needs no restart."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import httpx
import pytest

from tests.bot_process import BotProcess
from tests.hostile.malformed import Draft, ids_of, signature

LINES_PATIENCE = 2.0
"""Seconds after which LINE counts a delivery as failed."""


@contextmanager
def locked(bot: BotProcess) -> Iterator[None]:
    """Another process holds the store for writing."""
    with closing(sqlite3.connect(bot.folder / "bot.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


@contextmanager
def no_file_may_grow(bot: BotProcess) -> Iterator[None]:
    """The system refuses whatever would make a file longer than the store's journal is: as a broken disk would."""
    assert bot.process
    journal = (bot.folder / "bot.db-wal").stat().st_size
    before = resource.prlimit(bot.process.pid, resource.RLIMIT_FSIZE, (journal, -1))
    try:
        yield
    finally:
        resource.prlimit(bot.process.pid, resource.RLIMIT_FSIZE, before)


def stored(bot: BotProcess, event: str) -> bool:
    return bool(bot.rows("SELECT 1 FROM inbox WHERE id = ?", event))


@pytest.mark.parametrize("trouble", [locked, no_file_may_grow])
async def test_a_store_that_takes_nothing_is_told_to_line_and_to_whoever_watches(bot, trouble):
    number = {locked: 1, no_file_may_grow: 2}[trouble]
    event = Draft(0, number).event()
    body = Draft(0, number).batch(event)
    signed = {"x-line-signature": signature(body).decode()}
    async with httpx.AsyncClient(base_url=bot.base, trust_env=False, verify=False, timeout=10) as http:
        with trouble(bot):
            begun = time.monotonic()
            delivered, health = await asyncio.gather(
                http.post("/callback", content=body, headers=signed), http.get("/healthz")
            )
            taken = time.monotonic() - begun
            empty_handed = stored(bot, *ids_of(event))
            seen = (await http.get("/")).status_code

        assert (delivered.status_code, health.status_code) == (503, 503)
        assert taken < LINES_PATIENCE
        assert not empty_handed
        assert seen == 200
        said = health.json()
        assert said["status"] == "down"
        assert said["reason"]
        assert "bot.db" not in health.text

        again = await http.post("/callback", content=body, headers=signed)
        assert again.status_code == 200
        assert stored(bot, *ids_of(event))
        healed = await http.get("/healthz")
        assert (healed.status_code, healed.json()["status"]) == (200, "ok")
        assert "oldest_waiting_seconds" in healed.json()
