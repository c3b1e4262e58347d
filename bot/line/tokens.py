"""Channel access tokens: the one that was given, or others that live a quarter of an hour, issued and renewed in time.

Must not know what is said with a token. One is never logged; whoever masks secrets is told of it before it is used.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, Protocol

from bot.line.answers import content_of
from bot.ports import Refused, Unsure
from tools.loopback import is_loopback

LINE: Final = "https://api.line.me"
RENEW_AT: Final = 0.8
"""Of its life a token is used for so long: twelve of fifteen minutes."""
AGAIN_SECONDS: Final = 30.0
"""While the old one still lives, a renewal that failed is tried again after so long."""
TIMEOUT: Final = 5.0

_KEPT: Final = 3
_SERVER_ERRORS: Final = range(500, 600)
_LATER: Final = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}

GIVEN_REFUSED: Final = (
    "LINE refuses LINE_CHANNEL_ACCESS_TOKEN, nothing can be sent: issue a new one in the LINE Developers Console, "
    "Messaging API tab, Channel access token (long-lived), set it and restart"
)
NONE_ISSUED: Final = (
    "LINE issues no access token for LINE_CHANNEL_ID and LINE_CHANNEL_SECRET, nothing can be sent: compare both with "
    "the channel's Basic settings tab in the LINE Developers Console, set them and restart"
)

log = logging.getLogger(__name__)


class AccessTokens(Protocol):
    """Where a call to LINE takes its token from."""

    async def start(self) -> None:
        """Import what takes its time; called again it does nothing."""

    async def current(self) -> str:
        """A token that should work. Raises Refused, Unsure."""

    async def instead_of(self, refused: str) -> str | None:
        """Another token than the one that LINE has just refused; None where there is no other. Raises Refused,
        Unsure."""


class GivenToken:
    """The long-lived token of the console: there is no other, so that the operator must hear when it is refused."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._told = False

    async def start(self) -> None:
        """There is nothing to import."""

    async def current(self) -> str:
        return self._token

    async def instead_of(self, refused: str) -> str | None:  # noqa: ARG002 - the signature is the port's
        if not self._told:
            self._told = True
            log.error(GIVEN_REFUSED)
        return None


class IssuedTokens:
    """Stateless tokens for a channel's id and secret, one at a time for all calls. During a rotation there are two
    secrets: the first that works is asked with from then on.

    ``host`` is the address of the call, or None for LINE's own; ``masks`` is told of the tokens that may still live;
    ``clock`` counts seconds.
    https://developers.line.biz/en/reference/messaging-api/#issue-stateless-channel-access-token
    """

    def __init__(
        self,
        host: str | None,
        channel_id: str,
        secrets: Sequence[str],
        *,
        masks: Callable[[Sequence[str]], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = f"{host or LINE}/oauth2/v3/token"
        self._id = channel_id
        self._secrets = list(secrets)
        self._masks = masks
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()
        self._issued: deque[str] = deque([""], _KEPT)
        self._renew_at = self._ends_at = 0.0
        self._told = False
        self._httpx: Any = None

    async def start(self) -> None:
        if self._httpx is None:
            self._httpx = await asyncio.to_thread(importlib.import_module, "httpx")

    async def current(self) -> str:
        async with self._one_at_a_time:
            if self._clock() >= self._renew_at:
                await self._renew()
            return self._issued[-1]

    async def instead_of(self, refused: str) -> str | None:
        async with self._one_at_a_time:
            if self._issued[-1] == refused:
                self._renew_at = self._ends_at = 0.0
        return await self.current()

    async def _renew(self) -> None:
        """A new token; or a while longer with the old one, as long as that lives."""
        try:
            await self._issue()
        except (Refused, Unsure) as problem:
            if self._clock() >= self._ends_at:
                raise
            log.warning("the access token is not renewed yet: %s", problem.reason)
            self._renew_at = min(self._clock() + AGAIN_SECONDS, self._ends_at)

    async def _issue(self) -> None:
        await self.start()
        for secret in list(self._secrets):
            content = await self._asked(secret)
            if content is None:
                continue
            token, life = content.get("access_token"), content.get("expires_in")
            if not (isinstance(token, str) and token and isinstance(life, int) and life > 0):
                raise Unsure("LINE's answer holds no access token")
            self._secrets.sort(key=lambda each: each != secret)
            self._issued.append(token)
            self._masks([each for each in self._issued if each])
            self._renew_at, self._ends_at = self._clock() + RENEW_AT * life, self._clock() + life
            self._told = False
            return
        if not self._told:
            self._told = True
            log.error(NONE_ISSUED)
        raise Refused("no access token is issued")

    async def _asked(self, secret: str) -> Mapping[str, Any] | None:
        """What LINE issues; None if it refuses this secret."""
        form = {"grant_type": "client_credentials", "client_id": self._id, "client_secret": secret}
        try:
            async with self._httpx.AsyncClient(timeout=TIMEOUT, trust_env=not is_loopback(self._url)) as client:
                answer = await client.post(self._url, data=form)
        except (self._httpx.HTTPError, OSError) as problem:
            raise Unsure(f"access token: {type(problem).__name__}") from None
        if answer.status_code in _SERVER_ERRORS or answer.status_code in _LATER:
            raise Unsure(f"access token: LINE answered {answer.status_code}")
        return content_of(answer.content) if answer.status_code == HTTPStatus.OK else None
