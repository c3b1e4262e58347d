"""A record as a page of Notion: property values within Notion's limits, and blocks for what is long.

Pure. Limits: https://developers.notion.com/reference/request-limits. Must not know how Notion is reached, or what was
sent there before.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, tzinfo
from decimal import Decimal
from typing import Any

from tools.currency import json_number
from tools.notion.from_markdown import blocks, paragraph
from tools.notion.pieces import SEGMENT, clean, cut, rich_text, units
from tools.notion.schema import Binding, Json
from tools.notion.to_markdown import told_alone
from tools.record import MONEY_TYPES, Moment, PersonId, Record

TITLE = 200
"""UTF-16 units of a title: one line in a table. Notion would take far more; the rest stands in the page."""
OPTION = 100
"""UTF-16 units of an option's name, which no documentation promises more than."""
TAGS = 20
"""Values of one page's tags, as many as a record has; Notion takes 100."""
OPTIONS = 90
"""A select column is not grown past this: a schema of more than 100 options cannot be edited through the API."""
DATA_PIECES = 8
"""Pieces of rich text in the column ``Data``: room for 20 long tags and a long category."""
BLOCKS = 100
"""Blocks per request: Notion takes no more."""
STRUCTURED = 7_000
"""UTF-16 units of a text that is shown as Markdown, which may lose an empty line: what is longer might not fit into the
column ``Data``, where it stands exactly, and is one plain paragraph."""

_DOCUMENT = re.compile(r"(#{1,6} +)?([^\s#>+*|`-][^\r\n]*)\r?\n[ \t]*\r?\n(.*\S.*)", re.DOTALL)
_NUMBERED = re.compile(r"\d+[.)] ")


@dataclass(frozen=True, slots=True)
class Document:
    """A text whose first line stands alone: that is the title of its page, and only the rest stands in it. ``mark``
    makes the line a heading."""

    mark: str
    title: str
    rest: str


def document(content: str) -> Document | None:
    """The text as one, if it is one."""
    found = _DOCUMENT.fullmatch(content)
    if found is None or _NUMBERED.match(found[2]) or units(_json(content)) > STRUCTURED:
        return None
    title = " ".join(clean(found[2]).split())
    return Document(found[1] or "", title, found[3]) if title and units(title) <= TITLE else None


def retitled(content: str, title: str) -> str | None:
    """The document under another title; None if it is none."""
    known = document(content)
    return f"{known.mark}{title}\n\n{known.rest}" if known else None


def shown_title(content: str) -> str:
    """One line of at most 200 units; an ellipsis says that there is more in the page."""
    known = document(content)
    line = known.title if known else " ".join(clean(content).split())
    return line if units(line) <= TITLE else cut(line, TITLE - 1)[0] + "…"


def option(name: str) -> str:
    """An option's name as Notion takes it: one line, no comma, at most 100 units; empty if nothing is left."""
    plain = " ".join(unicodedata.normalize("NFKC", clean(name)).split()).replace(",", "、")
    return plain if units(plain) <= OPTION else cut(plain, OPTION - 1)[0] + "…"


def options_admitted(names: Sequence[str], known: frozenset[str]) -> list[str]:
    """The names as options, without repeats, at most 20; new ones only while the column has room."""
    admitted: list[str] = []
    room = OPTIONS - len(known)
    for name in dict.fromkeys(filter(None, map(option, names))):
        fresh = name not in known
        if len(admitted) == TAGS or (fresh and room <= 0):
            continue
        room -= fresh
        admitted.append(name)
    return admitted


def date_value(start: Moment | None, end: Moment | None = None, zone: tzinfo | None = None) -> Json | None:
    """A Notion date: a whole day stays a day, a clock time carries its offset, to the minute."""
    if start is None:
        return None
    if end is not None and isinstance(start, datetime) != isinstance(end, datetime):
        start, end = _both_clocked(start, end, zone)
    return {"start": _iso(start, zone), "end": None if end is None else _iso(end, zone)}


def _both_clocked(start: Moment, end: Moment, zone: tzinfo | None) -> tuple[datetime, datetime]:
    """A day beside a clock time: from that day's first minute, or to its last, in the zone of the clock time."""
    if isinstance(start, datetime):
        return start, datetime.combine(end, time(23, 59), zone or start.tzinfo)
    assert isinstance(end, datetime), "one of the two is a clock time"
    return datetime.combine(start, time(), zone or end.tzinfo), end


