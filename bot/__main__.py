"""The commands: ``python -m bot`` serves; the others do what their names say.

Must not build anything: that is the composition root's. A person never sees a traceback.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from bot.event_loop import EventLoop
from bot.settings import ENVIRONMENT, Settings, SettingsError, read_settings

if TYPE_CHECKING:
    from bot.redaction import Redactor

Options = argparse.Namespace
"""What stood behind the command."""

MOST_DIGITS = 9
"""Of a number in an option: no store has more rows, and none takes any number at all."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; a wrong setting or a missing thing outside ends in one readable message and exit code 1."""
    parser = argparse.ArgumentParser(prog="python -m bot", description="A personal secretary inside LINE.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (_, text) in COMMANDS.items():
        ARGUMENTS.get(name, _none)(commands.add_parser(name, help=text, description=text))
    options = parser.parse_args(arguments)
    run, _ = COMMANDS[options.command or "serve"]
    try:
        with asyncio.Runner(loop_factory=EventLoop) as runner:
            code = runner.run(run(options))
    except KeyboardInterrupt:
        code = 130
    except _expected() as problem:
        _give_up(str(problem))
    sys.exit(code)


async def _look_around(settings: Settings, mask: Redactor) -> None:
    """On a platform without a shell, what the doctor finds amiss goes into the log of each start."""
    from bot.hosting import platform

    if platform(ENVIRONMENT):
        from bot.doctor import tell_the_log

        await tell_the_log(settings, mask)


async def _serve(_: Options) -> int:
    from bot.serve import serve

    await serve(read_settings(), look=_look_around)
    return 0


async def _worker(_: Options) -> int:
    from bot.serve import serve

    await serve(read_settings(), http=False)
    return 0


async def _setup(options: Options) -> int:
    from bot.serve import set_up
    from tools.notion.wishes import Wishes

    wishes = Wishes(dict(options.map), tuple(options.unmap), options.mend, options.new_webhook)
    return _told(await set_up(read_settings(), options.menu, wishes))


async def _doctor(options: Options) -> int:
    from bot.doctor import doctor

    told, code = await doctor(read_settings, json=options.json)
    return _told([told]) or code


def _setup_arguments(parser: argparse.ArgumentParser) -> None:
    languages = ["zh-TW", "ja", "th", "en", "none"]
    parser.add_argument("--menu", choices=languages, default="", help="language of the menu in LINE, or none at all")
    parser.add_argument(
        "--map", type=_pair, action="append", default=[], metavar="WORD=COLUMN",
        help="in Notion, keep this (amount, category, when, …) in a column of your own; several times for several",
    )  # fmt: skip
    parser.add_argument(
        "--unmap", action="append", default=[], metavar="WORD", help="in Notion, keep it in our column again"
    )
    mend = "in Notion, add a new column for each that was removed or given another type; yours stay"
    parser.add_argument("--mend", action="store_true", help=mend)
    again = "of Notion's webhook, take the next verification token that it sends, for a new subscription"
    parser.add_argument("--new-webhook", action="store_true", help=again)
    parser.epilog = (
        "In LINE, if that is set: the webhook, where PUBLIC_URL is known, and the menu under the chat. In Notion, if "
        "that is set: the table and its views. What people made by hand stays as it is."
    )


def _pair(text: str) -> tuple[str, str]:
    word, equals, name = (each.strip() for each in _text(text).partition("="))
    if not (word and equals and name):
        raise argparse.ArgumentTypeError("must be a word for what is kept, = and the name of your column: amount=Price")
    return word, name


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")


async def _chat(_: Options) -> int:
    from bot.chat import chat

    return await chat(read_settings())


async def _demo(_: Options) -> int:
    from bot.demo import demo

    return await demo()


async def _inbox(options: Options) -> int:
    from bot.inbox_command import Desk
    from bot.redaction import Redactor
    from bot.sql.operator import at_the_store

    settings = read_settings()
    async with at_the_store(settings.database_url) as inbox:
        desk = Desk(inbox, Redactor(settings.secrets), inbox.now, settings.secretary_push)
        told = await desk.told(options.action, options.id, every=options.all, force=options.force, as_json=options.json)
    return _told([told])


async def _log(options: Options) -> int:
    from bot.ai_log_file import lines_of
    from bot.inbox_command import NotPossible
    from bot.log_command import LogDesk
    from bot.redaction import Redactor
    from bot.sql.audit import audit_of

    settings = read_settings()
    file = Path(settings.ai_log_file) if settings.ai_log_file else None
    async with audit_of(settings.database_url) as audit:
        desk = LogDesk(audit, lines_of(file) if file else None, Redactor(settings.secrets))
        try:
            told = await desk.told(turn=options.turn, person=options.person, last=options.last, as_json=options.json)
        except OSError as trouble:
            raise NotPossible(f"AI_LOG_FILE {file} cannot be read ({trouble.strerror}).") from None
    return _told([told])


def _log_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--turn", type=_text, default="", metavar="ID", help="only this turn, with its words; a beginning is enough"
    )
    person = "only turns of this person; a beginning is enough"
    parser.add_argument("--person", type=_text, default="", metavar="ID", help=person)
    parser.add_argument("--last", type=_number, default=10, metavar="N", help="so many turns (10)")
    parser.add_argument("--json", action="store_true", help="for programs, with whole requests and answers")
    parser.epilog = (
        "Which tools were called and what came of it is always on record, without the arguments. What models are sent "
        "and answer is kept if AI_LOG_FILE names a file. A running bot goes on meanwhile."
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text)):
        raise argparse.ArgumentTypeError("must be a whole number, 1 or more")
    return int(text)


