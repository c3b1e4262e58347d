"""Any OpenAI-compatible Chat Completions endpoint as a model: one request, one answer, without streaming.

Decides what to do when there is no answer in a reply: adapt the request, try once more, or say that the model is
unavailable. Must not know the tool loop, the transcript or the settings.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.budget import BYTES_PER_TOKEN
from bot.engines.openai_shapes import Dialect, Request, Trouble, learned, read, request
from bot.model_ports import Completion, Message, ModelUnavailable
from tools.definition import ToolDefinition

if TYPE_CHECKING:
    from bot.engines.openai_transport import Wire

_ADAPTATIONS = 2
_RETRY_WAIT = (0.5, 1.0)
_ANSWER_SECONDS = 5.0
_UNREACHABLE = 503
_REASON_CHARS = 200
_KEY_SHAPE = re.compile(r"\b(sk|pk|key|bearer)[-_ ]\S+", re.IGNORECASE)


class OpenAIChat:
    """A ChatModelPort. One client serves the whole process; what an endpoint refuses is learned once and kept.

    ``timeout`` bounds a whole answer, one retry included, in seconds. ``sleep`` is how it waits before that retry.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        timeout: float = 60,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._model = model
        self._timeout = timeout
        self._sleep = sleep
        self._dialect = Dialect()
        self._wire: Wire | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Import the SDK and build the client, in a thread. Whoever calls before this is done waits for it."""
        await self._connected()

    async def close(self) -> None:
        """Close the client's connections."""
        async with self._starting:
            wire, self._wire = self._wire, None
        if wire:
            await wire.close()

    @property
    def bytes_per_token(self) -> float:
        return BYTES_PER_TOKEN

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool = True
    ) -> Completion:
        try:
            async with asyncio.timeout(self._timeout) as limit:
                return await self._answer(messages, tools, may_call=may_call, limit=limit)
        except TimeoutError:
            raise ModelUnavailable(f"{self._host}: no answer within {self._timeout:g} s") from None

    async def _answer(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool, limit: asyncio.Timeout
    ) -> Completion:
        adaptations, retries = _ADAPTATIONS, 1
        while True:
            asked = request(self._model, self._dialect, messages, tools, may_call=may_call)
            try:
                return await self._ask(asked)
            except Trouble as trouble:
                dialect = learned(self._dialect, asked, trouble, may_call=may_call)
                if dialect and adaptations:
                    self._dialect = dialect
                    adaptations -= 1
                elif retries and trouble.may_pass and (wait := _wait(trouble, limit)) is not None:
                    retries -= 1
                    await self._sleep(wait)
                else:
                    raise ModelUnavailable(self._reason(trouble)) from None

    async def _ask(self, asked: Request) -> Completion:
        """One request on the wire. Raises Trouble."""
        wire = await self._connected()
        try:
            reply = await wire.post(asked)
        except ConnectionError as error:
            raise Trouble(_UNREACHABLE, code=str(error)) from None
        return read(reply.status, reply.body, reply.retry_after)

    async def _connected(self) -> Wire:
        async with self._starting:
            if self._wire is None:
                self._wire = await asyncio.to_thread(_connect, self._base_url, self._api_key, self._timeout)
            return self._wire

    @property
    def _host(self) -> str:
        return urlsplit(self._base_url).hostname or self._base_url

    def _reason(self, trouble: Trouble) -> str:
        """For the operator: where, what, and no secret. An endpoint's own sentence is told only if it names no code;
        some repeat the key, or what the person wrote."""
        said = (trouble.code or trouble.message)[:_REASON_CHARS]
        if self._api_key:
            said = said.replace(self._api_key, "***")
        return f"{self._host}: HTTP {trouble.status} {_KEY_SHAPE.sub('***', said)}".rstrip()


def _connect(base_url: str, api_key: str, timeout: float) -> Wire:
    from bot.engines.openai_transport import Wire

    return Wire(base_url, api_key, timeout)


def _wait(trouble: Trouble, limit: asyncio.Timeout) -> float | None:
    """Seconds to wait before trying again, or None if no time would be left for an answer."""
    wait = random.uniform(*_RETRY_WAIT) if trouble.retry_after is None else trouble.retry_after  # noqa: S311 - jitter
    end = limit.when()
    assert end is not None, "this limit always has an end"
    return wait if asyncio.get_running_loop().time() + wait + _ANSWER_SECONDS <= end else None
