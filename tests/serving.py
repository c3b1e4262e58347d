"""Serves an application on a free loopback port for as long as a block lasts, with the bot's own HTTP server.

Must not know what is served.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.types import ASGIApp

from bot.uvicorn_server import Server, listening

GRACE_SECONDS = 0.5
"""Whatever is still being answered when the block ends may take so long."""


@asynccontextmanager
async def served(app: ASGIApp, **deadlines: Any) -> AsyncIterator[str]:
    """The address on which ``app`` answers, without a slash behind. ``deadlines`` are the server's own.

    The server runs in the loop of the test, and without uvicorn's own main loop, which looks only ten times a second
    whether it should stop.
    """
    listener = listening("127.0.0.1", 0)
    server = Server(app, listener, **deadlines)
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    await server.startup([listener])
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        await _stop(server)


async def _stop(server: Server) -> None:
    for accepting in server.servers:
        accepting.close()
    for connection in list(server.server_state.connections):
        connection.shutdown()
    if answering := set(server.server_state.tasks):
        _, late = await asyncio.wait(answering, timeout=GRACE_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
    await asyncio.sleep(0)  # closed connections are told so in the loop's next round
