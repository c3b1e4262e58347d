"""What the READMEs say is so: settings, files, commands, and what one sees."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from textwrap import indent

import httpx
import pytest
from pydantic import SecretStr

from bot.application import STOP_SECONDS
from bot.demo import two_free_ports
from bot.gate import MOST_TRIES
from bot.line.health import Trial, of_test
from bot.local_line.phone import Phone, reachable
from bot.local_line.platform import LocalLine
from bot.main import utc_now
from bot.process_incoming_message import MOST_DEATHS
from bot.settings import Settings
from bot.sql.claims import LEASE_SECONDS
from bot.sql.housekeeping import ID_DAYS
from bot.voice.phrases import phrases_of
from bot.web import create_web
from tests.bot_process import BotProcess, heard, running
from tests.chromium import needs_chromium
from tests.emulators import notion as notion_emulator
from tests.emulators import openai as openai_emulator
from tests.postgres.house import event, house, person
from tests.postgres.schema import schema_of_its_own
from tests.screenshots import draw
from tests.serving import served
from tests.trust import trusting_again
from tools.database.sqlite_copies import KEPT
from tools.database.sqlite_store import CHECKED_AT_START
from tools.database.trouble import DatabaseUnavailable

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = {"README.md": "empty", "README.zh-TW.md": "空"}
"""Each README, and how it says that a default is empty."""

SLOW = pytest.mark.skipif(
    not (os.environ.get("CI") or os.environ.get("SECRETARY_SLOW")),
    reason="takes long, or the package index: set SECRETARY_SLOW=1",
)

BOT = ".venv/bin/python -m bot"
BACKUP, RESTORE = f"{BOT} backup secretary-backup.db", f"{BOT} restore secretary-backup.db"
COPY = f"DATABASE_URL=sqlite:///secretary.db {BOT} copy postgresql://…"
MAP = f"{BOT} setup --map amount=金額 --map tags=標籤"
NIGHT = ".venv/bin/python tests/bench/crash.py --runs 20 --blind 100"

RUN_BY_A_TEST = {
    BOT: "test_the_first_command_serves_what_the_readme_says",
    f"{BOT} chat": "test_without_a_model_it_understands_what_the_readme_says",
    f"{BOT} demo": "test_the_demo_comes_out_right",
    f"{BOT} doctor": "test_the_doctor_says_what_the_readme_says",
    f"{BOT} setup": "test_setup_says_what_the_readme_says",
    f"{BOT} rebuild": "test_what_was_lost_here_comes_back_from_notion_as_the_readme_says",
    MAP: "test_columns_of_one_s_own_are_mapped_as_the_readme_says",
    f"{BOT} worker": "test_a_worker_answers_what_another_process_has_heard",
    f"{BOT} inbox": "test_the_inbox_is_looked_at_beside_a_running_bot",
    f"{BOT} log": "test_the_log_is_looked_at_beside_a_running_bot",
    f"{BOT} backup FILE": "test_a_backup_beside_a_running_bot_is_put_back_as_the_readme_says",
    f"{BOT} restore FILE": "test_a_backup_beside_a_running_bot_is_put_back_as_the_readme_says",
    f"{BOT} export FILE": "test_records_are_taken_along_beside_a_running_bot",
    f"{BOT} copy DATABASE_URL": "test_everything_goes_to_another_store_as_the_readme_says",
    BACKUP: "test_a_backup_beside_a_running_bot_is_put_back_as_the_readme_says",
    RESTORE: "test_a_backup_beside_a_running_bot_is_put_back_as_the_readme_says",
    COPY: "test_everything_goes_to_another_store_as_the_readme_says",
    NIGHT: "test_a_very_short_night_finds_nothing_lost",
    "curl -s http://127.0.0.1:8000/healthz": "test_the_first_command_serves_what_the_readme_says",
}
CANNOT_BE_RUN = {
    (
        "SECRETARY_LIVE_NOTION=1 NOTION_TOKEN=ntn_… NOTION_PARENT_PAGE_ID=… .venv/bin/python -m pytest -n0 tests/live"
    ): "needs a workspace of Notion's own",
}


@pytest.fixture(params=LANGUAGES)
def readme(request) -> str:
    return request.param


def text_of(readme: str) -> str:
    return (ROOT / readme).read_text(encoding="utf-8")


def both_say(words: str) -> bool:
    return all(words in text_of(each) for each in LANGUAGES)


def blocks_of(readme: str) -> list[tuple[str, str]]:
    """Every code block: its language, and its lines without the indentation they share."""
    found = re.findall(r"^( *)```(\w+)\n(.*?)^ *```$", text_of(readme), re.MULTILINE | re.DOTALL)
    return [
        (language, "\n".join(line.removeprefix(indent) for line in body.splitlines()))
        for indent, language, body in found
    ]


def table_of(readme: str, mark: str) -> list[list[str]]:
    """The rows of the table behind a comment, without its heading."""
    _, _, behind = text_of(readme).partition(f"<!-- {mark}:")
    rows = behind.partition("-->\n")[2].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def commands_of(readme: str) -> list[str]:
    in_blocks = [line for language, body in blocks_of(readme) if language == "sh" for line in body.splitlines()]
    in_tables = re.findall(r"^\| `(\.venv/[^`]+)` \|", text_of(readme), re.MULTILINE)
    return in_blocks + in_tables


def installing(readme: str) -> list[str]:
    return [each for each in commands_of(readme) if each.startswith("python3.11 -m venv")]


# ── settings ──────────────────────────────────────────────────────────────────────────────────────────────────────


def default_of(name: str) -> str:
    default = Settings.model_fields[name].default
    if isinstance(default, SecretStr):
        default = default.get_secret_value()
    return "" if default == () else str(default)


def test_the_settings_are_those_there_are(readme):
    listed = {name.strip("`"): default.strip("`") for name, _, default in table_of(readme, "settings")}
    empty = LANGUAGES[readme]
    assert listed == {name.upper(): default_of(name) or empty for name in Settings.model_fields}


def test_a_setting_means_what_its_description_says():
    listed = {name.strip("`"): meaning for name, meaning, _ in table_of("README.md", "settings")}
    assert listed == {name.upper(): field.description for name, field in Settings.model_fields.items()}


def test_the_example_env_file_names_every_setting_with_its_default():
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    named = dict(line.removeprefix("#").split("=", 1) for line in lines if re.match(r"#?[A-Z_]+=", line))
    assert named == {name.upper(): default_of(name) for name in Settings.model_fields}
    assert all(not line or line.startswith("#") for line in lines), "copied as it is, it sets nothing"


def test_what_is_set_in_a_block_is_a_setting(readme):
    for language, body in blocks_of(readme):
        if language == "ini" and "[Service]" not in body:
            assert {line.split("=")[0] for line in body.splitlines()} <= {
                name.upper() for name in Settings.model_fields
            }


# ── the map and the picture ───────────────────────────────────────────────────────────────────────────────────────


def mapped(readme: str) -> list[str]:
    """The paths of the map: the two packages, and what stands directly in them."""
    drawing = next(body for language, body in blocks_of(readme) if body.startswith("bot/"))
    paths, package = [], ""
    for line in drawing.splitlines():
        name = line.split()[0]
        assert len(line.split()) > 1, f"{name} is not explained"
        package = package if line.startswith(" ") else name
        paths.append(package + name if line.startswith(" ") else name)
    return paths


def test_the_map_shows_every_room_there_is(readme):
    rooms = {
        room.relative_to(ROOT).as_posix() + ("/" if room.is_dir() else "")
        for package in ("bot", "tools")
        for room in (ROOT / package).iterdir()
        if room.name not in {"__pycache__", "__init__.py"}
    }
    shown = mapped(readme)
    assert set(shown) == rooms | {"bot/", "tools/"}
    assert len(shown) == len(set(shown))


def test_the_picture_is_there_and_can_be_read_by_those_who_do_not_see_it(readme):
    ((source, words),) = re.findall(r'<img src="([^"]+)" width="\d+" alt="([^"]+)">', text_of(readme))
    assert (ROOT / source).read_bytes().startswith(b"\x89PNG")
    assert len(words) > 30


@needs_chromium
async def test_the_conversation_of_the_picture_really_happens(tmp_path):
    await draw(tmp_path / "again.png")
    assert (tmp_path / "again.png").stat().st_size > 20_000


def test_links_inside_the_project_lead_somewhere(readme):
    text = text_of(readme)
    headings = {re.sub(r"[^\w -]", "", each).strip().replace(" ", "-").lower() for each in headings_of(readme)}
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in headings
        elif "://" not in target:
            assert (ROOT / target).is_file(), target


# ── the twins ─────────────────────────────────────────────────────────────────────────────────────────────────────


def headings_of(readme: str) -> list[str]:
    prose = re.sub(r"^ *```.*?^ *```$", "", text_of(readme), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^(#+ .+)$", prose, re.MULTILINE)


def test_both_languages_tell_the_same():
    english, chinese = LANGUAGES
    same = [
        [(language, body) for language, body in blocks_of(each) if not body.startswith("bot/")]
        for each in (english, chinese)
    ]
    assert same[0] == same[1]
    assert mapped(english) == mapped(chinese)
    depths = [[heading.split()[0] for heading in headings_of(each)] for each in (english, chinese)]
    assert depths[0] == depths[1]
    steps = [
        re.findall(r"^\d+\. |\*You see\*|\*你會看到\*", text_of(each), re.MULTILINE) for each in (english, chinese)
    ]
    assert [re.sub("你會看到", "You see", each) for each in steps[1]] == steps[0]
    addresses = [sorted(re.findall(r"\]\((https?://[^)]+)\)", text_of(each))) for each in (english, chinese)]
    assert addresses[0] == addresses[1]


def test_every_step_ends_with_something_one_sees(readme):
    steps = re.findall(r"^\d+\. .+?(?=^\d+\. |^##|^[^\s\d])", text_of(readme), re.MULTILINE | re.DOTALL)
    assert len(steps) == 12
    assert [each for each in steps if "*You see*" not in each and "*你會看到*" not in each] == []


# ── the commands ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_command_is_run_or_cannot_be(readme):
    known = {*RUN_BY_A_TEST, *CANNOT_BE_RUN, *installing(readme)}
    assert set(commands_of(readme)) == known
    assert len(installing(readme)) == 2
    assert {name for name in RUN_BY_A_TEST.values() if name not in globals()} == set()


async def test_the_first_command_serves_what_the_readme_says(tmp_path):
    bot = BotProcess(tmp_path, cold=True)
    await bot.start()
    try:
        async with httpx.AsyncClient(trust_env=False, verify=False) as http:
            page = await http.get(bot.base, follow_redirects=True)
            health = await http.get(f"{bot.base}/healthz")
    finally:
        code = await bot.stop()
    log = bot.log.read_text(encoding="utf-8")
    assert code == 0, "SIGTERM ends it cleanly"
    assert (page.status_code, str(page.url)) == (200, f"{bot.line}/")
    assert health.text.startswith('{"status":"ok",')
    assert both_say('`{"status":"ok",…}`')
    assert f"chat page: {bot.line}/" in log
    assert both_say("`chat page: http://127.0.0.1:8001/`")
    for quoted in ("model:", "none (offline engine)"):
        assert quoted in log
        assert both_say(f"`{quoted}`")


async def test_with_line_and_a_model_the_log_says_what_the_readme_says(tmp_path):
    nowhere = "http://127.0.0.1:9"
    line = {"LINE_CHANNEL_SECRET": "0" * 32, "LINE_CHANNEL_ACCESS_TOKEN": "1" * 40, "LINE_API_BASE": nowhere}
    bot = BotProcess(tmp_path, **line, OPENAI_BASE_URL=f"{nowhere}/v1", OPENAI_MODEL="tiny")
    await bot.start()
    try:
        async with httpx.AsyncClient(trust_env=False, verify=False) as http:
            callback = await http.get(f"{bot.base}/callback")
    finally:
        await bot.stop()
    log = bot.log.read_text(encoding="utf-8")
    for quoted in ("webhook: https://<your address>/callback", "nobody owns this bot yet: send it this code in LINE:"):
        assert quoted in log
        assert both_say(f"`{quoted}`")
    assert "model: tiny" in log
    assert "chat page" not in log
    assert callback.text.startswith("This is the LINE webhook")
    assert both_say("This is the LINE webhook")


async def test_pairing_goes_as_the_readme_says(tmp_path):
    """With our own strict platform in LINE's place: a stranger, the code once, and from then on an owner."""
    bot = BotProcess(tmp_path)
    line = LocalLine(None, webhook_url=f"{bot.base}/callback", now=utc_now)
    await line.start()
    try:
        async with served(line.app) as address:
            bot.settings = {
                "LINE_CHANNEL_SECRET": line.secret,
                "LINE_CHANNEL_ACCESS_TOKEN": line.access_token,
                "LINE_API_BASE": address,
            }
            await bot.start()
            try:
                await paired(Phone(address), bot)
            finally:
                await bot.stop()
    finally:
        await line.close()


