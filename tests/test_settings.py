"""What the operator writes: understood, or refused in one message that names every mistake."""

from __future__ import annotations

import os

import pytest

from bot.settings import (
    Settings,
    SettingsError,
    listen_host,
    misspelt,
    public_url,
    read_settings,
    terminal_language,
)

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


@pytest.mark.parametrize("access", ["LINE_CHANNEL_ACCESS_TOKEN", "LINE_CHANNEL_ID"])
def test_with_the_secret_goes_a_token_or_the_channels_id(settings, access):
    assert settings(**{"LINE_CHANNEL_SECRET": "s" * 32, access: "1234567890"}).line_is_on


@pytest.mark.parametrize("wrong", ["@bot", "12", "12 34567890", "https://line.me/1234567890"])
def test_a_channels_id_is_digits(settings, wrong):
    with pytest.raises(SettingsError, match="- LINE_CHANNEL_ID: is no channel id"):
        settings(LINE_CHANNEL_SECRET="s" * 32, LINE_CHANNEL_ID=wrong)


HALVES = {
    "LINE_CHANNEL_SECRET": "- LINE_CHANNEL_SECRET needs LINE_CHANNEL_ACCESS_TOKEN or LINE_CHANNEL_ID",
    "LINE_CHANNEL_ACCESS_TOKEN": "- LINE_CHANNEL_SECRET is missing",
    "LINE_CHANNEL_ID": "- LINE_CHANNEL_SECRET is missing",
}


@pytest.mark.parametrize("name", HALVES)
def test_half_of_lines_credentials_is_a_mistake(settings, name):
    with pytest.raises(SettingsError, match=HALVES[name]):
        settings(**{name: "1234567890"})


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


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("OPENAI_MODLE", "OPENAI_MODEL"),
        ("NOTIONTOKEN", "NOTION_TOKEN"),
        ("SECRETARY_LANGAUGE", "SECRETARY_LANGUAGE"),
        ("LINE_ACCESS_TOKEN", "LINE_CHANNEL_ACCESS_TOKEN"),
        ("openai_modle", "OPENAI_MODEL"),
    ],
)
def test_a_misspelt_name_is_found_with_the_setting_that_was_meant_wherever_it_stands(tmp_path, name, meant):
    file = tmp_path / ".env"
    file.write_text(f"{name}=gpt\n")
    assert misspelt(file, {}) == misspelt(tmp_path / "none", {name: "gpt"}) == [(name.upper(), meant)]


def test_names_of_others_are_no_misspelt_settings(tmp_path):
    theirs = dict.fromkeys(("OPENAI_ORG_ID", "LINES", "LINENO", "NOTION_VERSION", "DATABASE_URLS", "PATH"), "1")
    assert misspelt(tmp_path / "none", theirs) == []
    there_too = {"OPENAI_API_KEY": "1", "OPENAI_API_KEY_2": "1"}
    assert misspelt(tmp_path / "none", there_too) == [], "what is there is not meant once more"
    (tmp_path / ".env").write_text("NOTION_QQQ=1\nDATABSE_URL=1\nMY_OWN=1\n")
    assert misspelt(tmp_path / ".env", {}) == [("NOTION_QQQ", ""), ("DATABSE_URL", "DATABASE_URL")]


def test_secrets_are_not_in_the_settings_text(settings):
    found = settings(OPENAI_API_KEY="sk-very-secret", DATABASE_URL="postgresql://me:very-secret@host/x")
    assert "very-secret" not in repr(found)


def test_whatever_is_typed_as_a_secret_is_masked_everywhere(settings):
    """A setting that is added later too: nobody has to think of it."""
    kinds = {name: field.annotation for name, field in Settings.model_fields.items() if "SecretStr" in str(field)}
    assert len(kinds) >= 4
    given = {name.upper(): f"canary-of-{name}" for name in kinds}
    if "line_channel_id" in Settings.model_fields:
        given["LINE_CHANNEL_ID"] = "1234567890"
    assert set(given.values()) - {"1234567890"} <= set(settings(**given).secrets)


def test_no_setting_that_sounds_like_a_secret_is_typed_otherwise():
    telling = ("secret", "token", "key", "password")
    counts = {"model_tokens_per_day", "context_tokens"}
    plain = {
        name
        for name, field in Settings.model_fields.items()
        if any(word in name.removeprefix("secretary_") for word in telling) and "SecretStr" not in str(field)
    }
    assert plain - counts == set()


