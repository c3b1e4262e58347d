"""How the house is built: who may know whom, what happens at import, and how large a thing may grow."""

from __future__ import annotations

import ast
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.thorough import THOROUGH

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(each for package in ("bot", "tools") for each in (ROOT / package).rglob("*.py"))
LINT = Path(sys.executable).with_name("lint-imports")

ROOMS_WITH_IO = {
    "bot.__main__": "prints",
    "bot.admin_parts": "builds the operator's pages",
    "bot.ai_log_file": "is a file",
    "bot.application": "runs everything",
    "bot.attachment_parts": "builds what has to do with attachments",
    "bot.chat": "reads the keyboard",
    "bot.demo": "starts a bot",
    "bot.edges": "builds the edges",
    "bot.doctor": "asks everything outside",
    "bot.export_command": "writes a file",
    "bot.export_pages": "is HTTP",
    "bot.fault_points": "watches the store, and ends the process",
    "bot.hosting": "looks where a file lies",
    "bot.log_lines": "is the log",
    "bot.main": "builds everything",
    "bot.notion_health": "asks Notion too",
    "bot.notion_webhook": "is HTTP and Notion",
    "bot.rebuild_command": "asks Notion",
    "bot.serve": "opens ports and the log",
    "bot.uvicorn_server": "is the HTTP server",
    "bot.web": "is HTTP",
    "bot.web_body": "is HTTP as well",
    "bot.web_media": "is HTTP too",
}
"""Files of plain words that are no core, and why."""

TECHNOLOGIES = {"admin", "database", "line", "local_line", "notion", "engines", "migrations", "sql"}
"""Folders that are adapters, but for those of their files that call themselves pure."""

LATE = {"PIL", "alembic", "borax", "dateutil", "httpx", "linebot", "notion_client", "openai"}
"""What takes long to import, or is only now and then needed: imported where it is used, after the port is open."""

IMPORTED_LATE = {
    "bot.engines.openai_transport": "is the openai package, imported in a thread",
    "bot.procrastinate_bell": "is the procrastinate package, imported only where processes share a store",
    "tools.migrations.env": "is run by Alembic alone",
    "tools.migrations.versions": "are loaded by Alembic alone",
}

LONG_FUNCTIONS = {
    ("tools.records", "create_record"): "its signature is what a model reads about the tool, argument by argument",
    ("tools.migrations.versions.0002_conversation", "upgrade"): "a list of columns, and never edited again",
}
LONG_MODULES = {"bot.main": "every part of a bot, each named once: a list"}

VAGUE = {"manager", "helper", "helpers", "util", "utils", "service", "impl", "misc", "common", "stuff", "processor"}


def name_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


@functools.cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def docstring_of(file: Path) -> str:
    return ast.get_docstring(tree_of(file)) or ""