async def codes_of(bot: BotProcess, starts: int) -> list[str]:
    """What was printed at each start, which is a moment after the port is open."""
    found: list[str] = []
    for _ in range(200):
        found = re.findall(r"send it this code in LINE: ([0-9]{8})\n", bot.log.read_text(encoding="utf-8"))
        if len(found) >= starts:
            break
        await asyncio.sleep(0.05)
    return found


async def paired(owner: Phone, bot: BotProcess) -> None:
    stranger = Phone(owner.address, await Phone(owner.address).add_person("Eve", "en"))
    await stranger.say("lunch 12.50")
    await heard(stranger, "8-digit code")
    await bot.stop()
    await bot.start()
    code, same = await codes_of(bot, 2)
    assert same == code, "another start does not make another"
    await owner.say(code)
    await heard(owner, "配對好了")
    await owner.say("午餐 120")
    await heard(owner, "午餐 120 元", "#1")
    await stranger.say(code)
    await owner.say("早餐 60")
    await heard(owner, "早餐 60 元", "#2")
    assert await stranger.unread() == [], "one sentence a day, and the code works once"
    kept = (bot.folder / "bot.db").read_bytes() + (bot.folder / "bot.db-wal").read_bytes()
    assert "早餐".encode() in kept
    assert b"lunch 12.50" not in kept, "a stranger's words are not kept"


