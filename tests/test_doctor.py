"""The doctor beside nothing that runs: stores, owners, settings, and looks that fail or never end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from bot.doctor import bounded, doctor, examine
from bot.gate import MOST_TRIES
from bot.ports import Person
from bot.redaction import Redactor
from bot.settings import Settings, SettingsError
from bot.sql.people import SqlPeople
from tests.bot_process import OWNER
from tests.serving import served
from tools.database import Database
from tools.record import PersonId

LINE_AWAY = {
    "line_channel_secret": "s" * 32,
    "line_channel_access_token": "token-of-the-test",
    "line_api_base": "http://127.0.0.1:9",
}


def settings(folder: Path, **given: object) -> Settings:
    """A bot whose store is in this folder, on a port where nothing runs."""
    return Settings(_env_file=None, database_url=f"sqlite:///{folder / 'bot.db'}", **({"port": 9} | given))


async def found(given: Settings, **options: Any) -> dict[str, tuple[str, str]]:
    return {each.what: (each.state, each.line) for each in await examine(given, Redactor(given.secrets), **options)}


@pytest.fixture
async def people(tmp_path: Path) -> AsyncIterator[SqlPeople]:
    """A store that is up to date, and who is in it."""
    database = Database(f"sqlite:///{tmp_path / 'bot.db'}")
    await database.start()
    yield SqlPeople(database, lambda: datetime.now(UTC))
    await database.close()


async def test_on_a_hosting_platform_a_file_is_a_warning_and_no_line_a_failure(tmp_path, people, monkeypatch):
    monkeypatch.setattr(Path, "is_mount", lambda self: self == Path("/"))
    at_home, hosted = await found(settings(tmp_path)), await found(settings(tmp_path), environment={"RENDER": "true"})

    assert (at_home["store"][0], at_home["LINE"][0]) == ("ok", "ok")
    assert (hosted["store"][0], hosted["LINE"][0]) == ("warn", "FAIL")


async def test_who_has_paired_is_told_as_a_number(tmp_path, people):
    assert "there is no code" in (await found(settings(tmp_path, **LINE_AWAY)))["who may talk"][1]
    await people.offer("04041234")
    waiting = (await found(settings(tmp_path, **LINE_AWAY)))["who may talk"]
    assert waiting[0] == "warn"
    assert "04041234" not in waiting[1]
    anna = Person(PersonId(OWNER), "zh-TW", "zh-TW", ZoneInfo("Asia/Taipei"), "TWD")
    await people.pair(anna, "04041234")
    assert (await found(settings(tmp_path, **LINE_AWAY)))["who may talk"] == ("ok", "ok    who may talk  paired with 1")


async def test_a_code_that_was_guessed_at_too_often_asks_for_a_restart(tmp_path, people):
    await people.offer("04041234")
    for _ in range(MOST_TRIES):
        await people.guess("00000000")

    assert "restart the bot" in (await found(settings(tmp_path, **LINE_AWAY)))["who may talk"][1]


@pytest.mark.parametrize(
    ("status", "body", "state"),
    [(200, '{"status":"ok"}', "ok"), (503, '{"status":"down"}', "FAIL"), (200, "another program", "FAIL")],
)
async def test_what_runs_on_the_port_is_asked_how_it_is(tmp_path, status, body, state):
    async def health(_: object) -> PlainTextResponse:
        return PlainTextResponse(body, status)

    async with served(Starlette(routes=[Route("/healthz", health)])) as address:
        port = int(address.rsplit(":", 1)[1])
        assert (await found(settings(tmp_path, port=port, host="127.0.0.1")))["bot"][0] == state


async def test_an_address_of_six_is_asked_too(tmp_path):
    assert (await found(settings(tmp_path, host="::1")))["bot"][0] == "warn"


async def test_a_look_that_never_ends_or_fails_oddly_is_a_finding():
    async def never() -> list:
        await asyncio.Event().wait()
        return []

    async def odd() -> list:
        raise RuntimeError("odd")

    (late,), (broken,) = await bounded("a", never, 0.01), await bounded("b", odd)
    assert late.line == "FAIL  a             nothing came of it in 0.01 s → try again later"
    assert broken.said == "the look failed (RuntimeError: odd)"


@pytest.mark.parametrize("as_json", [False, True])
async def test_the_command_prints_every_finding_and_tells_by_its_code(tmp_path, as_json):
    given = settings(tmp_path, **LINE_AWAY)
    told, code = await doctor(lambda: given, json=as_json)

    assert code == 1
    assert "token-of-the-test" not in told
    states = [each["state"] for each in json.loads(told)] if as_json else [each[:4] for each in told.splitlines()]
    assert "FAIL" in states


async def test_a_name_in_the_file_that_is_no_setting_is_told_with_the_one_that_was_meant(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["LINE_CHANEL_SECRET=a", "# LINE_OLD=1", "export OPENAI_QQQQQQ = b", "PATH_OF_MINE=c", "LOG_LEVEL=INFO"]
    (tmp_path / ".env").write_text("\n".join(names), "utf-8")

    told, _ = await doctor(lambda: settings(tmp_path))

    assert "LINE_CHANEL_SECRET is no setting: did you mean LINE_CHANNEL_SECRET?" in told
    assert told.count("is no setting") == 2
    assert "OPENAI_QQQQQQ is no setting → remove it" in told


async def test_settings_that_are_wrong_are_the_only_finding():
    def wrong() -> Settings:
        raise SettingsError("These settings need a look:\n- PORT: is no port")

    told, code = await doctor(wrong)
    assert (told.count("\n"), code) == (0, 1)
    assert told.startswith("FAIL  settings      These settings need a look: - PORT: is no port → ")
