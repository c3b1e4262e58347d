"""What a look at Notion shows: whose token it is, what it may do, how the table stands, and what waits to go there.

Nothing is left behind there. Must not show the token, nor what stands in a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from uuid import uuid4

from sqlalchemy import Connection

from bot.findings import Finding
from tools.database import instant
from tools.notion import file_ledger, ledger
from tools.notion import table as tables
from tools.notion.account import FREE_BLOCKS, Account, account_of
from tools.notion.address import find_data_source
from tools.notion.client import Json, NotionClient
from tools.notion.pieces import plain_text
from tools.notion.schema import Binding, bind
from tools.notion.table import Table
from tools.notion.trouble import CONNECTIONS, NotionDown, NotionRefused, NotionUnfit
from tools.record import PersonId

WRONG_CLOCK = timedelta(minutes=1)
"""From here on edits are sorted wrongly, and reminders ring at a time that nobody meant."""
SKEW = timedelta(seconds=10)
"""The Date of an answer is that of its second, and it travels."""
LONG_AGO = timedelta(hours=1)

MEND = "`python -m bot setup --mend` adds another column and leaves this one alone; or mend it in Notion"


@dataclass(frozen=True, slots=True)
class Kept:
    """What the store says: of the table, how many records wait and how many are refused, how many pages there are,
    when something was last sent and looked at, and how many files wait."""

    table: Table | None = None
    waiting: int = 0
    refused: int = 0
    pages: int = 0
    pushed_at: datetime | None = None
    facts: Mapping[str, str] | None = None
    files: int = 0


def counted(connection: Connection, owners: Sequence[PersonId]) -> Kept:
    """What the store says, of the records of those owners that go to Notion."""
    pages, refused, pushed_at = tables.standing(connection)
    return Kept(
        tables.known(connection),
        sum(ledger.waiting(connection, each) for each in owners),
        refused,
        pages,
        None if pushed_at is None else instant(pushed_at),
        ledger.facts(connection),
        file_ledger.waiting(connection),
    )


async def look(client: NotionClient, given: str, kept: Kept | None, now: datetime) -> list[Finding]:
    """Everything about Notion, in the order of what rests on what. ``given``: where the records are; ``kept`` is None
    where there is no store yet. Raises NotionDown."""
    try:
        account = account_of(await client.me())
    except NotionRefused as refused:
        return [of_token(None, refused)]
    found = [of_token(account, None), of_clock(client.date, now)]
    try:
        source = await find_data_source(client, given, known=kept.table.source if kept and kept.table else None)
    except NotionRefused as refused:
        return [*found, of_refused(account, refused)]
    if source.get("in_trash"):
        step = "restore it in Notion (Trash, at the bottom of the sidebar), or set another"
        return [*found, Finding("Notion", "FAIL", "the table is in Notion's trash", step)]
    found.append(Finding("Notion", "ok", f'"{plain_text(source["title"])}" can be read'))
    table = kept.table if kept and kept.table and kept.table.source == source["id"] else None
    binding = bind(source["properties"], table.columns, table.options) if table else bind(source["properties"])
    found += [await of_rights(client, source, account), *of_columns(binding)]
    found.append(of_limits(account, await _people(client) if account.free else None, kept.pages if kept else 0))
    return [*found, *(of_store(kept, now) if kept else [])]


def of_token(account: Account | None, refused: NotionRefused | None) -> Finding:
    """Whose token it is."""
    what = "Notion token"
    if account is None:
        reason = refused.reason if refused else "it is not taken"
        step = f"{CONNECTIONS}, your connection, Configuration: copy its token into NOTION_TOKEN (personal ones end)"
        return Finding(what, "FAIL", reason, step)
    where = f" in {account.workspace}" if account.workspace else ""
    return Finding(what, "ok", f'{account.kind} "{account.name}"{where}')


def of_clock(told: str | None, now: datetime) -> Finding:
    """The clock of this machine, by Notion's."""
    what = "Notion clock"
    try:
        theirs = parsedate_to_datetime(told or "")
    except ValueError:
        return Finding(what, "warn", "Notion did not say what time it is", "compare this machine's clock by hand")
    skew = now - theirs
    if abs(skew) <= SKEW:
        return Finding(what, "ok", "agrees with Notion's")
    ahead = f"{abs(skew).total_seconds():.0f} s {'ahead of' if skew > timedelta() else 'behind'} Notion's"
    step = "let it be set by the network: on Linux `sudo timedatectl set-ntp true`"
    return Finding(what, "FAIL" if abs(skew) > WRONG_CLOCK else "warn", ahead, step)


def of_refused(account: Account, refused: NotionRefused) -> Finding:
    """Why the table cannot be read: not shared, no right to read, or no table."""
    if isinstance(refused, NotionUnfit):
        return Finding("Notion", "FAIL", refused.reason, refused.next_step)
    if refused.status == HTTPStatus.NOT_FOUND:
        said = f'"{account.name}" is not let in to the page or table of NOTION_DATA_SOURCE_ID, or it is not there'
        step = (
            f'open it in Notion, ••• at the top right, Connections, choose "{account.name}"; if it is there already, '
            "copy the link of the table again into NOTION_DATA_SOURCE_ID"
        )
        return Finding("Notion", "FAIL", said, step)
    if refused.status == HTTPStatus.FORBIDDEN:
        return _lacking(["read"])
    return Finding("Notion", "FAIL", refused.reason, refused.next_step)


