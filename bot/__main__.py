"""The commands: ``python -m bot`` serves; ``setup``, ``chat`` and ``demo`` do what they say.

Must not build anything: that is the composition root's. A person never sees a traceback.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import NoReturn

from bot.settings import SettingsError, read_settings


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; a wrong setting or a missing thing outside ends in one readable message and exit code 1."""
    parser = argparse.ArgumentParser(prog="python -m bot", description="A personal secretary inside LINE.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (_, text) in COMMANDS.items():
        commands.add_parser(name, help=text, description=text)
    chosen = parser.parse_args(arguments).command or "serve"
    run, _ = COMMANDS[chosen]
    try:
        code = asyncio.run(run())
    except KeyboardInterrupt:
        code = 130
    except _expected() as problem:
        _give_up(str(problem))
    sys.exit(code)


async def _serve() -> int:
    from bot.serve import serve

    await serve(read_settings())
    return 0


async def _setup() -> int:
    from bot.serve import set_up

    for line in await set_up(read_settings()):
        print(line)
    return 0


async def _chat() -> int:
    from bot.chat import chat

    return await chat(read_settings())


async def _demo() -> int:
    from bot.demo import demo

    return await demo()


Command = Callable[[], Coroutine[None, None, int]]

COMMANDS: dict[str, tuple[Command, str]] = {
    "serve": (_serve, "Serve HTTP and work the inbox, in one process (the default)."),
    "setup": (_setup, "Create or upgrade the Notion database. Never deletes; running it twice changes nothing."),
    "chat": (_chat, "Talk to the secretary in this terminal, or line by line from a pipe."),
    "demo": (_demo, "A short conversation through the whole path, each answer checked. Needs no credentials."),
}


def _expected() -> tuple[type[Exception], ...]:
    """What an operator can mend; imported late, for `--help` must not wait for it."""
    from bot.local_line.ledger import LedgerUnavailable
    from bot.serve import CannotStart
    from tools.database import DatabaseUnavailable

    return SettingsError, CannotStart, DatabaseUnavailable, LedgerUnavailable


def _give_up(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    main()
