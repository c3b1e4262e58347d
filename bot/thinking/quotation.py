"""The program's own line in front of words that quote: what they are about, by number, as a model and the offline
engine read it.

Pure. It is one line of JSON in brackets, so that nothing in it can end it; records hold what their owner wrote, and of
those that hold words of others only the number is told. Must not know where a quote came from, or what is done with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from tools.record import Moment, Record

_OPENING = "[program: the user quotes "
_LINE = re.compile(rf"^{re.escape(_OPENING)}[a-z ]*(\{{.*\}})\]$")
_CONTENT = 80
"""Characters of a record's words: enough to know it by."""
_WORDS = 2_000
_BREAKS = re.compile("[\u0085\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A record that is quoted, as the line tells it: ``when`` as ISO 8601 in the person's zone, "" if it has none."""

    ref: int
    type: str
    when: str = ""
    title: str = ""


def quoting(records: Sequence[Record], zone: tzinfo) -> str:
    """The line that names the records which are quoted."""
    return _line("" if len(records) == 1 else "a list ", {"records": [_told(record, zone) for record in records]})


def quoting_own(text: str) -> str:
    """The line for the person's own earlier words, of which nothing was stored."""
    return _line("their own earlier words ", {"words": text[:_WORDS]})


def quoting_unknown() -> str:
    """The line for a message that is not known, or not any more."""
    return _line("a message that is not known any more ", {})


def editing(undone: Sequence[int]) -> str:
    """The line for a message that is written anew; what its first version had made is taken back."""
    return _line("their own message and edits it ", {"undone": [f"#{ref}" for ref in undone]})


def quoted_in(line: str) -> list[Quoted] | None:
    """The records that such a line names; None if it is no such line."""
    found = _LINE.match(line)
    if not found:
        return None
    try:
        told = json.loads(found[1]).get("records", [])
        return [Quoted(int(one["ref"]), one["type"], one.get("when", ""), one.get("content", "")) for one in told]
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def without_quotes(words: str) -> str:
    """What the person said, without the program's lines."""
    return "\n".join(line for line in words.split("\n") if not line.startswith(_OPENING))


def _told(record: Record, zone: tzinfo) -> dict[str, Any]:
    told: dict[str, Any] = {"ref": record.ref, "type": record.type}
    if record.when is not None:
        told["when"] = _iso(record.when, zone)
    if record.origin == "own":
        told["content"] = record.content[:_CONTENT]
    return told


def _iso(moment: Moment, zone: tzinfo) -> str:
    return moment.astimezone(zone).isoformat(timespec="minutes") if isinstance(moment, datetime) else moment.isoformat()


def _line(what: str, fields: Mapping[str, Any]) -> str:
    line = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return f"{_OPENING}{what}{_BREAKS.sub(_escaped, line)}]"


def _escaped(sign: re.Match[str]) -> str:
    return f"\\u{ord(sign[0]):04x}"
