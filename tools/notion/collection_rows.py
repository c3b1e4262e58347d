"""A collection as a table of Notion: which of its columns are meant, what is asked, and what of a row may be shown.

Pure. A row is shown only if it says itself that it is published: what Notion was asked for does not count. Must not
know how Notion is reached.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any
from urllib.parse import unquote, urlsplit

from tools.collection import Collection, Item
from tools.notion.pieces import plain_text
from tools.notion.schema import MARKER, Json

TITLE, SUMMARY, LINK, KIND = 120, 300, 500, 60
"""Characters of each that are shown; a link is whole or not there."""
WORDS = 8
"""Words of a keyword that are looked for."""
ROWS = 25
"""Rows that are asked for: some of them may not be for showing."""

_OPTIONS = frozenset({"select", "status", "multi_select"})
_PUBLISHED = _OPTIONS | {"checkbox", "date"}
_TEXT = frozenset({"title", "rich_text"})
_SHOWN: Mapping[str, frozenset[str]] = {
    "title": _TEXT,
    "summary": _TEXT,
    "link": frozenset({"url", "rich_text", "formula"}),
    "date": frozenset({"date", "created_time", "last_edited_time"}),
    "kind": _OPTIONS | {"rich_text"},
}
"""What each column may be."""
_SEARCHED = ("title", "summary")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]+")


class Unfit(Exception):
    """The table is not as the operator described it. The text is a sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column as it is now. ``id`` stays when it is renamed."""

    id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one collection. ``value`` is what ``published`` must hold, as Notion writes it."""

    published: Column
    value: bool | str
    shown: Mapping[str, Column]

    def still_fit(self, row: Mapping[str, Any]) -> bool:
        """Whether they are in this row what they were: of the same name, and of the same type."""
        held = row.get("properties") or {}
        mine = [self.published, *self.shown.values()]
        return all(_is_it(held.get(each.name) or {}, each) for each in mine)


def columns_of(properties: Mapping[str, Any], collection: Collection, known: Columns | None = None) -> Columns:
    """The columns by their names; one that was ``known`` and is named otherwise now, by its id. Raises Unfit with every
    sentence there is to say."""
    if any(MARKER in (each.get("description") or "") for each in properties.values()):
        raise Unfit("this is the table of the records: what is in it is for whoever it belongs to")
    wrong: list[str] = []
    before = known.shown if known else {}
    published = _find(properties, collection.published, known.published if known else None)
    shown: dict[str, Column] = {}
    for role, kinds in _SHOWN.items():
        name = getattr(collection, role)
        found = (
            _find(properties, name, before.get(role)) if name else _own_title(properties) if role == "title" else None
        )
        if found is not None and found.kind in kinds:
            shown[role] = found
        elif found is not None:
            wrong.append(f'"{role}" must be {_or(kinds)}, the column "{found.name}" is {found.kind}')
        elif name:
            wrong.append(_absent(name, properties))
    if published is None:
        raise Unfit("; ".join([_absent(collection.published, properties), *wrong]))
    value = _value(published, properties, collection.value, wrong)
    if wrong:
        raise Unfit("; ".join(wrong))
    return Columns(published, value, shown)


def _find(properties: Mapping[str, Any], name: str, before: Column | None) -> Column | None:
    alike = [each for each in properties if _folded(each) == _folded(name)]
    if name not in properties and len(alike) == 1:
        name = alike[0]
    found = properties.get(name)
    if found is not None:
        return Column(found["id"], name, found["type"])
    kept = ((there, each) for there, each in properties.items() if before and each["id"] == before.id)
    return next((Column(each["id"], there, each["type"]) for there, each in kept), None)


def _own_title(properties: Mapping[str, Any]) -> Column | None:
    titles = (Column(each["id"], name, "title") for name, each in properties.items() if each["type"] == "title")
    return next(titles, None)


def _absent(name: str, properties: Mapping[str, Any]) -> str:
    return f'there is no column "{name}"; there are: {", ".join(properties)}'


def _value(published: Column, properties: Mapping[str, Any], given: bool | str, wrong: list[str]) -> bool | str:
    """What the column must hold; what speaks against it is added to ``wrong``."""
    kind, name = published.kind, published.name
    if kind not in _PUBLISHED:
        because = " (Notion computes it on a clock of its own, and a row cannot be checked by it)" * (kind == "formula")
        wrong.append(f'"published" must be {_or(_PUBLISHED)}, the column "{name}" is {kind}{because}')
    elif kind == "date" and given is not True:
        wrong.append(f'"{name}" is a date: say {{"{name}": true}}, and a row is published once the date has come')
    elif kind == "checkbox" and not isinstance(given, bool):
        wrong.append(f'"{name}" is a checkbox: say true or false, not "{given}"')
    elif kind in _OPTIONS:
        options = [each["name"] for each in properties[name][kind].get("options", ())]
        meant = [each for each in options if each == given] or [
            each for each in options if isinstance(given, str) and _folded(each) == _folded(given)
        ]
        if len(meant) == 1:
            return str(meant[0])
        wrong.append(f'"{name}" has no option {given!r}; it has: {", ".join(options) or "none"}')
    return given


def _or(kinds: frozenset[str]) -> str:
    *others, last = sorted(kinds)
    return f"{', '.join(others)} or {last}"


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


