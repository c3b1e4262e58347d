"""The same turn in other people's loops, where they are installed: what turn_overhead.py compares with.

Each is set up as its own quick start says, with one client and one agent for the life of the process, no retries, no
tracing to the outside; the model asks once for ``put(thing)`` and then answers in words.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

from openai import AsyncOpenAI, DefaultAsyncHttpxClient

SYSTEM = "You keep a shelf."
WORDS = "put milk on the shelf"
DESCRIPTION = "Put a thing on the shelf."
KEY = "sk-bench-0123456789abcdef"
MODEL = "gpt-bench"

Turn = Callable[[], Awaitable[object]]


def client_of(url: str) -> AsyncOpenAI:
    http = DefaultAsyncHttpxClient(trust_env=False)
    return AsyncOpenAI(base_url=url, api_key=KEY, max_retries=0, http_client=http)


@asynccontextmanager
async def bare(url: str) -> AsyncIterator[Turn]:
    """The loop of every quick start of the openai package."""
    parameters = {"type": "object", "properties": {"thing": {"type": "string"}}, "required": ["thing"]}
    tools: list[Any] = [
        {"type": "function", "function": {"name": "put", "description": DESCRIPTION, "parameters": parameters}}
    ]

    async def turn() -> str | None:
        messages: list[Any] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": WORDS}]
        while True:
            completion = await client.chat.completions.create(model=MODEL, messages=messages, tools=tools)
            answer = completion.choices[0].message
            if not answer.tool_calls:
                return answer.content
            messages.append(answer.model_dump(exclude_none=True) | {"content": answer.content})
            for call in answer.tool_calls:
                assert call.type == "function"
                result = json.dumps({"ok": json.loads(call.function.arguments)["thing"]})
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result})

    async with client_of(url) as client:
        yield turn


@asynccontextmanager
async def openai_agents(url: str) -> AsyncIterator[Turn]:
    """https://openai.github.io/openai-agents-python/"""
    from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool

    @function_tool
    async def put(thing: str) -> str:
        """Put a thing on the shelf."""
        return json.dumps({"ok": thing})

    async with client_of(url) as client:
        model = OpenAIChatCompletionsModel(MODEL, client)
        agent = Agent(name="shelf", instructions=SYSTEM, model=model, tools=[put])
        quiet = RunConfig(tracing_disabled=True)

        async def turn() -> object:
            return (await Runner.run(agent, WORDS, run_config=quiet)).final_output

        yield turn


@asynccontextmanager
async def pydantic_ai(url: str) -> AsyncIterator[Turn]:
    """https://ai.pydantic.dev/"""
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    async with client_of(url) as client:
        model = OpenAIChatModel(MODEL, provider=OpenAIProvider(openai_client=client))
        agent = Agent(model, system_prompt=SYSTEM)

        @agent.tool_plain
        async def put(thing: str) -> str:
            """Put a thing on the shelf."""
            return json.dumps({"ok": thing})

        async def turn() -> object:
            return (await agent.run(WORDS)).output

        yield turn


@asynccontextmanager
async def langchain(url: str) -> AsyncIterator[Turn]:
    """https://docs.langchain.com/oss/python/langchain/agents"""
    import httpx
    from langchain.agents import create_agent
    from langchain.tools import tool
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    @tool
    async def put(thing: str) -> str:
        """Put a thing on the shelf."""
        return json.dumps({"ok": thing})

    async with httpx.AsyncClient(trust_env=False, verify=False) as http:
        model = ChatOpenAI(model=MODEL, base_url=url, api_key=SecretStr(KEY), max_retries=0, http_async_client=http)
        agent: Any = create_agent(model, [put], system_prompt=SYSTEM)

        async def turn() -> object:
            state = await agent.ainvoke({"messages": [{"role": "user", "content": WORDS}]})
            return state["messages"][-1].content

        yield turn


INSTALLED = [
    each
    for package, each in (("agents", openai_agents), ("pydantic_ai", pydantic_ai), ("langchain", langchain))
    if find_spec(package)
]
