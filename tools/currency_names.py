"""The English names of the world's money: "swiss francs", "qatari riyals", "pesos".

Data only, in the folded alphabet of ``alphabet``. Must not know who asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DOLLARS, POUNDS, RUPEES, FRANCS, RIYALS, RIALS = "dollars", "pounds", "rupees", "francs", "riyals", "rials"
PESOS, DINARS, CROWNS, DIRHAMS, CENTS, YEN = "pesos", "dinars", "crowns", "dirhams", "cents", "yen"
JIAO = "jiao"

SHARED: Final[Mapping[str, tuple[str, ...]]] = {
    DOLLARS: ("USD", "TWD", "HKD", "SGD", "AUD", "CAD", "NZD", "MXN", "CLP", "COP", "ARS", "MOP", "JMD", "FJD"),
    POUNDS: ("GBP", "EGP", "LBP", "SYP", "SDG", "GIP", "FKP", "SHP"),
    RUPEES: ("INR", "PKR", "LKR", "NPR", "MUR", "SCR"),
    FRANCS: ("CHF", "XOF", "XAF", "XPF", "CDF", "RWF", "DJF", "GNF", "BIF", "KMF"),
    RIYALS: ("SAR", "QAR", "OMR", "YER", "IRR"),
    RIALS: ("IRR", "OMR", "YER", "QAR", "SAR"),
    PESOS: ("MXN", "PHP", "ARS", "COP", "CLP", "CUP", "DOP", "UYU"),
    DINARS: ("KWD", "JOD", "BHD", "IQD", "DZD", "TND", "LYD", "RSD"),
    CROWNS: ("SEK", "NOK", "DKK", "ISK", "CZK"),
    DIRHAMS: ("AED", "MAD"),
    CENTS: ("USD", "EUR", "AUD", "CAD", "NZD", "SGD", "HKD", "ZAR", "TWD"),
    YEN: ("JPY", "CNY"),
    JIAO: ("CNY", "TWD", "HKD"),
}
"""Names and signs that several countries share, and whose they are: the person's own if it is among these, else the
first. A name that is in no such list (元) leaves the currency to the person's setting alone."""

_UNITS: Final[Mapping[str, str]] = {
    "dollar": DOLLARS, "buck": DOLLARS, "pound": POUNDS, "quid": "GBP", "rupee": RUPEES, "franc": FRANCS,
    "riyal": RIYALS, "rial": RIALS, "peso": PESOS, "dinar": DINARS, "crown": CROWNS, "krona": "SEK", "kronor": "SEK",
    "kroner": "NOK", "krone": "NOK", "kr": CROWNS, "dirham": DIRHAMS, "euro": "EUR", "€ur": "EUR", "yen": "JPY",
    "yuan": "CNY", "kuai": "CNY", "renminbi": "CNY", "won": "KRW", "baht": "THB", "ringgit": "MYR", "rand": "ZAR",
    "real": "BRL", "reais": "BRL", "lira": "TRY", "ruble": "RUB", "rouble": "RUB", "rupiah": "IDR", "dong": "VND",
    "zloty": "PLN", "forint": "HUF", "shekel": "ILS", "taka": "BDT", "hryvnia": "UAH", "naira": "NGN", "kip": "LAK",
    "kyat": "MMK", "riel": "KHR", "tenge": "KZT", "colon": "CRC", "sol": "PEN", "cedi": "GHS", "lari": "GEL",
    "pound sterling": "GBP", "pounds sterling": "GBP",
}  # fmt: skip

