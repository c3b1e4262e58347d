"""The currencies there are, and how many decimals each counts in (ISO 4217).

Pure. Amounts are kept as whole minor units (cents, yen), so that sums are exact and equal on every store. Must not know
how people write amounts or which currency a person uses.
"""

from __future__ import annotations

from decimal import Decimal

# https://www.six-group.com/en/products-services/financial-information/data-standards.html (list one, active codes)
CODES = frozenset(
    """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP
    CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR
    IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU
    MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG
    SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV
    WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
    """.split()  # noqa: SIM905 - one code a line is 150 lines
)
"""Every active code of a country's money."""
WHOLE = frozenset({"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"})  # fmt: skip  # noqa: E501 - one table, one line
THOUSANDTHS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
_LARGEST = 10**15
"""Minor units of one amount: thousands of such amounts still add up within 64 bits."""


def known(code: str) -> bool:
    """Whether this is an active ISO 4217 code of a country's money (upper case)."""
    return code in CODES


def exponent(code: str | None) -> int:
    """Decimals of the currency: 0 for JPY, 3 for KWD, 2 for most and for what is not known."""
    if code in WHOLE:
        return 0
    return 3 if code in THOUSANDTHS else 2


def minor(amount: Decimal, code: str | None) -> int:
    """The amount in whole minor units. Raises ValueError for more decimals than the currency has, for what is no
    number, and for what is too large to be added up."""
    if not amount.is_finite() or abs(amount) >= _LARGEST:
        raise ValueError("an amount is a number below a thousand billions")
    scaled = amount.scaleb(exponent(code))
    if abs(scaled) >= _LARGEST or major(int(scaled), code) != amount:
        raise ValueError(f"{code or 'this currency'} counts in {exponent(code)} decimals")
    return int(scaled)


def json_number(value: Decimal) -> int | float:
    """The value as JSON has it: whole where it is, else the nearest double."""
    return int(value) if value == value.to_integral_value() else float(value)


def major(units: int, code: str | None) -> Decimal:
    """The amount that so many minor units are."""
    return Decimal(units).scaleb(-exponent(code))
