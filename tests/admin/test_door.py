"""Who gets in to the operator's pages: nobody without the password, whatever they send, and for so long."""

from __future__ import annotations

import httpx
import pytest

from bot.admin.door import COOKIE, SECURE_COOKIE
from bot.admin.limiter import MOST_ADDRESSES, SECONDS_FOR_ONE, TRIES, TRIES_OF_ALL, LoginLimiter
from tests.admin.house import PASSWORD, House, Visitor, a_house
from tests.bot_process import LINE_ON
from tests.fakes import Clock


async def test_whoever_knows_the_password_is_in_and_out_again(house: House):
    operator = await house.operator()

    page = await operator.sees("/admin/")
    assert page.status_code == 200, page.text
    assert "Today" in page.text

    gone = await operator.presses("/admin/logout")
    assert (gone.status_code, gone.headers["location"]) == (303, "/admin/login")
    assert (await operator.sees("/admin/")).status_code == 401


async def test_without_a_password_there_are_no_pages(tmp_path):
    async with a_house(f"sqlite:///{tmp_path / 'a.db'}", password="") as house:
        somebody = house.visitor()
        unknown = await somebody.sees("/nowhere")
        for path in ("/admin", "/admin/", "/admin/login", "/admin/people"):
            found = await somebody.sees(path)
            assert (found.status_code, found.text) == (404, unknown.text)
        assert (await somebody.sends("POST", "/admin/login", {"password": ""})).status_code == 404


@pytest.mark.parametrize(
    "path", ["/", "/people", "/inbox", "/log", "/calls", "/notion", "/reminders", "/settings", "/doctor"]
)
async def test_every_page_opens_in_both_languages(house: House, path: str):
    operator = await house.operator()
    for language in ("en", "zh-TW"):
        page = await operator.sees(f"/admin{path}", accept_language=language)
        assert page.status_code == 200, page.text
        assert page.text.startswith(f'<!doctype html>\n<html lang="{language}">')


# ── what a browser keeps ──────────────────────────────────────────────────────────────────────────────────────────


def cookie_of(answer: httpx.Response, name: str) -> str:
    (found,) = [each for each in answer.headers.get_list("set-cookie") if each.startswith(f"{name}=")]
    return found.lower()


async def test_the_cookie_is_bound_to_this_host_where_the_browser_came_by_https(house: House):
    plain = cookie_of(await house.visitor().logs_in(), COOKIE)
    for each in ("httponly", "samesite=strict", "path=/"):
        assert each in plain
    assert "secure" not in plain

    host = house.base.removeprefix("http://")
    secure = cookie_of(await house.visitor(origin=f"https://{host}").logs_in(), SECURE_COOKIE)
    for each in ("__host-", "httponly", "samesite=strict", "path=/", "secure"):
        assert each in secure
    assert "domain=" not in secure


async def test_every_answer_is_protected(house: House):
    operator = await house.operator()
    stranger = house.visitor()
    answers = [await operator.sees("/admin/"), await stranger.sees("/admin/"), await stranger.sees("/admin/login")]
    answers += [await operator.sees("/admin/nowhere"), await stranger.sends("POST", "/admin/login", {"password": "x"})]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'sha256-")
        assert "form-action 'self'; frame-ancestors 'none'; base-uri 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers


async def test_head_is_answered_as_get_is_without_the_page(house: House):
    operator = await house.operator()
    for who, status in ((operator, 200), (house.visitor(), 401)):
        for path in ("/admin/", "/admin/people"):
            answer = await who.sends("HEAD", path)
            assert (answer.status_code, answer.content) == (status, b"")


ELSEWHERE = [
    "//evil.example", "https://evil.example/admin/", "/admin/../../x", "/admin//evil.example", "/admin/\\evil",
    "/admin/logout", "javascript:alert(1)", "/admin/\r\nset-cookie: a=b",
]  # fmt: skip


