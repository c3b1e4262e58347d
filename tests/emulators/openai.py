"""An OpenAI-compatible endpoint on a loopback port, as strict as the strictest of them, with scripted answers.

It refuses whatever one of the known endpoints refuses, so that a request it takes is one that all of them take. Rules:
https://platform.openai.com/docs/api-reference/chat/create and the public reports of compatible servers.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from openai.types.chat import ChatCompletion
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tests.serving import served

KEY = "sk-emulator-0123456789abcdef"
MODEL = "gpt-emulated"

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PARAMETERS = frozenset(CompletionCreateParamsNonStreaming.__annotations__)

Json = dict[str, Any]
Step = Response | Callable[[Json], Awaitable[Response]]
Rule = Callable[[Json], str | None]
"""A request to what is wrong with it, as the endpoint says it; None if nothing is."""


class Refusal(Exception):
    """A request that the endpoint does not take."""

    def __init__(self, message: str, param: str = "messages", code: str = "invalid_value", status: int = 400) -> None:
        super().__init__(message)
        self.status = status
        self.error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def body(message: Json, finish: str = "stop", **more: Any) -> Json:
    """A whole answer in the official shape."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish, "logprobs": None}
    usage = {"prompt_tokens": 120, "completion_tokens": 7, "total_tokens": 127}
    return {
        "id": "chatcmpl-emulated",
        "object": "chat.completion",
        "created": 1_796_000_000,
        "model": MODEL,
        "choices": [choice],
        "usage": usage,
        **more,
    }


def official(answer: Json) -> Response:
    """An answer that the official package's own types accept."""
    ChatCompletion.model_validate(answer, strict=True)
    return JSONResponse(answer)


def says(text: str, **unknown: Any) -> Response:
    return official(body({"content": text, "refusal": None, **unknown}))


def asks(*calls: tuple[str, str], **unknown: Any) -> Response:
    """Asks for tools: (name, arguments as JSON text) each."""
    entries = [call(f"call_{number}", *each) for number, each in enumerate(calls)]
    return official(body({"content": None, "refusal": None, "tool_calls": entries, **unknown}, "tool_calls"))


def call(call_id: Any, name: Any, arguments: Any) -> Json:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def odd(message: Json, finish: Any = "tool_calls", **more: Any) -> Response:
    """An answer in the shape of some endpoint that is not the official one."""
    return JSONResponse(body(message, finish, **more))


def error(status: int, code: str | None, message: str = "", param: str | None = None, **headers: str) -> Response:
    told = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return JSONResponse({"error": told}, status, headers=named)


def rate_limited(retry_after: str = "1") -> Response:
    return error(429, "rate_limit_exceeded", "Rate limit reached", retry_after=retry_after)


def out_of_quota() -> Response:
    return error(429, "insufficient_quota", "You exceeded your current quota", retry_after="1")


def page(status: int) -> Response:
    """A proxy's page of HTML."""
    return Response("<html><body>Bad gateway</body></html>", status, media_type="text/html")


def raw(content: bytes, status: int = 200) -> Response:
    return Response(content, status, media_type="application/json")


class Cut(Response):
    """Announces a body, sends a part of it, and breaks the connection."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5000")]})
        await send({"type": "http.response.body", "body": b'{"choices": [', "more_body": False})


class Slow(Response):
    """Says nothing until the client goes away."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass


# ── the endpoint ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class OpenAI:
    """The endpoint and what it was asked. ``script`` it, use it, ``check`` it."""

    url: str = ""
    requests: list[Json] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    refusals: list[Json] = field(default_factory=list)
    unexpected: list[Json] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)

    def script(self, *steps: Step) -> None:
        """Answer the next requests with these, one each. A request that is refused uses none."""
        self.steps.extend(steps)

    def refuse(self, rule: Rule) -> None:
        """Be pickier, as some endpoints are."""
        self.rules.append(rule)

    def reset(self) -> None:
        for each in (self.requests, self.headers, self.refusals, self.unexpected, self.steps, self.rules):
            each.clear()

    def check(self) -> None:
        """Fail unless every step was used, nothing else was asked, and only its own picky rules refused anything."""
        assert not self.unexpected, f"unexpected requests: {self.unexpected}"
        assert not self.steps, f"{len(self.steps)} steps of the script were not used"
        assert not self.refusals, f"refused requests: {self.refusals}"

    async def answer(self, request: Request) -> Response:
        asked = await request.body()
        try:
            wanted = read_request(dict(request.headers), asked)
        except Refusal as refusal:
            self.refusals.append(refusal.error)
            return JSONResponse({"error": refusal.error}, refusal.status)
        self.requests.append(wanted)
        self.headers.append(dict(request.headers))
        for rule in self.rules:
            if problem := rule(wanted):
                return error(400, None, problem)
        if not self.steps:
            self.unexpected.append(wanted)
            return error(404, "unexpected_request", "the script has no answer to this")
        step = self.steps.pop(0)
        return step if isinstance(step, Response) else await step(wanted)


