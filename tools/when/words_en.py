"""The words for time in English.

Data only; ``rules`` says how a row is read. Must not know what day it is.
"""

from __future__ import annotations

from tools.number_words import ENGLISH_NUMBERS
from tools.when.rules import Language, Rule, days, holidays, parts, periods

_ONES = {**ENGLISH_NUMBERS, "a": 1, "an": 1, "another": 1}
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
_EW = r"(?P<w>monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thurs?|thu|fri)\b\.?"
_EM = (
    r"(?P<mn>january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
)
_ED = (
    r"(?P<d>\d{1,2}(?:st|nd|rd|th)?(?!:\d)|(?:twenty|thirty)[ -](?:"
    + "|".join([*_ORDINALS][:9])
    + ")|"
    + "|".join(_ORDINALS)
    + ")"
)
_ENUM = (
    r"(?:\d{1,4}|(?:twenty|thirty|forty|fifty)[ -](?:one|two|three|four|five|six|seven|eight|nine)|"
    + "|".join(sorted(_ONES, key=len, reverse=True))
    + ")"
)
_HOURS = "|".join([*_ONES][:12])
_NTH = r"(?P<n>\d{1,3}(?:st|nd|rd|th)|" + "|".join([*_ORDINALS][:10]) + ")"
_MINUTES = (
    r"(?P<mi>(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|ten|eleven|twelve|"
    r"thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
)
_AP = r"\s*(?P<ap>[ap])\s?\.?\s?m\b\.?"
_MAYBE_AP = r"(?:\s*(?P<ap>[ap])\.?m\.?)?"
_HOUR = "(?P<h><n>|noon|midnight)"
_QUARTER = r"(?:quarter|qtr)"
_EMIN = r"(?:\d{1,2}|five|ten|twenty[- ]five|twenty)"
_EREL = {"last": "past", "previous": "past", "past": "past", "this": 0, "next": 1, "the coming": "coming"}
_EU = (
    r"years?|yrs?|y|months?|quarters?(?! (?:past|to|after))|weeks?|wks?|w|days?|d|hours?|hrs?|h|minutes?|"
    r"mins?|seconds?|secs?"
)
_PART = r"(?:half|(?:(?:a|one|two|three) )?quarters?)(?: of)?(?: an?)?"
EN = Language(
    scripts=frozenset({"latin"}),
    number=_ENUM,
    numbers=_ONES | _ORDINALS,
    units={
        "year": "year", "yr": "year", "y": "year", "quarter": "quarter", "w": "week", "d": "day",
        "month": "month", "week": "week", "wk": "week", "day": "day", "hour": "hour",
        "hr": "hour", "h": "hour", "minute": "minute", "min": "minute", "second": "second", "sec": "second",
    },
    amount=(
        rf"(?:(?P<n>(?:an? )?half(?: (?:of )?an?)?|(?:a |three[- ]|two )?quarters? of an|\d{{1,4}}\.\d{{1,2}}|{_ENUM})"
        rf"(?P<half> and (?:an? )?{_PART})?(?: (?:more|additional))?(?:-|\s?)(?P<u>{_EU})(?![a-z])"
        r"(?P<after> and (?:an? )?half)?(?:,? and |,? )?)"
    ),
    rules=(
        *days({
            "(?:the )?day before yesterday": -2, "yesterday(?:'?s)?": -1, "today(?:'?s)?": 0,
            "(?:tomorrow|tomorow|tommorow)(?:'?s)?|tmrw|tmr|tmw": 1,
            "(?:the )?day after tomorrow": 2,
        }),
        Rule("tonight|this evening", "day_part", (0, "evening")),
        Rule("this morning", "day_part", (0, "morning")),
        Rule("this afternoon", "day_part", (0, "afternoon")),
        Rule("(?:all day(?: long)?|(?:the )?whole day|all-day)", "fill"),
        Rule("last night", "day_part", (-1, "evening")),
        Rule("right now|now", "now", weak=True),
        Rule("this day", "day", 0, weak=True),
        *parts({
            "morning": "(?:in the )?mornings?", "afternoon": "(?:in the )?afternoon",
            "evening": "(?:in the )?evening|(?:at )?night",
        }),
        *holidays({
            "new year'?s day": (1, 1), "valentine'?s(?: day)?": (2, 14), "halloween": (10, 31),
            "christmas eve": (12, 24), "christmas(?: day)?|xmas": (12, 25), "new year'?s eve": (12, 31),
            "(?:international )?workers'? day|may day": (5, 1),
        }),
        Rule("(?:chinese|lunar) new year(?:'?s day)?", "lunar", (1, 1)),
        Rule("mid[ -]autumn(?: festival)?|moon festival", "lunar", (8, 15)),
        Rule("dragon boat festival", "lunar", (5, 5)),
        Rule("lantern festival", "lunar", (1, 15)),
        Rule("(?:at |12 )?noon", "clock_at", (12, 0)),
        Rule("(?:at )?midnight", "clock_at", (24, 0)),
        Rule(rf"(?:at )?(?P<h>\d{{1,2}}|{_HOURS}) o'?clock", "clock"),
        Rule(rf"(?:at )?(?P<h>{_HOURS})(?:[ -]{_MINUTES})?{_AP}", "clock"),
        Rule(rf"(?:at )?(?P<h>{_HOURS}|\d{{1,2}})(?:[ -]{_MINUTES})? in the (?P<part>morning|afternoon|evening)",
             "clock"),
        Rule(rf"(?:at )?(?P<h>{_HOURS}|\d{{1,2}})(?::(?P<mi>\d\d))? in the (?P<ap>[ap])\.?m\b\.?", "clock"),
        Rule(rf"at (?P<h>{_HOURS})[ -]{_MINUTES}", "clock"),
        Rule(r"(?:at|by) (?P<h>\d{1,2})(?!\s*[ap]\.?(?:m|\W|$)|\d*[:.]\d|h)", "clock"),
        Rule(r"(?P<h>\d{1,2})h(?P<mi>\d\d)?", "clock", weak=True),
        Rule(rf"(?:at |by )?half past {_HOUR}", "clock", "half"),
        Rule(rf"(?:at )?(?:a )?quarter past {_HOUR}", "clock", "quarter"),
        Rule(rf"(?:at )?(?:a )?quarter to {_HOUR}{_MAYBE_AP}", "clock_before", 15),
        Rule(rf"(?:at )?(?P<mi>{_EMIN})(?: minutes)? past {_HOUR}{_MAYBE_AP}", "clock"),
        Rule(rf"(?:at )?(?P<mi>{_EMIN}(?= minutes)|ten|twenty|twenty[- ]five)(?: minutes)? to {_HOUR}{_MAYBE_AP}",
             "clock_before"),
        Rule(rf"(?:(?P<rel>last|past|this|next|previous|the coming) )?{_EW}", "weekday", _EREL),
        Rule(r"(?:(?P<rel>last|this|next) )?(?P<w>sat|sun)\b\.?", "weekday", _EREL, weak=True),
        *periods("week", {
            "(?:the )?(?:last|previous) (?:calendar )?week": -1, "(?:this|the current) (?:calendar )?week": 0,
            "(?:the )?next (?:calendar )?week": 1,
            "(?:the )?week after next": 2, "(?:the )?week before last": -2,
        }),
        *periods("weekend", {"(?:the )?(?:last|past) weekend": -1, "(?:this|the) weekend": 0,
                             "(?:the )?next weekend": 1}),
        *periods("month", {
            "(?:the )?(?:last|previous) (?:calendar )?month": -1, "(?:this|the current) (?:calendar )?month": 0,
            "(?:the )?next (?:calendar )?month": 1, "(?:the )?month after next": 2,
        }),
        *periods("year", {
            "(?:the )?(?:last|previous) (?:calendar )?year": -1, "(?:this|the current) (?:calendar )?year": 0,
            "(?:the )?next (?:calendar )?year": 1, "(?:the )?year after next": 2,
        }),
        *periods("quarter", {
            f"(?:the )?(?:last|previous) {_QUARTER}": -1, f"(?:this|the current) {_QUARTER}": 0,
            f"(?:the )?next {_QUARTER}": 1,
        }),
        Rule(rf"(?:the )?{_NTH} {_QUARTER}(?:,? (?:of |in )?(?P<y>\d{{4}}))?(?: of| in)?", "piece", 3),
        Rule(r"(?:the )?(?P<n>first|second) half(?:,? of (?P<y>\d{4})| of(?: the year)?)", "piece", 6),
        Rule(rf"(?:the )?{_NTH}(?:[ -](?P<last>last))? week(?: of| in)?", "nth_week"),
        Rule("(?:the )?last week (?:of|in)", "nth_week", -1),
        Rule(r"week (?P<n>\d{1,2})(?: of| in)?", "nth_week"),
        Rule(rf"(?:the )?{_NTH}(?:[ -](?P<last>last))? day (?:of|in)(?: the)?(?= (?:year|\d{{4}}|next|last|this))",
             "nth_day"),
        Rule("(?:the )?(?:very )?last day (?:of|in)", "nth_day", -1),
        Rule("(?:the )?(?:very )?first day (?:of|in)", "nth_day", 1),
        Rule("(?:the )?week (?:of|containing|beginning|starting)", "around", "week"),
        Rule("the (?:year|month)(?= (?:of )?(?:\\d{4}|[a-z]+ \\d{4}))|(?:calendar year|cy|year)(?= \\d{4})", "fill"),
        Rule(r"(?<=\d{4} )(?:year|a\.?d\b\.?|c\.?e\b\.?|b\.?e\b\.?)", "fill"),
        Rule("(?:the )?end of (?:the |this )?month", "edge", "end"),
        Rule("(?:the )?end of next month", "month_end", 1),
        Rule(rf"(?:the )?(?P<n>\d(?:st|nd|rd|th)|first|second|third|fourth|fifth|last) {_EW} (?:of|in)", "nth_weekday"),
        Rule(rf"(?:the )?{_ED} (?:day )?of", "dom"),
        Rule(r"(?:the )?(?P<d>\d{1,2}(?:st|nd|rd|th))", "dom"),
        Rule(rf"the {_ED}", "dom", weak=True),
        Rule(rf"(?:the )?{_ED}(?: of |[ /-]|\.? ?){_EM}(?:(?:,? (?:of )?|[/-])(?P<y>\d{{4}}))?", "ymd"),
        Rule(rf"{_EM}[ -]?(?:the )?{_ED}(?:(?:,? |,)(?P<y>\d{{4}}))?", "ymd"),
        Rule(rf"(?P<y>\d{{4}})[/-]{_EM}[/-](?P<d>\d{{1,2}})", "ymd"),
        Rule(rf"(?P<y>\d{{4}})[/-](?P<d>\d{{1,2}})[/-]{_EM}", "ymd"),
        Rule(rf"{_EM}[/-](?P<y>\d{{4}})[/-](?P<d>\d{{1,2}})", "ymd"),
        Rule(rf"{_EM}(?:(?:,? (?:of )?|/)(?P<y>\d{{4}}))?", "ymd", weak=True),
        Rule("(?:with)?in (?:the next )?(?P<a><amounts>)(?:from now|time)?", "shift", 1),
        Rule("(?P<a><amounts>)(?:from now|from today|later|hence)", "shift", 1),
        Rule("(?P<a><amounts>)(?:from (?=right now))", "shift", 1),
        Rule(r"(?:now )?\+ ?(?P<a><amounts>)", "shift", 1, weak=True),
        Rule(r"now [-−] ?(?P<a><amounts>)", "shift", -1, weak=True),
        Rule(r"^[-−] ?(?P<a><amounts>)", "shift", -1, weak=True),
        Rule("(?P<a><amounts>)(?:from|after|following)(?! (?:now|today|right)\\b)(?= )", "onward"),
        Rule("(?P<a><amounts>)(?:starting|beginning|commencing)(?: from| on| at)?", "lasting"),
        Rule("(?:for|lasting) (?P<a><amounts>)", "lasting"),
        Rule("(?P<a><amounts>)ago", "shift", -1),
        Rule("(?:the )?(?:last|past)(?P<a> <amounts>)", "rolling", "back"),
        Rule("(?:the )?next(?P<a> <amounts>)", "rolling", "ahead"),
        Rule("before|prior to", "before", weak=True),
        Rule("to|till?|until|through|thru", "to"),
        Rule("and", "and"),
        Rule("from|starting(?: from| on| at)?", "from"),
        Rule("between", "between"),
        Rule("on|at|for|by|of|in|the|during|@", "fill"),
    ),
)  # fmt: skip
