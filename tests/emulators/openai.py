"""An OpenAI-compatible endpoint on a loopback port, as strict as the strictest of them, with scripted answers.

It refuses whatever one of the known endpoints refuses, so that a request it takes is one that all of them take. Rules:
https://platform.openai.com/docs/api-reference/chat/create and the public reports of compatible servers.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any

from openai.types.chat import ChatCompletion
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tests.serving import served

KEY = "sk-emulator-0123456789abcdef"
MODEL = "gpt-emulated"

EARS = "whisper-1"
"""The model that writes down what is said."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_DATA_URL = re.compile(r"data:image/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/]+=*)")
_SOUNDS = re.compile(r".+\.(flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)", re.IGNORECASE)
_MOST_SOUND = 25 * 1024 * 1024
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


def error(
    status: int, code: str | None, message: str = "", param: str | None = None, *, retry_after: str = "", **more: Any
) -> Response:
    kind = "invalid_request_error" if status < 500 else "server_error"
    told = {"message": message, "type": kind, "param": param, "code": code, **more}
    return JSONResponse({"error": told}, status, headers={"retry-after": retry_after} if retry_after else None)


def rate_limited(retry_after: str = "1") -> Response:
    return error(429, "rate_limit_exceeded", "Rate limit reached", retry_after=retry_after)


def out_of_quota() -> Response:
    return error(429, "insufficient_quota", "You exceeded your current quota", retry_after="1")


def page(status: int) -> Response:
    """A proxy's page of HTML."""
    return Response("<html><body>Bad gateway</body></html>", status, media_type="text/html")


def raw(content: bytes, status: int = 200) -> Response:
    return Response(content, status, media_type="application/json")


def chunk(delta: Json, finish: Any = None, **more: Any) -> Json:
    """One piece of a streamed answer in the official shape."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return {"id": "chatcmpl-emulated", "object": "chat.completion.chunk", "model": MODEL, "choices": [choice], **more}


def begun(call_id: Any, name: Any, arguments: Any = "", **more: Any) -> Json:
    """The first piece of a call."""
    return {**call(call_id, name, arguments), **more}


def counted(prompt: int = 120, completion: int = 7) -> Json:
    """The last chunk of a stream: no choice, only usage."""
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return {"id": "chatcmpl-emulated", "object": "chat.completion.chunk", "model": MODEL, "choices": [], "usage": usage}


def event(data: Json | str) -> bytes:
    """One event of a stream, as the official endpoint writes it."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


def streams(*chunks: Json | str | bytes, done: bool = True) -> Response:
    """A streamed answer: chunks, or the bytes of some event that is not official."""
    events = [each if isinstance(each, bytes) else event(each) for each in chunks]
    return Response(b"".join([*events, event("[DONE]") if done else b""]), media_type="text/event-stream")


def streams_calls(*deltas: list[Json]) -> Response:
    """A streamed answer with calls: each list is the ``tool_calls`` of one chunk."""
    chunks = [chunk({"tool_calls": each}) for each in deltas]
    return streams(chunk({"role": "assistant", "content": None}), *chunks, chunk({}, "tool_calls"), counted())


def in_pieces(answer: Json) -> Response:
    """A whole answer as its endpoint would have streamed it; one without a message is one event."""
    choice = (answer.get("choices") or [{}])[0]
    if not isinstance(message := choice.get("message"), dict):
        return streams(answer)
    rest = {name: value for name, value in message.items() if name not in {"content", "tool_calls"}}
    deltas: list[Json] = [{**rest, "content": None}]
    if isinstance(content := message.get("content"), str):
        deltas += [{"content": content[start : start + 7]} for start in range(0, len(content), 7)]
    for index, each in enumerate(message.get("tool_calls") or []):
        deltas += [{"tool_calls": [{**part, "index": index}]} for part in _parts(each)]
    chunks = [chunk(each) for each in deltas]
    return streams(*chunks, chunk({}, choice["finish_reason"]), {**counted(), "usage": answer.get("usage")})


def _parts(entry: Json) -> list[Json]:
    """A call in two halves of its arguments, where these are text."""
    arguments = entry["function"]["arguments"]
    if not isinstance(arguments, str):
        return [entry]
    half = len(arguments) // 2
    first = {**entry, "function": {**entry["function"], "arguments": arguments[:half]}}
    return [first, {"function": {"arguments": arguments[half:]}}]


