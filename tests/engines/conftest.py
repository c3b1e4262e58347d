"""The endpoint that the tests of engines talk to."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.emulators.openai import OpenAI, serving


@pytest.fixture
async def endpoint() -> AsyncIterator[OpenAI]:
    """Scripted by the test, which has to use up what it scripted."""
    async with serving() as endpoint:
        yield endpoint
    endpoint.check()
