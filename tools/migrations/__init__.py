"""The versions of the schema, each a numbered file, and the way from any of them to the newest.

Alembic is imported only if there is something to do: a start on an up-to-date store does not pay for it. Must not know
what the tables mean, or which store they are in.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

FOLDER = Path(__file__).parent


class SchemaTooNew(Exception):
    """The store was written by a newer version of this program, and is left alone."""


def head() -> str:
    """The newest version this program knows: file ``0001_memory.py`` is version ``0001``."""
    return max(_known())


def current(connection: Connection) -> str | None:
    """The store's version; None for a store without tables. Raises SchemaTooNew."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    if version is not None and version not in _known():
        raise SchemaTooNew(f"the database is at version {version}, this program knows {head()}: update the program")
    return str(version) if version else None


def upgrade(connection: Connection, to: str = "head") -> None:
    """Bring the store to the version, inside the transaction the connection is in."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def _known() -> set[str]:
    return {file.name.partition("_")[0] for file in (FOLDER / "versions").glob("[0-9]*_*.py")}
