"""The edges of a bot, built from its settings: LINE, the model's endpoint, Notion, the bell, and who looks on.

Part of the composition root, for those who need an edge without the whole bot: the operator's commands. Must hold no
rule of behaviour.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bot.ai_log import AiLog
from bot.ai_log_file import AiLogFile
from bot.application import Now
from bot.engines.openai_chat import ANSWER_TIMEOUT, OpenAIChat
from bot.engines.openai_transcription import OpenAITranscription
from bot.fault_points import (
    At,
    WatchedNotion,
)
from bot.hosting import platform
from bot.lanes import MANY, Lanes
from bot.line.account import LineAccount
from bot.line.channel import LineChannel
from bot.line.last_look import LastLook
from bot.line.tokens import AccessTokens, GivenToken, IssuedTokens
from bot.local_line import FIRST_PERSON
from bot.pictures import Gallery
from bot.ports import LaneId
from bot.redaction import Redactor
from bot.settings import ENVIRONMENT, Settings, public_url
from bot.sql.audit import SqlAudit
from bot.sql.endpoints import SqlEndpoints
from bot.thinking.tool_loop import ToolEvent
from tools.collections import OpenCollection
from tools.database import Database, sqlite_file
from tools.database.trouble import DatabaseUnavailable
from tools.notion.client import NotionClient
from tools.notion.collection import NotionCollection, Patience
from tools.notion.rebuild import Rebuild
from tools.notion.show import Show
from tools.record import Language, PersonId

if TYPE_CHECKING:  # only who needs them pays for their import
    from bot.local_line.platform import LocalLine
    from bot.procrastinate_bell import ProcrastinateBell

OPENAI = "https://api.openai.com/v1"

Wake = Callable[[LaneId], None]


def utc_now() -> datetime:
    """The clock of production."""
    return datetime.now(UTC)


async def open_beside(database: Database) -> None:
    """Open the store beside a bot that works on it; made where there is none yet."""
    try:
        await database.join()
    except DatabaseUnavailable:
        await database.start()


def notion_client(settings: Settings, at: At | None = None) -> NotionClient:
    """Notion, as the operator's token sees it."""
    token, address = settings.notion_token.get_secret_value(), settings.notion_base_url or None
    return WatchedNotion(token, address, at) if at else NotionClient(token, address)


def collections_of(settings: Settings, client: NotionClient, now: Now) -> tuple[OpenCollection, ...]:
    """What was opened for reading, with where it is searched."""
    opened = settings.secretary_collections
    patience = Patience()
    return tuple(OpenCollection(each, NotionCollection(client, each, now, patience=patience)) for each in opened)


def rebuild_of(
    settings: Settings, database: Database, client: NotionClient, mask: Redactor, now: Now, process: str
) -> Rebuild:
    """What brings records back from Notion."""
    zone = ZoneInfo(settings.secretary_timezone) if settings.secretary_timezone else None
    show = Show(language=settings.secretary_language, zone=zone, redact=mask.without_secrets)
    named = [*settings.secretary_owners, *([] if settings.line_is_on else [FIRST_PERSON])]
    owner = PersonId(named[0]) if named else None
    place = settings.notion_data_source_id
    return Rebuild(database, client, place, now=now, show=show, owner=owner, process=process)


def line_address(settings: Settings) -> str | None:
    """The host of every call to LINE; None for LINE's own."""
    return (settings.line_api_base or None) if settings.line_is_on else settings.local_line_url


def local_line_of(settings: Settings, now: Now) -> LocalLine:
    """The local LINE, with its ledger beside the store."""
    from bot.local_line.platform import LocalLine

    file = sqlite_file(settings.database_url)
    store = file.with_name(f"{file.stem}-local-line.db") if file else Path("local-line.db")
    webhook_url = f"http://127.0.0.1:{settings.port}/callback"
    return LocalLine(store, webhook_url=webhook_url, now=now, public_url=public_url(settings) or "")


def line_channel(settings: Settings, tokens: AccessTokens, redactor: Redactor, now: Now) -> LineChannel:
    """What speaks to people."""
    look = LastLook(redactor.veiled, fixed_language(settings))
    return LineChannel(line_address(settings), tokens, look=look, now=now)


