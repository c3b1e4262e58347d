"""Who writes in the table: the bot itself, its owner, or others too.

What others can write there counts as theirs. Who they are is not asked, for a connection may not be allowed to: whoever
is seen to have edited a row is remembered. Must not know what was edited.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Literal

from tools.database import Database
from tools.notion import ledger
from tools.notion.client import Json, NotionClient
from tools.notion.fields import mapping
from tools.record import Origin


@dataclass(slots=True)
class Editors:
    """Those seen so far. ``bot`` is our own user, ``owner`` the person whose token it is, where Notion says that."""

    database: Database
    client: NotionClient
    bot: str = ""
    owner: str = ""
    seen: set[str] = field(default_factory=set)
    known: bool = False

    async def meet(self) -> None:
        """Find out who we are, once. Raises NotionDown, NotionRefused."""
        if self.known:
            return
        me = await self.client.me()
        self.bot = str(me["id"])
        owner = (me.get("bot") or {}).get("owner") or {}
        self.owner = self.bot if me.get("type") == "person" else str((owner.get("user") or {}).get("id", ""))
        await self.database.write(lambda c: ledger.put(c, "bot", self.bot), durable=False)
        facts = await self.database.read(ledger.facts)
        self.seen = set(json.loads(facts.get("editors", "[]")))
        self.known = True

    def made_by_us(self, page: Json) -> bool:
        """Whether the bot made this page, and no person."""
        return who(page, "created_by") == self.bot

    async def origin(self, page: Json) -> Origin:
        """Whose words a page holds: the owner's, unless several people have been seen to write there."""
        editor = who(page, "last_edited_by")
        if editor in {"", self.bot, self.owner}:
            return "own"
        if editor not in self.seen:
            self.seen.add(editor)
            told = json.dumps(sorted(self.seen))
            await self.database.write(lambda c: ledger.put(c, "editors", told), durable=False)
        return "others" if self.owner or len(self.seen) > 1 else "own"


def who(thing: Json, what: Literal["created_by", "last_edited_by"]) -> str:
    """The id of who made or edited a page or a block; empty if Notion does not say."""
    return str(mapping(thing.get(what)).get("id", ""))
