"""Notion's webhooks: what happened in a workspace, told to an address that was verified, signed, and a signal only.

Shapes and the eight attempts are those of the official SDK (https://developers.notion.com/reference/webhooks).
"""

from __future__ import annotations

import hmac
import json
import secrets
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

from tests.emulators.notion_workspace import WORKSPACE, Workspace

Json = dict[str, Any]
ATTEMPTS = 8


@dataclass
class Subscription:
    """One subscription of the connection's settings page: ``verify`` offers the token, ``deliver`` tells what happened
    since the last time."""

    workspace: Workspace
    address: str
    token: str = field(default_factory=lambda: "secret_" + secrets.token_urlsafe(32))
    id: str = field(default_factory=lambda: str(uuid4()))

    async def verify(self) -> int:
        """Show the token, unsigned, once; the status of the answer."""
        return await self._post({"verification_token": self.token}, signed=False)

    async def deliver(self, *, backwards: bool = False, twice: bool = False) -> list[int]:
        """The statuses of the answers. What is not taken is tried again, at most eight times in all; events may come in
        another order than they happened, and more than once."""
        events, self.workspace.events = self.workspace.events, []
        statuses: list[int] = []
        for event in reversed(events) if backwards else events:
            statuses += [await self._tell(event) for _ in range(2 if twice else 1)]
        return statuses

    async def _tell(self, event: Json) -> int:
        status = 0
        for attempt in range(1, ATTEMPTS + 1):
            status = await self._post({
                **event, "workspace_id": WORKSPACE, "workspace_name": "Emulated", "subscription_id": self.id,
                "integration_id": str(uuid4()), "attempt_number": attempt, "api_version": "2026-03-11",
            })  # fmt: skip
            if 200 <= status < 300:
                break
        return status

    async def _post(self, body: Json, *, signed: bool = True) -> int:
        raw = json.dumps(body, ensure_ascii=False).encode()
        headers = {"content-type": "application/json"}
        if signed:
            headers["X-Notion-Signature"] = f"sha256={hmac.digest(self.token.encode(), raw, 'sha256').hex()}"
        async with httpx.AsyncClient(trust_env=False, verify=False) as browser:
            return (await browser.post(self.address, content=raw, headers=headers)).status_code
