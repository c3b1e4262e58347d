"""The tools there are: one line for each topic.

Must not know which model reads them, or how a turn runs.
"""

from __future__ import annotations

from tools.arguments import CATEGORIES
from tools.definition import Caller, ToolDefinition, definitions_of
from tools.record import MemoryPort
from tools.records import RecordTools, Seen, nobody


def toolbox(caller: Caller, memory: MemoryPort, seen: Seen = nobody) -> list[ToolDefinition]:
    """What this caller may use now, over the memory of the owner it is bound to: a guest what only reads, a stranger
    nothing. ``seen`` hears what is found there."""
    if caller.role == "stranger":
        return []
    categories = CATEGORIES.get(caller.home, CATEGORIES["en"])
    tools = [
        *definitions_of(RecordTools(memory, caller, categories, seen)),
    ]
    return [each for each in tools if each.read_only] if caller.role == "guest" else tools
