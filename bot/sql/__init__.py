"""What the conversation keeps, as rows of the one database: each module has its tables and the port over them.

``inbox`` is what waits (``inbox_rows`` its life, ``claims`` who works what, ``operator`` the operator's view,
``owed`` and ``rides`` what stands in front of an answer or goes with it), ``transcript`` what was said and done,
``said`` the same by the network's ids, ``taking_back`` and ``second_thoughts`` what is thought better of, ``audit``
every call of a tool, ``people`` who talks, ``members`` and ``groups`` who else, ``postponed`` what waits for the model,
``allowance`` and ``endpoints`` what a model costs and takes, ``last_said`` what a single word answers, ``exports`` what
a person takes along, ``forgetting`` that they may go, ``housekeeping`` what goes when it is old; ``figures`` and
``admin_sessions`` serve the operator's pages. Must not know how a turn is made.
"""
