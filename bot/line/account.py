"""The operator's calls to LINE: who the bot is there, its webhook, its quota, its rich menus.

For the commands beside a bot, which make few of them. Whatever LINE or the network does is an answer, or one of Refused
and Unsure with the reason in words. Must not know what an operator is told, or the settings.
"""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final, Self

from bot.line.answers import content_of
from bot.line.health import Account, Trial, Webhook
from bot.line.quota import left_of
from bot.line.tokens import LINE, AccessTokens
from bot.ports import Refused, Unsure
from tools.loopback import is_loopback

LINE_DATA: Final = "https://api-data.line.me"
TIMEOUT: Final = 10.0
_REASON_LIMIT: Final = 200


@dataclass(frozen=True, slots=True)
class Menu:
    """A rich menu that was made over the API: the console's own are not to be seen here."""

    id: str
    name: str


class LineAccount:
    """The Messaging API as the account's operator uses it. ``host`` is the address of every call, or None for LINE's
    own. Use it as a context. Each call raises Refused and Unsure.

    https://developers.line.biz/en/reference/messaging-api/
    """

    def __init__(self, host: str | None, tokens: AccessTokens) -> None:
        self._host = host or LINE
        self._data_host = host or LINE_DATA
        self._tokens = tokens
        self._httpx: Any = None
        self._client: Any = None

    async def __aenter__(self) -> Self:
        self._httpx = await asyncio.to_thread(importlib.import_module, "httpx")
        self._client = self._httpx.AsyncClient(timeout=TIMEOUT, trust_env=not is_loopback(self._host))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    # ── who it is ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def info(self) -> Account:
        """The name, and what LINE's clock says."""
        began = datetime.now(UTC)
        answer = await self._call("GET", "/v2/bot/info")
        middle = began + (datetime.now(UTC) - began) / 2
        content = content_of(answer.content)
        name, basic_id = str(content.get("displayName") or "?"), str(content.get("basicId") or "?")
        return Account(name, basic_id, content.get("chatMode") == "chat", _skew(middle, answer.headers.get("date")))

    async def pushes_left(self) -> int | None:
        """Of this month; None for no limit."""
        limit = content_of((await self._call("GET", "/v2/bot/message/quota")).content)
        used = content_of((await self._call("GET", "/v2/bot/message/quota/consumption")).content)
        return left_of(limit, used)

    # ── the webhook ───────────────────────────────────────────────────────────────────────────────────────────────

    async def webhook(self) -> Webhook | None:
        """None as long as no address was ever set."""
        answer = await self._call("GET", "/v2/bot/channel/webhook/endpoint", absent_is_fine=True)
        content = content_of(answer.content)
        address = content.get("endpoint")
        return Webhook(address, content.get("active") is True) if isinstance(address, str) and address else None

    async def set_webhook(self, address: str) -> None:
        """LINE delivers there within a minute; whether it delivers at all is a switch of the console."""
        await self._call("PUT", "/v2/bot/channel/webhook/endpoint", json={"endpoint": address})

    async def test_webhook(self) -> Trial:
        """LINE sends a signed event without content to the address that is set; 60 times an hour at most."""
        content = content_of((await self._call("POST", "/v2/bot/channel/webhook/test", json={})).content)
        status = content.get("statusCode")
        reason = " ".join(f"{content.get('reason', '')} {content.get('detail', '')}".split())[:_REASON_LIMIT]
        return Trial(content.get("success") is True, status if isinstance(status, int) else 0, reason)

    # ── rich menus ────────────────────────────────────────────────────────────────────────────────────────────────

    async def menus(self) -> list[Menu]:
        """Those made over the API."""
        listed = content_of((await self._call("GET", "/v2/bot/richmenu/list")).content).get("richmenus")
        found = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
        return [Menu(str(each.get("richMenuId")), str(each.get("name"))) for each in found]

    async def default_menu(self) -> str | None:
        """The id of the one that everybody sees, if one was made so over the API."""
        answer = await self._call("GET", "/v2/bot/user/all/richmenu", absent_is_fine=True)
        found = content_of(answer.content).get("richMenuId")
        return str(found) if found else None

    async def make_menu(self, menu: dict[str, Any], png: bytes) -> str:
        """Make it with its picture; its id. Nobody sees it yet. One whose picture is refused is taken away again."""
        made = content_of((await self._call("POST", "/v2/bot/richmenu", json=menu)).content).get("richMenuId")
        if not isinstance(made, str):
            raise Unsure("LINE's answer names no rich menu")
        try:
            await self._call("POST", f"/v2/bot/richmenu/{made}/content", png=png)
        except Refused:
            await self.delete_menu(made)
            raise
        return made

    async def show_menu(self, id_: str) -> None:
        """From now on everybody sees this one."""
        await self._call("POST", f"/v2/bot/user/all/richmenu/{id_}")

    async def delete_menu(self, id_: str) -> None:
        """Nobody sees it any more."""
        await self._call("DELETE", f"/v2/bot/richmenu/{id_}", absent_is_fine=True)

    # ── one call ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _call(
        self, method: str, path: str, *, json: Any = None, png: bytes | None = None, absent_is_fine: bool = False
    ) -> Any:
        token = await self._tokens.current()
        answer = await self._asked(token, method, path, json, png)
        if answer.status_code == HTTPStatus.UNAUTHORIZED and (fresh := await self._tokens.instead_of(token)):
            answer = await self._asked(fresh, method, path, json, png)
        if answer.is_success or (absent_is_fine and answer.status_code == HTTPStatus.NOT_FOUND):
            return answer
        said = " ".join(str(content_of(answer.content).get("message") or "no reason given").split())[:_REASON_LIMIT]
        reason = f"LINE answered {answer.status_code} to {method} {path}: {said}"
        raise (Unsure if _passes(answer.status_code) else Refused)(reason)

    async def _asked(self, token: str, method: str, path: str, json: Any, png: bytes | None) -> Any:
        host, headers = self._host, {"Authorization": f"Bearer {token}"}
        body: dict[str, Any] = {} if json is None else {"json": json}
        if png is not None:
            host, headers, body = self._data_host, headers | {"Content-Type": "image/png"}, {"content": png}
        try:
            return await self._client.request(method, f"{host}{path}", headers=headers, **body)
        except (self._httpx.HTTPError, OSError) as problem:
            raise Unsure(f"LINE cannot be reached ({type(problem).__name__})") from None


def _passes(status: int) -> bool:
    return status in {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS} or status >= 500  # noqa: PLR2004 - 5xx


def _skew(here: datetime, there: str | None) -> float | None:
    """LINE tells whole seconds: the middle of one is nearest."""
    try:
        told = parsedate_to_datetime(there or "")
    except ValueError:
        return None
    if told.tzinfo is None:
        return None
    return (here - told).total_seconds() - 0.5
