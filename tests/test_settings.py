"""What the operator writes: understood, or refused in one message that names every mistake."""

from __future__ import annotations

import pytest

from bot.settings import Settings, SettingsError, listen_host, public_url, read_settings

OWNER = "U" + "0123456789abcdef" * 2


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch):
    """Reads settings from an environment that holds only what is given."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)

    def read(**environment: str) -> Settings:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return read_settings(env_file=None)

    return read


def test_an_empty_environment_is_a_bot_at_home(settings):
    found = settings()

    assert not found.line_is_on
    assert not found.model_is_on
    assert not found.notion_is_on
    assert listen_host(found, {}) == "127.0.0.1"


def test_values_are_trimmed(settings):
    assert settings(SECRETARY_CURRENCY=" twd ").secretary_currency == "TWD"


def test_all_mistakes_are_told_in_one_message(settings):
    with pytest.raises(SettingsError) as told:
        settings(
            PORT="eighty",
            SECRETARY_TIMEZONE="Taipei",
            SECRETARY_CURRENCY="NTD!",
            OPENAI_BASE_URL="localhost:11434",
            NOTION_TOKEN="undefined",
            DATABASE_URL="mysql://x",
            ANSWER_SECONDS="60",
        )

    for name in (
        "PORT",
        "SECRETARY_TIMEZONE",
        "SECRETARY_CURRENCY",
        "OPENAI_BASE_URL",
        "NOTION_TOKEN",
        "DATABASE_URL",
        "ANSWER_SECONDS",
    ):
        assert f"- {name}: " in str(told.value)


@pytest.mark.parametrize("value", ['"abc123"', "'abc123'", "“abc123”", "null", "Undefined", "   "])
def test_values_pasted_by_mistake_are_refused(settings, value):
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        settings(OPENAI_API_KEY=value)


def test_a_mistake_does_not_show_the_secret(settings):
    with pytest.raises(SettingsError) as told:
        settings(OPENAI_API_KEY='"sk-very-secret"')
    assert "very-secret" not in str(told.value)


def test_two_secrets_are_accepted_during_a_rotation(settings):
    found = settings(LINE_CHANNEL_SECRET="old-secret, new-secret", LINE_CHANNEL_ACCESS_TOKEN="t" * 20)
    assert [each.get_secret_value() for each in found.line_channel_secret] == ["old-secret", "new-secret"]


@pytest.mark.parametrize("name", ["LINE_CHANNEL_SECRET", "LINE_CHANNEL_ACCESS_TOKEN"])
def test_half_of_lines_credentials_is_a_mistake(settings, name):
    with pytest.raises(SettingsError, match="belong together"):
        settings(**{name: "something"})


def test_owners_are_line_user_ids(settings):
    assert settings(SECRETARY_OWNERS=f"{OWNER},{OWNER[:-1]}0").secretary_owners == (OWNER, OWNER[:-1] + "0")
    with pytest.raises(SettingsError, match="no LINE user id"):
        settings(SECRETARY_OWNERS="anna")


def test_with_line_or_on_a_host_everyone_may_connect(settings):
    assert listen_host(settings(), {"RENDER": "true"}) == "0.0.0.0"
    line = settings(LINE_CHANNEL_SECRET="s" * 32, LINE_CHANNEL_ACCESS_TOKEN="t" * 20)
    assert listen_host(line, {}) == "0.0.0.0"


def test_the_hosts_own_variable_gives_the_public_address(settings):
    assert public_url(settings(), {"RENDER_EXTERNAL_URL": "https://me.example/"}) == "https://me.example"
    assert public_url(settings(), {"RAILWAY_PUBLIC_DOMAIN": "me.example"}) == "https://me.example"
    assert (
        public_url(settings(PUBLIC_URL="https://mine.example"), {"RENDER_EXTERNAL_URL": "x"}) == "https://mine.example"
    )


def test_the_env_file_is_read_and_the_environment_wins(settings, tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("PORT=9000\nSECRETARY_CURRENCY=JPY\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORT", "9001")

    found = read_settings()

    assert (found.port, found.secretary_currency) == (9001, "JPY")


def test_secrets_are_not_in_the_settings_text(settings):
    assert "sk-very-secret" not in repr(settings(OPENAI_API_KEY="sk-very-secret"))