ANSWERS = {
    "明天下午三點跟陳醫師回診": "15:00 跟陳醫師回診 #2",
    "昼ごはん 850": "#3",
    "buy milk tomorrow": "buy milk #4",
    "提醒我十分鐘後喝水": "喝水 #5",
    "remind me at 6pm to call mum": "18:00 call mum #6",
    "今天有什麼事？": "今天",
    "how much did I spend this month?": "850",
    "วันนี้มีอะไรบ้าง": "วันนี้",
    "完成 #2": "完成：跟陳醫師回診",
    "刪 #1": "午餐 120 元 #1",
    "復原": "午餐",
}
"""What the answer to each must hold, behind the 「午餐 120」 with which everybody begins."""


async def test_without_a_model_it_understands_what_the_readme_says(tmp_path):
    for readme in LANGUAGES:
        said = [each for row in table_of(readme, "said") for each in re.findall(r"`([^`]+)`", row[1])]
        assert said == list(ANSWERS)
    await BotProcess(tmp_path).command("chat", talk="說明\n午餐 120\n")  # the greeting is behind us
    code, out, err = await BotProcess(tmp_path, cold=True).command("chat", talk="\n".join(ANSWERS) + "\n")
    assert (code, err) == (0, "")
    assert "AI" not in out, "no answer says that it was not understood"
    place = 0
    for words, answer in ANSWERS.items():
        assert answer in out[place:], f"{words!r} in {out}"
        place = out.index(answer, place) + len(answer)


