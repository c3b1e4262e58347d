"""What stands in the way of a start is named with its cure, and what was opened meanwhile is closed again."""

from __future__ import annotations

import gc
import json
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.demo import two_free_ports
from bot.local_line.ledger import Ledger, LedgerUnavailable
from bot.main import build
from bot.serve import CannotStart, _opened, running
from bot.settings import Settings
from tools.database import Database, DatabaseUnavailable

LINE_ON = {"line_channel_secret": "s" * 32, "line_channel_access_token": "t" * 20}


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Settings of this test alone."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    place = {"database_url": f"sqlite:///{tmp_path / 'bot.db'}", "port": two_free_ports(), "host": "127.0.0.1"}
    return lambda **given: Settings(_env_file=None, **(place | given))


async def start(settings: Settings) -> None:
    async with running(settings):
        pass


async def refusal(settings: Settings) -> str:
    with pytest.raises(CannotStart) as told:
        await start(settings)
    gc.collect()  # what was left open would warn now, and warnings are errors
    return str(told.value)


# ── the listen address ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("host", ["192.0.2.1", "999.1.1.1", "a..b", "x" * 70, "2001:db8::1", "::zz"])
async def test_a_host_that_is_no_address_of_this_machine_is_named_as_such(settings, host: str):
    told = await refusal(settings(host=host))

    assert f"HOST {host} is no address" in told
    assert "PORT" not in told


@pytest.mark.parametrize("place", [0, 1], ids=["the bot's", "the local LINE's"])
async def test_a_port_that_is_taken_is_named_and_what_was_opened_is_closed(settings, place: int):
    wanted = settings()
    with socket.socket() as other:
        other.bind(("127.0.0.1", wanted.port + place))
        other.listen()

        told = await refusal(wanted)

    assert told.startswith(f"Port {wanted.port + place} on 127.0.0.1 cannot be used")
    assert told.endswith("set PORT to a free one.")
    await start(wanted)


# ── the store ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("folder", ["/dev/null", "/dev/null/deeper", "/proc"])
async def test_a_store_where_nothing_can_be_written_is_refused_with_the_cure(settings, folder: str):
    if sys.platform != "linux":
        pytest.skip("no such folders on this system")

    told = await refusal(settings(database_url=f"sqlite:///{folder}/x.db"))

    assert told.startswith(f"{folder}/x.db.lock cannot be opened")
    assert "set DATABASE_URL to a file" in told


async def test_a_folder_in_the_locks_place_is_named(settings, tmp_path: Path):
    (tmp_path / "bot.db.lock").mkdir()

    assert (await refusal(settings())).startswith(f"{tmp_path / 'bot.db.lock'} cannot be opened (Is a directory)")


async def test_a_second_bot_on_one_store_is_refused(settings):
    async with running(settings()):
        told = await refusal(settings(port=two_free_ports()))

    assert told.startswith("Another bot is working on bot.db")


async def test_a_store_that_is_none_leaves_nothing_open(settings, tmp_path: Path):
    (tmp_path / "bot.db").write_bytes(b"this is no database" * 500)
    wanted = settings()

    with pytest.raises(DatabaseUnavailable):
        await start(wanted)

    gc.collect()
    (tmp_path / "bot.db").unlink()
    await start(wanted)


@pytest.mark.parametrize("url", ["postgresql://127.0.0.1:abc/x", "sqlite://:abc/x.db", "postgresql://h:1h/x"])
def test_an_address_that_no_store_understands_is_the_stores_own_trouble(url: str):
    with pytest.raises(DatabaseUnavailable, match="DATABASE_URL is no address"):
        Database(url)


@pytest.mark.parametrize("act", ["write", "read"])
async def test_work_that_stops_an_iteration_ends_in_an_error_and_not_in_waiting(database: Database, act: str):
    with pytest.raises(RuntimeError, match="StopIteration"):
        await getattr(database, act)(lambda _: next(iter(())))


# ── the local LINE's file ─────────────────────────────────────────────────────────────────────────────────────────


def of_pages(file: Path) -> int:
    """A ledger with much in it; returns its size."""
    ledger = Ledger(file)
    for each in range(200):
        ledger.set(f"name {each}", "x" * 500)
    ledger.close()
    with closing(sqlite3.connect(file)) as store:
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.stat().st_size


@pytest.mark.parametrize("place", ["beginning", "middle", "end"])
async def test_a_damaged_ledger_is_named_as_what_to_move_away(settings, tmp_path: Path, place: str):
    file = tmp_path / "bot-local-line.db"
    size = of_pages(file)
    with file.open("r+b") as ledger:
        ledger.seek({"beginning": 0, "middle": size // 2 // 4096 * 4096, "end": size - 4096}[place])
        ledger.write(b"\xa5" * 4096)

    with pytest.raises(LedgerUnavailable, match=f"move {file} away"):
        await start(settings())

    gc.collect()
    file.unlink()
    await start(settings())


def test_a_ledger_without_a_place_is_named(tmp_path: Path):
    (tmp_path / "file").touch()

    with pytest.raises(LedgerUnavailable, match=r"ledger\.db cannot be written"):
        Ledger(tmp_path / "file" / "ledger.db")
    with pytest.raises(LedgerUnavailable, match=f"move {tmp_path} away"):
        Ledger(tmp_path)


# ── what the log says first ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Notion: off"),
        ({"notion_token": "ntn_x"}, "Notion: token set, run `python -m bot setup`"),
        ({"notion_data_source_id": "1" * 32}, "Notion: off, NOTION_DATA_SOURCE_ID needs NOTION_TOKEN"),
        ({"notion_token": "ntn_x", "notion_data_source_id": "1" * 32}, "Notion: on"),
    ],
)
async def test_the_log_says_what_notion_still_needs(settings, given: dict[str, str], said: str):
    application = build(settings(**LINE_ON, **given))

    assert _opened(application, None).endswith(f"  {said}")

    await application.close()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "opened for reading: faq, recipes, once there is a model"),
        ({"openai_base_url": "http://127.0.0.1:9/v1"}, "opened for reading: faq, recipes"),
    ],
)
async def test_the_log_names_what_is_opened_for_reading(settings, given: dict[str, str], said: str):
    faq = {"name": "faq", "about": "answers", "source": "1" * 32, "published": {"Public": True}}
    opened = json.dumps([faq, {**faq, "name": "recipes"}])
    application = build(settings(**LINE_ON, notion_token="ntn_x", secretary_collections=opened, **given))

    assert _opened(application, None).endswith(f"  {said}")

    await application.close()
