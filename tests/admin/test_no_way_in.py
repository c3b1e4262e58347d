"""Every route of the operator's pages, under every bad state of a session and of a form: none of them is reached."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest
from starlette.routing import BaseRoute, Mount, Route

from bot.admin.door import COOKIE, LOGIN, SECURE_COOKIE
from bot.admin.sessions import IDLE, LONGEST
from tests.admin.house import PASSWORD, House, Visitor, a_house

REFUSED = {400, 401, 403, 405, 413, 415, 421}
"""What the door says. 404 and 409 would come from behind it."""


def routes_of(routes: list[BaseRoute], before: str = "") -> list[tuple[str, str]]:
    """Each method and path there is, but for the pages in front of the door."""
    found: list[tuple[str, str]] = []
    for each in routes:
        if isinstance(each, Mount):
            found += routes_of(list(each.routes), before + each.path)
        elif isinstance(each, Route):
            found += [(method, before + each.path) for method in sorted(each.methods or ())]
    return found


def behind(house: House) -> list[tuple[str, str]]:
    all_of_them = [each for each in routes_of(house.application.web.routes) if each[1].startswith("/admin/")]
    return [(method, path) for method, path in all_of_them if path != f"/admin{LOGIN}"]


def reached(answer: httpx.Response) -> bool:
    """Whether somebody got behind the door, or a session."""
    let_in = any(
        each.startswith((f"{COOKIE}=", f"{SECURE_COOKIE}=")) and "max-age=0" not in each.lower()
        for each in answer.headers.get_list("set-cookie")
    )
    return answer.status_code not in REFUSED or let_in or "/admin/logout" in answer.text


# ── sessions that are none ────────────────────────────────────────────────────────────────────────────────────────

State = Callable[[House, Visitor], Awaitable[dict[str, Any]]]
"""Makes somebody who was in into somebody who must not be; what to add to each request."""


async def no_cookie(_: House, visitor: Visitor) -> dict[str, Any]:
    visitor.cookies.clear()
    return {}


async def garbage(_: House, visitor: Visitor) -> dict[str, Any]:
    visitor.cookies[COOKIE] = "AAAA.BBBB;\\x00"
    return {}


async def a_mark_that_was_changed(_: House, visitor: Visitor) -> dict[str, Any]:
    mark = visitor.cookies[COOKIE]
    visitor.cookies[COOKIE] = mark[:-2] + ("A" if mark[-2] != "A" else "B") + mark[-1]
    return {}


async def an_id_of_ones_own(_: House, visitor: Visitor) -> dict[str, Any]:
    visitor.cookies[COOKIE] = "fixed-by-somebody." + visitor.cookies[COOKIE].partition(".")[2]
    return {}


async def of_another_instance(house: House, visitor: Visitor) -> dict[str, Any]:
    """With the same password, and another store."""
    async with a_house(house.other_store) as other:
        visitor.cookies = (await other.operator()).cookies
    return {}


async def of_an_earlier_password(house: House, visitor: Visitor) -> dict[str, Any]:
    """On the same store."""
    async with a_house(house.url, "quite another password") as earlier:
        visitor.cookies = (await earlier.operator(password="quite another password")).cookies
    return {}


async def idle_for_too_long(house: House, _: Visitor) -> dict[str, Any]:
    house.clock.move(seconds=(IDLE + timedelta(seconds=1)).total_seconds())
    return {}


async def in_for_too_long(house: House, visitor: Visitor) -> dict[str, Any]:
    for _ in range(round(LONGEST / timedelta(minutes=20)) - 1):
        house.clock.move(minutes=20)
        assert (await visitor.sees("/admin/settings")).status_code == 200
    house.clock.move(minutes=20, seconds=1)
    return {}


async def logged_out_elsewhere(_: House, visitor: Visitor) -> dict[str, Any]:
    kept = dict(visitor.cookies)
    assert (await visitor.presses("/admin/logout")).status_code == 303
    visitor.cookies = kept
    return {}


async def in_the_address(_: House, visitor: Visitor) -> dict[str, Any]:
    cookie = visitor.cookies.pop(COOKIE)
    return {"query": f"?{COOKIE}={cookie}&token={visitor.token}&password={PASSWORD.replace(' ', '+')}"}


async def in_another_header(_: House, visitor: Visitor) -> dict[str, Any]:
    cookie = visitor.cookies.pop(COOKIE)
    basic = base64.b64encode(f"admin:{PASSWORD}".encode()).decode()
    return {"authorization": f"Basic {basic}", "x_session": cookie, "referer": f"http://127.0.0.1/?{COOKIE}={cookie}"}


async def as_if_from_this_machine(_: House, visitor: Visitor) -> dict[str, Any]:
    visitor.cookies.clear()
    forwarded = {"x_forwarded_for": "127.0.0.1", "x_real_ip": "127.0.0.1", "forwarded": "for=127.0.0.1;proto=https"}
    return {
        **forwarded,
        "x_original_url": "/admin/login",
        "x_rewrite_url": "/admin/login",
        "x_forwarded_host": "127.0.0.1",
    }


NO_SESSION = [
    no_cookie, garbage, a_mark_that_was_changed, an_id_of_ones_own, of_another_instance, of_an_earlier_password,
    idle_for_too_long, in_for_too_long, logged_out_elsewhere, in_the_address, in_another_header,
    as_if_from_this_machine,
]  # fmt: skip


# ── forms that are none of ours ───────────────────────────────────────────────────────────────────────────────────

FORGED: dict[str, Callable[[Visitor], tuple[Any, dict[str, str]]]] = {
    "no token": lambda v: ({"id": "x"}, {"origin": v.base}),
    "an empty token": lambda v: ({"token": ""}, {"origin": v.base}),
    "a wrong token": lambda v: ({"token": v.token[::-1]}, {"origin": v.base}),
    "the login's token": lambda v: ({"token": v.headers["logins"]}, {"origin": v.base}),
    "another session's token": lambda v: ({"token": v.headers["others"]}, {"origin": v.base}),
    "no origin": lambda v: ({"token": v.token}, {}),
    "an origin that is hidden": lambda v: ({"token": v.token}, {"origin": "null"}),
    "a foreign origin": lambda v: ({"token": v.token}, {"origin": "https://evil.example"}),
    "an origin that only begins as ours": lambda v: ({"token": v.token}, {"origin": f"{v.base}.evil.example"}),
    "another site, says the browser": lambda v: (
        {"token": v.token},
        {"origin": v.base, "sec_fetch_site": "cross-site"},
    ),
    "a form as plain text": lambda v: (f"token={v.token}", {"origin": v.base, "content_type": "text/plain"}),
    "JSON": lambda v: (f'{{"token": "{v.token}"}}', {"origin": v.base, "content_type": "application/json"}),
}


@pytest.mark.parametrize("state", NO_SESSION, ids=lambda each: each.__name__)
async def test_no_route_is_reached_without_a_session(house: House, state: State):
    operator = await house.operator()
    await operator.sees("/admin/")
    more = await state(house, operator)
    query = more.pop("query", "")
    kept, token = dict(operator.cookies), operator.token

    routes = behind(house)
    got_in = []
    for method, path in routes:
        operator.cookies = dict(kept)
        form = {"token": token, "id": "x", "role": "member", "key": "x"} if method == "POST" else None
        answer = await operator.sends(
            method, f"{path}{query}", form, **({"origin": house.base} if form else {}), **more
        )
        if reached(answer):
            got_in.append((method, path, answer.status_code))

    assert len(routes) > 25
    assert got_in == []


@pytest.mark.parametrize("forged", FORGED)
async def test_no_button_is_pressed_by_a_form_that_is_not_ours(house: House, forged: str):
    other = await house.operator()
    await other.sees("/admin/")
    operator = house.visitor()
    await operator.sees("/admin/login")
    logins = operator.token
    await operator.presses("/admin/login", password=PASSWORD)
    await operator.sees("/admin/")
    said = Visitor(house.base, {"logins": logins, "others": other.token}, token=operator.token)

    buttons = [path for method, path in behind(house) if method == "POST"]
    pressed = []
    for path in buttons:
        content, headers = FORGED[forged](said)
        answer = await operator.sends("POST", path, content, **headers)
        if reached(answer):
            pressed.append((path, answer.status_code))

    assert len(buttons) >= 6
    assert pressed == []
    assert (await operator.sees("/admin/")).status_code == 200, "nor has one logged the operator out"


async def test_all_of_them_are_reached_by_who_is_in(house: House):
    """Or the tests above would find every door shut that leads nowhere."""
    operator = await house.operator()
    await operator.sees("/admin/")
    token = operator.token

    for method, path in behind(house):
        form = {"token": token, "id": "x", "role": "member", "key": "x"} if method == "POST" else None
        if path in {"/admin/logout", "/admin/doctor"} and form:
            continue  # the first ends the session, the second asks the whole world
        answer = await operator.sends(method, path, form, **({"origin": house.base} if form else {}))
        assert reached(answer), (method, path, answer.status_code)
        assert answer.status_code in {200, 409}


async def test_a_get_writes_nothing(house: House):
    operator = await house.operator()
    buttons = {path for method, path in behind(house) if method == "POST"}
    looks = {path for method, path in behind(house) if method == "GET"}
    for path in buttons - looks:
        assert (await operator.sees(f"{path}?token={operator.token}&id=x&role=member")).status_code in {404, 405}


async def test_other_verbs_are_refused(house: House):
    operator = await house.operator()
    for verb in ("OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"):
        answer = await operator.sends(verb, "/admin/", origin="https://evil.example", x_http_method_override="GET")
        assert answer.status_code in {400, 405}
        assert "access-control-allow-origin" not in answer.headers


CROOKED = [
    "//admin/", "/Admin/", "/ADMIN/people", "/admin/..;/admin/people", "/admin/%2e%2e/admin/people", "/admin%2fpeople",
    "/admin/login/../people", "/admin/login/people", "/admin/login%2f..%2fpeople", "/admin/login;/people",
    "/admin./people", "/admin/people/", "/admin/people%00", "/admin/admin/people", "/admin/login?x=/people",
    "/./admin/people", "/admin//people",
]  # fmt: skip


@pytest.mark.parametrize("path", CROOKED)
async def test_no_crooked_path_leads_around_the_door(house: House, path: str):
    stranger = house.visitor()
    for method in ("GET", "HEAD", "POST"):
        raw = await stranger.sends_raw(method, path)
        assert "/admin/logout" not in raw
        assert raw.split(" ")[1] in {"200", "303", "400", "401", "403", "404", "405"}
        if raw.split(" ")[1] == "200":
            assert "login" in path.lower(), "only the login page itself"


@pytest.mark.parametrize(
    "host", ["evil.example", "bot.example.evil.example", "", "admin", "bot.example:x", "[", "127.0.0.1.evil.example"]
)
async def test_under_a_foreign_name_there_are_no_pages(url: str, host: str):
    async with a_house(url, public_url="https://bot.example") as house:
        operator = await house.operator(host="bot.example", origin="https://bot.example")
        answer = await operator.sees("/admin/people", host=host)
        assert answer.status_code in {400, 421}
        assert "/admin/logout" not in answer.text
