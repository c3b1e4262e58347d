"""What a tool is: a name, a description, typed parameters and a handler; and how a typed method becomes one.

Must not know which tools there are, who calls them, or which model reads them.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from inspect import Parameter, cleandoc, signature
from typing import Any, Literal, TypeVar, get_type_hints, overload
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from tools.cleaning import cleaned, is_blank
from tools.household import Household
from tools.moments import Hours
from tools.record import CallKey, Language, PersonId, Result

Handler = Callable[[dict[str, Any], CallKey], Awaitable[Result]]
"""Takes arguments that were parsed from JSON, validates them itself, and raises ToolError if they do not fit."""


Role = Literal["owner", "member", "guest", "stranger"]
"""What somebody may: a guest only looks, a stranger nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """On whose behalf a turn runs, and how that person counts time and money.

    ``person`` owns the records that the turn is about. In a group that is the group: ``author`` is who speaks there,
    and ``household`` who shares its list."""

    person: PersonId
    role: Role
    language: Language
    """Of this turn's reply."""
    home: Language
    """The language of the person's own lists, such as the categories: it stays when a message comes in another."""
    zone: ZoneInfo
    currency: str
    now: datetime
    author: PersonId | None = None
    household: Household | None = None
    hours: Hours = field(default_factory=Hours)

    @property
    def speaker(self) -> PersonId:
        """Who is answered, and whose day a model call is counted to."""
        return self.author or self.person


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One argument that does not fit: where, and what would."""

    path: str
    problem: str


class ToolError(Exception):
    """The call was not carried out. The model is told ``as_result()``: a code from a fixed catalogue, no exception
    text, no echo of what was sent."""

    def __init__(self, code: str, message: str, fields: tuple[FieldProblem, ...] = (), *, retry: bool = True) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fields = fields
        self.retry = retry

    def as_result(self) -> Result:
        """The structured error of the tool contract: ``{"error": {"code", "message", "fields", "retry"}}``."""
        return {
            "error": {
                "code": self.code,
                "message": self.message,
                "fields": [{"path": each.path, "problem": each.problem} for each in self.fields],
                "retry": self.retry,
            }
        }


READ_SECONDS = 20.0
"""So long a tool that only reads may take: a look into the store takes milliseconds, and a person waits."""


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """One ability as a model sees it. ``parameters`` is a JSON Schema in the small dialect every endpoint reads.

    ``read_only`` says that it changes nothing: asked again after a change, it is carried out again; and after
    ``timeout`` seconds it is cut off. What changes something bounds its own waiting: cut off in the middle of a commit,
    nobody could tell whether it was done.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    handler: Handler
    read_only: bool = False
    timeout: float = READ_SECONDS


# ── how a typed method becomes a tool ────────────────────────────────────────────────────────────────────────────

Method = TypeVar("Method", bound=Callable[..., Awaitable[Result]])

_MARK = "is_tool"
_TIMEOUT = "tool_timeout"
_CALL = "call"
_PROBLEMS_TOLD = 3
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")


@overload
def tool(method: Method, /) -> Method: ...
@overload
def tool(*, timeout: float) -> Callable[[Method], Method]: ...
def tool(method: Method | None = None, /, *, timeout: float | None = None) -> Method | Callable[[Method], Method]:
    """Mark an async method as a tool: its name, docstring and ``Annotated`` arguments are what a model sees. A method
    that changes something also takes ``call: CallKey``, which no model sees; one without only reads, for at most
    ``timeout`` seconds. Registers nothing. Raises TypeError for a timeout on a method that changes something."""

    def marked(method: Method) -> Method:
        if timeout is not None and _CALL in signature(method).parameters:
            raise TypeError(f"{method.__name__} changes something: it must not be cut off")
        setattr(method, _MARK, True)
        setattr(method, _TIMEOUT, READ_SECONDS if timeout is None else timeout)
        return method

    return marked if method is None else marked(method)


def definitions_of(topic: object) -> list[ToolDefinition]:
    """Every tool of a topic, in the order in which its class names them."""
    return [definition_of(getattr(topic, name)) for name, each in vars(type(topic)).items() if hasattr(each, _MARK)]


def definition_of(method: Callable[..., Awaitable[Result]]) -> ToolDefinition:
    """A bound method marked with ``@tool``, as a model sees it.

    If the topic has ``words`` (a mapping of names to texts), ``{name}`` in a description becomes that text, and as the
    only choice of an enum the lines of that text. The
    reading of the signature is done once for a method and its words: ``parameters`` is shared, so treat it as frozen.
    """
    words: Mapping[str, str] = getattr(method.__self__, "words", {})  # type: ignore[attr-defined]  # bound, by contract
    shape = _shape(method.__func__, tuple(words.items()))  # type: ignore[attr-defined]  # bound, by contract

    async def handler(arguments: dict[str, Any], call: CallKey) -> Result:
        keyed = {"call": call} if shape.keyed else {}
        return await method(**shape.read(arguments), **keyed)

    return ToolDefinition(
        shape.name,
        shape.description,
        shape.parameters,
        handler,
        read_only=not shape.keyed,
        timeout=getattr(method, _TIMEOUT, READ_SECONDS),
    )


