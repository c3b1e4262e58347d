"""The whole bot as it is run, on a store of its own, between a model double and a network that only keeps what is said.

What is asserted is read off at the edges: what reached LINE, what stands in the database, what the engine was sent.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.application import Application
from bot.main import build
from bot.ports import ChatId, IncomingMessage, Media, TurnId
from bot.settings import Settings
from tests.emulators.openai import KEY, MODEL, body, call, read_request
from tests.fakes import NOON, Calendar
from tests.serving import served
from tests.shots import VOICE
from tools.record import CallKey, Draft, PersonId, Record, RecordQuery
from tools.sql.attachments import SqlAttachments
from tools.sql.change import CHANGE
from tools.sql.memory import SqlMemory
from tools.sql.record import record_of

Json = dict[str, Any]
Answer = Callable[[list[Json], bool], tuple[str, list[tuple[str, Json]]]]
"""A model double: the messages of a request, and whether it may call, to a text or calls."""

LINE_SECRET = "f00dcafe5ec2e7" + "9" * 18
LINE_TOKEN = "L1neTok3n" + "xY7" * 12
SECRETS = (KEY, LINE_SECRET, LINE_TOKEN)
"""All that is configured: none of it may ever be shown."""


@dataclass
class Network:
    """LINE, as far as the bot speaks to it: every answer by its reply token, and whatever was pushed."""

    replies: dict[str, list[Json]] = field(default_factory=dict)
    pushes: list[Json] = field(default_factory=list)

    async def reply(self, request: Request) -> Response:
        said = await request.json()
        self.replies[said["replyToken"]] = said["messages"]
        return JSONResponse({"sentMessages": [{"id": "1"}]})

    async def push(self, request: Request) -> Response:
        self.pushes.append(await request.json())
        return JSONResponse({"sentMessages": [{"id": "1"}]})

    async def profile(self, request: Request) -> Response:
        return JSONResponse({"displayName": "x", "userId": request.path_params["id"], "language": "zh-TW"})

    async def nothing(self, _: Request) -> Response:
        return JSONResponse({}, 202)

    def app(self) -> Starlette:
        base = "/v2/bot"
        return Starlette(
            routes=[
                Route(f"{base}/message/reply", self.reply, methods=["POST"]),
                Route(f"{base}/message/push", self.push, methods=["POST"]),
                Route(f"{base}/profile/{{id}}", self.profile),
                Route(f"{base}/chat/loading/start", self.nothing, methods=["POST"]),
            ]
        )


@dataclass
class Endpoint:
    """A Chat Completions endpoint, as strict as the official one, behind which a double answers."""

    answer: Answer
    requests: list[Json] = field(default_factory=list)

    async def complete(self, request: Request) -> Response:
        asked = read_request(dict(request.headers), await request.body())
        self.requests.append(asked)
        may_call = "tools" in asked and asked.get("tool_choice") != "none"
        text, calls = self.answer(asked["messages"], may_call)
        tokens = len(json.dumps(asked, ensure_ascii=False).encode()) // 3
        usage = {"prompt_tokens": tokens, "completion_tokens": 9, "total_tokens": tokens + 9}
        if not calls:
            return JSONResponse(body({"content": text, "refusal": None}, usage=usage))
        number = len(self.requests)
        entries = [
            call(f"call_{number}_{place}", name, json.dumps(arguments, ensure_ascii=False))
            for place, (name, arguments) in enumerate(calls)
        ]
        return JSONResponse(body({"content": None, "refusal": None, "tool_calls": entries}, "tool_calls", usage=usage))

    def app(self) -> Starlette:
        return Starlette(routes=[Route("/v1/chat/completions", self.complete, methods=["POST"])])


@dataclass
class World:
    """A running bot, who talks to it, and what can be seen from outside."""

    app: Application
    network: Network
    endpoint: Endpoint
    clock: Calendar
    heard: int = 0

    def memory(self, person: PersonId) -> SqlMemory:
        return SqlMemory(self.app.database, person, self.clock)

    async def remember(self, person: PersonId, *drafts: Draft) -> None:
        """Records that were there before; their refs count on from 1."""
        for number, draft in enumerate(drafts, start=1):
            await self.memory(person).record(draft, CallKey(f"before {person}", number), lambda _: {})

    def message(self, person: PersonId, text: str = "", **fields: Any) -> IncomingMessage:
        """Something that this person says or does in their own chat, unless said otherwise."""
        self.heard += 1
        at = self.clock.now + timedelta(microseconds=self.heard)
        message = IncomingMessage(
            id=f"01E{self.heard:06}",
            kind="text",
            chat=ChatId(person),
            chat_kind="user",
            person=person,
            occurred_at=at,
            received_at=at,
            reply_token=f"token{self.heard:06}",
            text=text,
        )
        return replace(message, **fields)

    async def voice(self, person: PersonId, heard: str) -> IncomingMessage:
        """A voice message of this person's that was fetched, and in which a model heard these words."""
        message = self.message(person, kind="audio", message_id=f"voice{self.heard:06}", media=Media(duration=1_000))
        attachments = SqlAttachments(self.app.database, person, self.clock)
        await attachments.keep(str(message.message_id), "", VOICE)
        await attachments.note_heard(str(message.message_id), heard)
        return message

    async def hear(self, *messages: IncomingMessage) -> list[Json]:
        """These are heard together, as one turn; the messages of the reply to it."""
        in_a_group = messages[-1].chat_kind != "user"
        admitted = [await self.app.gate.admit(each) if in_a_group else each for each in messages]
        await self.app.inbox.put(admitted)
        await self.app.lanes.work(messages[-1].lane)
        answered = [self.network.replies[each.reply_token or ""] for each in messages if self._was_answered(each)]
        return answered[-1] if answered else []

    def _was_answered(self, message: IncomingMessage) -> bool:
        return (message.reply_token or "") in self.network.replies

    async def enable(self, chat: ChatId, owner: PersonId) -> None:
        """The group has its list."""
        await self.app.groups.groups.enable(chat, owner, TurnId(f"enable {chat}"), "")

    async def says(self, person: PersonId, text: str) -> list[Json]:
        """A person says something; the messages of the reply."""
        return await self.hear(self.message(person, text))

    async def taps(self, person: PersonId, data: str) -> list[Json]:
        """A person taps a button."""
        return await self.hear(self.message(person, kind="postback", data=data))

    async def records(self, person: PersonId) -> list[Record]:
        """What the person has now, oldest first."""
        return list((await self.memory(person).query(RecordQuery(sort="created", limit=100))).records)

    async def done_to(self, person: PersonId, refs: Sequence[int]) -> list[tuple[str, str, str]]:
        """Every update and deletion of these records that was carried out: the turn it was asked for in, the turn in
        which it was done, and its kind. Read from the table itself."""
        mine = select(CHANGE).where(CHANGE.c.owner == person, CHANGE.c.state == "done")
        rows = await self.app.database.read(lambda connection: connection.execute(mine).all())
        return [
            (row.turn, row.confirmed_turn or row.turn, row.kind)
            for row in rows
            if row.kind in {"update", "delete"} and record_of(json.loads(row.before)).ref in refs
        ]


