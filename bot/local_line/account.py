"""The side of the platform on which an account is run: tokens, its own data, the webhook, the quota, rich menus.

Reference: https://developers.line.biz/en/reference/messaging-api/ . Must not know messages, people, or the page.
"""

from __future__ import annotations

import secrets
import struct
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.local_line import limits
from bot.local_line.courier import Courier
from bot.local_line.events import milliseconds
from bot.local_line.exchange import Exchange, Handler, Refused, checked
from bot.local_line.ledger import Ledger

STATELESS_SECONDS = 900
PICTURE_BYTES = 1024 * 1024
MOST_MENUS = 1000
PICTURES = ("image/png", "image/jpeg")
FORM = "application/x-www-form-urlencoded"

_JAPAN = timezone(timedelta(hours=9))
_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(slots=True)
class Menu:
    """A rich menu as it was made, and the picture that came later."""

    made: dict[str, Any]
    mime: str = ""
    picture: bytes = b""


class AccountApi:
    """What belongs to the channel and to no message."""

    def __init__(
        self,
        ledger: Ledger,
        courier: Courier,
        *,
        channel_id: str,
        secret: str,
        access_token: str,
        bot_id: str,
        quota: int,
        now: Callable[[], datetime],
    ) -> None:
        self._ledger = ledger
        self._courier = courier
        self._channel_id = channel_id
        self._secret = secret
        self._access_token = access_token
        self._bot_id = bot_id
        self._quota = quota
        self._now = now
        self._stateless: dict[str, int] = {}
        self._menus: dict[str, Menu] = {}
        self._default = ""

    def routes(self, exchange: Exchange) -> list[Route]:
        bot = "/v2/bot"
        table: list[tuple[str, str, Handler]] = [
            ("GET", f"{bot}/message/quota", self._quota_limit),
            ("GET", f"{bot}/message/quota/consumption", self._quota_used),
            ("GET", f"{bot}/info", self._info),
            ("PUT", f"{bot}/channel/webhook/endpoint", self._set_endpoint),
            ("GET", f"{bot}/channel/webhook/endpoint", self._endpoint),
            ("POST", f"{bot}/channel/webhook/test", self._test_endpoint),
            ("POST", f"{bot}/richmenu", self._make_menu),
            ("POST", f"{bot}/richmenu/validate", self._validate_menu),
            ("GET", f"{bot}/richmenu/list", self._list_menus),
            ("GET", f"{bot}/richmenu/{{menu}}", self._menu),
            ("DELETE", f"{bot}/richmenu/{{menu}}", self._delete_menu),
            ("GET", f"{bot}/richmenu/{{menu}}/content", self._picture),
            ("GET", f"{bot}/user/all/richmenu", self._default_menu),
            ("DELETE", f"{bot}/user/all/richmenu", self._no_default_menu),
            ("POST", f"{bot}/user/all/richmenu/{{menu}}", self._make_default),
        ]
        routes = [Route(path, exchange.answered(handler), methods=[method]) for method, path, handler in table]
        picture = exchange.answered(self._put_picture, media=PICTURES)
        routes.append(Route(f"{bot}/richmenu/{{menu}}/content", picture, methods=["POST"]))
        token = exchange.answered(self._issue_token, open_to_all=True)
        routes.append(Route("/oauth2/v3/token", token, methods=["POST"]))
        return routes

    # ── tokens

    def is_known_token(self, token: str) -> bool:
        """Whether this one is the console's, or was issued and has not ended."""
        long_lived = secrets.compare_digest(token.encode(), self._access_token.encode())
        return long_lived or self._stateless.get(token, 0) > milliseconds(self._now())

    async def _issue_token(self, request: Request, body: bytes) -> Response:
        """https://developers.line.biz/en/reference/messaging-api/#issue-stateless-channel-access-token ."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
            return _no_token("invalid_request", f"send {FORM}")
        form = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
        needed = ("grant_type", "client_id", "client_secret")
        if any(len(form.get(name, ())) != 1 or not form[name][0] for name in needed):
            return _no_token("invalid_request", "some parameters missed or invalid")
        grant, channel, secret = (form[name][0] for name in needed)
        if grant != "client_credentials":
            return _no_token("unsupported_grant_type", "the grant type is not supported")
        if channel != self._channel_id or not secrets.compare_digest(secret.encode(), self._secret.encode()):
            return _no_token("invalid_client", "invalid client_id or client_secret")
        token = secrets.token_urlsafe(64)
        self._stateless[token] = milliseconds(self._now()) + STATELESS_SECONDS * 1000
        return JSONResponse({"token_type": "Bearer", "access_token": token, "expires_in": STATELESS_SECONDS})

    # ── the quota

    def count_push(self, heads: int, *, delivered: bool) -> None:
        """One more of this month's, if it arrives at all. Raises Refused above the limit."""
        used = self._used()
        if used + heads > self._quota:
            raise Refused(429, "You have reached your monthly limit.")
        if delivered:
            self._ledger.set(self._month(), str(used + heads))

    def _used(self) -> int:
        return int(self._ledger.setting(self._month(), "0"))

    def _month(self) -> str:
        return f"used:{self._now().astimezone(_JAPAN):%Y-%m}"

    async def _quota_limit(self, _request: Request, _body: bytes) -> Response:
        return JSONResponse({"type": "limited", "value": self._quota})

    async def _quota_used(self, _request: Request, _body: bytes) -> Response:
        return JSONResponse({"totalUsage": self._used()})

    # ── the account and its webhook

    async def _info(self, _request: Request, _body: bytes) -> Response:
        return JSONResponse(
            {
                "userId": self._bot_id,
                "basicId": "@local",
                "displayName": "Secretary",
                "chatMode": "bot",
                "markAsReadMode": "auto",
            }
        )

    async def _endpoint(self, _request: Request, _body: bytes) -> Response:
        if not self._courier.webhook_url:
            raise Refused(404, "Webhook endpoint not found")
        return JSONResponse({"endpoint": self._courier.webhook_url, "active": True})

    async def _set_endpoint(self, _request: Request, body: bytes) -> Response:
        self._courier.webhook_url = _loopback(checked(body, limits.endpoint_request)["endpoint"])
        return JSONResponse({})

    async def _test_endpoint(self, _request: Request, body: bytes) -> Response:
        asked = checked(body or b"{}", limits.test_request)
        endpoint = _loopback(asked["endpoint"]) if "endpoint" in asked else None
        return JSONResponse(await self._courier.probe(endpoint))

    # ── rich menus: https://developers.line.biz/en/docs/messaging-api/using-rich-menus/

    async def _validate_menu(self, _request: Request, body: bytes) -> Response:
        checked(body, limits.menu_request)
        return JSONResponse({})

    async def _make_menu(self, _request: Request, body: bytes) -> Response:
        made = checked(body, limits.menu_request)
        if len(self._menus) >= MOST_MENUS:
            raise Refused(400, "The number of rich menus exceeds the limit")
        id_ = f"richmenu-{secrets.token_hex(16)}"
        self._menus[id_] = Menu(made)
        return JSONResponse({"richMenuId": id_})

    def _found(self, request: Request) -> tuple[str, Menu]:
        id_ = request.path_params["menu"]
        if id_ not in self._menus:
            raise Refused(404, "richmenu not found")
        return id_, self._menus[id_]

    async def _list_menus(self, _request: Request, _body: bytes) -> Response:
        return JSONResponse({"richmenus": [{"richMenuId": id_, **each.made} for id_, each in self._menus.items()]})

    async def _menu(self, request: Request, _body: bytes) -> Response:
        id_, menu = self._found(request)
        return JSONResponse({"richMenuId": id_, **menu.made})

    async def _delete_menu(self, request: Request, _body: bytes) -> Response:
        id_, _ = self._found(request)
        del self._menus[id_]
        self._default = "" if self._default == id_ else self._default
        return JSONResponse({})

    async def _put_picture(self, request: Request, body: bytes) -> Response:
        _, menu = self._found(request)
        if menu.picture:
            raise Refused(400, "An image has already been uploaded to the richmenu")
        if len(body) > PICTURE_BYTES:
            raise Refused(413, "The image is larger than 1 MB")
        size = menu.made["size"]
        if _size_of(body) != (size["width"], size["height"]):
            raise Refused(400, "The image must be of the size of the richmenu")
        menu.mime, menu.picture = request.headers["content-type"].partition(";")[0], body
        return JSONResponse({})

    async def _picture(self, request: Request, _body: bytes) -> Response:
        _, menu = self._found(request)
        if not menu.picture:
            raise Refused(404, "The richmenu has no image")
        return Response(menu.picture, media_type=menu.mime)

    async def _make_default(self, request: Request, _body: bytes) -> Response:
        id_, menu = self._found(request)
        if not menu.picture:
            raise Refused(400, "must upload richmenu image before applying it to user")
        self._default = id_
        return JSONResponse({})

    async def _default_menu(self, _request: Request, _body: bytes) -> Response:
        if not self._default:
            raise Refused(404, "no default richmenu")
        return JSONResponse({"richMenuId": self._default})

    async def _no_default_menu(self, _request: Request, _body: bytes) -> Response:
        self._default = ""
        return JSONResponse({})


def _no_token(error: str, description: str) -> Response:
    return JSONResponse({"error": error, "error_description": description}, 400)


def _size_of(picture: bytes) -> tuple[int, int]:
    """Width and height of a PNG, in pixels. Raises Refused: this platform reads no other."""
    if not picture.startswith(_PNG) or picture[12:16] != b"IHDR" or len(picture) < len(_PNG) + 25:
        raise Refused(400, "The image could not be read")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def _loopback(endpoint: str) -> str:
    """Webhooks never leave this machine. Raises Refused."""
    try:
        parts = urlsplit(endpoint)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or parts.hostname not in {"127.0.0.1", "localhost", "::1"}:
        raise Refused(400, "Invalid webhook endpoint URL: the local LINE only reaches this machine")
    return endpoint
