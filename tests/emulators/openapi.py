"""LINE's own OpenAPI description as a judge of what we send. Knows nothing of the bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

import yaml
from openapi_core import Config, OpenAPI
from openapi_core.exceptions import OpenAPIError
from openapi_core.testing import MockRequest

Judge = Callable[[str, str, Mapping[str, str], bytes], list[str]]
"""(method, path, headers, body) -> what is wrong with the request; empty if nothing is."""


def line_judge(shared: Path) -> Judge:
    """Judge requests to LINE's Messaging API, on whichever of its two hosts the path belongs to, and for its tokens.

    The description states no lengths of texts: those must be checked beside it.
    """
    described = shared / "specs" / "line"
    messaging, tokens = (_described(described / name) for name in ("messaging-api.yml", "channel-access-token.yml"))

    def judge(method: str, path: str, headers: Mapping[str, str], body: bytes) -> list[str]:
        kind = {name.lower(): value for name, value in headers.items()}.get("content-type", "")
        requests = [
            MockRequest(
                host, method.lower(), path, headers=dict(headers), data=body or None, content_type=kind.split(";")[0]
            )
            for host in ("https://api.line.me", "https://api-data.line.me")
        ]
        api = tokens if path.startswith("/oauth2/") else messaging
        found = [_problems(api, request) for request in requests]
        return min(found, key=len)

    return judge


def _problems(api: OpenAPI, request: MockRequest) -> list[str]:
    try:
        errors = list(api.iter_request_errors(request))
    except OpenAPIError as error:
        errors = [error]
    return [_sentence(error) for error in errors]


def _sentence(error: Exception) -> str:
    causes = [str(cause).split("\n")[0][:300] for cause in getattr(error.__cause__, "schema_errors", ())]
    return "; ".join([type(error).__name__, *(causes or [str(error)])])


@lru_cache(maxsize=2)
def _described(path: Path) -> OpenAPI:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return OpenAPI.from_dict(yaml.load(path.read_text("utf-8"), loader), config=Config(spec_validator_cls=None))
