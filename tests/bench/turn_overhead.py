"""What a turn costs beside other loops: python tests/bench/turn_overhead.py [turns]

Everybody does the same turn (ask, run one tool, ask again) against one endpoint in another process, by turns, in one
run: the bare loop of a quick start, ours with every guard on (masking, allowance, log of attempts) and its transcript
in memory, ours with everything kept in SQLite, and whichever of openai-agents, pydantic-ai and langchain is installed.
Prints the median and the 95th percentile in milliseconds, and the ratio of the medians to the bare loop's.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from subprocess import PIPE
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pydantic import Field

from bot.ai_log import AiLog, Witnessed
from bot.engines.openai_chat import OpenAIChat
from bot.main import utc_now
from bot.model_ports import AllowancePort, TranscriptPort
from bot.ports import TurnId
from bot.redaction import Masked, Redactor
from bot.sql.allowance import SqlAllowance
from bot.sql.transcript import SqlTranscript
from bot.thinking.tool_loop import ToolLoop
from tests.bench.frameworks import DESCRIPTION, INSTALLED, KEY, MODEL, SYSTEM, WORDS, Turn, bare
from tests.fakes import MemoryAllowance, MemoryTranscript, a_prompt
from tools.database import Database
from tools.definition import definitions_of, tool
from tools.record import Result

TURNS = 300
WARM_UP = 20


class Shelf:
    """One tool, as everybody here has it."""

    @tool
    async def put(self, *, thing: Annotated[str, Field(max_length=100)]) -> Result:
        return {"ok": thing}

    put.__doc__ = DESCRIPTION


# ── our own loop ──────────────────────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def in_memory(url: str) -> AsyncIterator[Turn]:
    """Every guard on, the transcript in memory."""
    async with own(url, MemoryTranscript(), MemoryAllowance()) as turn:
        yield turn


@asynccontextmanager
async def in_sqlite(url: str) -> AsyncIterator[Turn]:
    """The same, kept: what was said and done survives the process."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/bench.db")
        await database.start()
        allowance = SqlAllowance(database, calls=10**6, tokens=10**10)
        async with own(url, SqlTranscript(database, utc_now), allowance) as turn:
            yield turn
        await database.close()


@asynccontextmanager
async def own(url: str, transcript: TranscriptPort, allowance: AllowancePort) -> AsyncIterator[Turn]:
    redactor = Redactor([KEY, "another-secret"])
    log = AiLog(redactor, utc_now)
    engine = OpenAIChat(url, KEY, MODEL, observe=log.attempt)
    loop = Witnessed(ToolLoop(Masked(engine, redactor), transcript, allowance=allowance, observe=log.call))
    tools, turns = definitions_of(Shelf()), count()

    async def turn() -> str:
        prompt = a_prompt(WORDS, turn=TurnId(f"turn-{next(turns)}"), system=SYSTEM)
        return await loop.llm(prompt, tools)

    yield turn
    await engine.close()


# ── the endpoint ──────────────────────────────────────────────────────────────────────────────────────────────────

ENDPOINT = """
import asyncio, json, sys
USAGE = {"prompt_tokens": 60, "completion_tokens": 9, "total_tokens": 69}
CALL = {"id": "call_1", "type": "function", "function": {"name": "put", "arguments": '{"thing":"milk"}'}}
def answer(body):
    asked = json.loads(body)["messages"][-1]["role"] != "tool"
    message = {"role": "assistant", "content": None if asked else "done", "refusal": None}
    choice = {"index": 0, "message": message | ({"tool_calls": [CALL]} if asked else {}), "logprobs": None,
              "finish_reason": "tool_calls" if asked else "stop"}
    return json.dumps({"id": "c", "object": "chat.completion", "created": 1796000000, "model": "gpt-bench",
                       "choices": [choice], "usage": USAGE}).encode()
async def serve(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\\r\\n\\r\\n")
            lines = head.lower().split(b"\\r\\n")
            length = next(int(line[15:]) for line in lines if line.startswith(b"content-length:"))
            body = answer(await reader.readexactly(length))
            head = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n"
            writer.write(head % len(body) + body)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
asyncio.run(main())
"""
"""A process of its own, so that its work is in nobody's figures; it ends with its standard input."""


@asynccontextmanager
async def endpoint() -> AsyncIterator[str]:
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", ENDPOINT, stdin=PIPE, stdout=PIPE)
    assert process.stdin
    assert process.stdout
    port = int(await process.stdout.readline())
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.stdin.close()
        await process.wait()


async def timed(turn: Callable[[], Awaitable[object]]) -> float:
    start = time.perf_counter()
    await turn()
    return (time.perf_counter() - start) * 1000


async def compare(turns: int) -> dict[str, list[float]]:
    """Milliseconds of each turn, by contender."""
    async with endpoint() as url, AsyncExitStack() as stack:
        contenders: list[Any] = [bare, in_memory, in_sqlite, *INSTALLED]
        running = {each.__name__: await stack.enter_async_context(each(url)) for each in contenders}
        times: dict[str, list[float]] = {name: [] for name in running}
        for _ in range(turns + WARM_UP):
            for name, turn in running.items():
                times[name].append(await timed(turn))
    return {name: each[WARM_UP:] for name, each in times.items()}


def main() -> None:
    times = asyncio.run(compare(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS))
    reference = statistics.median(times["bare"])
    for name, each in times.items():
        median, late = statistics.median(each), statistics.quantiles(each, n=20)[-1]
        print(f"{name:<14} median {median:6.2f} ms   p95 {late:6.2f} ms   {median / reference:5.2f} x bare")


if __name__ == "__main__":
    main()
