"""The side of the platform that a bot talks to: the paths of LINE's Messaging API, as strict as LINE is.

Reference: https://developers.line.biz/en/reference/messaging-api/ . What belongs to the account
and to no message is another's. Must not know the page or its control routes.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.local_line import limits
from bot.local_line.account import AccountApi
from bot.local_line.events import milliseconds
from bot.local_line.exchange import Exchange, Handler, Refused, checked
from bot.local_line.ledger import Ledger
from bot.local_line.phones import Phones

TOKEN_SECONDS = 60
TOKEN_SECONDS_FROM_EVENT = 20 * 60
RETRY_KEY_HOURS = 24


class MessagingApi:
    """LINE's paths, each with its own rules; what holds for all of them is the exchange's."""

    def __init__(
        self,
        ledger: Ledger,
        phones: Phones,
        account: AccountApi,
        *,
        now: Callable[[], datetime],
    ) -> None:
        self._ledger = ledger
        self._phones = phones
        self._account = account
        self._now = now
        self._prepared: set[str] = set()
        self.exchange = Exchange(account.is_known_token, now)

    def routes(self) -> list[Route]:
        bot = "/v2/bot"
        table: list[tuple[str, str, Handler]] = [
            ("POST", f"{bot}/message/reply", self._reply),
            ("POST", f"{bot}/message/push", self._push),
            ("POST", f"{bot}/message/validate/reply", self._validate),
            ("POST", f"{bot}/message/validate/push", self._validate),
            ("POST", f"{bot}/chat/loading/start", self._loading),
            ("POST", f"{bot}/chat/markAsRead", self._mark_as_read),
            ("GET", f"{bot}/message/{{message_id}}/content", self._content),
            ("GET", f"{bot}/message/{{message_id}}/content/preview", self._content),
            ("GET", f"{bot}/message/{{message_id}}/content/transcoding", self._transcoding),
            ("GET", f"{bot}/profile/{{person_id}}", self._profile),
        ]
        routes = [Route(path, self.exchange.answered(handler), methods=[method]) for method, path, handler in table]
        return [*self._account.routes(self.exchange), *routes]

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
            if "quoteToken" in each and self._ledger.quoted(person_id, each["quoteToken"]) is None:
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
            circle = self._phones.circles.find(person.id)
            heads = len(circle.people) if circle else 1  # a push to a group counts for everyone in it
            self._account.count_push(heads, delivered=person.bond == "friend")
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

    # ── people, content

    async def _profile(self, request: Request, _body: bytes) -> Response:
        person = self._ledger.person(request.path_params["person_id"])
        if person is None or person.bond == "blocked":
            raise Refused(404, "Not found")
        return JSONResponse({"userId": person.id, "displayName": person.name, "language": person.language})

    async def _content(self, request: Request, _body: bytes) -> Response:
        mime, content = self._found_content(request)
        if self._is_being_prepared(request, mime):
            return Response(status_code=202)
        return Response(content, media_type=mime)

    def _is_being_prepared(self, request: Request, mime: str) -> bool:
        """Voice and films are not ready when they are first asked for."""
        message_id = request.path_params["message_id"]
        if message_id in self._prepared or not mime.startswith(("audio/", "video/")):
            return False
        self._prepared.add(message_id)
        return True

    def _found_content(self, request: Request) -> tuple[str, bytes]:
        bubble = self._ledger.bubble(request.path_params["message_id"])
        if bubble and bubble.unsent:
            raise Refused(410, "The content is gone")
        found = self._ledger.content(request.path_params["message_id"])
        if found is None:
            raise Refused(404, "Not found")
        return found

    async def _transcoding(self, request: Request, _body: bytes) -> Response:
        mime, _ = self._found_content(request)
        if not mime.startswith(("audio/", "video/")):
            raise Refused(400, "Only video and audio are prepared")
        ready = request.path_params["message_id"] in self._prepared
        return JSONResponse({"status": "succeeded" if ready else "processing"})