async def test_the_demo_comes_out_right(tmp_path):
    code, out, err = await BotProcess(tmp_path, cold=True).command("demo")
    assert (code, err) == (0, ""), out
    assert "every step came out right" in out


async def test_setup_says_what_the_readme_says(tmp_path):
    notion = notion_emulator.Notion()
    async with notion_emulator.serving(notion) as address:
        place = {"NOTION_TOKEN": notion_emulator.TOKEN, "NOTION_PARENT_PAGE_ID": notion.page()}
        code, out, err = await BotProcess(tmp_path, NOTION_BASE_URL=address, **place).command("setup")
    assert (code, err) == (0, "")
    made = 'made the database "Secretary"'
    assert made in out
    assert both_say(f"`{made}`")
    assert out.splitlines()[-1].startswith("NOTION_DATA_SOURCE_ID=")


async def test_columns_of_one_s_own_are_mapped_as_the_readme_says(tmp_path):
    notion = notion_emulator.Notion()
    own = {"名稱": {"title": {}}, "金額": {"number": {}}, "標籤": {"multi_select": {}}}
    async with notion_emulator.serving(notion) as address:
        made = notion.create_database(
            {"parent": {"page_id": notion.page()}, "initial_data_source": {"properties": own}}
        )
        place = {"NOTION_TOKEN": notion_emulator.TOKEN, "NOTION_DATA_SOURCE_ID": made["url"]}
        bot = BotProcess(tmp_path, NOTION_BASE_URL=address, **place)
        code, out, err = await bot.command(*MAP.removeprefix(f"{BOT} ").split())
        again = await bot.command("setup")
    assert (code, err) == (0, "")
    assert 'amount is kept in your column "金額"' in out
    assert "all columns are as they should be" in again[1]
    columns = notion.sources[made["data_sources"][0]["id"]]["properties"]
    assert sum(each["type"] == "number" for each in columns.values()) == 2, "金額, and the number of each record"


