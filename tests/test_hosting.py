"""Hosting platforms: known by their variables, and whether a file stays there."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.hosting import ADDRESSES, PLATFORMS, loses, own_address, platform
from bot.voice.hosting_words import wiped_text
from bot.voice.language import LANGUAGES


@pytest.mark.parametrize(("variable", "name"), PLATFORMS.items())
def test_each_platform_is_known_by_its_own_variable(variable, name):
    assert platform({variable: "something"}) == name


def test_ones_own_machine_is_none():
    assert platform({"PATH": "/bin", "RENDER": ""}) == ""
    assert own_address({"PATH": "/bin"}) == ""


@pytest.mark.parametrize("variable", ADDRESSES)
def test_the_address_is_https_without_a_slash_at_its_end(variable):
    address = own_address({variable: "me.example/"})
    assert address.startswith("https://me.example")
    assert not address.endswith("/")


def test_render_gives_the_whole_address_and_fly_only_a_name():
    assert own_address({"RENDER_EXTERNAL_URL": "https://me.onrender.example"}) == "https://me.onrender.example"
    assert own_address({"FLY_APP_NAME": "mine"}) == "https://mine.fly.dev"


def test_a_file_beside_the_program_is_lost_on_a_platform_and_stays_at_home(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "is_mount", lambda self: self == Path("/"))
    assert loses(tmp_path / "secretary.db", {"RENDER": "true"}) == "Render"
    assert loses(tmp_path / "secretary.db", {}) == ""
    assert loses(None, {"RENDER": "true"}) == "", "PostgreSQL is no file"


def test_a_file_on_a_volume_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "is_mount", lambda self: self in {Path("/"), tmp_path})
    assert loses(tmp_path / "deep" / "secretary.db", {"RENDER": "true"}) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_owner_is_told_where_it_is_and_what_helps(language):
    told = wiped_text(language, "Render")
    assert all(word in told for word in ("Render", "DATABASE_URL", "PostgreSQL", "Notion"))
