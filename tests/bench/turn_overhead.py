"""What the loop costs beside a bare one: python tests/bench/turn_overhead.py

Both do the same turn (ask, run one tool, ask again) with the openai package against the emulated endpoint, by turns, in
one run. Prints milliseconds per turn and the ratio of the medians.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from bot.engines.openai_chat import OpenAIChat
from bot.model_ports import Prompt
from bot.ports import ChatId, TurnId
from bot.tool_loop import ToolLoop
from tests.emulators.openai import KEY, MODEL, OpenAI, asks, says, serving
from tests.fakes import MemoryTranscript, Shelf
from tools.record import CallKey, PersonId

TURNS = 200
WARM_UP = 20
SYSTEM = "You keep a shelf."
USER = {"role": "user", "content": "put milk on the shelf"}
TOOLS = Shelf().tools()
SCRIPT = (("put", '{"thing":"milk"}'),)


async def bare(client: AsyncOpenAI) -> None:
    """The loop of every quick start."""
    messages: list[Any] = [{"role": "system", "content": SYSTEM}, USER]
    tools: list[Any] = [
        {
            "type": "function",
            "function": {"name": each.name, "description": each.description, "parameters": each.parameters},
        }
        for each in TOOLS
    ]
    handlers = {each.name: each.handler for each in Shelf().tools()}
    while True:
        answer = (await client.chat.completions.create(model=MODEL, messages=messages, tools=tools)).choices[0].message
        if not answer.tool_calls:
            return
        messages.append(answer.model_dump(exclude_none=True) | {"content": answer.content})
        for call in answer.tool_calls:
            assert call.type == "function"
            result = await handlers[call.function.name](json.loads(call.function.arguments), CallKey("bare", 1))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)})


async def timed(turn: Callable[[], Awaitable[object]]) -> float:
    start = time.perf_counter()
    await turn()
    return (time.perf_counter() - start) * 1000


async def compare(endpoint: OpenAI) -> tuple[float, float]:
    """Median milliseconds of a turn: the loop's, the bare one's."""
    endpoint.script(*[step for _ in range(2 * (TURNS + WARM_UP)) for step in (asks(*SCRIPT), says("done"))])
    client = AsyncOpenAI(
        base_url=endpoint.url, api_key=KEY, max_retries=0, http_client=DefaultAsyncHttpxClient(trust_env=False)
    )
    engine = OpenAIChat(endpoint.url, KEY, MODEL)
    loop, turns = ToolLoop(engine, MemoryTranscript()), count()

    async def own() -> str:
        prompt = Prompt(
            turn=TurnId(f"turn-{next(turns)}"),
            chat=ChatId("U1"),
            person=PersonId("U1"),
            day=date(2026, 11, 30),
            system=SYSTEM,
            history=(),
            user=USER,
        )
        return await loop.llm(prompt, Shelf().tools())

    times = [(await timed(own), await timed(lambda: bare(client))) for _ in range(TURNS + WARM_UP)][WARM_UP:]
    await engine.close()
    await client.close()
    endpoint.check()
    ours, theirs = zip(*times, strict=True)
    return statistics.median(ours), statistics.median(theirs)


async def main() -> None:
    async with serving() as endpoint:
        ours, theirs = await compare(endpoint)
    print(f"own loop {ours:.2f} ms, bare loop {theirs:.2f} ms per turn: ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    asyncio.run(main())
