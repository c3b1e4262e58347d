"""The doctor: looks at everything outside that the bot needs, once, and says of each how it is and what to do.

Works beside a running bot and without one; changes nothing. Must not show a secret.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from bot.edges import engine_of, line_account, notion_client, utc_now
from bot.findings import Finding, as_json, as_lines, fails
from bot.hosting import WAYS_OUT, WIPED, loses, platform
from bot.line.account import LineAccount
from bot.line.health import Trial, of_account, of_clock, of_quota, of_switches, of_test, of_token, of_webhook
from bot.local_line import FIRST_PERSON
from bot.model_ports import ModelUnavailable
from bot.notion_health import Kept, counted, look, of_down
from bot.ports import NotSent, Unsure
from bot.redaction import Redactor
from bot.settings import ENVIRONMENT, Settings, SettingsError, misspelt, public_url
from bot.sql.groups import SqlGroups
from bot.sql.members import SqlMembers
from bot.sql.people import SqlPeople
from bot.web import WEBHOOK_SENTENCE
from tools.database import Database, sqlite_file
from tools.database.trouble import DatabaseUnavailable
from tools.loopback import is_loopback
from tools.notion.collection import NotionCollection
from tools.notion.trouble import NotionDown, NotionRefused
from tools.record import PersonId

log = logging.getLogger(__name__)

PATIENCE = 90.0
"""Seconds for one part: a model on one's own machine may first have to be loaded."""

PAGE_SECONDS = 10.0

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nobody listens here, it is what a setting may say

Look = Callable[[], Awaitable[list[Finding]]]


async def examine(
    settings: Settings,
    redactor: Redactor,
    environment: Mapping[str, str] = ENVIRONMENT,
    *,
    ask_model: bool = True,
    patience: float = PATIENCE,
) -> list[Finding]:
    """Every finding, in the order of a message's way. ``environment`` tells of a hosting platform. A model may cost
    something, and be slow to wake: it need not be asked. ``patience``: seconds that one part may take."""
    looks: list[tuple[str, Look]] = [
        ("store", lambda: _store(settings, environment)),
        ("bot", lambda: _bot(settings)),
        ("LINE", lambda: _line(settings, redactor, hosted=bool(platform(environment)))),
        *((("model", lambda: _model(settings)),) if ask_model else ()),
        ("Notion", lambda: _notion(settings)),
        ("collections", lambda: _collections(settings)),
    ]
    found = await asyncio.gather(*(bounded(what, look, patience) for what, look in looks))
    return [*_settings(settings), *(each for part in found for each in part)]


async def bounded(what: str, look: Look, seconds: float = PATIENCE) -> list[Finding]:
    """A look that ends, in findings."""
    try:
        async with asyncio.timeout(seconds):
            return await look()
    except TimeoutError:
        return [Finding(what, "FAIL", f"nothing came of it in {seconds:g} s", "try again later")]
    except Exception as odd:  # noqa: BLE001 - the others are told all the same
        return [Finding(what, "FAIL", f"the look failed ({type(odd).__name__}: {odd})", "this is a bug: report it")]


async def doctor(read: Callable[[], Settings], *, json: bool = False) -> tuple[str, int]:
    """What is to be printed, and the exit code: 1 if anything fails. ``read`` raises SettingsError."""
    logging.getLogger().addHandler(logging.NullHandler())  # what is wrong stands in the findings
    try:
        settings = read()
    except SettingsError as wrong:
        found = [Finding("settings", "FAIL", str(wrong), "mend the environment or .env, and look again")]
        redactor = Redactor(())
    else:
        redactor = Redactor(settings.secrets)
        found = [*await examine(settings, redactor), *_misspelt()]
    return report(found, redactor, json=json)


async def tell_the_log(settings: Settings, redactor: Redactor) -> None:
    """What is amiss, a line each; without asking the model, whose answers may cost something at each start."""
    for each in await examine(settings, redactor, ask_model=False):
        if each.state != "ok":
            log.log(logging.ERROR if each.state == "FAIL" else logging.WARNING, "%s", each.line)


def report(found: Sequence[Finding], redactor: Redactor, *, json: bool) -> tuple[str, int]:
    """The findings as they are printed, and the exit code."""
    told = as_json(found) if json else "\n".join(as_lines(found))
    return redactor.without_secrets(told), int(fails(found))


def _settings(settings: Settings) -> list[Finding]:
    if settings.line_channel_id and settings.line_channel_access_token.get_secret_value():
        said = "LINE_CHANNEL_ID and LINE_CHANNEL_ACCESS_TOKEN are both set: tokens are issued, the second is not used"
        return [Finding("settings", "warn", said, "remove LINE_CHANNEL_ACCESS_TOKEN")]
    return [Finding("settings", "ok", "can be read")]