async def test_what_was_lost_here_comes_back_from_notion_as_the_readme_says(tmp_path):
    notion = notion_emulator.Notion()
    async with notion_emulator.serving(notion) as address:
        place = {"NOTION_TOKEN": notion_emulator.TOKEN, "NOTION_PARENT_PAGE_ID": notion.page()}
        bot = BotProcess(tmp_path, NOTION_BASE_URL=address, **place)
        _, out, _ = await bot.command("setup")
        bot.settings["NOTION_DATA_SOURCE_ID"] = out.splitlines()[-1].partition("=")[2]
        code, out, err = await bot.command("rebuild")
    assert (code, "Traceback" in err) == (0, False)
    assert out


async def test_the_doctor_says_what_the_readme_says(tmp_path):
    code, out, err = await BotProcess(tmp_path).command("doctor")
    assert (code, err) == (0, "")
    assert {line[:4].strip() for line in out.splitlines()} == {"ok", "warn"}
    reached = of_test(Trial(success=True, status=200, reason="OK")).said
    assert reached.startswith("LINE reached the bot")
    assert both_say("LINE reached the bot")


async def test_a_model_that_refuses_is_logged_as_the_readme_says(tmp_path):
    async with openai_emulator.serving() as model:
        place = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "sk-wrong", "OPENAI_MODEL": openai_emulator.MODEL}
        async with running(tmp_path, **place) as bot:
            phone = Phone(bot.line)
            await phone.say("用蛋和豆腐可以煮什麼？")
            await heard(phone, phrases_of("zh-TW").model_down)
        model.refusals.clear()
    logged = bot.log.read_text(encoding="utf-8")
    begins, refuses = (
        "going on without the model:",
        "the model refuses (HTTP 401 invalid_api_key): look at OPENAI_API_KEY",
    )
    assert f"{begins} 127.0.0.1: {refuses}" in logged
    assert both_say(f"`{begins}`")
    assert both_say(f"`{refuses}`")


