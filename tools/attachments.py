"""The tool for what is kept beside records: show it to the person again.

Must not know SQL, LINE, or how a picture travels: whoever runs the turn sees from the result what is to be shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field

from tools.arguments import read_ref
from tools.attachment import AttachmentsPort
from tools.definition import FieldProblem, ToolError, tool
from tools.record import Result

_Ref = Annotated[int | None, BeforeValidator(read_ref), Field(ge=1, le=10**9)]

SHOWING = "showing"
"""What a result begins with that lets something be shown."""

_NAMED = 10


@dataclass(frozen=True, slots=True)
class AttachmentTools:
    """What one owner may see again."""

    attachments: AttachmentsPort

    @tool
    async def show_attachment(
        self, *, ref: Annotated[_Ref, Field(description="12 for #12; without it, what came last")] = None
    ) -> Result:
        """Let the user see the photo or file that is kept with a record: the program sends it.
        Example: 給我看 #12 的收據 -> {"ref":12}."""
        held = await self.attachments.held(ref)
        if held:
            mine = [each for each in held if each.record.id == held[0].record.id]
            return {SHOWING: {"ref": held[0].record.ref, "attachments": len(mine)}}
        others = dict.fromkeys(each.record.ref for each in await self.attachments.held(limit=_NAMED))
        named = "records with something kept: " + ", ".join(f"#{each}" for each in others)
        problem = named if others else "no record has a photo or file"
        raise ToolError("not_found", "Nothing is kept with this record.", (FieldProblem("ref", problem),), retry=False)