def test_a_password_in_an_address_is_a_secret_too(settings):
    found = settings(
        OPENAI_BASE_URL="https://me:pass%20word@models.example/v1",
        NOTION_BASE_URL="http://x:notion-pass@127.0.0.1:1",
        LINE_API_BASE="http://x:line-pass@127.0.0.1:2",
        DATABASE_URL="postgresql://me:very-secret@host/x",
    )
    assert {"pass%20word", "pass word", "notion-pass", "line-pass", "very-secret"} <= set(found.secrets)


# ── wrong in ways that are not seen at once ───────────────────────────────────────────────────────────────────────


def test_the_last_port_is_kept_free_for_the_local_line(settings):
    assert settings(PORT="65534").port == 65534
    with pytest.raises(SettingsError, match=r"- PORT: .*65534"):
        settings(PORT="65535")


@pytest.mark.parametrize(
    "address",
    ["http://h:99999/v1", "http://h:0", "http://h:abc/v1", "http://[::1", "http://a b/", "ftp://h", "http://", "h/v1"],
)
@pytest.mark.parametrize("name", ["OPENAI_BASE_URL", "NOTION_BASE_URL", "LINE_API_BASE", "PUBLIC_URL"])
def test_an_address_that_leads_nowhere_is_refused(settings, name, address):
    with pytest.raises(SettingsError, match=f"- {name}: must be an address"):
        settings(**{name: address})


@pytest.mark.parametrize(("name", "is_shown"), [("OPENAI_BASE_URL", True), ("PUBLIC_URL", False)])
def test_the_example_of_an_address_fits_the_setting(settings, name, is_shown):
    with pytest.raises(SettingsError) as told:
        settings(**{name: "h/v1"})

    assert ("127.0.0.1:11434" in str(told.value)) == is_shown


@pytest.mark.parametrize("address", ["http://127.0.0.1:11434/v1", "https://api.example.org", "http://[::1]:8080/v1"])
def test_an_address_that_leads_somewhere_is_taken(settings, address):
    assert settings(OPENAI_BASE_URL=address).openai_base_url == address


@pytest.mark.parametrize("port", ["abc", "99999", "0", "-1", "", "５４３２", "5" * 5_000])
def test_a_stores_port_that_is_none_is_refused(settings, port):
    with pytest.raises(SettingsError, match="- DATABASE_URL: has no port"):
        settings(DATABASE_URL=f"postgresql://me:secret@127.0.0.1:{port}/x")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://127.0.0.1:5432/x",
        "postgres://me@host/x",
        "postgresql:///x?host=/run/postgresql:1",
        "postgresql://me:pass:word#1[/?@[::1]:5432/x?sslmode=require",
        "sqlite:////srv/me:now/x.db",
    ],
)
def test_a_stores_address_is_taken_as_the_store_reads_it(settings, url):
    assert settings(DATABASE_URL=url).database_url == url


@pytest.mark.parametrize(("written", "meant"), [("p#ss[w/rd", "p#ss[w/rd"), ("p%40ssword", "p@ssword")])
def test_the_stores_password_is_a_secret_as_it_is_written_and_as_it_is_meant(settings, written, meant):
    secrets = settings(DATABASE_URL=f"postgresql://me:{written}@host/x").secrets

    assert {written, meant} <= set(secrets)


@pytest.mark.parametrize(
    "key", ["sk-very\nsecret", "sk-very secret", "sk-verysecret–1", "ｓk-verysecret", "sk-very\tsecret"]
)
@pytest.mark.parametrize("name", ["LINE_CHANNEL_SECRET", "LINE_CHANNEL_ACCESS_TOKEN", "OPENAI_API_KEY", "NOTION_TOKEN"])
def test_a_secret_with_signs_that_no_secret_has_is_refused_and_not_shown(settings, name, key):
    with pytest.raises(SettingsError, match=f"- {name}: holds a blank") as told:
        settings(**{name: key})

    assert "very" not in str(told.value)


@pytest.mark.parametrize("name", ["SECRETARY_OWNERS", "LINE_CHANNEL_SECRET"])
@pytest.mark.parametrize("value", [",", " , ,"])
def test_a_list_of_nothing_is_refused(settings, name, value):
    with pytest.raises(SettingsError, match=f"- {name}: holds only commas"):
        settings(**{name: value})


