"""People's words for times to values, or a refusal: ``reading`` is the way in and states the rules.

``tokens`` cut a text by the tables in ``words`` and ``repeat_words``, whose rows are ``rules``; ``builders`` make
``facts`` of what a row found (``day_facts``, ``clock_facts``, ``repeat_facts``, ``iso``); ``meaning`` makes one time of
them (``days``, ``stretches``, ``lunar``, ``clock``), ``ranges`` one or a range. ``length_reading`` reads how long, and
``repeat_reading`` what comes again, by ``repeats``. Pure: "now" is given. Must not know who asks.
"""

from tools.when.length_reading import read_length, read_steps
from tools.when.meaning import Reading
from tools.when.numbers import NotUnderstood
from tools.when.reading import Found, find_times, read_moment, read_range, read_span, read_time
from tools.when.repeat_reading import read_rule
from tools.when.repeats import Pattern, Repetition, ending, next_after, occurrences, pattern_of, without

__all__ = [
    "Found",
    "NotUnderstood",
    "Pattern",
    "Reading",
    "Repetition",
    "ending",
    "find_times",
    "next_after",
    "occurrences",
    "pattern_of",
    "read_length",
    "read_moment",
    "read_range",
    "read_rule",
    "read_span",
    "read_steps",
    "read_time",
    "without",
]
