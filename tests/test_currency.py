"""Currencies, and amounts as whole minor units."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.currency import exponent, known, major, minor

CODES = ["TWD", "JPY", "THB", "USD", "EUR", "KRW", "VND", "KWD"]


def test_active_codes_are_known_and_others_are_not():
    assert all(known(code) for code in CODES)
    assert not any(known(code) for code in ("", "twd", "NT$", "XXX", "ITL", "HRK", "ABC"))


@pytest.mark.parametrize(("code", "decimals"), [("JPY", 0), ("TWD", 2), ("KWD", 3), ("ISK", 0), ("???", 2), (None, 2)])
def test_decimals_of_a_currency(code: str | None, decimals: int):
    assert exponent(code) == decimals


@given(st.integers(-(10**14), 10**14), st.sampled_from(CODES))
def test_minor_units_and_amounts_lead_to_each_other(units: int, code: str):
    assert minor(major(units, code), code) == units


@pytest.mark.parametrize(
    ("amount", "code"), [("0.1", "JPY"), ("0.001", "USD"), ("NaN", "USD"), ("-Infinity", "USD"), ("1e30", "JPY")]
)
def test_what_the_currency_cannot_express_is_refused(amount: str, code: str):
    with pytest.raises(ValueError, match=r"decimals|number"):
        minor(Decimal(amount), code)
