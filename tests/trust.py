"""Whom the tests trust: nobody. A client reads a list of authorities when it is made, and all those of a machine take
it longer than most tests; here nothing is spoken to under a certificate.

``nobody.pem`` is a list with one made-up authority, whose key nobody has. Must not know who makes clients.
"""

from __future__ import annotations

import os
from pathlib import Path

NAME = "SSL_CERT_FILE"
NOBODY = Path(__file__).with_name("nobody.pem")

_of_this_machine = os.environ.get(NAME)


def trust_nobody() -> None:
    """In this process, and in those that it starts."""
    os.environ[NAME] = str(NOBODY)


def trusting_again(environment: dict[str, str]) -> dict[str, str]:
    """The environment of a program that speaks to the outside."""
    others = {name: value for name, value in environment.items() if name != NAME}
    return others if _of_this_machine is None else {**others, NAME: _of_this_machine}