def texts(messages: Sequence[Json]) -> list[str]:
    """What a person reads: of a card everything that stands on it, and on its buttons."""
    return ["\n".join(_strings({**each, "quickReply": None})) for each in messages]


def _strings(value: object) -> Iterator[str]:
    match value:
        case {"type": "postback" | "datetimepicker", "label": str() as label}:
            yield label
        case dict():
            for name, each in value.items():
                if name not in {"type", "layout", "size", "color", "backgroundColor", "margin"}:
                    yield from _strings(each)
        case list():
            for each in value:
                yield from _strings(each)
        case str():
            yield value


def buttons(messages: Sequence[Json]) -> dict[str, str]:
    """The buttons under a reply: what they say, and what a tap on them sends."""
    items = [item["action"] for each in messages for item in each.get("quickReply", {}).get("items", [])]
    items += [action for each in messages for action in each.get("template", {}).get("actions", [])]
    return {each["label"]: each["data"] for each in items}


@asynccontextmanager
async def world(
    folder: Path, blank: Path, people: Sequence[PersonId], answer: Answer, **more: Any
) -> AsyncIterator[World]:
    """The bot with LINE and a model switched on, for these people. ``more`` are other settings."""
    network, endpoint, clock = Network(), Endpoint(answer), Calendar(NOON)
    file = shutil.copy(blank, folder / "secretary.db")
    async with AsyncExitStack() as stack:
        line = await stack.enter_async_context(served(network.app()))
        model = await stack.enter_async_context(served(endpoint.app()))
        settings = Settings(
            _env_file=None,
            line_channel_secret=LINE_SECRET,
            line_channel_access_token=LINE_TOKEN,
            line_api_base=line,
            openai_api_key=KEY,
            openai_base_url=f"{model}/v1",
            openai_model=MODEL,
            database_url=f"sqlite:///{file}",
            secretary_owners=",".join(people),
            **more,
        )
        app = build(settings, clock)
        stack.push_async_callback(app.close)
        await app.start()
        stack.push_async_callback(app.rest)
        await app.channel.start()
        assert app.engine
        await app.engine.start()
        yield World(app, network, endpoint, clock)


async def together(work: Sequence[Awaitable[None]], at_once: int = 8) -> None:
    """Everything, a few at a time; the first failure is raised when all is done."""
    room = asyncio.Semaphore(at_once)

    async def one(each: Awaitable[None]) -> None:
        async with room:
            await each

    for outcome in await asyncio.gather(*map(one, work), return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
