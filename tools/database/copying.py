"""Everything of one store into another, empty one: from SQLite to PostgreSQL, or back.

Must not know what the tables mean: it copies every table on ``metadata``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from sqlalchemy import Connection, LargeBinary, Table, exc, func, insert, inspect, select

from tools.database import Database, address_of, metadata, sqlite_file
from tools.database.postgresql_store import without_limits
from tools.database.sqlite_files import refused_in_words, working_alone
from tools.database.trouble import CopyRefused

BATCH = 1_000
"""Rows in memory at once."""

BATCH_OF_BYTES = 4
"""The same of rows that hold up to twenty megabytes each."""

NOT_COPIED = ("alembic_version", "procrastinate_")
"""Tables that the target has of its own: its schema's version, and the bell of the workers. By their beginnings."""


ONE_MOMENT = (
    "This is one moment of the store: what a bot has stored since is not in it. If one was running, stop it, and copy "
    "again into an empty store."
)
"""Told of a store on which somebody may be at work unseen."""


async def copy_store(source_url: str, target_url: str) -> list[str]:
    """Copy all rows, in one transaction, into a store that has none; what was copied, line by line.

    Whoever calls it has imported every module that puts a table on ``metadata``; a table that is not known is refused.
    The source is brought up to this program's schema first. No bot may work on a SQLite file, which is made sure; of a
    PostgreSQL, where that cannot be, one moment is copied, and the lines say so. Nobody may work on the target.
    Raises CopyRefused, DatabaseUnavailable.
    """
    source, target = Database(source_url), Database(target_url)
    try:
        with _nobody_works_on(source_url, target_url):
            await source.start()
            await target.start()
            rows = await asyncio.to_thread(
                target.write_here, lambda into: source.read_here(lambda out: _all(out, into))
            )
    finally:
        await source.close()
        await target.close()
    told = [f"  {table}: {count}" for table, count in rows.items()]
    where = address_of(target_url).render_as_string(hide_password=True)
    still = [] if sqlite_file(source_url) else [ONE_MOMENT]
    return [
        f"{sum(rows.values())} rows are copied and counted again in {where}:",
        *told,
        *still,
        "Set DATABASE_URL to it now.",
    ]


@contextmanager
def _nobody_works_on(source_url: str, target_url: str) -> Iterator[None]:
    source, target = sqlite_file(source_url), sqlite_file(target_url)
    if source is not None and not source.is_file():
        raise CopyRefused(f"{source} is not there: nothing to copy.")
    if address_of(source_url) == address_of(target_url) or (source is not None and source == target):
        raise CopyRefused("Both addresses name the same store.")
    with ExitStack() as alone:
        for file in filter(None, (source, target)):
            alone.enter_context(refused_in_words(file))
            file.parent.mkdir(parents=True, exist_ok=True)
            alone.enter_context(working_alone(file))
        yield


def _all(out: Connection, into: Connection) -> dict[str, int]:
    """The rows of each table. Raises CopyRefused, which leaves the target as it was."""
    for each in (out, into):
        if each.dialect.name == "postgresql":
            without_limits(each)
        _refuse_unknown_tables(each)
    _refuse_unless_empty(into)
    return {table.name: _table(table, out, into) for table in metadata.sorted_tables}


def _table(table: Table, out: Connection, into: Connection) -> int:
    with out.execution_options(yield_per=_batch(table)).execute(select(table)) as rows:
        try:
            for batch in rows.mappings().partitions():
                into.execute(insert(table), [dict(row) for row in batch])
        except exc.DataError as refused:
            raise CopyRefused(f"{table.name} holds what the target does not take: {refused.orig}") from refused
    _number_on(table, into)
    here, there = _count(table, out), _count(table, into)
    if here != there:
        raise CopyRefused(f"{table.name} has {here} rows, and {there} arrived: nothing is kept of it")
    return there


def _batch(table: Table) -> int:
    """Rows of a table with bytes in it may be large."""
    return BATCH_OF_BYTES if any(isinstance(each.type, LargeBinary) for each in table.columns) else BATCH


def _number_on(table: Table, into: Connection) -> None:
    """PostgreSQL counts on from where its sequence stands; SQLite from the highest number there is.

    https://www.postgresql.org/docs/current/functions-sequence.html
    """
    column = table.autoincrement_column
    if column is not None and into.dialect.name == "postgresql":
        highest = select(func.max(column)).scalar_subquery()
        into.execute(select(func.setval(func.pg_get_serial_sequence(table.name, column.name), highest)))


def _count(table: Table, connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _refuse_unknown_tables(connection: Connection) -> None:
    tables = set(inspect(connection).get_table_names())
    unknown = sorted(each for each in tables - set(metadata.tables) if not each.startswith(NOT_COPIED))
    if unknown:
        raise CopyRefused(f"nobody here knows the table {unknown[0]}: it would be left behind")


def _refuse_unless_empty(into: Connection) -> None:
    for table in metadata.sorted_tables:
        if _count(table, into):
            raise CopyRefused(f"The target is not empty, {table.name} has rows: name an empty database.")
