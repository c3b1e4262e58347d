"""How often somebody may try the password: for each address, and for all together.

In memory, of a bounded size; a new start forgets it. Must not know what is tried, nor trust what an address says
of itself: behind a proxy all visitors are one, and share what one gets.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

TRIES, SECONDS_FOR_ONE = 5, 60.0
"""Of one address at once, and until it gets another."""

TRIES_OF_ALL, SECONDS_FOR_ONE_OF_ALL = 20, 15.0

MOST_ADDRESSES = 1_000


@dataclass(slots=True)
class _Tries:
    """What is left, as of then; it grows by itself."""

    left: float
    at: float


class LoginLimiter:
    """A try is counted before it is looked at, so that many at once are not more than many in a row."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all = _Tries(TRIES_OF_ALL, clock())
        self._each: OrderedDict[str, _Tries] = OrderedDict()

    def wait(self, address: str) -> float:
        """0 if this address may try now, which is counted; else the seconds until it may."""
        now, whose = self._clock(), _network(address)
        mine = self._each.setdefault(whose, _Tries(TRIES, now))
        self._each.move_to_end(whose)
        while len(self._each) > MOST_ADDRESSES:
            self._each.popitem(last=False)
        waits = max(
            _missing(mine, now, TRIES, SECONDS_FOR_ONE), _missing(self._all, now, TRIES_OF_ALL, SECONDS_FOR_ONE_OF_ALL)
        )
        if not waits:
            mine.left -= 1
            self._all.left -= 1
        return waits

    def was_right(self, address: str) -> None:
        """Whoever knows the password has used up nothing."""
        self._each.pop(_network(address), None)
        self._all.left = min(self._all.left + 1, TRIES_OF_ALL)


def _missing(tries: _Tries, now: float, most: int, seconds: float) -> float:
    """Seconds until one whole try is there."""
    tries.left = min(most, tries.left + max(0.0, now - tries.at) / seconds)
    tries.at = now
    return 0.0 if tries.left >= 1 else (1 - tries.left) * seconds


def _network(address: str) -> str:
    """One household has one address of IPv4, and a whole network of IPv6."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "?"
    return str(found) if found.version == 4 else str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))  # noqa: PLR2004 - of the Internet Protocol
