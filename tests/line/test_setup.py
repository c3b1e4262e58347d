"""Setting the bot up in LINE: what is done the first time, that the second changes nothing, and what is left alone."""

from __future__ import annotations

import pytest

from bot.line import rich_menu, setup
from bot.line.setup import picture_of, set_up
from bot.ports import Refused

MADE_BY_HAND = {**rich_menu.menu("en", b""), "name": "of the shop"}


async def test_the_first_time_everything_is_done_and_said(platform):
    async with platform.account() as account:
        lines = await set_up(account, platform.webhook, "zh-TW")

    assert lines == [
        "connected to LINE as Secretary (@local)",
        f"set the webhook to {platform.webhook}",
        "LINE reached the bot, and the bot knew its signature",
        "the menu under the chat is shown now (zh-TW); one made in the manager is hidden by it",
    ]


async def test_the_second_time_nothing_is_changed(platform):
    async with platform.account() as account:
        await set_up(account, platform.webhook, "zh-TW")
        platform.asked.clear()
        lines = await set_up(account, platform.webhook, "zh-TW")

    assert platform.changes() == []
    assert f"the webhook is {platform.webhook}" in lines
    assert lines[-1] == "the menu is shown (zh-TW)"


async def test_another_webhook_is_named_when_it_is_replaced(platform):
    async with platform.account() as account:
        await account.set_webhook("http://127.0.0.1:9/old")
        lines = await set_up(account, platform.webhook, None)

    assert lines[1] == f"set the webhook to {platform.webhook}, it was http://127.0.0.1:9/old"
    assert len(lines) == 3, "no menu was asked for"


async def test_without_an_address_the_webhook_stays_as_it_is(platform):
    async with platform.account() as account:
        lines = await set_up(account, "", None)

    assert lines[1:] == ["PUBLIC_URL is not set: the webhook in LINE is left as it is"]
    assert platform.changes() == []


async def test_an_address_without_https_is_told_and_not_set(platform):
    async with platform.account() as account:
        lines = await set_up(account, "http://secretary.example.org/callback", None)

    assert "only to https:// addresses" in lines[1]
    assert platform.changes() == []


async def test_what_is_still_to_be_done_is_told_with_the_click(platform):
    platform.status = 401
    async with platform.account() as account:
        await account.set_webhook(platform.webhook)
        was = {"endpoint": platform.webhook, "active": False}
        await platform.fault(path="/v2/bot/channel/webhook/endpoint", status=200, body=was, times=2)
        lines = await set_up(account, platform.webhook, None)

    assert lines[2].startswith("off: LINE delivers nothing → LINE Developers Console")
    assert lines[2].endswith("Use webhook on")
    assert lines[3].startswith("the bot does not know LINE's signature (401) → ")


async def test_a_menu_that_people_made_is_kept_and_none_is_added(platform):
    async with platform.account() as account:
        theirs = await account.make_menu(MADE_BY_HAND, picture_of("en"))
        await account.show_menu(theirs)
        lines = await set_up(account, "", "ja")

        assert "it is kept" in lines[-1]
        assert await account.default_menu() == theirs
        assert [each.id for each in await account.menus()] == [theirs]


async def test_a_menu_that_people_made_and_do_not_show_is_left_alone(platform):
    async with platform.account() as account:
        theirs = await account.make_menu(MADE_BY_HAND, picture_of("en"))
        await set_up(account, "", "ja")

        assert theirs in [each.id for each in await account.menus()]
        assert await account.default_menu() != theirs


async def test_in_another_language_the_menu_takes_the_place_of_the_older_one(platform):
    async with platform.account() as account:
        await set_up(account, "", "zh-TW")
        lines = await set_up(account, "", "ja")

        (only,) = await account.menus()
        assert only.name.startswith("line-secretary menu ja ")
        assert await account.default_menu() == only.id
        assert lines[-1].startswith('took away an older menu of this program, "line-secretary menu zh-TW')


async def test_what_was_made_and_not_shown_when_the_program_ended_is_shown(platform):
    async with platform.account() as account:
        made = await account.make_menu(rich_menu.menu("th", picture_of("th")), picture_of("th"))
        await set_up(account, "", "th")

        assert await account.default_menu() == made


async def test_what_was_left_without_its_picture_is_made_anew(platform):
    async with platform.account() as account:
        await platform.fault(path="/v2/bot/richmenu/richmenu-", drop="before")
        with pytest.raises(Exception, match="cannot be reached"):
            await set_up(account, "", "th")
        (half,) = await account.menus()
        await set_up(account, "", "th")

        (whole,) = await account.menus()
        assert whole.id != half.id
        assert await account.default_menu() == whole.id


async def test_a_refusal_ends_it(platform):
    await platform.fault(path="/v2/bot/richmenu", status=403, body={"message": "no"})
    async with platform.account() as account:
        with pytest.raises(Refused):
            await set_up(account, "", "en")


@pytest.mark.parametrize("language", list(rich_menu.WORDS))
def test_every_language_has_its_picture(language):
    assert setup.picture_of(language).startswith(b"\x89PNG")
