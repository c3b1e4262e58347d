"""Whether an answer is right: by the calls in it, and by what our own reading makes of the words in their arguments.

A case says what is right as a list of alternatives: "talk" (words, no call), "asks" (words that ask), {"says": pattern}
(words with this in them), or a list of calls. A call names its tool and what its arguments must be. Times are read as
the tools read them and compared as ISO 8601; ``repeat`` is held against the rule; other text is a pattern; null must be
absent; "~" in front lets an argument be left out. What is not named may not narrow, remind, repeat or tag.
``"first": true`` is a look before the change itself: right as a first answer, not as the whole turn. Must not know
where an answer comes from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import permutations
from typing import Any, Literal

from tests.evals.bodies import life, now_in, place_of
from tools.arguments import Reader
from tools.categories import usual
from tools.definition import Caller
from tools.moments import Hours
from tools.record import MONEY_TYPES, PersonId
from tools.reminder_words import read_reminder
from tools.when import NotUnderstood, read_moment, read_range, read_rule, read_span

Verdict = Literal["right", "wrong", "no call"]

UNASKED: Mapping[str, frozenset[str]] = {
    "create_record": frozenset({"until", "remind_at", "repeat", "currency", "tags", "paid_by"}),
    "query_records": frozenset({"keyword", "type", "status", "when", "category", "tags", "min_amount", "max_amount"}),
    "update_record": frozenset(
        {"content", "type", "when", "until", "remind_at", "repeat", "scope", "amount", "currency", "category", "tags",
         "status", "add_note"}
    ),
    "delete_record": frozenset({"ref", "refs", "scope"}),
}  # fmt: skip
"""What is wrong if it is given and nothing in the case speaks of it."""

_ASKS = re.compile(r"[?？]|嗎|呢|ですか|ますか|ไหม|อะไร|เท่าไหร่|กี่|ไหน|หรือ")


def judged(case: Mapping[str, Any], calls: Sequence[Mapping[str, Any]], text: str, *, whole: bool = False) -> Verdict:
    """``calls`` are tool and arguments each; ``whole``: they are those of a whole turn, not of its first answer."""
    fits = any(_is_right(each, case, calls, text, whole=whole) for each in case["right"])
    if fits:
        return "right"
    return "wrong" if calls or not any(isinstance(each, list) for each in case["right"]) else "no call"


def _is_right(
    wanted: Any, case: Mapping[str, Any], calls: Sequence[Mapping[str, Any]], text: str, *, whole: bool
) -> bool:
    if isinstance(wanted, str):
        return not calls and bool(text.strip()) and (wanted == "talk" or bool(_ASKS.search(text)))
    if isinstance(wanted, Mapping):
        return not calls and bool(re.search(wanted["says"], text, re.IGNORECASE))
    if whole and any(each.get("first") for each in wanted):
        return False
    looks = all(each["tool"] != "query_records" for each in wanted)
    made = [each for each in calls if not (whole and looks and each["tool"] == "query_records")]
    if len(made) != len(wanted):
        return False
    return any(all(map(lambda one, other: _fits(one, other, case), wanted, order)) for order in permutations(made))


def _fits(wanted: Mapping[str, Any], call: Mapping[str, Any], case: Mapping[str, Any]) -> bool:
    if wanted["tool"] != call["tool"]:
        return False
    given = {name: each for name, each in call["arguments"].items() if each is not None and each != []}
    expected = {name: each for name, each in wanted.items() if name not in {"tool", "first"}}
    if "/" in str(expected.get("when")) and "until" not in expected and "until" in given:
        given["when"] = f"{given['when']}\n{given.pop('until')}"
    if set(given) & UNASKED[call["tool"]] - set(expected):
        return False
    return all(_argument(name, each, given, call["tool"], case) for name, each in expected.items())


def _argument(name: str, wanted: Any, given: Mapping[str, Any], tool: str, case: Mapping[str, Any]) -> bool:
    value = given.get(name)
    if wanted is None:
        return value is None
    if value is None:
        return isinstance(wanted, str) and wanted.startswith("~")
    if isinstance(wanted, str):
        wanted = wanted.removeprefix("~")
    if name in {"when", "until", "remind_at", "repeat"}:
        try:
            return bool(re.fullmatch(wanted, _read(name, str(value), given, tool, case)))
        except (NotUnderstood, OverflowError):
            return False
    if isinstance(wanted, list):
        given_ones = [str(each) for each in value] if isinstance(value, list) else [str(value)]
        return len(given_ones) == len(wanted) and all(
            any(re.search(str(p), g, re.IGNORECASE) for g in given_ones) for p in wanted
        )
    if isinstance(wanted, int | float):
        return _number(value) == float(wanted)
    return bool(re.search(wanted, str(value), re.IGNORECASE))


def _number(value: Any) -> float | None:
    try:
        return float(str(value).lstrip("#"))
    except ValueError:
        return None


def _read(name: str, words: str, given: Mapping[str, Any], tool: str, case: Mapping[str, Any]) -> str:
    """The words as the tools read them, in ISO 8601 of the place, or as the rule."""
    now = now_in(case["language"])
    if words == "remove":
        return words
    if name == "repeat":
        return str(read_rule(words, now).rule)
    if name == "remind_at":
        return _iso(read_reminder(words, now, _start(given, now), Hours()))
    past = given.get("type") in MONEY_TYPES
    if tool == "query_records":
        span = read_span(words, now, past=past)
        return f"{span.start.date()}/{(span.end - timedelta(microseconds=1)).date()}"
    words, _, until = words.partition("\n")
    if tool == "update_record" and (alone := _hour_alone(words, given, case)):
        return alone
    start, end = read_range(words, now, past=past)
    end = read_moment(until, now) if until else end
    return _iso(start) + (f"/{_iso(end)}" if end else "")


def _hour_alone(words: str, given: Mapping[str, Any], case: Mapping[str, Any]) -> str | None:
    """An hour of the day that the record is on."""
    zone, currency = place_of(case["language"])
    there, ref = life(case["language"]), int(str(given["ref"]).lstrip("#"))
    when = there[ref - 1].get("when") if 0 < ref <= len(there) else None
    if not when:
        return None
    caller = Caller(
        person=PersonId("U"), role="owner", language=case["language"], home=case["language"], zone=zone,
        currency=currency, now=now_in(case["language"]),
    )  # fmt: skip
    found = Reader(caller, usual(case["language"])).hour_on(datetime.fromisoformat(when).date(), words)
    return found and _iso(found[0])


def _start(given: Mapping[str, Any], now: datetime) -> date | datetime | None:
    """What a reminder hangs on."""
    if rule := given.get("repeat"):
        return read_rule(str(rule), now).first
    return read_range(str(given["when"]).partition("\n")[0], now)[0] if given.get("when") else None


def _iso(moment: date | datetime) -> str:
    return moment.isoformat(timespec="minutes")[:16] if isinstance(moment, datetime) else moment.isoformat()


def answer_of(line: Mapping[str, Any]) -> tuple[list[dict[str, Any]], str]:
    """The calls and the text of a reader's line. A call is {"tool": …, argument: …}."""
    calls = [
        {"tool": each["tool"], "arguments": {name: value for name, value in each.items() if name != "tool"}}
        for each in line.get("calls", ())
    ]
    return calls, line.get("text", "")


def arguments_in(sent: Any) -> dict[str, Any]:
    """What an endpoint gave as arguments; what is no object is none."""
    try:
        read = json.loads(sent) if isinstance(sent, str) else sent
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}
