"""The bot that dies: the product's own ``serve``, handed a point and the number of the passing at which it ends itself.

``python child.py --at "work: after claim" --nth 2``. ``--without`` takes a protection away, so that it is seen whether
its absence is noticed; ``--later`` moves the bot's clock. Claims run out sooner here than in the product. Must not
change anything else of it.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from types import ModuleType
from typing import Any
from uuid import uuid4

import bot.application
import bot.delivery
import bot.main
import bot.ringing
import bot.sql.postponed
import tools.notion.sync
from bot.fault_points import kill_at
from bot.lanes import Lanes, bring_back
from bot.main import utc_now
from bot.ports import ChatId, IncomingMessage, TurnId
from bot.postponed import Kept
from bot.reception import Reception
from bot.serve import serve
from bot.settings import read_settings
from bot.sql.inbox import SqlInbox
from bot.sql.postponed import SqlPostponed
from tools.notion.client import NotionClient
from tools.notion.sync import NotionSync
from tools.record import CallKey, Change, Draft, PersonId, Render, Ring
from tools.sql.memory import SqlMemory


class Forgetful(SqlMemory):
    """Does not know a call again that it has carried out."""

    async def record(self, draft: Draft, key: CallKey, result: Render, *, proposed: bool = False) -> Change:
        return await super().record(draft, replace(key, call=secrets.randbelow(10**6)), result, proposed=proposed)


class Hasty(Reception):
    """Says that everything is stored before it is."""

    async def receive(self, messages: Sequence[IncomingMessage]) -> None:
        self.late = asyncio.create_task(self._later(messages))

    async def _later(self, messages: Sequence[IncomingMessage]) -> None:
        await asyncio.sleep(0.02)
        await super().receive(messages)


SWIFT: Sequence[tuple[ModuleType, str, Any]] = (
    (bot.main, "SqlInbox", partial(SqlInbox, lease_seconds=0.8)),
    (bot.main, "Lanes", partial(Lanes, renew_seconds=0.2, sweep_seconds=0.2)),
    (bot.main, "NotionSync", partial(NotionSync, lease=timedelta(seconds=1))),
    (tools.notion.sync, "OTHERS_REST", 0.2),
    (bot.application, "bring_back", partial(bring_back, tick_seconds=0.1)),
    (bot.sql.postponed, "BACK_OFF", (timedelta(seconds=0.3),)),
    (bot.sql.postponed, "LOST_AFTER", timedelta(seconds=2)),
)
"""Claims that run out soon after a death: where several processes may share the work, nothing else ends them. And a
model that is asked again soon."""


def ring_without_key(due: Ring, now: datetime) -> IncomingMessage:
    return replace(as_message(due, now), id=secrets.token_hex(16))


async def find_no_page(*_: object) -> None:
    """Says that no page has the key."""


async def only_what_waits(postponed: SqlPostponed, chat: ChatId, person: PersonId, turn: TurnId) -> list[Kept]:
    """Does not know what this very turn has settled."""
    return [kept for kept in await of_chat(postponed, chat, person, turn) if not kept.settled_by]


as_message = bot.ringing._as_message
of_chat = SqlPostponed.of_chat

WITHOUT: dict[str, tuple[object, str, Any]] = {
    "call keys": (bot.main, "SqlMemory", Forgetful),
    "commit first": (bot.main, "Reception", Hasty),
    "ring keys": (bot.ringing, "_as_message", ring_without_key),
    "retry keys": (bot.delivery, "uuid5", lambda *_: uuid4()),
    "page keys": (NotionClient, "settle", find_no_page),
    "settled words": (SqlPostponed, "of_chat", only_what_waits),
}
"""What each protection is taken away with: where a name stands, and what it is to mean there."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--at", default="")
    parser.add_argument("--nth", type=int, default=1)
    parser.add_argument("--later", type=float, default=0.0)
    parser.add_argument("--without", choices=WITHOUT)
    asked = parser.parse_args(arguments)
    for where, name, instead in [*SWIFT, *([WITHOUT[asked.without]] if asked.without else [])]:
        setattr(where, name, instead)
    later = timedelta(seconds=asked.later)

    def now() -> datetime:
        return utc_now() + later

    asyncio.run(serve(read_settings(), now, at=kill_at(asked.at, asked.nth) if asked.at else None))


if __name__ == "__main__":
    main()
