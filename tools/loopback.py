"""Whether an address is on this machine: such calls go straight there, never through a proxy of the environment.

Nothing is looked up. Must not know what is called.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


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


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for this host. To be asked for once: a session that asks for every call
    reads files in threads each time, and refuses to send a token where .netrc has a password."""
    where = urlsplit(url)
    if is_loopback(url) or proxy_bypass(where.hostname or ""):
        return None
    return getproxies().get(where.scheme)