def _misspelt() -> list[Finding]:
    """Names that mean nothing: what stands behind them is not set."""
    found = []
    for name, meant in misspelt():
        said = f"{name} is no setting" + (f": did you mean {meant}?" if meant else "")
        found.append(Finding("settings", "warn", said, f"rename it to {meant}" if meant else "remove it"))
    return found


# ── what is on this machine ───────────────────────────────────────────────────────────────────────────────────────


async def _store(settings: Settings, environment: Mapping[str, str]) -> list[Finding]:
    file = sqlite_file(settings.database_url)
    if file and not await asyncio.to_thread(file.exists):
        return [Finding("store", "warn", f"{file} is not there yet", "start the bot once, it makes the file")]
    database = Database(settings.database_url)
    try:
        await database.join()
        people = SqlPeople(database, utc_now, at_home=[PersonId(FIRST_PERSON)])
        return [_kept(settings, environment), *_who_may_talk(settings, await people.owners(), await people.code())]
    except DatabaseUnavailable as trouble:
        return [Finding("store", "FAIL", str(trouble), "look at DATABASE_URL, and at the log of the bot")]
    finally:
        await database.close()


def _kept(settings: Settings, environment: Mapping[str, str]) -> Finding:
    file = sqlite_file(settings.database_url)
    if where := loses(file, environment):
        return Finding("store", "warn", f"SQLite ({file}) on {where}: {WIPED}", WAYS_OUT)
    return Finding("store", "ok", f"SQLite, {file}" if file else "PostgreSQL")


def _who_may_talk(settings: Settings, paired: list[PersonId], code: str | None) -> list[Finding]:
    what = "who may talk"
    if not settings.line_is_on:
        return [Finding(what, "ok", "whoever sits at this machine")]
    if settings.secretary_owners:
        return [Finding(what, "ok", f"{len(settings.secretary_owners)} named in SECRETARY_OWNERS")]
    if paired:
        return [Finding(what, "ok", f"paired with {len(paired)}")]
    if code:
        return [Finding(what, "warn", "nobody has paired yet", "send the bot the 8 digits of its log, in LINE")]
    step = "restart the bot, and send it the 8 digits of its log, in LINE"
    return [Finding(what, "warn", "nobody has paired, and there is no code that pairs", step)]


async def _bot(settings: Settings) -> list[Finding]:
    """Whether one works on this port: elsewhere it may all the same."""
    host = "127.0.0.1" if settings.host in {"", EVERYWHERE} else settings.host
    status, said = await _page(f"http://{f'[{host}]' if ':' in host else host}:{settings.port}/healthz")
    if status == HTTPStatus.OK and '"status":"ok"' in said:
        return [Finding("bot", "ok", f"runs on port {settings.port}")]
    if status == 0:
        step = "start it with `python -m bot`, unless it runs on another machine"
        return [Finding("bot", "warn", f"none runs on port {settings.port} here", step)]
    return [Finding("bot", "FAIL", f"what runs on port {settings.port} answers {status}", "look at the bot's log")]


async def _page(address: str) -> tuple[int, str]:
    """The status of a page and its beginning; 0 and the reason if none comes."""
    httpx: Any = await asyncio.to_thread(importlib.import_module, "httpx")
    try:
        async with httpx.AsyncClient(timeout=PAGE_SECONDS, trust_env=not is_loopback(address)) as client:
            answer = await client.get(address)
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as problem:
        return 0, type(problem).__name__
    return answer.status_code, answer.text[:500]


# ── LINE ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _line(settings: Settings, redactor: Redactor, *, hosted: bool) -> list[Finding]:
    if not settings.line_is_on:
        if hosted:
            step = "set LINE_CHANNEL_SECRET, and LINE_CHANNEL_ID or LINE_CHANNEL_ACCESS_TOKEN"
            return [Finding("LINE", "FAIL", "is not set, and here nobody can open the chat page", step)]
        return [Finding("LINE", "ok", f"is not set: talk on the chat page, {settings.local_line_url}/")]
    issued = bool(settings.line_channel_id)
    async with line_account(settings, redactor) as account:
        try:
            info = await account.info()
        except Unsure as problem:
            step = "look at the network of this machine, at LINE_API_BASE if it is set, and look again in a while"
            return [Finding("LINE", "FAIL", problem.reason, step)]
        except NotSent as problem:
            return [of_token(None, problem.reason, issued=issued)]
        found = [of_token(info, "", issued=issued), of_account(info), of_clock(info.skew)]
        return [*found, *await _way_in(account, public_url(settings)), *await _quota(account, settings)]


