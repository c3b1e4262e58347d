"""LINE: what comes in (webhook), what goes out (bubbles), and the calls between (channel)."""
