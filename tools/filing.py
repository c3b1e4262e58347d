"""Which category a record of money gets, and what is learnt from the one it was given by hand.

What is written in brackets behind the thing holds first, then a category that the person's own words of this turn name,
then a word that was learnt, and only then what a model chose by itself. Must not know the store's tables, or which tool
asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tools.categories import Categories, Learnt, fits
from tools.record import MONEY_TYPES, MemoryPort, Record, RecordQuery

Learn = Callable[[str, str, int], Awaitable[None]]
"""Puts down that a word, a category, and the ref of the record that shows it, belong together."""


async def nobody_learns(_word: str, _category: str, _ref: int) -> None:
    """Where no list can be kept."""


@dataclass(frozen=True, slots=True)
class Filing:
    """Files the records of one owner in the owner's list."""

    categories: Categories
    memory: MemoryPort
    learn: Learn = nobody_learns

    async def category(self, content: str, chosen: str | None) -> str | None:
        """What a new record of money goes under, where ``chosen`` is a model's choice from the list."""
        if written := self.categories.written(content):
            return written[1]
        if chosen and self.categories.was_said(chosen):
            return chosen
        for learnt in self.categories.learnt(content):
            if await self._holds(learnt):
                return learnt.category
        return chosen

    async def asked_for(self, name: str) -> str | None:
        """What a question about a category means: one of the list, or one that records bear which were filed elsewhere;
        None if it is neither."""
        if found := self.categories.find(name):
            return found
        borne = await self.memory.query(RecordQuery(category=name.strip(), limit=0, total="count"))
        return name.strip() if borne.matched else None

    async def _holds(self, learnt: Learnt) -> bool:
        """What a record taught goes when that record has another category, or is gone."""
        if learnt.ref is None:
            return True
        record = await self.memory.get(learnt.ref)
        return record is not None and record.category == learnt.category

    async def made(self, record: Record) -> None:
        """A new record shows what its brackets say."""
        written = self.categories.written(record.content) if record.type in MONEY_TYPES else None
        if written:
            await self.learn(*written, record.ref)

    async def corrected(self, before: Record, after: Record) -> None:
        """Who gives a record another category means its words, unless these tell a story."""
        moved = after.category is not None and after.category != before.category
        if moved and after.type in MONEY_TYPES and fits(after.content):
            await self.learn(after.content, str(after.category), after.ref)
