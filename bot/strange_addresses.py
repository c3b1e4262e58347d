"""A call that carries a web address which its person never wrote is carried out as if somebody else had asked for it.

A model makes such an address up, or was given it: put into a record and read back later, it would pass for the person's
own. Must not know which tools there are, or what a guarded call is kept from.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.links import beyond, names_an_address
from tools.definition import ToolDefinition
from tools.record import CallKey, Result

OwnTexts = Callable[[], Awaitable[Sequence[str]]]
"""Everything up to this call that is the person's own."""


def watching(tools: Sequence[ToolDefinition], own: OwnTexts) -> list[ToolDefinition]:
    """The tools; those that change something look at the addresses they are given."""
    return [each if each.read_only else _watching(each, own) for each in tools]


def _watching(tool: ToolDefinition, own: OwnTexts) -> ToolDefinition:
    async def handler(arguments: dict[str, Any], call: CallKey) -> Result:
        texts = list(_strings(arguments))
        if not call.guarded and names_an_address(texts) and beyond(texts, await own()):
            call = replace(call, guarded=True)
        return await tool.handler(arguments, call)

    return replace(tool, handler=handler)


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _strings(each)
        case list():
            for each in value:
                yield from _strings(each)
