"""A page of Notion read back as the fields of a record: the way back from ``page.properties``.

Pure. People put anything into their table: a value that cannot be one of ours is named, never raised about. Must not
know how Notion is reached, or what becomes of what was read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import cast

from tools.notion.fields import Columns, fields_of, items, mapping, moment_of
from tools.notion.page import content_blocks
from tools.notion.pieces import plain_text
from tools.notion.schema import Binding, Json
from tools.record import Note

LARGEST_REF = 2**31 - 1

_KEY = re.compile(r"[0-9a-f]{32}")
_NOTE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d) (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a page says. ``fields`` are fields of ``Draft``, times in the zone that was given; ``unread`` are values
    that cannot be ours, by field, with what is wrong in English. ``in_body``: these fields stand in the page's body
    alone, for ``read_body``. ``rev`` and ``updated`` are those of the record that was sent; None of a page we did
    not write. ``created`` is when the record was made, else the page."""

    page_id: str
    url: str
    key: str | None
    ref: int | None
    owner: str | None
    created: datetime
    edited: datetime
    in_trash: bool
    fields: Mapping[str, object]
    unread: Mapping[str, str] = field(default_factory=dict)
    in_body: frozenset[str] = frozenset()
    rev: int | None = None
    updated: datetime | None = None


def read_row(page: Json, binding: Binding, names: Mapping[str, str], zone: tzinfo) -> Row:
    """What a page of the table says. ``names`` are the option names of types and statuses, ``zone`` the person's."""
    values = {each.get("id"): each for each in mapping(page.get("properties")).values() if isinstance(each, dict)}
    columns = Columns(cast("Mapping[str, Json]", values), binding)
    rare = columns.rare()
    fields, unread = fields_of(columns, rare, names, zone)
    made, edited = (_clock(page.get(name)) for name in ("created_time", "last_edited_time"))
    created = made or edited or datetime.fromtimestamp(0, UTC)
    return Row(
        page_id=str(page.get("id", "")),
        url=str(page.get("url", "")),
        key=_key(columns.text("key")),
        ref=_ref(columns.inner("ref", "number")),
        owner=columns.text("owner").strip() or None,
        created=_clock(rare.get("created")) or created,
        edited=edited or created,
        in_trash=bool(page.get("in_trash") or page.get("is_archived")),
        fields=fields,
        unread=unread,
        in_body=_in_body(rare, fields),
        rev=_ref(rare.get("rev")),
        updated=_clock(rare.get("updated")),
    )


def read_values(
    values: Mapping[str, Json], binding: Binding, names: Mapping[str, str], zone: tzinfo
) -> Mapping[str, object]:
    """The same of values by property id, as they are sent."""
    columns = Columns(values, binding)
    return fields_of(columns, columns.rare(), names, zone)[0]


def read_body(
    in_body: frozenset[str], paragraphs: Sequence[str], zone: tzinfo, content: object = None
) -> dict[str, object]:
    """The fields that stand in a page's body alone, from what its paragraphs say. Notes to the minute, of ``zone``.
    ``content`` is what is known of it otherwise, for its paragraphs are no notes."""
    texts = list(paragraphs)
    found: dict[str, object] = {}
    if "content" in in_body and texts:
        found["content"] = texts.pop(0)
    elif isinstance(content, str):
        held = Counter(plain_text(each[each["type"]].get("rich_text", ())) for each in content_blocks(content))
        texts = [text for text in texts if not _counted_off(held, text)]
    if "notes" in in_body:
        found["notes"] = tuple(note for text in texts if (note := _note_of(text, zone)))
    return found


def _counted_off(held: Counter[str], text: str) -> bool:
    """Whether this is one of these, which is then taken off."""
    held[text] -= 1
    return held[text] >= 0


def _note_of(text: str, zone: tzinfo) -> Note | None:
    told = _NOTE.fullmatch(text)
    try:
        return Note(datetime.fromisoformat(told[1]).replace(tzinfo=zone), told[2]) if told else None
    except ValueError:
        return None


# ── beside the fields ─────────────────────────────────────────────────────────────────────────────────────────────────


def _key(text: str) -> str | None:
    return text.strip() if _KEY.fullmatch(text.strip()) else None


def _ref(number: object) -> int | None:
    whole = isinstance(number, int | float) and not isinstance(number, bool) and number == number // 1
    return int(cast("int", number)) if whole and 1 <= cast("int", number) <= LARGEST_REF else None


def _clock(text: object) -> datetime | None:
    moment = moment_of(text, UTC, UTC)
    return moment if isinstance(moment, datetime) else None


def _in_body(rare: Json, fields: Mapping[str, object]) -> frozenset[str]:
    """What has to be read there; a title that a person wrote anew is the content by itself."""
    told = [each for each in items(rare.get("in_body")) if each in ("content", "notes")]
    return frozenset(cast("list[str]", told)) - fields.keys()
