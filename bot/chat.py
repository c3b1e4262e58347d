"""The same conversation in a terminal: interactive, or line by line from a pipe.

It speaks as the first person through the local LINE. If a bot is running here, it is the one that answers; otherwise
one is started for as long as the chat lasts. Must not know how an answer is made.
"""

from __future__ import annotations

import asyncio
import io
import os
import sys
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

from bot.local_line.phone import NoAnswer, Phone, Refused, reachable
from bot.serve import CannotStart, end_of, running
from bot.settings import Settings, terminal_language
from bot.voice.language import spoken_language
from tools.record import Language

ANSWER_SECONDS = 300.0
"""For one answer: longer than a turn may take."""

WATCH_SECONDS = 0.5
"""How often something unasked is looked for."""

SPEAKER: Final[Mapping[Language, str]] = {"zh-TW": "你", "ja": "あなた", "th": "คุณ", "en": "You"}

HINT: Final[Mapping[Language, str]] = {
    "zh-TW": "想說什麼就打字，Ctrl-D 結束。",
    "ja": "話しかけてみてください。Ctrl-Dで終わります。",
    "th": "พิมพ์มาได้เลย กด Ctrl-D เพื่อจบ",
    "en": "Say something; Ctrl-D ends.",
}

SHOWN = 20
"""So much of a refused line is repeated."""


async def chat(settings: Settings) -> int:
    """Talk until the input ends. Returns 0, or 1 if a line was refused, its answer did not come or nobody reads on.

    Raises CannotStart.
    """
    if settings.line_is_on:
        raise CannotStart("The terminal chat uses the local LINE, which is off while LINE is configured.")
    if sys.stdin is None:
        raise CannotStart("The terminal chat needs an input: a keyboard, or lines from a pipe.")
    _let_every_sign_through()
    async with _a_bot(settings) as (address, working):
        talking = asyncio.create_task(_talk(Phone(address)))
        await asyncio.wait({talking, *working}, return_when=asyncio.FIRST_COMPLETED)
        if talking.done():
            return _code_of(talking)
        talking.cancel()
        for each in working:
            end_of(each)
    return 1


def _code_of(talking: asyncio.Task[int]) -> int:
    """How the talk went; trouble with the streams is all that is left of OSError, for the phone names its own."""
    try:
        return talking.result()
    except NoAnswer as silence:
        print(silence, file=sys.stderr)
    except OSError as trouble:
        close_the_output()
        if not isinstance(trouble, BrokenPipeError):
            print(f"The chat's input or output fails ({trouble.strerror}).", file=sys.stderr)
    return 1


async def _talk(phone: Phone) -> int:
    language = spoken_language(terminal_language())
    if not await phone.unread():
        if language:
            await phone.introduce(SPEAKER[language], language)
        await phone.follow()
        await _show(phone)
    interactive, code = sys.stdin.isatty(), 0
    if interactive:
        print(HINT[language or "en"])
    while line := await _next_line(phone, "> " if interactive else ""):
        if words := line.strip():
            try:
                await _exchange(phone, words)
            except Refused as reason:
                print(f"{words[:SHOWN]}…: {reason}", file=sys.stderr)
                code = 1
    return code


async def _exchange(phone: Phone, words: str) -> None:
    labels = await phone.buttons()
    await (phone.tap(words) if words in labels else phone.say(words))
    await _show(phone)


async def _show(phone: Phone) -> None:
    for text in await phone.answer(ANSWER_SECONDS):
        print(text)
    if labels := await phone.buttons():
        print("  " + " ".join(f"[{label}]" for label in labels))
    print(end="", flush=True)


async def _next_line(phone: Phone, prompt: str) -> str:
    """A line with its end, "" at the end of the input. What comes unasked meanwhile, such as a reminder, is shown."""
    watching = asyncio.create_task(_watch(phone))
    try:
        return await _read_line(prompt)
    finally:
        watching.cancel()
        await asyncio.wait({watching})


async def _watch(phone: Phone) -> None:
    while True:
        for text in await phone.unread():
            print(f"\n{text}", flush=True)
        await asyncio.sleep(WATCH_SECONDS)


async def _read_line(prompt: str) -> str:
    """Read in a thread that nobody waits for, so that Ctrl-C ends the chat at once."""
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def settle(text: str, trouble: Exception | None) -> None:
        if not line.done():
            line.set_exception(trouble) if trouble else line.set_result(text)

    def read() -> None:
        text, trouble = "", None
        try:
            print(prompt, end="", flush=True)
            text = sys.stdin.readline()
        except (OSError, ValueError) as problem:
            trouble = problem
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, text, trouble)

    threading.Thread(target=read, daemon=True, name="chat-input").start()
    return await line


def _let_every_sign_through() -> None:
    """A sign that is no text, or that this terminal cannot show, becomes a mark in place of an error."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def close_the_output() -> None:
    """Whoever read has gone: what Python still wants to write when it ends goes nowhere.

    https://docs.python.org/3/library/signal.html#note-on-sigpipe
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


@asynccontextmanager
async def _a_bot(settings: Settings) -> AsyncIterator[tuple[str, set[asyncio.Task[None]]]]:
    """A bot's address, and its work where that is done here."""
    address = settings.local_line_url
    if await reachable(address, 0):
        yield address, set()
        return
    async with running(settings) as (_, working):
        yield address, {working}
