"""The side of the platform that a bot talks to: the paths of LINE's Messaging API, as strict as LINE is.

Reference: https://developers.line.biz/en/reference/messaging-api/ . Must not know the page or its control routes.
"""

from __future__ import annotations

import re
import secrets
import uuid
from collections.abc import Callable
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
from bot.local_line.ledger import Chatter, Ledger
from bot.local_line.phones import Phones

TOKEN_SECONDS = 60
TOKEN_SECONDS_FROM_EVENT = 20 * 60
RETRY_KEY_HOURS = 24
STATELESS_SECONDS = 900
_JAPAN = timezone(timedelta(hours=9))


class MessagingApi:
    """LINE's paths, each with its own rules; what holds for all of them is the exchange's."""

    def __init__(
        self,
        ledger: Ledger,
        phones: Phones,
        courier: Courier,
        *,
        access_token: str,
        secret: str,
        bot_id: str,
        quota: int,
        now: Callable[[], datetime],
    ) -> None:
        self._ledger = ledger
        self._phones = phones
        self._courier = courier
        self._access_token = access_token
        self._secret = secret
        self._bot_id = bot_id
        self._quota = quota
        self._now = now
        self._stateless: dict[str, int] = {}
        self.exchange = Exchange(self._is_known_token, now)

    def routes(self) -> list[Route]:
        bot = "/v2/bot"
        table: list[tuple[str, str, Handler]] = [
            ("POST", f"{bot}/message/reply", self._reply),
            ("POST", f"{bot}/message/push", self._push),
            ("POST", f"{bot}/message/validate/reply", self._validate),
            ("POST", f"{bot}/message/validate/push", self._validate),
            ("POST", f"{bot}/chat/loading/start", self._loading),
            ("POST", f"{bot}/chat/markAsRead", self._mark_as_read),
            ("GET", f"{bot}/message/quota", self._quota_limit),
            ("GET", f"{bot}/message/quota/consumption", self._quota_used),
            ("GET", f"{bot}/message/{{message_id}}/content", self._content),
            ("GET", f"{bot}/message/{{message_id}}/content/preview", self._content),
            ("GET", f"{bot}/message/{{message_id}}/content/transcoding", self._transcoding),
            ("GET", f"{bot}/profile/{{person_id}}", self._profile),
            ("GET", f"{bot}/info", self._info),
            ("PUT", f"{bot}/channel/webhook/endpoint", self._set_endpoint),
            ("GET", f"{bot}/channel/webhook/endpoint", self._endpoint),
            ("POST", f"{bot}/channel/webhook/test", self._test_endpoint),
        ]
        routes = [Route(path, self.exchange.answered(handler), methods=[method]) for method, path, handler in table]
        routes.append(
            Route("/oauth2/v3/token", self.exchange.answered(self._issue_token, open_to_all=True), methods=["POST"])
        )
        return routes

    def _is_known_token(self, token: str) -> bool:
        long_lived = secrets.compare_digest(token.encode(), self._access_token.encode())
        return long_lived or self._stateless.get(token, 0) > milliseconds(self._now())

    # ── messages

    async def _reply(self, request: Request, body: bytes) -> Response:
        if "x-line-retry-key" in request.headers:
            raise Refused(400, "The retry key is not supported for this endpoint")
        asked = checked(body, limits.reply_request)
        token = self._ledger.token(asked["replyToken"])
        chat = self._phones.circles.chat(token.person) if token else None
        gone = chat is None or (chat.bond == "blocked" and self._ledger.person(chat.id) is None)
        if token is None or chat is None or gone or token.used or not self._is_alive(token.born, token.sent):
            raise Refused(400, "Invalid reply token")
        self._check_quotes(chat.id, asked["messages"])
        with self._ledger.together():
            self._ledger.use_token(token.token)
            sent = self._phones.receive(chat, asked["messages"])
        return JSONResponse({"sentMessages": sent})

    def _is_alive(self, born: int, sent: int | None) -> bool:
        at = milliseconds(self._now())
        return sent is not None and at - sent <= TOKEN_SECONDS * 1000 and at - born <= TOKEN_SECONDS_FROM_EVENT * 1000

    def _check_quotes(self, person_id: str, messages: list[dict[str, Any]]) -> None:
        for place, each in enumerate(messages):
            if "quoteToken" in each and not self._ledger.is_quotable(person_id, each["quoteToken"]):
                detail = {"message": "invalid quote token", "property": f"messages[{place}].quoteToken"}
                raise Refused(400, "The request body has 1 error(s)", details=[detail])

    async def _push(self, request: Request, body: bytes) -> Response:
        asked = checked(body, limits.push_request)
        key = request.headers.get("x-line-retry-key")
        self._check_retry_key(key)
        person = self._phones.circles.chat(asked["to"])
        if person is None:
            raise Refused(400, "The property, 'to', in the request body is invalid")
        self._check_quotes(person.id, asked["messages"])
        at = milliseconds(self._now())
        request_id = str(uuid.uuid4())
        with self._ledger.together():
            self._count_push(person)
            sent = self._phones.receive(person, asked["messages"])
            if key:
                self._ledger.put_push(key, request_id, sent, at)
        return JSONResponse({"sentMessages": sent})

    def _check_retry_key(self, key: str | None) -> None:
        """https://developers.line.biz/en/docs/messaging-api/retrying-api-request/ ."""
        if key is None:
            return
        if not re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", key):
            raise Refused(400, "The retry key must be a UUID")
        since = milliseconds(self._now() - timedelta(hours=RETRY_KEY_HOURS))
        if accepted := self._ledger.push(key, since):
            request_id, sent = accepted
            headers = {"x-line-accepted-request-id": request_id}
            raise Refused(409, "The retry key is already accepted", headers, sentMessages=sent)

    def _month(self) -> str:
        return f"used:{self._now().astimezone(_JAPAN):%Y-%m}"

    def _count_push(self, person: Chatter) -> None:
        used = int(self._ledger.setting(self._month(), "0"))
        circle = self._phones.circles.find(person.id)
        heads = len(circle.people) if circle else 1  # a push to a group counts for everyone in it
        if used + heads > self._quota:
            raise Refused(429, "You have reached your monthly limit.")
        if person.bond == "friend":
            self._ledger.set(self._month(), str(used + heads))

    async def _validate(self, _request: Request, body: bytes) -> Response:
        checked(body, limits.validate_request)
        return JSONResponse({})

    async def _loading(self, _request: Request, body: bytes) -> Response:
        asked = checked(body, limits.loading_request)
        if self._ledger.person(asked["chatId"]):
            self._phones.show_loading(asked["chatId"], asked.get("loadingSeconds", 20))
        return JSONResponse({}, 202)

    async def _mark_as_read(self, _request: Request, body: bytes) -> Response:
        checked(body, limits.read_request)
        return JSONResponse({})

    # ── people, content, quota

    async def _profile(self, request: Request, _body: bytes) -> Response:
        person = self._ledger.person(request.path_params["person_id"])
        if person is None or person.bond == "blocked":
            raise Refused(404, "Not found")
        return JSONResponse({"userId": person.id, "displayName": person.name, "language": person.language})

    async def _content(self, request: Request, _body: bytes) -> Response:
        mime, content = self._found_content(request)
        return Response(content, media_type=mime)

    def _found_content(self, request: Request) -> tuple[str, bytes]:
        bubble = self._ledger.bubble(request.path_params["message_id"])
        if bubble and bubble.unsent:
            raise Refused(410, "The content is gone")
        found = self._ledger.content(request.path_params["message_id"])
        if found is None:
            raise Refused(404, "Not found")
        return found

    async def _transcoding(self, request: Request, _body: bytes) -> Response:
        self._found_content(request)
        return JSONResponse({"status": "succeeded"})

    async def _quota_limit(self, _request: Request, _body: bytes) -> Response:
        return JSONResponse({"type": "limited", "value": self._quota})

    async def _quota_used(self, _request: Request, _body: bytes) -> Response:
        return JSONResponse({"totalUsage": int(self._ledger.setting(self._month(), "0"))})

    # ── the channel

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
        return JSONResponse({"endpoint": self._courier.webhook_url, "active": True})

    async def _set_endpoint(self, _request: Request, body: bytes) -> Response:
        self._courier.webhook_url = _loopback(checked(body, limits.endpoint_request)["endpoint"])
        return JSONResponse({})

    async def _test_endpoint(self, _request: Request, body: bytes) -> Response:
        asked = checked(body or b"{}", limits.test_request)
        endpoint = _loopback(asked["endpoint"]) if "endpoint" in asked else None
        return JSONResponse(await self._courier.probe(endpoint))

    async def _issue_token(self, _request: Request, body: bytes) -> Response:
        """https://developers.line.biz/en/reference/messaging-api/#issue-stateless-channel-access-token ."""
        form = {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
        if form.get("grant_type") != "client_credentials":
            return JSONResponse({"error": "unsupported_grant_type"}, 400)
        if form.get("client_secret", "") != self._secret or not form.get("client_id"):
            return JSONResponse({"error": "invalid_client"}, 400)
        token = secrets.token_urlsafe(64)
        self._stateless[token] = milliseconds(self._now()) + STATELESS_SECONDS * 1000
        return JSONResponse({"token_type": "Bearer", "access_token": token, "expires_in": STATELESS_SECONDS})


def _loopback(endpoint: str) -> str:
    """Webhooks never leave this machine. Raises Refused."""
    try:
        parts = urlsplit(endpoint)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or parts.hostname not in {"127.0.0.1", "localhost", "::1"}:
        raise Refused(400, "Invalid webhook endpoint URL: the local LINE only reaches this machine")
    return endpoint
