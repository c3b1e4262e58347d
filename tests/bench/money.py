"""How many of other people's amounts of money are read right, read wrong, or refused: a table per language.

python tests/bench/money.py [--data FOLDER] [--show wrong|refused]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.money import NotMoney, read_amount  # noqa: E402 - run as a script

SMALL = {"Cent": Decimal("0.01"), "Pence": Decimal("0.01")}
"""Labels that count small change, which we read as a part of the whole unit: their 34 Cent are our 0.34."""


def verdict(case: dict[str, Any]) -> tuple[str, object]:
    """A label that is no ISO code (Franc, Cent) leaves only the value to compare. A name that several countries share
    (rupees) is read for somebody who uses none of them; a label "unspecified" wants it left open."""
    try:
        ours = read_amount(case["text"])
    except NotMoney as refusal:
        return "refused", refusal
    code = case["currency"]
    value = Decimal(str(case["amount"])) * SMALL.get(code, 1)
    named = {"unspecified": None}.get(code, code if code.isupper() else ours.currency)
    same_money = named == (ours.currency_for("") if named else ours.currency)
    return ("right" if ours.value == value and same_money else "wrong"), ours


def main() -> None:
    shared = Path(os.environ.get("SECRETARY_SHARED", ROOT.parent / "shared"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=shared / "data" / "utterances")
    parser.add_argument("--show", choices=("wrong", "refused"))
    options = parser.parse_args()
    verdicts = ("right", "wrong", "refused")
    print(f"{'language':<14}{'all':>5}" + "".join(f"{each:>10}{'%':>7}" for each in verdicts))
    for path in sorted(options.data.glob("money-*.jsonl")):
        counts: Counter[str] = Counter()
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            result, ours = verdict(case)
            counts[result] += 1
            if result == options.show:
                print(f"  {case['text']} | {case['amount']} {case['currency']} | {ours}")
        total = counts.total()
        row = "".join(f"{counts[each]:>10}{100 * counts[each] / total:>7.1f}" for each in verdicts)
        print(f"{path.stem:<14}{total:>5}{row}")


if __name__ == "__main__":
    main()
