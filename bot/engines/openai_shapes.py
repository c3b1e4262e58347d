"""Answers of Chat Completions endpoints, in every shape they are known to come in: to one Completion, or a Trouble.

Pure. Shapes: https://platform.openai.com/docs/api-reference/chat. Must not know how an answer was brought, how a
request is written, or the tool loop.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json, to_json

from bot.model_ports import Completion, Finish, ToolCall, Usage
from bot.thinking.conversation import scrubbed

Body = dict[str, Any]

UNREADABLE = 502
"""The status of a reply that says it is well and holds no answer."""

REFUSED = frozenset({400, 422})
"""What a request is refused with for what it says."""

_OK = range(200, 300)
_RATE_LIMIT = 429
_TOO_LARGE = 413
_NOT_NOW = frozenset({408, 409})
_SERVER_FAULT = 500
_MOST_TOKENS = 10**9
_FAULT_CHARS = 300

_PARAMETER_CODES = frozenset({"unsupported_parameter", "unsupported_value", "unknown_parameter", "invalid_value"})
_REFUSAL = re.compile(r"unsupported (parameter|value)|unrecognized request argument|unknown parameter", re.IGNORECASE)
_SPENT_CODES = re.compile(r"quota|balance|billing|arrear|credit|payment", re.IGNORECASE)
_SPENT_WORDS = re.compile(
    r"\bbalance\b|\bcredits?\b|余额|欠费|hard limit|billing limit|monthly (spend|usage)"
    r"|^(?!.*retry in).*plan and billing",  # the same sentence with a time to retry is about a rate
    re.IGNORECASE | re.DOTALL,
)
_TOO_LONG = re.compile(
    r"context.?length|context.?size|context.?window|prompt.{0,20} too long|input.{0,20} too (long|large)"
    r"|request too large|range of input length|maximum (prompt|input) (length|tokens)|input token count"
    r"|reduce the length|(longer|larger) than the (model|maximum|context)|too many (input |prompt )?tokens"
    r"|string_above_max_length",
    re.IGNORECASE,
)
_MORE_THAN_A_RATE = re.compile(r"request too large", re.IGNORECASE)
"""Of a request that is more than all that one minute gives, a later try takes no less."""

_COUNTED = re.compile(
    r"(?:resulted in|requested|contains at least|contains|input token count \(|too long:|the input \()\s*(\d{3,9})"
    r"|(\d{3,9}) tokens? (?:in the (?:messages|prompt)|>)",
    re.IGNORECASE,
)
_STATUS = re.compile(r"[45][0-9]{2}")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_NAME_LENGTH = 64

_FILTERS = ("content_filter", "content_filtered", "safety", "prohibited_content", "blocklist", "spii", "recitation")
_LENGTHS = ("length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded")

_FINISHES: Mapping[str, Finish] = {
    **dict.fromkeys(("", "stop", "end_turn", "eos", "eos_token", "stop_sequence", "complete", "completed"), "stop"),
    **dict.fromkeys(("tool_calls", "tool_call", "tool_use", "function_call"), "tool_calls"),
    **dict.fromkeys(_LENGTHS, "length"),
    **dict.fromkeys((*_FILTERS, "sensitive"), "content_filter"),
    "refusal": "refusal",
}

_KEPT_BACK = re.compile(
    r"tool call validation failed|attempted to call tool|failed to call a function|did not match schema", re.IGNORECASE
)
"""Refusals of what the model wrote, by endpoints that check its calls themselves."""


class Trouble(Exception):
    """A reply without an answer. ``status`` is the HTTP status, or what the body says it should have been;
    ``retry_after`` is in seconds, ``tokens`` how many the endpoint counted in a request that was too long, or 0."""

    def __init__(
        self,
        status: int,
        *,
        code: str = "",
        param: str = "",
        message: str = "",
        retry_after: float | None = None,
        tokens: int = 0,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.param = param
        self.message = message
        self.retry_after = retry_after
        self.tokens = tokens

    @property
    def said(self) -> str:
        """All of its words."""
        return f"{self.code} {self.param} {self.message}"

    @property
    def too_long(self) -> bool:
        """Whether with a shorter request it might have been answered."""
        if self.status == _TOO_LARGE:
            return True
        too_long = _MORE_THAN_A_RATE if self.status == _RATE_LIMIT else _TOO_LONG
        return "tool_call" not in self.said and too_long.search(f"{self.code} {self.message}") is not None

    @property
    def may_pass(self) -> bool:
        """Whether the same request may well succeed a moment later: with a spent quota or a wrong key it will not."""
        if self.status == _RATE_LIMIT:
            return not (_SPENT_CODES.search(self.code) or _SPENT_WORDS.search(self.message))
        return self.status in _NOT_NOW or self.status >= _SERVER_FAULT


# ── a whole reply ─────────────────────────────────────────────────────────────────────────────────────────────────


def decoded(raw: bytes) -> Body:
    """The JSON object in a reply; empty for a page of HTML, half an object, nesting too deep to be sent back. Some
    endpoints put an error into a list of one."""
    try:
        found = from_json(raw, allow_inf_nan=False)
    except ValueError:
        found = scrubbed(mended(raw))
    if isinstance(found, list) and found:
        found = found[0]
    return dict_in(found)


def mended(raw: bytes) -> Any:
    """What strict JSON refuses and can be made good: halves of surrogate pairs, which are left, and numbers that are
    none. None if there is nothing that could be sent back."""
    try:
        found = json.loads(raw, parse_constant=lambda _: None)
        to_json(scrubbed(found))
    except (ValueError, RecursionError):
        return None
    return found


def answer_in(status: int, body: Body, retry_after: float | None = None) -> Completion:
    """The answer in the body of a reply. Raises Trouble."""
    choice = _choice(body) if status in _OK else None
    if choice is not None:
        return _completion(choice, body.get("usage"))
    trouble = _trouble(status, body, retry_after)
    if trouble.code == "content_filter":
        return Completion({"role": "assistant", "content": ""}, finish="content_filter")
    if trouble.status in REFUSED and (trouble.code == "tool_use_failed" or _KEPT_BACK.search(trouble.message)):
        fault = trouble.message[:_FAULT_CHARS]
        return Completion({"role": "assistant", "content": ""}, finish="error", fault=fault)
    raise trouble


def _choice(body: Body) -> Body | None:
    """The first choice, if it holds a message; one that holds an error instead is none."""
    choices = _list(body.get("choices"))
    first = choices[0] if choices else None
    if not isinstance(first, dict) or not isinstance(first.get("message"), dict):
        return None
    message = first["message"]
    failed = isinstance(first.get("error") or body.get("error"), dict)
    return None if failed and not message.get("content") and not message.get("tool_calls") else first


def _completion(choice: Body, usage: Any) -> Completion:
    message = choice["message"]
    sent = _list(message.get("tool_calls"))
    entries = [entry for entry in map(_named, sent) if entry]
    text, finish = text_of(message.get("content")), _finish(choice.get("finish_reason"))
    refusal = text_of(message.get("refusal"))
    if refusal and not text.strip():
        text, finish = refusal, "refusal"
    elif sent and not entries:
        finish = "error"
    kept = {**message, "role": "assistant", "tool_calls": entries}
    return Completion(kept, text, tuple(map(_call, entries)), finish, usage_in(usage))


def _trouble(status: int, body: Body, retry_after: float | None) -> Trouble:
    """What a reply without an answer says. A number as code is the status that was meant, if there was no other; a
    parameter that is refused with status 500 is still refused."""
    error = _error(body)
    code, kind, param, message = (str(error.get(name) or "") for name in ("code", "type", "param", "message"))
    is_status = _STATUS.fullmatch(code) is not None
    if status in _OK:
        status = _status_meant(error, code)
    if is_status or not code:
        code = kind
    is_refusal = param or code in _PARAMETER_CODES or kind == "invalid_request_error" or _REFUSAL.search(message)
    if status >= _SERVER_FAULT and is_refusal:
        status = min(REFUSED)
    trouble = Trouble(status, code=code, param=param, message=message, retry_after=retry_after)
    if trouble.too_long:
        trouble.tokens = _tokens_counted(error, message)
    return trouble


def _error(body: Body) -> Body:
    """The object that says what is wrong, wherever it stands."""
    choices = _list(body.get("choices"))
    first = choices[0] if choices and isinstance(choices[0], dict) else {}
    error = body.get("error") or first.get("error") or body
    return error if isinstance(error, dict) else {"message": error}


def _status_meant(error: Body, code: str) -> int:
    for said in (code, str(error.get("status_code") or ""), str(error.get("status") or "")):
        if _STATUS.fullmatch(said):
            return int(said)
    return UNREADABLE


def _tokens_counted(error: Body, message: str) -> int:
    counted = error.get("n_prompt_tokens")
    if counted is None and (found := _COUNTED.search(message)):
        counted = int(found[1] or found[2])
    return _count(counted)


# ── the parts of an answer ────────────────────────────────────────────────────────────────────────────────────────


def _named(entry: Any) -> dict[str, Any] | None:
    """One call, with a name that can be sent back; None if it has none. Some models let their own marks run into it.
    A sign that no name has becomes a dash, which is in no tool's name: a tool is never guessed."""
    function = entry.get("function") if isinstance(entry, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return None
    name = function["name"].split("<|")[0].strip().removeprefix("functions.")
    name = _NOT_IN_NAMES.sub("-", name)[:_NAME_LENGTH]
    return {**entry, "function": {**function, "name": name}} if name else None


def _call(entry: Mapping[str, Any]) -> ToolCall:
    call_id = entry.get("id")
    function = entry["function"]
    return ToolCall(call_id if isinstance(call_id, str) else "", function["name"], function.get("arguments"))


def text_of(content: Any) -> str:
    """The words of a message: text, or the text among its parts."""
    if isinstance(content, str):
        return content
    parts = [each.get("text") if isinstance(each, dict) else each for each in _list(content)]
    return "".join(each for each in parts if isinstance(each, str))


def dict_in(value: Any) -> Body:
    """The object that this is; what is none is an empty one."""
    return value if isinstance(value, dict) else {}


def usage_in(usage: Any) -> Usage:
    """The tokens that were counted; what is no count counts nothing."""
    counts = dict_in(usage)
    return Usage(_count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")))


def _count(said: Any) -> int:
    if isinstance(said, bool) or not isinstance(said, int | float):
        return 0
    return int(said) if 0 <= said <= _MOST_TOKENS else 0


def _finish(reason: Any) -> Finish:
    return _FINISHES.get(str(reason or "").lower(), "error")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
