"""What can go wrong between us and Notion: which failures may be repeated, and what an operator is told of the others.

Must not know which call was made, or what was in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from types import ModuleType
from typing import Any


class NotionDown(Exception):
    """Notion cannot be used now. ``wait`` is how many seconds it asked for, if it did."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait


class NotionUnsure(NotionDown):
    """Something may have been written or not, and looking for it did not settle the question."""


class NotionRefused(Exception):
    """It will not do, now or later, until a person has changed something. ``status`` is the answer Notion gave; None if
    it was not Notion who refused. ``reason`` and ``next_step`` are sentences for the operator."""

    def __init__(self, status: int | None, code: str, reason: str, next_step: str) -> None:
        super().__init__(reason)
        self.status = status
        self.code = code
        self.reason = reason
        self.next_step = next_step

    @property
    def everything(self) -> bool:
        """True if no other call would fare better: the token or its rights are at fault, not one request."""
        return self.status in {401, 403} and not self.is_full

    @property
    def is_full(self) -> bool:
        """True if the workspace's plan takes no new blocks: what stands there can still be changed."""
        return self.status == HTTPStatus.FORBIDDEN and "block limit" in self.reason.lower()


class NotionUnfit(NotionRefused):
    """What is set, or what stands in Notion, cannot be used: found here, for Notion itself refused nothing."""

    def __init__(self, code: str, reason: str, next_step: str) -> None:
        super().__init__(None, code, reason, next_step)


class Fate(Enum):
    """What became of a request that brought no answer we can use."""

    THROTTLED = "not taken: too many requests"
    CONFLICT = "not taken: somebody was writing at the same moment"
    UNSENT = "never left"
    UNSURE = "may have been carried out"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Trouble:
    """One failed request. ``status`` is 0 if there was no answer; ``wait`` is its Retry-After in seconds."""

    fate: Fate
    reason: str
    status: int = 0
    code: str = ""
    wait: float | None = None

    def refusal(self) -> NotionRefused:
        return NotionRefused(self.status, self.code, self.reason, _NEXT_STEPS.get(self.status, _NEXT_STEPS[400]))


CONNECTIONS = "https://app.notion.com/developers/connections"
"""Where an operator makes a connection, sees its token, and says what it may do."""

_NEXT_STEPS = {
    400: "Run `python -m bot setup`: it compares the columns in Notion with what is needed.",
    401: f"Make an internal connection at {CONNECTIONS} and set its token as NOTION_TOKEN.",
    403: f"Let the connection read, insert and update content: its capabilities stand at {CONNECTIONS}.",
    404: "Open that page or database in Notion, choose ••• → Connections and add the connection; if it is there, "
    "check NOTION_DATA_SOURCE_ID and NOTION_PARENT_PAGE_ID.",
}


def trouble(error: Exception, httpx: ModuleType) -> Trouble:
    """Read an exception of notion-client, or of httpx below it; ``httpx`` is the module, which is imported late."""
    cause = error.__context__ if getattr(error, "code", None) == "notionhq_client_request_timeout" else error
    if isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return Trouble(Fate.UNSENT, f"no connection to Notion ({type(cause).__name__})")
    if isinstance(cause, httpx.HTTPError):
        return Trouble(Fate.UNSURE, f"the connection to Notion broke off ({type(cause).__name__})")
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return Trouble(Fate.UNSURE, "an answer that is no JSON")
    status = getattr(error, "status", None)
    if isinstance(status, int):
        return _answered(status, error)
    return Trouble(Fate.UNSURE, f"no answer from Notion ({type(error).__name__})")


def _answered(status: int, error: Any) -> Trouble:
    code = str(getattr(error.code, "value", error.code))
    request = f", request {error.request_id}" if error.request_id else ""
    reason = f"Notion answered {status} {code}{request}"
    if status in {429, 529}:
        return Trouble(Fate.THROTTLED, reason, status, code, _retry_after(error.headers))
    if status == HTTPStatus.CONFLICT:
        return Trouble(Fate.CONFLICT, reason, status, code)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Trouble(Fate.UNSURE, reason, status, code, _retry_after(error.headers))
    return Trouble(Fate.REFUSED, f"{reason}: {str(error)[:400]}", status, code)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds; Notion sends an integer (https://developers.notion.com/reference/request-limits)."""
    value = headers.get("retry-after", "")
    return float(value) if value.isdigit() else None
