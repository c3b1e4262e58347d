"""The engine without a model. ``engine`` answers; ``understanding`` makes a ``plan`` of what was said (``new`` records,
``existing`` ones; ``text`` cuts, ``words`` finds what ``vocabulary`` names), ``answers`` with ``sentences`` say what
came of it.

Must not know who runs its calls.
"""
