"""What one model at one endpoint takes, and what its refusals teach about that.

Pure. Endpoints that call themselves compatible differ in a few things; none is known in advance, each is learned from
the sentence that refuses it, once. Must not know how messages are written or where lessons are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

from bot.engines.openai_shapes import REFUSED, Trouble
from bot.model_ports import Message

Request = dict[str, Any]

Blank = Literal["as it was", "null", "empty"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """The defaults are the common tongue; the rest is learned. ``blank_content`` is how a message with calls says that
    it has no text. ``unwanted`` are fields of its own messages that the endpoint will not have back, and
    ``unknown_keywords`` those of JSON Schema that it does not know. ``any_ids``: whether it takes what others made."""

    tool_choice: bool = True
    tools_in_last_word: bool = True
    calls_without_tools: bool = True
    any_ids: bool = True
    reasoning_off: bool = False
    reasoning_content: bool = False
    thought_signature: bool = False
    user_after_tool: bool = True
    stream: bool = False
    stream_options: bool = True
    pictures: bool = True
    blank_content: Blank = "as it was"
    unwanted: tuple[str, ...] = ()
    unknown_keywords: tuple[str, ...] = ()


Change = dict[str, Any]
"""Some of a dialect's fields, with new values."""


def taught(dialect: Dialect, lessons: Mapping[str, Any]) -> Dialect:
    """The dialect with what was kept of earlier lessons. What is not understood teaches nothing."""
    known = {each.name for each in fields(Dialect)}
    return replace(
        dialect, **{name: _meant(each) for name, each in lessons.items() if name in known and _fits(name, each)}
    )


def difference(before: Dialect, after: Dialect) -> Change:
    """What is new in the second."""
    old = asdict(before)
    return {name: each for name, each in asdict(after).items() if each != old[name]}


def learned(dialect: Dialect, asked: Request, trouble: Trouble, *, may_call: bool) -> Dialect | None:
    """The dialect that a refusal teaches, or None if it teaches nothing."""
    if trouble.status not in REFUSED:
        return None
    about = f"{trouble.param} {trouble.message}".lower()
    changes = (lesson(dialect, asked, about) for lesson in _LESSONS)
    change = next((each for each in changes if each), None) or _no_tools(asked, about, may_call=may_call)
    return replace(dialect, **change) if change else None


_SEES_NOTHING = re.compile(
    r"image.?url|image input|vision|multi-?modal|mmproj|images? (is|are) (not|only)|(not|n't) support.{0,20}image"
    r"|at most 0 image|content.{0,12} (must be|should be|expected).{0,12} string|expected (a )?string"
    r"|invalid content type"
)
_ABOUT_THIS_ONE = re.compile(
    r"(invalid|corrupt|damaged|unsupported|malformed|too (large|small)|could not (process|decode)|failed to decode)"
    r".{0,30}image(?!.?url|.input)"
    r"|image(?!.?url|.input).{0,30}(invalid|corrupt|damaged|malformed|too (large|small|big)|dimension|truncated)|base64"
)


def refuses_pictures(trouble: Trouble) -> bool:
    """Whether a request with pictures was refused for having any, by an endpoint that would take one without."""
    about = f"{trouble.param} {trouble.code} {trouble.message}".lower()
    return trouble.status in _REFUSES_PICTURES and bool(_SEES_NOTHING.search(about))


def refuses_these_pictures(trouble: Trouble) -> bool:
    """Whether it was refused for what these pictures are like: others may be taken."""
    return trouble.status in _REFUSES_PICTURES and bool(_ABOUT_THIS_ONE.search(trouble.message.lower()))


_REFUSES_PICTURES = frozenset({*REFUSED, 404, 413, 415, 500, 501})
"""Endpoints that know no pictures say so with these: as a fault of the request, as a model that is not there, or as
their own."""


def extras(messages: Sequence[Message]) -> set[str]:
    """The fields of a model's messages and calls that are not in every endpoint's tongue."""
    said = [each for each in messages if each["role"] == "assistant"]
    calls = [call for each in said for call in each.get("tool_calls", ())]
    return {name for each in (*said, *calls) for name in each} - _STANDARD


# ── lessons ───────────────────────────────────────────────────────────────────────────────────────────────────────

_STANDARD = frozenset({"role", "content", "tool_calls", "name", "id", "type", "function"})
_UNWANTED = re.compile(
    r"not (supported|permitted|allowed|expected|accepted)|n't (supported|permitted|allowed)|unsupported|unexpected"
    r"|extra|unrecogni[sz]ed|unknown|additional|invalid field|does not support"
)
_DISPENSABLE = (
    *("additionalProperties", "default", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "maximum"),
    *("maxItems", "maxLength", "minimum", "minItems", "minLength", "pattern", "title", "uniqueItems"),
)
"""What a schema may be without: our own check of the arguments does not depend on what the endpoint knows."""

_IDS = re.compile(r"tool.?calls?.{0,6}.?id\b.{0,80}(must|length|invalid|too long)|invalid.{0,40}tool.?call.{0,6}id\b")
_NO_TOOLS = re.compile(r"\btools?\b|\bfunctions?\b|\bfunction.?call")
_USER_AFTER_TOOL = re.compile(
    r"role\W{1,4}user\W{1,4}after\W{1,4}(role\W{1,4})?tool|user message.{0,40}after.{0,20}tool"
)
_SIGNATURE = re.compile(r"thought.?signature")
_INSISTS = re.compile(r"must|only|requir|needs?\b|enable|support|true|\bset\b|non-?stream|please|use\b")
_STREAM = re.compile(r"\bnon-?stream|\bstream(?!.?options)")


