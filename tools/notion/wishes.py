"""What an operator asks of the set-up of the table beside the usual.

Pure. Must not know how it is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Wishes:
    """``mapped`` goes from our words for columns to the names of a person's own ones; those of ``unmapped`` are ours
    again; ``mend``: put a new column in the place of each that was retyped or removed; ``new_webhook``: the next
    verification token that Notion's webhook offers is taken."""

    mapped: Mapping[str, str] = field(default_factory=dict)
    unmapped: tuple[str, ...] = ()
    mend: bool = False
    new_webhook: bool = False


NO_WISHES = Wishes()