def test_a_host_that_reads_a_procfile_runs_the_bot(readme):
    lines = (ROOT / "Procfile").read_text(encoding="utf-8").splitlines()
    assert [line.partition(":")[0] for line in lines] == ["web", "worker"]
    assert [line for line in lines if f"`{line}`" not in text_of(readme)] == []
    commands = {line.partition(": ")[2] for line in lines}
    assert {f".venv/bin/{command}" for command in commands} <= RUN_BY_A_TEST.keys()


# ── the store, the inbox, and more than one process ───────────────────────────────────────────────────────────────


class AtHome(BotProcess):
    """A bot whose store is where the README has it, in a folder that has a ``.venv`` as the README has it."""

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(folder, **{"DATABASE_URL": "sqlite:///secretary.db", **settings})
        python = folder / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True, exist_ok=True)
        python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
        python.chmod(0o755)

    async def typed(self, line: str) -> tuple[int, str, str]:
        """A line of the README in a shell: exit code, output, errors."""
        process = await asyncio.create_subprocess_exec(
            *("sh", "-c", line),
            cwd=self.folder,
            env=self.environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(), 60)
        return process.returncode or 0, out.decode(), err.decode()

    async def told(self, words: str) -> str:
        """What is answered in the terminal."""
        code, out, err = await self.command("chat", talk=f"{words}\n")
        assert (code, err) == (0, ""), err
        return out


async def test_records_are_taken_along_beside_a_running_bot(tmp_path):
    bot = AtHome(tmp_path)
    await bot.start()
    try:
        phone = Phone(bot.line)
        await phone.say("午餐 120")
        await heard(phone, "#1")
        code, out, err = await bot.typed(f"{BOT} export records.csv")
    finally:
        await bot.stop()
    assert (code, err) == (0, ""), err
    assert "records.csv" in out
    assert "午餐" in (tmp_path / "records.csv").read_text("utf-8-sig")


async def test_a_backup_beside_a_running_bot_is_put_back_as_the_readme_says(tmp_path):
    bot, phone = AtHome(tmp_path), None
    await bot.start()
    try:
        phone = Phone(bot.line)
        await phone.say("午餐 120")
        await heard(phone, "#1")
        code, out, err = await bot.typed(BACKUP)
        assert (code, err) == (0, ""), err
        assert "secretary-backup.db" in out
        await phone.say("早餐 60")
        await heard(phone, "#2")
    finally:
        await bot.stop()
    code, out, err = await bot.typed(RESTORE)
    assert (code, err) == (0, ""), err
    (kept,) = tmp_path.glob("secretary.db.replaced-*Z")
    assert kept.name in out
    assert both_say("`secretary.db.replaced-…`")
    with closing(sqlite3.connect(tmp_path / "secretary.db")) as store:
        (records,) = store.execute("SELECT count(*) FROM record").fetchone()
    assert records == 1, "what was said after the backup is not in it"
    (copy,) = (tmp_path / "secretary.db-copies").glob("*.db")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", copy.stem)
    assert both_say("`secretary.db-copies/`")


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request) -> Iterator[str]:
    """The address of an empty store."""
    if request.param == "sqlite":
        yield "sqlite:///elsewhere.db"
        return
    with schema_of_its_own() as url:
        yield url


async def test_everything_goes_to_another_store_as_the_readme_says(tmp_path, elsewhere):
    before = AtHome(tmp_path)
    assert "#1" in await before.told("午餐 120")
    line = COPY.replace("postgresql://…", shlex.quote(elsewhere))
    code, out, err = await before.typed(line)
    assert (code, err) == (0, ""), err
    assert "  record: 1\n" in out
    assert "Set DATABASE_URL to it now." in out


@asynccontextmanager
async def with_a_lunch(folder: Path) -> AsyncIterator[tuple[AtHome, str]]:
    """A running bot, and the turn in which it was told of a lunch."""
    bot = AtHome(folder)
    await bot.start()
    try:
        phone = Phone(bot.line)
        turn = await phone.say("午餐 120")
        await heard(phone, "#1")
        yield bot, turn
    finally:
        await bot.stop()