def line_account(settings: Settings, redactor: Redactor) -> LineAccount:
    """LINE, as the operator's commands see it."""
    return LineAccount(settings.line_api_base or None, line_tokens(settings, redactor))


def line_tokens(settings: Settings, redactor: Redactor) -> AccessTokens:
    """Where calls to LINE take their token from: issued for the channel's id if that is set, else the given one."""
    if not settings.line_channel_id:
        return GivenToken(settings.line_channel_access_token.get_secret_value())
    secrets = [each.get_secret_value() for each in settings.line_channel_secret]
    return IssuedTokens(settings.line_api_base or None, settings.line_channel_id, secrets, masks=redactor.learn)


def engine_of(
    settings: Settings,
    endpoints: SqlEndpoints | None = None,
    ai_log: AiLog | None = None,
    gallery: Gallery | None = None,
) -> OpenAIChat | None:
    """The model's endpoint, if there is one, with what was learned about it, who is told of each attempt, and where
    the pictures of a request are."""
    if not settings.model_is_on:
        return None
    return OpenAIChat(
        settings.openai_base_url or OPENAI,
        settings.openai_api_key.get_secret_value(),
        settings.openai_model,
        timeout=min(ANSWER_TIMEOUT, settings.turn_seconds),
        stream=settings.openai_stream,
        endpoints=endpoints,
        pictures=(gallery or Gallery()).address,
        observe=ai_log.attempt if ai_log else lambda _: None,
    )


def transcription_of(
    settings: Settings, endpoints: SqlEndpoints, ai_log: AiLog, now: Now
) -> OpenAITranscription | None:
    """Who writes down voice messages, if a model is there at all."""
    if not settings.model_is_on:
        return None
    key, model = settings.openai_api_key.get_secret_value(), settings.openai_transcribe_model
    address = settings.openai_base_url or OPENAI
    return OpenAITranscription(address, key, model, endpoints=endpoints, now=now, observe=ai_log.attempt)


def bell_of(settings: Settings, lanes: Lanes) -> tuple[ProcrastinateBell | None, Wake]:
    """What wakes a lane: between processes the bell, alone the lane itself."""
    if not settings.many_processes:
        return None, lanes.wake
    try:
        from bot.procrastinate_bell import ProcrastinateBell
    except ImportError as missing:
        told = f"PostgreSQL needs what is not installed here ({missing}): install the `postgres` extra"
        raise DatabaseUnavailable(told) from missing
    bell = ProcrastinateBell(settings.database_url, lanes.work, many=MANY)
    return bell, bell.ring


def fixed_language(settings: Settings) -> Language | None:
    """The one language that the operator chose for everybody, or None."""
    return None if settings.secretary_language == "auto" else settings.secretary_language


def home_of(settings: Settings) -> str:
    """What a browser gets at the front door: where the chat page is, or a sentence."""
    if not settings.line_is_on:
        if platform(ENVIRONMENT):
            missing = "LINE_CHANNEL_SECRET, and LINE_CHANNEL_ID or LINE_CHANNEL_ACCESS_TOKEN"
            return f"The secretary runs. Still to be set: {missing}."
        return f"{settings.local_line_url}/"
    return f"The secretary runs. LINE posts to {public_url(settings) or 'this address'}/callback."


class Onlookers:
    """Who is told of every call of a tool and of every attempt, and what they must not see."""

    def __init__(self, settings: Settings, now: Now, local_line: LocalLine | None, redactor: Redactor) -> None:
        self.now = now
        self.redactor = redactor
        self.file = AiLogFile(Path(settings.ai_log_file)) if settings.ai_log_file else None
        self.ai_log = AiLog(self.redactor, now, self.file.keep) if self.file else AiLog(self.redactor, now)
        self.audit = SqlAudit(now, self.redactor.without_keys)
        self._local_line = local_line

    def saw(self, event: ToolEvent) -> None:
        """The chat page shows the tool at work; LINE itself has no place for that."""
        self.ai_log.call(event)
        self.audit.note(event)
        if self._local_line:
            self._local_line.note(event.chat, {"tool": event.tool, "state": event.state})
