"""One alphabet for what people write, so that every table of words needs one spelling.

Pure. Half width, lower case, traditional characters, Arabic digits; character by character, so that what is found in a
folded text stands at the same place in the text itself. It is for comparing alone: nothing folded is stored or shown.
Must not know what a text is about.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

_TRADITIONAL: Final[Mapping[str, str]] = dict(
    zip(
        "万两为买从付个么义书亿们价会传伤传",
        "萬兩為買從付個麼義書億們價會傳傷傳",
        strict=True,
    )
)
