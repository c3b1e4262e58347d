"""The whole bot on a disk that fails: LINE is asked to deliver again, and what is delivered again is done once."""

# ruff: noqa: ASYNC110 - what is waited for happens in another process

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import httpx
import pytest

from tests.bot_process import BotProcess, heard, running, somebody
from tests.storage.bad_disk import FAILING, FOR_EVER, NO_ROOM, BadDisk
from tests.storage.test_locked import held
from tests.thorough import THOROUGH


def disk_of(folder: Path) -> BadDisk:
    """Only the store is on it; the local LINE's ledger beside it is LINE's own affair."""
    return BadDisk(folder / "bot.db", folder / "disk.control")


async def health(bot: BotProcess) -> tuple[int, dict[str, str]]:
    async with httpx.AsyncClient(base_url=bot.base, trust_env=False, verify=False) as http:
        answer = await http.get("/healthz")
    return answer.status_code, answer.json()


async def logged(bot: BotProcess, words: str, seconds: float = 15) -> None:
    async with asyncio.timeout(seconds):
        while words not in await asyncio.to_thread(bot.log.read_text):
            await asyncio.sleep(0.05)


async def contents_of(bot: BotProcess, person: str) -> list[str]:
    return [record.content for record in await bot.records(person)]


async def recorded(bot: BotProcess, person: str, *expected: str) -> None:
    """Wait until these records are there; then these alone are."""
    async with asyncio.timeout(45):
        while len(found := await contents_of(bot, person)) < len(expected):
            await asyncio.sleep(0.2)
    assert found == list(expected)


DISKS = {"full": (NO_ROOM, "full"), "failing": (FAILING, "errors")} if THOROUGH else {"full": (NO_ROOM, "full")}


@pytest.mark.parametrize(("number", "said"), DISKS.values(), ids=DISKS)
async def test_what_cannot_be_stored_is_refused_said_once_and_done_once_when_line_delivers_it_again(
    tmp_path: Path, number: int, said: str
):
    disk = disk_of(tmp_path)
    async with running(tmp_path, cold=True, **disk.environment) as bot:
        phone = await somebody(bot)
        await phone.say("午餐 120")
        await heard(phone, "120")
        disk.fails(1, number, FOR_EVER)
        await phone.say("捷運 30")
        await logged(bot, "could not be stored")
        told = await heard(phone, "存不了")
        status, state = await health(bot)
        assert (status, state["status"]) == (503, "down")
        assert said in state["reason"]
        assert "/" not in state["reason"]
        disk.recovers()
        await recorded(bot, phone.person, "午餐", "捷運")
        assert (await health(bot))[0] == 200
        await phone.say("咖啡 80")
        told += await heard(phone, "30", "80", seconds=30)
        assert (told.count("存不了"), told.count("捷運"), told.count("咖啡")) == (1, 1, 1)
        assert await contents_of(bot, phone.person) == ["午餐", "捷運", "咖啡"]


@pytest.mark.parametrize("at", [2, 12, 30, 42] if THOROUGH else [12])
async def test_a_disk_that_fails_in_the_middle_of_a_turn_costs_nothing_but_time(tmp_path: Path, at: int):
    disk = disk_of(tmp_path)
    async with running(tmp_path, cold=True, **disk.environment) as bot:
        phone = await somebody(bot)
        await phone.say("午餐 120")
        await heard(phone, "120")
        disk.fails(at, FAILING, 2)
        await phone.say("捷運 30")
        await recorded(bot, phone.person, "午餐", "捷運")
        disk.recovers()
        await phone.say("咖啡 80")
        told = await heard(phone, "30", "80", seconds=30)
        assert (told.count("捷運"), told.count("咖啡")) == (1, 1)
        assert await contents_of(bot, phone.person) == ["午餐", "捷運", "咖啡"]


async def test_while_another_process_holds_the_store_line_has_its_503_in_time_and_then_all_is_done(tmp_path: Path):
    async with running(tmp_path) as bot:
        phone = await somebody(bot)
        await phone.say("午餐 120")
        await heard(phone, "120")
        async with held(tmp_path / "bot.db"):
            began = time.monotonic()
            async with httpx.AsyncClient(base_url=bot.base, trust_env=False, verify=False) as http:
                assert (await http.get("/healthz")).status_code == 503
            assert time.monotonic() - began < 2
            await phone.say("捷運 30")
            await phone.say("咖啡 80")
            await logged(bot, "LINE is asked")
        await recorded(bot, phone.person, "午餐", "捷運", "咖啡")


async def test_a_bot_that_finds_its_store_damaged_says_in_one_sentence_what_to_do(tmp_path: Path):
    async with running(tmp_path) as bot:
        phone = await somebody(bot)
        await phone.say("午餐 120")
        await heard(phone, "120")
    file = tmp_path / "bot.db"
    size = file.stat().st_size
    with file.open("r+b") as pages:
        pages.seek(size // 2 // 4096 * 4096)
        pages.write(b"\xa5" * 4096)
    code, out, err = await bot.command()
    assert (code, out) == (1, "")
    (line,) = err.strip().splitlines()
    assert line.startswith(f"{file} is damaged (")
