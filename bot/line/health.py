"""What LINE's answers say about how the bot is set up there, and where to click.

Pure. Must not know how LINE is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.findings import Finding
from bot.pushes import LOW, RESERVE

CONSOLE: Final = "LINE Developers Console (https://developers.line.biz/console/), your channel"
MESSAGING: Final = f"{CONSOLE}, Messaging API tab"
BASICS: Final = f"{CONSOLE}, Basic settings tab"
MANAGER: Final = "LINE Official Account Manager (https://manager.line.biz/), your account"

UNAUTHORIZED: Final = 401
UNAVAILABLE: Final = 503
"""What our own webhook answers: to a wrong signature, and where nothing can be stored."""

MOST_SKEW: Final = 5.0
"""Seconds by which a clock may be wrong before anybody notices."""
WRONG_TIME: Final = 60.0
"""From here on reminders come at a time that nobody meant."""


@dataclass(frozen=True, slots=True)
class Account:
    """Who the bot is for LINE. ``chat``: people may also be answered by hand. ``skew``: seconds that this machine's
    clock is ahead of LINE's; None if LINE did not say."""

    name: str
    basic_id: str
    chat: bool
    skew: float | None


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where LINE delivers to, and whether it does."""

    address: str
    active: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of LINE's own signed test event. ``status`` is 0 or less where no answer came."""

    success: bool
    status: int
    reason: str


def of_token(account: Account | None, problem: str, *, issued: bool) -> Finding:
    """Whether LINE takes the token, or issues one."""
    what = "LINE token"
    if account:
        return Finding(what, "ok", "issued for LINE_CHANNEL_ID" if issued else "LINE_CHANNEL_ACCESS_TOKEN is valid")
    if issued:
        return Finding(what, "FAIL", problem, f"compare LINE_CHANNEL_ID and LINE_CHANNEL_SECRET with {BASICS}")
    step = f"{MESSAGING}, Channel access token (long-lived): Issue, and set it as LINE_CHANNEL_ACCESS_TOKEN"
    return Finding(what, "FAIL", problem, step)


def of_account(account: Account) -> Finding:
    """Who the bot is; people write to it by hand, too, where chat is on, and that is no harm."""
    by_hand = "chat is on: you can also answer by hand" if account.chat else "chat is off"
    return Finding("LINE account", "ok", f"{account.name} ({account.basic_id}), {by_hand}")


def of_clock(skew: float | None) -> Finding:
    """The clock of this machine, by LINE's."""
    if skew is None:
        return Finding("clock", "warn", "LINE did not say what time it is", "compare this machine's clock by hand")
    ahead = f"{abs(skew):.0f} s {'ahead of' if skew > 0 else 'behind'} LINE's"
    if abs(skew) <= MOST_SKEW:
        return Finding("clock", "ok", "agrees with LINE's")
    step = "let it be set by the network: on Linux `sudo timedatectl set-ntp true`"
    return Finding("clock", "FAIL" if abs(skew) > WRONG_TIME else "warn", ahead, step)


def of_webhook(webhook: Webhook | None, expected: str) -> list[Finding]:
    """The address that is set, and whether LINE delivers to it. ``expected`` is "" where nobody knows it."""
    if webhook is None:
        step = "`python -m bot setup`" if expected else f"set PUBLIC_URL and run `python -m bot setup`, or {MESSAGING}"
        return [Finding("webhook", "FAIL", "no address is set in LINE", step)]
    where = Finding("webhook", "ok", webhook.address)
    if expected and webhook.address != expected:
        said = f"LINE delivers to {webhook.address}, and PUBLIC_URL says {expected}"
        where = Finding("webhook", "warn", said, "`python -m bot setup` sets it, unless PUBLIC_URL is wrong")
    if webhook.active:
        return [where, Finding("use webhook", "ok", "on")]
    step = f"{MESSAGING}, Webhook settings: Use webhook on"
    return [where, Finding("use webhook", "FAIL", "off: LINE delivers nothing", step)]


def of_test(tested: Trial) -> Finding:
    """What became of the signed event that LINE itself sent."""
    what = "webhook test"
    if tested.success:
        return Finding(what, "ok", "LINE reached the bot, and the bot knew its signature")
    if tested.status == UNAUTHORIZED:
        step = f"{BASICS}, Channel secret: copy it into LINE_CHANNEL_SECRET and restart"
        return Finding(what, "FAIL", "the bot does not know LINE's signature (401)", step)
    if tested.status == UNAVAILABLE:
        return Finding(what, "FAIL", "the bot cannot store anything (503)", "look at the bot's log")
    if tested.status > 0:
        step = "the address must lead to the bot and end in /callback, without a redirect"
        return Finding(what, "FAIL", f"what LINE reached answered {tested.status} ({tested.reason})", step)
    step = "start the bot, and let the address lead to it by HTTPS with a certificate that browsers accept"
    return Finding(what, "FAIL", f"LINE could not reach it ({tested.reason})", step)


def of_switches() -> list[Finding]:
    """What LINE tells nobody over its API."""
    untold = "LINE does not tell; look once"
    redelivery = f"{MESSAGING}, Webhook settings: Webhook redelivery on, or what is said while the bot is down is lost"
    replies = f"{MANAGER}, Settings, Response settings: Auto-response messages off, Greeting message off, Webhooks on"
    return [Finding("redelivery", "warn", untold, redelivery), Finding("auto-reply", "warn", untold, replies)]


def of_quota(left: int | None, pushes: str) -> Finding:
    """The month's pushes; ``pushes`` is the setting."""
    what = "pushes"
    if left is None:
        return Finding(what, "ok", "no limit")
    told = f"{left} left this month"
    if pushes == "off":
        return Finding(what, "ok", f"{told}; SECRETARY_PUSH is off, so none is used")
    if left > LOW:
        return Finding(what, "ok", told)
    waits = f"the last {RESERVE} are kept: {'reminders wait' if left <= RESERVE else 'then reminders wait'} for a reply"
    return Finding(what, "warn", f"{told}; {waits}", f"{MANAGER}, Settings, Monthly plan; or wait for the next month")