async def test_the_inbox_is_looked_at_beside_a_running_bot(tmp_path):
    async with with_a_lunch(tmp_path) as (bot, turn):
        code, out, err = await bot.typed(f"{BOT} inbox")
        assert (code, err) == (0, "")
        assert "waiting: 0; turns set aside: 0" in out
        assert both_say("`inbox show`")
        code, out, err = await bot.typed(f"{BOT} inbox show {turn}")
        assert (code, err, "午餐 120" in out) == (0, "", True), out
        assert both_say("`retry`")
        assert both_say("`drop`")


async def test_the_log_is_looked_at_beside_a_running_bot(tmp_path):
    async with with_a_lunch(tmp_path) as (bot, turn):
        code, out, err = await bot.typed(f"{BOT} log")
        assert (code, err) == (0, "")
        assert all(each in out for each in (f"turn {turn}", "create_record  ok", "set AI_LOG_FILE")), out
        for option in ("--turn ID", "--person", "--last", "--json"):
            assert both_say(f"`{option}`")
        assert "午餐" not in out


async def test_a_worker_answers_what_another_process_has_heard(tmp_path):
    with schema_of_its_own() as url:
        async with house(tmp_path, url, webs=1, workers=1, SECRETARY_OWNERS=person(1)) as built:
            built.outside.go_on.clear()
            await built.post([event(1, person(1), "記 第1件")])
            built.webs[0].signal(signal.SIGKILL)
            built.outside.go_on.set()
            await built.settled(20)
            assert built.outside.times_told("第1件") == 1


async def test_a_full_disk_is_told_as_the_readme_says():
    async def full() -> dict[str, object]:
        raise DatabaseUnavailable("database or disk is full", "full")

    web = create_web(secrets=(), receive=lambda _: full(), health=full, home="here", now=utc_now)
    async with served(web) as address, httpx.AsyncClient(trust_env=False, verify=False) as http:
        health = await http.get(f"{address}/healthz")
    assert health.status_code == 503
    assert both_say(f"`{health.text}`")


FIGURES = {
    "README.md": (
        f"{MOST_TRIES} wrong ones",
        f"the newest {KEPT} stay",
        f"stay for {ID_DAYS} days",
        f"for {STOP_SECONDS:g} seconds",
        f"above {CHECKED_AT_START // 1024**2} MB",
    ),
    "README.zh-TW.md": (
        f"猜錯 {MOST_TRIES} 次",
        f"最新的 {KEPT} 份",
        f"留 {ID_DAYS} 天",
        f"再給 {STOP_SECONDS:g} 秒",
        f"超過 {CHECKED_AT_START // 1024**2} MB",
    ),
}


def test_the_figures_are_those_of_the_program(readme):
    said = " ".join(text_of(readme).split())
    assert [each for each in FIGURES[readme] if each not in said] == []
    assert (LEASE_SECONDS, MOST_DEATHS) == (10, 3), "these stand there in words"


