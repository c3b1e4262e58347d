"""Where the operator's pages are, and how they are put behind their door.

Must not know what is on a page, or who may see it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, Router
from starlette.types import Receive, Scope, Send

from bot.admin.door import LOGIN, LOGOUT, Door, visit_of
from bot.admin.forms import Forms
from bot.admin.frame import ROOT, Visit, room
from bot.admin.turns import told_in
from bot.inbox_command import NotPossible

Page = Callable[[Visit], Awaitable[str]]
"""Who is in, to what they see."""


def behind_the_door(forms: Forms) -> Router:
    """Every page and every button."""
    pages, turns = forms.pages, forms.turns
    looks: dict[str, Page] = {
        "/": pages.today,
        "/people": pages.people,
        "/inbox": turns.waiting,
        "/inbox/turn": turns.turn,
        "/log": turns.logged,
        "/log/turn": turns.logged_turn,
        "/calls": turns.audit,
        "/notion": pages.mirror,
        "/reminders": pages.reminders,
        "/settings": pages.seen,
        "/doctor": pages.doctor,
    }
    buttons: dict[str, Page] = {
        "/people/invite": forms.invite,
        "/people/remove": forms.remove,
        "/inbox/retry": forms.retry,
        "/inbox/drop": forms.drop,
        "/doctor": pages.examined,
    }
    routes = [Route(path, _answering(page), methods=["GET"]) for path, page in looks.items()]
    routes += [Route(path, _answering(page), methods=["POST"]) for path, page in buttons.items()]
    routes += [
        Route(path, _never, methods=[method]) for path, method in ((LOGIN, "GET"), (LOGIN, "POST"), (LOGOUT, "POST"))
    ]
    return Router(routes, redirect_slashes=False, default=_not_found)


def add_to(web: FastAPI, door: Door) -> None:
    """Put all of it under its root."""

    async def to_the_first_page(_: Request) -> Response:
        return RedirectResponse(f"{ROOT}/", HTTPStatus.SEE_OTHER)

    web.add_route(ROOT, to_the_first_page, methods=["GET"])
    web.routes.append(Mount(ROOT, app=door))


def _answering(page: Page) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        visit = visit_of(request.scope)
        try:
            return HTMLResponse(await page(visit))
        except NotPossible as problem:
            h = visit.pen
            told = await asyncio.to_thread(
                room, visit, "", h.say("That cannot be done"), told_in(h, str(problem), bad=True)
            )
            return HTMLResponse(told, HTTPStatus.CONFLICT)

    return answer


async def _never(_: Request) -> Response:
    """The door answers these itself; they stand among the routes so that all of them can be seen."""
    return PlainTextResponse("", HTTPStatus.NOT_FOUND)


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    visit = visit_of(scope)
    h = visit.pen
    answer = HTMLResponse(room(visit, "", h.say("There is no such page.")), HTTPStatus.NOT_FOUND)
    await answer(scope, receive, send)
