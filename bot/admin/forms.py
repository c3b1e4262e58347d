"""What the buttons of the operator's pages do: the same as the chat and the commands do, through the same code.

Each answers with its page, and what came of it on top. Must not know who may press them, or how anything is stored.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Literal

from bot.admin.frame import Visit
from bot.admin.pages import Pages
from bot.admin.turns import Turns, told_in
from bot.inbox_command import NotPossible, retried
from bot.invitations import Invitations
from bot.ports import TurnId
from tools.record import Language


@dataclass(frozen=True, slots=True)
class Forms:
    """Every button. ``pushes``: which answers may be pushed."""

    pages: Pages
    turns: Turns
    invitations: Invitations
    pushes: Literal["reminders", "all", "off"]

    async def invite(self, visit: Visit) -> str:
        """A message to be forwarded; it is shown this once."""
        h = visit.pen
        role = visit.form.get("role")
        if role not in {"member", "guest"}:
            raise NotPossible("An invitation is for a member or a guest.")
        made_in = TurnId(f"admin:{secrets.token_hex(8)}")
        language: Language = "zh-TW" if h.language == "zh-TW" else "en"
        text = await self.invitations.offer(
            made_in, "guest" if role == "guest" else "member", language, self.pages.now()
        )
        told = [h("p", h.say("Forward this message; it lets one person in, within a day. It is shown only now."))]
        return await self.pages.people_told(visit, [*told, told_in(h, text)])

    async def remove(self, visit: Visit) -> str:
        h = visit.pen
        removed = await self.invitations.remove(visit.form.get("key", ""))
        if removed is None:
            return await self.pages.people_told(
                visit, told_in(h, h.say("Nobody of that kind is here any more."), bad=True)
            )
        told = h.say("{name} is removed, and a stranger from now on.", name=removed.name or removed.person)
        return await self.pages.people_told(visit, told_in(h, told))

    async def retry(self, visit: Visit) -> str:
        turn = await self.turns.inbox.retry(_id(visit))
        return await self.turns.turn_told(visit, turn.id, told_in(visit.pen, retried(turn, self.pushes)))

    async def drop(self, visit: Visit) -> str:
        h, turn = visit.pen, await self.turns.inbox.drop(_id(visit))
        told = h.say("{turn} is dropped: nothing more is begun about it. What was changed stays.", turn=turn.id)
        return await self.turns.waiting_told(visit, told_in(h, told))


def _id(visit: Visit) -> str:
    """The turn that the button was about; a form without one means none. Raises NotPossible."""
    if id_ := visit.form.get("id", "").strip():
        return id_
    raise NotPossible("The form names no turn.")
