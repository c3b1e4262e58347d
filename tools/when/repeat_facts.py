"""What words state about repeating: from a match to ``Facts``.

Pure. Must not know today's date or who asks.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from tools.when.facts import Facts, Groups, number_in, within
from tools.when.numbers import NotUnderstood, number
from tools.when.rules import Language, Rule
from tools.when.words import WEEKDAYS

_TO: Final = "to|through|thru|から|ถึง|[到至~〜–-]"
_MOST: Final = 999
_LAST_WORDS: Final = frozenset({"last", "สุดท้าย"})
_WEEK: Final = 7


def every(groups: Groups, rule: Rule, language: Language) -> Facts:
    """每週一三五, 3日ごと, every other Friday. Of so many "between" (每隔三天, 3日おき) some mean one more: a guess."""
    assert isinstance(rule.value, tuple)
    freq, interval, *more = rule.value
    loose = None
    if interval <= 0:
        count = number_in(groups, "n", language)
        loose = True if freq == "DAILY" and ("隔" in groups["all"] or interval < 0) else None
        interval = within(count, 1, _MOST) or 1
        interval += 1 if loose else 0
    stated: dict[str, object] = {"every": (freq, interval), "loose": loose}
    for extra in more:
        name = "weekdays" if isinstance(extra, tuple) else "edge" if extra == "end" else "part"
        stated[name] = extra
    if "days" in groups:
        stated["weekdays"] = weekdays_in(groups["days"])
    if "dom" in groups:
        stated["dom"] = within(int(groups["dom"]), 1, 31)
    return Facts(**stated)  # type: ignore[arg-type]  # fields by name, with their values


def nths(groups: Groups, rule: Rule, language: Language) -> Facts:
    """The second and fourth Saturday: which of their month, and which weekday."""
    words = re.findall(_NTH, groups["nths"]) if "nths" in groups else ()
    found = {_nth(word, language) for word in words} or {int(str(rule.value))}
    days = weekdays_in(groups["days"])
    return Facts(nths=tuple(sorted(found, key=lambda nth: (nth < 0, nth))), weekdays=days, every=_monthly(groups))


def workday(groups: Groups, rule: Rule, _: Language) -> Facts:
    """The first or last day of a month on which people work."""
    return Facts(workday=int(str(rule.value)), every=_monthly(groups))


def _monthly(groups: Groups) -> tuple[str, int] | None:
    """English and Chinese may say so in the same breath: the last workday of each month."""
    return ("MONTHLY", 1) if re.search("month|every|each|[每毎]", groups["all"]) else None


def doms(groups: Groups, _: Rule, language: Language) -> Facts:
    """15、30號: several days of a month."""
    found = {number(each, language.numbers.items()) for each in re.split("[、,・和跟及與と]", groups["doms"])}
    return Facts(doms=tuple(sorted(within(each, 1, 31) or 1 for each in found)))


_NTH: Final = r"last|สุดท้าย|แรก|\d(?:st|nd|rd|th)?|[一二三四五]|first|second|third|fourth|fifth|หนึ่ง|สอง|สาม|สี่|ห้า"


def _nth(word: str, language: Language) -> int:
    if word in _LAST_WORDS:
        return -1
    return 1 if word == "แรก" else within(number(word, language.numbers.items()), 1, 5) or 1


@cache
def _weekday_words() -> re.Pattern[str]:
    words = "|".join(sorted((re.escape(word) for word in WEEKDAYS if not word.isdigit()), key=len, reverse=True))
    return re.compile(rf"(?P<to>{_TO})|(?P<w>{words})(?:曜日?|[a-z]+)?")


def weekdays_in(text: str) -> tuple[int, ...]:
    """一、三、五 → (0, 2, 4), Mon-Fri → (0, 1, 2, 3, 4), in the order of the week. Raises NotUnderstood."""
    found: list[int] = []
    through = False
    for match in _weekday_words().finditer(text):
        if match["to"]:
            through = True
            continue
        day = WEEKDAYS[match["w"]]
        if through and found:
            found += [(found[-1] + step) % _WEEK for step in range(1, (day - found[-1]) % _WEEK)]
        found.append(day)
        through = False
    if len(found) != len(set(found)):
        raise NotUnderstood("a day of the week is named twice")
    return tuple(sorted(found))
