"""Chat Completions as endpoints really speak it: requests in an endpoint's dialect, answers of every known shape.

Pure. Shapes: https://platform.openai.com/docs/api-reference/chat. Must not know the network, waiting or the tool loop.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic_core import to_json

from bot.conversation import scrubbed
from bot.model_ports import Completion, Finish, Message, ToolCall, Usage
from bot.tool_arguments import canonical, parse_arguments
from tools.definition import ToolDefinition, ToolError

Request = dict[str, Any]

_OK = range(200, 300)
_UNREADABLE = 502
_RATE_LIMIT = 429
_REFUSED = frozenset({400, 422})
_NOT_NOW = frozenset({408, 409})
_SERVER_FAULT = 500
_PARAMETER_CODES = frozenset({"unsupported_parameter", "unsupported_value", "unknown_parameter", "invalid_value"})
_SPENT = re.compile(r"insufficient_quota|insufficient_balance|billing", re.IGNORECASE)
_NO_TOOLS = re.compile(r"\btools?\b|\bfunctions?\b|\bfunction.?call", re.IGNORECASE)
_STATUS = re.compile(r"[45][0-9]{2}")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_NAME_LENGTH = 64

_FINISHES: Mapping[str, Finish] = {
    **dict.fromkeys(("", "stop", "end_turn", "eos", "eos_token", "stop_sequence", "complete", "completed"), "stop"),
    **dict.fromkeys(("tool_calls", "tool_call", "tool_use", "function_call"), "tool_calls"),
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), "length"),
    **dict.fromkeys(("content_filter", "content_filtered", "safety", "prohibited_content"), "content_filter"),
    "refusal": "refusal",
}

_ANSWERS: Mapping[str, Finish] = {"tool_use_failed": "error", "content_filter": "content_filter"}
"""Refusals that are about what the model wrote or was shown, not about the request: they count as its answer."""


class Trouble(Exception):
    """A reply without an answer. ``status`` is the HTTP status, or what the body says it should have been;
    ``retry_after`` is in seconds."""

    def __init__(
        self, status: int, *, code: str = "", param: str = "", message: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.param = param
        self.message = message
        self.retry_after = retry_after

    @property
    def may_pass(self) -> bool:
        """Whether the same request may well succeed a moment later: with a spent quota or a wrong key it will not."""
        if self.status == _RATE_LIMIT:
            return not _SPENT.search(self.code)
        return self.status in _NOT_NOW or self.status >= _SERVER_FAULT


# ── asking ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one model at one endpoint takes. The defaults are the common tongue; the rest is learned from refusals."""

    tool_choice: bool = True
    tools_in_last_word: bool = True
    reasoning_effort: Literal["none"] | None = None
    blank_content: Literal["as it was", "null", "empty"] = "as it was"


def request(
    model: str, dialect: Dialect, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool
) -> Request:
    """As little as can be said: what is not sent cannot be refused. The last word keeps its tools (the endpoint's cache
    and the check of earlier calls want them) and says that none may be called."""
    if not may_call and not dialect.tools_in_last_word:
        return {"model": model, "messages": list(_flat(messages))}
    asked: Request = {"model": model, "messages": [_outgoing(each, dialect) for each in messages]}
    if tools:
        asked["tools"] = [_tool(each) for each in tools]
        if not may_call and dialect.tool_choice:
            asked["tool_choice"] = "none"
        if dialect.reasoning_effort:
            asked["reasoning_effort"] = dialect.reasoning_effort
    return asked


def learned(dialect: Dialect, asked: Request, trouble: Trouble, *, may_call: bool) -> Dialect | None:
    """The dialect that a refusal teaches, or None if it teaches nothing."""
    if trouble.status not in _REFUSED:
        return None
    about = f"{trouble.param} {trouble.message}".lower()
    if "tool_choice" in asked and "tool_choice" in about:
        return replace(dialect, tool_choice=False)
    if "tools" in asked and "reasoning_effort" in about and "reasoning_effort" not in asked:
        return replace(dialect, reasoning_effort="none")
    if "content" in about and (blank := _other_blank(asked)):
        return replace(dialect, blank_content=blank)
    if "tools" in asked and not may_call and _NO_TOOLS.search(about):
        return replace(dialect, tools_in_last_word=False)
    return None


def _tool(tool: ToolDefinition) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _outgoing(message: Message, dialect: Dialect) -> Message:
    if not message.get("tool_calls"):
        return message
    calls = [{**each, "function": _echo(each["function"])} for each in message["tool_calls"]]
    content = message.get("content")
    if not content and dialect.blank_content != "as it was":
        content = None if dialect.blank_content == "null" else ""
    return {**message, "content": content, "tool_calls": calls}


