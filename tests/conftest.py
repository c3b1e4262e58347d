"""Fixtures that every test may ask for: real parts, on loopback ports and temporary files."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.postgres.schema import schema_of_its_own
from tools.database import Database

ROOT = Path(__file__).resolve().parent.parent

# How long one example takes says more about who else is at work on this machine than about the code.
hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded material; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("SECRETARY_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip("no folder of recorded material (SECRETARY_SHARED)")
    return folder


MAY_SKIP = ("the driver is installed",)
"""Reasons that are no loss: the test's twin ran instead."""


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything is at hand, a test that skips has not been run: that fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = [str(report.longrepr) for report in reporter.stats.get("skipped", [])] if reporter else []
    lost = [each for each in skipped if not any(reason in each for reason in MAY_SKIP)]
    if lost and os.environ.get("SECRETARY_MUST_NOT_SKIP"):
        reporter.write_line(f"{len(lost)} tests were skipped that must run: {lost[0]}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with an up-to-date schema and nothing in it, to be copied: ten times as fast as to make one."""
    file = tmp_path_factory.mktemp("blank") / "blank.db"

    async def make() -> None:
        database = Database(f"sqlite:///{file}")
        await database.start()
        await database.close()

    asyncio.run(make())
    return file


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path, blank: Path) -> Iterator[str]:
    """An empty store of this test's own; the test runs on one of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{shutil.copy(blank, tmp_path / 'secretary.db')}"
        return
    with schema_of_its_own() as schema:
        yield schema


@pytest.fixture
async def database(tmp_path: Path, blank: Path):
    """An open store of this test's own."""
    opened = Database(f"sqlite:///{shutil.copy(blank, tmp_path / 'secretary.db')}")
    await opened.start()
    yield opened
    await opened.close()
