"""Who gets in to the operator's pages: nobody without the password, whatever they send, and for so long."""

from __future__ import annotations

import pytest

from tests.admin.house import House, a_house


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
        assert f'<html lang="{language}">' in page.text
