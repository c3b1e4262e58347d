"""What LINE answers to a call, and what that means: it is sent, it is not, or nobody knows.

Must not know what was asked, or how the answer came. https://developers.line.biz/en/reference/messaging-api/#status-codes
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from bot.ports import Busy, Refused, TokenDead, Unsure

_REASON_LIMIT: Final = 300
_SUCCESSES: Final = range(200, 300)
_REDIRECTS: Final = range(300, 400)
_SERVER_ERRORS: Final = range(500, 600)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What LINE said to one call. ``content`` is the JSON object of its body, empty if it was none."""

    status: int
    content: Mapping[str, Any]

    @property
    def ok(self) -> bool:
        return self.status in _SUCCESSES

    @property
    def message(self) -> str:
        """LINE's own sentence and which part of the request it is about, on one line."""
        details = [one for one in _listed(self.content.get("details")) if isinstance(one, dict)]
        about = [f"{one.get('property')}: {one.get('message')}" for one in details]
        said = "; ".join([str(self.content.get("message") or "no reason given"), *about])
        return " ".join(said.split())[:_REASON_LIMIT]

    @property
    def sent(self) -> list[str]:
        """The ids of the messages, as far as they can be read: what was sent stays sent without them."""
        ids = [one.get("id") for one in _listed(self.content.get("sentMessages")) if isinstance(one, dict)]
        return [str(one) for one in ids if isinstance(one, str | int) and one]


def is_misformed(answer: Answer) -> bool:
    """Whether it was refused for its form: the token or the key is not used by that."""
    too_large = answer.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return too_large or (answer.status == HTTPStatus.BAD_REQUEST and not _token_is_dead(answer))


def _token_is_dead(answer: Answer) -> bool:
    return answer.status == HTTPStatus.BAD_REQUEST and "invalid reply token" in answer.message.casefold()


def month_is_spent(answer: Answer) -> bool:
    """https://developers.line.biz/en/reference/messaging-api/#send-push-message ."""
    return answer.status == HTTPStatus.TOO_MANY_REQUESTS and "monthly limit" in answer.message.casefold()


def outcome(answer: Answer) -> list[str]:
    """https://developers.line.biz/en/reference/messaging-api/#status-codes ."""
    if answer.ok:
        return answer.sent
    if _token_is_dead(answer):
        raise TokenDead(answer.message)
    if answer.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        raise Refused(f"token refused ({answer.status}): {answer.message}")
    if month_is_spent(answer):
        raise Refused("quota")
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
        raise Busy(f"LINE answered {answer.status}: {answer.message}")
    if answer.status == HTTPStatus.REQUEST_TIMEOUT or answer.status in _SERVER_ERRORS:
        raise Unsure(f"LINE answered {answer.status}: {answer.message}")
    if answer.status in _REDIRECTS:
        raise Refused(f"redirected ({answer.status}): is LINE_API_BASE right?")
    raise Refused(f"LINE answered {answer.status}: {answer.message}")


def refusal(name: str, no: Any) -> Answer:
    """An answer that is no success, logged with the id by which LINE can be asked about it."""
    answer = Answer(no.status, content_of(no.body))
    request_id = (no.headers or {}).get("x-line-request-id", "none")
    log.warning("LINE %s: %s %s (x-line-request-id %s)", name, answer.status, answer.message, request_id)
    return answer


def content_of(body: bytes | str | None) -> Mapping[str, Any]:
    """The JSON object of a body; empty if it is none."""
    try:
        content = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
