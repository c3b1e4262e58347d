"""Groups over HTTP: LINE's own paths for a bot, and the control routes of the page and the tests.

Reference: https://developers.line.biz/en/reference/messaging-api/#group . Must not know what an event looks like.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.local_line.circles import Circle, Circles
from bot.local_line.company import Company, Said
from bot.local_line.exchange import Exchange, Handler, Refused
from bot.local_line.ledger import Ledger

Doing = Callable[[Any, Callable[[Any], Awaitable[dict[str, Any]]]], Callable[[Request], Awaitable[Response]]]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MakeGroup(_Asked):
    """A group of people with the bot in it."""

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
    people: Annotated[list[str], Field(min_length=1, max_length=100)]
    room: bool = False


class OfGroup(_Asked):
    """A group, and mostly who does something there."""

    group: str
    person: str = ""


class SayInGroup(OfGroup):
    """Something is said there."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=10_000)]
    mention: Literal["bot", "all"] | None = None
    quote: str | None = None
    anonymous: bool = False


class TapInGroup(OfGroup):
    """A button of a bubble there."""

    data: str
    params: dict[str, str] | None = None
    anonymous: bool = False


class UnsendInGroup(OfGroup):
    """Take back one's own message there."""

    message_id: str


class EditInGroup(UnsendInGroup):
    """Write it anew."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=10_000)]


class CompanyRoutes:
    """What a bot asks about groups, and what people do in them."""

    def __init__(self, ledger: Ledger, circles: Circles, company: Company) -> None:
        self._ledger = ledger
        self._circles = circles
        self._company = company

    # ── LINE's own paths

    def of_line(self, exchange: Exchange) -> list[Route]:
        table: list[tuple[str, str, Handler]] = [
            ("GET", "/v2/bot/group/{circle}/summary", self._summary),
            ("GET", "/v2/bot/group/{circle}/members/count", self._count),
            ("GET", "/v2/bot/group/{circle}/member/{person}", self._member),
            ("GET", "/v2/bot/room/{circle}/members/count", self._count),
            ("GET", "/v2/bot/room/{circle}/member/{person}", self._member),
            ("POST", "/v2/bot/group/{circle}/leave", self._leave),
            ("POST", "/v2/bot/room/{circle}/leave", self._leave),
        ]
        return [Route(path, exchange.answered(handler), methods=[method]) for method, path, handler in table]

    def _asked_about(self, request: Request) -> Circle:
        """A bot is told nothing of groups that it is not in. Raises Refused."""
        circle = self._circles.find(request.path_params["circle"])
        sort = "R" if "/room/" in request.url.path else "C"
        if circle is None or not circle.bot or not circle.id.startswith(sort):
            raise Refused(404, "Not found")
        return circle

    async def _summary(self, request: Request, _body: bytes) -> Response:
        circle = self._asked_about(request)
        return JSONResponse({"groupId": circle.id, "groupName": circle.name})

    async def _count(self, request: Request, _body: bytes) -> Response:
        return JSONResponse({"count": len(self._asked_about(request).people)})

    async def _member(self, request: Request, _body: bytes) -> Response:
        circle = self._asked_about(request)
        person = self._ledger.person(request.path_params["person"])
        if person is None or person.id not in circle.people:
            raise Refused(404, "Not found")
        return JSONResponse({"userId": person.id, "displayName": person.name})

    async def _leave(self, request: Request, _body: bytes) -> Response:
        """No event tells of it: the bot knows."""
        circle = self._asked_about(request)
        self._company.leave(circle.id)
        return JSONResponse({})

    # ── the people's side

    def of_people(self, doing: Doing) -> list[Route]:
        posts = {
            "/local/groups": doing(MakeGroup, self._make),
            "/local/groups/say": doing(SayInGroup, self._say),
            "/local/groups/tap": doing(TapInGroup, self._tap),
            "/local/groups/edit": doing(EditInGroup, self._edit),
            "/local/groups/unsend": doing(UnsendInGroup, self._unsend),
            "/local/groups/come": doing(OfGroup, self._come),
            "/local/groups/go": doing(OfGroup, self._go),
            "/local/groups/take_along": doing(OfGroup, self._take_along),
            "/local/groups/put_out": doing(OfGroup, self._put_out),
        }
        return [
            Route("/local/groups", self._all, methods=["GET"]),
            *(Route(path, answer, methods=["POST"]) for path, answer in posts.items()),
        ]

    async def _all(self, _request: Request) -> Response:
        return JSONResponse({"groups": [asdict(each) for each in self._circles.all()]})

    async def _make(self, asked: MakeGroup) -> dict[str, Any]:
        return asdict(self._company.make(asked.name, asked.people, room=asked.room))

    async def _say(self, asked: SayInGroup) -> dict[str, Any]:
        said = Said(asked.text, asked.mention, asked.quote, asked.anonymous)
        return asdict(self._company.say(asked.group, asked.person, said))

    async def _tap(self, asked: TapInGroup) -> dict[str, Any]:
        return asdict(self._company.tap(asked.group, asked.person, asked.data, asked.params, anonymous=asked.anonymous))

    async def _edit(self, asked: EditInGroup) -> dict[str, Any]:
        return asdict(self._company.edit(asked.group, asked.person, asked.message_id, asked.text))

    async def _unsend(self, asked: UnsendInGroup) -> dict[str, Any]:
        return asdict(self._company.unsend(asked.group, asked.person, asked.message_id))

    async def _come(self, asked: OfGroup) -> dict[str, Any]:
        done = self._company.come(asked.group, asked.person)
        return asdict(done) if done else {}

    async def _go(self, asked: OfGroup) -> dict[str, Any]:
        done = self._company.go(asked.group, asked.person)
        return asdict(done) if done else {}

    async def _take_along(self, asked: OfGroup) -> dict[str, Any]:
        return asdict(self._company.take_along(asked.group))

    async def _put_out(self, asked: OfGroup) -> dict[str, Any]:
        return asdict(self._company.put_out(asked.group))
