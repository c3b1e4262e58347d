"""How many of other people's time expressions are read right, read wrong, or refused: a table per language and kind.

python tests/bench/dates.py [--data FOLDER] [--show wrong|refused] [--lang LANG] [--others]

A length is right if it is as long, a repetition if its rule and its hour are the same; neither may be read as a moment,
which is wrong too. ``asked`` is a reading that is not the expected one, but says itself that it is unsure, so that
nothing goes wrong in silence.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from statistics import quantiles
from time import thread_time
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench.dates_of_others import answer, installed  # noqa: E402 - run as a script
from tools.when import (  # noqa: E402 - run as a script
    NotUnderstood,
    Repetition,
    find_times,
    pattern_of,
    read_moment,
    read_range,
    read_rule,
    read_span,
    read_steps,
    read_time,
)

NOW = datetime(2026, 11, 30, 9, 30, tzinfo=ZoneInfo("Asia/Taipei"))
MOMENTS = ("date", "datetime", "range")


def cases(folder: Path, pattern: str = "*.jsonl") -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(folder.glob(pattern)):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.stem, json.loads(line)


def now_of(case: dict[str, Any]) -> datetime:
    reference = datetime.fromisoformat(case["reference"])
    try:
        return reference.astimezone(ZoneInfo(case["tz"]))
    except (KeyError, ValueError):
        return reference


def found(case: dict[str, Any], now: datetime) -> tuple[str | dict[str, str], bool]:
    """What we read, in the form of ``expected``, and whether it is sure. Raises NotUnderstood."""
    sure = read_time(case["text"], now).sure
    if case["kind"] != "range":
        return read_moment(case["text"], now).isoformat(), sure
    start, end = read_range(case["text"], now)
    if end is None:
        span = read_span(case["text"], now)
        return {"start": span.start.isoformat(), "end": span.end.isoformat()}, sure
    if not isinstance(end, datetime):
        end = end + timedelta(days=1)
    return {"start": start.isoformat(), "end": end.isoformat()}, sure


def same(ours: str | dict[str, str], expected: str | dict[str, str]) -> bool:
    if isinstance(ours, dict) and isinstance(expected, dict):
        return all(same(ours[side], expected[side]) for side in ("start", "end"))
    if not isinstance(ours, str) or not isinstance(expected, str):
        return False
    if "T" not in ours or "T" not in expected:
        return ours == expected
    return abs(datetime.fromisoformat(ours) - datetime.fromisoformat(expected)) < timedelta(seconds=1)


UNITS = {"Y": ("year", 12), "M": ("month", 1), "W": ("week", 604_800), "D": ("day", 86_400)}
CLOCK_UNITS = {"H": ("hour", 3_600), "M": ("minute", 60), "S": ("second", 1)}


def length(steps: Iterable[tuple[float, str]]) -> tuple[float, int]:
    """Months, and seconds to the whole one: two lengths that are equal have both."""
    steps = tuple(steps)
    weights = {name: (weight, unit in "YM") for unit, (name, weight) in UNITS.items()}
    weights |= {name: (weight, False) for name, weight in CLOCK_UNITS.values()}
    months = sum(count * weights[unit][0] for count, unit in steps if weights[unit][1])
    return months, round(sum(count * weights[unit][0] for count, unit in steps if not weights[unit][1]))


def iso_length(text: str) -> tuple[float, int]:
    days, _, clock = text.removeprefix("P").partition("T")
    parts = [(UNITS, days), (CLOCK_UNITS, clock)]
    return length((float(n), units[u][0]) for units, part in parts for n, u in re.findall(r"([\d.]+)([A-Z])", part))


def said_rule(found: Repetition, expected: str) -> str:
    """Our rule as the data write it: with its hour, and without the day of a bare "each month"."""
    rule = found.rule
    is_bare = "BY" not in expected.replace("BYHOUR", "").replace("BYMINUTE", "")
    if is_bare and pattern_of(rule).freq in ("MONTHLY", "YEARLY"):
        rule = ";".join(part for part in rule.split(";") if part.startswith(("FREQ", "INTERVAL")))
    if isinstance(found.first, datetime) and "BYHOUR" not in rule:
        rule += f";BYHOUR={found.first.hour};BYMINUTE={found.first.minute}"
    return rule


def verdict_of_no_moment(case: dict[str, Any], now: datetime) -> tuple[str, object]:
    with suppress(NotUnderstood):
        return "wrong", read_moment(case["text"], now)
    try:
        if case["kind"] == "duration":
            steps = read_steps(case["text"])
            return ("right" if length(steps) == iso_length(case["expected"]) else "wrong"), steps
        rule = read_rule(case["text"], now)
    except NotUnderstood as refusal:
        return "refused", refusal
    if said_rule(rule, case["expected"]["rrule"]) == case["expected"]["rrule"]:
        return "right", rule
    return ("wrong" if rule.sure else "asked"), rule


def verdict(case: dict[str, Any]) -> tuple[str, object]:
    now = now_of(case)
    if case["kind"] not in MOMENTS:
        return verdict_of_no_moment(case, now)
    try:
        ours, sure = found(case, now)
    except NotUnderstood as refusal:
        return "refused", refusal
    if same(ours, case["expected"]):
        return "right", ours
    return ("wrong" if sure else "asked"), ours


def negative(case: dict[str, Any]) -> tuple[str, object]:
    seen = find_times(case["text"], NOW)
    try:
        return "wrong", read_moment(case["text"], NOW)
    except NotUnderstood:
        return ("found" if seen else "right"), seen


def compare(folder: Path) -> None:
    """Other libraries on the same dates, clock times and ranges, one row for each language, beside ours."""
    all_cases = [(language, case) for language, case in cases(folder) if case.get("kind") in MOMENTS]
    for name, read in {"ours": None, **installed()}.items():
        if isinstance(read, str):
            print(f"{name:<13}not here: {read}")
            continue
        rows: Counter[tuple[str, str, str]] = Counter()
        spent: list[float] = []
        for language, case in all_cases:
            now, began = now_of(case), thread_time()
            if read is None:
                result = verdict(case)[0]
            else:
                theirs = answer(read, case, now, language)
                result = "refused" if theirs is None else "right" if same(theirs, case["expected"]) else "wrong"
            spent.append(1000 * (thread_time() - began))
            rows[language, name, result] += 1
        report(rows, ("right", "wrong", "asked", "refused"))
        p50, p95 = (quantiles(spent, n=100)[percent - 1] for percent in (50, 95))
        print(f"{name}: one text takes {p50:.2f} ms (p50), {p95:.2f} ms (p95) of CPU", flush=True)


def report(rows: Counter[tuple[str, str, str]], verdicts: tuple[str, ...]) -> None:
    print(f"{'language':<12}{'kind':<11}{'all':>5}" + "".join(f"{each:>10}{'%':>7}" for each in verdicts))
    for language, kind in sorted({key[:2] for key in rows}):
        counts = [rows[language, kind, each] for each in verdicts]
        total = sum(counts)
        print(f"{language:<12}{kind:<11}{total:>5}" + "".join(f"{n:>10}{100 * n / total:>7.1f}" for n in counts))


def main() -> None:
    shared = Path(os.environ.get("SECRETARY_SHARED", ROOT.parent / "shared"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=shared / "data" / "dates")
    parser.add_argument("--show", choices=("wrong", "asked", "refused", "found"))
    parser.add_argument("--lang")
    parser.add_argument("--others", action="store_true", help="compare with other libraries, as far as installed")
    options = parser.parse_args()
    if options.others:
        compare(options.data)
        return
    positive: Counter[tuple[str, str, str]] = Counter()
    negatives: Counter[tuple[str, str, str]] = Counter()
    spent: list[float] = []
    for language, case in cases(options.data):
        began = thread_time()
        with suppress(NotUnderstood):
            read_time(case["text"], now_of(case) if case.get("tz") else NOW)
        spent.append(1000 * (thread_time() - began))
        against = language.startswith("negatives")
        result, ours = negative(case) if against else verdict(case)
        (negatives if against else positive)[language, case.get("kind", "none"), result] += 1
        if result == options.show and (options.lang or language) == language:
            print(language, case.get("kind"), case["text"], case.get("reference"), case["expected"], ours, sep=" | ")
    report(positive, ("right", "wrong", "asked", "refused"))
    print("texts without a time (found: refused whole, but a time is seen inside)")
    report(negatives, ("right", "wrong", "found"))
    p50, p95 = (quantiles(spent, n=100)[percent - 1] for percent in (50, 95))
    print(f"one text takes {p50:.2f} ms (p50), {p95:.2f} ms (p95) of CPU")


if __name__ == "__main__":
    main()
