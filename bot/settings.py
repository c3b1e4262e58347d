"""Every setting, typed: read once from the environment (and a ``.env`` file in the working directory).

All mistakes are told in one message, in words an operator can act on. Only the composition root may read them. Must
not know what any value is used for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from bot.collection_values import Collections
from bot.hosting import own_address, platform
from bot.setting_values import (
    Password,
    in_words,
    is_http,
    is_port,
    meant,
    objection_to_reading,
    objection_to_writing,
    strange_names,
)
from tools.currency import known

POSTGRESQL = re.compile(
    r"postgres(?:ql)?://(?:[^:/]*(?::(?P<password>[^@]*))?@)?(?:\[[^]/?]*\]|[^/:?]*)(?::(?P<port>[^/?]*))?(?:[/?].*)?"
)
"""As SQLAlchemy reads it: a password may hold what elsewhere ends the name of a host."""

AS_ISSUED = re.compile(r"[!-~]*")
"""Secrets are printable ASCII without blanks: whatever else is in one was not issued."""

CHANNEL_ID = re.compile(r"[0-9]{5,20}")

USER_ID = re.compile(r"U[0-9a-f]{32}")

Names = Annotated[tuple[str, ...], NoDecode]
"""Several values in one variable, separated by commas."""


ENVIRONMENT: Mapping[str, str] = os.environ
"""As it is now: for what hosting platforms tell there."""


class SettingsError(Exception):
    """The environment does not say what it must. The message names every mistake and its cure."""


class Settings(BaseSettings):
    """What the operator decided. Field descriptions are the README's table."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8-sig",  # Windows editors put a mark in front
        extra="ignore",
        env_ignore_empty=True,
        frozen=True,
        validate_default=False,
    )

    line_channel_secret: Annotated[tuple[SecretStr, ...], NoDecode] = Field(
        (), description="Webhook signature; two secrets separated by a comma during a rotation. Empty: LINE is off"
    )
    line_channel_access_token: SecretStr = Field(SecretStr(""), description="Long-lived or v2.1 channel access token")
    line_channel_id: str = Field(
        "", description="With the secret: tokens are issued and renewed, and the one above is not needed"
    )
    line_api_base: str = Field("", description="Host for every LINE call. Empty: LINE's own hosts")
    openai_api_key: SecretStr = Field(SecretStr(""), description="Key of an OpenAI-compatible endpoint")
    openai_base_url: str = Field("", description="Its address. Empty with a key: OpenAI; empty key and URL: offline")
    openai_model: str = Field("gpt-4.1-mini", description="The model's name there")
    openai_stream: bool = Field(
        False, description="Ask for streamed answers; an endpoint that insists on them is found out by itself"
    )
    openai_transcribe_model: str = Field("whisper-1", description="The model there that writes down voice messages")
    notion_token: SecretStr = Field(SecretStr(""), description="Internal connection or personal access token")
    notion_data_source_id: str = Field("", description="Where records appear: a data source id, database id or link")
    notion_parent_page_id: str = Field("", description="The page under which `setup` creates the database")
    notion_base_url: str = Field("", description="Notion's host. Empty: Notion's own")
    notion_webhook_token: SecretStr = Field(
        SecretStr(""),
        description="Verification token of Notion's webhook. Empty: the one Notion sends when you make it",
    )
    database_url: str = Field("sqlite:///secretary.db", description="`sqlite:///path` or `postgresql://…`", repr=False)
    host: str = Field("", description="Listen address. Empty: 127.0.0.1 at home, 0.0.0.0 with LINE or on a host")
    port: int = Field(8000, ge=1, le=65534, description="Listen port; the local LINE takes the next one")
    secretary_timezone: str = Field("", description="IANA zone for everyone. Empty: by the person's language")
    secretary_language: Literal["auto", "zh-TW", "ja", "th", "en"] = Field(
        "auto", description="`zh-TW`, `ja`, `th`, `en`, or `auto`: what the person writes"
    )
    secretary_currency: str = Field("", description="ISO 4217 code for amounts without one. Empty: by the language")
    secretary_push: Literal["reminders", "all", "off"] = Field(
        "reminders", description="What may cost a push: `reminders`, `all` answers too, or `off`"
    )
    public_url: str = Field("", description="Address people reach this bot at. Empty: the host's own variable")
    secretary_owners: Names = Field(
        (), description="LINE user ids who may use the bot, comma separated. Empty with LINE on: pairing by a code"
    )
    secretary_names: Names = Field(
        (), description="What it is called in groups, besides its name in LINE, comma separated"
    )
    secretary_collections: Collections = Field(
        (), description="More of your Notion, opened for reading: a list in JSON, as told under Connect Notion"
    )
    answer_seconds: float = Field(45, ge=3, le=55, description="From receipt: by then the reply token is spent")
    turn_seconds: float = Field(240, ge=3, le=900, description="A turn's own working limit")
    max_rounds: int = Field(8, ge=1, le=50, description="Model answers that may ask for tools, per turn")
    context_tokens: int = Field(16000, ge=1000, le=1_000_000, description="Budget of what is sent to the model")
    model_calls_per_day: int = Field(
        1000, ge=1, le=10**6, description="Requests to the model per person and day; 0 is refused, it would be none"
    )
    model_tokens_per_day: int = Field(
        2_000_000, ge=1000, le=10**10, description="Tokens per person and day, sent and answered; 0 is refused too"
    )
    retention_days: int = Field(
        30, ge=1, le=3650, description="Days that words of settled messages, answers and transcripts stay in the store"
    )
    admin_password: Password = Field(
        SecretStr(""), description="Opens the operator's pages at `/admin`, 12 signs or more. Empty: there are none"
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="Logging")
    log_format: Literal["text", "json"] = Field("text", description="Lines for people, or `json`: an object a line")
    ai_log_file: str = Field(
        "", description="What models are sent and answer, as JSON lines, words included; 20 MB at most. Empty: not kept"
    )

    @field_validator("*", mode="before")
    @classmethod
    def _is_meant(cls, value: object, about: ValidationInfo) -> object:
        if not isinstance(value, str):
            return value
        text = meant(value)
        several = about.field_name in {"line_channel_secret", "secretary_owners", "secretary_names"}
        if not several:
            return text
        if not text.strip(", "):
            raise ValueError("holds only commas: give it a value or remove it")
        return tuple(meant(part) for part in text.split(",") if part.strip())

    @field_validator(
        "line_channel_secret", "line_channel_access_token", "openai_api_key", "notion_token", "notion_webhook_token"
    )
    @classmethod
    def _is_as_issued(cls, value: SecretStr | tuple[SecretStr, ...]) -> SecretStr | tuple[SecretStr, ...]:
        for each in value if isinstance(value, tuple) else (value,):
            if not AS_ISSUED.fullmatch(each.get_secret_value()):
                raise ValueError("holds a blank, a line break or a sign that is in no key: copy it once more")
        return value

    @field_validator("line_channel_secret")
    @classmethod
    def _are_two_at_most(cls, value: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
        if len(value) > 2:  # noqa: PLR2004 - the old one and the new one of a rotation
            raise ValueError("takes one secret, or two during a rotation")
        return value

    @field_validator("line_channel_id")
    @classmethod
    def _is_a_channel(cls, value: str) -> str:
        if value and not CHANNEL_ID.fullmatch(value):
            raise ValueError("is no channel id: five to twenty digits, from the Basic settings tab")
        return value

    @field_validator("secretary_owners")
    @classmethod
    def _are_user_ids(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if wrong := [each for each in value if not USER_ID.fullmatch(each)]:
            raise ValueError(
                f"{wrong[0]!r} is no LINE user id: U and 32 digits (0-9, a-f). Your user ID, in Basic settings"
            )
        return value

    @field_validator("secretary_timezone")
    @classmethod
    def _is_a_zone(cls, value: str) -> str:
        try:
            return value and ZoneInfo(value).key
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError("is no IANA time zone such as Asia/Taipei") from error

    @field_validator("secretary_currency")
    @classmethod
    def _is_a_currency(cls, value: str) -> str:
        if value and not known(value.upper()):
            raise ValueError("is no ISO 4217 code such as TWD")
        return value.upper()

    @field_validator("line_api_base", "openai_base_url", "notion_base_url", "public_url")
    @classmethod
    def _is_an_address(cls, value: str, about: ValidationInfo) -> str:
        if value and not is_http(value):
            local = " or http://127.0.0.1:11434/v1" if about.field_name == "openai_base_url" else ""
            raise ValueError(f"must be an address such as https://example.org{local}")
        # Providers' pages show the whole path of a request; the client adds the end of it by itself.
        return value.rstrip("/").removesuffix("/chat/completions")

    @field_validator("database_url")
    @classmethod
    def _is_a_store(cls, value: str) -> str:
        if not value.startswith(("sqlite://", "postgres://", "postgresql://")):
            raise ValueError("must start with sqlite:/// or postgresql://")
        found = POSTGRESQL.fullmatch(value)
        if found and found["port"] is not None and not is_port(found["port"]):
            raise ValueError("has no port between 1 and 65535 behind the host")
        return value

    @field_validator("ai_log_file")
    @classmethod
    def _can_be_written(cls, value: str) -> str:
        """Looked at without making it: that is done at start, when everything else is right."""
        if value and (why := objection_to_writing(Path(value))):
            raise ValueError(
                f"{value} cannot be written ({why}): name a file in a folder that is there, or leave it empty"
            )
        return value

    @model_validator(mode="wrap")
    @classmethod
    def _are_one_whole(cls, given: Any, understand: ModelWrapValidatorHandler[Settings]) -> Settings:
        """What stands between several fields is looked at even where one of them is wrong, and told with it."""
        found, wrong = None, []
        try:
            found = understand(given)
        except ValidationError as error:
            wrong = in_words(error)
        access = given.get("line_channel_access_token") or given.get("line_channel_id")
        secret = given.get("line_channel_secret")
        if access and not secret:
            wrong.append(
                "LINE_CHANNEL_SECRET is missing: LINE needs it besides LINE_CHANNEL_ID or LINE_CHANNEL_ACCESS_TOKEN"
            )
        if given.get("secretary_collections") and not given.get("notion_token"):
            wrong.append("SECRETARY_COLLECTIONS needs NOTION_TOKEN beside it: the connection that may read them")
        if secret and not access:
            wrong.append("LINE_CHANNEL_SECRET needs LINE_CHANNEL_ACCESS_TOKEN or LINE_CHANNEL_ID beside it")
        if found is None or wrong:
            raise SettingsError("\n- ".join(["These settings need a look:", *wrong]))
        return found

    @property
    def line_is_on(self) -> bool:
        return bool(self.line_channel_secret)

    @property
    def model_is_on(self) -> bool:
        return bool(self.openai_api_key.get_secret_value() or self.openai_base_url)

    @property
    def notion_is_on(self) -> bool:
        return bool(self.notion_token.get_secret_value() and self.notion_data_source_id)

    @property
    def many_processes(self) -> bool:
        """Whether the store is one that several processes may work on."""
        return not self.database_url.startswith("sqlite:")

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every configured secret, for masking: whatever is typed as one, and the passwords that addresses hold."""
        values = [getattr(self, name) for name in type(self).model_fields]
        parts = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
        found = [part.get_secret_value() for part in parts if isinstance(part, SecretStr)]
        store = POSTGRESQL.fullmatch(self.database_url)
        addresses = (self.line_api_base, self.openai_base_url, self.notion_base_url, self.public_url)
        passwords = [store["password"] if store else None, *(urlsplit(each).password for each in addresses)]
        found += [form for password in passwords if password for form in (password, unquote(password))]
        return tuple(each for each in found if each)

    @property
    def local_line_url(self) -> str:
        """Where the local LINE is served: the chat page, and LINE's API for the bot."""
        return f"http://127.0.0.1:{self.port + 1}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the signature is the library's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature is the library's
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, dotenv_settings


def read_settings(env_file: Path | None = Path(".env")) -> Settings:
    """The settings as the environment has them; ``env_file=None`` ignores the file. Raises SettingsError."""
    if env_file and (why := objection_to_reading(env_file)):
        raise SettingsError(f"{env_file.absolute()} {why}")
    return Settings(_env_file=env_file)  # type: ignore[call-arg]  # a parameter of the library, not a field


def misspelt(env_file: Path = Path(".env"), environment: Mapping[str, str] = os.environ) -> list[tuple[str, str]]:
    """Names that are no settings although they look like it, in the file and in the environment, each with the setting
    that was perhaps meant, or ""."""
    text = env_file.read_text("utf-8-sig") if env_file.is_file() else ""
    return strange_names([name.upper() for name in Settings.model_fields], text, environment)


def listen_host(settings: Settings, environment: Mapping[str, str] = os.environ) -> str:
    """The address to listen on: everyone's on a host or with LINE, one's own machine's otherwise."""
    open_to_all = settings.line_is_on or platform(environment)
    return settings.host or ("0.0.0.0" if open_to_all else "127.0.0.1")  # noqa: S104 - LINE comes from outside


def public_url(settings: Settings, environment: Mapping[str, str] = os.environ) -> str:
    """Where people reach the bot: the setting, else the host's own variable, else nothing."""
    return settings.public_url or own_address(environment)


def terminal_language(environment: Mapping[str, str] = os.environ) -> str:
    """As ``ja_JP`` has it; "" where it has none, as in ``C``."""
    found = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "").partition(".")[0]
    return "" if found in {"C", "POSIX"} else found
