"""Any OpenAI-compatible Chat Completions endpoint as a model: one request, one answer, streamed only where it must be.

Decides what to do when there is no answer in a reply: adapt the request, try once more, or say that the model is
unavailable. Must not know the tool loop, the transcript, or how settings are read.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bot.engines.openai_dialect import (
    Dialect,
    Request,
    difference,
    learned,
    refuses_pictures,
    refuses_these_pictures,
)
from bot.engines.openai_lessons import Lessons
from bot.engines.openai_messages import BY, pictures_in, request, with_pictures, written
from bot.engines.openai_shapes import REFUSED, Trouble, answer_in, decoded, usage_in
from bot.engines.openai_stream import Assembly
from bot.model_ports import (
    Attempt,
    CannotSee,
    Completion,
    EndpointsPort,
    Message,
    ModelUnavailable,
    PromptRefused,
    PromptTooLong,
    Usage,
)
from bot.thinking.meter import count_further, settle_failed
from tools.definition import ToolDefinition

if TYPE_CHECKING:
    from bot.engines.openai_transport import Wire

ANSWER_TIMEOUT = 60.0
"""Seconds for one answer, its retry included: a thinking model's longest."""

ADAPTATIONS = 2
"""So often may one request be changed by what refuses it: more complaints than that are about something else."""

RETRIES = 1
RETRY_WAIT = (0.5, 1.0)
ANSWER_SECONDS = 5.0
"""A try is worth waiting for only if so much time is left for its answer."""

_IDLE_SHARE = 0.5
_UNREACHABLE = 503
_SPENT = frozenset({402, 429})
_LOOK_AT = {
    401: "OPENAI_API_KEY",
    403: "OPENAI_API_KEY and what it may use",
    404: "OPENAI_BASE_URL (it often ends in /v1) and OPENAI_MODEL",
}
"""What an operator has most likely set wrong where it is refused so."""

_REASON_CHARS = 200
_VARYING = re.compile(r"[\w-]*\d[\w-]*")
"""Numbers of requests and the like, by which two equal complaints differ."""

_KEY_SHAPE = re.compile(r"\b(sk|pk|key|bearer)[-_ ]\S+", re.IGNORECASE)

log = logging.getLogger(__name__)


class _NoConnection(Trouble):
    """Nothing came back, or not all; the code is the kind of error."""


@dataclass(slots=True)
class _Try:
    """One request while it is under way, for whoever observes."""

    sent: Request
    size: int = 0
    has_pictures: bool = False
    status: int | None = None
    came: Any = None
    usage: Usage = field(default_factory=Usage)
    error: str = ""
    adaptation: str = ""


@dataclass(slots=True)
class _Course:
    """What may still be done for one answer, and how it is asked for now."""

    dialect: Dialect
    adaptations: int = ADAPTATIONS
    retries: int = RETRIES
    complaint: str = ""