def _text(text: str) -> str:
    """What was typed, with a mark for bytes that are no text: no store takes them."""
    return text.encode(errors="replace").decode()


def _inbox_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", default="list", choices=["list", "show", "retry", "drop"])
    parser.add_argument("id", nargs="?", type=_text, default="", help="of a turn or a message; its beginning is enough")
    parser.add_argument("--all", action="store_true", help="list what is settled too")
    parser.add_argument("--force", action="store_true", help="drop even what a bot is at work on")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.epilog = (
        "list: what waits and what was set aside. show: one turn, with its words. retry: begin once more with a turn "
        "that was given up. drop: do nothing more about a turn. A running bot goes on meanwhile."
    )


async def _backup(options: Options) -> int:
    from tools.database.sqlite_backup import backup

    return _told(await backup(read_settings().database_url, options.file))


async def _restore(options: Options) -> int:
    if options.from_notion or options.file is None:
        if not options.from_notion or options.file is not None:
            raise SettingsError("restore takes either a FILE that `backup` made, or --from-notion.")
        return await _rebuild(options)
    from tools.database.sqlite_backup import restore

    return _told(await restore(read_settings().database_url, options.file, datetime.now(UTC)))


async def _rebuild(_: Options) -> int:
    import bot.main  # noqa: F401 - with it come all tables there are
    from bot.rebuild_command import rebuild

    return _told(await rebuild(read_settings(), lambda line: print(line, file=sys.stderr, flush=True)))


def _restore_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", type=Path, help="the copy that `backup` made")
    parser.add_argument("--from-notion", action="store_true", help="what stands in Notion instead: `rebuild`")


async def _copy(options: Options) -> int:
    import bot.main  # noqa: F401 - with it come all tables there are
    from tools.database.copying import copy_store

    return _told(await copy_store(read_settings().database_url, options.to))


async def _export(options: Options) -> int:
    from bot.export_command import export

    settings = read_settings()
    file = None if options.file in {None, Path("-")} else options.file
    told = await export(settings.database_url, settings.secretary_owners, options.person, file)
    return _told(told) if told else 0


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", type=Path, help="where the table goes; without one, to the output")
    parser.add_argument("--person", type=_text, default="", metavar="ID", help="whose records (the owner's)")
    parser.epilog = "One line for each record that is not deleted: CSV for Excel. A running bot goes on meanwhile."


def _told(lines: Sequence[str]) -> int:
    """Print it. Returns 0, or 1 where nobody reads on, as behind a pipe, or the output takes no more."""
    try:
        print("\n".join(lines), flush=True)
    except OSError as trouble:
        from bot.chat import close_the_output

        close_the_output()
        if not isinstance(trouble, BrokenPipeError):
            print(f"The output fails ({trouble.strerror}).", file=sys.stderr)
        return 1
    return 0


def _file_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="where the copy is, or will be")


def _target_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("to", metavar="DATABASE_URL", help="the empty store: postgresql://… or sqlite:///…")


def _none(_: argparse.ArgumentParser) -> None:
    """A command without arguments."""


Command = Callable[[Options], Coroutine[None, None, int]]

COMMANDS: dict[str, tuple[Command, str]] = {
    "serve": (_serve, "Serve HTTP and work the inbox, in one process (the default)."),
    "worker": (_worker, "Work the inbox without HTTP, for more processes on one PostgreSQL."),
    "doctor": (_doctor, "Look at every credential, endpoint and setting, and say what to do. Changes nothing."),
    "setup": (_setup, "Set the bot up in LINE and Notion. Never deletes records; running it twice changes nothing."),
    "chat": (_chat, "Talk to the secretary in this terminal, or line by line from a pipe."),
    "demo": (_demo, "A short conversation through the whole path, each answer checked. Needs no credentials."),
    "inbox": (_inbox, "What waits to be answered, and what was set aside: list, show, retry or drop."),
    "log": (_log, "The last turns: which tools were called, and what models were sent and answered."),
    "backup": (_backup, "A checked copy of the SQLite store, beside a running bot."),
    "restore": (_restore, "Put a copy in the place of the SQLite store, which is kept; the bot must be stopped."),
    "rebuild": (_rebuild, "Bring back from Notion what the store lacks; what is here stays. A running bot goes on."),
    "export": (_export, "A person's records as a table that Excel opens, into a file or to the output."),
    "copy": (_copy, "Everything into another, empty store, counted: the way from SQLite to PostgreSQL."),
}

ARGUMENTS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "doctor": _doctor_arguments,
    "setup": _setup_arguments,
    "inbox": _inbox_arguments,
    "log": _log_arguments,
    "backup": _file_argument,
    "restore": _restore_arguments,
    "export": _export_arguments,
    "copy": _target_argument,
}


def _expected() -> tuple[type[Exception], ...]:
    """What an operator can mend; imported late, for `--help` must not wait for it."""
    from bot.ai_log_file import AiLogUnwritable
    from bot.inbox_command import NotPossible
    from bot.local_line.ledger import LedgerUnavailable
    from bot.serve import CannotStart
    from tools.database.trouble import CopyRefused, DatabaseUnavailable

    expected = (CannotStart, CopyRefused, DatabaseUnavailable, LedgerUnavailable, NotPossible, AiLogUnwritable)
    return SettingsError, *expected


def _give_up(message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    main()
