"""Fixtures that every test may ask for: real parts, on loopback ports and temporary files."""

from __future__ import annotations

import asyncio
import faulthandler
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.postgres.schema import schema_of_its_own
from tests.trust import trust_nobody
from tools.database import Database

ROOT = Path(__file__).resolve().parent.parent

# How long one example takes says more about who else is at work on this machine than about the code.
hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")


@pytest.fixture(scope="session", autouse=True)
def nobody_is_trusted() -> None:
    """Only where tests run: what starts the others leaves them this machine's own list to come back to."""
    trust_nobody()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded material; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("SECRETARY_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip("no folder of recorded material (SECRETARY_SHARED)")
    return folder


MEMORY = Path("/dev/shm")
ROOM = 1024**3

LAST_RESORT_SECONDS = 120.0
"""So long after a test should have ended by its ``timeout``, and after the last one, the run ends and says where every
thread was: once a test has failed its ``timeout`` is off, and it never ends a thread, or a loop that waits for one."""

ORIGINAL_STDERR = pytest.StashKey[int]()


def end_in(seconds: float, config: pytest.Config) -> None:
    """The run, unless something else happens before."""
    faulthandler.dump_traceback_later(seconds + LAST_RESORT_SECONDS, exit=True, file=config.stash[ORIGINAL_STDERR])


def seconds_of(item: pytest.Item) -> float:
    own = item.get_closest_marker("timeout")
    return float(own.args[0] if own else item.config.getini("timeout"))


def is_a_quick_place(folder: Path) -> bool:
    """Whether pressing a file onto the disk costs nothing there, and programs may be run from there."""
    if not os.access(folder, os.W_OK):
        return False
    place = os.statvfs(folder)
    return place.f_bavail * place.f_frsize > ROOM and not place.f_flag & os.ST_NOEXEC


WORKERS_FOR_EACH_PROCESSOR = 2
"""A test with a bot, a browser or a database waits for it half of its time."""

MOST_WORKERS = 8
"""Each holds a browser, some bots and connections to PostgreSQL."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two for each processor; none where a few files are named, which are done before workers are at work."""
    named = [Path(each.partition("::")[0]) for each in config.args]
    if all(each.is_file() for each in named):
        return 0
    return min(WORKERS_FOR_EACH_PROCESSOR * (os.cpu_count() or 1), MOST_WORKERS)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What may take long comes first, or the last worker would be waited for alone."""
    items.sort(key=seconds_of, reverse=True)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[ORIGINAL_STDERR] = os.dup(2)  # a test's own is captured
    if is_a_quick_place(MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    end_in(seconds_of(item), item.config)


def pytest_exception_interact(node: pytest.Item | pytest.Collector, report: pytest.CollectReport | pytest.TestReport):
    """Every other end is called off now. The name is said at once: a run that hangs here comes to no summary."""
    end_in(0, node.config)
    os.write(node.config.stash[ORIGINAL_STDERR], f"\n{report.nodeid} failed\n".encode())


def pytest_unconfigure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        faulthandler.cancel_dump_traceback_later()  # a worker that is done waits for the others, who may take longer
    else:
        end_in(0, config)  # whoever is still waited for when Python ends


MAY_SKIP = ("the driver is installed", "root may write everywhere", "pictures for people")
"""Reasons that are no loss: the test's twin ran instead, what is tested cannot happen to who runs it, or nothing is
tested: pictures are drawn for who asks for them."""


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
