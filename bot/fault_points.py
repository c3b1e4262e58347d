"""Named fault points: the moments at which a process may be made to die, to prove that nothing is lost or doubled.

Wrappers around the ports, the store and Notion's client, put there by the composition root when it is handed an ``At``;
where none is, every part stays as it is. Must not know what a part does, or what a message means.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from threading import Lock
from types import ModuleType
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, event

from tools.database import Database, Work
from tools.notion.client import Json, NotionClient
from tools.notion.trouble import Trouble

T = TypeVar("T")

At = Callable[[str], None]
"""Called with a point's name when it is passed, on the loop's thread or on one of the store's."""

POINTS = (
    "receive: after verify",
    "receive: before insert",
    "receive: before commit",
    "receive: after commit",  # and before the 200
    "work: before claim commit",
    "work: after claim",
    "work: before model",
    "work: after model",
    "work: before transcript",
    "work: before transcript commit",
    "work: after transcript",
    "work: before tool",
    "work: before tool commit",
    "work: after tool commit",  # and before its result is in the transcript
    "work: before answering",
    "work: before answering commit",
    "work: after answering commit",
    "deliver: before send",
    "deliver: after send",  # and before that is noted
    "deliver: before mark commit",
    "deliver: after mark",
    "interim: after spend",
    "interim: before send",
    "interim: after send",
    "push: before send",
    "push: after send",  # and before that is noted
    "reminder: after due",
    "reminder: before rung",  # and after it was put into the inbox
    "reminder: after rung",
    "later: before keep commit",
    "later: after keep",  # and before it is said
    "later: after due",
    "later: before handed",  # and after it was put into the inbox
    "later: after handed",
    "later: before settle commit",
    "later: after settle",  # and before that is said
    "later: after failure",  # and before the row in the inbox is done with
    "second thoughts: before heed commit",  # of a turn that was to stop
    "second thoughts: after heed",
    "notion: before request",
    "notion: before response",  # Notion has done it, and its answer is not read
    "notion: after response",
    "notion: before commit",
    "notion: after commit",
    "migrate: before statement",
    "migrate: before commit",
    "migrate: after commit",
)
"""Every point, in the order of a message's way; one in the room ``migrate`` is passed only on an old store."""


def kill_at(point: str, nth: int = 1) -> At:
    """Dies without a word when the point is passed for the nth time: no cleanup, no flush, as a power cut would."""
    if point not in POINTS:
        raise ValueError(f"there is no fault point {point!r}")
    passed = 0
    one_at_a_time = Lock()

    def at(name: str) -> None:
        nonlocal passed
        with one_at_a_time:
            passed += name == point
            if passed == nth:
                os.kill(os.getpid(), signal.SIGKILL)

    return at


@dataclass(frozen=True, slots=True)
class Step:
    """What one method of a port does, as the points around and inside it: before and after it, and of each transaction
    in it its beginning, the moment before its commit, and the one after. Without a ``room`` it is of the one that it
    is called in. An empty name is no point; ``after`` is none either where something was ``sought`` and not found."""

    room: str = ""
    before: str = ""
    begun: str = ""
    ready: str = ""
    committed: str = ""
    after: str = ""
    sought: bool = False


Steps = Mapping[str, Step]
"""The methods of a port that are watched."""

_TOOL = Step("work", before="before tool", ready="before tool commit", committed="after tool commit")
_NOTION = Step("notion", ready="before commit", committed="after commit")

