"""The table of records as it stands in Notion: its columns, and how they are found again.

Pure. Columns are found by the ids that were stored, else by the marker in their description, else by their name, so
that people may rename and describe them. Must not know how a record becomes a page, or how Notion is reached.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, get_args
from urllib.parse import unquote

from tools.notion.names import (
    COLUMN_NAMES,
    SOURCE_TITLES,
    TITLES,
    column_name,
    is_column_name,
    names_of_option,
    option_names,
    title,
)
from tools.record import RecordType, Status

MARKER = "secretary:v1:"
DATABASE_DESCRIPTION = f"{MARKER}records schema=1"

Json = dict[str, Any]

__all__ = ["COLUMNS", "Binding", "Column", "Difference", "bind", "option_names"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: our word for it, its English name, and its Notion property type."""

    field: str
    name: str
    kind: str

    @property
    def marker(self) -> str:
        return MARKER + self.field


_KINDS = {
    "title": "title", "type": "select", "status": "select", "when": "date", "remind": "date", "amount": "number",
    "category": "select", "paid_by": "rich_text", "currency": "select", "tags": "multi_select", "owner": "rich_text",
    "source": "rich_text", "key": "rich_text", "ref": "number", "data": "rich_text",
}  # fmt: skip
COLUMNS: tuple[Column, ...] = tuple(Column(each, COLUMN_NAMES["en"][each], kind) for each, kind in _KINDS.items())
INDISPENSABLE = frozenset({"title", "key"})
"""Without these two no page can be written, or found again."""
TECHNICAL = frozenset({"owner", "source", "key", "data"})
"""What people need not see."""

_COLOURS = {
    "task": "blue", "event": "purple", "expense": "red", "income": "green", "note": "gray", "idea": "yellow",
    "open": "default", "doing": "blue", "done": "green", "cancelled": "gray",
}  # fmt: skip
CODES_OF: Mapping[str, tuple[str, ...]] = {"type": get_args(RecordType), "status": get_args(Status)}
"""What the options of a column stand for, in their order."""
_MARKED = re.compile(re.escape(MARKER) + r"(\w+)")


def property_config(column: Column, language: str = "en") -> Json:
    """What creates this column. Options are named only here, never resent: a resent list replaces people's own."""
    details: Json = {}
    if column.field in CODES_OF:
        names = option_names(language)
        details = {"options": [{"name": names[code], "color": _COLOURS[code]} for code in CODES_OF[column.field]]}
    elif column.kind == "number":
        details = {"format": "number"}
    return {"type": column.kind, column.kind: details, "description": column.marker}


def database_body(parent_page_id: str, language: str = "en") -> Json:
    """The body of ``POST /v1/databases``. Columns belong into ``initial_data_source``: a ``properties`` beside it is
    ignored by Notion without a word (https://developers.notion.com/reference/create-a-database)."""
    columns = {column_name(each.field, language): property_config(each, language) for each in COLUMNS}
    return {
        "parent": {"type": "page_id", "page_id": parent_page_id},
        "title": [_text(title(TITLES, language))],
        "description": [_text(DATABASE_DESCRIPTION)],
        "initial_data_source": {"properties": columns},
    }


def data_source_title(language: str = "en") -> Json:
    """The body that names the data source; a new one bears its database's name."""
    return {"title": [_text(title(SOURCE_TITLES, language))]}


def _text(content: str) -> Json:
    return {"type": "text", "text": {"content": content}}


def free_name(name: str, properties: Mapping[str, Any]) -> str:
    """A name for a new column, this one or one like it: sent under a name that is taken, a column would be retyped."""
    taken = {each.strip().casefold() for each in properties}
    for candidate in (name, f"{name} (Secretary)", *(f"{name} (Secretary {number})" for number in range(2, 100))):
        if candidate.casefold() not in taken:
            return candidate
    return f"{name} (Secretary {len(taken)})"


def own_words(description: str | None) -> str:
    """What a person wrote into the description of a column, on one line, without our marker."""
    return " ".join(_MARKED.sub(" ", description or "").split())


@dataclass(frozen=True, slots=True)
class Difference:
    """A column that is not as we need it. ``found`` is None if it is absent, else the type it has now; ``removed`` says
    that it was there once and a person took it away."""

    column: Column
    name: str
    found: str | None = None
    removed: bool = False

    def __str__(self) -> str:
        if self.removed:
            return f'column "{self.name}" ({self.column.kind}) was removed in Notion'
        if self.found is None:
            return f'column "{self.name}" ({self.column.kind}) is missing'
        return f'column "{self.name}" is {self.found} in Notion, {self.column.kind} is needed'


