"""How records are shown in Notion: in whose language, zone and words, and what of them must not leave the house.

Pure. Must not know pages that stand there, or when anything is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from tools.notion.page import People, body, properties, redacted, signs
from tools.notion.schema import Binding, Json
from tools.record import Mirrored, PersonId, Record


class NotShown(Exception):
    """What must not leave the house could not be blotted out of a record: nothing of it leaves."""


@dataclass(frozen=True, slots=True)
class Show:
    """How records are shown: the language of types and statuses (``auto`` for plain codes), the zone of clock times
    (None for the one they carry), how to blot out what must not leave the house, the names of those who wrote or paid,
    and what their list is called. Raises NotShown."""

    language: str = "auto"
    zone: tzinfo | None = None
    redact: Callable[[str], str] = str
    people: Mapping[PersonId, str] = field(default_factory=dict)
    where: str = ""

    def of(self, owner: Mirrored) -> Show:
        """The same for this owner's records: clock times in their zone, and who wrote them."""
        return replace(self, zone=owner.zone, people=owner.names, where=owner.where)

    def properties(self, record: Record, binding: Binding) -> dict[str, Json]:
        """The values of a page."""
        known = People(self.people, self.redact(self.where))
        return properties(self._redacted(record), binding, binding.option_names(self.language), self.zone, known)

    def blocks(self, record: Record) -> list[Json]:
        """The blocks of a page."""
        return body(self._redacted(record), self.zone)

    def body(self, record: Record) -> list[str]:
        """What these are known by."""
        return signs(self.blocks(record))

    def _redacted(self, record: Record) -> Record:
        try:
            return redacted(record, self.redact)
        except Exception:  # noqa: BLE001 - whatever went wrong, it may tell what must not leave
            raise NotShown from None
