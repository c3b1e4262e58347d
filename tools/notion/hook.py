"""Notion's webhook: who may signal, and what a signal says. A signal is never more than a reason to look.

https://developers.notion.com/reference/webhooks. Must not know HTTP, or what is looked at.
"""

from __future__ import annotations

import hmac
import json
import logging
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from tools.database import Database
from tools.notion import ledger

LONGEST_TOKEN: Final = 200
REMEMBERED: Final = 1_000
"""Signals whose ids are known: Notion sends one again if its answer was lost."""

_log = logging.getLogger(__name__)

Offer = Literal["taken", "known", "refused"]
"""The token is ours from now on; it has been; another one is."""


class SignalledPort(Protocol):
    """Who looks."""

    def signal(self, page_ids: tuple[str, ...] = (), *, moved: bool = False) -> None:
        """Something happened there, perhaps to these pages; ``moved``: to the table itself."""


@dataclass(slots=True)
class Hook:
    """The webhook of one table. ``given`` is the operator's token, which wins; else the first that is offered is kept,
    and none takes its place until the operator says so."""

    database: Database
    mirror: SignalledPort
    given: str = ""
    told_of_refusal: bool = False
    seen: OrderedDict[str, None] = field(default_factory=OrderedDict)

    async def offer(self, token: str) -> Offer:
        """Notion shows its token once, unsigned, to whoever answers at the address: nothing proves that it is Notion.
        So the operator compares: the log shows it once, and pasting it into Notion makes it count there."""
        kept = self.given or (await self._facts()).get("webhook")
        if kept is None and await self.database.write(lambda c: ledger.keep(c, "webhook", token)):
            _log.warning(
                "Notion's webhook: paste this verification token into Notion, where you made the subscription (it is "
                "shown this once): %s",
                token,
            )
            return "taken"
        kept = kept or (await self._facts())["webhook"]
        if hmac.compare_digest(kept.encode(), token.encode()):
            return "known"
        if not self.told_of_refusal:
            _log.warning(
                "somebody offers another verification token for Notion's webhook, it is not taken; if you made a new "
                "subscription, run `python -m bot setup --new-webhook` and let Notion send it again"
            )
        self.told_of_refusal = True
        return "refused"

    async def is_signed(self, body: bytes, signature: str) -> bool | None:
        """Whether Notion signed these bytes; None if there is no token yet. Takes the same time for each wrong one."""
        token = self.given or (await self._facts()).get("webhook")
        if token is None:
            return None
        right = f"sha256={hmac.digest(token.encode(), body, 'sha256').hex()}"
        return hmac.compare_digest(right.encode(), signature.encode("utf-8", "surrogatepass"))

    async def hear(self, event: Mapping[str, Any]) -> bool:
        """Heed a signal; whether it was news. Of one that was lost, or came in another order, the next look knows."""
        id_ = str(event.get("id"))
        if id_ in self.seen:
            return False
        self.seen[id_] = None
        if len(self.seen) > REMEMBERED:
            self.seen.popitem(last=False)
        facts = await self._facts()
        authors = [each.get("id") for each in event.get("authors") or () if isinstance(each, dict)]
        if authors and set(authors) == {facts.get("bot")}:
            return False
        return self._heed(event, facts.get("data_source"))

    def _heed(self, event: Mapping[str, Any], ours: str | None) -> bool:
        kind, entity, about = str(event.get("type")), event.get("entity") or {}, event.get("data") or {}
        parent = about.get("parent") or {}
        home = parent.get("data_source_id") or (parent.get("id") if parent.get("type") == "data_source" else None)
        if kind.startswith("page.") and entity.get("type", "page") == "page":
            if home is not None and home != ours and kind != "page.moved":
                return False
            self.mirror.signal((str(entity.get("id")),))
            return True
        if kind.startswith(("data_source.", "database.")):
            self.mirror.signal(moved=True)
            return True
        return False

    async def _facts(self) -> Mapping[str, str]:
        return await self.database.read(ledger.facts)


def read_event(body: bytes) -> dict[str, Any] | None:
    """The JSON object in a body; None if it is none."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def token_in(event: Mapping[str, Any]) -> str | None:
    """The verification token of a handshake; None if it is none."""
    token = event.get("verification_token")
    fits = isinstance(token, str) and 0 < len(token) <= LONGEST_TOKEN and token.isascii() and token.isprintable()
    return str(token) if fits and "type" not in event and " " not in str(token) else None
