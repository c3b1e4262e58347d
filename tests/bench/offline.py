"""What the engine without a model does with other people's requests: its action against theirs, a table per language.

python tests/bench/offline.py [--data FOLDER] [--show THEIRS:OURS] [--lang LANG]

Their labels are coarse and of spoken assistants. What matters most: a request that is none of a secretary's
(out_of_scope, timer, chitchat …) must not write anything.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bot.engines.offline.plan import Person  # noqa: E402 - run as a script
from bot.engines.offline.understanding import Listener  # noqa: E402 - run as a script
from bot.thinking.prompt import Stamp  # noqa: E402 - run as a script
from tools.arguments import CATEGORIES  # noqa: E402 - run as a script

LANGUAGES = {"zh-CN": "zh-TW", "zh-HK": "zh-TW"}
PLACES = {"zh-TW": "Asia/Taipei", "ja": "Asia/Tokyo", "th": "Asia/Bangkok", "en": "UTC"}
ACTIONS = ("create", "update", "delete", "query", "nothing")
NEVER_WRITE = (
    "out_of_scope",
    "timer",
    "chitchat",
    "date_query",
    "query",
    "query_expense",
    "help",
    "deny",
    "confirm",
    "cancel",
)


def ours(text: str, language: str) -> str:
    zone = ZoneInfo(PLACES[language])
    stamp = Stamp(datetime(2026, 11, 30, 9, 30, tzinfo=zone), zone, language, "USD")
    wishes = Listener(Person(stamp, tuple(CATEGORIES[language]))).plan(text).wishes
    return wishes[0].tool.split("_", maxsplit=1)[0] if wishes else "nothing"


def main() -> None:
    shared = Path(os.environ.get("SECRETARY_SHARED", ROOT.parent / "shared"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=shared / "data" / "utterances")
    parser.add_argument(
        "--show", help="print the texts with this action of theirs and of ours, e.g. out_of_scope:create"
    )
    parser.add_argument("--lang")
    options = parser.parse_args()
    for path in sorted(options.data.glob("*.jsonl")):
        if path.stem.startswith(("money", "tool-dialogues")) or (options.lang or path.stem) != path.stem:
            continue
        language = LANGUAGES.get(path.stem, path.stem)
        counts: Counter[tuple[str, str]] = Counter()
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            action = ours(case["text"], language)
            counts[case["action"], action] += 1
            if options.show == f"{case['action']}:{action}":
                print(f"  {case['text']}")
        table(path.stem, counts)


def table(name: str, counts: Counter[tuple[str, str]]) -> None:
    print(f"{name:<18}" + "".join(f"{action:>9}" for action in ACTIONS))
    for theirs in sorted({key[0] for key in counts}):
        print(f"  {theirs:<16}" + "".join(f"{counts[theirs, action] or '·':>9}" for action in ACTIONS))
    wrong = sum(n for (theirs, action), n in counts.items() if theirs in NEVER_WRITE and action in ACTIONS[:3])
    print(f"  writes where nothing may be written: {wrong}\n")


if __name__ == "__main__":
    main()
