"""From a wired application to a running one: ports, signals, the lock, the log; and the set-up beside it.

Must not build or decide anything of its own: the composition root wires, this opens and closes.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from typing import cast

from starlette.types import ASGIApp

from bot.application import Application, Now
from bot.edges import line_account, notion_client, open_beside, utc_now
from bot.fault_points import At
from bot.log_lines import log_to_stderr
from bot.main import build
from bot.ports import NotSent
from bot.redaction import Redactor
from bot.settings import Settings, listen_host, misspelt, public_url
from bot.uvicorn_server import Server, listening
from tools.database import Database, sqlite_file
from tools.database.sqlite_files import CURE, FileTaken, working_alone
from tools.notion.trouble import NotionDown, NotionRefused
from tools.notion.wishes import NO_WISHES, Wishes
from tools.record import Language

log = logging.getLogger(__name__)

NOT_HERE = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EINVAL}
"""What the system says of an address that is none of this machine's."""

HOST_CURE = "leave it empty, or set 127.0.0.1 for this machine alone, 0.0.0.0 for everyone."


Look = Callable[[Settings, Redactor], Coroutine[None, None, None]]


async def _elsewhere(_settings: Settings, _mask: Redactor) -> None:
    """Who has a shell looks around with a command."""


class CannotStart(Exception):
    """Something outside stands in the way; the message says what, and what to do."""


