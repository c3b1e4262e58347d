"""The tool that looks into the lists of the households one belongs to, from one's own chat.

It only reads, and what it finds is other people's words: whatever a turn does behind it to the person's own records
waits for a tap. Must not know who belongs where: the lists are bound to the caller by whoever builds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from tools.arguments import Reader, refused
from tools.categories import Categories
from tools.definition import Caller, tool
from tools.household import Household
from tools.record import Group, MemoryPort, RecordQuery, RecordType, Result, Status, Total
from tools.record_view import answer_told


@dataclass(frozen=True, slots=True)
class SharedList:
    """One household's list, to be looked into."""

    household: Household
    memory: MemoryPort


@dataclass(frozen=True, slots=True)
class SharedListTools:
    """What one caller can see of the lists that are shared with them."""

    lists: tuple[SharedList, ...]
    caller: Caller
    categories: Categories

    @tool
    async def query_shared_list(
        self,
        *,
        group: Annotated[
            str | None, Field(max_length=60, description="The group by name, if the user is in several")
        ] = None,
        keyword: Annotated[str | None, Field(min_length=1, max_length=80, description="Word in the content")] = None,
        type: RecordType | None = None,  # noqa: A002 - named as in query_records
        status: Status | None = None,
        when: Annotated[str | None, Field(max_length=100, description="Day or range, as in query_records")] = None,
        limit: Annotated[int, Field(ge=1, le=20, description="Records listed, 1-20, default 10")] = 10,
        total: Total | None = None,
        group_by: Group | None = None,
    ) -> Result:
        """Look into the list the user shares with a group (family, flat, team); it can only be changed in the group.
        Example: 家裡還缺什麼？ -> {"type":"task","status":"open"}."""
        found = self._list(group)
        read = Reader(self.caller, self.categories)
        query = RecordQuery(
            keyword=keyword,
            type=type,
            status=status,
            span=None if when is None else read.span(when, type),
            sort="-created" if when is None else "when",
            limit=limit,
            total=total or ("count" if group_by else None),
            group_by=group_by,
        )
        answer = await found.memory.query(query)
        told = answer_told(answer, self.caller.zone, group_by, mixed=True, household=found.household)
        return {**told, "group": found.household.name} if found.household.name else told

    def _list(self, name: str | None) -> SharedList:
        """The only one, or the only one of that name."""
        wanted = (name or "").casefold().strip()
        fitting = [each for each in self.lists if wanted in each.household.name.casefold()]
        if len(self.lists) == 1:
            return self.lists[0]
        if len(fitting) != 1:
            raise refused("group", "the user is in several groups; ask which one, by its name", "not_found")
        return fitting[0]
