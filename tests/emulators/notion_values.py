"""What a Notion workspace accepts as columns and values, and the shape it answers with. Strict where Notion is."""

from __future__ import annotations

import copy
import itertools
import random
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from uuid import uuid4
from zoneinfo import ZoneInfo

from tests.emulators.notion_filter import BadFilter, read_moment

Json = dict[str, Any]

EMPTY: dict[str, Any] = {
    "title": [], "rich_text": [], "multi_select": [], "people": [], "relation": [], "files": [],
    "checkbox": False, "number": None, "select": None, "status": None, "date": None,
    "url": None, "email": None, "phone_number": None,
}  # fmt: skip
REFS = 25
"""People and related pages that a page shows; the rest is told by its property endpoint."""
COMPUTED = {"created_time", "last_edited_time", "created_by", "last_edited_by", "formula", "rollup", "unique_id"}
_ANNOTATIONS = {
    "bold": False, "italic": False, "strikethrough": False, "underline": False, "code": False, "color": "default",
}  # fmt: skip


class Invalid(Exception):
    """What Notion answers with 400 validation_error."""


def length(text: str) -> int:
    """As JavaScript counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def rich_text(pieces: object, at: str) -> list[Json]:
    if not isinstance(pieces, list):
        raise Invalid(f"body failed validation: {at} should be an array, instead was `{type(pieces).__name__}`.")
    if len(pieces) > 100:
        raise Invalid(f"body failed validation: {at}.length should be ≤ `100`, instead was `{len(pieces)}`.")
    return [_piece(piece, f"{at}[{index}]") for index, piece in enumerate(pieces)]


def _piece(piece: object, at: str) -> Json:
    if not isinstance(piece, dict) or not isinstance(piece.get("text"), dict):
        raise Invalid(f"body failed validation: {at}.text should be defined, instead was `undefined`.")
    if extra := piece.keys() - {"type", "text", "annotations", "plain_text", "href"}:
        raise Invalid(f"body failed validation: {at}.{min(extra)} should be not present.")
    content = piece["text"].get("content")
    if not isinstance(content, str):
        raise Invalid(f"body failed validation: {at}.text.content should be a string.")
    if (size := length(content)) > 2000:
        raise Invalid(f"body failed validation: {at}.text.content.length should be ≤ `2000`, instead was `{size}`.")
    if re.search(r"[\ud800-\udfff]", content):
        raise Invalid(f"body failed validation: {at}.text.content should be well formed.")
    link = piece["text"].get("link")
    return {
        "type": "text",
        "text": {"content": content, "link": link},
        "annotations": {**_ANNOTATIONS, **piece.get("annotations", {})},
        "plain_text": content,
        "href": link["url"] if link else None,
    }


def config(name: str, given: object) -> Json:
    """A column as it is created: ``given`` is its request body."""
    if not isinstance(given, dict):
        raise Invalid(f"body failed validation: body.properties.{name} should be an object.")
    kinds = given.keys() - {"type", "description", "name", "id"}
    if len(kinds) != 1:
        raise Invalid(f"body failed validation: body.properties.{name} should have exactly one type.")
    (kind,) = kinds
    if kind not in EMPTY.keys() | COMPUTED or given.get("type", kind) != kind:
        raise Invalid(f"body failed validation: body.properties.{name}.{kind} should be not present.")
    description = given.get("description")
    if description is not None and not 1 <= length(description) <= 280:
        raise Invalid(f"body failed validation: body.properties.{name}.description.length should be ≤ `280`.")
    details = _details(kind, dict(given[kind]))
    return {"id": _id(kind), "name": name, "description": description, "type": kind, kind: details}


def _details(kind: str, details: Json) -> Json:
    if kind in {"select", "multi_select", "status"}:
        options = details.get("options", [])
        if len(options) > 100:
            raise Invalid("body failed validation: options.length should be ≤ `100`.")
        return {**details, "options": [option(each) for each in options]}
    if kind == "number":
        return {"format": "number", **details}
    if kind == "unique_id":
        return {"prefix": details["prefix"].upper() if details.get("prefix") else None}
    return details


def _id(kind: str) -> str:
    """Four odd characters, as Notion gives them, and never the same twice."""
    number = next(_numbers)
    return (
        "title" if kind == "title" else quote("".join(_SIGNS[number // 18**place % 18] for place in range(4)), safe="")
    )


_SIGNS = ":<>{}`@|;abcXYZ019"
_numbers = itertools.count(random.randrange(18**4))


def option(given: Json) -> Json:
    name = given.get("name")
    if not isinstance(name, str) or not 1 <= length(name) <= 100:
        raise Invalid("body failed validation: option name.length should be between `1` and `100`.")
    if "," in name:
        raise Invalid(f"Invalid select option, commas not allowed: {name}")
    return {"id": str(uuid4()), "name": name, "color": given.get("color", "default"), "description": None}


Attach = Callable[[Any, str], Json]
"""(id of a file upload, where it stands in the request) -> the file as it is answered."""


def value(column: Json, given: object, attach: Attach = lambda id_, at: {}) -> Json:
    """A property value as it is stored; unknown options are added to the column."""
    name, kind = column["name"], column["type"]
    if not isinstance(given, dict) or kind in COMPUTED:
        raise Invalid(f"{name} cannot be set to that.")
    if given.keys() - {"type", "id", "has_more", kind} or kind not in given or given.get("type", kind) != kind:
        raise Invalid(f"{name} is expected to be {kind}.")
    at = f"body.properties.{name}.{kind}"
    return {"id": column["id"], "type": kind, kind: _inner(column, given[kind], at, attach)}


def shown(page: Json) -> Json:
    """A page as it is answered: of people and relations the first 25."""
    held = {name: _cut(value) for name, value in page["properties"].items()}
    return {**{key: value for key, value in page.items() if not key.startswith("_")}, "properties": held}


def _cut(value: Json) -> Json:
    kind = value["type"]
    if kind == "relation":
        return {**value, kind: value[kind][:REFS], "has_more": len(value[kind]) > REFS}
    if kind == "people":
        return {**value, kind: value[kind][:REFS]}
    if kind == "files":
        return {**value, kind: [{key: each[key] for key in each if key != "_upload"} for each in value[kind]]}
    return value


def empty(column: Json) -> Json:
    kind = column["type"]
    return {"id": column["id"], "type": kind, kind: copy.copy(EMPTY.get(kind))}


def typed(column: Json, plain: Any) -> Json:
    """What a request says where a person types ``plain`` into a cell."""
    kind = column["type"]
    if kind in {"title", "rich_text"}:
        return {kind: [{"text": {"content": plain}}] if plain else []}
    if kind in {"select", "status"}:
        return {kind: {"name": plain} if plain else None}
    if kind == "multi_select":
        return {kind: [{"name": each} for each in plain]}
    if kind == "date":
        start, end = plain if isinstance(plain, tuple) else (plain, None)
        return {kind: {"start": start, "end": end} if start else None}
    if kind in {"people", "relation"}:
        return {kind: [{"id": each} for each in plain]}
    return {kind: plain}


def _inner(column: Json, inner: Any, at: str, attach: Attach) -> Any:
    kind = column["type"]
    if kind in {"title", "rich_text"}:
        return rich_text(inner, at)
    if kind in {"people", "relation", "files", "multi_select"}:
        if not isinstance(inner, list) or len(inner) > 100:
            raise Invalid(f"body failed validation: {at} should be an array of at most 100.")
        return _several(column, inner, at, attach)
    if inner is None and kind != "checkbox":
        return None
    if kind in {"select", "status"}:
        return _select(column, inner)
    if kind == "date":
        return _date(inner, at)
    python: tuple[type, ...] = {"number": (int, float), "checkbox": (bool,)}.get(kind, (str,))
    if type(inner) not in python:
        raise Invalid(f"body failed validation: {at} should be a {kind} or `null`, instead was `{inner!r}`.")
    return inner


def _several(column: Json, inner: list[Any], at: str, attach: Attach) -> list[Json]:
    kind = column["type"]
    if kind == "multi_select":
        return [_select(column, each) for each in inner]
    if kind == "files":
        return [_file(each, at, attach) for each in inner]
    if kind == "people":
        return [{"object": "user", "id": each["id"]} for each in inner]
    return list(inner)


def _file(given: Json, at: str, attach: Attach) -> Json:
    if "file_upload" in given:
        held = attach(given["file_upload"].get("id"), at)
        return {"name": given.get("name") or held["file"]["url"].rpartition("/")[2].partition("?")[0], **held}
    if "external" in given or "file" in given:
        return given
    raise Invalid(f"body failed validation: {at} should have file_upload or external.")


def _select(column: Json, given: object) -> Json:
    if not isinstance(given, dict) or given.keys() - {"id", "name", "color"}:
        raise Invalid(f"{column['name']} is expected to be {column['type']}.")
    options = column[column["type"]]["options"]
    for known in options:
        if given.get("id") == known["id"] or given.get("name") == known["name"]:
            return {key: known[key] for key in ("id", "name", "color")}
    if column["type"] == "status":
        names = ", ".join(each["name"] for each in options)
        raise Invalid(f'Invalid status option. Status option "{given.get("name")}" must be one of: {names}')
    options.append(option(given))
    return {key: options[-1][key] for key in ("id", "name", "color")}


def _date(given: object, at: str) -> Json:
    if not isinstance(given, dict) or given.keys() - {"start", "end", "time_zone"} or "start" not in given:
        raise Invalid(f"body failed validation: {at}.start should be defined.")
    zone = given.get("time_zone")
    start = _moment(given["start"], zone, f"{at}.start")
    end = None if given.get("end") is None else _moment(given["end"], zone, f"{at}.end")
    if end is not None and len(start) != len(end):
        raise Invalid(f"body failed validation: {at} start and end should both have a time or neither.")
    if end is not None and read_moment(end) < read_moment(start):
        raise Invalid(f"body failed validation: {at}.start should be before end.")
    return {"start": start, "end": end, "time_zone": None}


def _moment(text: object, zone: str | None, at: str) -> str:
    try:
        moment = read_moment(text)
    except BadFilter as problem:
        raise Invalid(f"body failed validation: {at} should be a valid ISO 8601 date string.") from problem
    if not isinstance(moment, datetime):
        return moment.isoformat()
    if zone:
        if re.search(r"(Z|[+-]\d\d:?\d\d)$", str(text)):
            raise Invalid(f"body failed validation: {at} should have no offset beside a time zone.")
        moment = moment.replace(tzinfo=ZoneInfo(zone))
    return moment.replace(second=0, microsecond=0).isoformat(timespec="milliseconds")


def minute(moment: datetime) -> str:
    """How Notion tells when a page was made: to the minute, in UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:00.000Z")
