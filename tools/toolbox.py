"""The tools there are: one line for each topic.

Must not know which model reads them, or how a turn runs.
"""

from __future__ import annotations

from tools.arguments import CATEGORIES
from tools.attachment import AttachmentsPort
from tools.attachments import AttachmentTools
from tools.definition import Caller, ToolDefinition, definitions_of
from tools.record import MemoryPort
from tools.records import RecordTools


def toolbox(caller: Caller, memory: MemoryPort, attachments: AttachmentsPort | None = None) -> list[ToolDefinition]:
    """What this caller may use now, over the memory and the attachments of the owner these are bound to: a guest what
    only reads, a stranger nothing."""
    if caller.role == "stranger":
        return []
    categories = CATEGORIES.get(caller.home, CATEGORIES["en"])
    tools = [
        *definitions_of(RecordTools(memory, caller, categories)),
        *(definitions_of(AttachmentTools(attachments)) if attachments else ()),
    ]
    return [each for each in tools if each.read_only] if caller.role == "guest" else tools
