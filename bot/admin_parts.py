"""The operator's pages, built from what a bot is made of. Part of the composition root, and only there with a password.

Must hold no rule of behaviour.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, tzinfo
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from fastapi import FastAPI

from bot.admin.door import Door
from bot.admin.forms import Forms
from bot.admin.limiter import LoginLimiter
from bot.admin.pages import Pages
from bot.admin.routes import add_to, behind_the_door
from bot.admin.sessions import Sessions
from bot.admin.turns import Turns
from bot.ai_log import AiLog, read_line
from bot.ai_log_file import lines_of
from bot.application import Now
from bot.doctor import examine
from bot.edges import Onlookers, fixed_language
from bot.gate import Gate
from bot.invitations import Invitations
from bot.log_command import Line, LogDesk
from bot.mirrored import MirroredPeople
from bot.notion_health import Kept, counted
from bot.operator_ports import SessionsPort
from bot.redaction import Redactor
from bot.setting_values import as_seen
from bot.settings import Settings, public_url
from bot.sql.audit import SqlAuditTrail
from bot.sql.figures import SqlFigures
from bot.sql.operator import SqlOperator
from bot.sql.people import SqlPeople
from tools.database import Database
from tools.notion.table import HeldUp, held_up
from tools.record import PersonId

DOCTOR_SECONDS = 20.0
"""For each part: hosts give up on an answer after thirty."""

TAIL_BYTES = 2_000_000
"""Of a log file, for a list of the last turns."""

MOST_HELD_UP = 50


def add_admin(  # noqa: PLR0913, PLR0917 - each part of a bot that the pages show, named once
    web: FastAPI,
    settings: Settings,
    database: Database,
    now: Now,
    onlookers: Onlookers,
    gate: Gate,
    people: SqlPeople,
    invitations: Invitations,
    pushes_left: Callable[[], Awaitable[int | None]],
    mirrored: MirroredPeople | None,
    kept: SessionsPort,
) -> None:
    """Build the pages and their door, and put them on the web."""
    redactor, calls = onlookers.redactor, SqlAuditTrail(database)
    pages = Pages(
        figures=SqlFigures(database, now),
        now=now,
        owners=partial(_owners, settings, gate, people),
        pushes_left=pushes_left,
        notion=partial(_standing, database, mirrored) if mirrored else None,
        settings=as_seen(settings),
        examine=partial(examine, settings, redactor, patience=DOCTOR_SECONDS),
    )
    file = Path(settings.ai_log_file) if settings.ai_log_file else None
    log = partial(_log_desk, calls, file, onlookers.ai_log, redactor)
    turns = Turns(SqlOperator(database, now), log, calls, now, keeps=file is not None)
    forms = Forms(pages, turns, invitations, settings.secretary_push)
    sessions = Sessions(settings.admin_password.get_secret_value(), kept, now)
    zone = partial(_zone, settings, gate, people)
    behind, language, address = behind_the_door(forms), fixed_language(settings), public_url(settings)
    add_to(web, Door(behind, sessions, LoginLimiter(), redactor, zone, language=language, public=address))


async def _owners(settings: Settings, gate: Gate, people: SqlPeople) -> list[PersonId]:
    """Who is named, or has paired; the owner first."""
    first = await gate.owner()
    others = [PersonId(each) for each in settings.secretary_owners] or await people.owners()
    return list(dict.fromkeys([first, *others] if first else others))


async def _zone(settings: Settings, gate: Gate, people: SqlPeople) -> tzinfo:
    """The operator's calendar: the one fixed for all, else the owner's."""
    if settings.secretary_timezone:
        return ZoneInfo(settings.secretary_timezone)
    owner = await gate.owner()
    person = await people.find(owner) if owner else None
    return person.zone if person else UTC


async def _standing(database: Database, mirrored: MirroredPeople) -> tuple[Kept, list[HeldUp]]:
    """How the records of all owners stand in Notion."""
    whose = [each.id for each in await mirrored.all() if not each.withdrawn]
    return await database.read(lambda c: (counted(c, whose), held_up(c, MOST_HELD_UP)))


async def _log_desk(calls: SqlAuditTrail, file: Path | None, ai_log: AiLog, redactor: Redactor, turn: str) -> LogDesk:
    """The lines of one turn, or of the last ones: from the file if there is one, else from this process's memory."""
    in_memory = ai_log.lines

    def read() -> list[Line]:
        kept: list[Line] = []
        if file:
            kept = list(lines_of(file, about=turn, last_bytes=0 if turn else TAIL_BYTES))
        return kept or [read_line(line) for line in in_memory if turn in line]

    return LogDesk(calls, await asyncio.to_thread(read), redactor)
