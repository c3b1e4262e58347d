"""The conversation: it hears, thinks and answers. Start reading in ``ports.py``; ``main.py`` builds everything."""