def _stream_options(_dialect: Dialect, asked: Request, about: str) -> Change | None:
    if "stream_options" in asked and ("stream_options" in about or "include_usage" in about):
        return {"stream_options": False}
    return None


def _stream(_dialect: Dialect, asked: Request, about: str) -> Change | None:
    """Who insists on streams says so of a request without, who has none of one with."""
    if not _STREAM.search(about) or not ("stream" in asked or _INSISTS.search(about)):
        return None
    return {"stream": "stream" not in asked}


def _tool_choice(_dialect: Dialect, asked: Request, about: str) -> Change | None:
    return {"tool_choice": False} if "tool_choice" in asked and "tool_choice" in about else None


def _signature(dialect: Dialect, _asked: Request, about: str) -> Change | None:
    if not _SIGNATURE.search(about) or (dialect.thought_signature and "extra_content" not in dialect.unwanted):
        return None
    return {"thought_signature": True, "unwanted": _all_but("extra_content", dialect)}


def _reasoning_content(dialect: Dialect, _asked: Request, about: str) -> Change | None:
    if "reasoning_content" not in about or _UNWANTED.search(about):
        return None
    if dialect.reasoning_content and "reasoning_content" not in dialect.unwanted:
        return None
    return {"reasoning_content": True, "unwanted": _all_but("reasoning_content", dialect)}


def _unwanted(dialect: Dialect, asked: Request, about: str) -> Change | None:
    """A field of its own messages that the endpoint will not have back."""
    if not _UNWANTED.search(about):
        return None
    named = next((each for each in sorted(extras(asked["messages"])) if _names(each, about)), None)
    if named is None:
        return None
    change: Change = {"unwanted": (*_all_but(named, dialect), named)}
    wanted = {"reasoning_content": "reasoning_content", "extra_content": "thought_signature"}.get(named)
    return {**change, wanted: False} if wanted else change


def _all_but(field: str, dialect: Dialect) -> tuple[str, ...]:
    """What is unwanted besides this: the latest word about a field is what holds."""
    return tuple(each for each in dialect.unwanted if each != field)


def _reasoning_effort(_dialect: Dialect, asked: Request, about: str) -> Change | None:
    """Some take tools only without reasoning; of those that do not know the word, it was learned by mistake."""
    if "reasoning_effort" not in about or "tools" not in asked:
        return None
    return {"reasoning_off": "reasoning_effort" not in asked}


def _user_after_tool(dialect: Dialect, _asked: Request, about: str) -> Change | None:
    return {"user_after_tool": False} if dialect.user_after_tool and _USER_AFTER_TOOL.search(about) else None


def _any_ids(dialect: Dialect, _asked: Request, about: str) -> Change | None:
    return {"any_ids": False} if dialect.any_ids and _IDS.search(about) else None


def _unknown_keywords(dialect: Dialect, asked: Request, about: str) -> Change | None:
    """What a schema's reader does not know, all that one sentence names."""
    if "tools" not in asked or not _UNWANTED.search(about):
        return None
    known = [each for each in _DISPENSABLE if each not in dialect.unknown_keywords]
    named = tuple(each for each in known if _names(each, about))
    return {"unknown_keywords": (*dialect.unknown_keywords, *named)} if named else None


def _no_tools(asked: Request, about: str, *, may_call: bool) -> Change | None:
    """Tools where none may be called, or calls in the past where there are no tools: both can be said in words."""
    if not _NO_TOOLS.search(about):
        return None
    if "tools" in asked:
        return None if may_call else {"tools_in_last_word": False}
    return {"calls_without_tools": False} if any(each.get("tool_calls") for each in asked["messages"]) else None


def _blank_content(_dialect: Dialect, asked: Request, about: str) -> Change | None:
    """The other way to say that a message with calls has no text, if the request said it in one way."""
    if "content" not in about:
        return None
    contents = [each["content"] for each in asked["messages"] if each.get("tool_calls")]
    if None in contents:
        return {"blank_content": "empty"}
    return {"blank_content": "null"} if "" in contents else None


_LESSONS: tuple[Callable[[Dialect, Request, str], Change | None], ...] = (
    _stream_options,
    _tool_choice,
    _signature,
    _reasoning_content,
    _unwanted,
    _any_ids,
    _unknown_keywords,
    _reasoning_effort,
    _user_after_tool,
    _stream,
    _blank_content,
)
"""The particular before the general: a sentence about one thing often names others too."""


def _names(field: str, about: str) -> bool:
    return re.search(rf"(?<![a-z0-9_]){re.escape(field.lower())}(?![a-z0-9_])", about) is not None


def _fits(name: str, value: Any) -> bool:
    match name:
        case "unwanted" | "unknown_keywords":
            return isinstance(value, list) and all(isinstance(each, str) for each in value)
        case "blank_content":
            return value in get_args(Blank)
        case _:
            return isinstance(value, bool)


def _meant(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
