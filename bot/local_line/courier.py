"""Brings events to the bot's webhook as LINE does: signed, and again if two seconds pass without a 2xx.

Rules: https://developers.line.biz/en/docs/messaging-api/receiving-messages/
Must not know what an event says.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import aiohttp

from bot.local_line.events import milliseconds, redelivery, signature, webhook_body
from bot.local_line.ledger import Ledger, Webhook, WebhookState
from bot.local_line.screens import Screens

log = logging.getLogger(__name__)

ANSWER_SECONDS = 2.0
REDELIVER_AFTER = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


class Courier:
    """Delivers what the ledger holds as waiting. One attempt at a time per person, so that order is kept."""

    def __init__(
        self,
        ledger: Ledger,
        screens: Screens,
        *,
        webhook_url: str,
        secret: str,
        destination: str,
        now: Callable[[], datetime],
        redeliver_after: Sequence[float] = REDELIVER_AFTER,
    ) -> None:
        self.webhook_url = webhook_url
        self._ledger = ledger
        self._screens = screens
        self._secret = secret
        self._destination = destination
        self._now = now
        self._pauses = tuple(redeliver_after)
        self._session: aiohttp.ClientSession | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._lanes: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def start(self) -> None:
        """Go on with what was still waiting when the process ended."""
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ANSWER_SECONDS), trust_env=False)
        for webhook in self._ledger.webhooks(state="waiting"):
            self.send(webhook.event_id)

    async def close(self) -> None:
        for task in (tasks := list(self._tasks.values())):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session:
            await self._session.close()
            self._session = None

    def send(self, event_id: str, *, at_once: bool = False) -> None:
        """Deliver an event that the ledger holds. Before ``start`` it just waits."""
        if self._session is None:
            return
        task = asyncio.create_task(self._deliver(event_id, at_once=at_once))
        self._tasks[event_id] = task
        task.add_done_callback(lambda done: self._forget(event_id, done))

    def _forget(self, event_id: str, done: asyncio.Task[None]) -> None:
        if self._tasks.get(event_id) is done:
            del self._tasks[event_id]
        if not done.cancelled() and (problem := done.exception()):
            log.error("webhook %s was given up", event_id, exc_info=problem)

    async def redeliver(self, event_id: str) -> bool:
        """Send an event once more, now, marked as a redelivery; False if there is no such event."""
        if self._ledger.webhook(event_id) is None:
            return False
        if running := self._tasks.get(event_id):
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        self._ledger.mark_webhook(event_id, "waiting", 1)
        self.send(event_id, at_once=True)
        return True

    async def _deliver(self, event_id: str, *, at_once: bool) -> None:
        while (webhook := self._ledger.webhook(event_id)) and webhook.state == "waiting":
            if webhook.tries and not at_once:
                await asyncio.sleep(self._pauses[min(webhook.tries, len(self._pauses)) - 1])
            at_once = False
            async with self._lanes[webhook.person]:
                await self._attempt(webhook)

    async def _attempt(self, webhook: Webhook) -> None:
        event = redelivery(webhook.event) if webhook.tries else webhook.event
        tries = webhook.tries + 1
        self._ledger.token_went_out(webhook.event_id, milliseconds(self._now()))
        status, _ = await self._post(self.webhook_url, [event])
        delivered = 200 <= status < 300  # noqa: PLR2004 - 2xx
        state: WebhookState = "delivered" if delivered else "waiting" if tries <= len(self._pauses) else "failed"
        self._ledger.mark_webhook(webhook.event_id, state, tries)
        self._screens.show(webhook.person, "state", {"event_id": webhook.event_id, "state": state, "tries": tries})

    async def _post(self, url: str, events: list[dict[str, Any]]) -> tuple[int, str]:
        """The status (0: none came) and the reason in LINE's words."""
        assert self._session is not None
        body = webhook_body(self._destination, events)
        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "User-Agent": "LineBotWebhook/2.0",
            "x-line-signature": signature(self._secret, body),
        }
        try:
            async with self._session.post(url, data=body, headers=headers, allow_redirects=False) as answer:
                return answer.status, "OK" if 200 <= answer.status < 300 else "ERROR_STATUS_CODE"  # noqa: PLR2004 - 2xx
        except TimeoutError:
            return 0, "REQUEST_TIMEOUT"
        except (aiohttp.ClientError, OSError):
            return 0, "COULD_NOT_CONNECT"

    async def probe(self, url: str | None = None) -> dict[str, Any]:
        """What POST /v2/bot/channel/webhook/test answers: a signed body without events was sent."""
        status, reason = await self._post(url or self.webhook_url, [])
        moment = self._now().astimezone(UTC)
        return {
            "success": reason == "OK",
            "timestamp": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "statusCode": status,
            "reason": reason,
            "detail": str(status) if status else reason.lower(),
        }
