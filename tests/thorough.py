"""How much is tried: a sample for who waits for the tests, far more before anything lands, and all there is on demand.

``SECRETARY_THOROUGH=1`` takes a quarter of an hour, ``SECRETARY_THOROUGH=whole`` an hour.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")

THOROUGH = bool(os.environ.get("SECRETARY_THOROUGH"))
WHOLE = os.environ.get("SECRETARY_THOROUGH") == "whole"

_THIS_RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", "one process")


def sample(cases: Sequence[Case], few: int, many: int) -> Sequence[Case]:
    """Some of the cases, in each run others (the same in all its processes): ``few`` of them, ``many`` before anything
    lands, all on demand."""
    return cases if WHOLE else random.Random(_THIS_RUN).sample(cases, min(len(cases), many if THOROUGH else few))