def _iso(moment: Moment, zone: tzinfo | None) -> str:
    if not isinstance(moment, datetime):
        return date.isoformat(moment)
    assert moment.tzinfo is not None, "clock times are aware"
    return (moment.astimezone(zone) if zone else moment).replace(second=0, microsecond=0).isoformat()


@dataclass(frozen=True, slots=True)
class People:
    """Who wrote and paid, by name, and what the list is called that they share; nothing of the owner alone."""

    names: Mapping[PersonId, str] = field(default_factory=dict)
    where: str = ""

    def paid(self, record: Record) -> str:
        """Of money, who paid it."""
        payer = record.payer or record.author
        return self.names.get(payer, "") if payer and record.type in MONEY_TYPES else ""

    def source(self, record: Record) -> str:
        """Who wrote it, and where."""
        return " · ".join(filter(None, [self.names.get(record.author or record.owner), self.where]))


NOBODY = People()


def properties(
    record: Record,
    binding: Binding,
    names: Mapping[str, str],
    zone: tzinfo | None = None,
    people: People = NOBODY,
) -> dict[str, Json]:
    """The ``properties`` of a page, keyed by property id: every column we fill, also where the value is empty, so that
    sending them twice is the same as once. ``names`` are the option names of types and statuses."""
    tags = options_admitted(record.tags, binding.options.get("tags", frozenset()))
    category = options_admitted([record.category or ""], binding.options.get("category", frozenset()))
    values: dict[str, Json] = {
        "title": {"title": rich_text(shown_title(record.content))},
        "type": {"select": {"name": names[record.type]}},
        "status": {"select": {"name": names[record.status]}},
        "when": {"date": date_value(record.when, record.until, zone)},
        "remind": {"date": date_value(record.remind_at, None, zone)},
        "amount": {"number": None if record.amount is None else json_number(record.amount)},
        "category": {"select": {"name": category[0]} if category else None},
        "currency": {"select": {"name": record.currency} if record.currency else None},
        "tags": {"multi_select": [{"name": tag} for tag in tags]},
        "owner": {"rich_text": rich_text(record.owner)},
        "paid_by": {"rich_text": rich_text(people.paid(record))},
        "source": {"rich_text": rich_text(people.source(record))},
        "key": {"rich_text": rich_text(record.key)},
        "ref": {"number": record.ref},
        "data": {"rich_text": rich_text(rare_fields(record, tags, category), DATA_PIECES)},
    }
    return {binding.ids[field]: value for field, value in values.items() if field in binding.ids}


def rare_fields(record: Record, tags: Sequence[str], category: Sequence[str]) -> str:
    """What the columns cannot hold exactly, as JSON: from it and the columns the record can be read back. What would
    not fit into the column, which must stay readable, is named in ``in_body``: it stands in the page's body alone."""
    rare: Json = {"rev": record.rev, "created": record.created_at.isoformat(), "updated": record.updated_at.isoformat()}
    rare |= _apart(record)
    rare |= _options_apart(record, tags, category)
    rare |= {name: each.isoformat() for name, each in _moments_apart(record).items()}
    long: Json = {}
    if shown_title(record.content) != record.content:
        long["content"] = record.content
    if record.notes:
        long["notes"] = [[note.at.isoformat(), note.text] for note in record.notes]
    in_body: list[str] = []
    for name, value in long.items():
        text = _json({**rare, name: value, "in_body": list(long)})
        if units(text) <= DATA_PIECES * SEGMENT and len(cut(text, SEGMENT)) <= DATA_PIECES:
            rare[name] = value
        else:
            in_body.append(name)
    return _json({**rare, "in_body": in_body} if in_body else rare)


