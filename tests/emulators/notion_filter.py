"""The filters and sorts of a Notion data source, over pages in the shape Notion answers with.

Judged by recorded answers of the real service. Where those are silent the documentation counts. Pure.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from urllib.parse import unquote
from uuid import UUID

Json = dict[str, Any]
TEXT = {"title", "rich_text", "url", "email", "phone_number"}
TIMESTAMPS = {"created_time", "last_edited_time"}
PERSONS = ("people", "created_by", "last_edited_by")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?")


class BadFilter(Exception):
    """What Notion answers with 400."""


def find_property(properties: Mapping[str, Json], key: str) -> str | None:
    """The name of the column that ``key`` (a name, or an id with or without percent encoding) means."""
    if key in properties:
        return key
    for name, config in properties.items():
        if unquote(config["id"]) == unquote(key):
            return name
    return None


def read_moment(text: object) -> date | datetime:
    """A strict ISO 8601 date or time; a time without offset is UTC."""
    if not isinstance(text, str) or not _MOMENT.fullmatch(text):
        raise BadFilter(f"Invalid date value: {text}")
    try:
        if len(text) == 10:
            return date.fromisoformat(text)
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadFilter(f"Invalid date value: {text}") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _minute(moment: date | datetime) -> datetime:
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time(), UTC)
    return moment.astimezone(UTC).replace(second=0, microsecond=0)


def _span(moment: date | datetime) -> tuple[datetime, datetime]:
    start = _minute(moment)
    return start, start if isinstance(moment, datetime) else start + timedelta(hours=23, minutes=59)


def _months(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _relative(word: str, today: date) -> tuple[date, date]:
    monday = today - timedelta(days=today.weekday())
    spans = {
        "this_week": (monday, monday + timedelta(days=6)),
        "past_week": (today - timedelta(days=7), today),
        "past_month": (_months(today, -1), today),
        "past_year": (_months(today, -12), today),
        "next_week": (today, today + timedelta(days=7)),
        "next_month": (today, _months(today, 1)),
        "next_year": (today, _months(today, 12)),
    }
    return spans[word]


_WORDS: dict[str, Callable[[date], date]] = {
    "today": lambda day: day,
    "tomorrow": lambda day: day + timedelta(days=1),
    "yesterday": lambda day: day - timedelta(days=1),
    "one_week_ago": lambda day: day - timedelta(days=7),
    "one_week_from_now": lambda day: day + timedelta(days=7),
    "one_month_ago": lambda day: _months(day, -1),
    "one_month_from_now": lambda day: _months(day, 1),
}


def _date(value: str | None, operator: str, operand: Any, now: datetime) -> bool:
    if operator in {"is_empty", "is_not_empty"}:
        return (value is None) == (operator == "is_empty")
    today = now.astimezone(UTC).date()
    if operator in {"equals", "before", "after", "on_or_before", "on_or_after"}:
        moment = _WORDS[operand](today) if operand in _WORDS else read_moment(operand)
        low, high = _span(moment)
    else:
        if operand != {}:
            raise BadFilter(f"{operator} should be an empty object")
        start, end = _relative(operator, today)
        low, high = _span(start)[0], _span(end)[1]
    if value is None:
        return False
    at = _minute(read_moment(value))
    if operator == "before":
        return at < low
    if operator == "after":
        return at > high
    return (operator == "on_or_before" or at >= low) and (operator == "on_or_after" or at <= high)


def _text(value: str, operator: str, operand: Any) -> bool:
    if operator in {"is_empty", "is_not_empty"}:
        return (value == "") == (operator == "is_empty")
    if not isinstance(operand, str):
        raise BadFilter(f"{operator} should be a string")
    # Parts of a text are found whatever their case (recorded: "Doe" is contained in an address john.doe@…).
    folded, part = value.casefold(), operand.casefold()
    tests: dict[str, bool] = {
        "equals": value == operand,
        "does_not_equal": value != operand,
        "contains": part in folded,
        "does_not_contain": part not in folded,
        "starts_with": folded.startswith(part),
        "ends_with": folded.endswith(part),
    }
    return tests[operator]


def _number(value: float | None, operator: str, operand: Any) -> bool:
    if operator in {"is_empty", "is_not_empty"}:
        return (value is None) == (operator == "is_empty")
    if isinstance(operand, bool) or not isinstance(operand, int | float):
        raise BadFilter(f"{operator} should be a number")
    if value is None:
        return operator == "does_not_equal"
    tests: dict[str, bool] = {
        "equals": value == operand,
        "does_not_equal": value != operand,
        "greater_than": value > operand,
        "less_than": value < operand,
        "greater_than_or_equal_to": value >= operand,
        "less_than_or_equal_to": value <= operand,
    }
    return tests[operator]


def _set(values: Sequence[str], operator: str, operand: Any) -> bool:
    if operator in {"is_empty", "is_not_empty"}:
        return (not values) == (operator == "is_empty")
    wanted = operand if isinstance(operand, list) else [operand]
    if not wanted or not all(isinstance(each, str) for each in wanted):
        raise BadFilter(f"{operator} should be a string or a list of strings")
    found = any(each in values for each in wanted)
    return found if operator in {"equals", "contains"} else not found


def _ids(values: Sequence[str], operator: str, operand: Any) -> bool:
    if operator in {"contains", "does_not_contain"} and operand != "me":
        try:
            operand = str(UUID(operand))
        except (ValueError, TypeError, AttributeError) as error:
            raise BadFilter(f"{operator} should be a valid uuid") from error
    return _set(values, operator, operand)


_EMPTIES = {"is_empty", "is_not_empty"}
_NUMBER = {"equals", "does_not_equal", "greater_than", "less_than", "greater_than_or_equal_to",
           "less_than_or_equal_to"}  # fmt: skip
_TEXT = {"equals", "does_not_equal", "contains", "does_not_contain", "starts_with", "ends_with"} | _EMPTIES
_DATE = {"equals", "before", "after", "on_or_before", "on_or_after", "this_week", "past_week", "past_month",
         "past_year", "next_week", "next_month", "next_year"} | _EMPTIES  # fmt: skip
OPERATORS: dict[str, set[str]] = {
    **dict.fromkeys(TEXT, _TEXT),
    "number": _NUMBER | _EMPTIES,
    "unique_id": _NUMBER,
    "checkbox": {"equals", "does_not_equal"},
    **dict.fromkeys(("select", "status"), {"equals", "does_not_equal"} | _EMPTIES),
    **dict.fromkeys(
        ("multi_select", "relation", *PERSONS),
        {"contains", "does_not_contain"} | _EMPTIES,
    ),
    "files": _EMPTIES,
    **dict.fromkeys(("date", *TIMESTAMPS), _DATE),
}


def plain(value: Json) -> Any:
    """A property value in the shape Notion answers with, as what filters and sorts compare."""
    kind = value["type"]
    inner = value[kind]
    reading: dict[str, Callable[[], Any]] = {
        **dict.fromkeys(("title", "rich_text"), lambda: "".join(piece["plain_text"] for piece in inner)),
        **dict.fromkeys(("url", "email", "phone_number"), lambda: inner or ""),
        **dict.fromkeys(("select", "status"), lambda: [inner["name"]] if inner else []),
        **dict.fromkeys(("people", "relation"), lambda: [each["id"] for each in inner]),
        "date": lambda: inner["start"] if inner else None,
        "multi_select": lambda: [each["name"] for each in inner],
        **dict.fromkeys(("created_by", "last_edited_by"), lambda: [inner["id"]] if inner else []),
        "unique_id": lambda: inner["number"],
    }
    return reading[kind]() if kind in reading else inner


def _compare(kind: str, value: Any, condition: Json, now: datetime) -> bool:
    if len(condition) != 1:
        raise BadFilter(f"{kind} should have exactly one condition")
    ((operator, operand),) = condition.items()
    if operator not in OPERATORS[kind]:
        raise BadFilter(f"{kind}.{operator} should be not present")
    if operator in _EMPTIES and operand is not True:
        raise BadFilter(f"{operator} should be true")
    if kind in {"date", *TIMESTAMPS}:
        return _date(value, operator, operand, now)
    if kind in TEXT:
        return _text(value, operator, operand)
    if kind in {"number", "unique_id"}:
        return _number(value, operator, operand)
    if kind == "checkbox":
        return bool(value == operand) == (operator == "equals")
    return (_ids if kind in {"relation", *PERSONS} else _set)(value, operator, operand)


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter bound to the columns of a data source and to a moment."""

    properties: Mapping[str, Json]
    now: datetime

    def matches(self, page: Json, condition: Json, depth: int = 0) -> bool:
        """Raises BadFilter as Notion answers 400."""
        for word, joined in (("and", all), ("or", any)):
            if word in condition:
                parts = condition[word]
                if depth == 2 or len(condition) != 1 or not isinstance(parts, list) or len(parts) > 100:
                    raise BadFilter("compound filters nest two levels deep and hold at most 100 conditions")
                return joined([self.matches(page, each, depth + 1) for each in parts])
        if "timestamp" in condition:
            return self._timestamp(page, condition)
        return self._property(page, {key: value for key, value in condition.items() if key != "type"})

    def _timestamp(self, page: Json, condition: Json) -> bool:
        kind = condition["timestamp"]
        if kind not in TIMESTAMPS or condition.keys() != {"timestamp", kind}:
            raise BadFilter("a timestamp filter names created_time or last_edited_time")
        return _compare(kind, page[kind], condition[kind], self.now)

    def _property(self, page: Json, condition: Json) -> bool:
        kinds = condition.keys() - {"property"}
        if len(kinds) != 1 or "property" not in condition:
            raise BadFilter("a property filter has a property and one type")
        (kind,) = kinds
        name = find_property(self.properties, condition["property"])
        if name is None:
            raise BadFilter(f"Could not find property with name or id: {condition['property']}")
        value = page["properties"][name]
        if kind == "formula":
            return value["formula"] is not None and self._formula(value["formula"], condition[kind])
        if kind == "rollup":
            return value["rollup"] is not None and self._rollup(value["rollup"], condition[kind])
        if kind != value["type"] and not (kind == "rich_text" and value["type"] in TEXT):
            raise BadFilter(f"database property {value['type']} does not match filter {kind}")
        return _compare(kind, plain(value), condition[kind], self.now)

    def _formula(self, value: Json, condition: Json) -> bool:
        ((kind, inner),) = condition.items()
        held = {"string": "rich_text", "boolean": "checkbox"}.get(value["type"], value["type"])
        wanted = {"string": "rich_text"}.get(kind, kind)
        if held != wanted:
            raise BadFilter("Unable to filter based on a formula of unknown type")
        bare = value[value["type"]]
        if held == "date":
            bare = bare["start"] if bare else None
        return _compare(wanted, bare or "" if held == "rich_text" else bare, inner, self.now)

    def _rollup(self, value: Json, condition: Json) -> bool:
        ((word, inner),) = condition.items()
        if word not in {"any", "every", "none"}:
            return _compare(word, plain(value), inner, self.now)
        ((kind, wanted),) = inner.items()
        found = [_compare(kind, plain(each), wanted, self.now) for each in value["array"]]
        return {"any": any(found), "every": bool(found) and all(found), "none": not any(found)}[word]


def sort(pages: Sequence[Json], sorts: Sequence[Json], properties: Mapping[str, Json]) -> list[Json]:
    """Earlier sorts win; empty values come last. Without sorts the newest comes first."""
    ordered = sorted(pages, key=lambda page: (page["created_time"], page["_order"]), reverse=True)
    for each in reversed(sorts):
        descending = {"ascending": False, "descending": True}[each["direction"]]
        if "timestamp" in each:
            keyed = [(page, page[each["timestamp"]]) for page in ordered]
        else:
            name = find_property(properties, each["property"])
            if name is None:
                raise BadFilter(f"Could not find sort property with name or id: {each['property']}")
            keyed = [(page, plain(page["properties"][name])) for page in ordered]
        filled = sorted((pair for pair in keyed if pair[1] not in (None, "", [])), key=lambda pair: pair[1],
                        reverse=descending)  # fmt: skip
        ordered = [page for page, _ in filled] + [page for page, value in keyed if value in (None, "", [])]
    return ordered
