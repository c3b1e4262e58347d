"""What tests on PostgreSQL ask for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres.schema import schema_of_its_own


@pytest.fixture
def url() -> Iterator[str]:
    """An empty schema of this test's own."""
    with schema_of_its_own() as schema:
        yield schema