def functions_of(file: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def is_adapter(name: str) -> bool:
    *folders, own = name.split(".")[1:]
    return bool(TECHNOLOGIES.intersection(folders)) or own.startswith(("openai_", "procrastinate_"))


def calls_itself_pure(file: Path) -> bool:
    return any(line.startswith(("Pure", "Data only")) for line in docstring_of(file).splitlines())


def contracts() -> dict[str, dict[str, object]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {each["id"]: each for each in settings["tool"]["importlinter"]["contracts"]}


# ── who may know whom ─────────────────────────────────────────────────────────────────────────────────────────────


def lint(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINT, "--no-cache", *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


def test_every_import_contract_is_kept():
    found = lint(ROOT)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.fixture(scope="session")
def copy_of_the_house(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    for package in ("bot", "tools"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


PLANTED = [
    ("arrow", "tools/record.py", "import bot.ports"),
    ("arrow", "tools/notion/page.py", "from bot.voice import language"),
    ("core", "bot/thinking/budget.py", "import sqlalchemy"),
    ("core", "bot/thinking/prompt.py", "def late():\n    import httpx"),
    ("core", "bot/thinking/tool_loop.py", "from bot.engines.openai_chat import OpenAIChat"),
    ("core", "bot/line/webhook.py", "import linebot"),
    ("core", "tools/when/reading.py", "import sqlite3"),
    ("core", "tools/records.py", "from tools.sql.memory import SqlMemory"),
    ("adapters", "bot/sql/inbox.py", "from bot.line.channel import LineChannel"),
    ("adapters", "bot/sql/people.py", "from bot.process_incoming_message import ProcessIncomingMessageUseCase"),
    ("adapters", "bot/process_incoming_message.py", "from bot.sql.inbox import SqlInbox"),
    ("adapters", "tools/notion/sync.py", "from tools.sql.memory import SqlMemory"),
    ("layers", "bot/main.py", "import bot.demo"),
    ("layers", "bot/line/channel.py", "from bot.web import create_web"),
    ("layers", "bot/ports.py", "from bot.thinking.tool_loop import ToolLoop"),
    ("layers", "bot/secretary.py", "from bot.process_incoming_message import ProcessIncomingMessageUseCase"),
    ("settings", "bot/lanes.py", "from bot.settings import Settings"),
    ("circles", "bot/voice/phrases.py", "from bot.voice.receipts import receipt"),
    ("circles", "tools/record.py", "from tools.records import RecordTools"),
]


@pytest.mark.parametrize(
    ("contract", "file", "forbidden"), PLANTED if THOROUGH else {each[0]: each for each in PLANTED}.values()
)
def test_a_contract_breaks_when_something_forbidden_is_planted(copy_of_the_house, contract, file, forbidden):
    planted = copy_of_the_house / file
    before = planted.read_text(encoding="utf-8")
    planted.write_text(f"{before}\n{forbidden}\n", encoding="utf-8")
    try:
        found = lint(copy_of_the_house, "--contract", contract)
    finally:
        planted.write_text(before, encoding="utf-8")
    assert found.returncode == 1, found.stdout + found.stderr
    assert "0 kept, 1 broken" in found.stdout


def test_the_core_contract_names_every_file_of_plain_words_and_every_one_that_calls_itself_pure():
    modules = {name_of(file): file for file in MODULES if file.name != "__init__.py"}
    core = {name for name in modules if not is_adapter(name) and name not in ROOMS_WITH_IO}
    expected = core | {name for name, file in modules.items() if calls_itself_pure(file)}
    named = contracts()["core"]["source_modules"]
    assert isinstance(named, list)
    covered = {name for name in expected if any(name == each or name.startswith(f"{each}.") for each in named)}
    assert expected - covered == set()
    places = [ROOT / each.replace(".", "/") for each in named]
    assert [place for place in places if not (place.is_dir() or place.with_suffix(".py").is_file())] == []
    assert named == sorted(named)


def test_only_the_settings_read_the_environment():
    readers = {
        name_of(file)
        for file in MODULES
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "environb"}
    }
    assert readers == {"bot.settings", "bot.demo"}, "the demo hands the environment to the bot it starts"


# ── what happens at import ────────────────────────────────────────────────────────────────────────────────────────

IMPORT_ALL = """
import importlib, json, sys, sysconfig, threading, zoneinfo
allowed = tuple({sys.prefix, sys.base_prefix, *sysconfig.get_paths().values(), *zoneinfo.TZPATH})
seen = []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        path = arguments[0]
        source = path.endswith((".py", ".pyc")) or "__pycache__" in path
        if not source and not path.startswith(allowed):
            seen.append(f"open {path}")
    elif event.split(".")[0] in {"socket", "subprocess", "sqlite3", "os"} and event not in {
        "os.listdir", "os.scandir", "os.putenv", "os.unsetenv", "os.rename", "os.mkdir", "socket.gethostname"
    }:
        seen.append(event)
late = set(json.loads(sys.argv[2]))
sys.addaudithook(watch)
found = {}
for name in json.loads(sys.argv[1]):
    before = len(seen)
    importlib.import_module(name)
    if doing := seen[before:]:
        found[name] = doing
print(json.dumps({"done": found, "late": sorted(late & set(sys.modules)), "threads": threading.active_count()}))
"""


def test_nothing_happens_at_import():
    late = tuple(IMPORTED_LATE)
    names = [name_of(file).removesuffix(".__init__") for file in MODULES]
    early = [each for each in names if not each.startswith(late)]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL, json.dumps(early), json.dumps(sorted(LATE))],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"done": {}, "late": [], "threads": 1}


# ── how large, and what it is called ──────────────────────────────────────────────────────────────────────────────


def test_a_function_is_seen_as_a_whole():
    long = {
        (name_of(file), each.name): lines
        for file in MODULES
        for each in functions_of(file)
        if (lines := (each.end_lineno or 0) - each.lineno + 1) > 40
    }
    assert {where: lines for where, lines in long.items() if where not in LONG_FUNCTIONS} == {}
    assert set(LONG_FUNCTIONS) <= set(long), "an exception that is not needed any more"


def test_a_module_is_held_in_mind():
    long = {
        name_of(file): lines for file in MODULES if (lines := len(file.read_text(encoding="utf-8").splitlines())) > 350
    }
    assert {name: lines for name, lines in long.items() if name not in LONG_MODULES} == {}
    assert set(LONG_MODULES) <= set(long), "an exception that is not needed any more"


def test_nothing_has_a_name_that_says_nothing():
    named = [(name_of(file), part) for file in MODULES for part in file.relative_to(ROOT).with_suffix("").parts]
    named += [
        (name_of(file), node.name)
        for file in MODULES
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    vague = [(where, name) for where, name in named if VAGUE.intersection(words_in(name))]
    assert vague == []


def words_in(name: str) -> list[str]:
    """``ReceiptManager`` and ``receipt_manager`` to receipt, manager."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")


def test_every_module_says_what_it_is_and_what_it_must_not_know():
    silent = []
    for file in MODULES:
        text = " ".join(docstring_of(file).split())
        is_a_sign = file.name == "__init__.py" and len(tree_of(file).body) == 1
        is_alembics = file.parent.name == "versions" or name_of(file) == "tools.migrations.env"
        if not text or not (is_a_sign or is_alembics or re.search(r"\b[Mm]ust (not|hold no)\b", text)):
            silent.append(name_of(file))
    assert silent == []


NO_QA = re.compile(r"# noqa: [A-Z]+\d+(?:, [A-Z]+\d+)* - \S")
NO_TYPE = re.compile(r"# type: ignore\[[a-z-]+(?:, [a-z-]+)*\]  # \S")


@pytest.mark.parametrize(("mark", "whole"), [("noqa", NO_QA), ("type: ignore", NO_TYPE)])
def test_whoever_departs_from_a_rule_says_why(mark, whole):
    lines = [
        (f"{file.relative_to(ROOT)}:{number}", line)
        for file in MODULES
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
    ]
    assert [where for where, line in lines if f"# {mark}" in line and not whole.search(line)] == []


def test_every_file_that_a_package_speaks_of_is_there():
    spoken = [
        (file.parent, name.removesuffix(".py"))
        for file in MODULES
        if file.name == "__init__.py"
        for name in re.findall(r"``(\w+(?:\.py)?)``", docstring_of(file))
    ]
    assert len(spoken) > 20
    lost = [(folder.name, name) for folder, name in spoken if not is_room(folder / name) and not is_room(ROOT / name)]
    assert lost == []


def is_room(path: Path) -> bool:
    return path.is_dir() or path.with_suffix(".py").is_file()


# ── what the project says of itself ───────────────────────────────────────────────────────────────────────────────

TEXTS = {".py", ".md", ".toml", ".txt", ".js", ".css", ".html", ".svg", ".json", ".example", ".yml", ".yaml", ".sh", ""}
NOT_OURS = {".git", ".venv", ".hypothesis", "dist", "build", "__pycache__", "line_secretary.egg-info"}


def texts() -> Iterator[tuple[str, str]]:
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [each for each in folders if each not in NOT_OURS and not each.endswith("_cache")]
        for name in files:
            file = Path(folder, name)
            if file.suffix in TEXTS and not name.startswith(".coverage"):
                yield file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")


def test_no_file_names_a_path_of_one_machine_or_a_host_of_packages():
    paths = ["work/", "root/", "home/[a-z]", "Users/[a-z]", "tmp/v"]
    hosts = [r"pypi\.org", "pythonhosted", "--(?:extra-)?index-url", "npmjs", "npm/"]
    elsewhere = re.compile("|".join([*(f"(?<![.a-z])/{each}" for each in paths), *hosts]))
    found = [(name, match.group()) for name, text in texts() if (match := elsewhere.search(text))]
    assert [each for each in found if each[0] != "tests/test_house.py"] == []