RECEPTION: Steps = {"receive": Step("receive", "after verify", "before insert", "before commit", "after commit")}
INBOX: Steps = {
    "take": Step("work", ready="before claim commit", after="after claim", sought=True),
    "answered": Step(
        "work", before="before answering", ready="before answering commit", committed="after answering commit"
    ),
    "delivered": Step("deliver", ready="before mark commit", after="after mark"),
    "spend": Step("interim", after="after spend"),
}
MODEL: Steps = {"complete": Step("work", before="before model", after="after model")}
TRANSCRIPT: Steps = {
    "append": Step("work", before="before transcript", ready="before transcript commit", after="after transcript")
}
MEMORY: Steps = dict.fromkeys(("record", "revise", "remove", "confirm", "undo"), _TOOL)
DELIVERY: Steps = {"deliver": Step("deliver"), "interim": Step("interim")}
CHANNEL: Steps = {
    "reply": Step(before="before send", after="after send"),
    "push": Step("push", before="before send", after="after send"),
}
REMINDERS: Steps = {
    "due": Step("reminder", after="after due", sought=True),
    "rung": Step("reminder", before="before rung", after="after rung"),
}
POSTPONED: Steps = {
    "keep": Step("later", ready="before keep commit", after="after keep"),
    "due": Step("later", after="after due", sought=True),
    "handed": Step("later", before="before handed", after="after handed"),
    "settle": Step("later", ready="before settle commit", after="after settle"),
    "failed": Step("later", after="after failure"),
}
SECOND_THOUGHTS: Steps = {"stopped": Step("second thoughts", ready="before heed commit", after="after heed")}
MIRROR: Steps = {"push": _NOTION, "keep_pushing": _NOTION}

_NOTHING = Step()
_step: ContextVar[Step] = ContextVar("step", default=_NOTHING)
"""What is being done; a task that is begun meanwhile does a part of it."""


def watched(part: T, steps: Steps, at: At | None) -> T:
    """The part, with its points; the very same where nobody watches."""
    return part if at is None or part is None else cast("T", _Watched(part, steps, at))


class _Watched:
    """A part of which some methods pass points. Whatever else it has is its own."""

    def __init__(self, part: object, steps: Steps, at: At) -> None:
        self._part = part
        self._steps = steps
        self._at = at

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._part, name)
        step = self._steps.get(name)
        if step is None:
            return method

        async def stepped(*args: Any, **named: Any) -> Any:
            with _within(step) as now:
                _pass(self._at, now, now.before)
                result = await method(*args, **named)
                if result or not now.sought:
                    _pass(self._at, now, now.after)
            return result

        return stepped


@contextmanager
def _within(step: Step) -> Iterator[Step]:
    now = step if step.room else replace(step, room=_step.get().room)
    token = _step.set(now)
    try:
        yield now
    finally:
        _step.reset(token)


def _pass(at: At, step: Step, moment: str) -> None:
    if moment:
        at(f"{step.room}: {moment}")


class WatchedDatabase(Database):
    """A store that passes the points of whatever is being done, inside its transactions and between them."""

    def __init__(self, url: str, at: At) -> None:
        super().__init__(url)
        self._at = at
        self._migrated = False

    async def start(self) -> None:
        await super().start()
        if self._migrated:
            self._at("migrate: after commit")

    async def write(self, work: Work[T], *, durable: bool = True) -> T:
        step = _step.get()

        def watched_work(connection: Connection) -> T:
            _pass(self._at, step, step.begun)
            result = work(connection)
            _pass(self._at, step, step.ready)
            return result

        result = await super().write(watched_work, durable=durable)
        _pass(self._at, step, step.committed)
        return result

    def _migrate(self, connection: Connection) -> None:
        event.listen(connection, "before_cursor_execute", lambda *_: self._at("migrate: before statement"))
        super()._migrate(connection)
        self._at("migrate: before commit")
        self._migrated = True


class WatchedNotion(NotionClient):
    """A client of Notion that passes the points of each request."""

    def __init__(self, token: str, base_url: str | None, at: At) -> None:
        super().__init__(token, base_url)
        self._at = at

    async def _ask(
        self, method: str, path: str, body: Json | None, query: Json | None, form: Json | None
    ) -> Json | Trouble:
        answer = await super()._ask(method, path, body, query, form)
        self._at("notion: after response")
        return answer

    def _connect(self) -> tuple[Any, ModuleType]:
        """https://www.python-httpx.org/advanced/event-hooks/: a response is shown before its body is read."""
        sdk, httpx = super()._connect()

        async def before_request(_: object) -> None:
            self._at("notion: before request")

        async def before_response(_: object) -> None:
            self._at("notion: before response")

        sdk.client.event_hooks = {"request": [before_request], "response": [before_response]}
        return sdk, httpx
