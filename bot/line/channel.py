"""The calls to LINE, through line-bot-sdk: reply, push, loading animation, profile.

Must not know what is said or why, the inbox, or the settings. The SDK takes its time to import, so that happens in a
thread while the program already listens; calls made before that wait for it. Its client speaks, in JSON that is LINE's
own already: turned into the SDK's models and back, a call would cost twice the time. Whatever LINE or the network does
ends as one of these: it is sent, it is not (TokenDead, Refused), or nobody knows (Unsure). Nothing is tried twice here
but one thing: what LINE refuses for its form goes out once more in plain words, without cards, buttons and quotes.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from types import MappingProxyType, ModuleType
from typing import Any, Final
from urllib.parse import quote

from bot.line import bubbles
from bot.line.answers import Answer, content_of, is_misformed, month_is_spent, outcome, refusal
from bot.line.last_look import LastLook
from bot.line.quota import Quota
from bot.line.tokens import AccessTokens, GivenToken
from bot.ports import Bubble, ChatId, Refused, Unsure
from tools.loopback import proxy_for
from tools.record import PersonId

LOADING_SECONDS: Final = 60
LOADING_GRACE: Final = 0.5
"""Seconds an answer waits for a loading animation on its way: one that began after the answer would stay on."""
SHORT_TIMEOUT: Final = 2.0
"""Seconds for calls that do not matter."""

_LOOK: Final = LastLook()
_NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})
_JSON: Final = {"Accept": "application/json", "Content-Type": "application/json"}

log = logging.getLogger(__name__)


class LineChannel:
    """ChannelPort over LINE's Messaging API. One per process; ``start`` and ``close`` belong to the running loop.

    ``api_base`` is the host of every call, without a slash at its end, or None for LINE's own hosts. ``access`` is a
    long-lived token, or where tokens come from. ``timeout`` is in seconds, for one call. ``look`` makes the messages,
    without what must not be said.
    https://developers.line.biz/en/reference/messaging-api/
    """

    def __init__(
        self,
        api_base: str | None,
        access: str | AccessTokens,
        *,
        now: Callable[[], datetime],
        timeout: float = 8.0,
        look: LastLook = _LOOK,
    ) -> None:
        self._look = look
        self._tokens = GivenToken(access) if isinstance(access, str) else access
        self._quota = Quota(self._read, now)
        self._host = api_base.rstrip("/") if api_base else ""
        self._timeout = timeout
        self._starting = asyncio.Lock()
        self._closed = False
        self._sdk: Any = None
        self._client: Any = None
        self._network_errors: tuple[type[Exception], ...] = (OSError, TimeoutError)
        self._shows: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Import the SDK and build its client. Called again it does nothing; called meanwhile it waits."""
        async with self._starting:
            if self._client is None and not self._closed:
                self._sdk, aiohttp = await asyncio.to_thread(_load)
                self._network_errors = (*self._network_errors, aiohttp.ClientError)
                client = self._sdk.AsyncApiClient(self._sdk.Configuration(access_token=""))
                self._host = self._host or self._sdk.AsyncMessagingApi(client).line_base_path
                client.rest_client.pool_manager = _Wire(aiohttp, client.rest_client.pool_manager)
                client.rest_client.proxy = proxy_for(self._host)
                await self._tokens.start()
                self._client = client

    async def close(self) -> None:
        """End what is under way and close the connections. Calls made later are Unsure."""
        async with self._starting:
            self._closed = True
            for show in self._shows:
                show.cancel()
            await asyncio.gather(*self._shows, return_exceptions=True)
            if self._client is not None:
                await self._client.close()

    # ── speaking ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def reply(self, reply_token: str, messages: Sequence[Bubble]) -> list[str]:
        await self._ready_to_speak()
        answer = await self._spoken("reply", {"replyToken": reply_token}, messages)
        return outcome(answer)

    async def push(self, to: ChatId, messages: Sequence[Bubble], retry_key: str) -> list[str]:
        await self._ready_to_speak()
        answer = await self._spoken("push", {"to": to}, messages, {"X-Line-Retry-Key": _uuid(retry_key)})
        if month_is_spent(answer):
            self._quota.spent()
        sent = answer.sent if answer.status == HTTPStatus.CONFLICT else outcome(answer)
        self._quota.pushed()
        return sent

    async def pushes_left(self) -> int | None:
        return await self._quota.left()

    def pushes_known(self) -> int | None:
        return self._quota.known()

    async def _read(self, path: str) -> Mapping[str, Any]:
        await self._ready()
        answer = await self._ask(path, path, seconds=SHORT_TIMEOUT)
        outcome(answer)
        return answer.content

    async def _spoken(
        self, name: str, to: Mapping[str, str], messages: Sequence[Bubble], headers: Mapping[str, str] = _NO_HEADERS
    ) -> Answer:
        """On the same token, or with the same key: neither was used by what was refused for its form."""
        said = self._said(messages)
        answer = await self._sent(name, to, said, headers)
        if is_misformed(answer) and (plain := self._look.messages(messages, plain=True)) != said:
            log.error("LINE refused the form of an answer, which goes out in plain words: %s", answer.message)
            answer = await self._sent(name, to, plain, headers)
        return answer

    async def _sent(
        self, name: str, to: Mapping[str, str], said: Sequence[bubbles.LineMessage], headers: Mapping[str, str]
    ) -> Answer:
        body = {**to, "messages": said, "notificationDisabled": False}
        return await self._ask(name, f"/message/{name}", body, headers)

    def _said(self, messages: Sequence[Bubble]) -> list[bubbles.LineMessage]:
        said = self._look.messages(messages)
        if not said:
            raise Refused("there is nothing to say")
        return said

    async def _ready_to_speak(self) -> None:
        await self._ready()
        if self._shows:
            await asyncio.wait(self._shows, timeout=LOADING_GRACE)

    # ── what does not matter ──────────────────────────────────────────────────────────────────────────────────────

    async def show_working(self, chat: ChatId) -> None:
        """Begin a loading animation and do not wait for it. LINE takes ids of users only, and shows it in 1:1 chats.

        https://developers.line.biz/en/reference/messaging-api/#display-a-loading-indicator
        """
        if chat.startswith("U") and not self._closed:
            show = asyncio.create_task(self._show(chat))
            self._shows.add(show)
            show.add_done_callback(self._shows.discard)

    async def _show(self, chat: ChatId) -> None:
        try:
            await self._ready()
            body = {"chatId": chat, "loadingSeconds": LOADING_SECONDS}
            await self._ask("loading", "/chat/loading/start", body, seconds=SHORT_TIMEOUT)
        except (Refused, Unsure):
            return

    async def language_of(self, person: PersonId) -> str | None:
        try:
            await self._ready()
            answer = await self._ask("profile", f"/profile/{quote(person, safe='')}", seconds=SHORT_TIMEOUT)
        except (Refused, Unsure):
            return None
        language = answer.content.get("language") if answer.ok else None
        return language if isinstance(language, str) and language else None

    async def ask(self, name: str, path: str, body: Mapping[str, Any] | None = None) -> tuple[int, Mapping[str, Any]]:
        """A call that sends no message: LINE's status and what it says, {} if that is no JSON object. With a body it is
        a POST. Raises Refused, Unsure."""
        await self._ready()
        answer = await self._ask(name, path, body, seconds=SHORT_TIMEOUT)
        return answer.status, answer.content

    # ── one call ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _ready(self) -> None:
        try:
            await self.start()
        except ImportError as missing:  # whoever started the bot hears it too, and ends it
            raise Unsure(f"the SDK does not load ({missing})") from None
        if self._closed:
            raise Unsure("the channel is closed")

    async def _ask(
        self,
        name: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
        *,
        seconds: float | None = None,
    ) -> Answer:
        """LINE's answer, whatever it is; a call with a body is a POST. A token that it refuses is renewed once, where
        it can be. Raises Unsure if there is no answer, Refused if the call could not even be made."""
        token = await self._tokens.current()
        answer = await self._asked(token, name, path, body, headers, seconds)
        if answer.status == HTTPStatus.UNAUTHORIZED and (fresh := await self._tokens.instead_of(token)):
            answer = await self._asked(fresh, name, path, body, headers, seconds)
        return answer

    async def _asked(self, token: str, name: str, path: str, body: Any, headers: Any, seconds: float | None) -> Answer:
        try:
            response = await self._client.rest_client.request(
                "GET" if body is None else "POST",
                f"{self._host}/v2/bot{path}",
                headers={**headers, **_JSON, **self._client.default_headers, "Authorization": f"Bearer {token}"},
                body=body,
                _request_timeout=seconds or self._timeout,
            )
        except self._sdk.ApiException as no:
            return refusal(name, no)
        except self._network_errors as problem:
            log.warning("LINE %s: no answer (%s)", name, type(problem).__name__)
            raise Unsure(f"{name}: {type(problem).__name__}") from None
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as odd:
            raise Refused(f"{name}: the call could not be made ({type(odd).__name__})") from None
        return Answer(response.status, content_of(response.data))


def _load() -> tuple[ModuleType, ModuleType]:
    return importlib.import_module("linebot.v3.messaging"), importlib.import_module("aiohttp")


class _Wire:
    """What the SDK sends through: its own connections, but never redirected (the token would travel along), and asking
    nobody but the SDK which proxy there is."""

    def __init__(self, aiohttp: Any, session: Any) -> None:
        connector = session.connector
        session.detach()
        self._timeout = aiohttp.ClientTimeout
        self._session = aiohttp.ClientSession(connector=connector)

    async def request(self, *, timeout: float, **call: Any) -> Any:  # noqa: ASYNC109 - the SDK calls it so
        return await self._session.request(allow_redirects=False, timeout=self._timeout(total=timeout), **call)

    async def close(self) -> None:
        await self._session.close()


def _uuid(retry_key: str) -> str:
    """LINE takes only a UUID as retry key; any other word becomes always the same one.

    https://developers.line.biz/en/docs/messaging-api/retrying-api-request/
    """
    try:
        return str(uuid.UUID(retry_key))
    except ValueError:
        return str(uuid.uuid5(uuid.NAMESPACE_URL, retry_key))
