"""The side of the platform that people's hands are on: the chat page and what its buttons ask for.

The demo, the terminal chat and the tests use the same routes. Must not know LINE's paths.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from importlib.resources import files
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from bot.local_line import FIRST_PERSON, events
from bot.local_line.company_routes import CompanyRoutes
from bot.local_line.courier import Courier
from bot.local_line.exchange import Exchange
from bot.local_line.faults import Fault
from bot.local_line.ledger import Ledger
from bot.local_line.phones import CannotBeDone, Phones, picture_type
from bot.local_line.pictures import OwnPictures
from bot.local_line.screens import Screens

MAX_BODY_BYTES = 32 * 1024 * 1024

_PAGE = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/bubbles.js": ("bubbles.js", "text/javascript; charset=utf-8"),
    "/menu.js": ("menu.js", "text/javascript; charset=utf-8"),
    "/company.js": ("company.js", "text/javascript; charset=utf-8"),
    "/words.js": ("words.js", "text/javascript; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _OfPerson(_Asked):
    person: str = FIRST_PERSON


class AddPerson(_Asked):
    """A new person, or (with ``person``) another name or language for a known one."""

    name: Line
    language: Literal["zh-TW", "ja", "th", "en"]
    person: str | None = None


class Place(_Asked):
    """Where somebody is."""

    title: Line | None = None
    address: Line | None = None
    latitude: Annotated[float, Field(ge=-90, le=90)]
    longitude: Annotated[float, Field(ge=-180, le=180)]


class Paper(_Asked):
    """A file: its name as its sender has it, and its bytes as base64."""

    name: Annotated[str, StringConstraints(max_length=1_000)]
    content: str


class Say(_OfPerson):
    """Exactly one of these is said. Pictures and recordings are base64; ``images`` are sent together, and ``total``
    says how many there are, if some never arrive; ``sticker`` is a name of the page's few. ``quotes``: the id of the
    message that a text quotes."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=10_000)] | None = None
    sticker: Literal["ok", "thanks", "happy", "tired"] | None = None
    image: str | None = None
    images: Annotated[list[str], Field(min_length=1, max_length=50)] | None = None
    total: Annotated[int, Field(ge=1, le=50)] | None = None
    audio: str | None = None
    video: str | None = None
    file: Paper | None = None
    location: Place | None = None
    quotes: str | None = None


class Edit(_OfPerson):
    """Write one's own text anew."""

    message_id: str
    text: Annotated[str, StringConstraints(min_length=1, max_length=10_000)]


class Tap(_OfPerson):
    """A button of a bubble. ``label`` is only for those who read the log: what is shown is the button's own text."""

    data: str
    message_id: str | None = None
    label: str = ""
    params: dict[str, str] | None = None


class Unsend(_OfPerson):
    """Take back a message."""

    message_id: str


class Redeliver(_Asked):
    """Send an event once more."""

    event_id: str


class Misbehave(_Asked):
    """What shall go wrong; ``expire_tokens`` happens at once, ``clear`` forgets what was still to come."""

    path: str = "/v2/"
    times: Annotated[int, Field(ge=1, le=10_000)] = 1
    status: Annotated[int, Field(ge=200, le=599)] | None = None
    body: Any = None
    drop: Literal["before", "after"] | None = None
    when: Literal["before", "after"] = "before"
    delay: Annotated[float, Field(ge=0, le=600)] = 0.0
    expire_tokens: bool = False
    clear: bool = False


Answer = Callable[[Request], Awaitable[Response]]


