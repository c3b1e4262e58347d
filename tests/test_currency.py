"""Currencies, and amounts as whole minor units."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.currency import exponent, json_number, known, major, minor

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


@pytest.mark.parametrize(
    ("amount", "code", "exact"), [("12.5", "USD", "12.50"), ("850", "JPY", "850"), ("1.5", "KWD", "1.500")]
)
def test_an_amount_in_minor_units_has_the_decimals_of_its_currency(amount: str, code: str, exact: str):
    assert str(major(minor(Decimal(amount), code), code)) == exact


@pytest.mark.parametrize("amount", ["850.5", "1." + "0" * 38 + "1"])
def test_an_amount_is_finer_than_its_currency_only_with_an_error(amount: str):
    with pytest.raises(ValueError, match="JPY"):
        minor(Decimal(amount), "JPY")


@pytest.mark.parametrize(("value", "told"), [("120", "120"), ("12.50", "12.5"), ("1E+3", "1000"), ("-3.0", "-3")])
def test_a_number_in_json_has_no_needless_fraction(value: str, told: str):
    assert json.dumps(json_number(Decimal(value))) == told
