"""Setting the bot up in LINE: where LINE delivers to, and the menu under the chat. Done twice it changes nothing.

Must not touch what people made by hand, nor know the settings or what the returned lines are printed on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.findings import Finding
from bot.line import rich_menu
from bot.line.account import LineAccount, Menu
from bot.line.health import of_test, of_webhook
from bot.ports import Refused
from tools.loopback import is_loopback
from tools.record import Language


async def set_up(account: LineAccount, callback: str, language: Language | None) -> list[str]:
    """Let LINE deliver to ``callback`` ("" if nobody knows it), and show the menu in this language (None: no menu).
    What was done, and what a person must do, line by line. Raises Refused and Unsure."""
    who = await account.info()
    lines = [f"connected to LINE as {who.name} ({who.basic_id})", *await _webhook(account, callback)]
    return [*lines, *await _menu(account, language)] if language else lines


async def _webhook(account: LineAccount, callback: str) -> list[str]:
    if not callback:
        return ["PUBLIC_URL is not set: the webhook in LINE is left as it is"]
    if not (callback.startswith("https://") or is_loopback(callback)):
        return [f"LINE delivers only to https:// addresses: the webhook is not set to {callback}, change PUBLIC_URL"]
    was = await account.webhook()
    if was and was.address == callback:
        lines = [f"the webhook is {callback}"]
    else:
        await account.set_webhook(callback)
        lines = [f"set the webhook to {callback}" + (f", it was {was.address}" if was else "")]
    switched = of_webhook(await account.webhook(), callback)
    tested = of_test(await account.test_webhook())
    return [*lines, *_to_do([*switched, tested])]


def _to_do(findings: Sequence[Finding]) -> list[str]:
    """What is not well, and the word that the test went well."""
    told = [each for each in findings if each.next or each.what == "webhook test"]
    return [f"{each.said} → {each.next}" if each.next else each.said for each in told]


async def _menu(account: LineAccount, language: Language) -> list[str]:
    picture = picture_of(language)
    menu = rich_menu.menu(language, picture)
    ours = [each for each in await account.menus() if each.name.startswith(rich_menu.MARK)]
    shown = await account.default_menu()
    if shown and shown not in {each.id for each in ours}:
        return ["another rich menu is shown, which is not of this program: it is kept, and none is added"]
    current = next((each for each in ours if each.name == menu["name"]), None)
    if current and shown == current.id:
        lines = [f"the menu is shown ({language})"]
    else:
        current = await _shown(account, current, menu, picture)
        lines = [f"the menu under the chat is shown now ({language}); one made in the manager is hidden by it"]
    for each in ours:
        if each.id != current.id:
            await account.delete_menu(each.id)
            lines.append(f'took away an older menu of this program, "{each.name}"')
    return lines


async def _shown(account: LineAccount, found: Menu | None, menu: dict[str, Any], picture: bytes) -> Menu:
    """Show the menu. One that was made, and whose picture did not come before the program ended, is made anew."""
    if found:
        try:
            await account.show_menu(found.id)
        except Refused:
            await account.delete_menu(found.id)
        else:
            return found
    made = await account.make_menu(menu, picture)
    await account.show_menu(made)
    return Menu(made, menu["name"])


def picture_of(language: Language) -> bytes:
    """The menu's picture in this language, as PNG."""
    return (Path(__file__).parent / rich_menu.PICTURES / f"{language}.png").read_bytes()
