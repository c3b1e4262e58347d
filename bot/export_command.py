"""``python -m bot export``: a person's records as a table, for the operator. Must not know how the table is made."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.inbox_command import NotPossible
from bot.local_line import FIRST_PERSON
from bot.ports import Person
from bot.sql.exports import Takeout, takeout_from
from bot.voice.spreadsheet import body, head
from tools.record import PersonId


async def export(database_url: str, owners: Sequence[str], person: str, file: Path | None) -> list[str]:
    """Write the table into the file, which must not be there yet, or to the output; what is told of it. Without
    ``person``, whoever the owner is. Beside a running bot. Raises NotPossible, DatabaseUnavailable."""
    async with takeout_from(database_url) as takeout:
        owner = await _whose(takeout, owners, person)
        if file is None:
            await _write(sys.stdout.buffer.write, takeout, owner)
            sys.stdout.buffer.flush()
            return []
        try:
            with file.open("xb") as into:
                count = await _write(into.write, takeout, owner)
        except FileExistsError:
            raise NotPossible(f"{file} is there already: nothing is written over.") from None
        except OSError as trouble:
            raise NotPossible(f"{file} cannot be written ({trouble.strerror}).") from None
    return [f"Records of {owner.id} in {file}: {count}."]


async def _whose(takeout: Takeout, owners: Sequence[str], person: str) -> Person:
    ids = [person] if person else [*owners, *await takeout.people.owners(), FIRST_PERSON]
    found = [each for id_ in ids if (each := await takeout.people.find(PersonId(id_)))]
    if not found:
        told = f"{person} has not talked to this bot" if person else "nobody has talked to this bot yet"
        raise NotPossible(f"{told}: there is nothing to export.")
    return found[0]


async def _write(write: Callable[[bytes], object], takeout: Takeout, owner: Person) -> int:
    write(head(owner.language).encode())
    count = 0
    async for records in takeout.exports.records(owner.id):
        write(body(records, owner.zone, owner.language).encode())
        count += len(records)
    return count
