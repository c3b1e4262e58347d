"""What each column of the table says, as fields of a record; what people put there that cannot be one is refused.

Pure. What the column ``Data`` holds exactly counts as long as its column still shows it. Must not know pages, or what
becomes of what was read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, tzinfo
from decimal import Decimal
from typing import Any, cast, get_args
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from tools.currency import known, minor
from tools.moments import MORNING, YEARS
from tools.notion.page import option, options_admitted, retitled, shown_title
from tools.notion.schema import CODES_OF, Binding, Json, option_names
from tools.record import Language, Moment, Note, PersonId


class Unfit(Exception):
    """A value that cannot be one of ours; the text says why."""


class Columns:
    """The values of a page by our words for its columns."""

    def __init__(self, values: Mapping[str, Json], binding: Binding) -> None:
        by_id = {unquote(str(id_)): value for id_, value in values.items()}
        self._values = {name: by_id[key] for name, id_ in binding.ids.items() if (key := unquote(id_)) in by_id}

    def inner(self, name: str, *kinds: str) -> Any:
        """What stands in the column, if it is of one of these kinds; else None."""
        value = mapping(self._values.get(name))
        return next((value[kind] for kind in kinds if kind in value), None)

    def has(self, name: str) -> bool:
        return name in self._values

    def text(self, name: str) -> str:
        """What the title or text says: people's edits cut it into many pieces, and mentions are pieces too."""
        pieces = self.inner(name, "title", "rich_text")
        return storable("".join(map(_piece, pieces))) if isinstance(pieces, list) else ""

    def option(self, name: str) -> str | None:
        """The name of the option that is chosen."""
        chosen = mapping(self.inner(name, "select", "status")).get("name")
        return storable(chosen).strip() or None if isinstance(chosen, str) else None

    def rare(self) -> Json:
        """What stands in the column ``Data``, if it is what we put there."""
        try:
            found = json.loads(self.text("data") or "{}")
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


def _piece(piece: object) -> str:
    """What one piece says: Notion answers with ``plain_text``, what is sent has only ``text``."""
    told = mapping(piece)
    text = told.get("plain_text", mapping(told.get("text")).get("content"))
    return text if isinstance(text, str) else ""


