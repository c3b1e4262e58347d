"""A conversation as one endpoint takes it: its own messages verbatim, those of other models as the common tongue.

Pure. What an endpoint gets back of its own may hold what only it understands (signatures, reasoning); another one would
refuse it. Must not know how an answer is read, or what is learned from a refusal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pydantic_core import to_json

from bot.engines.openai_dialect import Dialect, Request
from bot.engines.openai_shapes import dict_in, text_of
from bot.model_ports import Message
from bot.thinking.conversation import scrubbed
from bot.thinking.tool_arguments import canonical, parse_arguments
from tools.definition import ToolDefinition, ToolError

BY = "by"
"""The key under which a message says which model at which endpoint made it. It is never sent."""

NO_SIGNATURE = {"google": {"thought_signature": "skip_thought_signature_validator"}}
"""What stands for the signature of a call that another model made.
https://ai.google.dev/gemini-api/docs/thought-signatures"""

_BLANK: Mapping[str, str | None] = {"null": None, "empty": ""}
_PLAIN_ID = re.compile(r"[A-Za-z0-9]{9}")
_BETWEEN = "…"
"""What is said between a result and the next words of a person, where they may not follow each other."""


def request(
    model: str,
    dialect: Dialect,
    me: str,
    messages: Sequence[Message],
    tools: Sequence[ToolDefinition],
    *,
    may_call: bool,
) -> Request:
    """As little as can be said: what is not sent cannot be refused. The last word keeps its tools (the endpoint's cache
    and the check of earlier calls want them) and says that none may be called."""
    sent = outgoing(messages, dialect, me)
    asked: Request = {"model": model, "messages": sent}
    if not (dialect.tools_in_last_word if tools and not may_call else tools or dialect.calls_without_tools):
        asked["messages"] = flat(sent)
    elif tools:
        asked["tools"] = [_tool(each, dialect.unknown_keywords) for each in tools]
        if not may_call and dialect.tool_choice:
            asked["tool_choice"] = "none"
        if dialect.reasoning_off:
            asked["reasoning_effort"] = "none"
    if dialect.stream:
        asked["stream"] = True
        if dialect.stream_options:
            asked["stream_options"] = {"include_usage": True}
    return asked


def pictures_in(asked: Request) -> list[str]:
    """The words that stand for pictures in a request."""
    return [
        part["image_url"]["url"]
        for message in asked["messages"]
        if isinstance(message.get("content"), list)
        for part in message["content"]
        if _is_picture(part)
    ]


