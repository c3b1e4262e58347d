"""What a look at the bot found: what was looked at, how it is, and what to do about it.

Pure. Must not know how anything is looked at.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warn", "FAIL"]

WIDTH = 14
"""Of the column that says what was looked at."""


@dataclass(frozen=True, slots=True)
class Finding:
    """``what`` was looked at in a word or two; ``said`` is the reason, ``next`` the next step, both for an operator."""

    what: str
    state: State
    said: str
    next: str = ""

    @property
    def line(self) -> str:
        """All of it, on one line."""
        told = " → ".join(" ".join(each.split()) for each in (self.said, self.next) if each)
        return f"{self.state:4}  {self.what:{WIDTH - 1}} {told}"


def fails(findings: Sequence[Finding]) -> bool:
    """Whether something must be done before the bot works."""
    return any(each.state == "FAIL" for each in findings)


def as_lines(findings: Sequence[Finding]) -> list[str]:
    """For an operator."""
    return [each.line for each in findings]


def as_json(findings: Sequence[Finding]) -> str:
    """For a program."""
    told = [{"check": each.what, "state": each.state, "reason": each.said, "next": each.next} for each in findings]
    return json.dumps(told, ensure_ascii=False, indent=1)
