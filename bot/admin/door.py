"""The door: the one place that decides who reaches the operator's pages, and under which rules.

Whatever is asked for, it is refused unless a session comes with it; what changes something needs the session's own
token and an origin that is ours besides. Only the login stands in front. Nothing that a visitor says of where they come
from, or of the way they came, is believed. Must not know what is behind it.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, tzinfo
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.admin.frame import ROOT, Visit, looks_hash, page
from bot.admin.limiter import LoginLimiter
from bot.admin.pen import Pen
from bot.admin.sessions import LONGEST, Session, Sessions, new_id
from bot.redaction import Redactor
from bot.web_body import TooLarge, announced, read_body
from tools.record import StoreUnavailable

LOGIN: Final = "/login"
LOGOUT: Final = "/logout"

MOST_BODY, BODY_SECONDS, MOST_FIELDS, LONGEST_QUERY = 16_384, 5.0, 20, 2_000

COOKIE, SECURE_COOKIE, KNOCK = "secretary", "__Host-secretary", "secretary-login"
"""Of a session, the same where the browser came by https, and what binds the login's form to one browser. A browser
takes the second only from the whole of this host: https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1 ."""

PROTECTION: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",  # "no-referrer" would take the origin off our own forms too
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Door:
    """Stands before the pages. ``public`` is the address that people reach the bot at, as far as it is known."""

    def __init__(
        self,
        behind: Router,
        sessions: Sessions,
        limiter: LoginLimiter,
        redactor: Redactor,
        zone: Callable[[], Awaitable[tzinfo]],
        *,
        language: str | None = None,
        public: str = "",
    ) -> None:
        self._behind = behind
        self._sessions = sessions
        self._limiter = limiter
        self._redactor = redactor
        self._zone = zone
        self._language = language
        self._public = urlsplit(public)
        self._protection = PROTECTION | {
            "Content-Security-Policy": (
                f"default-src 'none'; style-src 'sha256-{looks_hash()}'; form-action 'self'; frame-ancestors 'none'; "
                "base-uri 'none'"
            )
        }

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """What is behind, for whoever looks through all routes."""
        return self._behind.routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._protection)
            await send(message)

        if scope["type"] != "http":
            return
        try:
            answer = await self._admitted(Request(scope, receive))
            await answer(scope, receive, protected)
        except StoreUnavailable as trouble:
            told = f"The store cannot be reached now: {trouble}"
            answer = PlainTextResponse(self._redactor.without_secrets(told), HTTPStatus.SERVICE_UNAVAILABLE)
            await answer(scope, receive, protected)

    async def _admitted(self, request: Request) -> ASGIApp:
        """What answers this request: the pages for who is in, the door itself for everybody else."""
        if refusal := self._objection(request):
            return refusal
        form: Mapping[str, str] = {}
        if request.method == "POST":
            found = await _form_of(request)
            if isinstance(found, Response):
                return found
            form = found
        path = request.scope["path"].removeprefix(ROOT)
        if path == LOGIN:
            return await self._login(request, form)
        session = await self._session_of(request)
        if session is None:
            return await self._asked_to_log_in(request, HTTPStatus.UNAUTHORIZED)
        if request.method == "POST" and not _same(form.get("token", ""), session.token):
            return _refused("This form is too old: go back, load the page anew, and try once more.")
        if path == LOGOUT and request.method == "POST":
            return await self._logout(session)
        query = _storable(request.query_params.multi_items())
        request.scope["visit"] = Visit(query, form, session.token, self._pen(request, await self._zone()))
        return self._behind

    # ── what nobody may ──────────────────────────────────────────────────────────────────────────────────────────

    def _objection(self, request: Request) -> Response | None:
        if request.method not in {"GET", "HEAD", "POST"}:
            return PlainTextResponse("Only GET, HEAD and POST.", HTTPStatus.METHOD_NOT_ALLOWED)
        if len(request.url.query) > LONGEST_QUERY:
            return PlainTextResponse("The address is too long.", HTTPStatus.REQUEST_URI_TOO_LONG)
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return PlainTextResponse(
                "The operator's pages are not for this name: set PUBLIC_URL to the address you use.",
                HTTPStatus.MISDIRECTED_REQUEST,
            )
        if request.method == "POST" and not self._comes_from_us(request, hosts[0]):
            return _refused("Another page may not ask this.")
        return None

    def _is_ours(self, host: str) -> bool:
        """A foreign name that leads here would be another's page in the visitor's browser."""
        try:
            parts = urlsplit(f"//{host}")
            name = parts.hostname or ""
            _ = parts.port
        except ValueError:  # a port that is none, or half an address
            return False
        public = self._public.hostname
        return bool(name) and (not public or name in {public, "localhost"} or _is_a_number(name))

    def _comes_from_us(self, request: Request, host: str) -> bool:
        """The browser says which page a form was on. https://fetch.spec.whatwg.org/#origin-header ."""
        origins = request.headers.getlist("origin")
        if len(origins) != 1 or request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return False
        ours = {f"http://{host}", f"https://{host}"}
        if self._public.hostname:
            ours.add(f"{self._public.scheme}://{self._public.netloc}")
        return origins[0].lower() in {each.lower() for each in ours}

    # ── the login ────────────────────────────────────────────────────────────────────────────────────────────────

    async def _login(self, request: Request, form: Mapping[str, str]) -> Response:
        if request.method != "POST":
            return await self._asked_to_log_in(request, HTTPStatus.OK)
        knock = request.cookies.get(KNOCK, "")
        if not (knock and _same(form.get("token", ""), await self._sessions.mark("login", knock))):
            return await self._asked_to_log_in(request, HTTPStatus.FORBIDDEN, "The form was too old: try once more.")
        address = request.client.host if request.client else ""
        if waits := self._limiter.wait(address):
            answer = await self._asked_to_log_in(
                request, HTTPStatus.TOO_MANY_REQUESTS, "Too many tries: wait a minute, then try once more."
            )
            answer.headers["Retry-After"] = str(int(waits) + 1)
            return answer
        if not self._sessions.knows(form.get("password", "")):
            return await self._asked_to_log_in(request, HTTPStatus.UNAUTHORIZED, "That is not the password.")
        self._limiter.was_right(address)
        return self._let_in(request, await self._sessions.begin(), form.get("to", ""))

    def _let_in(self, request: Request, cookie: str, to: str) -> Response:
        answer = RedirectResponse(_safe(to), HTTPStatus.SEE_OTHER)
        secure = request.headers["origin"].lower().startswith("https:")  # as the browser sees it, whatever is between
        seconds = int(LONGEST.total_seconds())
        name = SECURE_COOKIE if secure else COOKIE
        answer.set_cookie(name, cookie, seconds, path="/", secure=secure, httponly=True, samesite="strict")
        answer.delete_cookie(KNOCK, path=ROOT, httponly=True, samesite="strict")
        return answer

    async def _asked_to_log_in(self, request: Request, status: int, told: str = "") -> Response:
        """The login page; it says nothing of what is behind."""
        h, knock = self._pen(request), new_id()
        to = request.scope["path"] + (f"?{request.url.query}" if request.url.query else "")
        seal = await self._sessions.mark("login", knock)
        how = {"type": "password", "name": "password", "autocomplete": "current-password"}
        field = h("input", autofocus=True, required=True, **how)
        form = h(
            "form",
            h("input", type="hidden", name="token", value=seal),
            h("input", type="hidden", name="to", value="" if request.method == "POST" else _safe(to)),
            h("label", h.say("Password"), field),
            h("button", h.say("Log in")),
            method="post",
            action=f"{ROOT}{LOGIN}",
        )  # fmt: skip
        note = h("p", h.say(told), class_="told bad", role="alert") if told else None
        answer = HTMLResponse(page(h, h.say("Log in"), note, form), status)
        answer.set_cookie(KNOCK, knock, 3600, path=ROOT, httponly=True, samesite="strict")
        return answer

    async def _logout(self, session: Session) -> Response:
        await self._sessions.end(session)
        answer = RedirectResponse(f"{ROOT}{LOGIN}", HTTPStatus.SEE_OTHER)
        for name in (COOKIE, SECURE_COOKIE):
            answer.delete_cookie(name, path="/", secure=name == SECURE_COOKIE, httponly=True, samesite="strict")
        return answer

    async def _session_of(self, request: Request) -> Session | None:
        for name in (SECURE_COOKIE, COOKIE):
            cookie = request.cookies.get(name)
            if cookie and (session := await self._sessions.of(cookie)):
                return session
        return None

    def _pen(self, request: Request, zone: tzinfo = UTC) -> Pen:
        return Pen(self._redactor.without_keys, _language(request, self._language), zone)