@dataclass(frozen=True, slots=True)
class Binding:
    """Which property of a data source is which of our columns.

    ``ids`` and ``names`` go from our words to Notion's property id and present name; only columns of the right type
    stand in them. ``options`` are the option names a select column has now; ``chosen`` goes from the codes of types and
    statuses to the ids of the options that stand for them, ``called`` to what these are called now.
    """

    ids: Mapping[str, str]
    names: Mapping[str, str]
    options: Mapping[str, frozenset[str]]
    differences: tuple[Difference, ...] = ()
    chosen: Mapping[str, str] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> tuple[Column, ...]:
        """Columns that can simply be added: no column stands under their marker or name, and none ever did."""
        return tuple(each.column for each in self.differences if each.found is None and not each.removed)

    @property
    def usable(self) -> bool:
        return self.ids.keys() >= INDISPENSABLE

    def option_names(self, language: str) -> Mapping[str, str]:
        """What types and statuses are called in this table: as people see them now, else as the language has it."""
        return MappingProxyType({**option_names(language), **self.called})


NOTHING: Mapping[str, str] = MappingProxyType({})


def bind(
    properties: Mapping[str, Any], known: Mapping[str, str] = NOTHING, chosen: Mapping[str, str] = NOTHING
) -> Binding:
    """Match a data source's ``properties`` (name -> config) to our columns: by the property ids ``known``, else by
    marker, else by name in any language, else (the title, of which there is exactly one) by type. ``chosen`` are the
    ids of options by code."""
    found = _matched(properties, known)
    ids, names = {}, {}
    options: dict[str, frozenset[str]] = {}
    differences: list[Difference] = []
    for column in COLUMNS:
        config = found.get(column.field)
        if config is None:
            differences.append(Difference(column, column.name, removed=column.field in known))
        elif config["type"] != column.kind:
            differences.append(Difference(column, config["name"], config["type"]))
        else:
            ids[column.field], names[column.field] = config["id"], config["name"]
            if column.kind in {"select", "multi_select"}:
                options[column.field] = frozenset(each["name"] for each in _options(config))
    choosing = [name for name in CODES_OF if name in ids]
    now = {code: each for name in choosing for code, each in _standing(name, found[name], chosen).items()}
    picked = {code: str(each["id"]) for code, each in now.items() if each.get("id")}
    called = {code: str(each["name"]) for code, each in now.items()}
    return Binding(ids, names, options, tuple(differences), picked, called)


def _options(config: Json) -> list[Json]:
    return list(config[config["type"]].get("options", ()))


def _standing(name: str, config: Json, chosen: Mapping[str, str]) -> Mapping[str, Json]:
    """The options of types or statuses that are there, by code: by the id that was stored, else by a name."""
    options = _options(config)
    by_id = {each.get("id"): each for each in options}
    standing: dict[str, Json] = {}
    for code in CODES_OF[name]:
        if (kept := by_id.get(chosen.get(code))) is not None:
            standing[code] = kept
            continue
        alike = {each.casefold() for each in names_of_option(code)}
        free = (each for each in options if each.get("id") not in chosen.values())
        named = next((each for each in free if each["name"].strip().casefold() in alike), None)
        if named is not None:
            standing[code] = named
    return standing


def _matched(properties: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Json]:
    """Of each column the property that is it, or that stands in its place with a wrong type. One is never two."""
    free = {unquote(config["id"]): {**config, "name": name} for name, config in properties.items()}
    found: dict[str, Json] = {}
    wrong: dict[str, Json] = {}
    for pick in (_by_id(known), _by_marker, _by_name, _by_type):
        for column in COLUMNS:
            if column.field in found or (pick is _by_name and column.field in wrong):
                continue
            for config in pick(column, free):
                if config["type"] == column.kind:
                    found[column.field] = free.pop(unquote(config["id"]))
                    break
                wrong.setdefault(column.field, config)
    return {**{name: each for name, each in wrong.items() if name not in found}, **found}


def _by_id(known: Mapping[str, str]) -> Any:
    def pick(column: Column, free: Mapping[str, Json]) -> Iterator[Json]:
        if (config := free.get(unquote(known.get(column.field, "")))) is not None:
            yield config

    return pick


def _by_marker(column: Column, free: Mapping[str, Json]) -> Iterator[Json]:
    for config in list(free.values()):
        marked = _MARKED.search(config.get("description") or "")
        if marked and marked[1] == column.field:
            yield config


def _by_name(column: Column, free: Mapping[str, Json]) -> Iterator[Json]:
    for config in list(free.values()):
        if not _MARKED.search(config.get("description") or "") and is_column_name(column.field, config["name"]):
            yield config


def _by_type(column: Column, free: Mapping[str, Json]) -> Iterator[Json]:
    """There is one title, whatever it is called."""
    if column.kind == "title":
        yield from [config for config in free.values() if config["type"] == "title"]
