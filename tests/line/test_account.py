"""The operator's calls over real HTTP, against the local LINE, and LINE's own description as judge of each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.line import rich_menu
from bot.line.account import LineAccount, Menu
from bot.line.health import Trial, Webhook
from bot.line.setup import picture_of
from bot.line.tokens import GivenToken, IssuedTokens
from bot.ports import Refused, Unsure
from tests.emulators.openapi import line_judge
from tests.serving import served

PNG = picture_of("en")
MENU = rich_menu.menu("en", PNG)


async def test_it_says_who_the_bot_is_and_how_far_the_clocks_are_apart(platform):
    async with platform.account() as account:
        who = await account.info()

    assert (who.name, who.basic_id, who.chat) == ("Secretary", "@local", False)
    assert who.skew is None or abs(who.skew) < 2


@pytest.mark.parametrize(
    ("date", "low", "high"),
    [
        (lambda: format_datetime(datetime.now(UTC) - timedelta(minutes=5), usegmt=True), 298, 302),
        (lambda: format_datetime(datetime.now(UTC) + timedelta(minutes=5), usegmt=True), -302, -298),
    ],
)
async def test_a_clock_is_compared_with_the_date_of_lines_answer(date, low, high):
    async with who_says({"date": date()}) as account:
        skew = (await account.info()).skew
    assert skew is not None
    assert low < skew < high


@pytest.mark.parametrize("date", ["", "yesterday", "Mon, 30 Nov 2026 12:00:00 -0000"])
async def test_an_odd_date_says_nothing_of_the_clock(date):
    async with who_says({"date": date}) as account:
        assert (await account.info()).skew is None


def who_says(headers: dict[str, str]):
    """An account at a LINE that answers with these headers."""

    async def answer(_: Request) -> Response:
        return JSONResponse({"displayName": "S", "basicId": "@s", "chatMode": "chat"}, headers=headers)

    return _at(Starlette(routes=[Route("/v2/bot/info", answer)]))


class _at:  # noqa: N801 - reads as a word where it is used
    def __init__(self, app: Starlette) -> None:
        self._served = served(app)

    async def __aenter__(self) -> LineAccount:
        base = await self._served.__aenter__()
        self._account = LineAccount(base, GivenToken("t"))
        return await self._account.__aenter__()

    async def __aexit__(self, *_: object) -> None:
        await self._account.__aexit__()
        await self._served.__aexit__(None, None, None)


async def test_the_webhook_is_none_until_one_is_set_and_can_be_tested(platform):
    async with platform.account() as account:
        assert await account.webhook() is None
        await account.set_webhook(platform.webhook)
        assert await account.webhook() == Webhook(platform.webhook, active=True)
        assert await account.test_webhook() == Trial(success=True, status=200, reason="OK 200")
        platform.status = 401
        assert await account.test_webhook() == Trial(success=False, status=401, reason="ERROR_STATUS_CODE 401")


async def test_what_is_left_of_the_month_is_told(platform):
    async with platform.account() as account:
        assert await account.pushes_left() == 200
        await platform.fault(path="/v2/bot/message/quota", status=200, body={"type": "none"})
        assert await account.pushes_left() is None


async def test_a_menu_is_made_with_its_picture_shown_and_taken_away(platform):
    async with platform.account() as account:
        assert await account.default_menu() is None
        made = await account.make_menu(MENU, PNG)
        assert await account.menus() == [Menu(made, MENU["name"])]
        await account.show_menu(made)
        assert await account.default_menu() == made
        await account.delete_menu(made)
        await account.delete_menu(made)
        assert (await account.menus(), await account.default_menu()) == ([], None)


async def test_a_menu_whose_picture_is_refused_is_not_left_behind(platform):
    async with platform.account() as account:
        with pytest.raises(Refused, match="400"):
            await account.make_menu(MENU, b"no picture")
        assert await account.menus() == []


async def test_every_call_is_as_lines_own_description_wants_it(platform, shared):
    async with platform.account() as account:
        await account.info()
        await account.pushes_left()
        await account.set_webhook(platform.webhook)
        await account.webhook()
        await account.test_webhook()
        made = await account.make_menu(MENU, PNG)
        await account.show_menu(made)
        await account.menus()
        await account.default_menu()
        await account.delete_menu(made)

    judge = line_judge(shared)
    asked = [each for each in platform.asked if each[1].startswith("/v2/")]
    assert len(asked) == 12
    assert {path: problems for method, path, head, body in asked if (problems := judge(method, path, head, body))} == {}


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (
            {"status": 403, "body": {"message": "Not for your plan"}},
            Refused,
            "403 to GET /v2/bot/info: Not for your plan",
        ),
        ({"status": 400, "body": ["odd"]}, Refused, "no reason given"),
        ({"status": 429, "body": {"message": "rate"}}, Unsure, "429"),
        ({"status": 503, "body": {}}, Unsure, "503"),
        ({"drop": "before"}, Unsure, "cannot be reached"),
    ],
)
async def test_whatever_line_does_is_told_in_words(platform, fault, kind, words):
    await platform.fault(path="/v2/bot/info", **fault)
    async with platform.account() as account:
        with pytest.raises(kind) as told:
            await account.info()

    assert words in told.value.reason


async def test_a_token_that_is_refused_is_told_with_lines_words(platform, caplog):
    async with platform.account("wrong-token-of-somebody") as account:
        with pytest.raises(Refused, match="401") as told:
            await account.info()

    assert "wrong-token" not in told.value.reason
    assert "issue a new one" in caplog.text


async def test_an_issued_token_that_is_refused_is_replaced_once(platform):
    tokens = IssuedTokens(platform.base, platform.line.channel_id, [platform.line.secret], masks=lambda _: None)
    await platform.fault(path="/v2/bot/info", status=401, body={"message": "Authentication failed"})
    async with LineAccount(platform.base, tokens) as account:
        assert (await account.info()).name == "Secretary"

    assert [path for _, path, _, _ in platform.asked].count("/oauth2/v3/token") == 2


@pytest.mark.parametrize("content", [b"<html>", b"[]", b'{"richmenus": 3}', b'{"richmenus": [null]}'])
async def test_odd_answers_are_no_menus(content):
    async def answer(_: Request) -> Response:
        return Response(content)

    async with _at(Starlette(routes=[Route("/v2/bot/richmenu/list", answer)])) as account:
        assert await account.menus() == []


async def test_a_menu_without_an_id_was_perhaps_made():
    async def answer(_: Request) -> Response:
        return JSONResponse({})

    async with _at(Starlette(routes=[Route("/v2/bot/richmenu", answer, methods=["POST"])])) as account:
        with pytest.raises(Unsure, match="names no rich menu"):
            await account.make_menu(MENU, PNG)
