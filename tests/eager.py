"""A model that can be away, and is eager: whatever it sees that somebody wished and nobody has answered, it carries
out, each line of each message, here or in the past. As a part in process, and as an endpoint on a loopback port.

Must not know the bot.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.model_ports import Completion, Message, ModelUnavailable
from bot.thinking.prompt import unstamped
from tests.emulators import openai
from tests.fakes import asks, says
from tests.serving import served
from tests.talk import create
from tools.definition import ToolDefinition


def calls_for_open_wishes(messages: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """A record for each line that has none; a line that names tomorrow is for then."""
    calls: list[tuple[str, str]] = []
    for place, message in enumerate(messages):
        if message["role"] != "user":
            continue
        behind = messages[place + 1 :]
        until = next((n for n, each in enumerate(behind) if each["role"] == "user"), len(behind))
        done = sum(len(each.get("tool_calls") or ()) for each in behind[:until])
        wishes = unstamped(message["content"])[1].splitlines()[done:]
        calls += [create(each, "task", **({"when": "明天"} if "明天" in each else {})) for each in wishes]
    return calls


class Eager:
    """The part: a ChatModelPort."""

    bytes_per_token = 2.0

    def __init__(self) -> None:
        self.is_away = False
        self.asked: list[str] = []

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool = True
    ) -> Completion:
        self.asked.append(str(messages[-1]["content"]))
        if self.is_away:
            raise ModelUnavailable("no route")
        calls = calls_for_open_wishes(messages)
        return asks(*calls) if calls else says("好")


@dataclass
class EagerEndpoint:
    """The endpoint. While it is ``away`` it answers everything with that."""

    url: str = ""
    away: Response | None = None
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: Request) -> Response:
        asked = openai.read_request(dict(request.headers), await request.body())
        self.asked.append(asked["messages"][-1]["content"])
        if self.away:
            return self.away
        calls = calls_for_open_wishes(asked["messages"]) if "tools" in asked else []
        return openai.asks(*calls) if calls else openai.says("好")


@asynccontextmanager
async def serving() -> AsyncIterator[EagerEndpoint]:
    endpoint = EagerEndpoint()
    async with served(Starlette(routes=[Route("/v1/chat/completions", endpoint.answer, methods=["POST"])])) as address:
        endpoint.url = f"{address}/v1"
        yield endpoint