async def serve(
    settings: Settings, now: Now = utc_now, *, http: bool = True, at: At | None = None, look: Look = _elsewhere
) -> None:
    """Run until SIGTERM or Ctrl-C; without ``http``, beside others that serve it. ``look`` looks around once it is
    open. Raises CannotStart, DatabaseUnavailable."""
    if not http:
        _may_be_one_of_many(settings)
    mask = Redactor(settings.secrets)
    log_to_stderr(settings.log_level, settings.log_format, mask)
    for name, meant in misspelt():
        log.warning("%s is no setting, and what it says is not heeded%s", name, f": is {meant} meant?" if meant else "")
    asked_to_stop = asyncio.create_task(_asked_to_stop())  # from now on: a signal during the start ends it in order
    try:
        async with running(settings, now, http=http, at=at, mask=mask) as (application, working):
            log.info(_opened(application, await application.gate.code(), http=http))
            looking = asyncio.create_task(look(settings, mask))
            try:
                await asyncio.wait({asked_to_stop, working}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                looking.cancel()
            if working.done():
                end_of(working)
    finally:
        asked_to_stop.cancel()


def _may_be_one_of_many(settings: Settings) -> None:
    if not settings.many_processes:
        raise CannotStart(
            "On SQLite one process does everything: run `python -m bot` alone, or set DATABASE_URL to postgresql://…"
        )
    if not settings.line_is_on:
        raise CannotStart("A worker has nobody to answer before LINE_CHANNEL_SECRET and its token are set.")


@asynccontextmanager
async def running(
    settings: Settings,
    now: Now = utc_now,
    *,
    http: bool = True,
    at: At | None = None,
    mask: Redactor | None = None,
) -> AsyncIterator[tuple[Application, asyncio.Task[None]]]:
    """A bot that is open and at work, with the task of its work. Raises CannotStart, DatabaseUnavailable."""
    with _the_only_worker(settings):
        application = build(settings, now, at=at, mask=mask)
        try:
            with _listeners(application, http=http) as listeners:
                await application.start()
                async with _at_work(application, listeners) as working:
                    yield application, working
        finally:
            await application.close()


async def set_up(settings: Settings, menu: str = "", wishes: Wishes = NO_WISHES) -> list[str]:
    """Set the bot up in LINE and in Notion, as far as they are set; what was done, line by line. ``menu`` is the
    language of the menu in LINE, or ``none``; ``wishes`` concern the table in Notion. Raises CannotStart."""
    parts = [_set_up_line(settings, menu)] if settings.line_is_on else []
    if settings.notion_token.get_secret_value():
        parts.append(_set_up_notion(settings, wishes))
    if not parts:
        raise CannotStart(
            "Neither LINE nor Notion is set: nothing to set up yet; README.md tells how, under Connect LINE and "
            "Connect Notion."
        )
    done = await asyncio.gather(*parts, return_exceptions=True)
    problems = [each for each in done if isinstance(each, BaseException)]
    for each in problems:
        if not isinstance(each, CannotStart):
            raise each
    lines = [line for each in done if not isinstance(each, BaseException) for line in each]
    if problems:
        raise CannotStart("\n".join([*lines, *map(str, problems)]))
    return lines


async def _set_up_line(settings: Settings, menu: str) -> list[str]:
    from bot.line.setup import set_up as set_up_line

    address = public_url(settings)
    language = menu or ("zh-TW" if settings.secretary_language == "auto" else settings.secretary_language)
    redactor = Redactor(settings.secrets)
    try:
        async with line_account(settings, redactor) as account:
            return await set_up_line(
                account,
                f"{address}/callback" if address else "",
                None if language == "none" else cast("Language", language),
            )
    except NotSent as problem:
        raise CannotStart(
            f"{redactor.without_secrets(problem.reason)}: `python -m bot doctor` says what to do."
        ) from None


async def _set_up_notion(settings: Settings, wishes: Wishes) -> list[str]:
    from tools.notion.ledger import forget
    from tools.notion.setup import set_up as set_up_notion

    client, database = notion_client(settings), Database(settings.database_url)
    try:
        await open_beside(database)
        if wishes.new_webhook:
            await database.write(lambda connection: forget(connection, "webhook"))
        return await set_up_notion(
            client,
            settings.notion_parent_page_id or None,
            settings.notion_data_source_id or None,
            language=settings.secretary_language,
            database=database,
            wishes=wishes,
        )
    except NotionRefused as refused:
        raise CannotStart(f"{refused} → {refused.next_step}") from None
    except NotionDown as down:
        raise CannotStart(f"{down}: nothing is lost, run it again later.") from None
    finally:
        await client.close()
        await database.close()


Listener = tuple[ASGIApp, socket.socket]


@asynccontextmanager
async def _at_work(application: Application, listeners: list[Listener]) -> AsyncIterator[asyncio.Task[None]]:
    """Serving and working; at the end what runs is finished before the ports close."""
    servers = [Server(app, listener) for app, listener in listeners]
    serving = [asyncio.create_task(server.run_open()) for server in servers]
    await asyncio.gather(*(server.open.wait() for server in servers))
    working = asyncio.create_task(application.work())
    try:
        yield working
    finally:
        await application.rest()
        for server in servers:
            server.should_exit = True
        await asyncio.gather(*serving)
        working.cancel()
        await asyncio.wait({working})


def end_of(working: asyncio.Task[None]) -> None:
    """Work that ended by itself has failed. Raises CannotStart for a library that does not load, else the failure."""
    for failure in _each_of(working.exception()):
        if isinstance(failure, ImportError | Warning):
            raise CannotStart(f"A library does not load ({failure}): install the requirements anew.")
    working.result()


def _each_of(failure: BaseException | None) -> Iterator[BaseException]:
    if isinstance(failure, BaseExceptionGroup):
        for each in failure.exceptions:
            yield from _each_of(each)
    elif failure is not None:
        yield failure


@contextmanager
def _listeners(application: Application, *, http: bool) -> Iterator[list[Listener]]:
    settings = application.settings
    with ExitStack() as opened:
        if not http:
            yield []
            return
        web = opened.enter_context(closing(_bound(listen_host(settings), settings.port)))
        listeners: list[Listener] = [(application.web, web)]
        if application.local_line:
            chat = opened.enter_context(closing(_bound("127.0.0.1", settings.port + 1)))
            listeners.append((application.local_line.app, chat))
        yield listeners


def _bound(host: str, port: int) -> socket.socket:
    try:
        return listening(host, port)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno in NOT_HERE:
            raise CannotStart(f"HOST {host} is no address of this machine ({error.strerror}): {HOST_CURE}") from None
        raise CannotStart(f"Port {port} on {host} cannot be used ({error.strerror}): set PORT to a free one.") from None
    except UnicodeError:
        raise CannotStart(f"HOST {host} is no address: {HOST_CURE}") from None


async def _asked_to_stop() -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows has only Ctrl-C, which ends the loop by itself
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()


@contextmanager
def _the_only_worker(settings: Settings) -> Iterator[None]:
    """Two processes that work the same SQLite file would answer twice: the second is refused."""
    file = sqlite_file(settings.database_url)
    with ExitStack() as held:
        try:
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
                held.enter_context(working_alone(file))
        except FileTaken as taken:
            raise CannotStart(f"{taken}: stop it first, or give this one another DATABASE_URL.") from None
        except OSError as trouble:
            raise CannotStart(f"{file}.lock cannot be opened ({trouble.strerror}): {CURE}") from None
        yield


def _opened(application: Application, code: str | None, *, http: bool = True) -> str:
    settings = application.settings
    lines = _addresses(settings) if http else ["works without HTTP, beside others"]
    if code:
        lines.append(f"nobody owns this bot yet: send it this code in LINE: {code}")
    lines.append("model: " + (settings.openai_model if application.engine else "none (offline engine)"))
    lines.append("Notion: " + _notion(settings))
    if names := [each.name for each in settings.secretary_collections]:
        by_whom = "" if application.engine else ", once there is a model"
        lines.append(f"opened for reading: {', '.join(names)}{by_whom}")
    return "The secretary is here.\n  " + "\n  ".join(lines)


def _addresses(settings: Settings) -> list[str]:
    lines = [f"listening on http://{listen_host(settings)}:{settings.port}"]
    if not settings.line_is_on:
        return [*lines, f"chat page: {settings.local_line_url}/"]
    return [*lines, f"webhook: {public_url(settings) or 'https://<your address>'}/callback"]


def _notion(settings: Settings) -> str:
    match bool(settings.notion_token.get_secret_value()), bool(settings.notion_data_source_id):
        case True, True:
            return "on"
        case True, False:
            return "token set, run `python -m bot setup`"
        case False, True:
            return "off, NOTION_DATA_SOURCE_ID needs NOTION_TOKEN"
    return "off"
