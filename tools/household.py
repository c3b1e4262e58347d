"""The people who share a list: by what names they are known there, and who owes whom what.

Pure. Amounts are whole minor units of one currency, so that shares add up to the last cent. Must not know where the
names come from, how a payment is stored, or in which words it is told.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tools.record import PersonId

NAME_LENGTH = 20
"""Characters of a name: as many as a network shows, and too few for a speech."""

MOST_EXACT = 12
"""Up to so many debts and credits the fewest payments are found; beyond, a few more may be named."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a household, and what they are called there."""

    id: PersonId
    name: str


@dataclass(frozen=True, slots=True)
class Household:
    """A group with a list of its own. ``id`` owns its records as a person owns theirs. ``members`` are those who are
    known and in it now; ``left`` those who were."""

    id: PersonId
    name: str = ""
    members: tuple[Member, ...] = ()
    left: tuple[Member, ...] = ()

    @property
    def names(self) -> dict[PersonId, str]:
        """Everyone's own name: of two who are called alike the second is told apart by a number."""
        seen: Counter[str] = Counter()
        named: dict[PersonId, str] = {}
        for each in (*self.members, *self.left):
            seen[each.name] += 1
            named[each.id] = each.name if seen[each.name] == 1 else f"{each.name} ({seen[each.name]})"
        return named

    def called(self, text: str) -> PersonId | None:
        """The one member who can be meant; None if nobody is, or several."""
        wanted = _plain(text).removeprefix("@").strip()
        known = {each.id: _plain(self.names[each.id]) for each in self.members}
        for fits in (str.__eq__, str.startswith, str.__contains__):
            found = [person for person, name in known.items() if wanted and fits(name, wanted)]
            if found:
                return found[0] if len(found) == 1 else None
        return None


def tidy_name(given: str | None) -> str:
    """A name as it may be shown: one short line without anything that is not seen; "" if nothing is left."""
    seen = "".join(sign if unicodedata.category(sign)[0] != "C" else " " for sign in given or "")
    return " ".join(seen.split())[:NAME_LENGTH].strip()


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


# ── who owes whom ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Transfer:
    """What one has to pay to another, in minor units."""

    debtor: PersonId
    creditor: PersonId
    amount: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """How one currency is shared: everyone's share, and the payments that make it even. In minor units."""

    total: int
    shares: Mapping[PersonId, int]
    transfers: tuple[Transfer, ...]


NO_SMALL_COIN = frozenset({"TWD"})
"""Currencies of which nobody has the hundredths that the standard gives them."""


def coin(currency: str, amounts: Iterable[int]) -> int:
    """The smallest amount that people hand each other, in minor units."""
    whole = currency in NO_SMALL_COIN and all(amount % 100 == 0 for amount in amounts)
    return 100 if whole else 1


def settle(paid: Mapping[PersonId, int], people: Sequence[PersonId], coin: int = 1) -> Settlement:
    """Share what was paid evenly among these people and whoever else paid, in the fewest payments. What cannot be
    divided is borne by those who stand first, a ``coin`` each; all amounts are multiples of it."""
    sharers = list(dict.fromkeys([*people, *paid]))
    total = sum(paid.values())
    share, rest = divmod(total // coin, len(sharers)) if sharers else (0, 0)
    shares = {person: (share + (place < rest)) * coin for place, person in enumerate(sharers)}
    balances = {person: paid.get(person, 0) - shares[person] for person in sharers}
    uneven = [(person, balance) for person, balance in balances.items() if balance]
    transfers = [each for circle in _circles(uneven) for each in _even(circle)]
    return Settlement(total, shares, tuple(transfers))


_Balances = list[tuple[PersonId, int]]


def _even(circle: _Balances) -> list[Transfer]:
    """The largest debt goes to the largest credit until nothing is left: one payment fewer than there are people."""
    left = dict(circle)
    transfers = []
    while any(left.values()):
        debtor, creditor = min(left, key=lambda each: left[each]), max(left, key=lambda each: left[each])
        amount = min(-left[debtor], left[creditor])
        left[debtor] += amount
        left[creditor] -= amount
        transfers.append(Transfer(debtor, creditor, amount))
    return transfers


def _circles(uneven: _Balances) -> list[_Balances]:
    """As many groups as there can be that each come out even among themselves: every one of them saves a payment."""
    if not uneven or len(uneven) > MOST_EXACT:
        return [uneven] if uneven else []
    sums, most = _tables([balance for _, balance in uneven])
    circles: list[_Balances] = [[]]
    whole = len(sums) - 1
    while whole:
        if not sums[whole] and circles[-1]:
            circles.append([])
        places = [place for place in range(len(uneven)) if whole >> place & 1]
        best = next(place for place in places if most[whole & ~(1 << place)] == most[whole] - (not sums[whole]))
        circles[-1].append(uneven[best])
        whole &= ~(1 << best)
    return circles


def _tables(balances: Sequence[int]) -> tuple[list[int], list[int]]:
    """For every set of balances (as bits): what it comes to, and into how many even groups it can fall at most."""
    sums, most = [0], [0]
    for these in range(1, 1 << len(balances)):
        places = [place for place in range(len(balances)) if these >> place & 1]
        sums.append(sums[these & ~(1 << places[0])] + balances[places[0]])
        most.append(max(most[these & ~(1 << place)] for place in places) + (not sums[-1]))
    return sums, most