async def _way_in(account: LineAccount, address: str) -> list[Finding]:
    """Whether what people say arrives here."""
    expected = f"{address}/callback" if address else ""
    found: list[Finding] = []
    tested: Trial | None = None
    try:
        webhook = await account.webhook()
        found += of_webhook(webhook, expected)
        tested = await account.test_webhook() if webhook else None
        found += [of_test(tested)] if tested else []
    except NotSent as problem:
        found.append(Finding("webhook", "warn", problem.reason, "look again in a while"))
    return [*found, await _from_outside(expected, tested), *of_switches()]


async def _from_outside(callback: str, tested: Trial | None) -> Finding:
    what = "PUBLIC_URL"
    if not callback:
        step = "set it to the https:// address that leads here; `python -m bot setup` then sets the webhook"
        return Finding(what, "warn", "is not set", step)
    if not (callback.startswith("https://") or is_loopback(callback)):
        return Finding(what, "FAIL", f"{callback}: LINE delivers only to https://", "set the https:// address")
    status, said = await _page(callback)
    if status == HTTPStatus.OK and said.startswith(WEBHOOK_SENTENCE):
        return Finding(what, "ok", f"{callback} leads to the bot")
    reason = f"{callback} {f'answers {status}, and not as the bot does' if status else f'cannot be reached ({said})'}"
    if tested and tested.success:
        return Finding(what, "warn", f"{reason} from here, LINE reaches the bot all the same", "compare both addresses")
    return Finding(what, "FAIL", reason, "let it lead to the port of the bot, through a proxy or a tunnel with HTTPS")


async def _quota(account: LineAccount, settings: Settings) -> list[Finding]:
    try:
        return [of_quota(await account.pushes_left(), settings.secretary_push)]
    except NotSent as problem:
        return [Finding("pushes", "warn", problem.reason, "look again in a while")]


# ── the model, Notion ─────────────────────────────────────────────────────────────────────────────────────────────


async def _model(settings: Settings) -> list[Finding]:
    engine = engine_of(settings)
    if engine is None:
        return [Finding("model", "ok", "none is set: plain logging and asking work without")]
    try:
        await engine.complete([{"role": "user", "content": "Answer with one word: ok"}], [], may_call=False)
    except ModelUnavailable as trouble:
        step = "look at OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL"
        return [Finding("model", "FAIL", trouble.reason, step)]
    finally:
        await engine.close()
    return [Finding("model", "ok", f"{settings.openai_model} answers")]


async def _notion(settings: Settings) -> list[Finding]:
    token, source = settings.notion_token.get_secret_value(), settings.notion_data_source_id
    if not token:
        said = "is not set: records stay in the local store"
        return [Finding("Notion", "warn" if source else "ok", said, "set NOTION_TOKEN" if source else "")]
    if not source:
        return [Finding("Notion", "warn", "NOTION_DATA_SOURCE_ID is not set", "`python -m bot setup` tells it")]
    client = notion_client(settings)
    try:
        return await look(client, source, await _stands_in_the_store(settings), utc_now())
    except NotionDown as down:
        return [of_down(down)]
    finally:
        await client.close()


async def _stands_in_the_store(settings: Settings) -> Kept | None:
    """What the store says of Notion; None where there is none yet, which is told elsewhere."""
    file = sqlite_file(settings.database_url)
    if file and not await asyncio.to_thread(file.exists):
        return None
    database = Database(settings.database_url)
    try:
        await database.join()
        people = SqlPeople(database, utc_now, at_home=[PersonId(FIRST_PERSON)])
        first = [PersonId(each) for each in settings.secretary_owners] or await people.owners()
        consenting = await SqlMembers(database, utc_now).in_the_mirror(still=True)
        groups = await SqlGroups(database, utc_now).enabled()
        return await database.read(
            partial(counted, owners=[*first[:1], *consenting, *(each.household.id for each in groups)])
        )
    except DatabaseUnavailable:
        return None
    finally:
        await database.close()


async def _collections(settings: Settings) -> list[Finding]:
    client = notion_client(settings)
    try:
        opened = settings.secretary_collections
        return [await _opened(each.name, NotionCollection(client, each, utc_now).look) for each in opened]
    finally:
        await client.close()


async def _opened(name: str, look: Callable[[], Awaitable[str]]) -> Finding:
    """Whether a table that was opened for reading is as it was described."""
    what = f"search_{name}"
    try:
        title = await look()
    except NotionRefused as refused:
        return Finding(what, "FAIL", refused.reason, refused.next_step)
    except NotionDown as down:
        return Finding(what, "warn", down.reason, "look again in a while")
    return Finding(what, "ok", f'"{title}" can be searched')