async def test_whoever_logs_in_goes_where_they_wanted_and_never_elsewhere(house: House):
    wanted = "/admin/log/turn?id=01E001"
    asked = await house.visitor().sees(wanted)
    assert f'name="to" value="{wanted}"' in asked.text
    assert (await house.visitor().logs_in(to=wanted)).headers["location"] == wanted
    for evil in ELSEWHERE:
        assert (await house.visitor().logs_in(to=evil)).headers["location"] == "/admin/"


# ── guessing ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_password_cannot_be_guessed_often(house: House):
    guesser = house.visitor()
    answers = [(await guesser.logs_in(f"guess {n}")).status_code for n in range(7)]
    assert answers == [401] * TRIES + [429, 429]
    late = await guesser.logs_in()
    assert late.status_code == 429, "the right one too, or guessing would go on"
    assert int(late.headers["retry-after"]) <= 61
    assert COOKIE not in guesser.cookies


async def test_a_forwarded_address_buys_no_tries(house: House):
    codes = [(await house.visitor(x_forwarded_for=f"10.0.0.{n}").logs_in("guess")).status_code for n in range(7)]
    assert codes[-1] == 429


WRONG = ["", "x" * 20_000, "\0", PASSWORD + " ", PASSWORD[:-1], PASSWORD.upper(), "%ff%fe", "密" * 100]


@pytest.mark.parametrize("password", WRONG, ids=range(len(WRONG)))
async def test_only_the_password_itself_opens(house: House, password: str):
    visitor = house.visitor()
    assert (await visitor.logs_in(password)).status_code in {401, 413}
    assert COOKIE not in visitor.cookies


def test_tries_come_back_and_addresses_are_not_remembered_for_ever():
    clock = Clock()
    limiter = LoginLimiter(clock)
    assert [limiter.wait("1.2.3.4") for _ in range(TRIES)] == [0.0] * TRIES
    assert limiter.wait("1.2.3.4") == pytest.approx(SECONDS_FOR_ONE)
    assert limiter.wait("2001:db8::1") == 0, "somebody else"
    clock.now += SECONDS_FOR_ONE
    assert limiter.wait("1.2.3.4") == 0

    for number in range(MOST_ADDRESSES + 10):
        limiter.wait(f"10.1.{number // 256}.{number % 256}")
    assert len(limiter._each) == MOST_ADDRESSES


def test_many_addresses_have_not_many_tries_together():
    limiter = LoginLimiter(Clock())
    tried = sum(limiter.wait(f"10.1.{n // 256}.{n % 256}") == 0 for n in range(1_000))
    assert tried == TRIES_OF_ALL
    assert limiter.wait("2001:db8:0:1::5") > 0


# ── more than one process ─────────────────────────────────────────────────────────────────────────────────────────


async def test_a_session_holds_in_every_process_and_ends_in_every_one(house: House):
    async with a_house(house.url) as another:
        operator = await house.operator()
        there = Visitor(another.base, cookies=dict(operator.cookies))
        assert (await there.sees("/admin/people")).status_code == 200
        assert (await there.presses("/admin/logout")).status_code == 303
        assert (await operator.sees("/admin/people")).status_code == 401


async def test_whoever_looks_now_and_then_stays_in(house: House):
    operator = await house.operator()
    for _ in range(5):
        house.clock.move(minutes=25)
        assert (await operator.sees("/admin/settings")).status_code == 200


async def test_secrets_are_seen_as_dots(url: str):
    secrets = {"notion_token": "ntn_1234567890abcdefghij1234567890", "openai_api_key": "sk-proj-1234567890abcdef1234"}
    async with a_house(url, openai_base_url="https://me:hunter2hunter2@llm.example/v1", **secrets) as house:
        page = (await (await house.operator()).sees("/admin/settings")).text
        for secret in (*secrets.values(), PASSWORD, LINE_ON["LINE_CHANNEL_SECRET"], "hunter2"):
            assert secret not in page
        assert page.count("•••") >= 5
        assert "llm.example" in page