def storable(text: str) -> str:
    """Text as every store can keep it."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


def mapping(value: object) -> Json:
    """The value, if it is a JSON object."""
    return value if isinstance(value, dict) else {}


# ── fields ────────────────────────────────────────────────────────────────────────────────────────────────────────────

Reader = Callable[[Columns, Json, Mapping[str, str], tzinfo], Mapping[str, object]]


def fields_of(
    columns: Columns, rare: Json, names: Mapping[str, str], zone: tzinfo
) -> tuple[dict[str, object], dict[str, str]]:
    """The fields of ``Draft`` that the columns hold, and what they hold that cannot be one, with the reason."""
    fields: dict[str, object] = {}
    unread: dict[str, str] = {}
    for name, read in _READERS.items():
        try:
            fields.update(read(columns, rare, names, zone))
        except (Unfit, ArithmeticError, AttributeError, KeyError, TypeError, ValueError) as problem:
            unread[name] = str(problem) if isinstance(problem, Unfit) else "is not what this column can hold"
    if unread.keys() & {"amount", "currency"}:  # an amount is only known together with its currency
        fields.pop("amount", None)
        fields.pop("currency", None)
    return fields, unread


def _content(columns: Columns, rare: Json, _: Mapping[str, str], __: tzinfo) -> Mapping[str, object]:
    """The title, or what it stands for. Whoever mends a title that was cut mends the beginning of the whole."""
    title, exact = columns.text("title").strip(), rare.get("content")
    if not isinstance(exact, str):
        in_body = "content" in items(rare.get("in_body")) and title.endswith("…")
        return {} if in_body or not title else {"content": title}
    exact, shown = storable(exact), shown_title(exact)
    if title == shown.strip():
        return {"content": exact}
    if shown.endswith("…") and title.endswith("…"):
        return {"content": title[:-1] + _behind(exact, shown[:-1])}
    return {"content": retitled(exact, title) or title} if title else {}


def _behind(text: str, shown: str) -> str:
    """The part of the text that does not stand in its title, which has the same words on one line."""
    left = len("".join(shown.split()))
    for at, character in enumerate(text):
        if left == 0:
            return text[at:]
        left -= not character.isspace()
    return ""


def _codes(name: str) -> Reader:
    """A type or a status: by its present name, by the code itself, or by what it is called in another language."""

    def read(columns: Columns, _: Json, names: Mapping[str, str], __: tzinfo) -> Mapping[str, object]:
        chosen = columns.option(name)
        if chosen is None:
            # Notion says null of a status that nobody has touched, and shows its default.
            return {"status": "open"} if name == "status" and columns.has("status") else {}
        for words in (names, *map(option_names, ("en", *get_args(Language)))):
            for code in CODES_OF[name]:
                if words.get(code, code).strip().casefold() == chosen.casefold():
                    return {name: code}
        raise Unfit(f'no {name} is called "{chosen}"')

    return read


def _when(columns: Columns, rare: Json, _: Mapping[str, str], zone: tzinfo) -> Mapping[str, object]:
    if not columns.has("when"):
        return {}
    start, end = _moments(columns.inner("when", "date"), zone)
    if start is None:
        return {"when": None, "until": moment_of(rare.get("until"), zone)}
    exact_start, exact_end = (moment_of(rare.get(name), zone) for name in ("when", "end"))
    begins = exact_start if _shows(exact_start, start, time()) else start
    ends = exact_end if _shows(exact_end, end, time(23, 59)) else end
    if end is not None and _instant(end, zone) < _instant(start, zone):
        raise Unfit("ends before it begins")
    return {"when": begins, "until": ends}


def _moments(value: object, zone: tzinfo) -> tuple[Moment | None, Moment | None]:
    told = mapping(value)
    named = told.get("time_zone")
    try:
        theirs = ZoneInfo(named) if isinstance(named, str) else zone
    except (KeyError, ValueError, OSError):
        theirs = zone
    start, end = (moment_of(told.get(name), zone, theirs) for name in ("start", "end"))
    if value is not None and start is None:
        raise Unfit("is no day or time that we know")
    return start, end


def moment_of(text: object, zone: tzinfo, unsaid: tzinfo | None = None) -> Moment | None:
    """A day, or a clock time in ``zone``; one without an offset is meant in ``unsaid``. None if it is neither."""
    if not isinstance(text, str):
        return None
    try:
        if len(text) == len("2026-12-01"):
            moment: Moment = date.fromisoformat(text)
        else:
            at = datetime.fromisoformat(text)
            moment = (at if at.tzinfo else at.replace(tzinfo=unsaid or zone)).astimezone(zone)
    except (ValueError, OverflowError):
        return None
    return moment if moment.year in YEARS else None


def _shows(exact: Moment | None, column: Moment | None, hour: time) -> bool:
    """Whether the column, to the minute, shows this; ``hour`` stands for a day beside a clock time."""
    if exact is None or column is None:
        return False
    if not isinstance(column, datetime):
        return exact == column and not isinstance(exact, datetime)
    if isinstance(exact, datetime):
        return exact.astimezone(UTC).replace(second=0, microsecond=0) == column.astimezone(UTC)
    return column.replace(tzinfo=None) == datetime.combine(exact, hour)


def _instant(moment: Moment, zone: tzinfo) -> datetime:
    return (moment if isinstance(moment, datetime) else datetime.combine(moment, time(), zone)).astimezone(UTC)


def _remind(columns: Columns, rare: Json, _: Mapping[str, str], zone: tzinfo) -> Mapping[str, object]:
    if not columns.has("remind"):
        return {}
    start, _end = _moments(columns.inner("remind", "date"), zone)
    exact = moment_of(rare.get("remind_at"), zone)
    if _shows(exact, start, MORNING):
        return {"remind_at": exact}
    whole_day = start is not None and not isinstance(start, datetime)
    return {"remind_at": datetime.combine(start, MORNING, zone) if start and whole_day else start}


def _money(columns: Columns, rare: Json, _: Mapping[str, str], __: tzinfo) -> Mapping[str, object]:
    found: dict[str, object] = {}
    if columns.has("currency"):
        code = (columns.option("currency") or "").upper()
        if code and not known(code):
            raise Unfit(f'"{code}" is no currency')
        found["currency"] = code or None
    if columns.has("amount"):
        found["amount"] = amount = _amount(columns.inner("amount", "number"), rare.get("amount"))
        if amount is not None:
            _countable(amount, cast("str | None", found.get("currency")))
    return found


def _amount(number: object, exact: object) -> Decimal | None:
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise Unfit("is no number")
    try:
        told = Decimal(exact) if isinstance(exact, str) else None
    except ArithmeticError:
        told = None
    return told if told is not None and float(told) == float(number) else Decimal(repr(number))


def _countable(amount: Decimal, currency: str | None) -> None:
    try:
        minor(amount, currency)
    except ValueError as problem:
        raise Unfit(str(problem)) from None


def _category(columns: Columns, rare: Json, _: Mapping[str, str], __: tzinfo) -> Mapping[str, object]:
    if not columns.has("category"):
        return {}
    chosen, exact = columns.option("category"), rare.get("category")
    if isinstance(exact, str):
        shown = None if "shown_category" in rare else option(exact) or None
        if chosen == shown:
            return {"category": storable(exact)}
    return {"category": chosen}


def _tags(columns: Columns, rare: Json, _: Mapping[str, str], __: tzinfo) -> Mapping[str, object]:
    """The options that are chosen, each as it was said; what the column had no room for is there still."""
    if not columns.has("tags"):
        return {}
    each = [mapping(one).get("name") for one in items(columns.inner("tags", "multi_select"))]
    chosen = [name for one in each if isinstance(one, str) and (name := storable(one).strip())]
    exact = [storable(one) for one in items(rare.get("tags")) if isinstance(one, str)]
    shown = options_admitted(exact, frozenset())
    if "shown_tags" in rare:
        shown = [one for one in items(rare["shown_tags"]) if isinstance(one, str)]
    if set(chosen) == set(shown) and exact:
        return {"tags": tuple(exact)}
    said = {option(one): one for one in reversed(exact)}
    hidden = [one for one in exact if option(one) and option(one) not in shown]
    return {"tags": tuple(dict.fromkeys([*(said.get(one, one) for one in chosen), *hidden]))}


def _unshown(_: Columns, rare: Json, __: Mapping[str, str], zone: tzinfo) -> Mapping[str, object]:
    """What no column shows: it is as it was sent."""
    found: dict[str, object] = {}
    if rare.get("origin") == "others":
        found["origin"] = "others"
    for name in ("author", "payer"):
        if isinstance(who := rare.get(name), str) and who:
            found[name] = PersonId(storable(who)[:64])
    notes = [_told_note(each, zone) for each in items(rare.get("notes"))]
    if kept := tuple(note for note in notes if note):
        found["notes"] = kept
    return found


def _told_note(told: object, zone: tzinfo) -> Note | None:
    at, text = told if isinstance(told, list) and len(told) == 2 else (None, None)  # noqa: PLR2004 - when, and what
    moment = moment_of(at, zone)
    return Note(moment, storable(text)) if isinstance(moment, datetime) and isinstance(text, str) else None


_READERS: Mapping[str, Reader] = {
    "content": _content,
    "type": _codes("type"),
    "status": _codes("status"),
    "when": _when,
    "remind_at": _remind,
    "amount": _money,
    "category": _category,
    "tags": _tags,
    "notes": _unshown,
}


def items(value: object) -> list[Any]:
    """The value, if it is a list."""
    return value if isinstance(value, list) else []