@dataclass(frozen=True, slots=True)
class _Shape:
    """What was read out of one method's signature. ``optional`` names the arguments for which blank means absent;
    ``keyed`` says whether the method takes the key of its call."""

    name: str
    description: str
    parameters: dict[str, Any]
    model: type[BaseModel]
    optional: frozenset[str]
    keyed: bool

    def read(self, arguments: object) -> dict[str, Any]:
        """The arguments that were given, cleaned where their meaning is certain and validated. Raises ToolError."""
        if not isinstance(arguments, dict):
            raise ToolError("invalid_arguments", "The arguments must be one JSON object.")
        properties = self.parameters["properties"]
        meant = {name: cleaned(value, properties.get(name, {})) for name, value in arguments.items()}
        given = {name: value for name, value in meant.items() if not self._absent(name, value)}
        try:
            valid = self.model.model_validate(given)
        except ValidationError as error:
            raise _refusal(error) from None
        return {name: getattr(valid, name) for name in valid.model_fields_set}

    def _absent(self, name: str, value: object) -> bool:
        if name not in self.parameters["properties"] or name in self.parameters.get("required", ()):
            return False
        return value is None or (name in self.optional and isinstance(value, str) and is_blank(value))


@lru_cache(maxsize=256)
def _shape(function: Callable[..., Awaitable[Result]], words: tuple[tuple[str, str], ...]) -> _Shape:
    hints = get_type_hints(function, include_extras=True)
    _, *parameters = signature(function).parameters.values()
    fields: dict[str, Any] = {
        each.name: (hints[each.name], ... if each.default is Parameter.empty else each.default)
        for each in parameters
        if each.name != _CALL
    }
    config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
    model = create_model(function.__name__, __config__=config, **fields)
    schema = model.model_json_schema()
    defs = schema.get("$defs", {})
    return _Shape(
        name=function.__name__,
        description=_spoken(cleandoc(function.__doc__ or ""), words),
        parameters=_portable(schema, defs, words),
        model=model,
        optional=frozenset(
            name for name, each in schema["properties"].items() if "minLength" not in _inlined(each, defs)
        ),
        keyed=_CALL in hints,
    )


def _spoken(text: str, words: Iterable[tuple[str, str]]) -> str:
    for name, word in words:
        text = text.replace("{" + name + "}", word)
    return text


# ── the dialect that every endpoint reads ────────────────────────────────────────────────────────────────────────


def _portable(schema: Mapping[str, Any], defs: Mapping[str, Any], words: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """JSON Schema with the keys type, description, enum, properties, required and items alone.

    Some endpoints refuse references, unions, formats and defaults, or drop them without a word.
    """
    full = _inlined(schema, defs)
    kept: dict[str, Any] = {"type": full["type"]}
    if "description" in full:
        kept["description"] = _spoken(full["description"], words)
    if "const" in full or "enum" in full:
        kept["enum"] = _named(full.get("enum") or [full["const"]], words)
    if full["type"] == "object":
        kept["properties"] = {name: _portable(each, defs, words) for name, each in full.get("properties", {}).items()}
        if full.get("required"):
            kept["required"] = full["required"]
    if "items" in full:
        kept["items"] = _portable(full["items"], defs, words)
    return kept


def _named(choices: list[Any], words: tuple[tuple[str, str], ...]) -> list[Any]:
    """The choices; a single ``{name}`` stands for those in the topic's word of that name, one a line."""
    of = {f"{{{name}}}": word.splitlines() for name, word in words}
    return of.get(str(choices[0]), choices)


def _inlined(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with its reference replaced by what it names, and of a union the first part that is not null."""
    full = dict(schema)
    if "anyOf" in full:
        part = next(each for each in full.pop("anyOf") if each.get("type") != "null")
        full = {**_inlined(part, defs), **full}
    if "$ref" in full:
        named = defs[full.pop("$ref").rsplit("/", 1)[1]]
        full = {**_inlined(named, defs), **full}
    return full


# ── what to say about arguments that do not fit ──────────────────────────────────────────────────────────────────

_SENTENCES = {
    "extra_forbidden": "unknown argument",
    "missing": "missing",
    "string_type": "must be text",
    "string_unicode": "must be text",
    "string_too_short": "must be at least {min_length} character",
    "string_too_long": "must be at most {max_length} characters",
    "literal_error": "must be one of: {expected}",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "too_short": "must have at least {min_length}",
    "too_long": "must have at most {max_length}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
}


def _refusal(error: ValidationError) -> ToolError:
    problems: dict[str, str] = {}
    for each in error.errors(include_url=False, include_input=False):
        limits = {name: str(value) for name, value in each.get("ctx", {}).items()}
        limits["expected"] = limits.get("expected", "").replace("'", "").replace(" or ", ", ")
        sentence = _SENTENCES.get(each["type"], "does not fit").format(**limits)
        problems.setdefault(_path(each["loc"]), sentence)
    told = list(problems.items())[:_PROBLEMS_TOLD]
    fields = tuple(FieldProblem(path, problem) for path, problem in told)
    return ToolError("invalid_arguments", "Nothing was done: correct the arguments named here.", fields)


def _path(place: tuple[int | str, ...]) -> str:
    """Where the problem is, without the names that validation gives to the parts of a union. A name that is not
    shaped like one is not repeated: it may be anything."""
    inside = [str(each) for each in place[1:] if isinstance(each, int)]
    named = str(place[0]) if place else ""
    return ".".join([named if _NAME.fullmatch(named) else "arguments", *inside])
