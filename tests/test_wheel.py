"""The bot as an installed package: everything it needs travels in the wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bot.settings import Settings
from tests.trust import trusting_again

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [
    pytest.mark.timeout(660),
    pytest.mark.skipif(
        not (os.environ.get("CI") or os.environ.get("SECRETARY_SLOW")),
        reason="builds a wheel with the package index's help: set SECRETARY_SLOW=1",
    ),
]


def pip(*arguments: str, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env=trusting_again(dict(os.environ)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT), folder=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """A folder that holds the wheel alone; what it depends on comes from this environment."""
    folder = tmp_path_factory.mktemp("installed")
    pip("install", "--no-deps", "--no-index", "--target", str(folder / "site"), str(wheel), folder=folder)
    return folder / "site"


@pytest.fixture
def run(installed, tmp_path):
    """Run a command of the installed bot, from a folder that has nothing to do with it."""

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        ours = {*(name.upper() for name in Settings.model_fields), "PYTHONPATH"}
        kept = {name: value for name, value in os.environ.items() if name not in ours}
        return subprocess.run(
            [sys.executable, "-P", "-m", "bot", *arguments],
            cwd=tmp_path,
            env={**kept, "PYTHONPATH": str(installed)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return command


def test_the_wheel_holds_every_file_of_both_packages(wheel):
    files = {
        file.relative_to(ROOT).as_posix()
        for package in ("bot", "tools")
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == files
    assert {"tools/migrations/versions/0001_memory.py", "bot/local_line/page/page.html", "bot/admin/page.css"} <= held


def test_the_wheel_says_its_licence_and_is_not_for_upload(wheel):
    with zipfile.ZipFile(wheel) as opened:
        (metadata,) = (opened.read(name).decode() for name in opened.namelist() if name.endswith("/METADATA"))
    assert "Private :: Do Not Upload" in metadata
    assert "License-File: LICENSE" in metadata


def test_the_installed_bot_explains_itself(run):
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for command in ("setup", "chat", "demo"):
        assert command in done.stdout


def test_it_is_the_installed_bot_that_runs(installed, tmp_path):
    done = subprocess.run(
        [sys.executable, "-P", "-c", "import bot, tools; print(bot.__file__); print(tools.__file__)"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == [str(installed / "bot/__init__.py"), str(installed / "tools/__init__.py")]


def test_the_installed_bot_plays_its_demo(run):
    done = run("demo")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every step came out right" in done.stdout
