"""The tools there are: one line for each topic.

Must not know which model reads them, or how a turn runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tools.attachment import AttachmentsPort
from tools.attachments import AttachmentTools
from tools.categories import Categories, usual
from tools.collections import OpenCollection, collection_tools
from tools.definition import Caller, ToolDefinition, definitions_of
from tools.filing import Learn, nobody_learns
from tools.record import MemoryPort
from tools.records import RecordTools, Seen, nobody
from tools.shared_lists import SharedList, SharedListTools

_OF_A_GROUP = "paid_by"
"""The argument that makes sense only where several people share a list."""


def toolbox(
    caller: Caller,
    memory: MemoryPort,
    attachments: AttachmentsPort | None = None,
    shared: Sequence[SharedList] = (),
    seen: Seen = nobody,
    collections: Sequence[OpenCollection] = (),
    categories: Categories | None = None,
    learn: Learn = nobody_learns,
) -> list[ToolDefinition]:
    """What this caller may use now, over the memory and the attachments of the owner these are bound to: a guest what
    only reads, a stranger nothing. ``shared`` are the lists of the households that the caller is known in; ``seen``
    hears what is found in the caller's own; ``collections`` were opened by the operator for whoever may ask at all;
    ``categories`` is the owner's list, if it may be another than the usual one, and ``learn`` adds to what it knows."""
    if caller.role == "stranger":
        return []
    categories = categories or usual(caller.home)
    tools = [
        *definitions_of(RecordTools(memory, caller, categories, seen, learn)),
        *(definitions_of(AttachmentTools(attachments)) if attachments else ()),
        *collection_tools(collections, caller),
    ]
    if caller.household is None:
        tools = [_without(each, _OF_A_GROUP) for each in tools]
    if shared:
        tools += definitions_of(SharedListTools(tuple(shared), caller, categories))
    return [each for each in tools if each.read_only] if caller.role == "guest" else tools


def _without(tool: ToolDefinition, argument: str) -> ToolDefinition:
    properties = tool.parameters["properties"]
    if argument not in properties:
        return tool
    left = {name: each for name, each in properties.items() if name != argument}
    return replace(tool, parameters={**tool.parameters, "properties": left})