def test_three_secrets_are_one_too_many(settings):
    with pytest.raises(SettingsError, match="- LINE_CHANNEL_SECRET: takes one secret, or two"):
        settings(LINE_CHANNEL_SECRET="a,b,c", LINE_CHANNEL_ACCESS_TOKEN="t")


@pytest.mark.parametrize("credential", ["something", "with a blank"])
@pytest.mark.parametrize("name", ["LINE_CHANNEL_SECRET", "LINE_CHANNEL_ACCESS_TOKEN"])
def test_half_of_lines_credentials_is_told_together_with_the_other_mistakes(settings, name, credential):
    with pytest.raises(SettingsError) as told:
        settings(**{name: credential}, PORT="eighty", SECRETARY_CURRENCY="NTD!")

    for each in ("- PORT: ", "- SECRETARY_CURRENCY: ", HALVES[name]):
        assert each in str(told.value)
    assert (f"- {name}: holds a blank" in str(told.value)) == (" " in credential)


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "content",
    ["PORT=9000\n".encode("utf-16"), "PORT=9000\n".encode("utf-16-le"), b"PORT=9000\nPUBLIC_URL=\xff\xfe\n"],
)
def test_a_file_that_is_no_utf_8_is_refused_with_the_cure(settings, tmp_path, content):
    (tmp_path / ".env").write_bytes(content)

    with pytest.raises(SettingsError, match=r"\.env is no UTF-8 text: save \.env as UTF-8"):
        read_settings(tmp_path / ".env")


def test_the_mark_that_windows_puts_before_utf_8_hides_no_setting(settings, tmp_path):
    (tmp_path / ".env").write_bytes("PORT=9000\n".encode("utf-8-sig"))

    assert read_settings(tmp_path / ".env").port == 9000


@pytest.mark.parametrize("pasted", ["https://h.example/v1/", "https://h.example/v1/chat/completions"])
def test_the_address_of_a_model_may_be_pasted_with_the_end_of_its_path(settings, pasted):
    assert settings(OPENAI_BASE_URL=pasted).openai_base_url == "https://h.example/v1"


# ── the file for what models are sent ─────────────────────────────────────────────────────────────────────────────


def test_a_log_file_that_cannot_be_written_is_told_together_with_the_other_mistakes(settings, tmp_path):
    with pytest.raises(SettingsError) as told:
        settings(AI_LOG_FILE=f"{tmp_path}/none/ai.jsonl", PORT="eighty")

    assert "- PORT: " in str(told.value)
    assert f"- AI_LOG_FILE: {tmp_path}/none/ai.jsonl cannot be written (there is no such folder)" in str(told.value)


@pytest.mark.parametrize(
    ("name", "why"), [("", "it is a folder"), ("file/ai.jsonl", "there is no such folder"), ("x" * 300, "too long")]
)
def test_what_can_be_no_log_file_is_refused(settings, tmp_path, name, why):
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=rf"- AI_LOG_FILE: .* cannot be written \(.*{why}"):
        settings(AI_LOG_FILE=str(tmp_path / name))


def test_a_log_file_is_not_made_before_the_bot_starts(settings, tmp_path):
    file = tmp_path / "ai.jsonl"
    assert settings(AI_LOG_FILE=str(file)).ai_log_file == str(file)
    assert not file.exists()
    file.touch()
    assert settings(AI_LOG_FILE=str(file)).ai_log_file == str(file)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_log_file_in_somebody_elses_folder_is_refused(settings, tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(SettingsError, match="the folder is not writable"):
        settings(AI_LOG_FILE=str(tmp_path / "ai.jsonl"))
    tmp_path.chmod(0o700)


def test_the_language_of_the_terminal_is_the_first_that_is_set():
    assert terminal_language({"LANG": "ja_JP.UTF-8"}) == "ja_JP"
    assert terminal_language({"LANG": "ja_JP.UTF-8", "LC_ALL": "", "LC_MESSAGES": "th_TH"}) == "th_TH"
    assert [terminal_language(each) for each in ({}, {"LANG": "C.UTF-8"}, {"LC_ALL": "POSIX", "LANG": "ja_JP"})] == [
        "",
        "",
        "",
    ]
