"""The local LINE: a small, strict LINE platform with a chat page, so that what one tries at home takes LINE's path.

Everything that makes it up is put together here. Must not know the bot: it sends webhooks to an address and is asked
over HTTP, as LINE is.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from bot.local_line import FIRST_PERSON
from bot.local_line.account import AccountApi
from bot.local_line.api import MessagingApi
from bot.local_line.circles import Circles
from bot.local_line.company import Company
from bot.local_line.company_routes import CompanyRoutes
from bot.local_line.control import Control
from bot.local_line.courier import REDELIVER_AFTER, Courier
from bot.local_line.events import user_id
from bot.local_line.gate import CONTROL, Gate
from bot.local_line.ledger import Chatter, Ledger
from bot.local_line.phones import Phones
from bot.local_line.pictures import OwnPictures
from bot.local_line.screens import Screens

MONTHLY_PUSHES = 200
"""LINE's free plan: https://developers.line.biz/en/docs/messaging-api/pricing/"""

__all__ = ["MONTHLY_PUSHES", "LocalLine"]


class LocalLine:
    """One platform with one channel. Serve ``app`` on a loopback port, ``start``, and at the end ``close``: before the
    server stops, or after it if ``hang_up`` came before.

    ``store`` is the ledger's file (None: memory only). ``secret`` and ``access_token`` are taken from the ledger, or
    made and kept there, unless they are given. ``public_url``: where the bot says that people reach it; the page shows
    pictures from there, fetched from the bot itself. ``redeliver_after``: pauses in seconds between tries of a webhook.
    """

    def __init__(
        self,
        store: Path | None,
        *,
        webhook_url: str,
        now: Callable[[], datetime],
        secret: str | None = None,
        access_token: str | None = None,
        quota: int = MONTHLY_PUSHES,
        redeliver_after: Sequence[float] = REDELIVER_AFTER,
        public_url: str = "",
    ) -> None:
        self._ledger = Ledger(store)
        kept = _credentials(self._ledger)
        self.secret, self.access_token = secret or kept[0], access_token or kept[1]
        self.bot_id = self._ledger.setting("bot_id", user_id())
        self.channel_id = self._ledger.setting("channel_id", f"20{secrets.randbelow(10**8):08}")
        if self._ledger.person(FIRST_PERSON) is None:
            self._ledger.put_person(Chatter(FIRST_PERSON, "你", "zh-TW"))
        self._screens = Screens()
        self._pictures = OwnPictures(public_url, webhook_url)
        self._courier = Courier(
            self._ledger,
            self._screens,
            webhook_url=webhook_url,
            secret=self.secret,
            destination=self.bot_id,
            now=now,
            redeliver_after=redeliver_after,
        )
        self._phones = Phones(self._ledger, Circles(self._ledger), self._courier, self._screens, now)
        self._company = Company(self._ledger, self._phones, self._courier, self._screens, self.bot_id, now)
        self._api = MessagingApi(self._ledger, self._phones, self._account(quota, now), now=now)
        self._gate = self._gated()

    def _account(self, quota: int, now: Callable[[], datetime]) -> AccountApi:
        return AccountApi(
            self._ledger,
            self._courier,
            channel_id=self.channel_id,
            secret=self.secret,
            access_token=self.access_token,
            bot_id=self.bot_id,
            quota=quota,
            now=now,
        )

    def _gated(self) -> Gate:
        exchange = self._api.exchange
        company = CompanyRoutes(self._ledger, self._phones.circles, self._company)
        control = Control(self._ledger, self._phones, company, self._courier, self._screens, exchange, self._pictures)
        routes = [*self._api.routes(), *company.of_line(exchange), *control.routes()]
        return Gate(Starlette(routes=routes, exception_handlers={HTTPException: self._no_route}))

    @property
    def app(self) -> ASGIApp:
        """The ASGI application: LINE's paths, the page and its control routes."""
        return self._gate

    async def _no_route(self, request: Request, problem: Exception) -> Response:
        assert isinstance(problem, HTTPException)
        if request.url.path.startswith(CONTROL):
            return JSONResponse({"message": problem.detail}, problem.status_code)
        return await self._api.exchange.not_found(request)

    @staticmethod
    def credentials(store: Path) -> tuple[str, str]:
        """The channel secret and the access token of a ledger, made now if there are none yet."""
        ledger = Ledger(store)
        try:
            return _credentials(ledger)
        finally:
            ledger.close()

    async def start(self) -> None:
        """Begin to deliver webhooks, those first that were still waiting when the last process ended."""
        await self._courier.start()

    def hang_up(self) -> None:
        """End the open pages' streams: a server that stops waits for them."""
        self._screens.close()

    async def close(self) -> None:
        """Hang up, answer nothing any more and end the deliveries; what was not delivered waits in the ledger."""
        self._gate.shut()
        self.hang_up()
        await self._courier.close()
        self._ledger.close()

    def note(self, person: str | None, line: dict[str, Any]) -> None:
        """Show the running bot at work as a small line in the page of ``person``, of the chat that ``line`` names, or
        of everyone: ``{"tool": "create_record", "state": "started" | "done" | "failed", "chat": "U…"}``."""
        self._screens.show(person or line.get("chat"), "activity", line)


def _credentials(ledger: Ledger) -> tuple[str, str]:
    return ledger.setting("secret", secrets.token_hex(16)), ledger.setting("access_token", secrets.token_urlsafe(96))
