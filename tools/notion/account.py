"""Whose token it is: which kind, for which workspace, and which limits Notion sets it.

Pure. https://developers.notion.com/reference/get-self. Must not know how Notion is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["internal connection", "personal access token", "public connection"]

FREE_UPLOAD = 5 * 1024 * 1024
"""Bytes of a file that a free workspace takes; others take more."""
FREE_BLOCKS = 1_000
"""Blocks that connections may ever make in a free workspace of several people; deleting gives none back."""


@dataclass(frozen=True, slots=True)
class Account:
    """``free`` is None where Notion does not say; ``upload`` is how many bytes a file may have."""

    kind: Kind
    name: str
    workspace: str
    upload: int | None

    @property
    def free(self) -> bool | None:
        return None if self.upload is None else self.upload <= FREE_UPLOAD

    @property
    def limits(self) -> list[str]:
        """What an operator of a free workspace should know."""
        if not self.free or self.kind == "personal access token":
            return []
        told = (
            f"this workspace is free: if several people are in it, connections can make {FREE_BLOCKS:,} blocks there "
            "in all (each record is one), and then no more; alone, on a paid plan, or with a personal access token "
            "there is no such limit"
        )
        return [told]


def account_of(me: Mapping[str, Any]) -> Account:
    """What ``GET /v1/users/me`` tells."""
    bot = me.get("bot") or {}
    owner = (bot.get("owner") or {}).get("type")
    kind: Kind = "internal connection" if owner == "workspace" else "personal access token"
    upload = (bot.get("workspace_limits") or {}).get("max_file_upload_size_in_bytes")
    name = me.get("name") or str(me.get("id", ""))
    return Account(kind, name, bot.get("workspace_name") or "", upload if isinstance(upload, int) else None)
