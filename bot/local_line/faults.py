"""Misbehaviour on demand, so that a bot can be tried against a bad day: errors, cut connections, delays, dead tokens.

Must not know what the requests mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

When = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with the next ``times`` requests whose path begins with ``path``.

    ``delay`` seconds pass first. Then the connection is cut (``drop``) or the answer is replaced (``status``,
    ``body``), ``before`` or ``after`` the request was carried out.
    """

    path: str = "/v2/"
    times: int = 1
    status: int | None = None
    body: Any = None
    drop: When | None = None
    when: When = "before"
    delay: float = 0.0

    @property
    def moment(self) -> When:
        return self.drop or self.when


class Faults:
    """The faults that are still to happen, the oldest first."""

    def __init__(self) -> None:
        self._coming: list[tuple[Fault, int]] = []

    def add(self, fault: Fault) -> None:
        self._coming.append((fault, fault.times))

    def clear(self) -> None:
        self._coming.clear()

    def take(self, path: str) -> Fault | None:
        """The fault that hits a request for this path."""
        for place, (fault, left) in enumerate(self._coming):
            if path.startswith(fault.path):
                if left > 1:
                    self._coming[place] = (fault, left - 1)
                else:
                    del self._coming[place]
                return fault
        return None
