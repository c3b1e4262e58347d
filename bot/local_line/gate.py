"""Who may ask at all: this machine, by its own name, and no other web page.

Any page in a browser can send requests to a loopback address, and a foreign name can be made to point there; so the
Host must be our own, and the control side takes nothing from another origin. Must not know what is asked for.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTROL = "/local/"

_PROTECTION = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
        "connect-src 'self'; manifest-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Gate:
    """Stands before the whole application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._is_shut = False

    def shut(self) -> None:
        """From now on everything is answered with 503."""
        self._is_shut = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_PROTECTION)
            await send(message)

        problem = (503, "The local LINE is closing.") if self._is_shut else _problem(scope)
        answer = JSONResponse({"message": problem[1]}, problem[0]) if problem else self._app
        await answer(scope, receive, protected)


def _problem(scope: Scope) -> tuple[int, str] | None:
    """The status and the reason why this request is not let in."""
    headers = Headers(scope=scope)
    hosts = headers.getlist("host")
    if len(hosts) != 1 or hosts[0].lower() not in _own_hosts(scope):
        return 403, "This address is only for this machine."
    if not scope["path"].startswith(CONTROL):
        return None
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin.lower() != f"http://{hosts[0].lower()}":
        return 403, "Another page may not ask this."
    if site not in {None, "same-origin", "none"}:
        return 403, "Another page may not ask this."
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if scope["method"] not in {"GET", "HEAD"} and kind != "application/json":
        return 415, "Send JSON."
    return None


def _own_hosts(scope: Scope) -> set[str]:
    port = (scope.get("server") or ("", None))[1]
    names = ("127.0.0.1", "localhost", "[::1]")
    return {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set())  # noqa: PLR2004 - HTTP's own
