"""Every request that reaches an endpoint is counted for whoever asked: tries again and other words too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest
from sqlalchemy import func, select
from starlette.responses import Response

from bot.engines.offline.engine import OfflineEngine
from bot.engines.openai_chat import OpenAIChat
from bot.model_ports import AllowanceSpent, Message, ModelUnavailable, Usage
from bot.redaction import Masked, Redactor
from bot.sql.allowance import ALLOWANCE, SqlAllowance
from bot.thinking.meter import ANSWER_TOKENS, count_further, settle_failed
from bot.thinking.tool_loop import ToolLoop
from bot.voice.waiting import waiting_words
from tests.emulators.openai import KEY, MODEL, Cut, Json, OpenAI, asks, body, error, odd, out_of_quota, raw, says
from tests.fakes import MemoryAllowance, MemoryTranscript, Shelf, a_prompt
from tests.talk import Talk
from tools.database import Database

USER: Message = {"role": "user", "content": "put milk on the shelf"}
DOWN = error(500, None, "down")


@pytest.fixture
async def engine(endpoint: OpenAI) -> AsyncIterator[OpenAIChat]:
    async def sleep(_: float) -> None:
        return

    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=sleep)
    yield engine
    await engine.close()


@pytest.fixture
def memory() -> MemoryAllowance:
    return MemoryAllowance()


def loop(engine: OpenAIChat, allowance: SqlAllowance | MemoryAllowance) -> ToolLoop:
    return ToolLoop(Masked(engine, Redactor(["a-secret"])), MemoryTranscript(), allowance=allowance)


async def answer(loop: ToolLoop) -> str:
    return await loop.llm(a_prompt(USER, system="You keep a shelf."), Shelf().tools())


async def calls(database: Database) -> int:
    total = select(func.coalesce(func.sum(ALLOWANCE.c.calls), 0))
    return int(await database.read(lambda connection: connection.execute(total).scalar_one()))


async def test_an_endpoint_that_fails_twice_and_then_answers_costs_three_calls(
    endpoint: OpenAI, engine: OpenAIChat, database: Database
):
    day = SqlAllowance(database, calls=3, tokens=10**6)
    endpoint.script(DOWN, DOWN, says("hello"))
    with pytest.raises(ModelUnavailable):
        await answer(loop(engine, day))
    assert await calls(database) == 2
    assert await answer(loop(engine, day)) == "hello"
    assert await calls(database) == 3
    with pytest.raises(AllowanceSpent):
        await answer(loop(engine, day))


async def test_other_words_and_another_try_for_one_answer_are_calls_of_their_own(
    endpoint: OpenAI, engine: OpenAIChat, database: Database
):
    ours = loop(engine, SqlAllowance(database, calls=10, tokens=10**6))
    sentence = "Function tools are not supported with reasoning_effort"
    endpoint.refuse(lambda asked: None if asked.get("reasoning_effort") == "none" else sentence)
    endpoint.script(DOWN, asks(("count", "{}")), says("hello"))
    assert await answer(ours) == "hello"
    assert await calls(database) == len(endpoint.requests) == 4


async def test_a_request_is_counted_before_the_endpoint_has_it(
    endpoint: OpenAI, engine: OpenAIChat, database: Database
):
    seen: list[int] = []

    def counted(answer: Response) -> None:
        async def step(_: Json) -> Response:
            seen.append(await calls(database))
            return answer

        endpoint.script(step)

    counted(DOWN)
    counted(says("hello"))
    await answer(loop(engine, SqlAllowance(database, calls=10, tokens=10**6)))
    assert seen == [1, 2]


@pytest.mark.parametrize("first", [DOWN, Cut(), raw(b"{"), error(429, "rate_limit_exceeded")])
async def test_where_the_day_is_used_up_it_is_not_tried_again(
    endpoint: OpenAI, engine: OpenAIChat, database: Database, first: Response
):
    endpoint.script(first)
    with pytest.raises(AllowanceSpent):
        await answer(loop(engine, SqlAllowance(database, calls=1, tokens=10**6)))
    assert await calls(database) == len(endpoint.requests) == 1


async def test_a_day_that_is_used_up_by_trying_again_is_told_like_any_other(
    endpoint: OpenAI, engine: OpenAIChat, database: Database
):
    endpoint.script(DOWN)
    day = SqlAllowance(database, calls=1, tokens=10**6)
    talk = Talk(database, engine, fallback=OfflineEngine(), allowance=day)
    assert await talk.says("幫我想想看") == [waiting_words("zh-TW").enough_for_today]
    assert (await talk.says("午餐 120"))[0].startswith("午餐 120 元")


async def test_the_tokens_of_a_day_may_end_before_the_second_try_too(
    endpoint: OpenAI, engine: OpenAIChat, database: Database
):
    endpoint.script(DOWN)
    with pytest.raises(AllowanceSpent):
        await answer(loop(engine, SqlAllowance(database, calls=10, tokens=2 * ANSWER_TOKENS)))


async def test_what_is_not_tried_again_is_one_call(endpoint: OpenAI, engine: OpenAIChat, database: Database):
    endpoint.script(out_of_quota())
    with pytest.raises(ModelUnavailable):
        await answer(loop(engine, SqlAllowance(database, calls=10, tokens=10**6)))
    assert await calls(database) == 1


@pytest.mark.parametrize(
    ("failed", "known"),
    [
        (odd({"content": None}, choices=None), [127]),
        (error(500, None, usage={"prompt_tokens": 9, "completion_tokens": 1}), []),
        (DOWN, []),
    ],
)
async def test_a_try_that_failed_costs_what_the_endpoint_said_or_else_the_estimate(
    endpoint: OpenAI, engine: OpenAIChat, memory: MemoryAllowance, failed: Response, known: Sequence[int]
):
    endpoint.script(failed, says("hello"))
    await answer(loop(engine, memory))
    first, second = (tokens for _, _, tokens in memory.reserved)
    assert first == second
    assert memory.settled == [used - first for used in [*known, 127]]


async def test_the_last_try_costs_what_the_endpoint_said_though_it_failed(
    endpoint: OpenAI, engine: OpenAIChat, memory: MemoryAllowance
):
    endpoint.script(*[odd({"content": None}, choices=None, usage=body({})["usage"])] * 2)
    with pytest.raises(ModelUnavailable):
        await answer(loop(engine, memory))
    assert memory.settled == [127 - memory.reserved[0][2]] * 2


async def test_whoever_asks_an_engine_without_a_meter_is_not_counted(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(DOWN, says("hello"))
    assert (await engine.complete([USER], [])).text == "hello"
    await settle_failed(Usage(1, 1))
    await count_further()
