"""The openai package as a wire: one request out, one raw answer back, nothing decided.

This module imports the package, which takes a third of a second: import it in a thread, after the port is open. Must
not know what is in a request or what an answer means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
import openai

from tools.loopback import is_loopback

_SECONDS = re.compile(r"\d{1,9}(\.\d*)?")
_NO_KEY = "none"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, whatever its status. ``retry_after`` in seconds, if the endpoint named a time."""

    status: int
    body: bytes
    retry_after: float | None = None


class Wire:
    """One client for one endpoint, for the life of the process. It retries nothing: retries are decided above it.
    ``timeout`` bounds each socket operation, in seconds."""

    def __init__(self, base_url: str, api_key: str, timeout: float) -> None:
        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=api_key or _NO_KEY,  # local endpoints want none, the package wants one
            timeout=timeout,
            max_retries=0,
            http_client=openai.DefaultAsyncHttpxClient(trust_env=False) if is_loopback(base_url) else None,
        )

    async def post(self, request: dict[str, Any]) -> Reply:
        """POST /chat/completions (https://platform.openai.com/docs/api-reference/chat/create). Raises ConnectionError
        if there is no whole reply: not reached, broken off, or a request that cannot be sent."""
        try:
            response = await self._client.post("/chat/completions", cast_to=httpx2.Response, body=request)
        except openai.APIStatusError as error:
            response = error.response
        except Exception as error:  # noqa: BLE001 - the package lets errors of four other libraries through
            raise ConnectionError(type(error.__cause__ or error).__name__) from None
        return Reply(response.status_code, response.content, retry_after(response.headers, datetime.now(UTC)))

    async def close(self) -> None:
        """Close the connections that are kept open."""
        await self._client.close()


def retry_after(headers: httpx2.Headers, now: datetime) -> float | None:
    """Seconds to wait, from a number or a date (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after)."""
    said = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(said):
        return float(said)
    try:
        return max((parsedate_to_datetime(said).replace(tzinfo=UTC) - now).total_seconds(), 0.0)
    except ValueError:
        return None
