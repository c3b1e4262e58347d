"""Tables that are opened for reading, as the operator writes them down: understood, or refused with every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.collection_values import MOST
from bot.settings import Settings, SettingsError, read_settings
from tools.collection import Collection

SOURCE = "https://www.notion.so/shop/Answers-0123456789abcdef0123456789abcdef?v=" + "f" * 32
FAQ: dict[str, Any] = {
    "name": "faq", "about": "what customers ask", "source": SOURCE, "published": {"Status": "Live"},
}  # fmt: skip


def read(given: object, **more: Any) -> tuple[Collection, ...]:
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return Settings(_env_file=None, notion_token="ntn_1", secretary_collections=text, **more).secretary_collections


def told(given: object, **more: Any) -> str:
    with pytest.raises(SettingsError) as refused:
        read(given, **more)
    return str(refused.value)


def test_a_collection_is_what_was_written_down():
    (found,) = read([{**FAQ, "title": " 問題 ", "link": "URL", "published": {"公開": True}}])

    assert found == Collection(
        name="faq", about="what customers ask", source=SOURCE, published="公開", value=True, title="問題", link="URL"
    )
    assert Settings(_env_file=None).secretary_collections == ()


def test_several_stand_in_one_variable_over_several_lines_of_the_file(tmp_path, monkeypatch):
    file = tmp_path / ".env"
    several = json.dumps([FAQ, {**FAQ, "name": "recipes", "published": {"公開日": True}}], ensure_ascii=False, indent=2)
    file.write_text(f"NOTION_TOKEN=ntn_1\nSECRETARY_COLLECTIONS='{several}'\n", "utf-8")
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)

    assert [each.name for each in read_settings(file).secretary_collections] == ["faq", "recipes"]


@pytest.mark.parametrize("readme", ["README.md", "README.zh-TW.md"])
def test_the_example_of_the_readme_is_one(tmp_path, monkeypatch, readme):
    said = (Path(__file__).resolve().parents[1] / readme).read_text("utf-8")
    example = said.partition("```dotenv\n")[2].partition("```")[0]
    file = tmp_path / ".env"
    file.write_text("NOTION_TOKEN=ntn_1\n" + example.replace("https://www.notion.so/…", SOURCE), "utf-8")
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)

    assert [each.name for each in read_settings(file).secretary_collections] == ["faq", "recipes"]


WRONG: dict[str, object] = {
    "is no JSON": "[{",
    "must be a list of 1 to": FAQ,
    f"1 to {MOST} collections": [{**FAQ, "name": f"n{number}"} for number in range(MOST + 1)],
    "list of 1": [],
    "collection 1: must be {": ["faq"],
    "collection 1 (FAQ): name must be a-z": [{**FAQ, "name": "FAQ"}],
    "name must be a-z, 0-9": [{**FAQ, "name": "a" * 33}],
    "name must be text": [{**FAQ, "name": 3}],
    "about is empty": [{**FAQ, "about": " "}],
    "about is longer than 160": [{**FAQ, "about": "x" * 161}],
    "about must stand on one line": [{**FAQ, "about": "a\nb"}],
    "source is no Notion id": [{**FAQ, "source": "https://www.notion.so/Answers?v=" + "f" * 32}],
    "source must be text": [{**FAQ, "source": 3}],
    "published names no column": [{**FAQ, "published": {}}],
    "published names several columns": [{**FAQ, "published": {"A": True, "B": True}}],
    'published must be {"Column"': [{**FAQ, "published": "Status"}],
    "published must be true, false or": [{**FAQ, "published": {"Status": 3}}],
    "source is missing": [{name: each for name, each in FAQ.items() if name != "source"}],
    "titel is not known; known are name, about": [{**FAQ, "titel": "Name"}],
    'several collections named "faq"': [FAQ, FAQ],
    'says "name" twice': '[{"name":"a","name":"b"}]',
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_mistake_is_told_in_a_sentence(sentence):
    said = told(WRONG[sentence])

    assert sentence in said
    assert said.count("- SECRETARY_COLLECTIONS: ") == 1


def test_every_mistake_is_told_in_one_message():
    said = told([{**FAQ, "name": "A", "about": ""}, {**FAQ, "source": "here", "x": 1}], port="eighty")

    for each in ("- PORT", "(A): name", "(A): about", "2 (faq): source", "2 (faq): x is not known"):
        assert each in said


def test_they_need_the_connections_token():
    with pytest.raises(SettingsError, match="SECRETARY_COLLECTIONS needs NOTION_TOKEN"):
        Settings(_env_file=None, secretary_collections=json.dumps([FAQ]))


def test_the_longest_name_makes_a_name_that_every_model_takes():
    (found,) = read([{**FAQ, "name": "a" * 32}])

    assert len(f"search_{found.name}") <= 64
