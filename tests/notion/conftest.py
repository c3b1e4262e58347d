"""A Notion on a loopback port, a client of it, and a clock that only moves when somebody waits."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.emulators.notion import TOKEN, Notion, serving
from tests.notion.house import living
from tests.notion.shifted_clock import Clock
from tests.postgres.schema import schema_of_its_own
from tools.database import Database
from tools.notion.client import NotionClient

Json = dict[str, Any]
SPEC = (
    Path(os.environ.get("SECRETARY_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    / "specs"
    / "notion"
    / "notion-openapi-merged.2026-03-14.json"
)


@pytest.fixture
def clock() -> Clock:
    return Clock()


class Spec:
    """Notion's own published schema of every request body."""

    def __init__(self, spec: Json) -> None:
        self.validators = {
            (method.upper(), re.sub(r"\{[^}]+\}", "[^/]+", path)): self.validator(operation, spec)
            for path, operations in spec["paths"].items()
            for method, operation in operations.items()
        }

    @staticmethod
    def validator(operation: Json, spec: Json) -> Draft202012Validator:
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        return Draft202012Validator({**content.get("schema", {}), "components": spec["components"]})

    def __call__(self, method: str, path: str, body: Json) -> Iterator[str]:
        for (known, pattern), validator in self.validators.items():
            if known == method and re.fullmatch(pattern, path):
                yield from (f"{method} {path}: {error.message[:300]}" for error in validator.iter_errors(body))


@pytest.fixture(scope="session")
def judge() -> Spec | None:
    """None where the published schema is not at hand."""
    return Spec(json.loads(SPEC.read_text("utf-8"))) if SPEC.is_file() else None


@pytest.fixture
async def notion(judge):
    """A workspace; what is asked of it is judged by the published schema at the end."""
    workspace = Notion(judge=judge)
    yield workspace
    assert workspace.violations == []


@pytest.fixture
async def address(notion):
    async with serving(notion) as address:
        yield address


@pytest.fixture
async def client(address, clock):
    client = NotionClient(TOKEN, address, now=clock.now, sleep=clock.sleep)
    yield client
    await client.close()


@pytest.fixture
async def store(tmp_path: Path):
    """A store that nothing was kept in yet."""
    database = Database(f"sqlite:///{tmp_path / 'store.db'}")
    await database.start()
    yield database
    await database.close()


@pytest.fixture
async def house(tmp_path: Path, notion, client, clock):
    async with living(f"sqlite:///{tmp_path / 'house.db'}", notion, client, clock) as house:
        yield house


@pytest.fixture
async def house_on_postgresql(notion, client, clock):
    with schema_of_its_own() as url:
        async with living(url, notion, client, clock) as house:
            yield house
