"""The engine without a model. ``engine`` answers; ``understanding`` makes a ``plan`` of what was said (``new`` records
and ``repeated`` ones, ``existing`` ones by number, ``quoted`` ones, ``described`` ones of which ``chosen`` is changed;
``text`` cuts, ``words`` finds what ``vocabulary`` names), ``answers`` with ``sentences`` say what came of it. A
language is one table, ``words_…``.

Must not know who runs its calls.
"""
