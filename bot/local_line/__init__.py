"""A small, strict LINE platform of our own with a chat page: the embedded default, the demo and the tests use it.

Start with ``platform``, where its parts are put together. The bot's side is ``api`` over ``exchange`` (one request),
``limits``, ``flex`` and ``checks`` (what a message may be) and ``faults`` (a bad day on demand). The people's side is
``control`` and the folder ``page`` over ``phones`` (what people do), ``courier`` and ``events`` (what the bot is told)
and ``screens`` (what open pages are shown). ``gate`` stands before both; ``ledger`` remembers; ``phone`` is a phone for
programs. Must not know the bot.
"""

FIRST_PERSON = "U" + "10ca1" * 6 + "10"
"""Who is there from the beginning: the one who tries the bot at home."""