class OpenAIChat:
    """A ChatModelPort. One client serves the whole process; what an endpoint refuses is learned once and kept.

    ``timeout`` bounds a whole answer, one retry included, in seconds, and half of it the silence within a stream.
    ``pictures`` gives the ``data:`` address of a picture by the word that stands for it in a message. ``observe`` is
    told of every request that was made. ``sleep`` is how it waits before a retry.
    """

    def __init__(  # noqa: PLR0913 - an endpoint, how it is asked, and who looks on
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        timeout: float = ANSWER_TIMEOUT,
        stream: bool = False,
        endpoints: EndpointsPort | None = None,
        pictures: Callable[[str], str | None] = lambda _: None,
        observe: Callable[[Attempt], None] = lambda _: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._model = model
        self._timeout = timeout
        self._pictures = pictures
        self._observe = observe
        self._sleep = sleep
        self._host = urlsplit(base_url).hostname or base_url
        self._name = f"{_place(base_url)}/{model}"
        self._lessons = Lessons(self._name, endpoints, stream=stream)
        self._wire: Wire | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Import the SDK and build the client, in a thread. Whoever calls before this is done waits for it."""
        await self._connected()
        await self._lessons.recalled()

    async def close(self) -> None:
        """Close the client's connections, and wait until what was learned is kept."""
        async with self._starting:
            wire, self._wire = self._wire, None
        if wire:
            await wire.close()
        await self._lessons.close()

    @property
    def bytes_per_token(self) -> float:
        return self._lessons.bytes_per_token

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
        await self._lessons.recalled()
        course = _Course(self._lessons.dialect)
        if not course.dialect.pictures and pictures_in({"messages": messages}):
            raise CannotSee(f"{self._host}: {self._model} takes no pictures")
        while True:
            asked = request(self._model, course.dialect, self._name, messages, tools, may_call=may_call)
            with self._observed(asked) as this:
                try:
                    answer = await self._ask(this)
                except Trouble as trouble:
                    this.error = self._reason(trouble)
                    await settle_failed(this.usage)
                    wait = self._next(course, this, trouble, may_call=may_call, limit=limit)
                else:
                    self._lessons.keep(course.dialect)
                    return answer
            if wait:
                await self._sleep(wait)
            await count_further()

    # ── one request ───────────────────────────────────────────────────────────────────────────────────────────────

    async def _ask(self, this: _Try) -> Completion:
        """One request on the wire. Raises Trouble."""
        wire = await self._connected()
        try:
            this.sent, body = self._written(this)
        except (ValueError, TypeError, LookupError, RecursionError):
            raise ModelUnavailable(f"{self._host}: the request cannot be written") from None
        try:
            retry_after = await self._bring(wire, body, this)
        except ConnectionError as error:
            raise _NoConnection(_UNREACHABLE, code=str(error)) from None
        assert this.status is not None, "what was brought has a status"
        came = this.came if isinstance(this.came, dict) else {}
        this.usage = usage_in(came.get("usage"))
        answer = answer_in(this.status, came, retry_after)
        self._lessons.count(this.size, answer.usage.prompt)
        return replace(answer, message={**answer.message, BY: self._name})

    def _written(self, this: _Try) -> tuple[Request, bytes]:
        """The request as it may be told, and as it is sent: with its pictures, of which only the length is told. Of
        what these cost nothing is learned about words."""
        if not (words := pictures_in(this.sent)):
            sent, body = written(this.sent)
            this.size = len(body)
            return sent, body
        addresses = {each: address for each in words if (address := self._pictures(each))}
        _, body = written(with_pictures(this.sent, addresses))
        marks = {each: f"<image {len(addresses[each]) * 3 // 4000} kB>" for each in words}
        this.has_pictures = True
        return with_pictures(this.sent, marks), body

    async def _bring(self, wire: Wire, body: bytes, this: _Try) -> float | None:
        """The reply's status and what came, whole; the seconds that it asks to wait. Raises ConnectionError."""
        if "stream" not in this.sent:
            reply = await wire.post(body)
            this.status, this.came = reply.status, _readable(reply.body)
            return reply.retry_after
        assembly = Assembly()
        try:
            reply = await wire.stream(body, assembly.feed, self._timeout * _IDLE_SHARE)
        except ConnectionError:
            if not assembly.is_complete:
                raise
            this.status, this.came = 200, assembly.body()
            return None
        this.status, this.came = reply.status, _readable(reply.body) if reply.body else assembly.body()
        return reply.retry_after

    @contextmanager
    def _observed(self, asked: Request) -> Iterator[_Try]:
        """Tell of the request when it is over, however it ends. An observer that fails fails alone."""
        this, start = _Try(asked), time.monotonic()
        try:
            yield this
        except asyncio.CancelledError:
            this.error = "cancelled: it took too long"
            raise
        except ModelUnavailable as unavailable:
            this.error = unavailable.reason
            raise
        finally:
            self._tell(this, time.monotonic() - start)

    def _tell(self, this: _Try, seconds: float) -> None:
        attempt = Attempt(
            engine=self._name,
            sent=this.sent,
            status=this.status,
            came=this.came,
            usage=this.usage,
            seconds=seconds,
            error=this.error,
            adaptation=this.adaptation,
        )
        try:
            self._observe(attempt)
        except Exception:
            log.exception("an attempt could not be recorded")

    # ── after trouble ─────────────────────────────────────────────────────────────────────────────────────────────

    def _next(self, course: _Course, this: _Try, trouble: Trouble, *, may_call: bool, limit: asyncio.Timeout) -> float:
        """How to go on: the course is changed, or stays what it is; seconds to wait before. Raises ModelUnavailable."""
        complaint = _VARYING.sub("", trouble.said)
        if complaint != course.complaint:  # what was learned so far helped, though it was not all
            self._lessons.keep(course.dialect)
        if trouble.too_long:
            self._lessons.count(this.size, trouble.tokens)
            raise PromptTooLong(self._reason(trouble)) from None
        if this.has_pictures:
            self._look_for_blindness(course, this, trouble)
        dialect = learned(course.dialect, this.sent, trouble, may_call=may_call)
        if dialect and course.adaptations:
            this.adaptation = ", ".join(f"{name}={new}" for name, new in difference(course.dialect, dialect).items())
            course.dialect, course.complaint = dialect, complaint
            course.adaptations -= 1
            return 0
        if course.retries and trouble.may_pass and (wait := _wait(trouble, limit)) is not None:
            course.retries -= 1
            return wait
        refused = trouble.status in REFUSED
        raise (PromptRefused if refused else ModelUnavailable)(self._reason(trouble)) from None

    def _look_for_blindness(self, course: _Course, this: _Try, trouble: Trouble) -> None:
        """Raises CannotSee where it is the pictures that are refused: for ever, or these alone."""
        if not refuses_these_pictures(trouble):
            if not refuses_pictures(trouble):
                return
            this.adaptation = "pictures=False"
            self._lessons.keep(replace(course.dialect, pictures=False))
        raise CannotSee(self._reason(trouble)) from None

    async def _connected(self) -> Wire:
        if self._wire is None:
            async with self._starting:
                if self._wire is None:
                    self._wire = await asyncio.to_thread(_connect, self._base_url, self._api_key, self._timeout)
        return self._wire

    def _reason(self, trouble: Trouble) -> str:
        """For the operator: where, what, where to look, and no secret. An endpoint's own sentence is told only if it
        names no code; some repeat the key, or what the person wrote."""
        said = (trouble.code or trouble.message)[:_REASON_CHARS]
        if self._api_key:
            said = said.replace(self._api_key, "***")
        said = _KEY_SHAPE.sub("***", said)
        if isinstance(trouble, _NoConnection):
            return f"{self._host}: no connection ({said})"
        status = f"HTTP {trouble.status} {said}".rstrip()
        if trouble.status in _SPENT and not trouble.may_pass:
            return f"{self._host}: the quota is spent ({status}): look at the provider's billing page"
        place = _LOOK_AT.get(trouble.status)
        return f"{self._host}: the model refuses ({status}): look at {place}" if place else f"{self._host}: {status}"


def _connect(base_url: str, api_key: str, timeout: float) -> Wire:
    from bot.engines.openai_transport import Wire

    return Wire(base_url, api_key, timeout)


def _place(base_url: str) -> str:
    """The host, with its port if one is named, and the path but for its usual end: at home several endpoints share a
    host, behind a gateway a port too."""
    parts = urlsplit(base_url)
    return parts.netloc.rpartition("@")[2] + parts.path.rstrip("/").removesuffix("/v1") or base_url


def _readable(body: bytes) -> Any:
    """The JSON object in a reply, or its text."""
    return decoded(body) or body.decode(errors="replace")


def _wait(trouble: Trouble, limit: asyncio.Timeout) -> float | None:
    """Seconds to wait before trying again, or None if no time would be left for an answer."""
    wait = random.uniform(*RETRY_WAIT) if trouble.retry_after is None else trouble.retry_after  # noqa: S311 - jitter
    end = limit.when()
    assert end is not None, "this limit always has an end"
    return wait if asyncio.get_running_loop().time() + wait + ANSWER_SECONDS <= end else None
