"""What a hosting platform tells of itself by the variables it sets, and whether it keeps a file.

Must not know settings, nor what is kept; the environment is handed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

PLATFORMS: Final[Mapping[str, str]] = {
    "RENDER": "Render",
    "DYNO": "Heroku",
    "FLY_APP_NAME": "Fly.io",
    "RAILWAY_ENVIRONMENT": "Railway",
    "KOYEB_APP_NAME": "Koyeb",
    "K_SERVICE": "Cloud Run",
    "WEBSITE_HOSTNAME": "Azure",
}
"""A variable that each of them sets, and its name for people."""

ADDRESSES: Final[Mapping[str, str]] = {
    "RENDER_EXTERNAL_URL": "{}",
    "RAILWAY_PUBLIC_DOMAIN": "https://{}",
    "KOYEB_PUBLIC_DOMAIN": "https://{}",
    "FLY_APP_NAME": "https://{}.fly.dev",
    "HEROKU_APP_DEFAULT_DOMAIN_NAME": "https://{}",
    "WEBSITE_HOSTNAME": "https://{}",
}
"""The variable that says where people reach what runs there, and how an address is made of it."""

WIPED: Final = "the disk there is wiped at each deploy and restart, and every record with it"

WAYS_OUT: Final = (
    "put the file on a volume (DATABASE_URL=sqlite:////data/secretary.db), or set DATABASE_URL to a postgresql:// "
    "address; for one person alone Notion suffices, from which records come back by themselves"
)
"""Both for the operator: what happens, and what helps."""


def platform(environment: Mapping[str, str]) -> str:
    """Its name, or "" on a machine of one's own."""
    return next((name for variable, name in PLATFORMS.items() if environment.get(variable)), "")


def own_address(environment: Mapping[str, str]) -> str:
    """Where people reach what runs there, without a slash at its end; "" where the platform does not say."""
    found = next((form.format(environment[each]) for each, form in ADDRESSES.items() if environment.get(each)), "")
    return (found if "://" in found or not found else f"https://{found}").rstrip("/")


def loses(file: Path | None, environment: Mapping[str, str]) -> str:
    """The name of the platform that throws this file away with the next start; "" where it stays.

    A platform keeps what lies on a volume, and a volume is mounted somewhere below the root.
    """
    if file is None or not (name := platform(environment)):
        return ""
    on_a_volume = any(each.is_mount() for each in file.absolute().parents if each != Path(file.anchor))
    return "" if on_a_volume else name
