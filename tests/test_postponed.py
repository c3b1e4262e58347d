"""What is due is looked for, for ever: whatever happens to one look, there is a next one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from bot.inbox_ports import InboxPort
from bot.lanes import bring_back
from bot.ports import LATER, ChatId, IncomingMessage, LaneId, TurnId
from bot.postponed import Kept, PostponedPort, Recovery
from tests.fakes import ANNA, NOON
from tools.record import PersonId, StoreUnavailable

KEPT = Kept(
    turn=TurnId("01E001"),
    said_in=TurnId("01E001"),
    chat=ANNA,
    person=PersonId(ANNA),
    language="zh-TW",
    words="老婆的生日",
    said_at=NOON,
    kept_at=NOON,
)


class Looks:
    """A Recovery, an inbox and a port in one: each look takes the next outcome, the last one for ever."""

    def __init__(self, *outcomes: Exception | list[Kept]) -> None:
        self._outcomes = list(outcomes)
        self.handed_over: list[TurnId] = []
        self.heard: list[str] = []

    async def due(self, now: datetime) -> list[Kept]:
        outcome = self._outcomes.pop(0) if len(self._outcomes) > 1 else self._outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def put(self, messages: Sequence[IncomingMessage]) -> list[LaneId]:
        self.heard += [each.id for each in messages]
        return [each.lane for each in messages]

    async def handed(self, kept: Kept) -> None:
        self.handed_over.append(kept.turn)


async def test_a_look_that_fails_is_logged_and_followed_by_another(caplog):
    looks: Any = Looks(StoreUnavailable("disk"), RuntimeError("broken"), [KEPT], [])
    woken: asyncio.Future[LaneId] = asyncio.get_running_loop().create_future()
    with caplog.at_level(logging.WARNING):
        looking = asyncio.create_task(
            bring_back(
                cast("Recovery", looks),
                cast("PostponedPort", looks),
                cast("InboxPort", looks),
                woken.set_result,
                lambda: NOON,
                tick_seconds=0,
            )
        )
        assert await asyncio.wait_for(woken, 5) == ChatId(ANNA)
    looking.cancel()
    await asyncio.wait({looking})

    assert looks.heard == [f"{LATER}01E001:1"]
    assert looks.handed_over == ["01E001"]
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR"]
