"""Whether everything is tried, or a sample of it: who waits for the tests has minutes, what lands is tried whole."""

from __future__ import annotations

import os

THOROUGH = bool(os.environ.get("SECRETARY_THOROUGH"))
