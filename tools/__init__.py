"""The abilities and the memory: what the secretary can do, and what it remembers. Never imports ``bot``."""