def _is_picture(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "image_url"


def with_pictures(asked: Request, addresses: Mapping[str, str]) -> Request:
    """The request with each of these words replaced, in the places of pictures alone."""
    return {**asked, "messages": [_with_pictures(each, addresses) for each in asked["messages"]]}


def _with_pictures(message: Message, addresses: Mapping[str, str]) -> Message:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    parts = [
        {**part, "image_url": {**part["image_url"], "url": addresses[part["image_url"]["url"]]}}
        if _is_picture(part)
        else part
        for part in content
    ]
    return {**message, "content": parts}


def written(asked: Request) -> tuple[Request, bytes]:
    """The request and its bytes. Half a surrogate pair has none: then it is the request with a mark in its place."""
    try:
        return asked, to_json(asked, inf_nan_mode="null")
    except ValueError:
        asked = scrubbed(asked)
        return asked, to_json(asked, inf_nan_mode="null")


def outgoing(messages: Sequence[Message], dialect: Dialect, me: str) -> list[Message]:
    """The messages as they are sent to the model that signs as ``me``."""
    sent: list[Message] = []
    for message in messages:
        match message["role"]:
            case "assistant":
                if said := _said(message, dialect, own=message.get(BY) == me):
                    sent.append(said)
            case "tool":
                sent.append(_result(message))
            case "user" if not dialect.user_after_tool and sent and sent[-1]["role"] == "tool":
                sent += [{"role": "assistant", "content": _BETWEEN}, message]
            case _:
                sent.append(message)
    return sent if dialect.any_ids else _with_plain_ids(sent)


def _tool(tool: ToolDefinition, unknown: Sequence[str]) -> dict[str, Any]:
    parameters = _without(tool.parameters, unknown) if unknown else tool.parameters
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


def _without(schema: Any, unknown: Sequence[str]) -> Any:
    """The schema without these keywords. A property may be called like one of them."""
    if isinstance(schema, list):
        return [_without(each, unknown) for each in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {name: _without(each, unknown) for name, each in schema.items() if name not in unknown}
    if isinstance(properties := schema.get("properties"), dict):
        rest["properties"] = {name: _without(each, unknown) for name, each in properties.items()}
    return rest


def _with_plain_ids(messages: Sequence[Message]) -> list[Message]:
    """The messages with ids of nine letters and digits: the one form that the strictest endpoint takes."""
    sent = []
    for message in messages:
        changed = dict(message)
        if calls := message.get("tool_calls"):
            changed["tool_calls"] = [{**each, "id": _plain_id(each["id"])} for each in calls]
        if message["role"] == "tool":
            changed["tool_call_id"] = _plain_id(message["tool_call_id"])
        sent.append(changed)
    return sent


def _plain_id(given: str) -> str:
    return given if _PLAIN_ID.fullmatch(given) else sha256(given.encode(errors="replace")).hexdigest()[:9]


def flat(messages: Sequence[Message]) -> list[Message]:
    """The conversation in words alone, for an endpoint that does not know tools: calls and results become text, and
    what one side says several times in a row is said once."""
    sent: list[Message] = []
    for message in _in_words(messages):
        if sent and message["role"] == sent[-1]["role"] == "user" and isinstance(message["content"], str):
            sent[-1] = {**sent[-1], "content": f"{sent[-1]['content']}\n{message['content']}"}
        else:
            sent.append(message)
    return sent


def _in_words(messages: Sequence[Message]) -> Iterator[Message]:
    for message in messages:
        if message["role"] == "tool":
            yield {"role": "user", "content": f"[tool result] {message['content']}"}
        elif calls := message.get("tool_calls"):
            named = ", ".join(f"{each['function']['name']}({each['function']['arguments']})" for each in calls)
            yield {"role": "assistant", "content": f"{text_of(message.get('content'))}[called {named}]"}
        else:
            yield message


def _result(message: Message) -> Message:
    """A tool's result is text that is not empty, everywhere."""
    content = message.get("content")
    if isinstance(content, str) and content.strip():
        return message
    return {**message, "content": json.dumps(content or {}, ensure_ascii=False)}


def _said(message: Message, dialect: Dialect, *, own: bool) -> Message | None:
    """What a model said; None if that is nothing."""
    calls = message.get("tool_calls")
    content = message.get("content")
    if not (own and isinstance(content, str | list)):
        content = text_of(content)
    if not calls:
        return {**_fields(message, dialect, own=own), "content": content} if content else None
    sent = [_call(each, own=own) for each in calls]
    if dialect.thought_signature and not _is_signed(sent[0]):
        sent[0] = {**sent[0], "extra_content": {**dict_in(sent[0].get("extra_content")), **NO_SIGNATURE}}
    if dialect.unwanted:
        sent = [{name: each for name, each in call.items() if name not in dialect.unwanted} for call in sent]
    if not content:
        content = _BLANK.get(dialect.blank_content, "" if own and message.get("content") == "" else None)
    return {**_fields(message, dialect, own=own), "content": content, "tool_calls": sent}


def _fields(message: Message, dialect: Dialect, *, own: bool) -> Message:
    """The rest of what was said: all that the endpoint takes of its own, the common tongue of what is another's."""
    kept = {name: each for name, each in message.items() if name not in {BY, "tool_calls", *dialect.unwanted}}
    if not own:
        kept = {"role": "assistant"}
    if dialect.reasoning_content and message.get("tool_calls"):
        kept.setdefault("reasoning_content", "")
    return kept


def _call(entry: dict[str, Any], *, own: bool) -> dict[str, Any]:
    """The call as it goes back. Endpoints read the arguments again, so they are always the text of one object."""
    function = entry["function"]
    if own:
        return {**entry, "type": "function", "function": {**function, "arguments": _echo(function.get("arguments"))}}
    told = {"name": function["name"], "arguments": _echo(function.get("arguments"))}
    return {"id": entry["id"], "type": "function", "function": told}


def _echo(sent: Any) -> str:
    if isinstance(sent, str) and len(sent) <= _SHORT:
        return _read_before(sent)
    return _as_object(sent)


def _as_object(sent: Any) -> str:
    try:
        arguments = parse_arguments(sent)
    except ToolError:
        return "{}"
    is_plain = isinstance(sent, str) and sent.lstrip().startswith("{") and _is_json(sent)
    return sent if is_plain else canonical(arguments)


_SHORT = 1_000
_read_before = lru_cache(1_000)(_as_object)
"""The calls of a chat's past go out with each of its requests. Long arguments are rare, and not kept for it."""


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _is_signed(call: dict[str, Any]) -> bool:
    return bool(dict_in(dict_in(call.get("extra_content")).get("google")).get("thought_signature"))
