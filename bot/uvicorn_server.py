"""The HTTP server: uvicorn on a socket of ours, stopped by us, able to say when it is open, short with slow callers.

Must not know what is served, or why it stops.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

KEEP_SECONDS = 5
"""Connections may finish their answer for so long when the server stops."""

HEAD_SECONDS = 10.0
"""For a whole request head to arrive, from the opening of the connection or from the answer before it."""

IDLE_SECONDS = 5
"""A connection on which nothing at all comes after an answer is kept for so long."""

LEFTOVER_BYTES = 1024 * 1024
"""So much of a body is read and dropped after its request has been answered; a caller who sends more is cut off."""


class Server(uvicorn.Server):
    """Serves one application on one socket until ``should_exit``."""

    def __init__(
        self,
        app: ASGIApp,
        listener: socket.socket,
        *,
        head_seconds: float = HEAD_SECONDS,
        idle_seconds: int = IDLE_SECONDS,
    ) -> None:
        config = _Config(
            app,
            http=PunctualProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,  # whoever asks is nobody special, wherever they say they come from
            timeout_keep_alive=idle_seconds,
            timeout_graceful_shutdown=KEEP_SECONDS,
        )
        config.head_seconds = head_seconds
        super().__init__(config)
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


class _Config(uvicorn.Config):
    """What uvicorn hands to every connection, with the one number it does not know."""

    head_seconds = HEAD_SECONDS


class PunctualProtocol(H11Protocol):
    """One connection. Whoever holds it while nobody works for them is cut off after a while.

    While a request is being answered the application alone bounds the time (it reads the body). Before and after that
    the clock runs here, for uvicorn would wait for ever: for the rest of a head, and for the rest of a body that
    nobody wants any more.
    """

    def __init__(
        self,
        config: _Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._head_seconds = config.head_seconds
        self._deadline: asyncio.TimerHandle | None = None
        self._leftover = 0
        self._watch()

    @property
    def _at_work(self) -> bool:
        return self.conn.our_state in {h11.SEND_RESPONSE, h11.SEND_BODY}

    def _watch(self) -> None:
        """Let the clock run exactly while nobody works."""
        if self._at_work:
            self._stop_watching()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self._head_seconds, self._cut_off)

    def _stop_watching(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _cut_off(self) -> None:
        """At once: an orderly close would wait until the caller has read what was said."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        self._leftover = 0 if self._at_work else self._leftover + len(data)
        if self._leftover > LEFTOVER_BYTES:
            self._cut_off()
            return
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._leftover = 0
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_watching()

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio's own signature; uvicorn narrows it to None
        """Whoever has asked and then says no more may still listen for the answer.

        https://www.rfc-editor.org/rfc/rfc9112#section-9.6
        """
        if not self._at_work or self.conn.their_state is h11.SEND_BODY:
            return False
        self.cycle.keep_alive = False
        return True

    def send_400_response(self, msg: str) -> None:
        """Said only where nothing has been said yet: a second answer would break the rules of HTTP from our side."""
        if self._at_work:  # on a request that went wrong later: its own answer must not follow this one
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.close()

    def shutdown(self) -> None:
        """When the server stops, a request that has not arrived in full is not waited for."""
        if self._at_work and self.conn.their_state is h11.SEND_BODY:
            self.transport.close()
        else:
            super().shutdown()


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
