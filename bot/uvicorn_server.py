"""The HTTP server: uvicorn on a socket of ours, stopped by us, and able to say when it is open.

Must not know what is served, or why it stops.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

KEEP_SECONDS = 5
"""Connections may finish their answer for so long when the server stops."""


class Server(uvicorn.Server):
    """Serves one application on one socket until ``should_exit``."""

    def __init__(self, app: ASGIApp, listener: socket.socket) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=KEEP_SECONDS,
            )
        )
        self.open = asyncio.Event()
        self._listener = listener

    async def run_open(self) -> None:
        """Serve until ``should_exit``."""
        await self.serve([self._listener])

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the composition root's business."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.open.set()


def listening(host: str, port: int) -> socket.socket:
    """A socket bound to this address. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio leaves Nagle's algorithm on, which holds small answers back for 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener
