"""Who owes whom, in words: from what was paid, by code alone.

Pure. Must not know how payments are stored, or when debts began to count.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.voice.household_words import household_words
from bot.voice.receipt_words import receipt_words
from bot.voice.record_text import money
from tools.currency import major
from tools.household import Household, Settlement, coin, settle
from tools.record import Language, PersonId


def settlement_text(paid: Mapping[str, Mapping[PersonId, int]], household: Household, language: Language) -> str:
    """For each currency the sum, each one's share, and the payments that make it even; "" if nothing was paid."""
    people = [each.id for each in household.members]
    parts = []
    for currency, by_person in paid.items():
        known = {person: units for person, units in by_person.items() if person != household.id}
        settlement = settle(known, people, coin(currency, known.values()))
        parts.append(_one(settlement, currency, household, language))
    return "\n".join(filter(None, parts))


def _one(settlement: Settlement, currency: str, household: Household, language: Language) -> str:
    if not settlement.total and not settlement.transfers:
        return ""
    words = household_words(language)

    def said(units: int) -> str:
        return money(major(units, currency), currency, language)

    def named(person: PersonId) -> str:
        return household.names.get(person) or words.nameless

    comma = receipt_words(language).comma
    names = comma.join(map(named, settlement.shares))
    lines = [words.settlement(said(settlement.total), names)]
    shares = set(settlement.shares.values())
    if len(shares) == 1:
        lines.append(words.share(said(shares.pop())))
    else:
        lines.append(comma.join(f"{named(person)} {said(share)}" for person, share in settlement.shares.items()))
    lines += [
        words.transfer(named(each.debtor), named(each.creditor), said(each.amount)) for each in settlement.transfers
    ]
    return "\n".join(lines if settlement.transfers else [*lines, words.is_even])