def _json(value: Json | str) -> str:
    """Compact; the one control sign that JSON leaves as it is must not be taken out by ``rich_text``."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("\x7f", "\\u007f")


def _apart(record: Record) -> Json:
    """What no column is for."""
    rare: Json = {} if record.origin == "own" else {"origin": record.origin}
    rare |= {name: who for name in ("author", "payer") if (who := getattr(record, name)) is not None}
    if record.amount is not None and Decimal(repr(float(record.amount))) != record.amount:
        rare["amount"] = str(record.amount)
    return rare


def _options_apart(record: Record, tags: Sequence[str], category: Sequence[str]) -> Json:
    """Tags and category that differ from their options, and which options are shown if a full column took no more."""
    rare: Json = {}
    if list(record.tags) != list(tags):
        rare["tags"] = list(record.tags)
        if options_admitted(record.tags, frozenset()) != list(tags):
            rare["shown_tags"] = list(tags)
    if record.category is not None and [record.category] != list(category):
        rare["category"] = record.category
        if options_admitted([record.category], frozenset()) != list(category):
            rare["shown_category"] = None
    return rare


def _moments_apart(record: Record) -> dict[str, Moment]:
    """Seconds, a day that a clock time beside it made one too (``end`` is the end of both), and an end without a
    beginning (``until``)."""
    start, end, remind = record.when, record.until, record.remind_at
    mixed = start is not None and end is not None and isinstance(start, datetime) != isinstance(end, datetime)
    apart: dict[str, Moment] = {}
    if start is not None and (mixed or _has_seconds(start)):
        apart["when"] = start
    if end is not None and (mixed or start is None or _has_seconds(end)):
        apart["until" if start is None else "end"] = end
    if remind is not None and _has_seconds(remind):
        apart["remind_at"] = remind
    return apart


def _has_seconds(moment: Moment) -> bool:
    return isinstance(moment, datetime) and bool(moment.second or moment.microsecond)


def body(record: Record, zone: tzinfo | None = None) -> list[Json]:
    """The blocks of the page: the content, where the title cannot hold it, as the Markdown that it is; then each note,
    as it was said."""
    made = content_blocks(record.content)
    for note in record.notes:
        at = note.at.astimezone(zone) if zone else note.at
        made.append(paragraph(f"{at:%Y-%m-%d %H:%M} {note.text}"))
    return made


def content_blocks(content: str) -> list[Json]:
    """The blocks of a content alone."""
    if shown_title(content) == content:
        return []
    known = document(content)
    if known is None and units(_json(content)) > STRUCTURED:
        return [paragraph(content)]
    return blocks(known.rest if known else content)


def signs(standing: Sequence[Json]) -> list[str]:
    """What these blocks are known by, here and in Notion: each as Markdown, nothing for what has no words."""
    return [told_alone(each) or "" for each in standing]


def dropped(sent: Mapping[str, Json], page: Json) -> list[str]:
    """The ids of properties that were sent with a value and came back empty: Notion answers 200 to such a write."""
    returned = {each["id"]: each for each in page.get("properties", {}).values()}
    return [id_ for id_, value in sent.items() if _filled(value) and id_ in returned and not _filled(returned[id_])]


def differing(sent: Mapping[str, Json], values: Mapping[str, Json]) -> dict[str, Json]:
    """What has to be sent beside what was (everything, if that is not known): nothing empty to a column that is new
    beside others, where a person's own value may stand."""
    changed = {id_: each for id_, each in values.items() if sent.get(id_) != each}
    return {id_: each for id_, each in changed.items() if not sent or id_ in sent or _filled(each)}


def _filled(value: Mapping[str, Any]) -> bool:
    kind = value.get("type") or next(iter(value))
    return value.get(kind) not in (None, [], "")


def learned(binding: Binding, sent: Mapping[str, Json]) -> Binding:
    """The binding after a write: options that a column did not have are added by being used."""
    options = dict(binding.options)
    for column in ("tags", "category"):
        if column in options:
            value = sent.get(binding.ids[column], {})
            chosen = [*value.get("multi_select", ()), value.get("select")]
            options[column] |= {each["name"] for each in chosen if each}
    return replace(binding, options=options)


def redacted(record: Record, redact: Callable[[str], str]) -> Record:
    """The record as it may leave the house: every word of a person has passed ``redact``."""
    return replace(
        record,
        content=redact(record.content),
        category=None if record.category is None else redact(record.category),
        tags=tuple(map(redact, record.tags)),
        notes=tuple(replace(note, text=redact(note.text)) for note in record.notes),
    )
