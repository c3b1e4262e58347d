"""What people have to hear of what was done in the mirror: put into the inbox once, as a turn of their own, and said
with the next free reply.

Must not know what a mirror is made of, or how an answer travels.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from bot.inbox_ports import InboxPort
from bot.ports import Bubble, Button, ChatId, IncomingMessage, LaneId, Tap, kind_of
from bot.voice.mirror_words import mirror_text
from bot.voice.phrases import phrases_of
from tools.definition import Caller
from tools.record import MirrorPort, News, PersonId

NEWS = "news:"
"""How the id of such a turn begins."""


@dataclass(frozen=True, slots=True)
class MirrorNews:
    """Hands news over. Of what a group shares the owner hears, whose place it is."""

    mirror: MirrorPort
    owner: Callable[[], Awaitable[PersonId | None]]
    inbox: InboxPort

    async def hand_over(self, now: datetime) -> list[LaneId]:
        """Put what is new into the inbox; who has to be woken. Found twice, it is told once: it is keyed by the
        change."""
        news = await self.mirror.news()
        owner = await self.owner() if news else None
        if owner is None:
            return []
        lanes = await self.inbox.put([_message(each, owner, now) for each in news])
        await self.mirror.told([each.id for each in news])
        return lanes


def _message(news: News, owner: PersonId, now: datetime) -> IncomingMessage:
    person = news.owner if kind_of(ChatId(news.owner)) == "user" else owner
    return IncomingMessage(
        id=f"{NEWS}{news.id}",
        kind="news",
        chat=ChatId(person),
        chat_kind="user",
        person=person,
        occurred_at=news.at,
        received_at=now,
        data=json.dumps({name: value for name, value in asdict(news).items() if name != "at"}, ensure_ascii=False),
    )


def news_bubble(message: IncomingMessage, caller: Caller) -> Bubble:
    """What is said of it. What was thrown away can be taken back where it is the caller's own."""
    news = News(at=message.occurred_at, **json.loads(message.data))
    undo = Button(phrases_of(caller.language).undo, Tap.UNDO.on(news.turn))
    buttons = (undo,) if news.trashed and news.owner == caller.person else ()
    return Bubble(mirror_text(news, caller.now, caller.language), buttons)
