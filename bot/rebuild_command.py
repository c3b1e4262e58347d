"""The operator's way to bring records back from Notion: into an empty store, or what one that is there lacks.

Part of the composition root, for one command. Must not know how a record comes back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from bot.edges import notion_client, open_beside, rebuild_of
from bot.inbox_command import NotPossible
from bot.redaction import Redactor
from bot.settings import Settings
from bot.sql.claims import name_of_this_process
from tools.database import Database
from tools.notion.rebuild import Busy, Rebuild
from tools.notion.rebuilding import OTHERS_REST, Teller, summary
from tools.notion.trouble import NotionDown, NotionRefused


async def rebuild(settings: Settings, say: Callable[[str], None]) -> list[str]:
    """Bring back what is not here, beside a running bot or without one; what came of it, line by line. ``say`` hears
    how far it has come. Raises NotPossible, DatabaseUnavailable."""
    if not settings.notion_is_on:
        raise NotPossible("Notion is not set: NOTION_TOKEN and NOTION_DATA_SOURCE_ID say where the records are.")
    mask = Redactor(settings.secrets)
    database, client = Database(settings.database_url), notion_client(settings)
    try:
        await open_beside(database)
        work = rebuild_of(settings, database, client, mask, lambda: datetime.now(UTC), name_of_this_process())
        return await _run(work, say)
    except NotionRefused as refused:
        raise NotPossible(f"{refused.reason}. {refused.next_step}") from None
    except NotionDown as down:
        raise NotPossible(f"{down.reason}: what is back is kept, run it again to go on.") from None
    finally:
        await client.close()
        await database.close()


async def _run(work: Rebuild, say: Callable[[str], None]) -> list[str]:
    told = Teller(say)
    while True:
        try:
            return summary(await work.run(anew=True, told=told))
        except Busy:
            say("A bot is at it already; waiting for it.")
            await asyncio.sleep(10 * OTHERS_REST)