_COUNTRIES: Final[Mapping[str, Mapping[str, str]]] = {
    "dollar": {
        "us": "USD", "u.s.": "USD", "american": "USD", "united states": "USD", "australian": "AUD", "australia": "AUD",
        "aussie": "AUD", "canadian": "CAD", "canada": "CAD", "hong kong": "HKD", "singapore": "SGD",
        "singaporean": "SGD", "taiwan": "TWD", "taiwanese": "TWD", "new taiwan": "TWD", "nt": "TWD",
        "new zealand": "NZD", "kiwi": "NZD", "jamaican": "JMD", "fiji": "FJD", "fijian": "FJD", "brunei": "BND",
        "bahamian": "BSD", "barbados": "BBD", "namibian": "NAD", "liberian": "LRD",
    },
    "buck": {"us": "USD", "american": "USD", "australian": "AUD", "canadian": "CAD"},
    "pound": {
        "british": "GBP", "uk": "GBP", "english": "GBP", "egyptian": "EGP", "egypt": "EGP", "lebanese": "LBP",
        "lebanon": "LBP", "syrian": "SYP", "sudanese": "SDG",
    },
    "rupee": {
        "indian": "INR", "india": "INR", "pakistani": "PKR", "pakistan": "PKR", "sri lankan": "LKR",
        "sri lanka": "LKR", "nepalese": "NPR", "nepali": "NPR", "mauritian": "MUR",
    },
    "franc": {"swiss": "CHF", "cfa": "XOF", "congolese": "CDF", "rwandan": "RWF"},
    "riyal": {"saudi": "SAR", "saudi arabian": "SAR", "qatari": "QAR", "qatar": "QAR", "omani": "OMR", "yemeni": "YER"},
    "rial": {"iranian": "IRR", "iran": "IRR", "omani": "OMR", "yemeni": "YER", "qatari": "QAR", "saudi": "SAR"},
    "peso": {
        "mexican": "MXN", "mexico": "MXN", "philippine": "PHP", "filipino": "PHP", "argentine": "ARS",
        "colombian": "COP", "chilean": "CLP", "cuban": "CUP", "dominican": "DOP", "uruguayan": "UYU",
    },
    "dinar": {
        "kuwaiti": "KWD", "kuwait": "KWD", "jordanian": "JOD", "jordan": "JOD", "bahraini": "BHD", "iraqi": "IQD",
        "algerian": "DZD", "tunisian": "TND", "libyan": "LYD", "serbian": "RSD",
    },
    "krona": {"swedish": "SEK", "icelandic": "ISK"},
    "kronor": {"swedish": "SEK"},
    "krone": {"norwegian": "NOK", "danish": "DKK"},
    "kroner": {"norwegian": "NOK", "danish": "DKK"},
    "crown": {"czech": "CZK", "swedish": "SEK", "norwegian": "NOK", "danish": "DKK"},
    "dirham": {"uae": "AED", "emirati": "AED", "moroccan": "MAD"},
    "ringgit": {"malaysian": "MYR", "malaysia": "MYR"},
    "yen": {"japanese": "JPY", "japan": "JPY"},
    "yuan": {"chinese": "CNY", "china": "CNY"},
    "won": {"korean": "KRW", "south korean": "KRW"},
    "baht": {"thai": "THB", "thailand": "THB"},
    "rand": {"south african": "ZAR"},
    "real": {"brazilian": "BRL"},
    "reais": {"brazilian": "BRL"},
    "lira": {"turkish": "TRY"},
    "ruble": {"russian": "RUB"},
    "rouble": {"russian": "RUB"},
    "rupiah": {"indonesian": "IDR"},
    "dong": {"vietnamese": "VND"},
    "zloty": {"polish": "PLN"},
    "shekel": {"israeli": "ILS"},
    "lari": {"georgian": "GEL"},
}  # fmt: skip


def _both(names: Mapping[str, str]) -> dict[str, str]:
    """Each name for one and for several."""
    return {form: code for name, code in names.items() for form in (name, f"{name}s")}


ENGLISH_NAMES: Final[Mapping[str, str]] = _both(_UNITS)
"""Behind an amount: a code, or one of ``SHARED``."""
NAMES_WITH_COUNTRY: Final[Mapping[str, str]] = _both(
    {f"{country} {unit}": code for unit, countries in _COUNTRIES.items() for country, code in countries.items()}
)
"""The same with the country in front, which makes it certain."""
