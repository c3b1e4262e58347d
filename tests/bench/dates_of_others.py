"""Other libraries' readers of times, as far as they are installed, in the form in which ``dates.py`` compares.

Not dependencies: install what is to be compared (dateparser, recognizers-text-suite, jionlp, ctparse) into an
environment of its own. Duckling is a program and no package: it is not asked.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

Value = str | dict[str, str]
Read = Callable[[str, datetime, str, str], Value | None]
"""Text, now, language, kind → what was read; None if nothing was."""


def dateparser() -> Read:
    module = import_module("dateparser")
    languages = {"zh-TW": "zh-Hant", "zh-CN": "zh", "zh-HK": "zh-Hant", "ja": "ja", "th": "th", "en": "en"}

    def read(text: str, now: datetime, language: str, kind: str) -> Value | None:
        settings = {"RELATIVE_BASE": now.replace(tzinfo=None), "PREFER_DATES_FROM": "future"}
        found = module.parse(text, languages=[languages[language]], settings=settings) if kind != "range" else None
        return found and _moment(found, now, kind)

    return read


def ctparse() -> Read:
    module = import_module("ctparse")

    def read(text: str, now: datetime, language: str, kind: str) -> Value | None:
        found = module.ctparse(text, ts=now.replace(tzinfo=None), timeout=1) if language == "en" else None
        found = found.resolution if found else None
        if found is None or kind == "range" or not hasattr(found, "dt"):
            return None
        return _moment(found.dt, now, kind)

    return read


def recognizers() -> Read:
    module = import_module("recognizers_date_time")
    cultures = {"zh-TW": "zh-cn", "zh-CN": "zh-cn", "zh-HK": "zh-cn", "ja": "ja-jp", "en": "en-us"}

    def read(text: str, now: datetime, language: str, kind: str) -> Value | None:
        if language not in cultures:
            return None
        found = module.recognize_datetime(text, cultures[language], reference=now.replace(tzinfo=None))
        if len(found) != 1 or found[0].start != 0 or found[0].end != len(text) - 1:
            return None
        value = (found[0].resolution or {}).get("values", [{}])[-1]
        if kind == "range":
            ends = {side: value.get(side, "") for side in ("start", "end")}
            return {side: _iso(each, now) for side, each in ends.items()} if all(ends.values()) else None
        return _iso(value["value"], now) if value.get("type") in ("date", "datetime") else None

    return read


def jionlp() -> Read:
    module = import_module("jionlp")

    def read(text: str, now: datetime, language: str, kind: str) -> Value | None:
        if not language.startswith("zh"):
            return None
        found = module.parse_time(text, time_base=now.timestamp())
        if found["type"] not in ("time_point", "time_span"):
            return None
        start, end = (datetime.fromisoformat(each) for each in found["time"])
        whole = (start.hour, start.minute, end.hour, end.minute) == (0, 0, 23, 59)
        if kind == "range":
            last = (end + timedelta(days=1)).date().isoformat() if whole else _moment(end, now, "datetime")
            return {"start": start.date().isoformat() if whole else _moment(start, now, "datetime"), "end": last}
        if kind == "date" and start.date() != end.date():
            return {"start": found["time"][0], "end": found["time"][1]}
        return _moment(start, now, kind)

    return read


def _moment(found: datetime, now: datetime, kind: str) -> str:
    if kind == "date":
        return found.date().isoformat()
    return (found if found.tzinfo else found.replace(tzinfo=now.tzinfo)).isoformat()


def _iso(text: str, now: datetime) -> str:
    return _moment(datetime.fromisoformat(text), now, "datetime") if " " in text else text


def installed() -> dict[str, Read | str]:
    """Each by its name; why not, if it cannot be had here."""
    found: dict[str, Read | str] = {}
    for name, load in (
        ("dateparser", dateparser),
        ("recognizers", recognizers),
        ("jionlp", jionlp),
        ("ctparse", ctparse),
    ):
        try:
            found[name] = load()
        except Exception as missing:  # noqa: BLE001 - whatever keeps a library from starting is told
            found[name] = f"{type(missing).__name__}: {missing}"
    found["duckling"] = "is no Python package"
    return found


def answer(read: Read, case: dict[str, Any], now: datetime, language: str) -> Value | None:
    """What it reads; a library that fails on a text has refused it."""
    try:
        return read(case["text"], now, language, case["kind"])
    except Exception:  # noqa: BLE001 - see above
        return None
