"""The words for time in English.

Data only; ``rules`` says how a row is read. Must not know what day it is.
"""

from __future__ import annotations

from tools.number_words import ENGLISH_NUMBERS
from tools.when.rules import Language, Rule, days, parts, periods

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
    r"(?P<d>\d{1,2}(?:st|nd|rd|th)?|(?:twenty|thirty)[ -](?:"
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
_EMIN = r"(?:\d{1,2}|five|ten|twenty[- ]five|twenty)"
_EREL = {"last": "past", "previous": "past", "past": "past", "this": 0, "next": 1, "the coming": "coming"}
_EU = r"years?|yrs?|months?|weeks?|wks?|days?|hours?|hrs?|h|minutes?|mins?|seconds?|secs?"
EN = Language(
    number=_ENUM,
    numbers=_ONES | _ORDINALS,
    units={
        "year": "year", "yr": "year", "month": "month", "week": "week", "wk": "week", "day": "day", "hour": "hour",
        "hr": "hour", "h": "hour", "minute": "minute", "min": "minute", "second": "second", "sec": "second",
    },
    amount=(
        rf"(?:(?P<n>(?:a )?half(?: an?)?|\d+\.\d+|{_ENUM})(?P<half> and (?:a|an) half)?\s*(?P<u>{_EU})\b"
        r"(?P<after> and a half)?(?:,? and |,? )?)"
    ),
    rules=(
        *days({
            "(?:the )?day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow|tmrw|tmr": 1,
            "(?:the )?day after tomorrow": 2,
        }),
        Rule("tonight|this evening", "day_part", (0, "evening")),
        Rule("this morning", "day_part", (0, "morning")),
        Rule("this afternoon", "day_part", (0, "afternoon")),
        Rule("last night", "day_part", (-1, "evening")),
        Rule("right now|now", "now", weak=True),
        Rule("this day", "day", 0, weak=True),
        *parts({
            "morning": "(?:in the )?mornings?", "afternoon": "(?:in the )?afternoon",
            "evening": "(?:in the )?evening|(?:at )?night",
        }),
        Rule("(?:at |12 )?noon", "clock_at", (12, 0)),
        Rule("(?:at )?midnight", "clock_at", (24, 0)),
        Rule(rf"(?:at )?(?P<h>\d{{1,2}}|{_HOURS}) o'?clock", "clock"),
        Rule(rf"(?:at )?(?P<h>{_HOURS})(?: (?P<mi>ten|fifteen|twenty|thirty|forty[- ]five))?\s*(?P<ap>[ap])\.?\s?m\.?",
             "clock"),
        Rule(rf"(?:at )?(?P<h>{_HOURS}|\d{{1,2}}) in the (?P<part>morning|afternoon|evening)", "clock"),
        Rule(r"(?:at|by) (?P<h>\d{1,2})(?!\s*[ap]\.?(?:m|\W|$)|\d*[:.]\d|h)", "clock"),
        Rule(r"(?P<h>\d{1,2})h(?P<mi>\d\d)?", "clock", weak=True),
        Rule(r"(?:at |by )?half past (?P<h><n>)", "clock", "half"),
        Rule(r"(?:at )?(?:a )?quarter past (?P<h><n>)", "clock", "quarter"),
        Rule(r"(?:at )?(?:a )?quarter to (?P<h><n>)(?:\s*(?P<ap>[ap])\.?m\.?)?", "clock_before", 15),
        Rule(rf"(?:at )?(?P<mi>{_EMIN})(?: minutes)? past (?P<h><n>)(?:\s*(?P<ap>[ap])\.?m\.?)?", "clock"),
        Rule(rf"(?:at )?(?P<mi>{_EMIN} minutes|ten|twenty|twenty[- ]five) to (?P<h><n>)(?:\s*(?P<ap>[ap])\.?m\.?)?",
             "clock_before"),
        Rule(rf"(?:(?P<rel>last|past|this|next|previous|the coming) )?{_EW}", "weekday", _EREL),
        Rule(r"(?:(?P<rel>last|this|next) )?(?P<w>sat|sun)\b\.?", "weekday", _EREL, weak=True),
        *periods("week", {
            "(?:the )?(?:last|previous) week": -1, "(?:this|the current) week": 0, "(?:the )?next week": 1,
            "(?:the )?week after next": 2,
        }),
        *periods("weekend", {"last weekend": -1, "(?:this|the) weekend": 0, "next weekend": 1}),
        *periods("month", {
            "(?:the )?(?:last|previous) month": -1, "(?:this|the current) month": 0, "(?:the )?next month": 1,
        }),
        *periods("year", {"last year": -1, "this year": 0, "next year": 1}),
        *periods("quarter", {"last (?:quarter|qtr)": -1, "this (?:quarter|qtr)": 0, "next (?:quarter|qtr)": 1}),
        Rule("(?:the )?end of (?:the |this )?month", "edge", "end"),
        Rule("(?:the )?end of next month", "month_end", 1),
        Rule(rf"(?:the )?(?P<n>\d(?:st|nd|rd|th)|first|second|third|fourth|fifth|last) {_EW} (?:of|in)", "nth_weekday"),
        Rule(rf"(?:the )?{_ED} (?:day )?of", "dom"),
        Rule(r"(?:the )?(?P<d>\d{1,2}(?:st|nd|rd|th))", "dom"),
        Rule(rf"the {_ED}", "dom", weak=True),
        Rule(rf"(?:the )?{_ED}(?: of |[ /-]|\.? ?){_EM}(?:(?:,? (?:of )?|[/-])(?P<y>\d{{4}}))?", "ymd"),
        Rule(rf"{_EM}[ -]?(?:the )?{_ED}(?:(?:,? |,)(?P<y>\d{{4}}))?", "ymd"),
        Rule(rf"(?P<y>\d{{4}})[/-]{_EM}[/-](?P<d>\d{{1,2}})", "ymd"),
        Rule(rf"{_EM}(?:(?:,? (?:of )?|/)(?P<y>\d{{4}}))?", "ymd", weak=True),
        Rule("(?:with)?in (?P<a><amounts>)(?:from now|time)?", "shift", 1),
        Rule("(?P<a><amounts>)(?:from (?:right )?now|from today|later|hence|from(?= tomorrow))", "shift", 1),
        Rule("(?P<a><amounts>)ago", "shift", -1),
        Rule("(?:the )?(?:last|past)(?P<a> <amounts>)", "rolling", "back"),
        Rule("(?:the )?next(?P<a> <amounts>)", "rolling", "ahead"),
        Rule("to|till?|until|through|thru|and", "to"),
        Rule("from|between", "from"),
        Rule("on|at|for|by|of|in|the|during|@", "fill"),
    ),
)  # fmt: skip
