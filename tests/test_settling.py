"""Who owes whom: shares that add up, and the fewest payments."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.voice.settling import settlement_text
from tools.household import MOST_EXACT, Household, Member, coin, settle, tidy_name
from tools.record import PersonId

PEOPLE = [PersonId(f"U{number}") for number in range(6)]
AMOUNTS = st.dictionaries(st.sampled_from(PEOPLE), st.integers(-5_000, 100_000), max_size=6)


@settings(max_examples=200)
@given(AMOUNTS, st.lists(st.sampled_from(PEOPLE), min_size=1, unique=True), st.sampled_from([1, 100]))
def test_shares_add_up_and_differ_by_one_coin_and_the_payments_make_it_even(paid, people, unit):
    paid = {person: amount // unit * unit for person, amount in paid.items()}
    found = settle(paid, people, unit)

    assert sum(found.shares.values()) == found.total == sum(paid.values())
    assert max(found.shares.values()) - min(found.shares.values()) in {0, unit}
    balance = {person: paid.get(person, 0) - share for person, share in found.shares.items()}
    for each in found.transfers:
        assert each.amount > 0
        assert each.amount % unit == 0
        balance[each.debtor] += each.amount
        balance[each.creditor] -= each.amount
    assert set(balance.values()) <= {0}


def fewest(balances: list[int]) -> int:
    """By trying every way to cut the people into groups that are even among themselves."""
    uneven = [each for each in balances if each]

    def most_groups(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        first, rest = left[0], left[1:]
        best = 0
        for size in range(len(rest) + 1):
            for chosen in itertools.combinations(range(len(rest)), size):
                if first + sum(rest[place] for place in chosen) == 0:
                    others = tuple(each for place, each in enumerate(rest) if place not in chosen)
                    best = max(best, 1 + most_groups(others))
        return best

    return len(uneven) - most_groups(tuple(uneven))


@settings(max_examples=150)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=6))
def test_nobody_pays_more_often_than_needed(amounts):
    paid = dict(zip(PEOPLE, amounts, strict=False))
    found = settle(paid, list(paid))
    balances = [paid[person] - share for person, share in found.shares.items()]

    assert len(found.transfers) == fewest(balances)


def test_a_large_crowd_comes_out_even_too():
    crowd = [PersonId(f"U{number}") for number in range(MOST_EXACT + 8)]
    found = settle({crowd[0]: 2_000, crowd[1]: 1}, crowd)

    assert sum(found.shares.values()) == 2_001
    assert len(found.transfers) < len(crowd)


def test_nobody_owes_anything_where_nothing_was_paid():
    assert settle({}, []).transfers == ()
    assert settle({}, PEOPLE).total == 0


@pytest.mark.parametrize(
    ("currency", "amounts", "smallest"),
    [("TWD", [10_000, 500], 100), ("TWD", [10_050], 1), ("USD", [10_000], 1), ("JPY", [300], 1)],
)
def test_the_smallest_amount_is_what_people_have_in_their_pockets(currency, amounts, smallest):
    assert coin(currency, amounts) == smallest


def test_each_currency_is_settled_for_itself_and_what_is_even_is_said_to_be():
    home = Household(PersonId("C1"), "", tuple(Member(each, name) for each, name in zip(PEOPLE, "甲乙", strict=False)))
    paid = {"TWD": {PEOPLE[0]: 10_000, PEOPLE[1]: 10_000, PersonId("C1"): 77}, "JPY": {PEOPLE[0]: 301}, "USD": {}}

    assert settlement_text(paid, home, "en") == (
        "NT$200 in all, split between 甲, 乙.\nNT$100 each\nAll even, nobody owes anything.\n"
        "¥301 in all, split between 甲, 乙.\n甲 ¥151, 乙 ¥150\n乙 → 甲 ¥150"
    )
    assert settlement_text({}, home, "th") == ""


@pytest.mark.parametrize(
    ("given_", "shown"),
    [("  小\n美\u202e ", "小 美"), (None, ""), ("\u200b", ""), ("名" * 50, "名" * 20)],
)
def test_a_name_is_one_short_line(given_, shown):
    assert tidy_name(given_) == shown
