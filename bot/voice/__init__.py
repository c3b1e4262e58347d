"""What the secretary says by itself, in four languages: sentences, dates, receipts, and what a model may add to them.

``language`` comes first; ``phrases`` are the sentences, ``receipts`` say what was changed (``receipt_words`` around
them, ``record_text`` and ``revisions`` inside), ``reminders`` what is due, ``waiting`` what is said of words that wait
for the model; what else has words of its own keeps them in ``…_words``. ``commands`` and its like know people's words.
``claims`` (with ``claim_words``) and ``repetition`` judge a model's own. Pure; must not know how anything is sent or
stored.
"""
