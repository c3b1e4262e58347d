"""Whether an address is on this machine: such calls go straight there, never through a proxy of the environment.

Pure: nothing is looked up. Must not know what is called.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_loopback(url: str) -> bool:
    """Whether the URL's host is 127.0.0.0/8, ::1, ``localhost`` or a name under it
    (https://www.rfc-editor.org/rfc/rfc6761#section-6.3). What is no URL is not."""
    try:
        host = (urlsplit(url).hostname or "").removesuffix(".")
    except ValueError:
        return False
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
