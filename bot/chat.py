"""The same conversation in a terminal: interactive, or line by line from a pipe.

It speaks as the first person through the local LINE. If a bot is running here, it is the one that answers; otherwise
one is started for as long as the chat lasts. Must not know how an answer is made.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.local_line.phone import NoAnswer, Phone, reachable
from bot.serve import CannotStart, running
from bot.settings import Settings

ANSWER_SECONDS = 300.0


async def chat(settings: Settings) -> int:
    """Talk until the input ends. Returns 0, or 1 if an answer did not come."""
    if settings.line_is_on:
        raise CannotStart("The terminal chat uses the local LINE, which is off while LINE is configured.")
    async with _a_bot(settings) as address:
        phone = Phone(address)
        if not await phone.unread():
            await phone.follow()
            await _show(phone)
        interactive = sys.stdin.isatty()
        if interactive:
            print("Say something; Ctrl-D ends. / 想說什麼就打字，Ctrl-D 結束。")
        while line := await _next_line("> " if interactive else ""):
            if line.strip():
                try:
                    await _exchange(phone, line.strip())
                except NoAnswer as silence:
                    print(silence, file=sys.stderr)
                    return 1
    return 0


async def _exchange(phone: Phone, words: str) -> None:
    labels = await phone.buttons()
    await (phone.tap(words) if words in labels else phone.say(words))
    await _show(phone)


async def _show(phone: Phone) -> None:
    for text in await phone.answer(ANSWER_SECONDS):
        print(text)
    if labels := await phone.buttons():
        print("  " + " ".join(f"[{label}]" for label in labels))
    sys.stdout.flush()


async def _next_line(prompt: str) -> str:
    """A line with its end, "" at the end of the input."""

    def read() -> str:
        print(prompt, end="", flush=True)
        return sys.stdin.readline()

    return await asyncio.to_thread(read)


@asynccontextmanager
async def _a_bot(settings: Settings) -> AsyncIterator[str]:
    address = settings.local_line_url
    if await reachable(address, 0):
        yield address
        return
    async with running(settings):
        yield address
