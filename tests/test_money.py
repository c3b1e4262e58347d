"""What people write for money, read exactly or refused, and how it is written to them."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.money import NotMoney, find_amounts, read_amount, shown


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("120元", "120", None),
        ("120", "120", None),
        ("NT$1,200", "1200", "TWD"),
        ("新台幣 1,200 元", "1200", "TWD"),
        ("1.2萬", "12000", None),
        ("三千五", "3500", None),
        ("一萬二", "12000", None),
        ("一千零五", "1005", None),
        ("兩百五十塊", "250", None),
        ("3千5", "3500", None),
        ("十塊", "10", None),
        ("12块5毛", "12.5", None),
        ("美金 20", "20", "USD"),
        ("¥3,980", "3980", None),
        ("３，９８０円", "3980", "JPY"),
        ("二千円", "2000", "JPY"),
        ("1万2千円", "12000", "JPY"),
        ("35億円", "3500000000", "JPY"),
        ("๒๕๐ บาท", "250", "THB"),
        ("สองร้อยห้าสิบบาท", "250", "THB"),
        ("5 พันบาท", "5000", "THB"),
        ("฿60", "60", "THB"),
        ("$12.50", "12.5", None),
        ("US$12.50", "12.5", "USD"),
        ("12.50 USD", "12.5", "USD"),
        ("EUR 125", "125", "EUR"),
        ("1k", "1000", None),
        ("20 dollars and 43 cents", "20.43", None),
        ("twenty-five dollars", "25", None),
        ("two hundred and fifty baht", "250", "THB"),
        ("€20", "20", "EUR"),
    ],
)
def test_the_ways_people_write_an_amount_are_read(text, value, currency):
    read = read_amount(text)
    assert (read.value, read.currency) == (Decimal(value), currency)


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        # small change, in four languages
        ("50 cents", "0.5", None),
        ("99¢", "0.99", None),
        ("470 pence", "4.7", "GBP"),
        ("50 สตางค์", "0.5", "THB"),
        ("20 บาท 50 สตางค์", "20.5", "THB"),
        ("ห้าบาทครึ่ง", "5.5", "THB"),
        ("10円50銭", "10.5", "JPY"),
        ("三ドル二十セント", "3.2", None),
        ("3美元又20美分", "3.2", "USD"),
        ("五毛", "0.5", None),
        ("三塊半", "3.5", None),
        ("一塊五", "1.5", None),
        ("one kuai and five mao", "1.5", "CNY"),
        ("20 pounds 50 pence", "20.5", None),
        ("fifteen dollars and forty", "15.4", None),
        ("twenty pesos 43", "20.43", None),
        ("12 ringgit 5 sen", "12.05", "MYR"),
        # large ones
        ("1.2 million yen", "1200000", "JPY"),
        ("usd 2 bn", "2000000000", "USD"),
        ("30 musd", "30000000", "USD"),
        ("half a million baht", "500000", "THB"),
        ("two and a half thousand dollars", "2500", None),
        ("one point five million", "1500000", None),
        ("3 crore rupees", "30000000", None),
        ("1,20,000 rupees", "120000", None),
        ("1兆2000億円", "1200000000000", "JPY"),
        ("一萬億元", "1000000000000", None),
        # as they are said
        ("三千五円", "3005", "JPY"),
        ("สองพันห้า", "2500", None),
        ("พันห้าบาท", "1500", "THB"),
        ("ร้อยห้าบาท", "105", "THB"),
        ("สองพันเอ็ด", "2001", None),
        ("さんぜんごひゃく円", "3500", "JPY"),
        ("金壱万円也", "10000", "JPY"),
        ("新台幣壹仟元整", "1000", "TWD"),
        ("大約120元", "120", None),
        ("約3000円", "3000", "JPY"),
        ("ประมาณ 200 บาท", "200", "THB"),
        ("exactly 42 bucks", "42", None),
        # other people's
        ("42 qatari riyals", "42", "QAR"),
        ("mexican pesos 20", "20", "MXN"),
        ("500 swedish kronor", "500", "SEK"),
        ("₪30", "30", "ILS"),
        ("100 ₡", "100", "CRC"),
        ("42 L.E.", "42", "EGP"),
        ("0.5 btc", "0.5", "BTC"),
        ("兩個比特幣", "2", "BTC"),
        ("250 NT", "250", "TWD"),
        ("30 rmb", "30", "CNY"),
    ],
)
def test_small_change_large_sums_and_other_peoples_money_are_read(text, value, currency):
    read = read_amount(text)
    assert (read.value, read.currency) == (Decimal(value), currency)


@pytest.mark.parametrize(
    ("text", "home", "currency"),
    [
        ("$20", "TWD", None),
        ("$20", "JPY", "USD"),
        ("20 dollars", "THB", "USD"),
        ("¥500", "CNY", None),
        ("¥500", "TWD", "JPY"),
        ("20 pounds", "EGP", None),
        ("35 rupees", "USD", "INR"),
        ("50 cents", "EUR", None),
        ("$20 CAD", "USD", "CAD"),
        ("20元", "USD", None),
        ("120", "USD", None),
        ("8ドル", "JPY", "USD"),
        ("8ドル", "CAD", None),
        ("五元三角", "TWD", None),
        ("50元6角3分", "JPY", "CNY"),
    ],
)
def test_a_shared_name_is_the_persons_own_money_only_if_that_bears_it(text, home, currency):
    assert read_amount(text).currency_for(home) == currency


@pytest.mark.parametrize(
    "text",
    [
        "",
        "午餐",
        "午餐 120",
        "120 元 30 元",
        "1,5",
        "1.234,5",
        "12/1",
        "-5",
        "NT$5 USD",
        "abc 20",
        "20 dollars 5",
        "$20 43",
        "twenty thirty dollars",
        "half",
        "£5 EUR",
        "三圓五",
        "元",
        "$",
        "2 3",
        "一二百",
    ],
)
def test_what_is_not_one_certain_amount_is_refused(text):
    with pytest.raises(NotMoney):
        read_amount(text)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("早餐60 捷運30 午餐120", ["60", "30", "120"]),
        ("午餐花了120元", ["120元"]),
        ("ข้าวเที่ยง 60 บาท", ["60 บาท"]),
        ("lunch $12.50, taxi 8", ["$12.50", "8"]),
        ("昼ごはん 850円", ["850円"]),
        ("明天 15:30 開會", []),
        ("12/1 出差", []),
        ("折扣 20%", []),
        ("iPhone15", []),
        ("電話 02-2345-6789", []),
        ("3點開會", []),
        ("畫一個三角形", []),
        ("5元半價", ["5元"]),
        ("糖 50 cents", ["50 cents"]),
        ("ขนม 50 สตางค์", ["50 สตางค์"]),
        ("coffee 3 dollars and 12 eggs", ["3 dollars", "12"]),
        ("lunch 12 all good", ["12"]),
    ],
)
def test_amounts_are_found_and_other_numbers_are_left(sentence, words):
    assert [sentence[each.start : each.end] for each in find_amounts(sentence)] == words


@pytest.mark.parametrize(
    ("value", "currency", "language", "expected"),
    [
        ("120", "TWD", "zh-TW", "120 元"),
        ("4210", "TWD", "zh-TW", "4,210 元"),
        ("850", "JPY", "ja", "850円"),
        ("120", "THB", "th", "120 บาท"),
        ("12.5", "USD", "en", "$12.50"),
        ("12", "USD", "en", "$12"),
        ("12.5", "USD", "zh-TW", "US$12.50"),
        ("3980", "JPY", "zh-TW", "¥3,980"),
        ("1200", "TWD", "ja", "NT$1,200"),
        ("20", "CHF", "en", "CHF 20"),
        ("-5", "TWD", "zh-TW", "-5 元"),
        ("1.250", "KWD", "en", "KWD 1.250"),
    ],
)
def test_an_amount_is_written_as_people_write_it(value, currency, language, expected):
    assert shown(Decimal(value), currency, language) == expected


@given(
    st.integers(0, 10**9), st.sampled_from(["zh-TW", "ja", "th", "en"]), st.sampled_from(["TWD", "JPY", "THB", "USD"])
)
def test_what_is_shown_can_be_read_back(cents, language, currency):
    value = Decimal(cents) / (1 if currency == "JPY" else 100)
    assert read_amount(shown(value, currency, language)).value == value


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text):
    with suppress(NotMoney):
        assert read_amount(text).value >= 0
    for each in find_amounts(text):
        assert 0 <= each.start < each.end <= len(text)