def application(endpoint: OpenAI) -> Starlette:
    return Starlette(routes=[Route("/v1/chat/completions", endpoint.answer, methods=["POST"])])


@asynccontextmanager
async def serving() -> AsyncIterator[OpenAI]:
    """The endpoint on a free loopback port, until the block ends."""
    endpoint = OpenAI()
    async with served(application(endpoint)) as address:
        endpoint.url = f"{address}/v1"
        yield endpoint


# ── what it takes ─────────────────────────────────────────────────────────────────────────────────────────────────


def read_request(headers: dict[str, str], raw_body: bytes) -> Json:
    """The request, if every known endpoint would take it. Raises Refusal."""
    if headers.get("authorization") != f"Bearer {KEY}":
        raise Refusal("Incorrect API key provided: sk-emu***cdef.", "", "invalid_api_key", 401)
    try:
        asked: Json = json.loads(raw_body)
        json.dumps(asked, ensure_ascii=False).encode()
    except ValueError:
        raise Refusal("We could not parse the JSON body of your request.", "") from None
    for name in asked.keys() - _PARAMETERS:
        raise Refusal(f"Unrecognized request argument supplied: {name}", name, "unknown_parameter")
    if asked.get("model") != MODEL:
        raise Refusal("The model does not exist or you do not have access to it.", "model", "model_not_found", 404)
    _check_tools(asked)
    _check_messages(asked.get("messages"))
    return asked


def _check_tools(asked: Json) -> None:
    if "tools" not in asked:
        if "tool_choice" in asked:
            raise Refusal("'tool_choice' is only allowed when 'tools' are specified.", "tool_choice")
        return
    if not asked["tools"]:
        raise Refusal("[] is too short - 'tools'", "tools")
    for number, each in enumerate(asked["tools"]):
        function = each.get("function", {})
        if each.get("type") != "function" or not _NAME.fullmatch(function.get("name", "")):
            raise Refusal(f"Invalid 'tools[{number}]'", "tools")
        if function.get("parameters", {}).get("type") != "object":
            raise Refusal(f"Invalid schema for function {function['name']}", f"tools[{number}].function.parameters")


def _check_messages(messages: Any) -> None:
    if not isinstance(messages, list) or not messages:
        raise Refusal("[] is too short - 'messages'")
    owed: list[str] = []
    for number, each in enumerate(messages):
        owed = _check_message(each, owed, f"messages[{number}]")
    if owed:
        raise Refusal(f"tool_call_ids without response: {owed}")


def _check_message(message: Json, owed: list[str], place: str) -> list[str]:
    """The ids that must be answered next, after this message. Raises Refusal."""
    role = message.get("role")
    if owed and role != "tool":
        raise Refusal(f"{place}: tool_call_ids without response: {owed}")
    if "content" not in message:
        raise Refusal(f"Missing required parameter: '{place}.content'")
    if role == "assistant":
        return _check_assistant(message, place)
    if role not in {"system", "developer", "user", "tool"}:
        raise Refusal(f"Invalid value: {role!r}", f"{place}.role")
    _check_text(message["content"], place)
    if role != "tool":
        return []
    if message.get("tool_call_id") not in owed:
        raise Refusal(f"{place}: 'tool' must be a response to a preceding message with 'tool_calls'")
    return [each for each in owed if each != message["tool_call_id"]]


def _check_text(content: Any, place: str) -> None:
    if not isinstance(content, str) or not content:
        raise Refusal(f"Invalid '{place}.content': expected text that is not empty")


def _check_assistant(message: Json, place: str) -> list[str]:
    """The ids of the calls that must be answered next. Raises Refusal."""
    if "tool_calls" not in message:
        if not isinstance(message["content"], list):
            _check_text(message["content"], place)
        return []
    calls = message["tool_calls"]
    if not calls:
        raise Refusal(f"[] is too short - '{place}.tool_calls'")
    for each in calls:
        _check_call(each, f"{place}.tool_calls")
    ids = [each["id"] for each in calls]
    if len(set(ids)) < len(ids):
        raise Refusal(f"Duplicate value for 'tool_call_id' in {place}")
    return ids


def _check_call(call: Json, place: str) -> None:
    function = call.get("function", {})
    call_id = call.get("id")
    if not isinstance(call_id, str) or not 0 < len(call_id) <= 64:
        raise Refusal(f"Invalid '{place}.id'")
    if call.get("type") != "function" or not _NAME.fullmatch(function.get("name") or ""):
        raise Refusal(f"Invalid '{place}.function.name'")
    try:
        is_object = isinstance(json.loads(function.get("arguments")), dict)
    except (TypeError, ValueError):
        is_object = False
    if not is_object:
        raise Refusal(f"Invalid '{place}.function.arguments': expected the text of a JSON object")


def texts(messages: Sequence[Json], role: str) -> list[str]:
    """What was said by one role, in order."""
    return [each["content"] for each in messages if each["role"] == role]
