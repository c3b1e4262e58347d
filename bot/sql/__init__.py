"""What the conversation keeps, as rows of the one database: each module has its tables and the port over them.

``inbox`` is what waits (``inbox_rows`` its life, ``claims`` who works what, ``operator`` the operator's view),
``transcript`` what was said and done, ``audit`` every call of a tool, ``people`` who talks, ``postponed`` what waits
for the model, ``allowance`` and ``endpoints`` what a model costs and takes, ``last_said`` what a single word answers,
``exports`` what a person takes along, ``forgetting`` that they may go, ``housekeeping`` what goes when it is old. Must
not know how a turn is made.
"""
