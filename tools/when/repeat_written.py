"""Rules as programs and models write them: RRULE of RFC 5545 → the parts of ours.

https://www.rfc-editor.org/rfc/rfc5545#section-3.3.10. Weeks begin on Monday; parts by which nobody of ours repeats
(BYWEEKNO, BYYEARDAY, BYSECOND) are refused. Pure. Must not know today's date.
"""

from __future__ import annotations

import re
from typing import Final

from tools.when.numbers import NotUnderstood
from tools.when.repeat_rule import on_doms
from tools.when.repeats import Pattern, pattern_of

_BEGINS: Final = re.compile(r"(?:RRULE:)?(?=(?:[A-Z]+=[^;\s]*;)*FREQ=)")
_ORDER: Final = (
    "FREQ",
    "INTERVAL",
    "BYMONTH",
    "BYMONTHDAY",
    "BYDAY",
    "BYHOUR",
    "BYMINUTE",
    "BYSETPOS",
    "COUNT",
    "UNTIL",
)
_UNTIL: Final = re.compile(r"(\d{8})(?:T\d{6}Z?)?")


def written(text: str) -> Pattern | None:
    """The rule; None if the text is no written one. Raises NotUnderstood."""
    text = text.strip().upper()
    begins = _BEGINS.match(text)
    if begins is None:
        return None
    parts = dict(part.partition("=")[::2] for part in text[begins.end() :].rstrip(";").split(";"))
    parts.pop("WKST", None)
    if parts.get("INTERVAL") == "1":
        del parts["INTERVAL"]
    if "BYDAY" in parts:
        parts["BYDAY"] = parts["BYDAY"].replace("+", "")
    until = _UNTIL.fullmatch(parts["UNTIL"]) if "UNTIL" in parts else None
    if until is not None:
        parts["UNTIL"] = until[1]
    if not parts.keys() <= set(_ORDER):
        raise NotUnderstood("this rule has parts that are not known")
    if parts.get("BYHOUR") and "BYMINUTE" not in parts:
        parts["BYMINUTE"] = "0"
    try:
        pattern = pattern_of(";".join(f"{name}={parts[name]}" for name in _ORDER if name in parts))
    except ValueError as wrong:
        raise NotUnderstood("this rule is not written as RFC 5545 says") from wrong
    return on_doms(pattern, pattern.doms) if pattern.doms and not pattern.places else pattern
