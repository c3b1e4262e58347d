"""THE OPERATOR'S PAGES, under ``/admin``: made on the server, without a script, there only with a password.

``door`` is the one place that decides who gets in, by ``sessions`` and ``limiter``. ``pen`` writes HTML in which every
value is text, ``frame`` is what stands around each page, ``charts`` draws, ``words`` speaks Chinese. ``pages`` and
``turns`` are the pages, ``forms`` what their buttons do, ``routes`` where they are.
"""