async def of_rights(client: NotionClient, source: Json, account: Account) -> Finding:
    """Whether it may read, insert and update, found by requests that Notion must refuse for what is in them: a column
    that is not there. Whoever lacks the right is refused for that instead."""
    absent = f"secretary-{uuid4().hex}"
    parent = {"type": "data_source_id", "data_source_id": source["id"]}
    page: Json = {"parent": parent, "properties": {absent: {"number": 1}}}
    column: Json = {"properties": {absent: {"name": absent}}}
    tries: dict[str, tuple[str, str, Json]] = {
        "read": ("POST", f"data_sources/{source['id']}/query", {"page_size": 1}),
        "insert": ("POST", "pages", page),
        "update": ("PATCH", f"data_sources/{source['id']}", column),
    }
    lacking = []
    for right, (method, path, body) in tries.items():
        refusal = await client.refusal(method, path, body)
        if refusal is not None and refusal.status == HTTPStatus.FORBIDDEN:
            lacking.append(right)
    if lacking:
        return _lacking(lacking)
    return Finding("Notion rights", "ok", f"{account.name} may read, insert and update content")


def _lacking(rights: Sequence[str]) -> Finding:
    listed = " and ".join(rights)
    step = f"{CONNECTIONS}, your connection, Capabilities: switch {listed} content on, save; no restart is needed"
    return Finding("Notion rights", "FAIL", f"it may not {listed} content", step)


def of_columns(binding: Binding) -> list[Finding]:
    """Each column that is not as it must be. Without it records lack it there; without some nothing goes there."""
    what = "Notion columns"
    found = []
    for each in binding.differences:
        mend = MEND if each.found else "`python -m bot setup --mend` adds it again"
        step = mend if each.found or each.removed else "`python -m bot setup` adds it"
        found.append(Finding(what, "warn" if binding.usable else "FAIL", str(each), step))
    return found or [Finding(what, "ok", "are as they should be")]


def of_limits(account: Account, people: int | None, pages: int) -> Finding:
    """What the workspace's plan leaves room for. ``people`` is None where it is not known how many are in it."""
    what = "Notion limits"
    if account.kind == "personal access token":
        return Finding(what, "ok", "none on blocks: a personal access token is exempt")
    if account.free is None:
        return Finding(what, "ok", "Notion does not say")
    if not account.free:
        return Finding(what, "ok", "none on blocks: a paid workspace")
    if people == 1:
        return Finding(what, "ok", "a free workspace of one person: none on blocks, files up to 5 MiB")
    many = f"of {people} people" if people else "(how many people are in it, Notion does not tell this connection)"
    unless = "" if people else ", if they are several,"
    said = (
        f"a free workspace {many}: connections can{unless} make {FREE_BLOCKS:,} blocks in all; {pages:,} pages are ours"
    )
    token = f"a personal access token ({CONNECTIONS})"
    step = f"use {token}, a workspace of your own, or a paid plan, before these are used up"
    return Finding(what, "warn", said, step)


async def _people(client: NotionClient) -> int | None:
    try:
        return sum(each.get("type") == "person" for each in await client.users()) or None
    except NotionRefused:
        return None


def of_store(kept: Kept, now: datetime) -> list[Finding]:
    """What was sent last, what waits, and when Notion was last looked at."""
    return [_push(kept, now), _pull(kept.facts or {}, now), *([_files(kept.files)] if kept.files else [])]


def _files(waiting: int) -> Finding:
    """They follow their records, some seconds later."""
    step = "the bot brings them while it runs; if they stay, its log says why"
    return Finding("Notion files", "ok", f"{waiting} wait ({step})")


def _push(kept: Kept, now: datetime) -> Finding:
    last = f"last sent {_ago(kept.pushed_at, now)}" if kept.pushed_at else "nothing was ever sent"
    if kept.refused:
        said = f"{last}; Notion refuses {kept.refused} of {kept.waiting} that wait"
        step = "the bot's log says why, with the number of each record; it tries again, at last once a day"
        return Finding("Notion push", "warn", said, step)
    if not kept.waiting:
        return Finding("Notion push", "ok", f"{last}, nothing waits")
    if kept.pushed_at and now - kept.pushed_at <= LONG_AGO:
        return Finding("Notion push", "ok", f"{last}, {kept.waiting} wait")
    step = "start the bot, or look at its log: they go out by themselves while it runs"
    return Finding("Notion push", "warn", f"{last}, {kept.waiting} wait", step)


def _pull(facts: Mapping[str, str], now: datetime) -> Finding:
    if "pulled_at" not in facts:
        return Finding("Notion pull", "ok", "was never looked at yet: the bot does so while it runs")
    pulled = instant(int(facts["pulled_at"]))
    said = f"last looked at {_ago(pulled, now)}" + (", and its signals come in" if "webhook" in facts else "")
    if now - pulled <= LONG_AGO:
        return Finding("Notion pull", "ok", said)
    return Finding("Notion pull", "warn", said, "start the bot, or look at its log")


def _ago(then: datetime, now: datetime) -> str:
    seconds = max(0, int((now - then).total_seconds()))
    sizes = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
    size, unit = next(each for each in sizes if seconds >= each[0] or each[0] == 1)
    count = seconds // size
    return f"{count} {unit}{'' if count == 1 else 's'} ago"


def of_down(down: NotionDown) -> Finding:
    """Notion cannot be reached now."""
    return Finding("Notion", "warn", down.reason, "nothing is lost: records follow when it is back")
