"""The doctor and the set-up as an operator runs them, against a local LINE: beside a running bot, and without one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from bot.doctor import examine, report
from bot.line import rich_menu
from bot.local_line import FIRST_PERSON
from bot.local_line.phone import Phone
from bot.local_line.platform import LocalLine
from bot.main import utc_now
from bot.redaction import Redactor
from bot.settings import Settings
from tests.bot_process import OWNER, SECRET, BotProcess, heard, running
from tests.emulators import notion as notion_emulator
from tests.emulators import openai as openai_emulator
from tests.serving import served

TOKEN = "long-lived-token-of-the-test"
KEY = openai_emulator.KEY


class Line:
    """A local LINE, and the settings of a bot that is connected to it."""

    def __init__(self, platform: LocalLine, base: str) -> None:
        self.platform = platform
        self.base = base
        self.settings = {
            "LINE_CHANNEL_SECRET": SECRET,
            "LINE_CHANNEL_ACCESS_TOKEN": TOKEN,
            "LINE_API_BASE": base,
            "SECRETARY_OWNERS": OWNER,
        }

    async def fault(self, **fault: Any) -> None:
        async with httpx.AsyncClient(base_url=self.base, trust_env=False, verify=False) as http:
            assert (await http.post("/local/faults", json=fault)).status_code == 200


@pytest.fixture
async def line() -> AsyncIterator[Line]:
    platform = LocalLine(None, webhook_url="", now=utc_now, secret=SECRET, access_token=TOKEN)
    async with served(platform.app) as base:
        await platform.start()
        yield Line(platform, base)
        await platform.close()


@asynccontextmanager
async def connected(folder, line: Line, **settings: str) -> AsyncIterator[BotProcess]:
    """A bot that is connected to this LINE and reachable, as far as this machine goes."""
    async with running(folder, **(line.settings | settings)) as bot:
        bot.settings = {**bot.settings, "PUBLIC_URL": bot.base}
        yield bot


async def found(bot: BotProcess) -> tuple[int, dict[str, dict[str, str]]]:
    """The exit code and the findings by what was looked at, as the command tells them to programs."""
    given = {name.lower(): value for name, value in bot.environment.items() if name.lower() in Settings.model_fields}
    settings = Settings(_env_file=None, **{name: value for name, value in given.items() if value})
    told, code = report(await examine(settings, Redactor(settings.secrets)), Redactor(settings.secrets), json=True)
    assert not any(secret in told for secret in (SECRET, TOKEN, KEY))
    return code, {each["check"]: each for each in json.loads(told)}


def states(findings: dict[str, dict[str, str]]) -> dict[str, str]:
    return {what: each["state"] for what, each in findings.items()}


WELL = {
    "settings": "ok",
    "store": "ok",
    "who may talk": "ok",
    "bot": "ok",
    "LINE token": "ok",
    "LINE account": "ok",
    "webhook": "ok",
    "use webhook": "ok",
    "webhook test": "ok",
    "PUBLIC_URL": "ok",
    "redelivery": "warn",
    "auto-reply": "warn",
    "pushes": "ok",
    "model": "ok",
    "Notion": "ok",
}
"""All that is looked at, where everything is well; the clock is left to chance where LINE tells none."""


async def test_after_the_set_up_everything_is_well_beside_a_running_bot(tmp_path, line):
    async with connected(tmp_path, line) as bot:
        code, out, err = await bot.command("setup")
        assert (code, err) == (0, "")
        assert f"set the webhook to {bot.base}/callback" in out
        assert "the menu under the chat is shown now (zh-TW)" in out
        _, again, _ = await bot.command("setup")
        assert "the menu is shown (zh-TW)" in again
        assert "set the webhook" not in again

        code, findings = await found(bot)
        findings.pop("clock")
        assert states(findings) == WELL
        assert code == 0


async def test_before_the_set_up_the_doctor_says_what_to_do_and_fails(tmp_path, line):
    code, findings = await found(BotProcess(tmp_path, **line.settings))

    assert code == 1
    assert {what for what, state in states(findings).items() if state == "FAIL"} == {"webhook"}
    assert findings["store"]["state"] == "warn"
    assert "start the bot once" in findings["store"]["next"]
    assert "python -m bot" in findings["bot"]["next"]
    assert "PUBLIC_URL" in findings["webhook"]["next"]


async def test_each_finding_is_one_line_for_people(tmp_path, line):
    code, out, err = await BotProcess(tmp_path, **line.settings).command("doctor")

    assert (code, err) == (1, "")
    assert all(each.startswith(("ok    ", "warn  ", "FAIL  ")) for each in out.splitlines())
    assert "Webhook redelivery on" in out


async def test_a_refused_token_fails_with_the_click_and_stays_unsaid(tmp_path, line):
    bot = BotProcess(tmp_path, **(line.settings | {"LINE_CHANNEL_ACCESS_TOKEN": "another-token-of-the-test"}))
    code, findings = await found(bot)

    assert (code, findings["LINE token"]["state"]) == (1, "FAIL")
    assert "Channel access token (long-lived): Issue" in findings["LINE token"]["next"]
    assert "webhook" not in findings, "nothing further can be asked"
    code, out, err = await bot.command("setup")
    assert (code, out) == (1, "")
    assert "401" in err
    assert "python -m bot doctor" in err


async def test_a_line_that_cannot_be_reached_is_no_matter_of_the_token(tmp_path, line):
    for settings in ({}, {"LINE_CHANNEL_ID": "1234567890"}):
        away = line.settings | {"LINE_API_BASE": "http://127.0.0.1:9", **settings}
        code, findings = await found(BotProcess(tmp_path, **away))
        assert (code, findings["LINE"]["state"]) == (1, "FAIL")
        assert "ConnectError" in findings["LINE"]["reason"]
        assert "network" in findings["LINE"]["next"]


async def test_with_the_channels_id_tokens_are_issued_and_both_set_is_said(tmp_path, line):
    issued = {"LINE_CHANNEL_ID": line.platform.channel_id}
    _, findings = await found(BotProcess(tmp_path, **(line.settings | issued)))
    assert findings["LINE token"]["reason"] == "issued for LINE_CHANNEL_ID"
    assert findings["settings"]["next"] == "remove LINE_CHANNEL_ACCESS_TOKEN"

    bot = BotProcess(tmp_path, **(line.settings | {"LINE_CHANNEL_ID": "1234567890"}))
    _, findings = await found(bot)
    assert "compare LINE_CHANNEL_ID and LINE_CHANNEL_SECRET" in findings["LINE token"]["next"]


async def test_a_bot_with_an_issued_token_speaks_and_logs_none(tmp_path, line):
    issued = {"LINE_CHANNEL_ID": line.platform.channel_id, "LINE_CHANNEL_ACCESS_TOKEN": "", "LOG_LEVEL": "DEBUG"}
    issued["SECRETARY_OWNERS"] = FIRST_PERSON
    async with connected(tmp_path, line, **issued) as bot:
        line.platform._courier.webhook_url = f"{bot.base}/callback"
        phone = Phone(line.base)
        await phone.follow()
        await phone.say("午餐 120")
        assert "午餐 120 元" in await heard(phone, "午餐 120 元")
        async with httpx.AsyncClient(base_url=line.base, trust_env=False, verify=False) as http:
            asked = (await http.get("/local/log")).json()["requests"]
        tokens = [each["answer"]["access_token"] for each in asked if each["path"] == "/oauth2/v3/token"]
        assert len(tokens) == 1
        assert tokens[0] not in bot.log.read_text()


async def test_a_bot_whose_secret_is_another_channels_is_found_by_lines_own_test(tmp_path, line):
    async with connected(tmp_path, line, LINE_CHANNEL_SECRET="f" * 32) as bot:
        line.platform._courier.webhook_url = f"{bot.base}/callback"
        code, findings = await found(bot)

    assert code == 1
    assert "signature" in findings["webhook test"]["reason"]
    assert "Channel secret" in findings["webhook test"]["next"]


async def test_a_webhook_that_is_off_or_elsewhere_or_not_told_is_found(tmp_path, line):
    async with connected(tmp_path, line) as bot:
        away = {"endpoint": "https://old.example.org/callback", "active": False}
        await line.fault(path="/v2/bot/channel/webhook/endpoint", status=200, body=away)
        await line.fault(path="/v2/bot/channel/webhook/test", status=429, body={"message": "too often"})
        await line.fault(path="/v2/bot/message/quota", status=503, body={})
        code, findings = await found(bot)

    assert code == 1
    assert states(findings)["use webhook"] == "FAIL"
    assert "429" in findings["webhook"]["reason"], "the last word about it"
    assert states(findings)["pushes"] == "warn"


async def test_an_address_that_leads_elsewhere_fails_unless_line_reaches_the_bot(tmp_path, line):
    async with connected(tmp_path, line) as bot:
        line.platform._courier.webhook_url = f"{bot.base}/callback"
        bot.settings["PUBLIC_URL"] = f"{line.base}"
        _, findings = await found(bot)
        assert findings["PUBLIC_URL"]["state"] == "warn"
        assert "LINE reaches the bot all the same" in findings["PUBLIC_URL"]["reason"]

        bot.settings["PUBLIC_URL"] = "http://127.0.0.1:9"
        line.platform._courier.webhook_url = "http://127.0.0.1:9/callback"
        code, findings = await found(bot)
        assert code == 1
        assert "cannot be reached" in findings["PUBLIC_URL"]["reason"]
        assert "COULD_NOT_CONNECT" in findings["webhook test"]["reason"]


async def test_an_address_without_https_fails_before_it_is_asked(tmp_path, line):
    code, findings = await found(BotProcess(tmp_path, **line.settings, PUBLIC_URL="http://secretary.invalid"))
    assert (code, findings["PUBLIC_URL"]["state"]) == (1, "FAIL")
    assert "only to https://" in findings["PUBLIC_URL"]["reason"]


async def test_on_a_hosting_platform_no_line_is_a_failure(tmp_path):
    code, out, _ = await BotProcess(tmp_path, RENDER="true").command("doctor")
    lines = {line[6:20].strip(): line for line in out.splitlines()}
    assert code == 1
    assert lines["LINE"].startswith("FAIL")


async def test_a_wrong_setting_is_a_finding(tmp_path):
    code, out, err = await BotProcess(tmp_path, PORT="eighty").command("doctor")
    assert (code, err) == (1, "")
    assert out.startswith("FAIL  settings      These settings need a look: - PORT: ")


async def test_a_damaged_store_is_a_finding(tmp_path):
    (tmp_path / "bot.db").write_bytes(b"no database " * 1_000)
    code, findings = await found(BotProcess(tmp_path))
    assert (code, findings["store"]["state"]) == (1, "FAIL")


async def test_a_model_is_asked_one_thing_and_a_refusal_is_told(tmp_path):
    async with openai_emulator.serving() as endpoint:
        endpoint.script(openai_emulator.says("ok"), openai_emulator.error(401, "invalid_api_key", "Incorrect key"))
        bot = BotProcess(tmp_path, OPENAI_BASE_URL=endpoint.url, OPENAI_API_KEY=KEY, OPENAI_MODEL=openai_emulator.MODEL)
        _, findings = await found(bot)
        assert (findings["model"]["state"], findings["model"]["reason"]) == (
            "ok",
            f"{openai_emulator.MODEL} answers",
        )
        code, findings = await found(bot)
        assert (code, findings["model"]["state"]) == (1, "FAIL")
        assert "OPENAI_API_KEY" in findings["model"]["next"]


async def test_notion_is_read_once_and_what_lacks_is_told(tmp_path):
    notion = notion_emulator.Notion()
    async with notion_emulator.serving(notion) as address:
        place = {"NOTION_TOKEN": notion_emulator.TOKEN, "NOTION_BASE_URL": address}
        bot = BotProcess(tmp_path, **place, NOTION_PARENT_PAGE_ID=notion.page())
        _, findings = await found(bot)
        assert findings["Notion"]["next"] == "`python -m bot setup` tells it"

        _, out, _ = await bot.command("setup")
        bot.settings["NOTION_DATA_SOURCE_ID"] = out.splitlines()[-1].split("=")[1]
        _, findings = await found(bot)
        assert findings["Notion"]["state"] == "ok"

        bot.settings["NOTION_TOKEN"] = "ntn_another-token-of-the-test"
        code, findings = await found(bot)
        assert (code, findings["Notion token"]["state"]) == (1, "FAIL")

        bot.settings["NOTION_TOKEN"] = ""
        _, findings = await found(bot)
        assert findings["Notion"]["next"] == "set NOTION_TOKEN"


async def test_the_set_up_of_one_goes_on_where_the_other_fails(tmp_path, line):
    notion = notion_emulator.Notion()
    async with notion_emulator.serving(notion) as address:
        place = {"NOTION_TOKEN": "ntn_another-token-of-the-test", "NOTION_BASE_URL": address}
        bot = BotProcess(tmp_path, **line.settings, **place, NOTION_PARENT_PAGE_ID=notion.page())
        code, out, err = await bot.command("setup", "--menu", "ja")

    assert (code, out) == (1, "")
    assert "the menu under the chat is shown now (ja)" in err
    assert len(line.platform._api._account._menus) == 1
    assert rich_menu.MARK in next(iter(line.platform._api._account._menus.values())).made["name"]


async def test_without_anything_to_set_up_it_says_so(tmp_path):
    code, _, err = await BotProcess(tmp_path).command("setup")
    assert code == 1
    assert "Neither LINE nor Notion is set" in err


async def test_on_a_platform_the_log_of_a_start_says_what_is_amiss_and_how_to_mend_it(tmp_path, line):
    async with running(tmp_path, **line.settings, RENDER="true", LOG_FORMAT="json") as bot:
        async with asyncio.timeout(60):
            while "auto-reply" not in bot.log.read_text():  # noqa: ASYNC110 - a file has no event
                await asyncio.sleep(0.1)
    told = {each["message"][6:20].strip(): each for each in map(json.loads, bot.log.read_text().splitlines())}
    assert told["PUBLIC_URL"]["level"] == "WARNING"
    assert "set it to the https:// address" in told["PUBLIC_URL"]["message"]
