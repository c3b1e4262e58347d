"""What the engine without a model makes of other people's requests: its reading against their label, a confusion table
for each language.

python -m tests.bench.offline [--data FOLDER] [--lang LANG] [--half dev|kept] [--show THEIRS:OURS]

How it is counted, and where that is kind or strict:

- A request is understood if what the engine would do, or what it asks back about, is what the label says. Nothing
  else is: that nothing was done is no understanding where something was asked for.
- To take a thing off a list is "complete" in one source and "delete" in the other; either is right for both, for the
  thing is off the list.
- A due day of a bill (query_expense) is a question about records as well as one about money.
- Out of scope is what needs a device, the web or a talk: also timers of a device (their label of "how long is left"
  is "query"), questions for the date or the clock, and calls of other people's services. Right is to change nothing.
- A wrong write is whatever would create, change, finish or delete a record where nothing may be. A write of another
  kind than the label's is counted too, on its own line; some of their labels are wrong themselves.
- Lost words: of a record that is rightly made, those whose own words or time do not hold what the label's slots name.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bot.engines.offline.plan import LOOKED_FOR, Person, Plan, Wish  # noqa: E402 - run as a script
from bot.engines.offline.understanding import Listener  # noqa: E402 - run as a script
from bot.thinking.prompt import Stamp  # noqa: E402 - run as a script
from tools.alphabet import fold  # noqa: E402 - run as a script
from tools.categories import CATEGORIES  # noqa: E402 - run as a script

LANGUAGES = {"zh-CN": "zh-TW", "zh-HK": "zh-TW"}
PLACES = {"zh-TW": "Asia/Taipei", "ja": "Asia/Tokyo", "th": "Asia/Bangkok", "en": "UTC"}
OURS = ("create", "complete", "delete", "update", "query", "money", "nothing")
WRITES = frozenset({"create", "complete", "delete", "update"})
RIGHT: Mapping[str, frozenset[str]] = {
    "create": frozenset({"create"}),
    "complete": frozenset({"complete"}),
    "delete": frozenset({"delete"}),
    "update": frozenset({"update"}),
    "query": frozenset({"query"}),
    "money": frozenset({"money", "query"}),
    "nothing": frozenset({"nothing", "query", "money"}),
}
THEIRS = {
    "create_reminder": "create",
    "create_event": "create",
    "list_add": "create",
    "complete": "complete",
    "delete": "delete",
    "update": "update",
    "query": "query",
    "query_expense": "money",
}
OFF_LIST = frozenset({"HassListCompleteItem", "HassShoppingListCompleteItem", "lists_remove"})
OWN_CALLS = {"set_alarm": "create", "todo": "create"}
"""Calls of a source of other people's functions that are a secretary's."""
TODO_SLOTS = frozenset({"reminder/todo", "item", "event_name"})
TIME_SLOTS = frozenset({"datetime", "time", "date"})


def wanted(case: Mapping[str, Any]) -> str:
    """What the label asks for, in our words; "nothing" is out of scope."""
    if case["intent"].endswith("TimerStatus"):
        return "nothing"
    return (
        OWN_CALLS.get(case["intent"], "nothing")
        if case["action"] == "tool_call"
        else THEIRS.get(case["action"], "nothing")
    )


def done(plan: Plan) -> str:
    """What the plan would do, or asks about."""
    if plan.wishes:
        return _of_wish(plan.wishes[0])
    asked = {"ring": "create", "list": "create", "move": "update"}
    return "update" if plan.needs_day is not None else asked.get(plan.asks, "nothing")


def _of_wish(wish: Wish) -> str:
    if wish.about in ("spent", "earned", "net"):
        return "money"
    if wish.about in LOOKED_FOR:
        return {"finish": "complete", "drop": "delete", "call_off": "delete"}.get(wish.about, "update")
    if wish.tool == "update_record":
        return "complete" if wish.arguments.get("status") == "done" else "update"
    return wish.tool.removesuffix("_record").removesuffix("_records")


def is_right(case: Mapping[str, Any], ours: str) -> bool:
    off = case["intent"] in OFF_LIST and ours in ("complete", "delete")
    return off or ours in RIGHT[wanted(case)]


@dataclass
class Table:
    """The count of one language."""

    name: str
    cells: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    all: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    otherwise: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    took: list[float] = field(default_factory=list)

    def add(self, case: Mapping[str, Any], plan: Plan) -> str:
        want, ours = wanted(case), done(plan)
        self.cells[case["action"], ours] += 1
        self.all[want] += 1
        self.right[want] += is_right(case, ours)
        if ours in WRITES and not is_right(case, ours):
            (self.wrong if want in ("nothing", "query", "money") else self.otherwise).append(case["text"])
        if want == ours == "create" and loses(case, plan):
            self.lost.append(case["text"])
        return ours

    def show(self, *, texts: bool) -> None:
        print(f"{self.name:<18}" + "".join(f"{each:>9}" for each in OURS))
        for theirs in sorted({key[0] for key in self.cells}):
            print(f"  {theirs:<16}" + "".join(f"{self.cells[theirs, each] or '·':>9}" for each in OURS))
        scope = [each for each in self.all if each != "nothing"]
        served, right = sum(self.all[each] for each in scope), sum(self.right[each] for each in scope)
        total = sum(self.all.values())
        print(f"  in scope understood  {right}/{served} = {right / max(1, served):.1%}", end="   ")
        print(" ".join(f"{each} {self.right[each]}/{self.all[each]}" for each in OURS if each in scope))
        print(f"  wrong writes         {len(self.wrong)}/{total} = {len(self.wrong) / max(1, total):.2%}", end="   ")
        print(f"of another kind {len(self.otherwise)}   lost words {len(self.lost)}", end="   ")
        print(f"p95 {statistics.quantiles(self.took, n=20)[-1] * 1000:.1f} ms\n")
        for head, several in (("wrong", self.wrong), ("other", self.otherwise), ("lost", self.lost)):
            for text in several if texts else ():
                print(f"    {head}: {text}")


def loses(case: Mapping[str, Any], plan: Plan) -> bool:
    """Whether what is made lacks words that the slots name, or its time."""
    made = [wish.arguments for wish in plan.wishes if wish.tool == "create_record"]
    said = _bare(" ".join(str(value) for each in made for value in each.values()))
    slots = case["slots"] or ()
    things = [each["value"] for each in slots if each["name"] in TODO_SLOTS]
    timed = any(each["name"] in TIME_SLOTS for each in slots) and case["intent"] != "alarm/set_alarm"
    without_time = timed and not any({"when", "repeat"} & set(each) for each in made)
    return bool(made) and (without_time or any(_bare(thing) not in said for thing in things))


def _bare(text: str) -> str:
    return "".join(char for char in fold(str(text)) if char.isalnum())


def half_of(case: Mapping[str, Any]) -> str:
    """Which of two halves, by chance but always the same."""
    return "kept" if hashlib.sha256(f"half {case['id']}".encode()).digest()[-1] % 2 else "dev"


def cases(path: Path, half: str | None) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if half in (None, half_of(case)):
            yield case


def listener(language: str) -> Listener:
    zone = ZoneInfo(PLACES[language])
    stamp = Stamp(datetime(2026, 11, 30, 9, 30, tzinfo=zone), zone, language, "USD")
    return Listener(Person(stamp, tuple(CATEGORIES[language])))


def read(path: Path, options: argparse.Namespace) -> Table:
    table, hears = Table(path.stem), listener(LANGUAGES.get(path.stem, path.stem))
    hears.plan("buy milk tomorrow")  # the patterns are built at the first message
    for case in cases(path, options.half):
        begun = time.perf_counter()
        plan = hears.plan(case["text"])
        table.took.append(time.perf_counter() - begun)
        ours = table.add(case, plan)
        if options.show == f"{case['action']}:{ours}":
            print(f"  {case['text']}")
    return table


def main() -> None:
    shared = Path(os.environ.get("SECRETARY_SHARED", ROOT.parent / "shared"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=shared / "data" / "utterances")
    parser.add_argument("--show", help="print the texts with this action of theirs and ours, e.g. delete:nothing")
    parser.add_argument("--lang")
    parser.add_argument("--half", choices=("dev", "kept"), help="only one half of the data, the other is not looked at")
    parser.add_argument("--texts", action="store_true", help="print what was written wrongly or lost words")
    options = parser.parse_args()
    for path in sorted(options.data.glob("*.jsonl")):
        if not path.stem.startswith(("money", "tool-dialogues")) and (options.lang or path.stem) == path.stem:
            read(path, options).show(texts=options.texts)


if __name__ == "__main__":
    main()
