"""Which addresses are on this machine."""

from __future__ import annotations

import pytest

from tools.loopback import is_loopback


@pytest.mark.parametrize(
    ("url", "is_local"),
    [
        ("http://localhost:1234/v1", True),
        ("http://LOCALHOST./v1", True),
        ("http://api.localhost/v1", True),
        ("http://127.0.0.1/v1", True),
        ("http://127.8.8.8/v1", True),
        ("http://[::1]:80/v1", True),
        ("http://user:key@127.0.0.1:80", True),
        ("https://api.openai.com/v1", False),
        ("http://10.0.0.1/v1", False),
        ("http://[::2]/", False),
        ("http://localhost.example.com/v1", False),
        ("http://127.0.0.1.example.com/", False),
        ("http://example.com/localhost", False),
        ("http://[::1", False),
        ("nonsense", False),
        ("", False),
    ],
)
def test_which_addresses_are_on_this_machine(url: str, is_local: bool):
    assert is_loopback(url) is is_local
