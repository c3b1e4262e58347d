"""Both stores: SQLite always; PostgreSQL where SECRETARY_TEST_POSTGRES names one (each test in a schema of its own)."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, make_url, text

from tools.database import Database


@contextmanager
def schema_of_its_own(server: str) -> Iterator[str]:
    """The URL of an empty schema on the server, gone afterwards."""
    name, url = f"test_{uuid.uuid4().hex}", make_url(server).set(drivername="postgresql+psycopg")
    engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    yield url.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {name} CASCADE"))


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path, blank: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{shutil.copy(blank, tmp_path / 'memory.db')}"
        return
    server = os.environ.get("SECRETARY_TEST_POSTGRES")
    if not server:
        pytest.skip("SECRETARY_TEST_POSTGRES names no PostgreSQL")
    with schema_of_its_own(server) as schema:
        yield schema


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = Database(url)
    await opened.start()
    yield opened
    await opened.close()