@SLOW
def test_a_very_short_night_finds_nothing_lost():
    short = re.sub(r"--runs \d+ --blind \d+", "--runs 0 --blind 1", NIGHT)
    assert short != NIGHT
    done = subprocess.run(
        [sys.executable, *shlex.split(short)[1:]],
        cwd=ROOT,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "SQLite, seed " in done.stdout
    assert re.search(r"^at random times +1 +0 +0 +0 ", done.stdout, re.MULTILINE), done.stdout


# ── a clean machine ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def clean_copy(tmp_path) -> Path:
    """The tree as someone gets it, without what is ignored."""
    if shutil.which("python3.11") is None:
        pytest.skip("no python3.11 on the path")
    left_out = shutil.ignore_patterns(
        ".git", ".venv", ".env", "__pycache__", "*.db*", ".*_cache", ".hypothesis", "dist"
    )
    return Path(shutil.copytree(ROOT, tmp_path / "copy", ignore=left_out))


def clean_environment(**more: str) -> dict[str, str]:
    ours = {*(name.upper() for name in Settings.model_fields), "PYTHONPATH", "CI", "SECRETARY_SLOW", "VIRTUAL_ENV"}
    kept = {
        name: value for name, value in os.environ.items() if name not in ours and not name.startswith(("PYTEST", "COV"))
    }
    return {**trusting_again(kept), **more}


@SLOW
@pytest.mark.timeout(500)
async def test_the_first_command_makes_the_environment_and_runs_the_bot(clean_copy):
    command, _ = installing("README.md")
    port = two_free_ports()
    log = clean_copy / "bot.log"
    with log.open("wb") as written:
        process = await asyncio.create_subprocess_exec(
            *("sh", "-c", command),
            cwd=clean_copy,
            env=clean_environment(PORT=str(port)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            start_new_session=True,
        )
    try:
        assert await reachable(f"http://127.0.0.1:{port + 1}", 400), log.read_text(encoding="utf-8")
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        await asyncio.wait_for(process.wait(), 60)
    assert "chat page:" in log.read_text(encoding="utf-8")


@SLOW
@pytest.mark.timeout(660)
def test_the_second_command_makes_the_environment_and_passes_the_tests(clean_copy):
    _, command = installing("README.md")
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=clean_copy,
        env=clean_environment(PYTEST_ADDOPTS="-k test_prompt"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout or "100%" in done.stdout


# ── to add a tool ─────────────────────────────────────────────────────────────────────────────────────────────────

ASK_FOR_DAYS = """
import asyncio, json
from datetime import datetime
from zoneinfo import ZoneInfo
from tools.definition import Caller, ToolError
from tools.record import CallKey, PersonId
from tools.toolbox import toolbox

zone = ZoneInfo("Asia/Taipei")
now = datetime(2026, 11, 30, 23, tzinfo=zone)
caller = Caller(person=PersonId("U1"), role="owner", language="zh-TW", home="zh-TW", zone=zone, currency="TWD", now=now)
tool = {each.name: each for each in toolbox(caller, None)}["days_until"]

def told(**arguments):
    try:
        return asyncio.run(tool.handler(arguments, CallKey("turn", 1)))
    except ToolError as refusal:
        return refusal.as_result()["error"]["fields"]

print(json.dumps([tool.description, tool.parameters, told(day="2026-12-24"), told(day="soon"), told(day=3)]))
"""


@pytest.fixture
def with_the_example(tmp_path) -> Path:
    """A copy of the house with the README's tool added as the README says."""
    for package in ("bot", "tools"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    module, returned = (body for language, body in blocks_of("README.md") if language == "python")
    (tmp_path / "tools" / "days.py").write_text(module + "\n", encoding="utf-8")
    toolbox = tmp_path / "tools" / "toolbox.py"
    text = toolbox.read_text(encoding="utf-8")
    listed = re.search(r"^ +tools = \[\n.*?^ +\]\n", text, re.MULTILINE | re.DOTALL)
    assert listed
    text = text.replace(listed.group(), indent(f"{returned}\n", "    "))
    added, next_to_it = "from tools.days import DayTools\n", "from tools.definition import"
    if added not in text:  # whoever tries the example in the house itself has it already
        text = text.replace(next_to_it, f"{added}{next_to_it}")
    toolbox.write_text(text, encoding="utf-8")
    return tmp_path


def test_the_example_of_a_new_tool_is_one_a_model_can_call(with_the_example):
    environment = {**os.environ, "PYTHONPATH": str(with_the_example)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", ASK_FOR_DAYS],
        cwd=with_the_example,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    description, parameters, days, soon, number = json.loads(done.stdout)
    assert description.startswith("Count the days")
    example = json.loads(description[description.index("{") : description.rindex("}") + 1])
    assert set(example) <= set(parameters["properties"]), "as tests/test_toolbox.py asks of every tool"
    assert parameters["required"] == ["day"]
    assert days == {"days": 24}
    assert soon == [{"path": "day", "problem": "must be a date such as 2026-12-24"}]
    assert number == [{"path": "day", "problem": "must be text"}]


def test_the_example_of_a_new_tool_is_written_as_the_house_is(with_the_example):
    for how in (("check",), ("format", "--check")):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *how, "--no-cache", "tools/days.py", "tools/toolbox.py"],
            cwd=with_the_example,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stdout