async def _form_of(request: Request) -> dict[str, str] | Response:
    """The fields of a form; or why it is not read."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        return PlainTextResponse("Only forms are taken.", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
    if announced(request, MOST_BODY) > MOST_BODY:
        return TooLarge()
    body = await read_body(request, MOST_BODY, BODY_SECONDS)
    if isinstance(body, Response):
        return body
    try:
        return _storable(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        return PlainTextResponse("The form cannot be read.", HTTPStatus.BAD_REQUEST)


def _storable(fields: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What a store can be asked for: one of them takes no NUL."""
    return {name: value.replace("\0", "") for name, value in fields}


def _refused(why: str) -> Response:
    return PlainTextResponse(why, HTTPStatus.FORBIDDEN)


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _safe(to: str) -> str:
    """Where somebody goes who is let in: a page of ours, and nowhere else."""
    path = (
        urlsplit(to).path if to.startswith(f"{ROOT}/") and "\\" not in to and to.isascii() and to.isprintable() else ""
    )
    known = path and "//" not in path and ".." not in path and path not in {f"{ROOT}{LOGIN}", f"{ROOT}{LOGOUT}"}
    return to if known else f"{ROOT}/"


def _is_a_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _language(request: Request, fixed: str | None) -> str:
    """The one that the operator fixed for everybody, if it is here; else the visitor's."""
    if fixed in {"zh-TW", "en"}:
        return fixed
    for each in request.headers.get("accept-language", "")[:200].split(","):
        tag = each.split(";")[0].strip().lower()
        if tag.startswith(("zh", "en")):
            return "zh-TW" if tag.startswith("zh") else "en"
    return "en"


def visit_of(scope: Mapping[str, Any]) -> Visit:
    """Who is asking, as the door found out."""
    visit: Visit = scope["visit"]
    return visit