class Endless(Response):
    """A stream that says something, then nothing, and is never closed."""

    def __init__(self, *chunks: Json) -> None:
        super().__init__()
        self._chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        for each in self._chunks:
            await send({"type": "http.response.body", "body": event(each), "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass


class CutStream(Response):
    """A stream whose connection breaks after some chunks."""

    def __init__(self, *chunks: Json) -> None:
        super().__init__()
        self._chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"50000")]})
        body = b"".join(map(event, self._chunks))
        await send({"type": "http.response.body", "body": body, "more_body": False})


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
    voices: list[Json] = field(default_factory=list)
    """What was uploaded to be written down: model, name, type and bytes."""
    heard: list[Response] = field(default_factory=list)
    """What is answered to the next uploads, one each; without any the endpoint has no ears."""
    pieces: bool = False
    """Whether a request for a stream is answered by one; else by what the script says, as it is."""

    def script(self, *steps: Step) -> None:
        """Answer the next requests with these, one each. A request that is refused uses none."""
        self.steps.extend(steps)

    def refuse(self, rule: Rule) -> None:
        """Be pickier, as some endpoints are."""
        self.rules.append(rule)

    def reset(self) -> None:
        for each in (
            self.voices,
            self.heard,
            self.requests,
            self.headers,
            self.refusals,
            self.unexpected,
            self.steps,
            self.rules,
        ):
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
        response = step if isinstance(step, Response) else await step(wanted)
        if self.pieces and wanted.get("stream") and isinstance(response, JSONResponse) and response.status_code == 200:
            return in_pieces(json.loads(response.body))
        return response

    async def hear(self, request: Request) -> Response:
        """https://platform.openai.com/docs/api-reference/audio/createTranscription"""
        if not self.heard:
            return JSONResponse({"detail": "Not Found"}, 404)
        try:
            self.voices.append(read_upload(dict(request.headers), await request.body()))
        except Refusal as refusal:
            self.refusals.append(refusal.error)
            return JSONResponse({"error": refusal.error}, refusal.status)
        return self.heard.pop(0)


def hears(text: str) -> Response:
    """What was said, written down."""
    return JSONResponse({"text": text, "usage": {"type": "duration", "seconds": 3}})


def application(endpoint: OpenAI) -> Starlette:
    routes = [("/v1/chat/completions", endpoint.answer), ("/v1/audio/transcriptions", endpoint.hear)]
    return Starlette(routes=[Route(path, answer, methods=["POST"]) for path, answer in routes])


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


def read_upload(headers: dict[str, str], raw_body: bytes) -> Json:
    """The voice that is to be written down. Raises Refusal."""
    if headers.get("authorization") != f"Bearer {KEY}":
        raise Refusal("Incorrect API key provided: sk-emu***cdef.", "", "invalid_api_key", 401)
    form = BytesParser(policy=HTTP).parsebytes(
        b"Content-Type: %s\r\n\r\n" % headers["content-type"].encode() + raw_body
    )
    if not form.is_multipart():
        raise Refusal("Could not parse multipart form", "")
    parts = {each.get_param("name", header="content-disposition"): each for each in form.iter_parts()}
    if unknown := parts.keys() - {"file", "model", "language", "prompt", "response_format", "temperature"}:
        raise Refusal(f"Unrecognized request argument supplied: {unknown.pop()}", "", "unknown_parameter")
    if parts["model"].get_payload() != EARS:
        raise Refusal("The model does not exist or you do not have access to it.", "model", "model_not_found", 404)
    name, sound = parts["file"].get_filename() or "", parts["file"].get_payload(decode=True)
    if not _SOUNDS.fullmatch(name) or not isinstance(sound, bytes) or len(sound) < 16:
        raise Refusal("Invalid file format. Supported formats: flac, m4a, mp3, …", "file")
    if len(sound) > _MOST_SOUND:
        raise Refusal("Maximum content size limit (26214400) exceeded", "", "", 413)
    return {"model": EARS, "name": name, "type": parts["file"].get_content_type(), "sound": sound}


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
    if "by" in message:
        raise Refusal(f"Unrecognized field: '{place}.by'")
    if owed and role != "tool":
        raise Refusal(f"{place}: tool_call_ids without response: {owed}")
    if "content" not in message:
        raise Refusal(f"Missing required parameter: '{place}.content'")
    if role == "assistant":
        return _check_assistant(message, place)
    if role not in {"system", "developer", "user", "tool"}:
        raise Refusal(f"Invalid value: {role!r}", f"{place}.role")
    _check_content(message, place)
    if role != "tool":
        return []
    if message.get("tool_call_id") not in owed:
        raise Refusal(f"{place}: 'tool' must be a response to a preceding message with 'tool_calls'")
    return [each for each in owed if each != message["tool_call_id"]]


def _check_content(message: Json, place: str) -> None:
    if message["role"] == "user" and isinstance(message["content"], list):
        _check_parts(message["content"], place)
    else:
        _check_text(message["content"], place)


def _check_parts(parts: list[Any], place: str) -> None:
    """Words and pictures: https://platform.openai.com/docs/guides/images-vision"""
    if not parts:
        raise Refusal(f"[] is too short - '{place}.content'")
    for number, part in enumerate(parts):
        match part:
            case {"type": "text", "text": str() as text, **rest} if text and not rest:
                pass
            case {"type": "image_url", "image_url": {"url": str() as url, **options}, **rest} if not rest:
                if options.keys() - {"detail"}:
                    raise Refusal(f"Unrecognized field in '{place}.content[{number}].image_url'")
                _check_picture(url, f"{place}.content[{number}].image_url")
            case _:
                raise Refusal(f"Invalid value: '{place}.content[{number}]'")


def _check_picture(url: str, place: str) -> None:
    found = _DATA_URL.fullmatch(url)
    if not found:
        raise Refusal("Failed to download image: expected a base64-encoded data URL.", place, "invalid_image_url")
    try:
        with Image.open(io.BytesIO(base64.b64decode(found[2], validate=True))) as picture:
            picture.load()
            kind = picture.format
    except (ValueError, OSError):
        raise Refusal("You uploaded an unsupported image.", place, "image_parse_error") from None
    if kind != found[1].upper():
        raise Refusal("The image data you provided does not represent a valid image.", place, "invalid_base64_image")


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
