"""A schema or a database of a test's own on the PostgreSQL that SECRETARY_TEST_POSTGRES names."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import NullPool, create_engine, text

from tools.database import address_of


def server() -> str:
    """The server's URL; the test skips where there is none."""
    named = os.environ.get("SECRETARY_TEST_POSTGRES")
    if not named:
        pytest.skip("SECRETARY_TEST_POSTGRES names no PostgreSQL")
    return named


@contextmanager
def schema_of_its_own() -> Iterator[str]:
    """The URL of an empty schema, gone afterwards together with the bell's beside it."""
    name, address = f"test_{uuid.uuid4().hex}", address_of(server())
    engine = create_engine(address, poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    try:
        of_its_own = address.set(drivername="postgresql").update_query_dict({"options": f"-csearch_path={name}"})
        yield of_its_own.render_as_string(hide_password=False)
    finally:
        with engine.begin() as connection:
            found = text("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, :name)")
            for each in connection.execute(found, {"name": name}).scalars().all():
                connection.execute(text(f"DROP SCHEMA {each} CASCADE"))


@contextmanager
def database_of_its_own(where: str) -> Iterator[str]:
    """The URL of an empty database on this server, gone afterwards: for whoever needs more than a schema."""
    name, address = f"test_{uuid.uuid4().hex}", address_of(where)
    engine = create_engine(address, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'"))
    try:
        yield address.set(drivername="postgresql", database=name).render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
