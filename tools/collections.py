"""The tools that look into what the operator has opened for reading: one for each collection, named after it.

They only read, and what they find is other people's words: whatever a turn does behind it to the person's own records
waits for a tap. Must not know where a collection lies, or which there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from tools.collection import Collection, CollectionAway, CollectionPort
from tools.definition import Caller, ToolDefinition, ToolError, definitions_of, tool
from tools.record import Result

PREFIX = "search_"
"""What the name of each such tool begins with."""

ITEMS = "items"
"""Under this name a result holds what was found. Only a ``link`` in there was meant by the operator to be opened."""


@dataclass(frozen=True, slots=True)
class OpenCollection:
    """A collection, and where it is searched."""

    collection: Collection
    port: CollectionPort

    @property
    def tool(self) -> str:
        """The name of its tool."""
        return PREFIX + self.collection.name


@dataclass(frozen=True, slots=True)
class CollectionTools:
    """What one caller can find in one collection."""

    opened: OpenCollection
    caller: Caller

    @property
    def words(self) -> Mapping[str, str]:
        """What the description names."""
        return {"about": self.opened.collection.about}

    @tool
    async def search(
        self,
        *,
        keyword: Annotated[str, Field(min_length=1, max_length=80, description="One or two telling words, 1-80")],
        limit: Annotated[int, Field(ge=1, le=5, description="Results, 1-5, default 3")] = 3,
    ) -> Result:
        """Search {about}. It can only be read. Pass links on exactly as they are.
        Example: 退款要多久？ -> {"keyword":"退款"}."""
        try:
            found = await self.opened.port.search(keyword, limit, self.caller.zone)
        except CollectionAway:
            sentence = "It cannot be reached now. Say so, and do not guess what stands there."
            raise ToolError("not_reachable", sentence, retry=False) from None
        if not found:
            return {"found": 0, ITEMS: []}
        return {"untrusted": True, "found": len(found), ITEMS: [each.told() for each in found]}


def collection_tools(collections: Sequence[OpenCollection], caller: Caller) -> list[ToolDefinition]:
    """One tool for each."""
    return [
        replace(definition, name=each.tool)
        for each in collections
        for definition in definitions_of(CollectionTools(each, caller))
    ]