class Control:
    """The page and its routes."""

    def __init__(
        self,
        ledger: Ledger,
        phones: Phones,
        company: CompanyRoutes,
        courier: Courier,
        screens: Screens,
        exchange: Exchange,
        pictures: OwnPictures,
    ) -> None:
        self._ledger = ledger
        self._phones = phones
        self._courier = courier
        self._screens = screens
        self._exchange = exchange
        self._company = company
        self._pictures = pictures

    def routes(self) -> list[Route]:
        gets: dict[str, Answer] = {
            "/local/people": self._people,
            "/local/history": self._history,
            "/local/stream": self._stream,
            "/local/log": self._log,
            "/local/content/{message_id}": self._content,
            "/local/picture": self._pictures.answer,
            "/favicon.ico": self._icon,
            **dict.fromkeys(_PAGE, self._page),
        }
        posts: dict[str, Answer] = {
            "/local/people": _doing(AddPerson, self._add_person),
            "/local/say": _doing(Say, self._say),
            "/local/tap": _doing(Tap, self._tap),
            "/local/edit": _doing(Edit, self._edit),
            "/local/unsend": _doing(Unsend, self._unsend),
            "/local/follow": _doing(_OfPerson, self._follow),
            "/local/block": _doing(_OfPerson, self._block),
            "/local/redeliver": _doing(Redeliver, self._redeliver),
            "/local/faults": _doing(Misbehave, self._misbehave),
        }
        return [
            *(Route(path, answer, methods=["GET"]) for path, answer in gets.items()),
            *(Route(path, answer, methods=["POST"]) for path, answer in posts.items()),
            *self._company.of_people(_doing),
        ]

    # ── looking

    async def _page(self, request: Request) -> Response:
        name, media_type = _PAGE[request.url.path]
        content = files("bot.local_line").joinpath("page", name).read_bytes()
        return Response(content, media_type=media_type)

    async def _icon(self, _request: Request) -> Response:
        return RedirectResponse("/icon.svg")

    async def _people(self, _request: Request) -> Response:
        return JSONResponse({"people": [asdict(each) for each in self._ledger.people()]})

    async def _history(self, request: Request) -> Response:
        try:
            history = self._phones.history(request.query_params.get("person", FIRST_PERSON))
            return JSONResponse(history | {"pictures": self._pictures.prefix})
        except CannotBeDone as problem:
            return JSONResponse({"message": str(problem)}, 404)

    async def _stream(self, request: Request) -> Response:
        person_id = request.query_params.get("person", FIRST_PERSON)
        if self._phones.circles.chat(person_id) is None:
            return JSONResponse({"message": "There is no such person."}, 404)
        return StreamingResponse(self._screens.watch(person_id), media_type="text/event-stream")

    async def _log(self, _request: Request) -> Response:
        return JSONResponse({"requests": list(self._exchange.log)})

    async def _content(self, request: Request) -> Response:
        found = self._ledger.content(request.path_params["message_id"])
        if found is None:
            return JSONResponse({"message": "There is no such picture."}, 404)
        return Response(found[1], media_type=found[0])

    # ── doing

    async def _add_person(self, asked: AddPerson) -> dict[str, Any]:
        return asdict(self._phones.add_person(asked.name, asked.language, asked.person))

    async def _say(self, asked: Say) -> dict[str, Any]:
        said = [name for name in _SAYABLE if getattr(asked, name) is not None]
        if len(said) != 1:
            raise CannotBeDone(f"Say exactly one of {', '.join(_SAYABLE)}.")
        if asked.images is not None:
            pictures = [_decoded(each) for each in asked.images]
            return asdict(self._phones.show(asked.person, pictures, asked.total)[-1])
        if held := _held(asked):
            content, kind, holds = held
            return asdict(self._phones.say(asked.person, content, held=(kind, holds)))
        return asdict(self._phones.say(asked.person, _content_of(asked), quotes=asked.quotes))

    async def _edit(self, asked: Edit) -> dict[str, Any]:
        return asdict(self._phones.edit(asked.person, asked.message_id, asked.text))

    async def _tap(self, asked: Tap) -> dict[str, Any]:
        return asdict(self._phones.tap(asked.person, asked.data, asked.message_id, asked.params))

    async def _unsend(self, asked: Unsend) -> dict[str, Any]:
        return asdict(self._phones.unsend(asked.person, asked.message_id))

    async def _follow(self, asked: _OfPerson) -> dict[str, Any]:
        return asdict(self._phones.follow(asked.person))

    async def _block(self, asked: _OfPerson) -> dict[str, Any]:
        return asdict(self._phones.block(asked.person))

    async def _redeliver(self, asked: Redeliver) -> dict[str, Any]:
        if not await self._courier.redeliver(asked.event_id):
            raise CannotBeDone("There is no such event.")
        return {"event_id": asked.event_id}

    async def _misbehave(self, asked: Misbehave) -> dict[str, Any]:
        if asked.clear:
            self._exchange.faults.clear()
        elif asked.expire_tokens:
            self._ledger.expire_tokens()
        else:
            self._exchange.faults.add(Fault(**asked.model_dump(exclude={"expire_tokens", "clear"})))
        return {}


_SAYABLE = ("text", "sticker", "image", "images", "audio", "video", "file", "location")


def _held(asked: Say) -> tuple[dict[str, Any], str, bytes] | None:
    """A message that holds something: its content, the media type and the bytes. Raises CannotBeDone."""
    if asked.image is not None:
        picture = _decoded(asked.image)
        return events.image_content(), picture_type(picture), picture
    if asked.audio is not None:
        return events.recording_content("audio", _MILLISECONDS), "audio/x-m4a", _decoded(asked.audio)
    if asked.video is not None:
        return events.recording_content("video", _MILLISECONDS), "video/mp4", _decoded(asked.video)
    if asked.file is not None:
        paper = _decoded(asked.file.content)
        return events.file_content(asked.file.name, len(paper)), "application/octet-stream", paper
    return None


_MILLISECONDS = 3_000
"""What every recording is said to last: how long it really does stands inside it."""


def _content_of(asked: Say) -> dict[str, Any]:
    if asked.text is not None:
        return events.text_content(asked.text)
    if asked.sticker is not None:
        return events.sticker_content(asked.sticker)
    assert asked.location is not None, "exactly one of the four is said"
    return {"type": "location", **asked.location.model_dump(exclude_none=True)}


def _decoded(image: str) -> bytes:
    try:
        return base64.b64decode(image, validate=True)
    except binascii.Error:
        raise CannotBeDone("What is to be sent is not base64.") from None


Model = TypeVar("Model", bound=_Asked)


def _doing(model: type[Model], act: Callable[[Model], Awaitable[dict[str, Any]]]) -> Answer:
    """A route that reads ``model`` from its body and carries ``act`` out: 200 with what it left, or 400 with why."""

    async def answer(request: Request) -> Response:
        try:
            asked = model.model_validate_json(await _body(request))
            return JSONResponse(await act(asked))
        except ValidationError as problem:
            wrong = problem.errors(include_url=False, include_context=False, include_input=False)
            return JSONResponse({"message": f"{'.'.join(map(str, wrong[0]['loc']))}: {wrong[0]['msg']}"}, 400)
        except CannotBeDone as problem:
            return JSONResponse({"message": str(problem)}, 400)

    return answer


async def _body(request: Request) -> bytes:
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > MAX_BODY_BYTES:
            raise CannotBeDone("That is too large.")
    return bytes(read)