# ── what is asked ─────────────────────────────────────────────────────────────────────────────────────────────────


def question(columns: Columns, keyword: str, now: datetime) -> Json:
    """The body of a query for published rows that hold every word. The keyword is never anything but a value.

    Notion counts days in UTC: a date is asked for with a day to spare, and looked at here."""
    searched = [columns.shown[role] for role in _SEARCHED if role in columns.shown]
    words = [
        {"or": [{"property": each.id, each.kind: {"contains": word}} for each in searched]}
        for word in keyword.split()[:WORDS]
    ]
    return {"filter": {"and": [_condition(columns, now), *words]}, "sorts": [_order(columns)], "page_size": ROWS}


def _condition(columns: Columns, now: datetime) -> Json:
    kind = columns.published.kind
    if kind == "date":
        tomorrow = (now.astimezone(UTC) + timedelta(days=1)).replace(second=0, microsecond=0)
        condition: Json = {"on_or_before": tomorrow.isoformat()}
    else:
        condition = {"contains" if kind == "multi_select" else "equals": columns.value}
    return {"property": columns.published.id, kind: condition}


def _order(columns: Columns) -> Json:
    if "date" in columns.shown:
        return {"property": columns.shown["date"].id, "direction": "descending"}
    return {"timestamp": "last_edited_time", "direction": "descending"}


# ── what came back ────────────────────────────────────────────────────────────────────────────────────────────────


def items(rows: Sequence[object], columns: Columns, name: str, now: datetime, zone: tzinfo) -> Iterator[Item]:
    """Those of the rows that are published, and have a title."""
    for row in rows:
        if isinstance(row, dict) and _is_there(row) and _is_published(row, columns, now, zone):
            item = _item(row, columns, name, zone)
            if item.title:
                yield item


def _is_there(row: Json) -> bool:
    gone = (row.get(each) for each in ("in_trash", "archived", "is_archived"))
    return row.get("object") == "page" and not any(gone)


def _is_published(row: Json, columns: Columns, now: datetime, zone: tzinfo) -> bool:
    held = _held(row, columns.published)
    inner = held and held.get(columns.published.kind)
    match columns.published.kind, inner:
        case "checkbox", bool():
            return inner is columns.value
        case "select" | "status", {"name": name}:
            return bool(name == columns.value)
        case "multi_select", list():
            return any(each.get("name") == columns.value for each in inner)
        case "date", {"start": str(start)}:
            return _has_come(start, now, zone)
    return False


def _has_come(start: str, now: datetime, zone: tzinfo) -> bool:
    """A day begins where the reader is; a clock time without an offset is UTC."""
    moment = _moment(start)
    if isinstance(moment, datetime):
        return moment <= now
    return moment is not None and moment <= now.astimezone(zone).date()


def _moment(text: str) -> date | datetime | None:
    try:
        if len(text) == len("2026-12-01"):
            return date.fromisoformat(text)
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _held(row: Mapping[str, Any], column: Column) -> Json | None:
    """What stands in this column of a row, if it is still of its type."""
    held = (row.get("properties") or {}).values()
    return next((each for each in held if _is_it(each, column)), None)


def _is_it(held: Mapping[str, Any], column: Column) -> bool:
    """Ids are told percent-encoded in one place and bare in another."""
    return unquote(held.get("id") or "") == unquote(column.id) and held.get("type") == column.kind


def _item(row: Json, columns: Columns, name: str, zone: tzinfo) -> Item:
    texts = {role: _text(held) for role, each in columns.shown.items() if (held := _held(row, each))}
    return Item(
        kind=_line(texts.get("kind", ""), KIND) or name,
        title=_line(texts.get("title", ""), TITLE),
        summary=_line(texts.get("summary", ""), SUMMARY),
        link=_public(texts.get("link", "")) or _public(row.get("public_url") or ""),
        date=_clock(texts.get("date", ""), zone),
    )


def _text(held: Json) -> str:
    """What a value says; of rich text with a link behind the words, the link is what a column of links means."""
    inner = held.get(held["type"])
    match held["type"], inner:
        case "title" | "rich_text", list():
            return plain_text(inner)
        case "select" | "status", {"name": str(name)}:
            return name
        case "multi_select", list():
            return ", ".join(each["name"] for each in inner)
        case "date", {"start": str(start)}:
            return start
        case "formula", {"type": "string", "string": str(said)}:
            return said
        case _, str():
            return str(inner)
    return ""


def _line(text: str, room: int) -> str:
    line = " ".join(_UNSEEN.sub(" ", text).split())
    return line if len(line) <= room else line[: room - 1] + "…"


def _public(text: str) -> str:
    """The address, if it is one on the web, and nothing else is."""
    address = text.strip()
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return ""
    whole = len(address) <= LINK and not re.search(r"[\s<>\"'\\「」（）\x00-\x1f\x7f]", address)
    return address if whole and parts.scheme in {"http", "https"} and "." in host and "@" not in parts.netloc else ""


def _clock(text: str, zone: tzinfo) -> str:
    moment = _moment(text)
    if isinstance(moment, datetime):
        return moment.astimezone(zone).replace(tzinfo=None).isoformat(timespec="minutes")
    return moment.isoformat() if moment else ""
