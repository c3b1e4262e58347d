"""The table of records as it stands in Notion: its columns, and how they are found again.

Pure. Columns are found by the marker in their description, so that people may rename them. Must not know how a record
becomes a page, or how Notion is reached.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, get_args

from tools.record import RecordType, Status

DATABASE_TITLE = "Secretary"
DATA_SOURCE_TITLE = "Records"
MARKER = "secretary:v1:"
DATABASE_DESCRIPTION = f"{MARKER}records schema=1"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: our word for it, the name it is created under, and its Notion property type."""

    field: str
    name: str
    kind: str

    @property
    def marker(self) -> str:
        return MARKER + self.field


COLUMNS: tuple[Column, ...] = (
    Column("title", "Title", "title"),
    Column("type", "Type", "select"),
    Column("status", "Status", "select"),
    Column("when", "When", "date"),
    Column("remind", "Remind", "date"),
    Column("amount", "Amount", "number"),
    Column("category", "Category", "select"),
    Column("paid_by", "Paid by", "rich_text"),
    Column("currency", "Currency", "select"),
    Column("tags", "Tags", "multi_select"),
    Column("owner", "Owner", "rich_text"),
    Column("source", "Source", "rich_text"),
    Column("key", "Key", "rich_text"),
    Column("ref", "Ref", "number"),
    Column("data", "Data", "rich_text"),
)
INDISPENSABLE = frozenset({"title", "key"})
"""Without these two no page can be written, or found again."""

_COLOURS = {
    "task": "blue", "event": "purple", "expense": "red", "income": "green", "note": "gray", "idea": "yellow",
    "open": "default", "doing": "blue", "done": "green", "cancelled": "gray",
}  # fmt: skip

_WORDS: dict[str, dict[str, str]] = {
    "zh-TW": {
        "task": "待辦", "event": "行程", "expense": "支出", "income": "收入", "note": "筆記", "idea": "點子",
        "open": "未完成", "doing": "進行中", "done": "完成", "cancelled": "取消",
    },
    "ja": {
        "task": "タスク", "event": "予定", "expense": "支出", "income": "収入", "note": "メモ", "idea": "アイデア",
        "open": "未着手", "doing": "進行中", "done": "完了", "cancelled": "中止",
    },
    "th": {
        "task": "สิ่งที่ต้องทำ", "event": "นัดหมาย", "expense": "รายจ่าย", "income": "รายรับ", "note": "บันทึก",
        "idea": "ไอเดีย", "open": "ยังไม่เสร็จ", "doing": "กำลังทำ", "done": "เสร็จแล้ว", "cancelled": "ยกเลิก",
    },
}  # fmt: skip


def option_names(language: str) -> Mapping[str, str]:
    """The names of types and statuses in Notion: the language's words, or the codes themselves for ``auto`` and en."""
    words = _WORDS.get(language, {})
    return MappingProxyType({code: words.get(code, code) for code in _COLOURS})


def _options(codes: tuple[str, ...], language: str) -> list[Json]:
    names = option_names(language)
    return [{"name": names[code], "color": _COLOURS[code]} for code in codes]


def property_config(column: Column, language: str = "en") -> Json:
    """What creates this column. Options are named only here, never resent: a resent list replaces people's own."""
    details: Json = {}
    if column.field == "type":
        details = {"options": _options(get_args(RecordType), language)}
    elif column.field == "status":
        details = {"options": _options(get_args(Status), language)}
    elif column.kind == "number":
        details = {"format": "number"}
    return {"type": column.kind, column.kind: details, "description": column.marker}


def database_body(parent_page_id: str, language: str = "en") -> Json:
    """The body of ``POST /v1/databases``. Columns belong into ``initial_data_source``: a ``properties`` beside it is
    ignored by Notion without a word (https://developers.notion.com/reference/create-a-database)."""
    return {
        "parent": {"type": "page_id", "page_id": parent_page_id},
        "title": [_text(DATABASE_TITLE)],
        "description": [_text(DATABASE_DESCRIPTION)],
        "initial_data_source": {"properties": {each.name: property_config(each, language) for each in COLUMNS}},
    }


def data_source_title() -> Json:
    """The body that names the data source; a new one bears its database's name."""
    return {"title": [_text(DATA_SOURCE_TITLE)]}


def _text(content: str) -> Json:
    return {"type": "text", "text": {"content": content}}


@dataclass(frozen=True, slots=True)
class Difference:
    """A column that is not as we need it. ``found`` is None if it is absent, else the type it has now."""

    column: Column
    name: str
    found: str | None = None

    def __str__(self) -> str:
        if self.found is None:
            return f'column "{self.name}" ({self.column.kind}) is missing'
        return f'column "{self.name}" is {self.found} in Notion, {self.column.kind} is needed'


@dataclass(frozen=True, slots=True)
class Binding:
    """Which property of a data source is which of our columns.

    ``ids`` and ``names`` go from our words to Notion's property id and present name; only columns of the right type
    stand in them. ``options`` are the option names a select column has now.
    """

    ids: Mapping[str, str]
    names: Mapping[str, str]
    options: Mapping[str, frozenset[str]]
    differences: tuple[Difference, ...] = ()

    @property
    def missing(self) -> tuple[Column, ...]:
        """Columns that can simply be added: no column stands under their marker or name."""
        return tuple(each.column for each in self.differences if each.found is None)

    @property
    def usable(self) -> bool:
        return self.ids.keys() >= INDISPENSABLE


def bind(properties: Mapping[str, Any]) -> Binding:
    """Match a data source's ``properties`` (name -> config) to our columns: by marker, else by name, else (the title,
    of which there is exactly one) by type."""
    ids: dict[str, str] = {}
    names: dict[str, str] = {}
    options: dict[str, frozenset[str]] = {}
    differences: list[Difference] = []
    for column in COLUMNS:
        found = _find(column, properties)
        if found is None:
            differences.append(Difference(column, column.name))
        elif found["type"] != column.kind:
            differences.append(Difference(column, found["name"], found["type"]))
        else:
            ids[column.field] = found["id"]
            names[column.field] = found["name"]
            if column.kind in {"select", "multi_select"}:
                options[column.field] = frozenset(each["name"] for each in found[column.kind].get("options", ()))
    return Binding(ids, names, options, tuple(differences))


def _find(column: Column, properties: Mapping[str, Any]) -> Json | None:
    named = {name: {**config, "name": name} for name, config in properties.items()}
    for config in named.values():
        if (config.get("description") or "").strip() == column.marker:
            return config
    for name, config in named.items():
        unmarked = MARKER not in (config.get("description") or "")
        if unmarked and name.strip().casefold() == column.name.casefold():
            return config
    if column.kind == "title":
        return next((config for config in named.values() if config["type"] == "title"), None)
    return None