def _echo(function: dict[str, Any]) -> dict[str, Any]:
    """The call as it goes back. Endpoints read the arguments again, so they are always the text of one object."""
    sent = function["arguments"]
    try:
        arguments = parse_arguments(sent)
    except ToolError:
        return {**function, "arguments": "{}"}
    is_plain = isinstance(sent, str) and sent.lstrip().startswith("{") and _is_json(sent)
    return function if is_plain else {**function, "arguments": canonical(arguments)}


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _other_blank(asked: Request) -> Literal["null", "empty"] | None:
    """The other way to say that a message with calls has no text, if the request said it in one way."""
    contents = [each["content"] for each in asked["messages"] if each.get("tool_calls")]
    if None in contents:
        return "empty"
    return "null" if "" in contents else None


def _flat(messages: Sequence[Message]) -> Iterator[Message]:
    """The conversation in words alone, for an endpoint that does not know tools: calls and results become text."""
    for message in messages:
        if message["role"] == "tool":
            yield {"role": "user", "content": f"[tool result] {message['content']}"}
        elif calls := message.get("tool_calls"):
            named = ", ".join(f"{each['function']['name']}({each['function']['arguments']})" for each in calls)
            yield {"role": "assistant", "content": f"{_text(message.get('content'))}[called {named}]"}
        else:
            yield message


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────


def read(status: int, raw: bytes, retry_after: float | None = None) -> Completion:
    """The answer in a reply. Raises Trouble if there is none in it."""
    body = _object(raw)
    choice = _choice(body) if status in _OK else None
    if choice is not None:
        return _completion(choice, body.get("usage"))
    trouble = _trouble(status, body, retry_after)
    if trouble.code in _ANSWERS:
        return Completion({"role": "assistant", "content": ""}, finish=_ANSWERS[trouble.code])
    raise trouble


def _object(raw: bytes) -> dict[str, Any]:
    """The JSON object in a body; empty for a page of HTML, half an object, nesting too deep to be sent back."""
    try:
        body = json.loads(raw, parse_constant=lambda _: None)
        clean = scrubbed(body) if isinstance(body, dict) else {}
        to_json(clean)  # what it refuses could not be sent back either
    except (ValueError, RecursionError):
        return {}
    return clean


def _choice(body: Mapping[str, Any]) -> dict[str, Any] | None:
    choices = _list(body.get("choices"))
    first = choices[0] if choices else None
    return first if isinstance(first, dict) and isinstance(first.get("message"), dict) else None


def _completion(choice: Mapping[str, Any], usage: Any) -> Completion:
    message = choice["message"]
    sent = _list(message.get("tool_calls"))
    entries = [entry for entry in map(_named, sent) if entry]
    text, finish = _text(message.get("content")), _finish(choice.get("finish_reason"))
    refusal = _text(message.get("refusal"))
    if refusal and not text.strip():
        text, finish = refusal, "refusal"
    elif sent and not entries:
        finish = "error"
    return Completion({**message, "tool_calls": entries}, text, tuple(map(_call, entries)), finish, _usage(usage))


def _trouble(status: int, body: Mapping[str, Any], retry_after: float | None) -> Trouble:
    """What a reply without an answer says. A number as code is the status that was meant, if there was no other; a
    parameter that is refused with status 500 is still refused."""
    error = body.get("error", body)
    if not isinstance(error, dict):
        error = {"message": error}
    code, kind, param, message = (str(error.get(name) or "") for name in ("code", "type", "param", "message"))
    is_status = _STATUS.fullmatch(code) is not None
    if status in _OK:
        status = int(code) if is_status else _UNREADABLE
    if is_status or not code:
        code = kind
    if status >= _SERVER_FAULT and (param or code in _PARAMETER_CODES):
        status = min(_REFUSED)
    return Trouble(status, code=code, param=param, message=message, retry_after=retry_after)


def _named(entry: Any) -> dict[str, Any] | None:
    """One call, with a name that can be sent back; None if it has none. Some models let their own marks run into it."""
    function = entry.get("function") if isinstance(entry, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return None
    name = _NOT_IN_NAMES.sub("_", function["name"].split("<|")[0].removeprefix("functions."))[:_NAME_LENGTH]
    return {**entry, "function": {**function, "name": name}} if name else None


def _call(entry: Mapping[str, Any]) -> ToolCall:
    call_id = entry.get("id")
    function = entry["function"]
    return ToolCall(call_id if isinstance(call_id, str) else "", function["name"], function.get("arguments"))


def _text(content: Any) -> str:
    """The words of a message: text, or the text among its parts."""
    if isinstance(content, str):
        return content
    parts = [each.get("text") if isinstance(each, dict) else each for each in _list(content)]
    return "".join(each for each in parts if isinstance(each, str))


def _finish(reason: Any) -> Finish:
    return _FINISHES.get(str(reason or "").lower(), "error")


def _usage(usage: Any) -> Usage:
    counts = usage if isinstance(usage, dict) else {}
    prompt, completion = counts.get("prompt_tokens"), counts.get("completion_tokens")
    return Usage(prompt if isinstance(prompt, int) else 0, completion if isinstance(completion, int) else 0)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
