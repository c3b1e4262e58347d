"""The files for places where the bot can live: everything in them that can be run without such a place is run."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict

from bot.demo import two_free_ports
from bot.settings import Settings
from tests.bot_process import clean_environment

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
START = "python -m bot"
SETTINGS = {name.upper() for name in Settings.model_fields}
PLATFORMS_OWN = {"PYTHONUNBUFFERED"}


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


# ── what platforms read ───────────────────────────────────────────────────────────────────────────────────────────


class RenderVariable(Strict):
    """https://render.com/docs/blueprint-spec#environment-variables ."""

    key: str
    value: str | None = None
    sync: bool | None = None


class RenderService(Strict):
    """https://render.com/docs/blueprint-spec#service-fields ."""

    type: Literal["web"]
    name: str
    runtime: Literal["python"]
    plan: Literal["free", "starter"]
    region: Literal["oregon", "ohio", "virginia", "frankfurt", "singapore"]
    buildCommand: str  # noqa: N815 - its own name
    startCommand: str  # noqa: N815
    healthCheckPath: str  # noqa: N815
    envVars: list[RenderVariable]  # noqa: N815


class Blueprint(Strict):
    services: list[RenderService]


class HerokuVariable(Strict):
    """https://devcenter.heroku.com/articles/app-json-schema#env ."""

    description: str
    required: bool = True


class HerokuApp(Strict):
    name: str
    description: str
    keywords: list[str]
    success_url: str
    buildpacks: list[dict[Literal["url"], str]]
    addons: list[str]
    formation: dict[Literal["web", "worker"], dict[Literal["quantity", "size"], int | str]]
    env: dict[str, HerokuVariable]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_renders_blueprint_starts_the_bot_and_asks_only_for_settings():
    [service] = Blueprint.model_validate(yaml.safe_load(read("render.yaml"))).services
    assert service.startCommand == START
    assert service.healthCheckPath == "/healthz"
    assert {each.key for each in service.envVars} <= SETTINGS
    assert all(each.sync is False for each in service.envVars if each.value is None), "nothing is in the file"


def test_herokus_manifest_asks_only_for_settings_and_keeps_records():
    app = HerokuApp.model_validate(json.loads(read("app.json")))
    assert app.env.keys() <= SETTINGS
    assert any(each.startswith("heroku-postgresql") for each in app.addons)
    assert {"web", "worker"} == app.formation.keys() == set(yaml.safe_load(read("Procfile")))


def test_what_is_installed_can_be_installed_with_hashes_alone():
    assert "--require-hashes -r requirements.txt" in read("render.yaml")
    assert "--require-hashes -r requirements.txt" in read("deploy/Dockerfile")


def test_on_fly_the_store_is_on_the_volume():
    fly = tomllib.loads(read("deploy/fly.toml"))
    assert fly["env"].keys() <= SETTINGS
    assert f"sqlite:///{fly['mounts']['destination']}/secretary.db" == fly["env"]["DATABASE_URL"]
    assert str(fly["http_service"]["internal_port"]) == fly["env"]["PORT"]
    assert fly["http_service"]["auto_stop_machines"] == "off", "what sleeps rings no reminder"
    for named in ("dockerfile", "ignorefile"):
        assert (DEPLOY / fly["build"][named]).is_file()


# ── the image ─────────────────────────────────────────────────────────────────────────────────────────────────────


def steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, each with what it says."""
    lines = [line for line in read("deploy/Dockerfile").splitlines() if line and not line.startswith("#")]
    return [(name, said) for name, _, said in (line.partition(" ") for line in lines)]


def said_by(name: str) -> list[str]:
    return [said for each, said in steps() if each == name]


def is_let_in(path: str) -> bool:
    """By the ignore file: https://docs.docker.com/build/concepts/context/#dockerignore-files ."""
    let_in = True
    for rule in read("deploy/Dockerfile.dockerignore").splitlines():
        anywhere, pattern = "**/" in rule, rule.removeprefix("!").removeprefix("**/")
        parts = path.split("/") if anywhere else path.split("/")[:1]
        if rule and not rule.startswith("#") and any(fnmatch(part, pattern) for part in parts):
            let_in = rule.startswith("!")
    return let_in


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The folder that the steps of the Dockerfile make of this copy."""
    app = tmp_path / "app"
    app.mkdir()
    for step in said_by("COPY"):
        source, target = shlex.split(step)
        assert is_let_in(source), source
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, app / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, app / target)
    return app


def environment(**more: str) -> dict[str, str]:
    said = dict(pair.split("=", 1) for line in said_by("ENV") for pair in shlex.split(line))
    assert said.keys() <= SETTINGS | PLATFORMS_OWN
    return {**without_this_copy(), **said, **more}


def without_this_copy() -> dict[str, str]:
    return {name: value for name, value in clean_environment().items() if name != "PYTHONPATH"}


def test_what_is_private_stays_out_of_the_image():
    for kept in (".env", "secretary.db", ".git", "tests", ".venv"):
        assert not is_let_in(kept)
    assert not is_let_in("bot/__pycache__")
    assert is_let_in("bot/main.py")


def test_in_the_image_nobody_is_root():
    assert said_by("USER") == ["secretary"]
    names = [name for name, _ in steps()]
    assert names.index("USER") < names.index("CMD")
    assert said_by("VOLUME") == ["/data"]
    assert environment()["DATABASE_URL"] == "sqlite:////data/secretary.db"


def test_the_image_holds_all_that_the_bot_needs_and_its_health_check_finds_it_well(image, tmp_path):
    [command], [check] = said_by("CMD"), said_by("HEALTHCHECK")
    asking = json.loads(check.partition("CMD ")[2])
    port = str(two_free_ports())
    env = environment(PORT=port, HOST="127.0.0.1", DATABASE_URL=f"sqlite:///{tmp_path / 'data' / 'secretary.db'}")
    started = [sys.executable, *json.loads(command)[1:]]
    with subprocess.Popen(started, cwd=image, env=env, stderr=subprocess.PIPE, text=True) as bot:
        try:
            well = until_well([sys.executable, *asking[1:]], env)
        finally:
            bot.send_signal(signal.SIGTERM)
            _, log = bot.communicate(timeout=30)
    assert well, log
    assert bot.returncode == 0, log
    assert subprocess.run([sys.executable, *asking[1:]], env=env, capture_output=True, check=False).returncode != 0


def until_well(asking: list[str], env: dict[str, str]) -> bool:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if subprocess.run(asking, env=env, capture_output=True, check=False).returncode == 0:
            return True
        time.sleep(0.3)
    return False


def test_the_modules_of_the_image_are_its_own(image):
    told = "import bot, tools; print(bot.__file__, tools.__file__)"
    found = subprocess.run(
        [sys.executable, "-c", told], cwd=image, env=without_this_copy(), capture_output=True, text=True, check=True
    )
    assert all(str(image) in each for each in found.stdout.split())


def test_the_containers_store_is_on_a_volume_and_the_rest_can_only_be_read():
    compose: dict[str, Any] = yaml.safe_load(read("deploy/compose.yaml"))
    bot = compose["services"]["bot"]
    assert (DEPLOY / bot["build"]["context"] / bot["build"]["dockerfile"]).resolve().is_file()
    assert bot["environment"].keys() <= SETTINGS
    assert bot["volumes"] == ["kept:/data"]
    assert "kept" in compose["volumes"]
    assert bot["environment"]["DATABASE_URL"].startswith("sqlite:////data/")
    assert bot["read_only"] is True
    assert bot["cap_drop"] == ["ALL"]
    assert all(each.startswith("127.0.0.1:") for each in bot["ports"]), "HTTPS stands in front of it"


# ── a server ──────────────────────────────────────────────────────────────────────────────────────────────────────


def unit(name: str) -> str:
    return next(
        line.partition("=")[2] for line in read("deploy/secretary.service").splitlines() if line.startswith(name)
    )


def test_systemd_takes_the_unit(tmp_path):
    """Looked at as on a machine where the copy stands where the unit expects it."""
    asked = shutil.which("systemd-analyze")
    if not asked:
        pytest.skip("no systemd-analyze")
    folder = unit("WorkingDirectory=")
    there = read("deploy/secretary.service").replace(f"{folder}/.venv/bin/python", sys.executable)
    (tmp_path / "secretary.service").write_text(there.replace("User=secretary", "User=daemon"))
    verified = subprocess.run(
        [asked, "verify", "--man=no", str(tmp_path / "secretary.service")], capture_output=True, text=True, check=False
    )
    about_it = [line for line in verified.stderr.splitlines() if "secretary.service" in line]
    assert (verified.returncode, about_it) == (0, [])


def test_the_unit_keeps_the_bot_to_itself():
    assert f"{unit('WorkingDirectory=')}/.venv/bin/{START}" == unit("ExecStart=")
    assert unit("ReadWritePaths=") == unit("WorkingDirectory=")
    assert unit("Environment=") == "HOST=127.0.0.1"
    for line in ("NoNewPrivileges=yes", "ProtectSystem=strict", "Restart=always"):
        assert line in read("deploy/secretary.service").splitlines()


# ── the pages ─────────────────────────────────────────────────────────────────────────────────────────────────────


def commands(page: str) -> list[str]:
    found = re.findall(r"^```sh\n(.*?)^```$", read(page), re.MULTILINE | re.DOTALL)
    return [line for block in found for line in block.splitlines()]


NEEDS = {
    "heroku": "an account there",
    "git": "a repository that leads somewhere",
    "fly": "an account there",
    "docker": "an engine for containers",
    "sudo": "a machine whose users may be changed, with systemd",
    "journalctl": "the unit at work",
    "caddy": "a domain that leads here",
    "cloudflared": "the internet to lead here",
}
"""Why no test runs them: what the files say that they name is tested above."""


def test_both_pages_tell_the_same_commands_and_each_needs_something_that_is_not_here():
    assert commands("deploy/README.md") == commands("deploy/README.zh-TW.md")
    assert {line.split()[0] for line in commands("deploy/README.md")} == NEEDS.keys()


@pytest.mark.parametrize("page", ["deploy/README.md", "deploy/README.zh-TW.md"])
def test_what_a_page_leads_to_is_there(page):
    for link in re.findall(r"\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)", read(page)):
        assert not link or (DEPLOY / link).resolve().is_file(), link


@pytest.mark.parametrize("page", ["deploy/README.md", "deploy/README.zh-TW.md"])
def test_what_a_command_names_is_there(page):
    named = {each for line in commands(page) for each in re.findall(r"deploy/[\w.]+", line)}
    assert named == {"deploy/fly.toml", "deploy/compose.yaml", "deploy/secretary.service", "deploy/Caddyfile"}
    assert all((ROOT / each).is_file() for each in named)
    variables = {each for line in commands(page) for each in re.findall(r"\b([A-Z][A-Z_]+)=", line)}
    assert variables <= SETTINGS


def test_the_upgrade_installs_as_the_readme_does():
    installing = (
        ".venv/bin/pip install -q --require-hashes -r requirements.txt && .venv/bin/pip install -q --no-deps -e ."
    )
    assert any(installing in line for line in commands("deploy/README.md"))
    assert installing in read("README.md")
