"""A model that always means the same, but never says it in the same form twice.

For wishes ("W0017 買牛奶", one a line) it asks for one record each: all in one answer or over several, under new ids,
sometimes with words beside them, sometimes asking again for what was done. Afterwards it says 好. It is as strict as
the strictest endpoint about what it is sent. Must not know the bot.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.emulators import openai
from tests.serving import served

WISH = re.compile(r"W\d{4} [^\n]+")
NUMBER = re.compile(r"W\d{4}")

SLOW = "慢慢來"
"""A wish with this in it is thought about for ``SLOW_SECONDS``: longer than the shortest ANSWER_SECONDS."""

SLOW_SECONDS = 3.3

RING = "提醒我"
"""A wish with this in it has a reminder."""

AWAY = "斷線"
"""When it first hears of a wish with this in it, the model cannot be reached."""

Json = dict[str, Any]


@dataclass
class Model:
    """The endpoint. ``refusals``: requests that no endpoint would take, such as calls without their results. ``met``:
    the wishes of which it has heard, so that it is away no more."""

    chance: random.Random
    refusals: list[Json] = field(default_factory=list)
    met: set[str] = field(default_factory=set)

    async def answer(self, request: Request) -> Response:
        try:
            asked = openai.read_request(dict(request.headers), await request.body())
        except openai.Refusal as refusal:
            self.refusals.append(refusal.error)
            return JSONResponse({"error": refusal.error}, refusal.status)
        said, done = _own_turn(asked["messages"])
        wishes = WISH.findall(said)
        if AWAY in said and not self.met.issuperset(wishes):
            self.met.update(wishes)
            return openai.error(401, "invalid_api_key", "Incorrect API key provided")
        if SLOW in said and not done:
            await asyncio.sleep(SLOW_SECONDS)
        left = [each for each in wishes if NUMBER.match(each)[0] not in " ".join(done)]  # type: ignore[index]
        if not left or "tools" not in asked:
            return openai.says(self.chance.choice(("好", "好的", "好，記下了")))
        return self._asks(left, done)

    def _asks(self, left: list[str], done: list[str]) -> Response:
        chosen = left[: self.chance.randint(1, len(left))]
        arguments = [self._arguments(each) for each in chosen]
        if done and self.chance.random() < 0.3:
            arguments.append(done[0])  # it lost count: an equal write of an earlier answer
        calls = [openai.call(self._new_id(), "create_record", each) for each in dict.fromkeys(arguments)]
        words = self.chance.choice((None, "我來記", "稍等"))
        finish = self.chance.choice(("tool_calls", "stop"))
        return openai.official(openai.body({"content": words, "refusal": None, "tool_calls": calls}, finish))

    def _arguments(self, wish: str) -> str:
        fields: Json = {"content": wish, "type": "task"}
        if RING in wish:
            fields["remind_at"] = (datetime.now(UTC) + timedelta(hours=6)).isoformat(timespec="seconds")
        shuffled = self.chance.sample(sorted(fields), len(fields))
        indent = self.chance.choice((None, 1))
        escaped = self.chance.random() < 0.5
        return json.dumps({name: fields[name] for name in shuffled}, ensure_ascii=escaped, indent=indent)

    def _new_id(self) -> str:
        return f"call_{self.chance.randrange(10**9)}"


def _own_turn(messages: list[Json]) -> tuple[str, list[str]]:
    """What was said last, and the arguments of all calls since."""
    start = max(place for place, each in enumerate(messages) if each["role"] == "user")
    calls = [call for each in messages[start:] for call in each.get("tool_calls", ())]
    said = str(messages[start]["content"])
    return said, [json.dumps(json.loads(each["function"]["arguments"]), ensure_ascii=False) for each in calls]


def serving(model: Model) -> AbstractAsyncContextManager[str]:
    """The endpoint on a free loopback port; the address."""
    return served(Starlette(routes=[Route("/v1/chat/completions", model.answer, methods=["POST"])]))
